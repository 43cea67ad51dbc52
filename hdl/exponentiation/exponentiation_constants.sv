// SPDX-License-Identifier: Apache-2.0
//
// Constants that an exponentiation derives from M: m' = -1/M, or u and Mhat of a core with a scale.
//
// A core with a scale (ScaleBits > 0) takes Mhat = 2**-ScaleBits mod M in the place of M. Its
// products are up to ScaleBits + 1 bits longer than M. The last product of A is the product with
// 2**ScaleBits, V = A*2**ScaleBits/R (mod M). The result is the Montgomery reduction of V by the
// scale:
//
//   u = -V/M mod 2**ScaleBits;   (V + u*M)/2**ScaleBits, below 2*M
//
// The multiplier of A makes u*M. Mhat is the same reduction of 1. With A < 2**(Width+ScaleBits+1),
// R twice that or more, and Mtilde = Mhat*2**ScaleBits - 1, V < Mtilde + 2**(ScaleBits-1), so that
// the sum is at most Mhat + M.
//
// m_i, m_word_i: words of M from the host. control_i.inverse_start starts the computation of m' or
// u; inverse_done_o ends it. inverse_o: m' or u. m_prime_o: m' for the multipliers, 0 with a scale.
// u_word_o: word u_index_i of u, a cycle later.
// a_valid_i, a_first_i, a_word_i: words of a product of A, from the lowest up; a_final_i: of V.
// split_o, split_word_o: words of V or u*M above the scale, for the adder (split_o.last: the last
// word). carry_o: carry from the bits below the scale into these words.
// sum_i, sum_word_i: words that leave the adder; the module keeps those of Mhat. mhat_o: word
// read_index_i of Mhat, a cycle later. fault_o: that word is used and has a wrong parity bit.
// operand_i, operand_word_i: words of the host's Mhat, compared while control_i.match is high.
// matched_o comes a cycle after the last word; mhat_same_o is valid from then on.
//
// Latency: see montgomery_inverse, scale_unit.
//
// Source: Jiang & Harris, figure 2, for Mhat; montgomery_inverse for m'.

module exponentiation_constants
  import multiplier_pkg::*;
#(
  parameter int WordWidth = 17,
  parameter int DigitWidth = 16,
  parameter int Words = 3,
  parameter int MPrimeBits = 16,
  parameter int ScaleBits = 0,
  parameter bit Parity = 1'b0,
  // Derived, do not set
  parameter int ConstantBits = (ScaleBits > 0) ? ScaleBits : (MPrimeBits > 0) ? MPrimeBits : 1
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic         [WordIndexWidth-1:0] wipe_index_i,
  input  exp_control_t                      control_i,
  // m' or u
  input  word_tag_t                         m_i,
  input  logic         [     WordWidth-1:0] m_word_i,
  output logic                              inverse_done_o,
  output logic         [  ConstantBits-1:0] inverse_o,
  output logic         [    DigitWidth-1:0] m_prime_o,
  // Product of A
  input  logic                              a_valid_i,
  input  logic                              a_first_i,
  input  logic                              a_final_i,
  input  logic         [     WordWidth-1:0] a_word_i,
  output word_tag_t                         split_o,
  output logic         [     WordWidth-1:0] split_word_o,
  output logic                              carry_o,
  input  logic         [WordIndexWidth-1:0] u_index_i,
  output logic         [     WordWidth-1:0] u_word_o,
  // Mhat
  input  word_tag_t                         sum_i,
  input  logic         [     WordWidth-1:0] sum_word_i,
  input  logic         [WordIndexWidth-1:0] read_index_i,
  output logic         [     WordWidth-1:0] mhat_o,
  input  word_tag_t                         operand_i,
  input  logic         [     WordWidth-1:0] operand_word_i,
  output logic                              matched_o,
  output logic                              mhat_same_o,
  output logic                              fault_o
);

  localparam bit Scaled = (ScaleBits > 0);

  logic [ConstantBits-1:0] inverse, inverse_of;  // inverse = -inverse_of/M

  montgomery_inverse #(
    .Bits     ((Scaled || (MPrimeBits > 0)) ? ConstantBits : 0),
    .WordWidth(WordWidth)
  ) u_inverse (
    .clk_i,
    .rst_ni,
    .binary_i(1'b0),
    .valid_i (m_i.valid),
    .index_i (m_i.index),
    .word_i  (m_word_i),
    .start_i (control_i.inverse_start),
    .value_i (inverse_of),
    .done_o  (inverse_done_o),
    .value_o (inverse)
  );

  assign inverse_o = inverse;

  if (Scaled) begin : gen_scale
    logic [ConstantBits-1:0] low;  // V mod 2**ScaleBits
    logic split, write_mhat;  // a word of V or u*M arrives; a word of Mhat leaves the adder
    logic match_word, running_q, different_q, matched_q;  // comparison with the host's Mhat
    logic [WordWidth-1:0] mhat;

    assign split      = a_valid_i && (a_final_i || control_i.scale);
    assign inverse_of = control_i.constant ? ConstantBits'(1) : low;
    assign carry_o    = control_i.constant || (low != '0);
    assign m_prime_o  = '0;

    scale_unit #(
      .WordWidth(WordWidth),
      .ScaleBits(ScaleBits),
      .Words    (Words)
    ) u_scale (
      .clk_i,
      .rst_ni,
      .valid_i(split),
      .first_i(a_first_i),
      .keep_i (control_i.scale),
      .word_i (a_word_i),
      .low_o  (low),
      .split_o,
      .word_o (split_word_o),
      .u_i    (inverse),
      .u_index_i,
      .u_word_o
    );

    assign write_mhat = sum_i.valid && control_i.scale && control_i.constant;

    logic fault;
    assign fault_o = fault && (control_i.product || control_i.match);

    parity_memory #(
      .Width (WordWidth),
      .Depth (Words),
      .Parity(Parity)
    ) u_mhat (
      .clk_i,
      .wipe_index_i,
      .write_i      (write_mhat),
      .write_index_i(sum_i.index),
      .data_i       (sum_word_i),
      .read_index_i,
      .data_o       (mhat),
      .fault_o      (fault)
    );

    // Compare the host's Mhat word by word.
    assign match_word = control_i.match && operand_i.valid;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        {running_q, different_q, matched_q} <= '0;
      end else begin
        matched_q <= match_word && operand_i.last;
        if (match_word) begin
          running_q   <= !operand_i.last;
          different_q <= (running_q && different_q) || (operand_word_i != mhat);
        end
      end
    end

    assign mhat_o      = mhat;
    assign matched_o   = matched_q;
    assign mhat_same_o = !different_q;
  end else begin : gen_no_scale
    assign split_o      = '0;
    assign split_word_o = '0;
    assign carry_o      = 1'b0;
    assign inverse_of   = ConstantBits'(1);
    assign u_word_o     = '0;
    assign mhat_o       = '0;
    assign matched_o    = 1'b0;
    assign mhat_same_o  = 1'b1;
    assign fault_o      = 1'b0;
    assign m_prime_o    = DigitWidth'(inverse);
  end

  logic unused_bits;
  assign unused_bits = ^{
    control_i, m_i, sum_i, operand_i, wipe_index_i, a_valid_i, a_first_i, a_final_i, a_word_i,
    u_index_i, sum_word_i, read_index_i, operand_word_i
  };

endmodule
