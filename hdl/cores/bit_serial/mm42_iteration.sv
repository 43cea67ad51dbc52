// SPDX-License-Identifier: Apache-2.0
//
// One iteration of the MM42 Montgomery multiplier: a 4-to-2 compressor of two carry-save adders.
//
//   s1_o + s2_o = (s1_i + s2_i + {0, M, Y, D1 + D2}) / 2    for {x_i, q_o} = 00, 01, 10, 11
//   q_o = (s1_i + s2_i + x_i*Y) mod 2,   D1 + D2 = Y + M
//
// Bits: width of S1, S2, Y, D1 and D2, two more than M has.
// Operands: S1 + S2 < Y + M <= 3*M, M odd.
// Latency: combinational.
//
// Source: Gajbhiye & Joshi (2018), "MM42_Multiplier" (their [12], Kuang et al. 2012), figure 3.

module mm42_iteration #(
  parameter int Bits = 34
) (
  input  logic            x_i,
  input  logic [Bits-1:0] y_i,
  input  logic [Bits-1:0] d1_i,
  input  logic [Bits-1:0] d2_i,
  input  logic [Bits-3:0] m_i,
  input  logic [Bits-1:0] s1_i,
  input  logic [Bits-1:0] s2_i,
  output logic            q_o,
  output logic [Bits-1:0] s1_o,
  output logic [Bits-1:0] s2_o
);

  logic q;
  logic [Bits-1:0] v1, v2;
  logic [Bits:0] sum_1, carry_1, sum_2;
  logic [Bits+1:0] carry_full, carry_2;

  // S2 holds carries. None goes into its lowest bit, which is 0.
  assign q   = s1_i[0] ^ (x_i & y_i[0]);
  assign q_o = q;

  assign v1  = x_i ? (q ? d1_i : y_i) : (q ? {2'b00, m_i} : '0);
  assign v2  = (x_i && q) ? d2_i : '0;

  carry_save_adder #(
    .Width(Bits + 1)
  ) u_add_1 (
    .a_i    ({1'b0, s1_i}),
    .b_i    ({1'b0, s2_i}),
    .c_i    ({1'b0, v1}),
    .sum_o  (sum_1),
    .carry_o(carry_full)
  );
  assign carry_1 = carry_full[Bits:0];

  carry_save_adder #(
    .Width(Bits + 1)
  ) u_add_2 (
    .a_i    (sum_1),
    .b_i    (carry_1),
    .c_i    ({1'b0, v2}),
    .sum_o  (sum_2),
    .carry_o(carry_2)
  );

  assign s1_o = sum_2[Bits:1];
  assign s2_o = carry_2[Bits:1];

  // The sum is even and below 2**(Bits+1).
  logic unused_bits;
  assign unused_bits = ^{sum_2[0], carry_2[0], carry_2[Bits+1], carry_full[Bits+1]};

endmodule
