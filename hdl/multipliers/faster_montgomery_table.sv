// SPDX-License-Identifier: Apache-2.0
//
// Lookup table of the Faster Montgomery multiplier: what one iteration adds.
//
//   addr_i = {x_i, y_0, c_0, s_0}  ->  0, M, Y or R = Y + M, so that S + C + value_o is even
//
// Latency: combinational.
//
// Source: Amanor (2005), Algorithm 3, steps (3) to (6), and figure 12. Gajbhiye & Joshi (2018),
// Table I, agrees but for row 0011, where it prints Y and the algorithm needs 0.

module faster_montgomery_table #(
  parameter int Width = 32
) (
  input  logic [      3:0] addr_i,
  input  logic [Width-1:0] y_i,
  input  logic [Width-1:0] m_i,
  input  logic [  Width:0] r_i,
  output logic [  Width:0] value_o
);

  always_comb begin
    case (addr_i)
      4'b0000: value_o = '0;
      4'b0001: value_o = {1'b0, m_i};
      4'b0010: value_o = {1'b0, m_i};
      4'b0011: value_o = '0;
      4'b0100: value_o = '0;
      4'b0101: value_o = {1'b0, m_i};
      4'b0110: value_o = {1'b0, m_i};
      4'b0111: value_o = '0;
      4'b1000: value_o = {1'b0, y_i};
      4'b1001: value_o = r_i;
      4'b1010: value_o = r_i;
      4'b1011: value_o = {1'b0, y_i};
      4'b1100: value_o = r_i;
      4'b1101: value_o = {1'b0, y_i};
      4'b1110: value_o = {1'b0, y_i};
      default: value_o = r_i;
    endcase
  end

endmodule
