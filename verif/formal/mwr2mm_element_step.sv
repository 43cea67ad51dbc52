// SPDX-License-Identifier: Apache-2.0
//
// Property: the function of one processing element of MWR2MM on an operand, word by word.
//
//   S' = (S + x*Y + q*M)/2,  q = (S + x*Y) mod 2;   Y and M pass unchanged
//   word j comes out two cycles after it went in, first_o with word 0, last_o with the last word
//
// Holds from any state of the element, so earlier words do not matter. S + Y + M is below
// 2**(Width+1), Width = Words*WordWidth.

module mwr2mm_element_step #(
  parameter int Width = 12,
  parameter int WordWidth = 4
) (
  input logic             clk_i,
  input logic             digit_i,
  input logic [Width-1:0] s_i,
  input logic [Width-1:0] y_i,
  input logic [Width-1:0] m_i
);

  localparam int Words = Width / WordWidth;
  localparam int CycleWidth = $clog2(Words + 4);

  logic first, last, next_first, next_last;
  logic [WordWidth-1:0] s, y, m;
  logic [Width-1:0] s_q, y_q, m_q;
  logic x, q;
  logic [Width+1:0] sum;
  logic [CycleWidth-1:0] cycle_q = '0;
  logic [CycleWidth-1:0] out;

  // Word number cycle_q goes in; zero words follow, without first_i.
  mwr2mm_element #(
    .WordWidth(WordWidth)
  ) u_element (
    .clk_i,
    .rst_ni      (1'b1),
    .digit_i,
    .first_i     (cycle_q == '0),
    .last_i      (cycle_q == CycleWidth'(Words - 1)),
    .s_i         (WordWidth'(s_i >> (32'(cycle_q) * WordWidth))),
    .y_i         (WordWidth'(y_i >> (32'(cycle_q) * WordWidth))),
    .m_i         (WordWidth'(m_i >> (32'(cycle_q) * WordWidth))),
    .first_next_o(next_first),
    .last_next_o (next_last),
    .s_o         (s),
    .y_o         (y),
    .m_o         (m)
  );

  logic x_q;
  assign x   = (cycle_q == '0) ? digit_i : x_q;
  assign q   = s_i[0] ^ (x && y_i[0]);
  assign sum = (Width + 2)'(s_i) + (x ? (Width + 2)'(y_i) : '0) + (q ? (Width + 2)'(m_i) : '0);
  assign out = cycle_q - CycleWidth'(2);

  always_ff @(posedge clk_i) begin
    if (cycle_q != '1) cycle_q <= cycle_q + 1'b1;
    first <= next_first;
    last  <= next_last;
    x_q   <= x;
    s_q   <= s_i;
    y_q   <= y_i;
    m_q   <= m_i;
  end

  always_comb begin
    if (cycle_q != '0) assume ((s_i == s_q) && (y_i == y_q) && (m_i == m_q));
    assume (m_i[0]);
    assume ((Width + 2)'(s_i) + (Width + 2)'(y_i) + (Width + 2)'(m_i) < ((Width + 2)'(2) << Width));
    if ((cycle_q >= CycleWidth'(2)) && (cycle_q < CycleWidth'(Words + 2))) begin
      assert (s == WordWidth'((sum >> 1) >> (32'(out) * WordWidth)));
      assert (y == WordWidth'(y_i >> (32'(out) * WordWidth)));
      assert (m == WordWidth'(m_i >> (32'(out) * WordWidth)));
      assert (first == (out == '0));
      assert (last == (out == CycleWidth'(Words - 1)));
    end
  end

endmodule
