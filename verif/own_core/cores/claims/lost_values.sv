// x*y mod m; correct. Icarus 11 compiles it and gives unknown values: a package constant and a
// variable that is an array at ports.
package lost_pkg;
  localparam logic [1:0] Started = 2'd2;
endpackage

module lost_delay (
  input logic clk_i, rst_ni, start_i,
  input logic [1:0] first_i,
  output logic [1:0] count_o[0:1]
);
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) count_o[0] <= '0;
    else count_o[0] <= start_i ? first_i : count_o[0] - 2'(count_o[0] != 0);
  assign count_o[1] = count_o[0];
endmodule

module lost_shim
  import lost_pkg::*;
#(parameter int Width = 8) (
  input  logic clk_i, rst_ni, start_i,
  input  logic [Width-1:0] x_i, y_i, m_i,
  output logic done_o,
  output logic [Width-1:0] result_o
);
  logic [1:0] count[0:1];
  lost_delay u_delay (.clk_i, .rst_ni, .start_i, .first_i(Started), .count_o(count));
  assign done_o = count[1] == 2'd1;
  assign result_o = Width'(((2*Width)'(x_i) * (2*Width)'(y_i)) % (2*Width)'(m_i));
endmodule
