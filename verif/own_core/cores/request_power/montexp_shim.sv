// SPDX-License-Identifier: Apache-2.0
//
// Shim: keeps the request and the operands until the acknowledge, then waits until that has fallen.

module montexp_shim #(
  parameter int Width = 32
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             start_i,
  input  logic [Width-1:0] base_i,
  input  logic [Width-1:0] exponent_i,
  input  logic [Width-1:0] modulus_i,
  output logic             done_o,
  output logic [Width-1:0] result_o
);

  logic req_q, told_q, ack;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      req_q  <= 1'b0;
      told_q <= 1'b0;
    end else begin
      if (start_i) req_q <= 1'b1;
      else if (ack) req_q <= 1'b0;
      told_q <= ack;
    end
  end

  montexp #(
    .N(Width)
  ) u_core (
    .clk     (clk_i),
    .rst_n   (rst_ni),
    .req     (req_q),
    .ack,
    .base    (base_i),
    .exponent(exponent_i),
    .modulus (modulus_i),
    .result  (result_o)
  );

  assign done_o = ack && !told_q;

endmodule
