// SPDX-License-Identifier: Apache-2.0
//
// What a multiplier keeps beside a ring core that takes Mhat = 2**-ScaleBits mod M in the place of
// M. P is the Montgomery reduction by 2**ScaleBits of the product without its last digits, S' =
// X*Y*2**ScaleBits/R (mod M), below 2*M*2**ScaleBits:
//
//   u = -S'/M mod 2**ScaleBits;   P = (S' + u*M)/2**ScaleBits, below 3*M
//
// The ring itself multiplies u by M. Mhat is the same reduction of 1. Here are the bits of S' below
// the scale and its words above it, then the words of u*M above it, the digits of u, and Mhat.
//
// valid_i, first_i, word_i: words of a product, from the lowest on. With keep_i it is u*M: low_o
// stays that of S'. low_o = S' mod 2**ScaleBits; valid_o, index_o, word_o: words of
// floor(product / 2**ScaleBits), with last_o the last one, see word_splitter. Those of S' are kept:
// upper_o is word upper_index_i a clock before.
// u_word_o: word u_index_i of u_i, a clock later.
// mhat_o: word mhat_index_i, a clock later, of what came with write_i.
//
// Operands: any. Latency: words above the scale come with the last word that has a part in them.
//
// Source: Jiang & Harris, figure 2, for Mhat.

module ring_unit_scale
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int WordWidth = 16,
  parameter int ScaleBits = 32,
  parameter int Words = 3
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
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
  input  logic [WordIndexWidth-1:0] upper_index_i,
  output logic [     WordWidth-1:0] upper_o,
  // u
  input  logic [     ScaleBits-1:0] u_i,
  input  logic [WordIndexWidth-1:0] u_index_i,
  output logic [     WordWidth-1:0] u_word_o,
  // Mhat
  input  logic                      write_i,
  input  logic [WordIndexWidth-1:0] write_index_i,
  input  logic [     WordWidth-1:0] data_i,
  input  logic [WordIndexWidth-1:0] mhat_index_i,
  output logic [     WordWidth-1:0] mhat_o
);

  localparam int ScaleWords = (ScaleBits + WordWidth - 1) / WordWidth;

  logic split_valid, write_upper;
  logic [WordIndexWidth-1:0] split_index;
  logic [WordWidth-1:0] split_word;

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
    .valid_o(split_valid),
    .last_o,
    .index_o(split_index),
    .word_o (split_word)
  );

  assign valid_o     = split_valid;
  assign index_o     = split_index;
  assign word_o      = split_word;
  assign write_upper = split_valid && !keep_i;

  operand_memory #(
    .Bits           (Width + 1),
    .WriteWidth     (WordWidth),
    .ReadWidth      (WordWidth),
    .WriteIndexWidth(WordIndexWidth),
    .ReadIndexWidth (WordIndexWidth)
  ) u_upper (
    .clk_i,
    .rst_ni,
    .write_i      (write_upper),
    .write_index_i(split_index),
    .data_i       (split_word),
    .read_i       (1'b1),
    .read_index_i (upper_index_i),
    .data_o       (upper_o)
  );

  operand_memory #(
    .Bits           (Width),
    .WriteWidth     (WordWidth),
    .ReadWidth      (WordWidth),
    .WriteIndexWidth(WordIndexWidth),
    .ReadIndexWidth (WordIndexWidth)
  ) u_mhat (
    .clk_i,
    .rst_ni,
    .write_i,
    .write_index_i,
    .data_i,
    .read_i      (1'b1),
    .read_index_i(mhat_index_i),
    .data_o      (mhat_o)
  );

  // u is X of the product u*M.
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
