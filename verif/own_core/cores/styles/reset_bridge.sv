// The reset begins at once and ends two clock edges later; the core itself resets synchronously.
module reset_bridge_shim #(parameter int Width = 8) (
  input  logic clk_i, rst_ni, start_i,
  input  logic [Width-1:0] x_i, y_i, m_i,
  output logic done_o,
  output logic [Width-1:0] result_o
);
  logic [1:0] bridge_q;
  wire reset = !bridge_q[1];
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) bridge_q <= '0; else bridge_q <= {bridge_q[0], 1'b1};
  logic [Width-1:0] x_q, y_q, m_q, p_q;
  logic [15:0] n_q;
  logic done_q;
  logic [Width+1:0] s;
  assign s = {1'b0, p_q, 1'b0} + (x_q[Width-1] ? (Width+2)'(y_q) : '0);
  assign result_o = p_q;
  assign done_o = done_q && !reset;
  always_ff @(posedge clk_i)
    if (reset) begin n_q <= '0; done_q <= 1'b0; end
    else begin
      done_q <= n_q == 16'd1;
      if (start_i && n_q == 0) begin
        x_q <= x_i; y_q <= y_i; m_q <= m_i;
        p_q <= '0; n_q <= 16'(Width); end
      else if (n_q != 0) begin
        p_q <= Width'(s >= {1'b0, m_q, 1'b0} ? s - {1'b0, m_q, 1'b0}
          : s >= (Width+2)'(m_q) ? s - (Width+2)'(m_q) : s);
        x_q <= x_q << 1;
        n_q <= n_q - 16'd1;
      end
    end
endmodule
