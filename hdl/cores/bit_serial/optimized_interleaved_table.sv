// SPDX-License-Identifier: Apache-2.0
//
// Lookup table of the Optimized Interleaved multiplier: the entry that one iteration adds.
//
//   entry 2*k + x_i  =  (k*2**(Width+1) + x_i*Y) mod M; for k = 0: x_i*Y, with Y not reduced
//
// odd_i selects, in each position, the entry with Y (2*k + 1) instead of the one without (2*k).
// pair_i has one mask for each k, from k = 0 on. All set positions belong to one k; if none is set,
// value_o is 0. The mask of k = 0 is set only if Y is added, so it includes odd_i.
// const_i holds the entries 2, 4, 6, 3, 5, 7. Each has Width + 1 bits with a zero on top.
// Latency: combinational.
//
// Source: Amanor (2005), Algorithm 5, "Precomputing: LookUp(7) ... LookUp(0)".

module optimized_interleaved_table #(
  parameter int Width = 32
) (
  input  logic [      Width-1:0] odd_i,
  input  logic [    4*Width-1:0] pair_i,
  input  logic [      Width-1:0] y_i,
  input  logic [6*(Width+1)-1:0] const_i,
  output logic [      Width-1:0] value_o
);

  localparam int Slot = Width + 1;

  logic [Width-1:0] entry_2, entry_3, entry_4, entry_5, entry_6, entry_7;
  assign entry_2 = const_i[0*Slot+:Width];
  assign entry_4 = const_i[1*Slot+:Width];
  assign entry_6 = const_i[2*Slot+:Width];
  assign entry_3 = const_i[3*Slot+:Width];
  assign entry_5 = const_i[4*Slot+:Width];
  assign entry_7 = const_i[5*Slot+:Width];

  // For each bit: one four-input lookup table for each pair, and one that combines them.
  assign value_o = (y_i & pair_i[0*Width+:Width])
                 | (((entry_2 & ~odd_i) | (entry_3 & odd_i)) & pair_i[1*Width+:Width])
                 | (((entry_4 & ~odd_i) | (entry_5 & odd_i)) & pair_i[2*Width+:Width])
                 | (((entry_6 & ~odd_i) | (entry_7 & odd_i)) & pair_i[3*Width+:Width]);

  // Each entry is below M, so the top bit of its slot is zero.
  logic unused_bits;
  assign unused_bits = ^{const_i[0*Slot+Width], const_i[1*Slot+Width], const_i[2*Slot+Width],
                         const_i[3*Slot+Width], const_i[4*Slot+Width], const_i[5*Slot+Width]};

endmodule
