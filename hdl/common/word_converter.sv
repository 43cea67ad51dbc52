// SPDX-License-Identifier: Apache-2.0
//
// Word converter: InWords words of InWidth bits become OutWords words of OutWidth bits, the least
// significant first.
//
// While run_i is high each clock either takes a word or gives one: take_o, data_i is the next word;
// valid_o, data_o is the next one. index_o names the word that is to be on data_i in the next
// clock. last_o comes with the last word, and after it everything starts anew. Where there are no
// more words to take, zeros follow.
//
// Operands: OutWords*OutWidth > (InWords - 1)*InWidth, so that every word is taken.
// Latency: InWords + OutWords clocks of run_i.
//
// Source: none.

module word_converter
  import multiplier_pkg::*;
#(
  parameter int InWidth  = 32,
  parameter int OutWidth = 17,
  parameter int InWords  = 1,
  parameter int OutWords = 3
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      run_i,
  output logic [WordIndexWidth-1:0] index_o,
  input  logic [       InWidth-1:0] data_i,
  output logic                      valid_o,
  output logic                      last_o,
  output logic [WordIndexWidth-1:0] number_o,
  output logic [      OutWidth-1:0] data_o
);

  localparam int BufferWidth = InWidth + OutWidth;
  localparam int CountWidth = $clog2(BufferWidth + 1);

  logic [BufferWidth-1:0] buffer_q;
  logic [ CountWidth-1:0] count_q;  // bits in the buffer
  logic [WordIndexWidth-1:0] taken_q, given_q;
  logic take, more;

  assign more     = (taken_q != WordIndexWidth'(InWords));
  assign take     = run_i && more && (count_q < CountWidth'(OutWidth));
  assign valid_o  = run_i && !take;
  assign last_o   = valid_o && (given_q == WordIndexWidth'(OutWords - 1));
  assign number_o = given_q;
  assign data_o   = buffer_q[OutWidth-1:0];
  assign index_o  = last_o ? '0 : taken_q + WordIndexWidth'(take);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      buffer_q <= '0;
      count_q  <= '0;
      taken_q  <= '0;
      given_q  <= '0;
    end else if (last_o) begin
      buffer_q <= '0;
      count_q  <= '0;
      taken_q  <= '0;
      given_q  <= '0;
    end else if (take) begin
      // Below OutWidth bits are there.
      buffer_q <= buffer_q | (BufferWidth'(data_i) << count_q);
      count_q  <= count_q + CountWidth'(InWidth);
      taken_q  <= taken_q + 1'b1;
    end else if (valid_o) begin
      buffer_q <= buffer_q >> OutWidth;
      count_q  <= (count_q < CountWidth'(OutWidth)) ? '0 : count_q - CountWidth'(OutWidth);
      given_q  <= given_q + 1'b1;
    end
  end

endmodule
