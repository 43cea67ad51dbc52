`timescale 1ns/10ps
// Gates and nets with delays; Verilog-1995 ports.
module delays_step (p, b, y, m, r);
  parameter Width = 8;
  input [Width-1:0] p, y, m;
  input b;
  output [Width-1:0] r;
  wire [Width-1:0] part;
  wire [Width+1:0] sum, less, least;
  genvar i;
  generate
    for (i = 0; i < Width; i = i + 1) begin : bits
      and #(0.2, 0.3) g (part[i], y[i], b);
    end
  endgenerate
  assign #0.5 sum = {1'b0, p, 1'b0} + part;
  wire #0.25 ge2 = sum >= {1'b0, m, 1'b0};
  wire #0.25 ge1 = sum >= m;
  assign #0.3 less = sum - {1'b0, m, 1'b0};
  assign #0.3 least = sum - m;
  assign #0.1 r = ge2 ? less : ge1 ? least : sum;
endmodule

module delays_shim (clk_i, rst_ni, start_i, x_i, y_i, m_i, done_o, result_o);
  parameter Width = 8;
  input clk_i, rst_ni, start_i;
  input [Width-1:0] x_i, y_i, m_i;
  output done_o;
  output [Width-1:0] result_o;
  reg [Width-1:0] x, y, m, p;
  reg [15:0] n;
  reg done_o;
  wire [Width-1:0] next;
  wire #0.5 go = start_i & (n == 0);
  assign result_o = p;
  delays_step #(Width) step (p, x[Width-1], y, m, next);
  always @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      n <= 0;
      done_o <= 0;
    end else begin
      done_o <= #1 n == 1;
      if (go) begin
        x <= #1 x_i; y <= #1 y_i; m <= #1 m_i; p <= #1 0; n <= #1 Width;
      end else if (n != 0) begin
        p <= #1 next; x <= #1 x << 1; n <= #1 n - 1;
      end
    end
endmodule
