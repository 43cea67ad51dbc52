// SPDX-License-Identifier: Apache-2.0
//
// Degree check: compares the degrees of the polynomials X and Y over GF(2) with the degree of M
// while their words pass, the least significant word first.
//
//   x_lower_o: deg X < deg M;  y_lower_o: deg Y < deg M
//
// With step_i, x_i, y_i and m_i are the next words; with first_i they are the lowest ones. The
// flags describe the words so far. Operands: any; M not 0. Latency: one cycle from the last word.
//
// Source: none.

module degree_check #(
  parameter int WordWidth = 32
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 step_i,
  input  logic                 first_i,
  input  logic [WordWidth-1:0] x_i,
  input  logic [WordWidth-1:0] y_i,
  input  logic [WordWidth-1:0] m_i,
  output logic                 x_lower_o,
  output logic                 y_lower_o
);

  // below_degree: all bits below the highest set bit of M's word; no bit if this word is 0.
  localparam int Levels = (WordWidth > 1) ? $clog2(WordWidth) : 1;
  logic [WordWidth-1:0] smeared, below_degree;

  always_comb begin
    smeared = m_i;
    for (int i = 0; i < Levels; i++) smeared = smeared | (smeared >> (1 << i));
  end
  assign below_degree = smeared >> 1;

  // A word of M that is not 0 decides alone: lower words do not matter.
  logic x_reaches, y_reaches, decides, x_reaches_q, y_reaches_q;
  assign decides   = first_i || (m_i != '0);
  assign x_reaches = |(x_i & ~below_degree);
  assign y_reaches = |(y_i & ~below_degree);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {x_reaches_q, y_reaches_q} <= '0;
    end else if (step_i) begin
      x_reaches_q <= x_reaches || (!decides && x_reaches_q);
      y_reaches_q <= y_reaches || (!decides && y_reaches_q);
    end
  end

  assign x_lower_o = !x_reaches_q;
  assign y_lower_o = !y_reaches_q;

endmodule
