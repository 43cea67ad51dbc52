// SPDX-License-Identifier: Apache-2.0
//
// Operands of a multiplier with a ring core: X, Y and M, in words of the bus as the host writes
// them, and, after a load, in words of the ring.
//
// write_i, index_i, data_i: words of the host; write_i has one bit each for X, Y and M.
// load_i is high from the start of a load to the cycle of load_last_o. It comes from a register,
// because the converters are in reset without it. run_rst_ni resets the checks. The load converts
// the operands to words of the ring and checks them: in a cycle of valid_o, x_o, y_o and m_o are
// words index_o. After the load, word digit_index_i of X is x_digit_o in the next cycle. In the
// same way feed_index_i reads y_feed_o and m_feed_o, and add_index_i reads m_add_o from a second
// copy of M. A cycle that writes a word reads none.
// x_below_o, y_below_o, above_one_o, odd_o: X < M, Y < M, M > 1, M odd; see operand_check. With
// field_i the operands are polynomials over GF(2), and x_below_o, y_below_o mean that X, Y have a
// lower degree than M: degree_check.
//
// Operands: any of Width bits. Latency: that of word_converter for a load, a cycle for a word.
//
// Source: Jiang & Harris ("~5n RAM").

module ring_unit_operands
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int BusWidth = 32,
  parameter int IndexWidth = 8,
  parameter int WordWidth = 17,
  parameter bit Binary = 1'b0
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      run_rst_ni,
  input  logic                      field_i,
  // Words of the host
  input  logic [               2:0] write_i,
  input  logic [    IndexWidth-1:0] index_i,
  input  logic [      BusWidth-1:0] data_i,
  // Load
  input  logic                      load_i,
  output logic                      load_last_o,
  output logic                      valid_o,
  output logic [WordIndexWidth-1:0] index_o,
  output logic [     WordWidth-1:0] x_o,
  output logic [     WordWidth-1:0] y_o,
  output logic [     WordWidth-1:0] m_o,
  output logic                      x_below_o,
  output logic                      y_below_o,
  output logic                      above_one_o,
  output logic                      odd_o,
  // Words of the ring
  input  logic [WordIndexWidth-1:0] digit_index_i,
  output logic [     WordWidth-1:0] x_digit_o,
  input  logic [WordIndexWidth-1:0] feed_index_i,
  output logic [     WordWidth-1:0] y_feed_o,
  output logic [     WordWidth-1:0] m_feed_o,
  input  logic [WordIndexWidth-1:0] add_index_i,
  output logic [     WordWidth-1:0] m_add_o
);

  localparam int HostWords = (Width + BusWidth - 1) / BusWidth;
  localparam int Words = (Width + WordWidth - 1) / WordWidth;

  logic [3*WordIndexWidth-1:0] load_index;
  logic [3*WordWidth-1:0] load_words;
  logic [2:0] load_valid, load_end;
  logic convert_rst_n;

  assign convert_rst_n = rst_ni && load_i;

  for (genvar i = 0; i < 3; i++) begin : gen_operand
    logic [BusWidth-1:0] host_word;
    logic [WordIndexWidth-1:0] host_index;

    operand_memory #(
      .Bits           (Width),
      .WriteWidth     (BusWidth),
      .ReadWidth      (BusWidth),
      .WriteIndexWidth(IndexWidth),
      .ReadIndexWidth (WordIndexWidth),
      .Prefix         (1'b1)
    ) u_memory (
      .clk_i,
      .rst_ni,
      .write_i      (write_i[i]),
      .write_index_i(index_i),
      .data_i,
      .read_i       (1'b1),
      .read_index_i (host_index),
      .data_o       (host_word)
    );

    word_converter #(
      .InWidth (BusWidth),
      .OutWidth(WordWidth),
      .InWords (HostWords),
      .OutWords(Words)
    ) u_convert (
      .clk_i,
      .rst_ni  (convert_rst_n),
      .run_i   (load_i),
      .index_o (host_index),
      .data_i  (host_word),
      .valid_o (load_valid[i]),
      .last_o  (load_end[i]),
      .number_o(load_index[i*WordIndexWidth+:WordIndexWidth]),
      .data_o  (load_words[i*WordWidth+:WordWidth])
    );
  end

  // The three converters run in step, so that the tags of M apply to X and Y, too.
  logic word_first, x_smaller, y_smaller;

  assign x_o        = load_words[AddressXP*WordWidth+:WordWidth];
  assign y_o        = load_words[AddressYS*WordWidth+:WordWidth];
  assign m_o        = load_words[AddressMC*WordWidth+:WordWidth];
  assign valid_o    = load_valid[AddressMC];
  assign index_o    = load_index[AddressMC*WordIndexWidth+:WordIndexWidth];
  assign word_first = (index_o == '0);

  operand_check #(
    .WordWidth(WordWidth)
  ) u_check (
    .clk_i,
    .rst_ni   (run_rst_ni),
    .step_i   (valid_o),
    .first_i  (word_first),
    .x_i      (x_o),
    .y_i      (y_o),
    .m_i      (m_o),
    .x_below_o(x_smaller),
    .y_below_o(y_smaller),
    .above_one_o,
    .odd_o
  );

  if (Binary) begin : gen_degrees
    logic x_lower, y_lower;

    degree_check #(
      .WordWidth(WordWidth)
    ) u_degrees (
      .clk_i,
      .rst_ni   (run_rst_ni),
      .step_i   (valid_o),
      .first_i  (word_first),
      .x_i      (x_o),
      .y_i      (y_o),
      .m_i      (m_o),
      .x_lower_o(x_lower),
      .y_lower_o(y_lower)
    );

    assign x_below_o = field_i ? x_lower : x_smaller;
    assign y_below_o = field_i ? y_lower : y_smaller;
  end else begin : gen_integers
    assign x_below_o = x_smaller;
    assign y_below_o = y_smaller;
  end

  // M has two copies. One is read with the words that enter the ring, the other with the words that
  // leave it.
  localparam int Memories = 4;
  // Timing: lookup-table RAM for X, as a digit goes from its memory to all elements in one cycle.
  localparam int DigitRows = 64;
  logic [Memories*WordWidth-1:0] written, words;
  logic [Memories*WordIndexWidth-1:0] read_index;

  assign written = {m_o, m_o, y_o, x_o};
  assign read_index = {add_index_i, feed_index_i, feed_index_i, digit_index_i};
  assign {m_add_o, m_feed_o, y_feed_o, x_digit_o} = words;

  for (genvar i = 0; i < Memories; i++) begin : gen_words
    operand_memory #(
      .Bits           (Width),
      .WriteWidth     (WordWidth),
      .ReadWidth      (WordWidth),
      .WriteIndexWidth(WordIndexWidth),
      .ReadIndexWidth (WordIndexWidth),
      .LutRows        ((i == 0) ? DigitRows : 16)
    ) u_memory (
      .clk_i,
      .rst_ni,
      .write_i      (valid_o),
      .write_index_i(index_o),
      .data_i       (written[i*WordWidth+:WordWidth]),
      .read_i       (1'b1),
      .read_index_i (read_index[i*WordIndexWidth+:WordIndexWidth]),
      .data_o       (words[i*WordWidth+:WordWidth])
    );
  end

  assign load_last_o = load_end[AddressMC];

  logic unused_bits;
  assign unused_bits = ^{load_valid, load_index, load_end, field_i};

endmodule
