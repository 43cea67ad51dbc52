// SPDX-License-Identifier: Apache-2.0
//
// Montgomery quotient u = -A/M mod 2**bits, one bit per cycle. With A = 1 it is the constant
// m' = -1/M.
//
//   Acc = A;  for i in 0 ... bits-1:  if Acc_i = 1 then u_i := 1, Acc := Acc + M*2**i
//
// The low bits of the final Acc = A + u*M are 0. With binary_i the module computes the same for
// polynomials over GF(2), whose addition has no carries.
//
// Operands: M odd; A of bits bits, in the cycle of start_i; bits_i is the number of bits minus one,
// below MaxBits.
// value_o is valid with done_o and keeps its value until the next start.
// Latency: start_i to done_o bits + 1 cycles. No carry chain is longer than MaxBits.
//
// Source: Michalski & Buell, eq. (10); the bit-by-bit inverse is folklore (Dusse & Kaliski 1990).

module montgomery_inverse #(
  parameter int MaxBits = 16
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               start_i,
  input  logic               binary_i,
  input  logic [        7:0] bits_i,
  input  logic [MaxBits-1:0] value_i,
  input  logic [MaxBits-1:0] m_i,
  output logic               done_o,
  output logic [MaxBits-1:0] value_o
);

  logic running_q, done_q;
  logic [7:0] index_q;
  logic [MaxBits-1:0] shifted_m_q, acc_q, value_q, bit_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      shifted_m_q <= '0;
      {running_q, done_q, index_q, acc_q, value_q, bit_q} <= '0;
    end else begin
      done_q <= 1'b0;
      if (start_i) begin
        running_q   <= 1'b1;
        index_q     <= bits_i;
        shifted_m_q <= m_i;
        acc_q       <= value_i;
        value_q     <= '0;
        bit_q       <= MaxBits'(1);
      end else if (running_q) begin
        if ((acc_q & bit_q) != '0) begin
          acc_q   <= binary_i ? (acc_q ^ shifted_m_q) : (acc_q + shifted_m_q);
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

  `ASSERT(BitsFit, !start_i || (32'(bits_i) < MaxBits))

endmodule
