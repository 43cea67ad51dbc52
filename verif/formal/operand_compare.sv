// SPDX-License-Identifier: Apache-2.0
//
// Property: each step of the operand check, for every number of words and any pauses.
//
//   d + 2**WordWidth * carry' = x + (2**WordWidth - 1 - m) + carry for some word d, carry = 1 at
//   the first word; x_below_o is !carry after the last word; likewise for Y
//   above_one_o: a bit of M above bit 0 is 1 in the words so far; odd_o: bit 0 of M's first word
//
// These are the hypotheses of "below_of_words" and "above_of_words" in
// verif/formal/theorems/theories/Adder.v.

module operand_compare #(
  parameter int AddWidth = 32
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic                step_i,
  input logic                first_i,
  input logic [AddWidth-1:0] x_i,
  input logic [AddWidth-1:0] y_i,
  input logic [AddWidth-1:0] m_i
);

  logic x_below, y_below, above_one, odd;

  operand_check #(
    .WordWidth(AddWidth)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .step_i,
    .first_i,
    .x_i,
    .y_i,
    .m_i,
    .x_below_o  (x_below),
    .y_below_o  (y_below),
    .above_one_o(above_one),
    .odd_o      (odd)
  );

  logic begun_q = 1'b0;
  logic step_q, x_below_q, y_below_q, above_one_q, odd_q;
  logic x_carry, y_carry, above_left_q, odd_left_q;
  logic [AddWidth:0] x_left_q, y_left_q;
  logic [AddWidth-1:0] m_inverse, x_word_q, y_word_q;

  assign m_inverse = ~m_i;
  assign x_carry   = first_i || !x_below;
  assign y_carry   = first_i || !y_below;

  always_ff @(posedge clk_i) begin
    begun_q      <= rst_ni;
    step_q       <= step_i;
    x_below_q    <= x_below;
    y_below_q    <= y_below;
    above_one_q  <= above_one;
    odd_q        <= odd;
    x_word_q     <= u_dut.x_difference[AddWidth:1];
    y_word_q     <= u_dut.y_difference[AddWidth:1];
    x_left_q     <= (AddWidth + 1)'(x_i) + (AddWidth + 1)'(m_inverse) + (AddWidth + 1)'(x_carry);
    y_left_q     <= (AddWidth + 1)'(y_i) + (AddWidth + 1)'(m_inverse) + (AddWidth + 1)'(y_carry);
    above_left_q <= first_i ? (m_i > AddWidth'(1)) : (above_one || (m_i != '0));
    odd_left_q   <= first_i ? m_i[0] : odd;
  end

  always_comb begin
    if (begun_q && rst_ni) begin
      if (step_q) begin
        assert ({!x_below, x_word_q} == x_left_q);
        assert ({!y_below, y_word_q} == y_left_q);
        assert (above_one == above_left_q);
        assert (odd == odd_left_q);
      end else begin
        assert ((x_below == x_below_q) && (y_below == y_below_q));
        assert ((above_one == above_one_q) && (odd == odd_q));
      end
    end
  end

endmodule
