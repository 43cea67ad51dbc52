// SPDX-License-Identifier: Apache-2.0
//
// Coherence check of an exponentiation: do two values that leave the multipliers agree modulo M?
//
// valid_i, index_i: words index_i of both values and of M, from the lowest up. Both values are at
// most M: they agree if they are equal, or if one is 0 and the other M. done_o comes a cycle after
// the last word; coherent_o is valid from then on.
//
// Latency: as stated above.
//
// Source: Boscher, Naciri & Prouff, "CRT RSA algorithm protected against fault attacks" (2007): in
// a right-to-left exponentiation with two accumulators, their product times the base is S.

module exponentiation_coherence
  import multiplier_pkg::*;
#(
  parameter int WordWidth = 17,
  parameter int Words = 3
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      valid_i,
  input  logic [WordIndexWidth-1:0] index_i,
  input  logic [     WordWidth-1:0] a_word_i,
  input  logic [     WordWidth-1:0] s_word_i,
  input  logic [     WordWidth-1:0] modulus_i,
  output logic                      done_o,
  output logic                      coherent_o
);

  // So far: both are equal; A is 0, M; S is 0, M.
  logic [4:0] same, same_q;
  logic done_q;

  assign same = {
    a_word_i == s_word_i,
    a_word_i == '0,
    a_word_i == modulus_i,
    s_word_i == '0,
    s_word_i == modulus_i
  };

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {same_q, done_q} <= '0;
    end else begin
      done_q <= valid_i && (index_i == WordIndexWidth'(Words - 1));
      if (valid_i) same_q <= same & ((index_i == '0) ? '1 : same_q);
    end
  end

  assign done_o     = done_q;
  assign coherent_o = same_q[4] || ((same_q[3] || same_q[2]) && (same_q[1] || same_q[0]));

endmodule
