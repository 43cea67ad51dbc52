// SPDX-License-Identifier: Apache-2.0
//
// Operands of the multipliers of an exponentiation: the memories of Data, R**2, A and S, and the
// selection of X, Y and M for the multipliers.
//
//   control_i.        Y                       X of A      X of S
//   entry             R**2; 1 without domain  1           Data
//   bit_step          S                       A           S
//   write_r           2**Missing              -           S
//   final_product     2**ScaleBits            A           -
//   check products    R**2                    1           -
//   other             S                       1           S
//   scale             M                       u           -
//
// A: products of A with a_write_i; after the last product, the words of V above the scale
// (split_i).
// S: first the aligned modulus (control_i.align), then the residue of the doublings
// (control_i.copy), moved up by RaisedWords words, then products of S. R**2: the host's value
// (control_i.take), or the product of S with s_write_r_i.
//
// y_o, m_o: words of Y and M, a cycle after read_index_i requested them. a_digit_o, s_digit_o:
// digits of X, the lowest first; without a Montgomery domain bits, the highest first. a_index_o:
// index of the word of X of A for the next cycle.
//
// EveryCycle: a bit-serial core takes bits of X in every cycle, a ring takes a digit every second
// cycle.
// Latency: a cycle from an index to a word; digits are valid in the cycles in which they are taken.
//
// Source: Michalski & Buell, Algorithm 4 and ch. 5.4.

module exponentiation_operands
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int WordWidth = 17,
  parameter int DigitWidth = 16,
  parameter int Words = 3,
  parameter int ScaleBits = 0,
  parameter int RaisedWords = 0,
  parameter int Missing = 2,
  parameter bit Domain = 1'b1,
  parameter bit EveryCycle = 1'b0
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  logic                                wipe_i,
  input  logic           [WordIndexWidth-1:0] wipe_index_i,
  input  exp_control_t                        control_i,
  // Words of the host
  input  word_tag_t                           operand_i,
  input  logic           [     WordWidth-1:0] operand_word_i,
  input  logic                                m_valid_i,
  // Words of a pass
  input  logic           [WordIndexWidth-1:0] read_index_i,
  input  logic           [WordIndexWidth-1:0] pass_index_i,
  input  logic                                add_last_i,
  input  logic           [     WordWidth-1:0] modulus_i,
  input  logic           [     WordWidth-1:0] aligned_i,
  input  logic           [     WordWidth-1:0] residue_i,
  output logic           [     WordWidth-1:0] a_word_o,
  output logic           [     WordWidth-1:0] s_word_o,
  // Scale
  input  logic           [     WordWidth-1:0] mhat_i,
  input  logic           [     WordWidth-1:0] u_word_i,
  input  word_tag_t                           split_i,
  input  logic           [     WordWidth-1:0] split_word_i,
  output logic           [WordIndexWidth-1:0] a_index_o,
  // Multipliers
  input  stream_status_t                      a_status_i,
  input  stream_status_t                      s_status_i,
  input  logic           [     WordWidth-1:0] a_result_i,
  input  logic           [     WordWidth-1:0] s_result_i,
  input  logic                                a_write_i,
  input  logic                                s_write_r_i,
  input  logic           [               1:0] first_digit_i,
  output logic           [    DigitWidth-1:0] a_digit_o,
  output logic           [    DigitWidth-1:0] s_digit_o,
  output logic           [     WordWidth-1:0] y_o,
  output logic           [     WordWidth-1:0] m_o
);

  localparam bit Scaled = (ScaleBits > 0);

  logic scale;
  assign scale = control_i.scale;

  logic [WordIndexWidth-1:0] a_digit_index, s_digit_index, a_index, s_index, copy_index, r_index;
  logic [WordIndexWidth-1:0] a_read, read_index_q, a_digit_index_q;
  logic [WordWidth-1:0] base, s_digit_word, r_word, a_word, s_word, a_data, s_data, r_data;
  logic a_store, a_upper, s_write, r_write;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_index_q    <= '0;
      a_digit_index_q <= '0;
    end else begin
      read_index_q    <= read_index_i;
      a_digit_index_q <= a_digit_index;
    end
  end

  // -------------------------------------------------------------------------------------- Memories
  // The memory of A also holds the words of V above the scale. Those of u*M overwrite them later,
  // when V has been read. Meanwhile the ring takes words of M as Y.
  assign a_upper = split_i.valid;
  assign a_store = a_upper || (a_status_i.valid && a_write_i);
  assign a_index = a_upper ? split_i.index : a_status_i.index;
  assign a_data = a_upper ? split_word_i : a_result_i;
  assign a_read  = !scale ? a_digit_index
                 : (split_i.valid && !add_last_i) ? split_i.index + 1'b1 : '0;

  assign s_write = s_status_i.valid || control_i.copy
                || (control_i.align && (pass_index_i >= AlignCycles));
  assign s_index = s_status_i.valid ? s_status_i.index
                 : control_i.align ? pass_index_i - AlignCycles : copy_index;
  // Rotate the residue up by RaisedWords words: its top words are 0 and become the lowest words.
  assign copy_index = (pass_index_i < WordIndexWidth'(Words - RaisedWords))
                    ? pass_index_i + WordIndexWidth'(RaisedWords)
                    : pass_index_i - WordIndexWidth'(Words - RaisedWords);
  assign s_data = s_status_i.valid ? s_result_i : control_i.align ? aligned_i : residue_i;
  assign r_write = control_i.take ? operand_i.valid : (s_status_i.valid && s_write_r_i);
  assign r_index = control_i.take ? operand_i.index : s_status_i.index;
  assign r_data = control_i.take ? operand_word_i : s_result_i;

  word_memory #(
    .Width(WordWidth),
    .Depth(Words)
  ) u_base (
    .clk_i,
    .wipe_index_i,
    .write_i      (m_valid_i),
    .write_index_i(operand_i.index),
    .data_i       (operand_word_i),
    .read_index_i (s_digit_index),
    .data_o       (base)
  );

  word_memory #(
    .Width(WordWidth),
    .Depth(Words)
  ) u_r_squared (
    .clk_i,
    .wipe_index_i,
    .write_i      (r_write),
    .write_index_i(r_index),
    .data_i       (r_data),
    .read_index_i,
    .data_o       (r_word)
  );

  word_memory #(
    .Width(WordWidth),
    .Depth(Words)
  ) u_a_digits (
    .clk_i,
    .wipe_index_i,
    .write_i      (a_store),
    .write_index_i(a_index),
    .data_i       (a_data),
    .read_index_i (a_read),
    .data_o       (a_word)
  );

  word_memory #(
    .Width(WordWidth),
    .Depth(Words)
  ) u_s_digits (
    .clk_i,
    .wipe_index_i,
    .write_i      (s_write),
    .write_index_i(s_index),
    .data_i       (s_data),
    .read_index_i (s_digit_index),
    .data_o       (s_digit_word)
  );

  word_memory #(
    .Width(WordWidth),
    .Depth(Words)
  ) u_s_words (
    .clk_i,
    .wipe_index_i,
    .write_i      (s_write),
    .write_index_i(s_index),
    .data_i       (s_data),
    .read_index_i,
    .data_o       (s_word)
  );

  assign a_word_o = a_word;
  assign s_word_o = s_word;

  // ----------------------------------------------------------------------------------------- Y, M
  logic y_one;
  logic [WordWidth-1:0] power_word;
  assign y_one = control_i.final_product || (!Domain && control_i.entry);
  assign power_word =
      (y_one && (read_index_q == WordIndexWidth'(ScaleBits / WordWidth)))
      ? WordWidth'(1) << (ScaleBits % WordWidth)
      : (control_i.write_r && (read_index_q == WordIndexWidth'(Missing / WordWidth)))
      ? WordWidth'(1) << (Missing % WordWidth) : '0;
  assign y_o = scale ? modulus_i : (y_one || control_i.write_r) ? power_word
             : control_i.y_r ? r_word : s_word;
  assign m_o = !Scaled ? modulus_i : scale ? '0 : mhat_i;

  // --------------------------------------------------------------------------------------------- X
  logic [WordWidth-1:0] x_a_word, x_s_word;
  assign x_a_word = scale ? u_word_i
                  : (control_i.bit_step || control_i.final_product) ? a_word
                  : (a_digit_index_q == '0) ? WordWidth'(1) : '0;
  assign x_s_word = control_i.entry ? base : s_digit_word;
  assign a_index_o = a_digit_index;

  if (Domain) begin : gen_digits
    digit_converter #(
      .WordWidth (WordWidth),
      .DigitWidth(DigitWidth),
      .Words     (Words),
      .EveryCycle(EveryCycle)
    ) u_digits_a (
      .clk_i,
      .rst_ni,
      .restart_i(a_status_i.ready),
      .start_i  (first_digit_i[0]),
      .next_i   (a_status_i.next_digit),
      .index_o  (a_digit_index),
      .word_i   (x_a_word),
      .digit_o  (a_digit_o)
    );

    digit_converter #(
      .WordWidth (WordWidth),
      .DigitWidth(DigitWidth),
      .Words     (Words),
      .EveryCycle(EveryCycle)
    ) u_digits_s (
      .clk_i,
      .rst_ni,
      .restart_i(s_status_i.ready),
      .start_i  (first_digit_i[1]),
      .next_i   (s_status_i.next_digit),
      .index_o  (s_digit_index),
      .word_i   (x_s_word),
      .digit_o  (s_digit_o)
    );

    logic unused_wipe;
    assign unused_wipe = wipe_i;
  end else begin : gen_bits
    // operand_bits reads each word once and keeps it. wipe_i delays it until the end of the wipe.
    for (genvar i = 0; i < 2; i++) begin : gen_operand
      logic read_word, begins, next;
      logic [WordIndexWidth-1:0] next_index, index, index_q;
      logic [WordWidth-1:0] word;
      logic [TablePositions-1:0] bits;

      operand_bits #(
        .Bits      (Width),
        .WordWidth (WordWidth),
        .IndexWidth(WordIndexWidth)
      ) u_bits (
        .clk_i,
        .rst_ni,
        .downwards_i(1'b1),
        .take_i     (3'd1),
        .busy_i     (begins || wipe_i),
        .read_o     (read_word),
        .index_o    (next_index),
        .word_i     (word),
        .next_i     (next),
        .bits_o     (bits)
      );

      assign index = read_word ? next_index : index_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) index_q <= '0;
        else index_q <= index;
      end

      assign begins = first_digit_i[i];
      if (i == 0) begin : gen_a
        assign next          = a_status_i.next_digit;
        assign word          = x_a_word;
        assign a_digit_index = index;
        assign a_digit_o     = bits[DigitWidth-1:0];
      end else begin : gen_s
        assign next          = s_status_i.next_digit;
        assign word          = x_s_word;
        assign s_digit_index = index;
        assign s_digit_o     = bits[DigitWidth-1:0];
      end

      logic unused_bits;
      assign unused_bits = ^bits;
    end
  end

  logic unused_bits;
  assign unused_bits = ^{control_i, operand_i, split_i, a_status_i, s_status_i};

endmodule
