// SPDX-License-Identifier: Apache-2.0
//
// Lookup table of the Faster Montgomery multiplier: the entry that one iteration adds.
//
//   addr_i = {x_i, y_0, c_0, s_0}  ->  0, M, Y or R = Y + M, so that S + C + entry is even
//
// entry_o: {the entry contains Y, the entry contains M}. The adder selects the entry itself,
// position by position.
//
// Latency: combinational.
//
// Source: Amanor (2005), Algorithm 3, steps (3) to (6), and figure 12. Gajbhiye & Joshi (2018),
// Table I, agrees except for row 0011, where it prints Y and the algorithm needs 0.

module faster_montgomery_table (
  input  logic [3:0] addr_i,
  output logic [1:0] entry_o
);

  logic x, y_0, c_0, s_0;

  assign {x, y_0, c_0, s_0} = addr_i;
  // Add M if S + C + x_i*Y is odd. The source lists 16 rows of 0, M, Y, R.
  assign entry_o = {x, (x & y_0) ^ c_0 ^ s_0};

endmodule
