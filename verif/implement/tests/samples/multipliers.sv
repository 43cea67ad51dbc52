// SPDX-License-Identifier: Apache-2.0
//
// Products and the registers after them: one that an ECP5's multiplier can have inside, and three
// that it cannot, as the product goes elsewhere, too, or its register waits, or has no reset.

module multipliers #(
  parameter int Width = 17
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 enable_i,
  input  logic [    Width-1:0] a_i,
  input  logic [    Width-1:0] b_i,
  output logic [(2*Width)-1:0] inside_o,
  output logic [(2*Width)-1:0] shared_o,
  output logic [(2*Width)-1:0] now_o,
  output logic [(2*Width)-1:0] waiting_o,
  output logic [(2*Width)-1:0] kept_o
);

  localparam int Product = 2 * Width;

  logic [Width-1:0] not_a, not_b;
  assign not_a = ~a_i;
  assign not_b = ~b_i;

  logic [Product-1:0] shared;
  assign shared = Product'(a_i) * Product'(not_b);
  assign now_o  = shared ^ Product'(b_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      inside_o  <= '0;
      shared_o  <= '0;
      waiting_o <= '0;
    end else begin
      inside_o <= Product'(a_i) * Product'(b_i);
      shared_o <= shared;
      if (enable_i) waiting_o <= Product'(not_a) * Product'(b_i);
    end
  end

  always_ff @(posedge clk_i) kept_o <= Product'(not_a) * Product'(not_b);

endmodule
