// SPDX-License-Identifier: Apache-2.0
//
// Property: the control of a multiplier unit never hangs, whatever the core's program is.
//
//   while busy_o a rank falls in every clock, so that each start ends within the rank's range
//   status_o is Busy while busy_o and an outcome after it
//   every state, and every outcome of an operation, is reached by some run
//   core_start_o only while the core is not running; no start is taken while busy_o
//   a Prepare with complete operands ends with Ok, ModulusZeroOrOne, ModulusEven or OperandRange
//
// The rank, highest part first: what is left to do (check X, check Y, the steps from step_q on,
// end), whether the step is still to be begun, the clocks left to the answer that is waited for.
// The assumptions: adder, inverse and core each answer a request at most Answer clocks later, and
// never without one; the program is steady while busy_o; there are three modes. Reset at any time.

module control_progress
  import multiplier_pkg::*;
#(
  parameter int Width  = 8,
  parameter int Guard  = 2,
  parameter int Answer = 5
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic                   start_i,
  input logic [            1:0] mode_i,
  input logic                   raw_i,
  input logic                   field_i,
  input logic                   incomplete_i,
  input logic                   overwide_i,
  input logic                   m_written_i,
  input logic                   m_odd_i,
  input logic [ProgramBits-1:0] program_i,
  input logic                   odd_modulus_only_i,
  input logic                   unreduced_i,
  input logic                   core_done_i,
  input logic                   add_done_i,
  input logic [  Width+Guard:0] add_value_i,
  input logic                   add_subtracted_i,
  input logic                   add_above_one_i,
  input logic                   inverse_done_i,
  input logic [        Width:0] inverse_value_i
);

  // States of multiplier_control.
  localparam logic [2:0] StIdle = 3'd0;
  localparam logic [2:0] StCheckX = 3'd1;
  localparam logic [2:0] StCheckY = 3'd2;
  localparam logic [2:0] StStep = 3'd3;
  localparam logic [2:0] StAdd = 3'd4;
  localparam logic [2:0] StCore = 3'd5;
  localparam logic [2:0] StEnd = 3'd6;
  localparam logic [2:0] StInverse = 3'd7;

  localparam int WaitWidth = $clog2(Answer + 2);
  localparam int RankWidth = 4 + 1 + WaitWidth + 1;

  logic busy, ready, done, core_start, add_start, inverse_start;
  logic [3:0] status;
  logic [2:0] state;

  multiplier_control #(
    .Width(Width),
    .Guard(Guard)
  ) u_control (
    .clk_i,
    .rst_ni,
    .start_i,
    .mode_i,
    .raw_i,
    .field_i,
    .incomplete_i,
    .overwide_i,
    .m_written_i,
    .m_odd_i,
    .busy_o         (busy),
    .ready_o        (ready),
    .done_o         (done),
    .status_o       (status),
    .program_i,
    .odd_modulus_only_i,
    .unreduced_i,
    .core_start_o   (core_start),
    .core_done_i,
    .add_start_o    (add_start),
    .add_done_i,
    .add_value_i,
    .add_subtracted_i,
    .add_above_one_i,
    .inverse_start_o(inverse_start),
    .inverse_done_i,
    .inverse_value_i,
    .state_o        (state)
  );

  // Clocks since a request that has not been answered, 0: none.
  logic begun_q = 1'b0;
  logic [WaitWidth-1:0] add_wait_q, inverse_wait_q, core_wait_q, waits;
  logic [ProgramBits-1:0] program_q;

  always_ff @(posedge clk_i) begin
    begun_q   <= 1'b1;
    program_q <= program_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      add_wait_q     <= '0;
      inverse_wait_q <= '0;
      core_wait_q    <= '0;
    end else begin
      if (add_start) add_wait_q <= WaitWidth'(1);
      else if (add_done_i) add_wait_q <= '0;
      else if (add_wait_q != '0) add_wait_q <= add_wait_q + 1'b1;
      if (inverse_start) inverse_wait_q <= WaitWidth'(1);
      else if (inverse_done_i) inverse_wait_q <= '0;
      else if (inverse_wait_q != '0) inverse_wait_q <= inverse_wait_q + 1'b1;
      if (core_start) core_wait_q <= WaitWidth'(1);
      else if (core_done_i) core_wait_q <= '0;
      else if (core_wait_q != '0) core_wait_q <= core_wait_q + 1'b1;
    end
  end

  // Rank.
  logic [3:0] left;
  logic fresh;
  logic [RankWidth-1:0] rank, rank_q;
  logic busy_q, incomplete_q;

  always_comb begin
    waits = (add_wait_q > inverse_wait_q) ? add_wait_q : inverse_wait_q;
    if (state == StCore) waits = core_wait_q;
    fresh = (state == StStep);
    case (state)
      StCheckX: left = 4'd12;
      StCheckY: left = 4'd11;
      StStep, StAdd, StInverse, StCore: left = 4'd10 - u_control.step_q;
      default: left = 4'd0;
    endcase
    rank = {left, fresh, u_control.issue_q, WaitWidth'(Answer + 1) - waits};
  end

  always_ff @(posedge clk_i) begin
    rank_q <= rank;
    busy_q <= rst_ni && busy;
    if (start_i && !busy) incomplete_q <= incomplete_i;
  end

  function automatic logic prepared(input logic [3:0] code);
    return (code == StatusOk) || (code == StatusModulusZeroOrOne) || (code == StatusModulusEven)
        || (code == StatusOperandRange);
  endfunction

  // No state is unreachable, and the status has every outcome.
  for (genvar i = 0; i < 8; i++) begin : gen_state
    always_comb cover (begun_q && (state == 3'(i)));
  end
  for (genvar i = 32'(StatusOk); i <= 32'(StatusOperandIncomplete); i++) begin : gen_status
    always_comb cover (done && (status == 4'(i)));
  end

  always_comb begin
    if (!begun_q) assume (!rst_ni);
    if (begun_q && busy) assume (program_i == program_q);
    assume (add_wait_q <= WaitWidth'(Answer));
    assume (inverse_wait_q <= WaitWidth'(Answer));
    assume (core_wait_q <= WaitWidth'(Answer));
    assume (!add_done_i || (add_wait_q != '0));
    assume (!inverse_done_i || (inverse_wait_q != '0));
    assume (!core_done_i || (core_wait_q != '0));
    assume (mode_i <= ModeProduct);
    if (busy) assume (!start_i);
    if (begun_q && rst_ni) begin
      if (busy && busy_q) assert (rank < rank_q);
      if (busy) assert (status == StatusBusy);
      if (!busy) assert (status != StatusBusy);
      assert (done == (!busy && (status != StatusIdle)));
      if (core_start) assert (core_wait_q == '0);
      if ((u_control.mode_q == ModePrepare) && !incomplete_q) begin
        if (done) assert (prepared(status));
        // For the induction.
        if (state == StEnd) assert (prepared(u_control.outcome_q));
        assert (state != StCore);
      end
      // For the induction: who is waited for in which state.
      assert ((core_wait_q != '0) == (state == StCore));
      assert ((inverse_wait_q != '0) == (state == StInverse));
      if ((state == StCheckX) || (state == StCheckY)) begin
        assert (u_control.issue_q == (add_wait_q == '0));
      end else begin
        assert ((add_wait_q != '0) == (state == StAdd));
      end
      assert ((u_control.outcome_q != StatusBusy) || !busy);
      if ((state == StCheckX) || (state == StCheckY)) assert (u_control.step_q == '0);
      if (state == StStep) assert (u_control.step_q <= 4'(ProgramSteps));
      if ((state == StAdd) || (state == StInverse) || (state == StCore)) begin
        assert (u_control.step_q < 4'(ProgramSteps));
      end
    end
  end

endmodule
