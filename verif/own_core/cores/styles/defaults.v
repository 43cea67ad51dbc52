// A state machine whose next values have defaults first, so that no latch is meant; one-hot parameters.
module defaults_shim (clk_i, rst_ni, start_i, x_i, y_i, m_i, done_o, result_o);
  parameter Width = 8;
  localparam [1:0] IDLE = 2'b01, RUN = 2'b10;
  input clk_i, rst_ni, start_i;
  input [Width-1:0] x_i, y_i, m_i;
  output done_o;
  output [Width-1:0] result_o;
  reg [1:0] state, state_n;
  reg [Width-1:0] x, x_n, y, y_n, m, m_n, p, p_n;
  reg [15:0] n, n_n;
  reg done, done_n;
  reg [Width+1:0] t;
  assign done_o = done, result_o = p;
  always @* begin : next_values
    integer k;
    state_n = state; x_n = x; y_n = y; m_n = m; p_n = p; n_n = n; done_n = 1'b0;
    t = {2'b0, p};
    t = t << 1;
    if (x[Width-1]) t = t + y;
    for (k = 0; k < 2; k = k + 1) if (t >= m) t = t - m;
    (* full_case *) case (state)
      IDLE: if (start_i) begin
        state_n = RUN; x_n = x_i; y_n = y_i; m_n = m_i; p_n = 0; n_n = Width;
      end
      RUN: begin
        x_n = {x[Width-2:0], 1'b0}; p_n = t[Width-1:0]; n_n = n - 1;
        if (n == 1) begin state_n = IDLE; done_n = 1'b1; end
      end
      default: state_n = IDLE;
    endcase
  end
  always @(posedge clk_i or negedge rst_ni)
    if (rst_ni == 1'b0) begin state <= IDLE; done <= 1'b0; end
    else begin state <= state_n; x <= x_n; y <= y_n; m <= m_n; p <= p_n; n <= n_n; done <= done_n; end
endmodule
