// Every register has a delay from clock to output, in a module of its own.
module clock_to_q_reg #(parameter W = 1, parameter TCQ = 1) (
  input clk, input rst_n, input en, input [W-1:0] d, output reg [W-1:0] q
);
  always @(posedge clk or negedge rst_n)
    if (~rst_n) q <= #TCQ {W{1'b0}};
    else if (en) q <= #TCQ d;
endmodule

module clock_to_q_shim #(parameter Width = 8) (
  input clk_i, input rst_ni, input start_i,
  input [Width-1:0] x_i, input [Width-1:0] y_i, input [Width-1:0] m_i,
  output done_o, output [Width-1:0] result_o
);
  wire [Width-1:0] x, y, m, p;
  wire [15:0] n;
  wire idle = n == 0;
  wire go = start_i & idle;
  wire [Width+1:0] sum = {1'b0, p, 1'b0} + (x[Width-1] ? y : 0);
  wire [Width+1:0] next = sum >= {1'b0, m, 1'b0} ? sum - {1'b0, m, 1'b0} : sum >= m ? sum - m : sum;
  clock_to_q_reg #(Width) rx (clk_i, rst_ni, go | ~idle, go ? x_i : x << 1, x);
  clock_to_q_reg #(Width) ry (clk_i, rst_ni, go, y_i, y);
  clock_to_q_reg #(Width) rm (clk_i, rst_ni, go, m_i, m);
  clock_to_q_reg #(.W(Width), .TCQ(2)) rp (clk_i, rst_ni, go | ~idle, go ? {Width{1'b0}} : next[Width-1:0], p);
  clock_to_q_reg #(16) rn (clk_i, rst_ni, go | ~idle, go ? Width : n - 1, n);
  clock_to_q_reg #(1) rd (clk_i, rst_ni, 1'b1, n == 1, done_o);
  assign result_o = p;
endmodule
