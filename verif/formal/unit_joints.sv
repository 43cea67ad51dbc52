// SPDX-License-Identifier: Apache-2.0
//
// Property: the joints between control, core and adder of a unit, for every number of words.
//
//   a start of the core finds it STARTING; no load moves Y and M from then on until done
//   the core takes bits of X only while operand_bits gives them (assumed by operand_stream)
//   no unload from the start of the core to the cycle of done
//   in the pass that makes the result, the step of word j adds the lowest words of S and C, and j
//   unloads lie two or more cycles back
//   no start of the core between done and the end of this pass
//
// These are the hypotheses of the record "unit_pass" in verif/formal/theorems/theories/Unit.v that
// are not about words. The core is the design's. Full reductions are not covered.

module unit_joints
  import multiplier_pkg::*;
  import core_pkg::*;
#(
  parameter int Width = 16,
  parameter int AddWidth = 8,
  parameter int Guard = 2,
  parameter int Core = CoreFastMontgomery,
  parameter int Unfolding = 1
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic [         2:0] write_i,
  input logic [         2:0] read_i,
  input logic [         7:0] write_index_i,
  input logic [         7:0] read_index_i,
  input logic [AddWidth-1:0] data_i,
  input logic                start_i,
  input logic                raw_i,
  input logic                incomplete_i,
  input logic                overwide_i
);

  // States of parallel_control, word_stream_adder and operand_bits (it gives bits in BitsTake).
  localparam logic [2:0] StIdle = 3'd0;
  localparam logic [2:0] StLoad = 3'd1;
  localparam logic [2:0] StStep = 3'd2;
  localparam logic [2:0] StAdd = 3'd3;
  localparam logic [2:0] StCore = 3'd4;
  localparam logic [2:0] StEnd = 3'd5;
  localparam logic [1:0] AdderIdle = 2'd0;
  localparam logic [1:0] AdderFetch = 2'd1;
  localparam logic [1:0] BitsFirst = 2'd0;
  localparam logic [1:0] BitsFill = 2'd1;
  localparam logic [1:0] BitsTake = 2'd2;
  localparam int Words = (Width + Guard + AddWidth) / AddWidth;
  localparam int CountWidth = $clog2(Words + 2) + 1;

  logic busy, done, binary;
  logic [3:0] status;
  logic [AddWidth-1:0] word;
  multiplier_view_t view;

  parallel_unit #(
    .Width    (Width),
    .BusWidth (AddWidth),
    .AddWidth (AddWidth),
    .Guard    (Guard),
    .Core     (Core),
    .Unfolding(Unfolding)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .write_i,
    .read_i,
    .write_index_i,
    .read_index_i,
    .data_i,
    .word_o  (word),
    .start_i,
    .raw_i,
    .field_i (1'b0),
    .incomplete_i,
    .overwide_i,
    .busy_o  (busy),
    .done_o  (done),
    .status_o(status),
    .binary_o(binary),
    .view_o  (view)
  );

  logic [2:0] state, run;
  logic [3:0] at;  // number of the step
  logic [1:0] core_state;
  step_t [ProgramSteps-1:0] steps;
  logic result_pass, unload;
  assign state       = u_dut.state;
  assign at          = 4'(u_dut.u_control.step_q);
  assign core_state  = view.core_state;
  assign steps       = u_dut.description.steps;
  assign result_pass = (state == StAdd) && (at == 4'(run) + 4'd1);
  assign unload      = u_dut.core_control.unload;

  always_comb begin
    run = '0;
    for (int i = ProgramSteps - 2; i >= 0; i--) begin
      if (steps[i].operation == StepRun) run = 3'(i);
    end
  end

  // Unloads since the core was done: all of them, and those of two or more cycles ago.
  logic begun_q = 1'b0;
  logic [CountWidth-1:0] unloads_q, earlier_q;

  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      unloads_q <= '0;
      earlier_q <= '0;
    end else begin
      unloads_q <= u_dut.core_start ? '0 : unloads_q + CountWidth'(unload);
      earlier_q <= u_dut.core_start ? '0 : unloads_q;
    end
  end

  always_comb begin
    if (!begun_q) assume (!rst_ni);
    if (busy) assume (!start_i);
    if (begun_q && rst_ni) begin
      // Start, loop, unload.
      if (u_dut.core_start) assert ((core_state == StateStarting) && (state == StStep));
      if (core_state != StateStarting) assert (!u_dut.load_step && !u_dut.core_start);
      if (u_dut.core_start || (core_state != StateStarting)) assert (!unload);
      if ((state == StAdd) || (state == StLoad)) assert (!u_dut.core_start);

      // The core takes bits of X only while operand_bits gives them.
      if (u_dut.core_status.next) begin
        assert ((u_dut.u_operands.u_bits.state_q == BitsTake) && !u_dut.x_read);
      end

      // The words of the result.
      if (result_pass && u_dut.step) begin
        assert (u_dut.add_a == AddWidth'(u_dut.s));
        assert (u_dut.add_b == AddWidth'(u_dut.c));
        assert (CountWidth'(u_dut.word_index) == earlier_q);
      end

      // For the induction.
      assert (state <= StEnd);
      assert (busy == (state != StIdle));
      assert ((core_state != StateStarting) == (state == StCore));
      assert ((u_dut.u_adder.state_q != AdderIdle) == ((state == StLoad) || (state == StAdd)));
      assert (u_dut.u_adder.state_q != AdderFetch);
      assert (!u_dut.u_adder.division_q && !u_dut.u_adder.again_q);
      if (busy && (state != StEnd)) begin
        assert (u_dut.u_control.step_fields_q == steps[u_dut.u_control.step_q[2:0]]);
        assert (at <= 4'(run) + 4'd1);
      end
      if (!busy || (state == StLoad)) assert (at == '0);
      if (state == StCore) assert (at == 4'(run));
      assert (u_dut.core_start == ((state == StStep) && (at == 4'(run))
                                   && !u_dut.u_control.waiting_q));
      if ((state == StStep) && (at == 4'(run) + 4'd1)) begin
        assert ((unloads_q == '0) && (earlier_q == '0));
      end
      if (state == StCore) assert ((unloads_q == '0) && (earlier_q == '0));
      if (result_pass && u_dut.step) begin
        assert (unloads_q == earlier_q + CountWidth'(1));
      end
      // The load makes all steps before the run.
      assert (!u_dut.u_control.waiting_q);
      if ((state == StStep) || (state == StAdd) || (state == StCore)) assert (at >= 4'(run));
      if (state == StAdd) assert (at == 4'(run) + 4'd1);
      if (state == StLoad) begin
        assert (u_dut.u_operands.u_bits.state_q == (u_dut.step ? BitsFirst : BitsFill));
      end
      if ((state == StStep) || (state == StAdd) || (state == StCore)) begin
        assert (u_dut.u_operands.u_bits.state_q == BitsTake);
      end
      // Words of a pass.
      if (u_dut.step) begin
        assert (32'(u_dut.word_index) < Words);
        assert ((Words == 1) || (u_dut.u_adder.at_last_q == (32'(u_dut.word_index) == Words - 1)));
        if (!u_dut.last_word) assert (u_dut.word_read_index == u_dut.word_index + 1'b1);
      end else begin
        assert ((u_dut.word_index == '0) && !u_dut.u_adder.at_last_q);
        if (u_dut.u_adder.state_q != AdderIdle) assert (u_dut.u_adder.last_q);
      end
    end
  end

endmodule
