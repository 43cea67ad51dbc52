// X*Y mod M, most significant bit first, n + 1 cycles. Each of the macros breaks one claim.
module claimed_shim #(
  parameter int Width = 8
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             start_i,
  input  logic [Width-1:0] x_i,
  input  logic [Width-1:0] y_i,
  input  logic [Width-1:0] m_i,
  output logic             done_o,
  output logic [Width-1:0] result_o,
  output logic [      7:0] status_o
);
  logic [Width-1:0] x_q, y_q, m_q, p_q, y;
  logic [15:0] n_q = '0;
  logic wait_q = 1'b0;
  logic first_q, illegal_q, hold, more, go;
  logic [Width+1:0] s, t;

`ifdef SECOND_START_RESTARTS
  assign go = start_i;
`elsif REST_AFTER_DONE
  logic rest_q;
  always_ff @(posedge clk_i) rest_q <= done_o;
  assign go = start_i && n_q == 0 && !rest_q;
`else
  assign go = start_i && n_q == 0;
`endif
`ifdef SECOND_START_WAITS
  assign hold = start_i;
`else
  assign hold = 1'b0;
`endif
`ifdef ONE_CYCLE_MORE
  assign more = 1'b1;
`elsif ODD_TAKES_LONGER
  assign more = y_i[0];
`elsif FIRST_TAKES_LONGER
  assign more = first_q;
`elsif PHASE_TAKES_LONGER
  logic phase_q;  // runs on between operations
  always_ff @(posedge clk_i or negedge rst_ni) phase_q <= rst_ni && !phase_q;
  assign more = !phase_q;
`else
  assign more = 1'b0;
`endif
`ifdef OPERAND_READ_LATE
  assign y = y_i;
`else
  assign y = y_q;
`endif
`ifdef NOT_REDUCED
  assign result_o = (p_q == '0) ? m_q : p_q;
`elsif UNKNOWN_IF_REJECTED
  assign result_o = illegal_q ? 'x : p_q;
`else
  assign result_o = p_q;
`endif
`ifdef NOTHING_REJECTED
  assign status_o = 8'd0;
`else
  assign status_o = illegal_q ? 8'd3 : 8'd0;
`endif

  assign s = {1'b0, p_q, 1'b0} + (x_q[Width-1] ? (Width + 2)'(y) : '0);
  assign t = s >= {1'b0, m_q, 1'b0} ? s - {1'b0, m_q, 1'b0}
      : s >= (Width + 2)'(m_q) ? s - (Width + 2)'(m_q) : s;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      done_o  <= 1'b0;
      first_q <= 1'b1;
`ifndef COUNTER_NOT_RESET
      n_q    <= '0;
      wait_q <= 1'b0;
`endif
    end else begin
      done_o <= (n_q == 16'd1) && !wait_q && !hold;
      if (go) begin
        x_q       <= x_i;
        y_q       <= y_i;
        m_q       <= m_i;
        p_q       <= '0;
        n_q       <= 16'(Width);
        wait_q    <= more;
        first_q   <= 1'b0;
        illegal_q <= m_i < 2 || x_i >= m_i || y_i >= m_i;
      end else if (wait_q) begin
        wait_q <= 1'b0;
      end else if (n_q != 0 && !hold) begin
`ifdef LAST_CYCLE_CLEARS
        p_q <= (start_i && n_q == 16'd1) ? '0 : t[Width-1:0];
`else
        p_q <= t[Width-1:0];
`endif
        x_q <= x_q << 1;
        n_q <= n_q - 16'd1;
      end
    end
  end
endmodule
