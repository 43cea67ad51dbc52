// SPDX-License-Identifier: Apache-2.0
//
// Exponentiation core for RSA on a bus. It has two multipliers: one for A and one for S.
//
//   Result = Data**Exponent mod M, 0 <= Result < M
//
//   addr_i   write                                            read
//   0       Data, below M                                    Result, while the status is Ok
//   1       Exponent: can never be read                      -
//   2       M, odd unless the core is an interleaved one     -
//   3       command                                          status word
//   4       R**2 mod M (optional)                            -
//   5       m' = -1/M, or Mhat (optional)                    -
//   6       Length, 16 bits: number of exponent bits to use  -
//
// Length is Width until the host writes it. Length = 17 is the public-exponent mode for e = 65537.
// R is 2**RadixBits. R**2 comes from the first source that applies: the host, if it wrote R**2
// since the last start (the core checks the value); the previous operation, if the host did not
// write M since then; otherwise the core computes R**2. The core always computes m' and Mhat. It
// compares them with the host's values if the host wrote them since the last start. Cores that do
// not need R**2, m' or Mhat ignore the host's values.
//
// Operands are never held in full-width registers: words live in memories and move one a cycle.
//
//   u_host         bus, operands in bus words, exponent, result; converts words
//   u_control      drives every other module (exp_control_t)
//   u_modulus      words of M, and of M shifted up for the doublings
//   u_residue      passes over words: the adder, and the residue that it leaves
//   u_constants    m', or u and Mhat of a core with a scale
//   u_operands     words of R**2, A and S; feeds the multipliers
//   u_multipliers  the two multipliers
//
// Core names the core, see core_pkg. It is a ring core, instantiated twice, or a bit-serial core,
// which comes as one dual-multiplier datapath. RadixBits is 0 for an interleaved core: its products
// have no factor 1/R, and it takes X from the highest bit down. MPrimeBits is the width of m', 0
// for a core without m'. ScaleBits is 0 for a core without a scale.
//
// Security: the time depends on Width, on Length, and on whether R**2 is supplied, kept or
// computed. It does not depend on any value, with one exception: for an interleaved core it depends
// on the number of leading zeros of M. Zeroise clears all operands, intermediate values and
// results, also during an operation: it resets the registers in the cycle of its acknowledge, and
// wipes the memories word by word after that. Reset does the same. The host can read nothing but
// the status word and Result, and Result only while the status is Ok.
//
// The whole bus interface: hdl/docs/interface.md; codes: multiplier_pkg.
// Latency: models/ring_exponentiation.py has the formula.
//
// Source: Michalski & Buell, Algorithm 4, ch. 5.4, 5.5 and figure 7; Amanor (2005), ch. 6.5.

module exponentiation
  import multiplier_pkg::*;
  import core_pkg::*;
#(
  parameter int Width = 32,
  parameter int BusWidth = 32,
  parameter int AddressWidth = 3,
  parameter int Guard = 2,
  // The core, and the values of its registry entry
  parameter int Core = CoreMwrkmm,
  parameter int WordWidth = 17,
  parameter int DigitWidth = 16,
  parameter int Words = 3,
  parameter int RadixBits = 48,
  parameter int MPrimeBits = 16,
  parameter int ScaleBits = 0,
  // Parameters of the core itself
  parameter int Unfolding = 1,
  parameter int Elements = 1,
  parameter int Stages = 1,
  parameter int Latency = 3,
  parameter int UnitWidth = 1,
  parameter int Units = 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    req_i,
  input  logic                    write_i,
  input  logic [AddressWidth-1:0] addr_i,
  input  logic [    BusWidth-1:0] wdata_i,
  input  logic                    wait_i,
  output logic                    ack_o,
  output logic                    err_o,
  output logic [    BusWidth-1:0] rdata_o,
  output logic                    busy_o,
  output logic                    done_o
);

  localparam bit Domain = (RadixBits > 0);
  localparam bit Scaled = (ScaleBits > 0);
  localparam int ConstantBits = Scaled ? ScaleBits : (MPrimeBits > 0) ? MPrimeBits : 1;

  // The core computes R**2 = 2**(2*r), r = RadixBits, in three phases. Doublings reach
  // 2**(r + Above); if operands may be longer than M, a shift by RaisedWords whole words replaces
  // the last doublings. Squarings then reach 2**(r + Above * 2**Squarings). A product with
  // 2**Missing completes 2**(2*r).
  localparam int MaxSquarings = Scaled ? 6 : 7;
  localparam int WidthLog = $clog2(Width + 1) - 1;
  localparam int Squarings = (WidthLog < MaxSquarings) ? WidthLog : MaxSquarings;
  localparam int Above = Domain ? (2 * RadixBits - Width + (1 << Squarings) - 1) >> Squarings : 0;
  localparam int Missing = 2 * RadixBits - (Above << Squarings);
  localparam int RaisedWords = ScaleBits / WordWidth;
  localparam int Doublings = Domain ? RadixBits + Above - RaisedWords * WordWidth - (Width - 1) : 0;

  // Control
  exp_request_t request;
  exp_control_t control;
  logic core_rst_n, wipe, last, exponent_bit;
  logic [3:0] status, control_state;
  logic [WordIndexWidth-1:0] wipe_index;

  // Words: tag (valid, last, index) and value
  word_tag_t operand, m, split, sum, a_product;
  logic [WordWidth-1:0] operand_word, m_word, split_word, sum_word;
  logic [WordIndexWidth-1:0] feed_index, read_index, pass_index, result_read, a_index;
  logic [WordWidth-1:0] modulus, aligned, residue, a_word, s_word, mhat, u_word;
  logic
      hold,
      split_last,
      pass_last,
      add_last,
      drain,
      matched,
      result_last,
      sum_nonzero,
      split_carry,
      odd;
  sum_flags_t flags;

  // Constants
  logic inverse_done, mhat_same, m_prime_wrong;
  logic [ConstantBits-1:0] inverse;
  logic [  DigitWidth-1:0] m_prime;

  // Multipliers
  stream_status_t a_status, s_status;
  stream_observation_t a_observation, s_observation;
  logic a_final, a_write, s_write_r, ready, a_valid, a_ready, s_done, m_valid;
  logic [1:0] first_digit;
  logic [DigitWidth-1:0] a_digit, s_digit;
  logic [WordWidth-1:0] y_word, m_feed, a_result, s_result;

  assign a_ready         = a_status.ready;
  assign a_valid         = a_status.valid;
  assign s_done          = s_status.done;
  assign m_valid         = m.valid;
  assign split_last      = split.last;
  assign ready           = a_ready || s_status.ready;
  assign a_product.valid = a_valid;
  assign a_product.last  = a_status.done;
  assign a_product.index = a_status.index;
  assign feed_index      = a_status.feed_index | s_status.feed_index;
  assign hold            = drain || matched;

  exponentiation_host #(
    .Width       (Width),
    .BusWidth    (BusWidth),
    .AddressWidth(AddressWidth),
    .WordWidth   (WordWidth),
    .Words       (Words),
    .MPrimeBits  (MPrimeBits),
    .ScaleBits   (ScaleBits)
  ) u_host (
    .clk_i,
    .rst_ni,
    .req_i,
    .write_i,
    .addr_i         (addr_i),
    .wdata_i,
    .wait_i,
    .ack_o,
    .err_o,
    .rdata_o,
    .core_rst_no    (core_rst_n),
    .wipe_o         (wipe),
    .wipe_index_o   (wipe_index),
    .request_o      (request),
    .control_i      (control),
    .busy_i         (busy_o),
    .status_i       (status),
    .hold_i         (hold),
    .operand_o      (operand),
    .operand_word_o (operand_word),
    .m_o            (m),
    .m_word_o       (m_word),
    .a_ready_i      (a_ready),
    .exponent_bit_o (exponent_bit),
    .inverse_i      (inverse),
    .mhat_same_i    (mhat_same),
    .m_prime_wrong_o(m_prime_wrong),
    .result_read_o  (result_read),
    .result_word_i  (residue),
    .result_last_o  (result_last)
  );

  exponentiation_control #(
    .Doublings(Doublings),
    .Squarings(Squarings),
    .Inverse  (Scaled || (MPrimeBits > 0)),
    .Scaled   (Scaled),
    .Domain   (Domain)
  ) u_control (
    .clk_i,
    .rst_ni         (core_rst_n),
    .request_i      (request),
    .busy_o,
    .done_o,
    .status_o       (status),
    .last_i         (last),
    .flags_i        (flags),
    .odd_i          (odd),
    .inverse_done_i (inverse_done),
    .m_prime_wrong_i(m_prime_wrong),
    .ready_i        (ready),
    .square_done_i  (s_done),
    .split_last_i   (split_last),
    .control_o      (control),
    .state_o        (control_state)
  );

  exponentiation_modulus #(
    .Width    (Width),
    .WordWidth(WordWidth),
    .Words    (Words),
    .Domain   (Domain)
  ) u_modulus (
    .clk_i,
    .rst_ni      (core_rst_n),
    .wipe_index_i(wipe_index),
    .control_i   (control),
    .m_i         (m),
    .m_word_i    (m_word),
    .odd_o       (odd),
    .pass_index_i(pass_index),
    .pass_last_i (pass_last),
    .read_index_i(read_index),
    .modulus_o   (modulus),
    .aligned_o   (aligned)
  );

  exponentiation_residue #(
    .Width    (Width),
    .WordWidth(WordWidth),
    .Words    (Words),
    .Scaled   (Scaled)
  ) u_residue (
    .clk_i,
    .rst_ni        (core_rst_n),
    .wipe_index_i  (wipe_index),
    .control_i     (control),
    .operand_i     (operand),
    .operand_word_i(operand_word),
    .m_word_i      (m_word),
    .modulus_i     (modulus),
    .s_word_i      (s_word),
    .a_word_i      (a_word),
    .a_i           (a_product),
    .a_final_i     (a_final),
    .a_result_i    (a_result),
    .split_i       (split),
    .split_word_i  (split_word),
    .split_carry_i (split_carry),
    .matched_i     (matched),
    .result_last_i (result_last),
    .feed_index_i  (feed_index),
    .result_read_i (result_read),
    .read_index_o  (read_index),
    .pass_index_o  (pass_index),
    .pass_last_o   (pass_last),
    .add_last_o    (add_last),
    .drain_o       (drain),
    .last_o        (last),
    .flags_o       (flags),
    .sum_o         (sum),
    .sum_word_o    (sum_word),
    .residue_o     (residue),
    .nonzero_o     (sum_nonzero)
  );

  exponentiation_constants #(
    .WordWidth (WordWidth),
    .DigitWidth(DigitWidth),
    .Words     (Words),
    .MPrimeBits(MPrimeBits),
    .ScaleBits (ScaleBits)
  ) u_constants (
    .clk_i,
    .rst_ni        (core_rst_n),
    .wipe_index_i  (wipe_index),
    .control_i     (control),
    .m_i           (m),
    .m_word_i      (m_word),
    .inverse_done_o(inverse_done),
    .inverse_o     (inverse),
    .m_prime_o     (m_prime),
    .a_valid_i     (a_valid),
    .a_first_i     (a_ready),
    .a_final_i     (a_final),
    .a_word_i      (a_result),
    .split_o       (split),
    .split_word_o  (split_word),
    .carry_o       (split_carry),
    .u_index_i     (a_index),
    .u_word_o      (u_word),
    .sum_i         (sum),
    .sum_word_i    (sum_word),
    .read_index_i  (read_index),
    .mhat_o        (mhat),
    .operand_i     (operand),
    .operand_word_i(operand_word),
    .matched_o     (matched),
    .mhat_same_o   (mhat_same)
  );

  exponentiation_operands #(
    .Width      (Width),
    .WordWidth  (WordWidth),
    .DigitWidth (DigitWidth),
    .Words      (Words),
    .ScaleBits  (ScaleBits),
    .RaisedWords(RaisedWords),
    .Missing    (Missing),
    .Domain     (Domain),
    .EveryCycle (!is_ring_core(Core))
  ) u_operands (
    .clk_i,
    .rst_ni        (core_rst_n),
    .wipe_i        (wipe),
    .wipe_index_i  (wipe_index),
    .control_i     (control),
    .operand_i     (operand),
    .operand_word_i(operand_word),
    .m_valid_i     (m_valid),
    .read_index_i  (read_index),
    .pass_index_i  (pass_index),
    .add_last_i    (add_last),
    .modulus_i     (modulus),
    .aligned_i     (aligned),
    .residue_i     (residue),
    .a_word_o      (a_word),
    .s_word_o      (s_word),
    .mhat_i        (mhat),
    .u_word_i      (u_word),
    .split_i       (split),
    .split_word_i  (split_word),
    .a_index_o     (a_index),
    .a_status_i    (a_status),
    .s_status_i    (s_status),
    .a_result_i    (a_result),
    .s_result_i    (s_result),
    .a_write_i     (a_write),
    .s_write_r_i   (s_write_r),
    .first_digit_i (first_digit),
    .a_digit_o     (a_digit),
    .s_digit_o     (s_digit),
    .y_o           (y_word),
    .m_o           (m_feed)
  );

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
    .Units     (Units)
  ) u_multipliers (
    .clk_i,
    .rst_ni         (core_rst_n),
    .wipe_index_i   (wipe_index),
    .control_i      (control),
    .exponent_bit_i (exponent_bit),
    .a_digit_i      (a_digit),
    .s_digit_i      (s_digit),
    .y_i            (y_word),
    .m_i            (m_feed),
    .m_prime_i      (m_prime),
    .first_digit_o  (first_digit),
    .a_status_o     (a_status),
    .s_status_o     (s_status),
    .a_word_o       (a_result),
    .s_word_o       (s_result),
    .a_final_o      (a_final),
    .a_write_o      (a_write),
    .s_write_r_o    (s_write_r),
    .a_observation_o(a_observation),
    .s_observation_o(s_observation)
  );

  // The test bench observes these signals by name.
  logic unused_observation;
  assign unused_observation = ^{a_observation, s_observation, control_state, sum_nonzero};

endmodule
