// No flip-flop: a master latch is open while the clock is low, a slave latch while it is high.
module latches_shim #(parameter Width = 8) (
  input wire clk_i, rst_ni, start_i,
  input wire [Width-1:0] x_i, y_i, m_i,
  output wire done_o,
  output wire [Width-1:0] result_o
);
  reg done_m, done_s;
  reg [15:0] left_m, left_s;
  reg [Width-1:0] x_m, x_s, y_m, y_s, m_m, m_s, p_m, p_s;
  wire [Width+1:0] m = {2'b00, m_s};
  wire [Width+1:0] s = {1'b0, p_s, 1'b0} + (x_s[Width-1] ? {2'b00, y_s} : {(Width+2){1'b0}});
  wire [Width+1:0] t = (s >= (m << 1)) ? s - (m << 1) : (s >= m) ? s - m : s;

  always @(*)
    if (!rst_ni) begin
      done_m <= 0;
      left_m <= 0;
      {x_m, y_m, m_m, p_m} <= 0;
    end else if (!clk_i) begin
      done_m <= left_s == 1;
      if (start_i && left_s == 0) begin
        left_m <= Width;
        {x_m, y_m, m_m} <= {x_i, y_i, m_i};
        p_m <= 0;
      end else if (left_s != 0) begin
        left_m <= left_s - 1;
        {x_m, y_m, m_m} <= {x_s << 1, y_s, m_s};
        p_m <= t[Width-1:0];
      end else begin
        left_m <= 0;
        {x_m, y_m, m_m, p_m} <= {x_s, y_s, m_s, p_s};
      end
    end

  always @(*)
    if (!rst_ni) begin
      done_s <= 0;
      left_s <= 0;
      {x_s, y_s, m_s, p_s} <= 0;
    end else if (clk_i) begin
      done_s <= done_m;
      left_s <= left_m;
      {x_s, y_s, m_s, p_s} <= {x_m, y_m, m_m, p_m};
    end

  assign done_o = done_s;
  assign result_o = p_s;
endmodule
