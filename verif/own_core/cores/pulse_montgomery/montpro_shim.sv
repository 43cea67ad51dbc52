// SPDX-License-Identifier: Apache-2.0
//
// Shim: lengthens the start to the two cycles that montpro requires, holds the operands during the
// operation, and shortens the done of montpro to one cycle.

module montpro_shim #(
  parameter int Width = 32
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             start_i,
  input  logic [Width-1:0] x_i,
  input  logic [Width-1:0] y_i,
  input  logic [Width-1:0] m_i,
  output logic             done_o,
  output logic [Width-1:0] result_o
);

  logic second_q, running_q, done;
  logic [Width-1:0] x_q, y_q, m_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      second_q  <= 1'b0;
      running_q <= 1'b0;
      x_q       <= '0;
      y_q       <= '0;
      m_q       <= '0;
    end else begin
      second_q <= start_i && !running_q;
      if (start_i && !running_q) begin
        running_q <= 1'b1;
        x_q       <= x_i;
        y_q       <= y_i;
        m_q       <= m_i;
      end else if (done_o) begin
        running_q <= 1'b0;
      end
    end
  end

  montpro #(
    .N(Width)
  ) u_core (
    .clk    (clk_i),
    .areset (!rst_ni),
    .start  ((start_i && !running_q) || second_q),
    .a      (x_q),
    .b      (y_q),
    .modulus(m_q),
    .done   (done),
    .r      (result_o)
  );

  // The done of the operation before stays high in the two cycles of the start.
  logic fresh_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fresh_q <= 1'b0;
    else fresh_q <= running_q && !second_q;
  end
  assign done_o = running_q && fresh_q && done;

endmodule
