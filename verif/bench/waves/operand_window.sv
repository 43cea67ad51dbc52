// SPDX-License-Identifier: Apache-2.0
//
// Operand window (test bench): shows X, Y, M and P of a parallel unit as whole values in a
// waveform, assembled from the words that pass. The hardware never holds them in full-width
// registers.
//
// load_i, step_i, index_i: the unit's present pass and word. write_i, place_i, p_0_i, p_1_i: write
// of a word into the two memories of P. bank_i, valid with done_i, selects the memory that has P.

module operand_window #(
  parameter int Width = 32,
  parameter int AddWidth = 32,
  parameter int IndexWidth = 1
) (
  input logic                  clk_i,
  input logic                  load_i,
  input logic                  step_i,
  input logic [IndexWidth-1:0] index_i,
  input logic [  AddWidth-1:0] x_i,
  input logic [  AddWidth-1:0] y_i,
  input logic [  AddWidth-1:0] m_i,
  input logic                  write_i,
  input logic [IndexWidth-1:0] place_i,
  input logic [  AddWidth-1:0] p_0_i,
  input logic [  AddWidth-1:0] p_1_i,
  input logic                  done_i,
  input logic                  bank_i
);

  // Whole words. The last one can have bits above the operand, which are not shown.
  localparam int Words = (Width + AddWidth - 1) / AddWidth;
  logic [Words*AddWidth-1:0] x_words, y_words, m_words, p_words, p_0, p_1, p_0_q, p_1_q;
  logic [Width-1:0] x, y, m, p;

  always_ff @(posedge clk_i) begin
    if (step_i && load_i) begin
      x_words[32'(index_i)*AddWidth+:AddWidth] <= x_i;
      y_words[32'(index_i)*AddWidth+:AddWidth] <= y_i;
      m_words[32'(index_i)*AddWidth+:AddWidth] <= m_i;
    end
    p_0_q <= p_0;
    p_1_q <= p_1;
    if (done_i) p_words <= bank_i ? p_1 : p_0;
  end

  // Combinational, because the last word comes in the cycle of done_i.
  always_comb begin
    p_0 = p_0_q;
    p_1 = p_1_q;
    if (write_i) begin
      p_0[32'(place_i)*AddWidth+:AddWidth] = p_0_i;
      p_1[32'(place_i)*AddWidth+:AddWidth] = p_1_i;
    end
  end

  assign x = x_words[Width-1:0];
  assign y = y_words[Width-1:0];
  assign m = m_words[Width-1:0];
  assign p = p_words[Width-1:0];

  // Used only in waveforms.
  logic unused;
  assign unused = ^{x, y, m, p, x_words, y_words, m_words, p_words};

endmodule
