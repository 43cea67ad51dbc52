// SPDX-License-Identifier: Apache-2.0
//
// Passes over the words of an exponentiation, the adder and the residue that it leaves, the words
// of M (exponentiation_modulus) and the constants (exponentiation_constants).
//
// A pass reads one word of every memory a cycle, from the lowest up. control_i selects the inputs
// of the adder. Words of A + B go into the bank that holds the residue, words of A + B - M into the
// other bank. The last borrow selects the bank with the new residue (bank_q), so that no word is
// copied.
//
//   control_i.  A                        B              M             words come from
//   load        Data                     0              M             the host
//   check       R**2                     0              M             the host
//   doubling    residue, 2**(Width-1)    residue        aligned M     a pass
//   product     product of A             0              M             the multiplier, if a_final
//   scale       u*M above the scale      V or 0, carry  -             the scale unit
//   subtract    residue                  0              M             a pass
//   align, copy -                        -              -             a pass; nothing is added
//
// outcome_o: of stream_adder, exponentiation_modulus, exponentiation_constants and
// exponentiation_coherence. pass_o.read_index reads the words that feed the multipliers
// (a_status_i, s_status_i), the words of a pass, and the result (result_i). modulus_o, mhat_o,
// residue_o, s_word_i: words of M, Mhat, the residue and S that this index reads. aligned_o: words
// of the aligned M. a_word_i: words of V above the scale, in the memory of A.
// operand_i, operand_word_i, m_i, m_word_i: tags and words of Data, R**2 or Mhat, and of M, from
// the host. result_i.last: the last word of the result is with the host.
// a_result_i, s_result_i: words of the products of A and S. products_i: of these products.
// inverse_o to mhat_same_o: ports of exponentiation_constants.
//
// Latency: Words cycles a pass, and 3 of the adder.
//
// Source: Michalski & Buell, ch. 5.4 and 5.5.

module exponentiation_residue
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int WordWidth = 17,
  parameter int DigitWidth = 16,
  parameter int Words = 3,
  parameter int MPrimeBits = 16,
  parameter int ScaleBits = 0,
  parameter bit Domain = 1'b1,
  parameter bit Parity = 1'b0,
  parameter bit Coherent = 1'b0,
  // Derived, do not set
  parameter int ConstantBits = (ScaleBits > 0) ? ScaleBits : (MPrimeBits > 0) ? MPrimeBits : 1
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  exp_wipe_t                           wipe_i,
  input  exp_control_t                        control_i,
  // Words of the host
  input  word_tag_t                           operand_i,
  input  logic           [     WordWidth-1:0] operand_word_i,
  input  word_tag_t                           m_i,
  input  logic           [     WordWidth-1:0] m_word_i,
  input  word_tag_t                           result_i,
  // Words of the multipliers
  input  stream_status_t                      a_status_i,
  input  stream_status_t                      s_status_i,
  input  exp_products_t                       products_i,
  input  logic           [     WordWidth-1:0] a_result_i,
  input  logic           [     WordWidth-1:0] s_result_i,
  input  logic           [     WordWidth-1:0] a_word_i,
  input  logic           [     WordWidth-1:0] s_word_i,
  output logic           [     WordWidth-1:0] modulus_o,
  output logic           [     WordWidth-1:0] aligned_o,
  // Constants
  output logic           [  ConstantBits-1:0] inverse_o,
  output logic           [    DigitWidth-1:0] m_prime_o,
  output word_tag_t                           split_o,
  output logic           [     WordWidth-1:0] split_word_o,
  input  logic           [WordIndexWidth-1:0] u_index_i,
  output logic           [     WordWidth-1:0] u_word_o,
  output logic           [     WordWidth-1:0] mhat_o,
  output logic                                mhat_same_o,
  // Pass
  output exp_pass_t                           pass_o,
  // Outcome
  output exp_outcome_t                        outcome_o,
  output logic           [     WordWidth-1:0] residue_o
);

  localparam bit Scaled = (ScaleBits > 0);
  localparam int TopWord = (Width - 1) / WordWidth;
  localparam int TopPlace = (Width - 1) % WordWidth;
  localparam logic [WordIndexWidth-1:0] LastWord = WordIndexWidth'(Words - 1);

  // ------------------------------------------------------------------------------ M, and constants
  word_tag_t split, sum_tag;
  logic pass_last, matched, split_carry, a_valid, a_ready, a_final, modulus_fault, mhat_fault;
  logic [WordIndexWidth-1:0] read_index, pass_index_q;
  logic [WordWidth-1:0] sum;
  assign split_o = split;
  assign a_valid = a_status_i.valid;
  assign a_ready = a_status_i.ready;
  assign a_final = products_i.a_final;

  exponentiation_modulus #(
    .Width    (Width),
    .WordWidth(WordWidth),
    .Words    (Words),
    .Domain   (Domain),
    .Parity   (Parity)
  ) u_modulus (
    .clk_i,
    .rst_ni,
    .wipe_index_i(wipe_i.index),
    .control_i,
    .m_i,
    .m_word_i,
    .odd_o       (outcome_o.odd),
    .pass_index_i(pass_index_q),
    .pass_last_i (pass_last),
    .read_index_i(read_index),
    .modulus_o,
    .aligned_o,
    .fault_o     (modulus_fault)
  );

  exponentiation_constants #(
    .WordWidth (WordWidth),
    .DigitWidth(DigitWidth),
    .Words     (Words),
    .MPrimeBits(MPrimeBits),
    .ScaleBits (ScaleBits),
    .Parity    (Parity)
  ) u_constants (
    .clk_i,
    .rst_ni,
    .wipe_index_i  (wipe_i.index),
    .control_i,
    .m_i,
    .m_word_i,
    .inverse_done_o(outcome_o.inverse_done),
    .inverse_o,
    .m_prime_o,
    .a_valid_i     (a_valid),
    .a_first_i     (a_ready),
    .a_final_i     (a_final),
    .a_word_i      (a_result_i),
    .split_o       (split),
    .split_word_o,
    .carry_o       (split_carry),
    .u_index_i,
    .u_word_o,
    .sum_i         (sum_tag),
    .sum_word_i    (sum),
    .read_index_i  (read_index),
    .mhat_o,
    .operand_i,
    .operand_word_i,
    .matched_o     (matched),
    .mhat_same_o,
    .fault_o       (mhat_fault)
  );

  // ---------------------------------------------------------------------------------------- Passes
  // pass: a pass reads its words. adds: the adder ends the activity. drain_q: the adder has all
  // words of the pass. add_last, add_done: the adder takes, gives its last word.
  logic pass, adds, subtract, scale, drain_q, add_last, add_done;
  assign scale = control_i.scale;
  assign subtract = control_i.subtract;
  assign pass = control_i.align || ((control_i.doubling || subtract) && !drain_q) || control_i.copy;
  assign pass_last = pass
                  && (pass_index_q >= (control_i.align ? LastWord + AlignCycles : LastWord));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {pass_index_q, drain_q} <= '0;
    end else begin
      if (pass) pass_index_q <= pass_last ? '0 : pass_index_q + 1'b1;
      if (add_done) drain_q <= 1'b0;
      else if (add_last && !control_i.product) drain_q <= 1'b1;
    end
  end

  assign pass_o.index = pass_index_q;
  assign pass_o.hold = drain_q || matched;
  assign adds = control_i.load || control_i.check || control_i.doubling || scale || subtract;
  assign pass_o.last = adds ? add_done : control_i.match ? matched
                     : (operand_i.last || pass_last || result_i.last);

  // ----------------------------------------------------------------------------------------- Adder
  logic add_valid, add_first, add_carry, negative;  // negative: A + B < M
  logic bank_q;  // bank that holds the residue
  logic [WordIndexWidth-1:0] add_index;
  logic [WordWidth-1:0] add_a, add_b, add_m;
  logic [WordWidth-1:0] value, residue;  // value: word that a doubling adds to itself
  logic [WordWidth-1:0] bank_0, bank_1;
  logic sum_valid;
  logic [WordIndexWidth-1:0] sum_index;
  logic [WordWidth-1:0] difference;
  logic sum_nonzero;  // for the test bench: a word of A + B - M is not 0

  assign residue = bank_q ? bank_1 : bank_0;
  assign value = !control_i.first_doubling ? residue
               : (pass_index_q == WordIndexWidth'(TopWord)) ? WordWidth'(1) << TopPlace : '0;

  always_comb begin
    add_valid = operand_i.valid && (control_i.load || control_i.check);
    add_index = operand_i.index;
    add_a     = operand_word_i;
    add_b     = '0;
    add_m     = modulus_o;
    add_carry = 1'b0;
    if (control_i.load) add_m = m_word_i;
    if (control_i.doubling) begin
      add_valid = !drain_q;
      add_index = pass_index_q;
      add_a     = value;
      add_b     = value;
      add_m     = s_word_i;
    end
    if (control_i.product) begin
      add_valid = a_valid && a_final && !Scaled;
      add_index = a_status_i.index;
      add_a     = a_result_i;
    end
    // u*M and V above the scale; the memory of A holds those of V. For Mhat, 1 replaces V: above
    // the scale it is 0, and its low bits only give the carry.
    if (scale) begin
      add_valid = split.valid;
      add_index = split.index;
      add_a     = split_word_o;
      add_b     = control_i.constant ? '0 : a_word_i;
      add_carry = split_carry;
    end
    if (subtract) begin
      add_valid = !drain_q;
      add_index = pass_index_q;
      add_a     = residue;
    end
  end
  assign add_first = (add_index == '0);
  assign add_last  = add_valid && (add_index >= LastWord);

  stream_adder #(
    .WordWidth(WordWidth)
  ) u_adder (
    .clk_i,
    .rst_ni,
    .valid_i     (add_valid),
    .first_i     (add_first),
    .last_i      (add_last),
    .index_i     (add_index),
    .carry_i     (add_carry),
    .a_i         (add_a),
    .b_i         (add_b),
    .m_i         (add_m),
    .valid_o     (sum_valid),
    .index_o     (sum_index),
    .sum_o       (sum),
    .difference_o(difference),
    .last_o      (add_done),
    .negative_o  (negative),
    .above_one_o (outcome_o.above_one),
    .one_o       (outcome_o.one)
  );

  // Write the sum to the bank from which the value is read, and the difference to the other bank.
  // After the last word the borrow selects the bank with the residue. V + u*M keeps its sum.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) bank_q <= 1'b0;
    else if (add_done && !scale) bank_q <= bank_q ^ !negative;
  end

  assign pass_o.add_last    = add_last;
  assign outcome_o.done     = add_done;
  assign outcome_o.negative = negative;
  assign sum_tag.valid      = sum_valid;
  assign sum_tag.last       = 1'b0;
  assign sum_tag.index      = sum_index;
  assign residue_o          = residue;
  assign sum_nonzero        = sum_valid && (difference != '0);

  // ------------------------------------------------------------------------------------- Coherence
  logic comparing;  // the words of products 4 leave
  if (Coherent) begin : gen_coherence
    // The words of a product leave from its ready on: keep its control signal until the next ready.
    logic kept_q;
    assign comparing = a_ready ? control_i.compare : kept_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) kept_q <= 1'b0;
      else kept_q <= comparing;
    end

    exponentiation_coherence #(
      .WordWidth(WordWidth),
      .Words    (Words)
    ) u_coherence (
      .clk_i,
      .rst_ni,
      .valid_i   (a_valid && comparing),
      .index_i   (a_status_i.index),
      .a_word_i  (a_result_i),
      .s_word_i  (s_result_i),
      .modulus_i (modulus_o),
      .done_o    (outcome_o.compared),
      .coherent_o(outcome_o.coherent)
    );
  end else begin : gen_no_coherence
    assign comparing = 1'b0;
    assign outcome_o.compared = 1'b0;
    assign outcome_o.coherent = 1'b1;
  end

  // ----------------------------------------------------------------------------------------- Banks
  logic [WordIndexWidth-1:0] feed_index, pass_read, final_read, check_read;

  assign pass_read = (!pass || pass_last) ? '0 : pass_index_q + 1'b1;
  assign check_read = (control_i.check || control_i.match)
                    ? operand_i.index + WordIndexWidth'(operand_i.valid) : '0;
  assign final_read = (a_valid && (comparing || (a_final && !Scaled)))
                    ? a_status_i.index + 1'b1 : '0;
  assign feed_index = a_status_i.feed_index | s_status_i.feed_index;
  assign read_index = feed_index | pass_read | check_read | final_read | result_i.index;
  assign pass_o.read_index = read_index;

  logic [1:0] faults;
  logic bank_use;
  assign pass_o.fault = (bank_use && faults[bank_q]) || modulus_fault || mhat_fault;
  assign bank_use = (control_i.doubling && !control_i.first_doubling) || subtract
                 || control_i.copy || control_i.y_residue || control_i.deliver;

  for (genvar i = 0; i < 2; i++) begin : gen_bank
    logic [WordWidth-1:0] word;
    parity_memory #(
      .Width (WordWidth),
      .Depth (Words),
      .Parity(Parity)
    ) u_bank (
      .clk_i,
      .wipe_index_i (wipe_i.index),
      .write_i      (sum_valid),
      .write_index_i(sum_index),
      .data_i       ((bank_q == 1'(i)) ? sum : difference),
      .read_index_i (read_index),
      .data_o       (word),
      .fault_o      (faults[i])
    );
    if (i == 0) begin : gen_first
      assign bank_0 = word;
    end else begin : gen_second
      assign bank_1 = word;
    end
  end

  logic unused_bits;
  assign unused_bits = ^{control_i, a_status_i, s_status_i, s_result_i, result_i, wipe_i,
                         products_i, sum_nonzero};

endmodule
