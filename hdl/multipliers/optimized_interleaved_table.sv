// SPDX-License-Identifier: Apache-2.0
//
// Lookup table of the Optimized Interleaved multiplier: what one iteration adds.
//
//   addr_i = 2*k + x_i  ->  (k*2**(Width+1) + x_i*Y) mod M, and Y as given for k = 0
//
// const_i holds the entries 2, 4, 6, 3, 5, 7, each Width + 1 bits with a zero on top.
// Latency: combinational.
//
// Source: Amanor (2005), Algorithm 5, "Precomputing: LookUp(7) ... LookUp(0)".

module optimized_interleaved_table #(
  parameter int Width = 32
) (
  input  logic [            2:0] addr_i,
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

  always_comb begin
    case (addr_i)
      3'd0: value_o = '0;
      3'd1: value_o = y_i;
      3'd2: value_o = entry_2;
      3'd3: value_o = entry_3;
      3'd4: value_o = entry_4;
      3'd5: value_o = entry_5;
      3'd6: value_o = entry_6;
      default: value_o = entry_7;
    endcase
  end

  // Each entry is below M: the top bit of its slot is zero.
  logic unused_bits;
  assign unused_bits = ^{const_i[0*Slot+Width], const_i[1*Slot+Width], const_i[2*Slot+Width],
                         const_i[3*Slot+Width], const_i[4*Slot+Width], const_i[5*Slot+Width]};

endmodule
