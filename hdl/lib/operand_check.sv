// SPDX-License-Identifier: Apache-2.0
//
// Operand check: compares X and Y with M while their words pass, the least significant word first.
//
//   x_below_o: X < M;  y_below_o: Y < M;  above_one_o: M > 1;  odd_o: M is odd
//
// With step_i, x_i, y_i and m_i are the next words; with first_i they are the lowest ones. No carry
// chain is longer than WordWidth bits. The four flags describe the words so far; they are final
// after the last word. Operands: any. Latency: one cycle from the last word.
//
// Source: the glue that Amanor (2005), ch. 5.3, leaves open.

module operand_check #(
  parameter int WordWidth = 32
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 step_i,
  input  logic                 first_i,
  input  logic [WordWidth-1:0] x_i,
  input  logic [WordWidth-1:0] y_i,
  input  logic [WordWidth-1:0] m_i,
  output logic                 x_below_o,
  output logic                 y_below_o,
  output logic                 above_one_o,
  output logic                 odd_o
);

  // X - M and Y - M as sums with the complement of M: a carry out means no borrow. An extra lowest
  // bit adds the carry of the preceding word, so that one carry chain suffices.
  logic x_carry_q, y_carry_q, above_one_q, odd_q;
  logic [WordWidth+1:0] x_difference, y_difference;

  assign x_difference = {1'b0, x_i, 1'b1} + {1'b0, ~m_i, x_carry_q || first_i};
  assign y_difference = {1'b0, y_i, 1'b1} + {1'b0, ~m_i, y_carry_q || first_i};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {x_carry_q, y_carry_q, above_one_q, odd_q} <= '0;
    end else if (step_i) begin
      x_carry_q   <= x_difference[WordWidth+1];
      y_carry_q   <= y_difference[WordWidth+1];
      above_one_q <= first_i ? |m_i[WordWidth-1:1] : (above_one_q || (|m_i));
      if (first_i) odd_q <= m_i[0];
    end
  end

  assign x_below_o   = !x_carry_q;
  assign y_below_o   = !y_carry_q;
  assign above_one_o = above_one_q;
  assign odd_o       = odd_q;

  // Only the sign of a difference is used.
  logic unused_bits;
  assign unused_bits = ^{x_difference, y_difference};

endmodule
