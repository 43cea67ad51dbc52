// Countermeasure: a generator that runs with the clock, and is not reset, adds a cycle to one
// operation in eight.
module rare_time_shim #(parameter int Width = 8) (
  input  logic clk_i, rst_ni, start_i,
  input  logic [Width-1:0] x_i, y_i, m_i,
  output logic done_o,
  output logic [Width-1:0] result_o
);
  logic [Width-1:0] x_q, y_q, m_q, p_q;
  logic [15:0] n_q;
  logic [15:0] random_q = 16'hace1;
  logic [Width+1:0] s, t;
  assign s = {1'b0, p_q, 1'b0} + (x_q[Width-1] ? (Width+2)'(y_q) : '0);
  assign t = s >= {1'b0, m_q, 1'b0} ? s - {1'b0, m_q, 1'b0}
    : s >= (Width+2)'(m_q) ? s - (Width+2)'(m_q) : s;
  assign result_o = p_q;
  always_ff @(posedge clk_i)
    random_q <= {random_q[14:0], random_q[15] ^ random_q[13] ^ random_q[12] ^ random_q[10]};
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      x_q <= '0; y_q <= '0; m_q <= '0; p_q <= '0; n_q <= '0; done_o <= 1'b0;
    end else begin
      done_o <= n_q == 16'd1;
      if (n_q == 0) begin
        if (start_i) begin
          x_q <= x_i; y_q <= y_i; m_q <= m_i; p_q <= '0;
          n_q <= 16'(Width) + 16'(random_q[2:0] == '0);
        end
      end else begin
        n_q <= n_q - 16'd1;
        if (n_q <= 16'(Width)) begin p_q <= t[Width-1:0]; x_q <= x_q << 1; end
      end
    end
endmodule
