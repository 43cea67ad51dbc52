// SPDX-License-Identifier: Apache-2.0
//
// Multipliers of an exponentiation with their operands: the memories of Data, R**2, A and S, the
// selection of X, Y and M, and exponentiation_multipliers.
//
//   control_i.         Y                       X of A           X of S
//   verify, y_residue  Result                  2nd accumulator  S, discarded
//   verify, y_base     Data                    2nd accumulator  S, discarded
//   verify, y_one      1                       2nd accumulator  S
//   scale              M                       u                -
//   entry              R**2; 1 without domain  1                Data
//   bit_step           S                       A                S
//   write_r            2**Missing              -                S
//   final_product      2**ScaleBits            A                S, Coherent alone
//   y_r                R**2                    1                S, discarded
//   none of these      S                       1                S
//
// The first row that applies counts. The rows of verify: Coherent alone.
//
// Balanced: A has a second accumulator for the exponent bits that are 0. The bit selects one of
// them; its product with S replaces it. So each step reads and writes the same number of words. The
// second accumulator begins as A does and never reaches the result. The products of the coherence
// check (control_i.verify) use it as well.
//
// Coherent: both multipliers always run together; products that are not needed are discarded. So
// their status and the indices of X are equal in every cycle; apart_o: they are not.
//
// A: products of A with a_write; after the last product, the words of V above the scale
// (split_i).
// S: first the aligned modulus (control_i.align), then the residue of the doublings
// (control_i.copy), moved up by RaisedWords words, then products of S. R**2: the host's value
// (control_i.take), or the product of S with s_write_r.
//
// y_word, m_word: words of Y and M, a cycle after pass_i requested them. a_digit, s_digit: digits
// of X, the lowest first; without a Montgomery domain bits, the highest first. a_index_o: index of
// the word of X of A for the next cycle; u_word_i is that word of u.
//
// operand_i, operand_word_i: Data or R**2 from the host; m_i: tag of a word of M, which comes with
// one of Data. modulus_i, residue_i, mhat_i, s_word_o: words that pass_i requested. aligned_i: word
// of the aligned M. a_word_o: word of A. m_prime_i: m'. a_status_o to s_result_o: of the products,
// see exponentiation_multipliers.
//
// A bit-serial core takes bits of X in every cycle, a ring takes a digit every second cycle.
// Latency: a cycle from an index to a word; digits are valid in the cycles in which they are taken.
//
// Source: Michalski & Buell, Algorithm 4 and ch. 5.4.

module exponentiation_operands
  import multiplier_pkg::*;
  import core_pkg::*;
#(
  parameter int Width = 32,
  parameter int Guard = 2,
  parameter int WordWidth = 17,
  parameter int DigitWidth = 16,
  parameter int Words = 3,
  parameter int RadixBits = 48,
  parameter int ScaleBits = 0,
  parameter int Core = CoreMwrkmm,
  parameter int Unfolding = 1,
  parameter int Elements = 1,
  parameter int Stages = 1,
  parameter int Latency = 3,
  parameter int UnitWidth = 1,
  parameter int Units = 1,
  parameter bit Balanced = 1'b0,
  parameter bit Parity = 1'b0,
  parameter bit Coherent = 1'b0
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  exp_wipe_t                           wipe_i,
  input  exp_control_t                        control_i,
  // Words of the host
  input  word_tag_t                           operand_i,
  input  logic           [     WordWidth-1:0] operand_word_i,
  input  word_tag_t                           m_i,
  // Words of a pass
  input  exp_pass_t                           pass_i,
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
  // Products
  input  exp_bits_t                           exponent_i,
  input  logic           [    DigitWidth-1:0] m_prime_i,
  output stream_status_t                      a_status_o,
  output stream_status_t                      s_status_o,
  output logic           [     WordWidth-1:0] a_result_o,
  output logic           [     WordWidth-1:0] s_result_o,
  output exp_products_t                       products_o
);

  `ASSERT_PARAMETER(CoherentWithBalanced,
                    !Coherent || (Balanced && (ScaleBits == 0) && (RadixBits > 0)),
                    "Coherent needs Balanced and a Montgomery core without a scale")

  localparam bit Domain = (RadixBits > 0);
  localparam bit Scaled = (ScaleBits > 0);
  localparam int RaisedWords = ScaleBits / WordWidth;
  localparam int Missing = seed_missing(Width, RadixBits, ScaleBits);

  // Icarus: a port needs a signal instead of a member of a struct.
  stream_status_t a_status, s_status;
  logic scale, m_valid;
  logic [1:0] x_begins;
  logic [DigitWidth-1:0] a_digit, s_digit;
  logic [WordWidth-1:0] y_word, m_word;
  assign scale      = control_i.scale;
  assign m_valid    = m_i.valid;
  assign a_status_o = a_status;
  assign s_status_o = s_status;

  logic [WordIndexWidth-1:0] a_digit_index, s_digit_index, a_index, s_index, copy_index, r_index;
  logic [WordIndexWidth-1:0] base_index, a_read, read_index_q, a_digit_index_q;
  logic [WordWidth-1:0] base, s_digit_word, r_word, a_word, s_word, a_data, s_data, r_data;
  logic y_one;  // Y is 2**ScaleBits; 1 without a scale
  logic a_upper, a_store, s_store, s_write, r_write;  // words go into the memories of A, S, R**2
  logic a_write, a_other, s_discard, s_write_r, tags_wrong;  // see exponentiation_multipliers
  stream_observation_t a_observation, s_observation;  // for the test bench

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {read_index_q, a_digit_index_q} <= '0;
    end else begin
      read_index_q    <= pass_i.read_index;
      a_digit_index_q <= a_digit_index;
    end
  end

  // -------------------------------------------------------------------------------------- Memories
  // The memory of A also holds the words of V above the scale. Those of u*M overwrite them later,
  // when V has been read. Meanwhile the ring takes words of M as Y.
  assign a_upper = split_i.valid;
  assign a_store = a_upper || (a_status.valid && a_write);
  assign a_index = a_upper ? split_i.index : a_status.index;
  assign a_data = a_upper ? split_word_i : a_result_o;
  assign a_read  = !scale ? a_digit_index
                 : (split_i.valid && !pass_i.add_last) ? split_i.index + 1'b1 : '0;

  assign s_store = s_status.valid && !s_discard;
  assign s_write = s_store || control_i.copy || (control_i.align && (pass_i.index >= AlignCycles));
  assign s_index = s_status.valid ? s_status.index
                 : control_i.align ? pass_i.index - AlignCycles : copy_index;
  // Rotate the residue up by RaisedWords words: its top words are 0 and become the lowest words.
  assign copy_index = (pass_i.index < WordIndexWidth'(Words - RaisedWords))
                    ? pass_i.index + WordIndexWidth'(RaisedWords)
                    : pass_i.index - WordIndexWidth'(Words - RaisedWords);
  assign s_data = s_status.valid ? s_result_o : control_i.align ? aligned_i : residue_i;
  assign r_write = control_i.take ? operand_i.valid : (s_status.valid && s_write_r);
  assign r_index = control_i.take ? operand_i.index : s_status.index;
  assign r_data = control_i.take ? operand_word_i : s_result_o;

  // Data, R**2, A, and two copies of S: one for the digits of X, one for words of Y and passes
  localparam int Memories = 5;
  localparam int AccumulatorMemory = 2;
  logic [Memories-1:0] writes;
  logic [Memories*WordIndexWidth-1:0] write_indices, read_indices;
  logic [Memories*WordWidth-1:0] written, words;
  logic [Memories:0] faults, uses;  // bit Memories: the second accumulator

  assign writes = {s_write, s_write, a_store, r_write, m_valid};
  assign write_indices = {s_index, s_index, a_index, r_index, operand_i.index};
  assign written = {s_data, s_data, a_data, r_data, operand_word_i};
  assign base_index = control_i.y_base ? pass_i.read_index : s_digit_index;
  assign read_indices = {pass_i.read_index, s_digit_index, a_read, pass_i.read_index, base_index};
  assign {s_word, s_digit_word, a_word, r_word, base} = words;

  for (genvar i = 0; i < Memories; i++) begin : gen_memory
    parity_memory #(
      .Width  (WordWidth),
      .Depth  (Words),
      .Parity (Parity),
      // An upset after the last read must not depend on the exponent bit that selects the write.
      .Watched(Balanced && (i == AccumulatorMemory))
    ) u_words (
      .clk_i,
      .wipe_index_i (wipe_i.index),
      .write_i      (writes[i]),
      .write_index_i(write_indices[i*WordIndexWidth+:WordIndexWidth]),
      .data_i       (written[i*WordWidth+:WordWidth]),
      .read_index_i (read_indices[i*WordIndexWidth+:WordIndexWidth]),
      .data_o       (words[i*WordWidth+:WordWidth]),
      .fault_o      (faults[i])
    );
  end

  // The second accumulator
  logic [WordWidth-1:0] other_word;
  if (Balanced) begin : gen_other
    logic other_store;
    assign other_store = a_status.valid && a_other;
    parity_memory #(
      .Width  (WordWidth),
      .Depth  (Words),
      .Parity (Parity),
      .Watched(1'b1)
    ) u_other (
      .clk_i,
      .wipe_index_i (wipe_i.index),
      .write_i      (other_store),
      .write_index_i(a_status.index),
      .data_i       (a_result_o),
      .read_index_i (a_read),
      .data_o       (other_word),
      .fault_o      (faults[Memories])
    );
  end else begin : gen_no_other
    assign other_word = '0;
    assign faults[Memories] = 1'b0;
  end

  // Memories whose words are used. Both accumulators count in each step, whatever the exponent bit.
  assign uses = {
    control_i.bit_step || control_i.final_product || control_i.verify,
    control_i.doubling || (control_i.product && !control_i.y_r && !y_one && !control_i.write_r),
    control_i.product && !control_i.y_r && (Coherent || !control_i.final_product),
    control_i.bit_step || control_i.final_product || scale,
    control_i.y_r,
    control_i.entry || control_i.y_base
  };
  assign products_o.fault = |(faults & uses);
  assign a_word_o = a_word;
  assign s_word_o = s_word;

  // ----------------------------------------------------------------------------------------- Y, M
  logic [WordWidth-1:0] power_word;
  assign y_one = control_i.final_product || control_i.y_one || (!Domain && control_i.entry);
  assign power_word =
      (y_one && (read_index_q == WordIndexWidth'(ScaleBits / WordWidth)))
      ? WordWidth'(1) << (ScaleBits % WordWidth)
      : (control_i.write_r && (read_index_q == WordIndexWidth'(Missing / WordWidth)))
      ? WordWidth'(1) << (Missing % WordWidth) : '0;
  assign y_word = control_i.y_residue ? residue_i : control_i.y_base ? base : scale ? modulus_i
             : (y_one || control_i.write_r) ? power_word : control_i.y_r ? r_word : s_word;
  assign m_word = !Scaled ? modulus_i : scale ? '0 : mhat_i;

  // --------------------------------------------------------------------------------------------- X
  logic [WordWidth-1:0] x_a_word, x_s_word;
  assign x_a_word = scale ? u_word_i
                  : (control_i.verify || (control_i.bit_step && Balanced && !exponent_i.present))
                  ? other_word
                  : (control_i.bit_step || control_i.final_product) ? a_word
                  : (a_digit_index_q == '0) ? WordWidth'(1) : '0;
  assign x_s_word = control_i.entry ? base : s_digit_word;
  assign a_index_o = a_digit_index;

  for (genvar i = 0; i < 2; i++) begin : gen_operand
    stream_status_t status;
    logic begins, next, ready;  // the multiplier takes its first digit; takes a digit; is ready
    logic [WordIndexWidth-1:0] index;
    logic [WordWidth-1:0] word;
    logic [DigitWidth-1:0] digit;
    assign begins = x_begins[i];
    assign next   = status.next_digit;
    assign ready  = status.ready;

    if (Domain) begin : gen_digits
      digit_converter #(
        .WordWidth (WordWidth),
        .DigitWidth(DigitWidth),
        .Words     (Words),
        .EveryCycle(!is_ring_core(Core))
      ) u_digits (
        .clk_i,
        .rst_ni,
        .restart_i(ready),
        .start_i  (begins),
        .next_i   (next),
        .index_o  (index),
        .word_i   (word),
        .digit_o  (digit)
      );
    end else begin : gen_bits
      // operand_bits reads each word once and keeps it. wipe_i delays it until the end of the wipe.
      logic read_word;
      logic [WordIndexWidth-1:0] next_index, index_q;
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
        .busy_i     (begins || wipe_i.runs),
        .read_o     (read_word),
        .index_o    (next_index),
        .word_i     (word),
        .next_i     (next),
        .bits_o     (bits)
      );

      assign digit = bits[DigitWidth-1:0];
      assign index = read_word ? next_index : index_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) index_q <= '0;
        else index_q <= index;
      end
      logic unused_bits;
      assign unused_bits = ^bits;
    end

    if (i == 0) begin : gen_a
      assign status        = a_status;
      assign word          = x_a_word;
      assign a_digit_index = index;
      assign a_digit       = digit;
    end else begin : gen_s
      assign status        = s_status;
      assign word          = x_s_word;
      assign s_digit_index = index;
      assign s_digit       = digit;
    end
    logic unused_lane;
    assign unused_lane = ^{status, ready, wipe_i};
  end

  // ----------------------------------------------------------------------------------- Multipliers
  exponentiation_multipliers #(
    .Width     (Width),
    .Guard     (Guard),
    .WordWidth (WordWidth),
    .DigitWidth(DigitWidth),
    .Words     (Words),
    .RadixBits (RadixBits),
    .Core      (Core),
    .Unfolding (Unfolding),
    .Elements  (Elements),
    .Stages    (Stages),
    .Latency   (Latency),
    .UnitWidth (UnitWidth),
    .Units     (Units),
    .Balanced  (Balanced),
    .Coherent  (Coherent)
  ) u_multipliers (
    .clk_i,
    .rst_ni,
    .wipe_index_i   (wipe_i.index),
    .control_i,
    .exponent_i,
    .a_digit_i      (a_digit),
    .s_digit_i      (s_digit),
    .y_i            (y_word),
    .m_i            (m_word),
    .m_prime_i,
    .x_begins_o     (x_begins),
    .a_status_o     (a_status),
    .s_status_o     (s_status),
    .a_word_o       (a_result_o),
    .s_word_o       (s_result_o),
    .a_final_o      (products_o.a_final),
    .a_write_o      (a_write),
    .a_other_o      (a_other),
    .s_write_r_o    (s_write_r),
    .s_discard_o    (s_discard),
    .tags_wrong_o   (tags_wrong),
    .a_observation_o(a_observation),
    .s_observation_o(s_observation)
  );

  // ---------------------------------------------------------------------------------- Lockstep
  if (Coherent) begin : gen_lockstep
    logic higher_q;  // a word above word 0 was requested: y_one depends on it
    assign products_o.apart = (a_status != s_status) || (a_digit_index != s_digit_index)
                           || tags_wrong || (higher_q != (read_index_q != '0));
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) higher_q <= 1'b0;
      else higher_q <= (pass_i.read_index != '0);
    end
  end else begin : gen_no_lockstep
    assign products_o.apart = 1'b0;
    logic unused_tags;
    assign unused_tags = tags_wrong;
  end

  logic unused_bits;
  assign unused_bits = ^{
    control_i, pass_i, operand_i, m_i, split_i, a_status, s_status, a_other, a_observation,
    s_observation
  };

endmodule
