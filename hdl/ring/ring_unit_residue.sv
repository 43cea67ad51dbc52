// SPDX-License-Identifier: Apache-2.0
//
// Adder and residue of a multiplier with a ring core. Words of A + B go into one of two memories
// (banks), words of A + B - M into the other. The last borrow selects the bank with the residue.
//
// valid_i, index_i, a_i, b_i: words of A and B, from the lowest up; carry_i adds 1 to the lowest.
// m_i: word read_index_o of M, a cycle later; read_index_o may also read other words that are
// added.
// subtract_i is high from the start of a second pass to done_o: in this pass A is the residue that
// the banks hold, and B is 0.
// valid_o, index_o, sum_o, difference_o: words of A + B, written to bank bank_o, and of A + B - M,
// written to the other bank. done_o: the pass has ended; negative_o: A + B < M.
// result_i: word result_index_i of the residue is residue_o in the next cycle.
//
// Ranges: A + B < 2*M, or A + B < 3*M if a pass with subtract_i follows; A + B has Words words.
// Latency: stream_adder, from a word to its sum and from the last one to done_o; a pass Words more.
//
// Source: Michalski & Buell, ch. 5.4, for the subtraction.

module ring_unit_residue
  import multiplier_pkg::*;
#(
  parameter int WordWidth = 17,
  parameter int Words = 3
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      valid_i,
  input  logic [WordIndexWidth-1:0] index_i,
  input  logic                      carry_i,
  input  logic [     WordWidth-1:0] a_i,
  input  logic [     WordWidth-1:0] b_i,
  input  logic [     WordWidth-1:0] m_i,
  input  logic                      subtract_i,
  output logic [WordIndexWidth-1:0] read_index_o,
  output logic                      valid_o,
  output logic [WordIndexWidth-1:0] index_o,
  output logic [     WordWidth-1:0] sum_o,
  output logic [     WordWidth-1:0] difference_o,
  output logic                      bank_o,
  output logic                      done_o,
  output logic                      negative_o,
  input  logic                      result_i,
  input  logic [WordIndexWidth-1:0] result_index_i,
  output logic [     WordWidth-1:0] residue_o
);

  localparam logic [WordIndexWidth-1:0] LastSum = WordIndexWidth'(Words - 1);

  logic valid, first, last, carry;
  logic pass, passed_q;  // the second pass runs; all its words have been read
  logic bank_q;  // bank that holds the residue
  logic unused_above_one, unused_one;
  logic [WordIndexWidth-1:0] index, pass_index_q, pass_next_q, bank_index;
  logic [WordWidth-1:0] a, b;
  logic [2*WordWidth-1:0] bank_words;

  assign pass         = subtract_i && !passed_q;
  assign valid        = pass || valid_i;
  assign index        = subtract_i ? pass_index_q : index_i;
  assign a            = subtract_i ? residue_o : a_i;
  assign b            = subtract_i ? '0 : b_i;
  assign carry        = !subtract_i && carry_i;
  assign first        = (index == '0);
  assign last         = valid && (index == LastSum);
  assign read_index_o = subtract_i ? pass_next_q : valid_i ? index_i + 1'b1 : '0;

  stream_adder #(
    .WordWidth(WordWidth)
  ) u_adder (
    .clk_i,
    .rst_ni,
    .valid_i    (valid),
    .first_i    (first),
    .last_i     (last),
    .carry_i    (carry),
    .index_i    (index),
    .a_i        (a),
    .b_i        (b),
    .m_i,
    .valid_o,
    .index_o,
    .sum_o,
    .difference_o,
    .last_o     (done_o),
    .negative_o,
    .above_one_o(unused_above_one),
    .one_o      (unused_one)
  );

  // Write the sum to the bank that holds the residue, and the difference to the other bank.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {bank_q, passed_q, pass_index_q, pass_next_q} <= '0;
    end else begin
      passed_q     <= subtract_i && (passed_q || (pass_index_q == LastSum));
      pass_index_q <= subtract_i ? pass_next_q : '0;
      pass_next_q  <= subtract_i ? pass_next_q + 1'b1 : WordIndexWidth'(1);
      if (done_o) bank_q <= bank_q ^ !negative_o;
    end
  end

  // Only the residue is read from the banks: in the passes that subtract, and at the end. Timing:
  // the index comes from registers, as the memories are slow. A word read after a pass is unused.
  assign bank_index = result_i ? result_index_i : subtract_i ? pass_next_q : '0;

  for (genvar i = 0; i < 2; i++) begin : gen_bank
    logic [WordWidth-1:0] unused_old;
    word_memory #(
      .Width(WordWidth),
      .Depth(Words)
    ) u_bank (
      .clk_i,
      .wipe_index_i (WordIndexWidth'(Words)),
      .write_i      (valid_o),
      .write_index_i(index_o),
      .data_i       ((bank_q == 1'(i)) ? sum_o : difference_o),
      .read_index_i (bank_index),
      .data_o       (bank_words[i*WordWidth+:WordWidth]),
      .old_o        (unused_old)
    );
  end

  assign residue_o = bank_q ? bank_words[WordWidth+:WordWidth] : bank_words[0+:WordWidth];
  assign bank_o    = bank_q;

endmodule
