// SPDX-License-Identifier: Apache-2.0
//
// -V/M mod 2**Bits of integers, or, with binary_i, V/M mod x**BinaryBits of polynomials over GF(2).
// The module takes the lowest words of M from the stream of its words.
//
// valid_i, index_i, word_i: words of M, from the lowest up. start_i: value_i is V, 1 for -1/M.
// Operands: M odd, V of Bits bits. Latency, start_i to done_o: that of montgomery_inverse; value_o
// is stable until the next start. With Bits = 0 no constant exists: value_o is one bit that is 0,
// and done_o never comes.
//
// Source: see montgomery_inverse.

module ring_unit_inverse
  import multiplier_pkg::*;
#(
  parameter int Bits = 16,
  parameter int BinaryBits = 0,
  parameter int WordWidth = 17,
  // Derived, do not set
  parameter int MoreBits = (BinaryBits > Bits) ? BinaryBits : Bits,
  parameter int ValueBits = (MoreBits > 0) ? MoreBits : 1
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      binary_i,
  input  logic                      valid_i,
  input  logic [WordIndexWidth-1:0] index_i,
  input  logic [     WordWidth-1:0] word_i,
  input  logic                      start_i,
  input  logic [     ValueBits-1:0] value_i,
  output logic                      done_o,
  output logic [     ValueBits-1:0] value_o
);

  if (Bits > 0) begin : gen_inverse
    localparam int Words = (ValueBits + WordWidth - 1) / WordWidth;

    logic [Words*WordWidth-1:0] m_low_q;
    logic [7:0] bits;
    assign bits = binary_i ? 8'(BinaryBits - 1) : 8'(Bits - 1);

    // Words above the top of M stay 0.
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        m_low_q <= '0;
      end else if (valid_i) begin
        for (int i = 0; i < Words; i++) begin
          if (index_i == WordIndexWidth'(i)) m_low_q[i*WordWidth+:WordWidth] <= word_i;
        end
      end
    end

    montgomery_inverse #(
      .MaxBits(ValueBits)
    ) u_inverse (
      .clk_i,
      .rst_ni,
      .start_i,
      .binary_i,
      .bits_i(bits),
      .value_i,
      .m_i   (m_low_q[ValueBits-1:0]),
      .done_o,
      .value_o
    );

    logic unused_low;
    assign unused_low = ^m_low_q;
  end else begin : gen_no_inverse
    assign done_o  = 1'b0;
    assign value_o = '0;
    logic unused_inverse;
    assign unused_inverse = ^{clk_i, rst_ni, binary_i, valid_i, index_i, word_i, start_i, value_i};
  end

endmodule
