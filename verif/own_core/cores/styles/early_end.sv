// Least significant bit first; ends when no bit of X is left. Done comes in a cycle in which the
// core is idle.
module early_end_shim #(parameter int Width = 8) (
  input  logic clk_i, rst_ni, start_i,
  input  logic [Width-1:0] x_i, y_i, m_i,
  output logic done_o,
  output logic [Width-1:0] result_o
);
  logic busy_q;
  logic [Width-1:0] x_q, y_q, m_q, p_q;
  logic [Width:0] s, d;
  assign s = {1'b0, p_q} + (x_q[0] ? {1'b0, y_q} : '0);
  assign d = {y_q, 1'b0};
  assign result_o = p_q;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin busy_q <= 1'b0; done_o <= 1'b0; end
    else begin
      done_o <= 1'b0;
      if (!busy_q) begin
        if (start_i) begin
          x_q <= x_i; y_q <= y_i; m_q <= m_i; p_q <= '0;
          busy_q <= x_i != 0;
          done_o <= x_i == 0;
        end
      end else begin
        p_q <= Width'(s >= (Width+1)'(m_q) ? s - (Width+1)'(m_q) : s);
        y_q <= Width'(d >= (Width+1)'(m_q) ? d - (Width+1)'(m_q) : d);
        x_q <= x_q >> 1;
        if (x_q[Width-1:1] == '0) begin busy_q <= 1'b0; done_o <= 1'b1; end
      end
    end
endmodule
