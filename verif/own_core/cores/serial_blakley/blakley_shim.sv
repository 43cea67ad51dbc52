// SPDX-License-Identifier: Apache-2.0
//
// Shim: from start and done to the valid/ready of blakley. The result is always taken at once.

module blakley_shim #(
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

  logic in_ready;

  blakley #(
    .N(Width)
  ) u_core (
    .clk      (clk_i),
    .rst      (!rst_ni),
    .in_valid (start_i),
    .in_ready (in_ready),
    .in_x     (x_i),
    .in_y     (y_i),
    .in_m     (m_i),
    .out_valid(done_o),
    .out_ready(1'b1),
    .out_p    (result_o)
  );

  logic unused_ready;
  assign unused_ready = in_ready;

endmodule
