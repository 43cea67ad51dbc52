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

  logic [Width-1:0] x, y, m, p, p_0, p_1;
  logic [Width:0] constants;
  logic [Width+Guard-1:0] s, c, s_q;

  // Drop the bits of a word above the value.
  always_ff @(posedge clk_i) begin
    if (load_i) begin
      for (int i = 0; i < WordWidth; i++) begin
        if (32'(index_i) * WordWidth + i < Width) begin
          x[32'(index_i)*WordWidth+i] <= x_i[i];
          y[32'(index_i)*WordWidth+i] <= y_i[i];
          m[32'(index_i)*WordWidth+i] <= m_i[i];
        end
      end
    end
    if (constant_valid_i) begin
      for (int i = 0; i < WordWidth; i++) begin
        if (32'(constant_index_i) * WordWidth + i < Width) begin
          constants[32'(constant_index_i)*WordWidth+i] <= constant_i[i];
        end
      end
    end
    if (p_valid_i) begin
      for (int i = 0; i < WordWidth; i++) begin
        if (32'(p_index_i) * WordWidth + i < Width) begin
          p_0[32'(p_index_i)*WordWidth+i] <= p_0_i[i];
          p_1[32'(p_index_i)*WordWidth+i] <= p_1_i[i];
        end
      end
    end
    s_q <= s;
    if (done_i) p <= bank_i ? p_1 : p_0;
  end

  // Combinational, so that s includes the last word in the cycle in which it comes.
  always_comb begin
    s = s_q;
    if (s_valid_i) begin
      for (int i = 0; i < WordWidth; i++) begin
        if (32'(s_index_i) * WordWidth + i < Width + Guard) begin
          s[32'(s_index_i)*WordWidth+i] = s_i[i];
        end
      end
    end
  end

  assign c = '0;
  initial constants = '0;

  // Used only in waveforms.
  logic unused;
  assign unused = ^{x, y, m, p, c, constants};

endmodule
