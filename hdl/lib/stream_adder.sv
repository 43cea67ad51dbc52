// SPDX-License-Identifier: Apache-2.0
//
// Word-serial adder over word memories: outputs one word of A + B and one of A + B - M per cycle.
//
// Words arrive in ascending order, one in each cycle of valid_i, with their number index_i. first_i
// marks the lowest word, last_i the highest. carry_i adds 1 to the lowest word. Two cycles later
// valid_o and index_o mark the same word of A + B in sum_o and of A + B - M in difference_o. last_o
// is high for one cycle, three cycles after the last input word. From then on these flags are
// valid:
//
//   negative_o    A + B < M: the sum is the residue, otherwise the difference is
//   above_one_o   M > 1
//   one_o         the residue is 1
//
// The flags keep their values until the next words. They are valid only after the word that they
// describe.
//
// Timing: the carry chain of A + B - M has segments in words of more than ChainWidth bits.
// Ranges: A + B < 2*M for the residue.
// Latency: two cycles for a word, three for the flags.
//
// Source: Michalski & Buell, ch. 5.4: word-serial S - M, chosen by the carry out.

module stream_adder
  import multiplier_pkg::*;
#(
  parameter int WordWidth  = 17,
  parameter int ChainWidth = 32
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      valid_i,
  input  logic                      first_i,
  input  logic                      last_i,
  input  logic                      carry_i,
  input  logic [WordIndexWidth-1:0] index_i,
  input  logic [     WordWidth-1:0] a_i,
  input  logic [     WordWidth-1:0] b_i,
  input  logic [     WordWidth-1:0] m_i,
  output logic                      valid_o,
  output logic [WordIndexWidth-1:0] index_o,
  output logic [     WordWidth-1:0] sum_o,
  output logic [     WordWidth-1:0] difference_o,
  output logic                      last_o,
  output logic                      negative_o,
  output logic                      above_one_o,
  output logic                      one_o
);

  // Operands.
  logic valid_q, first_q, last_q, one_in_q;
  logic [WordIndexWidth-1:0] index_q;
  logic [WordWidth-1:0] a_q, b_q, m_q;

  // Sum.
  logic carry_q, sum_valid_q, sum_first_q, sum_last_q;
  logic [WordIndexWidth-1:0] sum_index_q;
  logic [WordWidth-1:0] sum_q, sum_m_q;
  logic [WordWidth:0] sum;
  assign sum = {1'b0, a_q} + {1'b0, b_q} + {{WordWidth{1'b0}}, first_q ? one_in_q : carry_q};

  // Difference, and the flags over the words so far.
  logic borrow_q, above_one_q, sum_one_q, difference_one_q, done_q;
  logic [WordWidth:0] difference;
  logic borrow;
  assign borrow = borrow_q && !sum_first_q;

  if (WordWidth > ChainWidth) begin : gen_segments
    logic [WordWidth:0] complement_sum;

    carry_select_adder #(
      .Width       (WordWidth),
      .SegmentWidth(ChainWidth)
    ) u_difference (
      .a_i    (sum_q),
      .b_i    (~sum_m_q),
      .carry_i(!borrow),
      .sum_o  (complement_sum)
    );

    assign difference = {!complement_sum[WordWidth], complement_sum[WordWidth-1:0]};
  end else begin : gen_chain
    assign difference = {1'b0, sum_q} - {1'b0, sum_m_q} - {{WordWidth{1'b0}}, borrow};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sum_q                                                                              <= '0;
      {valid_q, first_q, last_q, one_in_q, index_q, a_q, b_q, m_q, carry_q, sum_valid_q} <= '0;
      {sum_first_q, sum_last_q, sum_index_q, sum_m_q, borrow_q, above_one_q, sum_one_q}  <= '0;
      {difference_one_q, done_q}                                                         <= '0;
    end else begin
      valid_q     <= valid_i;
      first_q     <= first_i;
      last_q      <= last_i;
      one_in_q    <= carry_i;
      index_q     <= index_i;
      a_q         <= a_i;
      b_q         <= b_i;
      m_q         <= m_i;
      sum_valid_q <= valid_q;
      sum_first_q <= first_q;
      sum_last_q  <= last_q;
      sum_index_q <= index_q;
      sum_q       <= sum[WordWidth-1:0];
      sum_m_q     <= m_q;
      if (valid_q) carry_q <= sum[WordWidth];
      if (sum_valid_q) begin
        borrow_q <= difference[WordWidth];
        above_one_q <= sum_first_q ? |sum_m_q[WordWidth-1:1] : (above_one_q || (sum_m_q != '0));
        sum_one_q <= sum_first_q ? (sum_q == WordWidth'(1)) : (sum_one_q && (sum_q == '0));
        difference_one_q <= sum_first_q ? (difference_o == WordWidth'(1))
                                        : (difference_one_q && (difference_o == '0));
      end
      done_q <= sum_valid_q && sum_last_q;
    end
  end

  assign valid_o      = sum_valid_q;
  assign index_o      = sum_index_q;
  assign sum_o        = sum_q;
  assign difference_o = difference[WordWidth-1:0];
  assign last_o       = done_q;
  assign negative_o   = borrow_q;
  assign above_one_o  = above_one_q;
  assign one_o        = borrow_q ? sum_one_q : difference_one_q;

  `ASSERT(LastIsWord, valid_i || !last_i)
  `ASSERT(FirstIsLowest, !valid_i || (first_i == (index_i == '0)))

endmodule
