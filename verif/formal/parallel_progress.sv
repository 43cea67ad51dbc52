// SPDX-License-Identifier: Apache-2.0
//
// Property: the control of a multiplier with parallel operands never hangs, for any steps.
//
//   while busy_o a rank decreases in every cycle, so each start ends within the rank's range
//   status_o is Busy while busy_o and an outcome afterwards; no start is accepted while busy_o
//   some run reaches every state and every outcome
//   an operation that ends Ok or Raw has added S and C last, and Ok only with X, Y < M
//   core_start_o is high only while no constant waits in the adder
//
// The rank, highest part first: the steps left, whether a constant still waits in the adder at the
// run, whether the step has not started, the cycles left until the awaited answer. Assumptions:
// adder and core answer a request at most Answer cycles later, and never without a request; the
// program has one run, ends with the sum of S and C, has its plain sums before all other steps, and
// is stable. Reset at any time.

module parallel_progress
  import multiplier_pkg::*;
#(
  parameter int Width  = 8,
  parameter int Answer = 4
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic                   start_i,
  input logic                   raw_i,
  input logic                   incomplete_i,
  input logic                   overwide_i,
  input logic                   m_written_i,
  input logic                   x_below_i,
  input logic                   y_below_i,
  input logic                   above_one_i,
  input logic                   odd_i,
  input logic [ProgramBits-1:0] steps_i,
  input logic                   odd_modulus_only_i,
  input logic                   core_done_i,
  input logic                   add_first_i,
  input logic                   add_done_i
);

  // States of parallel_control.
  localparam logic [2:0] StIdle = 3'd0;
  localparam logic [2:0] StLoad = 3'd1;
  localparam logic [2:0] StStep = 3'd2;
  localparam logic [2:0] StAdd = 3'd3;
  localparam logic [2:0] StCore = 3'd4;
  localparam logic [2:0] StEnd = 3'd5;

  localparam int WaitWidth = $clog2(Answer + 2);
  localparam int RankWidth = 4 + 1 + 1 + WaitWidth;

  logic busy, done, core_start, add_start, result;
  logic [3:0] status;
  logic [2:0] state;

  parallel_control u_control (
    .clk_i,
    .rst_ni,
    .start_i,
    .raw_i,
    .incomplete_i,
    .overwide_i,
    .m_written_i,
    .busy_o      (busy),
    .done_o      (done),
    .status_o    (status),
    .x_below_i,
    .y_below_i,
    .above_one_i,
    .odd_i,
    .steps_i,
    .odd_modulus_only_i,
    .core_start_o(core_start),
    .core_done_i,
    .add_start_o (add_start),
    .add_first_i,
    .add_done_i,
    .result_o    (result),
    .state_o     (state)
  );

  logic begun_q = 1'b0;
  logic busy_q, result_q, below_q;
  logic [WaitWidth-1:0] add_wait_q, core_wait_q, waits;
  logic [ProgramBits-1:0] steps_q;
  logic [2:0] run;  // number of the step with the run
  logic [RankWidth-1:0] rank, rank_q;
  logic [3:0] left;

  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    steps_q <= steps_i;
    rank_q  <= rank;
    busy_q  <= rst_ni && busy;
    if (add_done_i) result_q <= result;
    if ((state == StLoad) && add_done_i) below_q <= x_below_i && y_below_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      add_wait_q  <= '0;
      core_wait_q <= '0;
    end else begin
      if (add_start) add_wait_q <= WaitWidth'(1);
      else if (add_done_i) add_wait_q <= '0;
      else if (add_wait_q != '0) add_wait_q <= add_wait_q + 1'b1;
      if (core_start) core_wait_q <= WaitWidth'(1);
      else if (core_done_i) core_wait_q <= '0;
      else if (core_wait_q != '0) core_wait_q <= core_wait_q + 1'b1;
    end
  end

  step_t [ProgramSteps-1:0] steps;
  assign steps = steps_i;

  always_comb begin
    run = '0;
    for (int i = ProgramSteps - 2; i >= 0; i--) begin
      if (steps[i].operation == StepRun) run = 3'(i);
    end
    waits = (state == StCore) ? core_wait_q : add_wait_q;
    case (state)
      StLoad:                left = 4'd15;
      StStep, StAdd, StCore: left = 4'd10 - u_control.step_q;
      default:               left = 4'd0;
    endcase
    rank = {
      left,
      u_control.waiting_q && (u_control.step_q == 4'(run)),
      state == StStep,
      WaitWidth'(Answer + 1) - waits
    };
  end

  for (genvar i = 0; i < 6; i++) begin : gen_state
    always_comb cover (begun_q && (state == 3'(i)));
  end
  for (genvar i = 32'(StatusOk); i <= 32'(StatusOperandIncomplete); i++) begin : gen_status
    always_comb cover (done && (status == 4'(i)));
  end

  always_comb begin
    if (!begun_q) assume (!rst_ni);
    if (begun_q) assume (steps_i == steps_q);
    // Constants, the run, the sum of S and C.
    assume (steps[run].operation == StepRun);
    assume (steps[run+1].operation == StepAdd);
    assume (steps[run+1].destination == ToResult);
    assume (!steps[run+1].per_modulus);
    for (int i = 0; i < ProgramSteps; i++) begin
      if (i < 32'(run)) begin
        assume (steps[i].operation == StepAdd);
        assume (steps[i].destination != ToResult);
        assume ((i == 0) || (steps[i].reduction != ReduceNone));
      end
    end
    assume (add_wait_q <= WaitWidth'(Answer));
    assume (core_wait_q <= WaitWidth'(Answer));
    assume (!add_done_i || (add_wait_q != '0));
    assume (!core_done_i || (core_wait_q != '0));
    if (busy) assume (!start_i);
    if (begun_q && rst_ni) begin
      if (busy && busy_q) assert (rank < rank_q);
      assert (busy == (status == StatusBusy));
      assert (done == (!busy && (status != StatusIdle)));
      if (core_start) assert (!u_control.waiting_q && !add_start);
      if (done && ((status == StatusOk) || (status == StatusRaw))) begin
        assert (result_q && ((status == StatusOk) == below_q));
      end
      // For the induction.
      assert (state <= StEnd);
      assert (busy == (state != StIdle));
      if (busy && (state != StEnd)) begin
        assert (u_control.step_fields_q == steps[u_control.step_q[2:0]]);
      end
      assert ((add_wait_q != '0) == ((state == StLoad) || (state == StAdd)));
      assert ((core_wait_q != '0) == (state == StCore));
      if (!busy || (state == StLoad)) assert (!u_control.waiting_q);
      if (!busy || (state == StLoad)) assert (u_control.step_q == '0);
      if ((state == StStep) || (state == StAdd) || (state == StCore)) begin
        assert (u_control.step_q <= 4'(run) + 4'd1);
        assert (u_control.out_of_range_q == !below_q);
        if (u_control.step_q > 4'(run)) assert (!u_control.waiting_q);
        if ((state == StAdd) && (u_control.step_q == 4'(run))) assert (u_control.waiting_q);
      end
      if (state == StCore) assert ((u_control.step_q == 4'(run)) && !u_control.waiting_q);
      if (state == StEnd) begin
        assert (!u_control.waiting_q);
        assert ((u_control.outcome_q != StatusBusy) && (u_control.outcome_q != StatusIdle));
        if ((u_control.outcome_q == StatusOk) || (u_control.outcome_q == StatusRaw)) begin
          assert (result_q && ((u_control.outcome_q == StatusOk) == below_q));
        end
      end
    end
  end

endmodule
