// SPDX-License-Identifier: Apache-2.0
//
// Property: one pass of the word-stream adder, for every number of words, in every operation.
//
//   step_o for Words cycles from the cycle after the start on, index_o 0, 1, ... Words - 1;
//   done_o in cycle Words + 1 after the start
//   takes_o from the cycle of the start on, for Words cycles, after an early start: at the step of
//   word j, exactly j of these cycles lie two or more cycles back (S and C move two cycles after
//   takes_o). After a late start takes_o is low in the cycle of the start
//   one cycle after a step, sum_o + 2**WordWidth * carry = a + b + carry of the step; carry = 0 at
//   the first word
//   difference_o + 2**WordWidth * saved' = a + b + (2**WordWidth - 1 - m) + saved, where saved is
//   0 to 2 and 1 at the first word; the pass keeps the difference exactly if it reduces and saved'
//   is not 0 after the last word
//   the cycle after a step writes the word of the sum to bank bank_o and that of the difference to
//   the other one; bank_o flips after the pass exactly if the pass keeps the difference
//
// These are the hypotheses of the record "pass" in verif/formal/theorems/theories/Adder.v and, with
// takes_o, of unit_unloads in Unit.v.
// Full reductions are not covered: full_i is 0.

module adder_pass
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int AddWidth = 32,
  parameter int Guard = 2
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic                start_i,
  input logic                early_start_i,
  input logic [         1:0] reduction_i,
  input logic [AddWidth-1:0] a_i,
  input logic [AddWidth-1:0] b_i,
  input logic [AddWidth-1:0] m_i
);

  localparam int ValueWidth = Width + Guard + 1;
  localparam int Words = (ValueWidth + AddWidth - 1) / AddWidth;
  localparam int IndexWidth = (Words > 1) ? $clog2(Words) : 1;
  // States of word_stream_adder.
  localparam logic [1:0] StIdle = 2'd0;
  localparam logic [1:0] StPass = 2'd2;
  localparam logic [1:0] StKeep = 2'd3;
  localparam int CycleWidth = $clog2(Words + 3);

  logic step, first, takes, last, write, bank, done, pass_done, subtracted;
  logic [IndexWidth-1:0] read_index, index, write_index;
  logic [IndexWidth:0] m_read_index;
  logic [AddWidth-1:0] value, sum, difference;
  logic [2*AddWidth-1:0] bank_words;

  word_stream_adder #(
    .ValueWidth(ValueWidth),
    .WordWidth (AddWidth)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .full_i        (1'b0),
    .wipe_i        (1'b0),
    .wipe_index_i  ('0),
    .idle_i        (1'b0),
    .start_i,
    .early_start_i,
    .reduction_i,
    .load_i        (1'b0),
    .read_index_o  (read_index),
    .m_read_index_o(m_read_index),
    .step_o        (step),
    .first_o       (first),
    .takes_o       (takes),
    .index_o       (index),
    .last_o        (last),
    .a_i,
    .b_i,
    .m_i,
    .read_i        (1'b0),
    .read_index_i  ('0),
    .value_o       (value),
    .sum_o         (sum),
    .difference_o  (difference),
    .write_o       (write),
    .write_index_o (write_index),
    .bank_words_o  (bank_words),
    .bank_o        (bank),
    .done_o        (done),
    .pass_done_o   (pass_done),
    .subtracted_o  (subtracted)
  );

  // Contents of the registers, named as in Adder.v.
  logic carry;
  logic [1:0] saved;
  assign carry = u_dut.carry_q;
  assign saved = 2'(u_dut.saved_q) + 2'(!u_dut.borrow_q);

  logic begun_q = 1'b0;
  logic reduce_q, step_q, subtracted_q, bank_q, pass_done_q;
  logic [CycleWidth-1:0] cycle_q;  // cycles after the start; 0 without a pass
  logic [IndexWidth-1:0] index_q;
  logic [AddWidth-1:0] difference_q, m_inverse;
  logic [AddWidth+1:0] sum_left_q, difference_left_q;  // operands of a step
  assign m_inverse = ~m_i;

  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    step_q <= rst_ni && step;
    index_q <= index;
    difference_q <= difference;
    sum_left_q <= (AddWidth + 2)'(a_i) + (AddWidth + 2)'(b_i) + (AddWidth + 2)'(carry);
    difference_left_q <= (AddWidth + 2)'(a_i) + (AddWidth + 2)'(b_i) + (AddWidth + 2)'(m_inverse)
                       + (AddWidth + 2)'(saved);
    bank_q <= bank;
    subtracted_q <= subtracted;
    pass_done_q <= rst_ni && pass_done;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cycle_q  <= '0;
      reduce_q <= 1'b0;
    end else if ((cycle_q == '0) && start_i) begin
      cycle_q  <= CycleWidth'(1);
      reduce_q <= (reduction_i != ReduceNone);
    end else if (cycle_q == CycleWidth'(Words + 1)) begin
      cycle_q <= '0;
    end else if (cycle_q != '0) begin
      cycle_q <= cycle_q + 1'b1;
    end
  end

  always_comb begin
    if (!begun_q) assume (!rst_ni);
    assume (start_i || !early_start_i);
    if (begun_q && rst_ni) begin
      // Cycles.
      assert (step == ((cycle_q != '0) && (cycle_q <= CycleWidth'(Words))));
      assert (done == (cycle_q == CycleWidth'(Words + 1)));
      assert (pass_done == done);
      assert (takes == ((cycle_q == '0) ? early_start_i : (cycle_q < CycleWidth'(Words))));
      if (step) begin
        assert (CycleWidth'(index) + CycleWidth'(1) == cycle_q);
        assert (last == (cycle_q == CycleWidth'(Words)));
      end
      if (step && !last) assert (read_index == index + 1'b1);
      if ((cycle_q == '0) || done) assert (read_index == '0);

      // Words.
      if (cycle_q <= CycleWidth'(1)) assert (!carry && (saved == 2'd1));
      assert (saved <= 2'd2);
      if (step_q) begin
        assert ({1'b0, carry, sum} == sum_left_q);
        assert ({saved, difference_q} == difference_left_q);
      end

      // Which sum is kept.
      if (done) assert (subtracted == (reduce_q && (saved != 2'd0)));
      assert (write == step_q);
      if (step_q) begin
        assert (write_index == index_q);
        assert (bank_words[AddWidth-1:0] == (bank ? difference_q : sum));
        assert (bank_words[2*AddWidth-1:AddWidth] == (bank ? sum : difference_q));
      end
      if (pass_done_q) assert (bank == (bank_q ^ subtracted_q));
      if (step_q && (cycle_q > CycleWidth'(1))) assert (bank == bank_q);

      // For the induction.
      assert (step == (u_dut.state_q == StPass));
      assert (done == (u_dut.state_q == StKeep));
      assert ((cycle_q == '0) == (u_dut.state_q == StIdle));
      assert (!u_dut.division_q || (cycle_q == '0));
      if (cycle_q == '0) assert (index == '0);
      if ((Words > 1) && step) assert (u_dut.at_last_q == last);
      if (cycle_q == '0) assert (!u_dut.at_last_q);
      assert (!u_dut.again_q);
      if (cycle_q != '0) assert (u_dut.reduce_q == reduce_q);
      if (done) assert (u_dut.last_q);
      assert (step_q == ((cycle_q > CycleWidth'(1)) && (cycle_q <= CycleWidth'(Words + 1))));
      if (step_q) assert (CycleWidth'(index_q) + CycleWidth'(2) == cycle_q);
    end
  end

endmodule
