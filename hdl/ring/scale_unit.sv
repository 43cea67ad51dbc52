// SPDX-License-Identifier: Apache-2.0
//
// Splits a product into the words above and below the scale, and gives the words of u, for a core
// that takes Mhat = 2**-ScaleBits mod M in the place of M. Such a core multiplies twice: first S',
// then u*M.
//
//   u = -S'/M mod 2**ScaleBits;   (S' + u*M)/2**ScaleBits
//
// valid_i, first_i, word_i: words of a product, from the lowest up. keep_i: the product is u*M, and
// low_o keeps its value, that of S'. low_o = S' mod 2**ScaleBits. split_o, word_o: words of
// floor(product / 2**ScaleBits), split_o.last with the last word; see word_splitter.
// u_word_o: word u_index_i of u_i, a cycle later. Words above the top of u are 0.
//
// Operands: any. Latency: each word above the scale comes with the last product word that is part
// of it.
//
// Source: Jiang & Harris, figure 2.

module scale_unit
  import multiplier_pkg::*;
#(
  parameter int WordWidth = 16,
  parameter int ScaleBits = 32,
  parameter int Words = 6
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  // Product
  input  logic                           valid_i,
  input  logic                           first_i,
  input  logic                           keep_i,
  input  logic      [     WordWidth-1:0] word_i,
  output logic      [     ScaleBits-1:0] low_o,
  output word_tag_t                      split_o,
  output logic      [     WordWidth-1:0] word_o,
  // u
  input  logic      [     ScaleBits-1:0] u_i,
  input  logic      [WordIndexWidth-1:0] u_index_i,
  output logic      [     WordWidth-1:0] u_word_o
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
    .valid_o(split_o.valid),
    .last_o (split_o.last),
    .index_o(split_o.index),
    .word_o
  );

  logic [ScaleWords*WordWidth-1:0] u;
  logic [WordWidth-1:0] u_word_q;
  assign u = (ScaleWords * WordWidth)'(u_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      u_word_q <= '0;
    end else begin
      u_word_q <= '0;
      for (int i = 0; i < ScaleWords; i++) begin
        if (u_index_i == WordIndexWidth'(i)) u_word_q <= u[i*WordWidth+:WordWidth];
      end
    end
  end

  assign u_word_o = u_word_q;

endmodule
