// SPDX-License-Identifier: Apache-2.0
//
// Word-serial adder over word memories: a word of A + B and of A + B - M a clock.
//
// Words come in ascending order, one in each clock of valid_i, the lowest with first_i. sum_o and
// difference_o are words of A + B and A + B - M in the same clock. With the last word: negative_o,
// A + B < M, so that the sum is the residue and else the difference; zero_o, A + B = M;
// above_one_o, M > 1; one_o, the residue is 1.
//
// Ranges: A + B < 2*M for the residue.
// Latency: none; carries wait for the next word.
//
// Source: Michalski & Buell, ch. 5.4: word-serial S - M, chosen by the carry out.

module stream_adder #(
  parameter int WordWidth = 17
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 valid_i,
  input  logic                 first_i,
  input  logic [WordWidth-1:0] a_i,
  input  logic [WordWidth-1:0] b_i,
  input  logic [WordWidth-1:0] m_i,
  output logic [WordWidth-1:0] sum_o,
  output logic [WordWidth-1:0] difference_o,
  output logic                 negative_o,
  output logic                 zero_o,
  output logic                 above_one_o,
  output logic                 one_o
);

  logic carry_q, borrow_q, zero_q, above_one_q, sum_one_q, difference_one_q;
  logic [WordWidth:0] sum, difference;
  logic sum_one, difference_one;

  assign sum = {1'b0, a_i} + {1'b0, b_i} + {{WordWidth{1'b0}}, carry_q && !first_i};
  assign difference = {1'b0, sum[WordWidth-1:0]} - {1'b0, m_i}
                    - {{WordWidth{1'b0}}, borrow_q && !first_i};

  assign sum_o = sum[WordWidth-1:0];
  assign difference_o = difference[WordWidth-1:0];
  assign negative_o = difference[WordWidth];
  assign zero_o = (zero_q || first_i) && (difference_o == '0);
  assign above_one_o = first_i ? |m_i[WordWidth-1:1] : (above_one_q || (m_i != '0));
  assign sum_one = first_i ? (sum_o == WordWidth'(1)) : (sum_one_q && (sum_o == '0));
  assign difference_one = first_i ? (difference_o == WordWidth'(1))
                                  : (difference_one_q && (difference_o == '0));
  assign one_o = negative_o ? sum_one : difference_one;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      carry_q          <= 1'b0;
      borrow_q         <= 1'b0;
      zero_q           <= 1'b0;
      above_one_q      <= 1'b0;
      sum_one_q        <= 1'b0;
      difference_one_q <= 1'b0;
    end else if (valid_i) begin
      carry_q          <= sum[WordWidth];
      borrow_q         <= difference[WordWidth];
      zero_q           <= zero_o;
      above_one_q      <= above_one_o;
      sum_one_q        <= sum_one;
      difference_one_q <= difference_one;
    end
  end

endmodule
