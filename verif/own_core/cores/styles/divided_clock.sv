// Half the clock for the arithmetic, with a handshake of two toggling flags between them.
module divided_clock_shim #(parameter int Width = 8) (
  input  logic clk_i, rst_ni, start_i,
  input  logic [Width-1:0] x_i, y_i, m_i,
  output logic done_o,
  output logic [Width-1:0] result_o
);
  logic [Width-1:0] x_in_q, y_in_q, m_in_q, x_q, y_q, m_q, p_q;
  logic [15:0] n_q;
  logic half_q, asked_q, taken_q, ended_q, seen_q, busy_q;
  logic [Width+1:0] s, t;
  assign s = {1'b0, p_q, 1'b0} + (x_q[Width-1] ? (Width+2)'(y_q) : '0);
  assign t = s >= {1'b0, m_q, 1'b0} ? s - {1'b0, m_q, 1'b0}
    : s >= (Width+2)'(m_q) ? s - (Width+2)'(m_q) : s;
  assign result_o = p_q;
  always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) half_q <= 1'b0; else half_q <= !half_q;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      asked_q <= 1'b0; seen_q <= 1'b0; done_o <= 1'b0; x_in_q <= '0; y_in_q <= '0; m_in_q <= '0;
    end else begin
      seen_q <= ended_q;
      done_o <= ended_q != seen_q;
      if (start_i && asked_q == taken_q && !busy_q && ended_q == seen_q) begin
        asked_q <= !asked_q; x_in_q <= x_i; y_in_q <= y_i; m_in_q <= m_i;
      end
    end
  always_ff @(posedge half_q or negedge rst_ni)
    if (!rst_ni) begin
      x_q <= '0; y_q <= '0; m_q <= '0; p_q <= '0; n_q <= '0;
      taken_q <= 1'b0; ended_q <= 1'b0; busy_q <= 1'b0;
    end else if (asked_q != taken_q) begin
      taken_q <= asked_q; busy_q <= 1'b1; n_q <= 16'(Width);
      x_q <= x_in_q; y_q <= y_in_q; m_q <= m_in_q; p_q <= '0;
    end else if (busy_q) begin
      p_q <= t[Width-1:0]; x_q <= x_q << 1; n_q <= n_q - 16'd1;
      if (n_q == 16'd1) begin ended_q <= !ended_q; busy_q <= 1'b0; end
    end
endmodule
