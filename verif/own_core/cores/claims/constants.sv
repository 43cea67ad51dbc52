// X*Y mod M where M = 1 mod 2**4 and the constants are right, else M: in one cycle.
module constants_shim #(parameter int Width = 8) (
  input  logic clk_i, rst_ni, start_i,
  input  logic [Width-1:0] x_i, y_i, m_i,
  input  logic [Width-1:0] r_i, full_i, r_squared_i,
  input  logic [Width:0] mu_i,
  input  logic [Width+1:0] triple_i,
  output logic done_o,
  output logic [Width-1:0] result_o
);
  logic bad;
  assign bad = m_i[3:0] != 1 || m_i[Width-1:Width-2] != 0 || triple_i != 3 * m_i
     || r_i != (2*Width)'(1 << Width) % m_i || r_squared_i != 1
     || Width'(full_i * m_i) != '1
     || mu_i != (Width+1)'((64'd1 << (2*Width-4)) / m_i);
  always_ff @(posedge clk_i) begin
    done_o <= start_i;
    result_o <= bad ? m_i : Width'(((2*Width)'(x_i) * y_i) % m_i);
  end
endmodule
