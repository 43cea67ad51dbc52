// Registers begin with initial values; the reset is sampled by the clock and touches one of them alone.
module initial_values_shim #(parameter Width = 8) (
  input wire clk_i, rst_ni, start_i,
  input wire [Width-1:0] x_i, y_i, m_i,
  output reg done_o = 1'b0,
  output wire [Width-1:0] result_o
);
  reg [Width-1:0] x = 0, y = 0, m = 1, p = 0;
  reg [15:0] n = 0;
  reg [Width+1:0] t;
  assign result_o = p;
  always @(posedge clk_i) begin
    done_o <= 1'b0;
    if (start_i && n == 0) begin x <= x_i; y <= y_i; m <= m_i; p <= 0; n <= Width; end
    else if (n != 0) begin
      t = {p, 1'b0};
      if (x[Width-1]) t = t + y;
      if (t >= m) t = t - m;
      if (t >= m) t = t - m;
      p <= t;
      x <= x << 1;
      n <= n - 1;
      done_o <= n == 1;
    end
    if (!rst_ni) begin n <= 0; done_o <= 1'b0; end
  end
endmodule
