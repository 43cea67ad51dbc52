// SPDX-License-Identifier: Apache-2.0
//
// Word splitter: cuts a stream of words, the lowest first, at bit LowBits.
//
//   low_o = value mod 2**LowBits;   words of floor(value / 2**LowBits)
//
// first_i marks the first word of a value. It may come only after the end of the preceding value.
// The words follow without a gap, one in each cycle of valid_i; after the last one the splitter
// appends zeros. With valid_o, word_o is word index_o of the upper part; last_o marks the last of
// its Words words. low_o is complete one cycle after the last word with a bit below LowBits. It
// stays until the next value comes with keep_i low; keep_i high freezes it.
//
// Operands: any. Latency: none; word_o appears in the cycle of the last input word that has a bit
// in it.
//
// Source: none.

module word_splitter
  import multiplier_pkg::*;
#(
  parameter int WordWidth = 16,
  parameter int LowBits = 32,
  parameter int Words = 3
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      valid_i,
  input  logic                      first_i,
  input  logic                      keep_i,
  input  logic [     WordWidth-1:0] word_i,
  output logic [       LowBits-1:0] low_o,
  output logic                      valid_o,
  output logic                      last_o,
  output logic [WordIndexWidth-1:0] index_o,
  output logic [     WordWidth-1:0] word_o
);

  localparam int Rest = LowBits % WordWidth;  // low bits of a word that belong to the word below
  localparam int LowWords = (LowBits + WordWidth - 1) / WordWidth;
  localparam int LowWidth = LowWords * WordWidth;
  localparam logic [WordIndexWidth-1:0] LastWord = WordIndexWidth'(LowWords + Words - 1);

  localparam logic [WordIndexWidth-1:0] FirstWord = WordIndexWidth'(LowWords);

  // Timing: valid_o, last_o and index_o of the next word are registered one cycle ahead. Only
  // first_i arrives late; the number of the first word (0) does not depend on it.
  logic running_q, active, stays, upper_q, last_q;
  logic [WordIndexWidth-1:0] place_q;  // number of the input word; 0 until a value begins
  logic [WordIndexWidth-1:0] index_q;
  logic [WordWidth-1:0] word;
  logic [LowWidth-1:0] low_q;

  assign active  = (valid_i && first_i) || running_q;
  assign stays   = active && !last_o;
  assign word    = valid_i ? word_i : '0;
  assign valid_o = upper_q;
  assign last_o  = last_q;
  assign index_o = index_q;
  assign low_o   = low_q[LowBits-1:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {running_q, upper_q, last_q, place_q, index_q, low_q} <= '0;
    end else begin
      running_q <= stays;
      upper_q   <= stays && (place_q + 1'b1 >= FirstWord);
      last_q    <= active && (place_q == LastWord - 1'b1);
      place_q   <= stays ? place_q + 1'b1 : '0;
      index_q   <= valid_o ? index_q + 1'b1 : '0;
      if (active && !keep_i && (place_q < FirstWord)) begin
        low_q <= LowWidth'({word, low_q} >> WordWidth);
      end
    end
  end

  if (Rest == 0) begin : gen_words
    assign word_o = word;
  end else begin : gen_bits
    logic [WordWidth-Rest-1:0] above_q;  // bits of the preceding word above the cut
    assign word_o = {word[Rest-1:0], above_q};
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) above_q <= '0;
      else above_q <= word[WordWidth-1:Rest];
    end
  end

  `ASSERT(ValueAfterValue, !(valid_i && first_i && running_q))
  `ASSERT_NEXT(WordsWithoutGap, active && !valid_i, !valid_i || first_i)

endmodule
