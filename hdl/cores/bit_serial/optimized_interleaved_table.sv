// SPDX-License-Identifier: Apache-2.0
//
// Lookup table of the Optimized Interleaved multiplier: what one iteration adds.
//
//   entry 2*k + x_i  =  (k*2**(Width+1) + x_i*Y) mod M, and Y as given for k = 0
//
// odd_i: the entries with Y; pair_i: for each k from 0 on, which positions of entry 2*k or 2*k + 1
// are added; all of one pair, or none: 0. Pair 0 is Y alone and has odd_i in it.
// const_i holds the entries 2, 4, 6, 3, 5, 7, each Width + 1 bits with a zero on top.
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

  // A lookup table of four inputs for each pair, and one that puts them together.
  assign value_o = (y_i & pair_i[0*Width+:Width])
                 | (((entry_2 & ~odd_i) | (entry_3 & odd_i)) & pair_i[1*Width+:Width])
                 | (((entry_4 & ~odd_i) | (entry_5 & odd_i)) & pair_i[2*Width+:Width])
                 | (((entry_6 & ~odd_i) | (entry_7 & odd_i)) & pair_i[3*Width+:Width]);

  // Each entry is below M: the top bit of its slot is zero.
  logic unused_bits;
  assign unused_bits = ^{const_i[0*Slot+Width], const_i[1*Slot+Width], const_i[2*Slot+Width],
                         const_i[3*Slot+Width], const_i[4*Slot+Width], const_i[5*Slot+Width]};

endmodule
