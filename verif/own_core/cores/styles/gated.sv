// Clock signals gated by latches, one for each register bank; the counter uses the falling edge's
// enable.
module gated_cell (
  input  logic clk_i,
  en_i,
  output logic clk_o
);
  logic open;
  always_latch if (!clk_i) open = en_i;
  assign clk_o = clk_i & open;
endmodule

module gated_shim #(
  parameter int Width = 8
) (
  input logic clk_i,
  rst_ni,
  start_i,
  input logic [Width-1:0] x_i,
  y_i,
  m_i,
  output logic done_o,
  output logic [Width-1:0] result_o
);
  logic [Width-1:0] x_q, y_q, m_q, p_q;
  logic [15:0] n_q;
  logic [Width+1:0] s, t;
  logic idle, go, clk_load, clk_step;
  assign idle = n_q == 0;
  assign go   = start_i && idle;
  gated_cell u_load (
    .clk_i,
    .en_i (go),
    .clk_o(clk_load)
  );
  gated_cell u_step (
    .clk_i,
    .en_i (go || !idle),
    .clk_o(clk_step)
  );
  assign s = {1'b0, p_q, 1'b0} + (x_q[Width-1] ? (Width + 2)'(y_q) : '0);
  assign t = s >= {1'b0, m_q, 1'b0} ? s - {1'b0, m_q, 1'b0}
    : s >= (Width+2)'(m_q) ? s - (Width+2)'(m_q) : s;
  assign result_o = p_q;
  always_ff @(posedge clk_load) begin
    y_q <= y_i;
    m_q <= m_i;
  end
  always_ff @(posedge clk_step or negedge rst_ni)
    if (!rst_ni) begin
      x_q <= '0;
      p_q <= '0;
      n_q <= '0;
    end else if (go) begin
      x_q <= x_i;
      p_q <= '0;
      n_q <= 16'(Width);
    end else begin
      x_q <= x_q << 1;
      p_q <= t[Width-1:0];
      n_q <= n_q - 16'd1;
    end
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) done_o <= 1'b0;
    else done_o <= n_q == 16'd1;
endmodule
