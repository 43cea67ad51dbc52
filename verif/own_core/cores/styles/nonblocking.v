// Next values in three levels of combinational processes, all with non-blocking assignments.
module nonblocking_shim #(parameter Width = 8) (
  input clk_i, rst_ni, start_i,
  input [Width-1:0] x_i, y_i, m_i,
  output reg done_o,
  output reg [Width-1:0] result_o
);
  reg [Width-1:0] x, y, m, p, part, x_next, y_next, m_next, p_next;
  reg [Width+1:0] sum, reduced;
  reg [15:0] n, n_next;
  reg busy, done_next;
  always @(n) busy <= n != 0;
  always @* part <= x[Width-1] ? y : 0;
  always @(p, part) sum <= {1'b0, p, 1'b0} + part;
  always @* begin
    if (sum >= {1'b0, m, 1'b0}) reduced <= sum - {1'b0, m, 1'b0};
    else if (sum >= m) reduced <= sum - m;
    else reduced <= sum;
  end
  always @* begin
    x_next <= x; y_next <= y; m_next <= m; p_next <= p; n_next <= n;
    done_next <= n == 1;
    case ({busy, start_i})
      2'b01: begin x_next <= x_i; y_next <= y_i; m_next <= m_i; p_next <= 0; n_next <= Width; end
      2'b10, 2'b11: begin x_next <= x << 1; p_next <= reduced; n_next <= n - 1; end
    endcase
  end
  always @* result_o <= p;
  always @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin x <= 0; y <= 0; m <= 0; p <= 0; n <= 0; done_o <= 0; end
    else begin x <= x_next; y <= y_next; m <= m_next; p <= p_next; n <= n_next; done_o <= done_next; end
endmodule
