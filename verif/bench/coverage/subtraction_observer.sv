// SPDX-License-Identifier: Apache-2.0
//
// Subtraction observer (test bench): derives the outcome of the conditional subtractions of a sum
// from the adder's signals for each word and each pass.
//
// nonzero_i: a word of a difference is not 0. pass_done_i: a pass has ended; subtracted_i: it kept
// its difference. sum_done_i: high with pass_done_i in the last pass of a sum. again_i: 1 if each
// pass subtracts M itself; 0 if each pass subtracts half of the previous subtrahend, as in a
// division.
// Valid with sum_done_i: subtracted_o, the lowest bit of the quotient; exact_o, 1 if a kept
// difference was 0.

module subtraction_observer (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic nonzero_i,
  input  logic pass_done_i,
  input  logic subtracted_i,
  input  logic sum_done_i,
  input  logic again_i,
  output logic subtracted_o,
  output logic exact_o
);

  logic zero_q, subtracted_q, exact_q;

  assign subtracted_o = subtracted_i ^ (again_i && subtracted_q);
  assign exact_o      = exact_q || (subtracted_i && zero_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      zero_q       <= 1'b1;
      subtracted_q <= 1'b0;
      exact_q      <= 1'b0;
    end else if (pass_done_i) begin
      zero_q       <= 1'b1;
      subtracted_q <= sum_done_i ? 1'b0 : subtracted_o;
      exact_q      <= sum_done_i ? 1'b0 : exact_o;
    end else if (nonzero_i) begin
      zero_q <= 1'b0;
    end
  end

endmodule
