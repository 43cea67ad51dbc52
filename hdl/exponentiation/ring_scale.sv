// SPDX-License-Identifier: Apache-2.0
//
// What the exponentiation over ring cores with a scale has beside: the words of a product above
// the scale and its bits below, digits of u, and Mhat, which such a core takes in the place of M.
//
//   low_o = product mod 2**ScaleBits, words of floor(product / 2**ScaleBits): see word_splitter
//   u_word_o: word u_index_i of u_i
//   mhat_o: word read_index_i, a clock later, of Mhat = 2**-ScaleBits mod M as it was written
//
// match_i: match_word_i is the word of a supplied Mhat, from the lowest on, that belongs to mhat_o;
// with match_last_i the last one. matched_o comes in the next clock, and same_o says from then on
// until the next word is matched whether all of them were the same.
//
// Word wipe_index_i of Mhat becomes 0, see word_memory.
// Operands: any. Latency: words above the scale come with the last word that has a part in them.
//
// Source: Jiang & Harris, figure 2, for Mhat.

module ring_scale
  import multiplier_pkg::*;
#(
  parameter int WordWidth = 16,
  parameter int ScaleBits = 32,
  parameter int Words = 6
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic [WordIndexWidth-1:0] wipe_index_i,
  // Product
  input  logic                      valid_i,
  input  logic                      first_i,
  input  logic                      keep_i,
  input  logic [     WordWidth-1:0] word_i,
  output logic [     ScaleBits-1:0] low_o,
  output logic                      valid_o,
  output logic                      last_o,
  output logic [WordIndexWidth-1:0] index_o,
  output logic [     WordWidth-1:0] word_o,
  // u
  input  logic [     ScaleBits-1:0] u_i,
  input  logic [WordIndexWidth-1:0] u_index_i,
  output logic [     WordWidth-1:0] u_word_o,
  // Mhat
  input  logic                      write_i,
  input  logic [WordIndexWidth-1:0] write_index_i,
  input  logic [     WordWidth-1:0] data_i,
  input  logic [WordIndexWidth-1:0] read_index_i,
  output logic [     WordWidth-1:0] mhat_o,
  input  logic                      match_i,
  input  logic                      match_last_i,
  input  logic [     WordWidth-1:0] match_word_i,
  output logic                      matched_o,
  output logic                      same_o
);

  localparam int ScaleWords = (ScaleBits + WordWidth - 1) / WordWidth;

  word_splitter #(
    .WordWidth(WordWidth),
    .LowBits  (ScaleBits),
    .Words    (Words)
  ) u_split (
    .clk_i,
    .rst_ni,
    .valid_i,
    .first_i,
    .keep_i,
    .word_i,
    .low_o,
    .valid_o,
    .last_o,
    .index_o,
    .word_o
  );

  logic [ScaleWords*WordWidth-1:0] u;
  assign u = (ScaleWords * WordWidth)'(u_i);

  always_comb begin
    u_word_o = '0;
    for (int i = 0; i < ScaleWords; i++) begin
      if (u_index_i == WordIndexWidth'(i)) u_word_o = u[i*WordWidth+:WordWidth];
    end
  end

  word_memory #(
    .Width(WordWidth),
    .Depth(Words)
  ) u_mhat (
    .clk_i,
    .wipe_index_i,
    .write_i,
    .write_index_i,
    .data_i,
    .read_index_i,
    .data_o(mhat_o)
  );

  logic running_q, different_q, matched_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      running_q   <= 1'b0;
      different_q <= 1'b0;
      matched_q   <= 1'b0;
    end else begin
      matched_q <= match_i && match_last_i;
      if (match_i) begin
        running_q   <= !match_last_i;
        different_q <= (running_q && different_q) || (match_word_i != mhat_o);
      end
    end
  end

  assign matched_o = matched_q;
  assign same_o    = !different_q;

endmodule
