// SPDX-License-Identifier: Apache-2.0
//
// Stream window (test bench): shows X, Y, M, the constant, S and P of a ring unit as whole values
// in a waveform, assembled from the words that pass. The hardware never holds them in full-width
// registers.
//
// Inputs are words with their numbers: of X, Y and M, of the constant, of the core's result S, and
// of the two banks of P. bank_i, valid with done_i, selects the bank that has P.

module stream_window #(
  parameter int Width = 32,
  parameter int Guard = 2,
  parameter int WordWidth = 17,
  parameter int IndexWidth = 13
) (
  input logic                  clk_i,
  input logic                  load_i,
  input logic [IndexWidth-1:0] index_i,
  input logic [ WordWidth-1:0] x_i,
  input logic [ WordWidth-1:0] y_i,
  input logic [ WordWidth-1:0] m_i,
  input logic                  constant_valid_i,
  input logic [IndexWidth-1:0] constant_index_i,
  input logic [ WordWidth-1:0] constant_i,
  input logic                  s_valid_i,
  input logic [IndexWidth-1:0] s_index_i,
  input logic [ WordWidth-1:0] s_i,
  input logic                  p_valid_i,
  input logic [IndexWidth-1:0] p_index_i,
  input logic [ WordWidth-1:0] p_0_i,
  input logic [ WordWidth-1:0] p_1_i,
  input logic                  done_i,
  input logic                  bank_i
);

  // Whole words, for the longest of the values: S, or the constant with Width + 1 bits. The last
  // word can have bits above the value, which are not shown.
  localparam int Words = (Width + Guard + WordWidth) / WordWidth;
  logic [Words*WordWidth-1:0] x_words, y_words, m_words, p_words, p_0, p_1, constant_words;
  logic [Words*WordWidth-1:0] s_words, s_words_q;
  logic [Width-1:0] x, y, m, p;
  logic [Width:0] constants;
  logic [Width+Guard-1:0] s, c;

  always_ff @(posedge clk_i) begin
    if (load_i) begin
      x_words[32'(index_i)*WordWidth+:WordWidth] <= x_i;
      y_words[32'(index_i)*WordWidth+:WordWidth] <= y_i;
      m_words[32'(index_i)*WordWidth+:WordWidth] <= m_i;
    end
    if (constant_valid_i) begin
      constant_words[32'(constant_index_i)*WordWidth+:WordWidth] <= constant_i;
    end
    if (p_valid_i) begin
      p_0[32'(p_index_i)*WordWidth+:WordWidth] <= p_0_i;
      p_1[32'(p_index_i)*WordWidth+:WordWidth] <= p_1_i;
    end
    s_words_q <= s_words;
    if (done_i) p_words <= bank_i ? p_1 : p_0;
  end

  // Combinational, so that s includes the last word in the cycle in which it comes.
  always_comb begin
    s_words = s_words_q;
    if (s_valid_i) s_words[32'(s_index_i)*WordWidth+:WordWidth] = s_i;
  end

  assign x = x_words[Width-1:0];
  assign y = y_words[Width-1:0];
  assign m = m_words[Width-1:0];
  assign p = p_words[Width-1:0];
  assign constants = constant_words[Width:0];
  assign s = s_words[Width+Guard-1:0];
  assign c = '0;
  initial constant_words = '0;

  // Used only in waveforms.
  logic unused;
  assign unused = ^{x, y, m, p, c, s, constants, x_words, y_words, m_words, p_words, s_words,
                    constant_words};

endmodule
