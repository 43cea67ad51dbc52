// SPDX-License-Identifier: Apache-2.0
//
// Carry-save adder: a row of full adders without horizontal connection.
//
//   sum_o + carry_o = a_i + b_i + c_i
//
// Operands: any, Width bits each. sum_o: Width bits; carry_o: Width + 1 bits, bit 0 is zero.
// Latency: combinational, one full adder deep for any width.
//
// Source: D. N. Amanor, Efficient Hardware Architectures for Modular Multiplication (2005),
// ch. 2.1.

module carry_save_adder #(
  parameter int Width = 32
) (
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  input  logic [Width-1:0] c_i,
  output logic [Width-1:0] sum_o,
  output logic [  Width:0] carry_o
);

  logic [Width-1:0] a_xor_b;

  assign a_xor_b = a_i ^ b_i;
  assign sum_o   = a_xor_b ^ c_i;
  assign carry_o = {(a_i & b_i) | (a_xor_b & c_i), 1'b0};

endmodule
