// SPDX-License-Identifier: Apache-2.0
//
// Montgomery quotient u = -V/M mod 2**Bits of integers, one bit per cycle; with V = 1 it is the
// constant m' = -1/M. With binary_i: V/M mod x**BinaryBits of polynomials over GF(2), which add
// without carries.
//
//   Acc = V;  for i in 0 ... bits-1:  if Acc_i = 1 then u_i := 1, Acc := Acc + M*2**i
//
// The low bits of the final Acc = V + u*M are 0. The module takes the lowest words of M from the
// stream of its words.
//
// valid_i, index_i, word_i: words of M, from the lowest up. start_i: value_i is V.
// Operands: M odd; V of Bits bits, in the cycle of start_i.
// value_o is valid with done_o and keeps its value until the next start. With Bits = 0 no constant
// exists: value_o is one bit that is 0, and done_o never comes.
// Range: Bits and BinaryBits at most 256.
// Latency: start_i to done_o Bits + 1 cycles, with binary_i BinaryBits + 1. No carry chain is
// longer than Bits.
//
// Source: Michalski & Buell, eq. (10); the bit-by-bit inverse is folklore (Dusse & Kaliski 1990).

module montgomery_inverse
  import multiplier_pkg::*;
#(
  parameter int Bits = 16,
  parameter int BinaryBits = 0,
  parameter int WordWidth = 17,
  // Derived, do not set
  parameter int MoreBits = (BinaryBits > Bits) ? BinaryBits : Bits,
  parameter int MaxBits = (MoreBits > 0) ? MoreBits : 1
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      binary_i,
  input  logic                      valid_i,
  input  logic [WordIndexWidth-1:0] index_i,
  input  logic [     WordWidth-1:0] word_i,
  input  logic                      start_i,
  input  logic [       MaxBits-1:0] value_i,
  output logic                      done_o,
  output logic [       MaxBits-1:0] value_o
);

  if (Bits > 0) begin : gen_inverse
    localparam int Words = (MaxBits + WordWidth - 1) / WordWidth;

    logic running_q, done_q;
    logic [7:0] index_q, last_index;
    logic [Words*WordWidth-1:0] m_low_q;
    logic [MaxBits-1:0] shifted_m_q, acc_q, value_q, bit_q;
    logic [Bits-1:0] integer_sum;

    assign last_index  = binary_i ? 8'(BinaryBits - 1) : 8'(Bits - 1);

    // Timing: integers have Bits bits, so the carry chain has no more.
    assign integer_sum = acc_q[Bits-1:0] + shifted_m_q[Bits-1:0];

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

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        shifted_m_q <= '0;
        {running_q, done_q, index_q, acc_q, value_q, bit_q} <= '0;
      end else begin
        done_q <= 1'b0;
        if (start_i) begin
          running_q   <= 1'b1;
          index_q     <= last_index;
          shifted_m_q <= m_low_q[MaxBits-1:0];
          acc_q       <= value_i;
          value_q     <= '0;
          bit_q       <= MaxBits'(1);
        end else if (running_q) begin
          if ((acc_q & bit_q) != '0) begin
            acc_q   <= binary_i ? (acc_q ^ shifted_m_q) : MaxBits'(integer_sum);
            value_q <= value_q | bit_q;
          end
          shifted_m_q <= shifted_m_q << 1;
          bit_q       <= bit_q << 1;
          index_q     <= index_q - 1'b1;
          if (index_q == '0) begin
            running_q <= 1'b0;
            done_q    <= 1'b1;
          end
        end
      end
    end

    assign done_o  = done_q;
    assign value_o = value_q;
    `ASSERT(ModulusBeforeStart, !(start_i && valid_i))
    `ASSERT_PARAMETER(MaxBits, MaxBits <= 256,
                      "montgomery_inverse: Bits and BinaryBits must be at most 256")
    logic unused_low;
    assign unused_low = ^m_low_q;
  end else begin : gen_no_inverse
    assign done_o  = 1'b0;
    assign value_o = '0;
    logic unused_inverse;
    assign unused_inverse = ^{clk_i, rst_ni, binary_i, valid_i, index_i, word_i, start_i, value_i};
  end

endmodule
