// SPDX-License-Identifier: Apache-2.0
//
// Dual-multiplier datapath of interleaved cores, in the place of two ring cores of an
// exponentiation. Core names the core (core_pkg). Words of Y and M and bits of X come in; words of
// the products go out.
//
//   A = Xa*Y mod M, S = Xs*Y mod M, 0 <= A, S < M
//
// The module is parallel_unit with one Y, one table and one control for two products. The core's
// program makes the table entries of Y, then both cores run. Each core has an adder for its S and
// C, which divides by M. The adders read words of Y and M from their memories whenever they need
// them; for the cores, Y also has a register. The entries that depend on M alone are kept from a
// product with renew_i to the next such product. An adder keeps the words of a product until the
// next product has taken them in.
//
// start_i, x_begins_o: bit 0 of A, bit 1 of S. start_i, y_i, m_i, feed_index, valid, ready,
// done, word: contract of a ring core, see ring_unit, with two exceptions: the module requests
// words of Y and M during the whole of a product, and it may request words above the top of M. A
// product of S alone does not occur.
// x_begins_o: X is not valid yet; after it come the bits of X, from the highest of Width bits
// down, and each next_digit takes one.
// wipe_index_i: as in word_memory; while it is below Words, no product runs.
//
// Operands: M > 1, even or odd; X, Y below M.
// Latency, start to ready: that of parallel_control, with W = Words, and two cycles more; to done
// Words more. models/dual_exponentiation.py has the formula.
//
// Source: Amanor (2005), Algorithm 5 and ch. 5.3.

module interleaved_dual
  import multiplier_pkg::*;
  import core_pkg::*;
#(
  parameter int Width = 32,
  parameter int Guard = 2,
  parameter int WordWidth = 32,
  parameter int DigitWidth = 1,
  parameter int Words = 2,
  parameter int Core = CoreOptimizedInterleaved,
  parameter int Unfolding = 1
) (
  input  logic                                     clk_i,
  input  logic                                     rst_ni,
  input  logic                [WordIndexWidth-1:0] wipe_index_i,
  input  logic                [               1:0] start_i,
  input  logic                                     renew_i,
  input  logic                [    DigitWidth-1:0] a_digit_i,
  input  logic                [    DigitWidth-1:0] s_digit_i,
  input  logic                [     WordWidth-1:0] y_i,
  input  logic                [     WordWidth-1:0] m_i,
  output logic                [               1:0] x_begins_o,
  output stream_status_t                           a_status_o,
  output stream_status_t                           s_status_o,
  output logic                [     WordWidth-1:0] a_word_o,
  output logic                [     WordWidth-1:0] s_word_o,
  output stream_observation_t                      a_observation_o,
  output stream_observation_t                      s_observation_o
);

  localparam int PaddedWidth = Words * WordWidth;
  localparam int IndexWidth = (Words > 1) ? $clog2(Words) : 1;
  localparam logic [IndexWidth-1:0] LastWord = IndexWidth'(Words - 1);

  // --------------------------------------------------------------------------------------- Control
  // Ports of u_control, see parallel_control
  logic start, renew, busy, run_start, add_start, add_early_start, load, sum, move;
  logic result, result_next, result_done;
  logic operand_read, unit_done, first, add_done, run_done, clear;
  logic [1:0] add_reduction, run_q;  // run_q: the present product is one of A, of S
  logic [2:0] sum_slot, move_slot, unit_state;
  logic [3:0] unit_status;
  logic [Sources-1:0] source_a, source_b, source_a_q, source_b_q;
  logic [ProgramBits-1:0] steps;

  assign start = |start_i;
  assign renew = start && renew_i;

  // No checks here: the operands are products or have been checked to be below M, and M is above 1.
  parallel_control u_control (
    .clk_i,
    .rst_ni,
    .start_i           (start),
    .raw_i             (1'b0),
    .incomplete_i      (1'b0),
    .overwide_i        (1'b0),
    .m_written_i       (renew),
    .busy_o            (busy),
    .done_o            (unit_done),
    .status_o          (unit_status),
    .x_below_i         (1'b1),
    .y_below_i         (1'b1),
    .above_one_i       (1'b1),
    .odd_i             (1'b1),
    .steps_i           (steps),
    .odd_modulus_only_i(1'b0),
    .core_start_o      (run_start),
    .core_done_i       (run_done),
    .add_start_o       (add_start),
    .add_early_start_o (add_early_start),
    .add_reduction_o   (add_reduction),
    .add_source_a_o    (source_a),
    .add_source_b_o    (source_b),
    .add_first_i       (first),
    .add_done_i        (add_done),
    .clear_o           (clear),
    .read_o            (operand_read),
    .load_o            (load),
    .sum_o             (sum),
    .sum_slot_o        (sum_slot),
    .move_o            (move),
    .move_slot_o       (move_slot),
    .result_o          (result),
    .result_next_o     (result_next),
    .state_o           (unit_state),
    .result_done_o     (result_done)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {source_a_q, source_b_q} <= '0;
    end else begin
      source_a_q <= source_a;
      source_b_q <= source_b;
    end
  end

  // Give the words of the products when the adders have them.
  logic give_q, valid_q, done_q;
  logic [1:0] given_q;  // the products that the words belong to
  logic [IndexWidth-1:0] give_index_q, valid_index_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {run_q, give_q, given_q, give_index_q, valid_q, valid_index_q, done_q} <= '0;
    end else begin
      if (start) run_q <= start_i;
      if (result_done) begin
        give_q       <= 1'b1;
        given_q      <= run_q;
        give_index_q <= '0;
      end else if (give_q) begin
        give_q       <= (give_index_q != LastWord);
        give_index_q <= give_index_q + 1'b1;
      end
      valid_q       <= give_q;
      valid_index_q <= give_index_q;
      done_q        <= valid_q && (valid_index_q == LastWord);
    end
  end

  // ---------------------------------------------------------------------- Y, and the table entries
  logic step, takes, loading;
  logic [IndexWidth:0] m_read_index;
  logic [IndexWidth-1:0] word_index;
  logic [PaddedWidth-1:0] y_q;
  logic [WordWidth-1:0] value_word, power_word, a_word, b_word;
  logic [ConstSlots*WordWidth-1:0] constant_words;
  logic [ConstSlots*(Width+1)-1:0] constants;
  logic [2:0] slots;
  logic full;

  assign loading = step && load;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) y_q <= '0;
    else if (loading) y_q <= PaddedWidth'({y_i, y_q} >> WordWidth);
  end

  constant_registers #(
    .Width    (Width),
    .WordWidth(WordWidth),
    .Words    (Words)
  ) u_constants (
    .clk_i,
    .rst_ni,
    .slots_i    (slots),
    .full_i     (full),
    // A load moves the constants one cycle later than other passes, as in parallel_unit.
    .next_i     (takes || loading),
    .sum_i      (sum),
    .sum_slot_i (sum_slot),
    .sum_word_i (WordWidth'(0)),
    .move_i     (move),
    .move_slot_i(move_slot),
    .value_i    (value_word),
    .words_o    (constant_words),
    .constants_o(constants)
  );

  // Source 2**(Width+1)
  localparam int PowerWord = (Width + 1) / WordWidth;
  localparam int PowerBit = (Width + 1) % WordWidth;
  assign power_word = (32'(word_index) == PowerWord) ? WordWidth'(1) << PowerBit : '0;

  // Terms of the table entries. The only operand among them is Y.
  always_comb begin
    a_word = source_a_q[SourcePower] ? power_word : '0;
    b_word = source_b_q[SourceY] ? y_i : '0;
    for (int i = 0; i < ConstSlots; i++) begin
      if (source_a_q[32'(SourceConst0)+i]) a_word |= constant_words[i*WordWidth+:WordWidth];
      if (source_b_q[32'(SourceConst0)+i]) b_word |= constant_words[i*WordWidth+:WordWidth];
    end
  end

  // -------------------------------------------------------------------------- Two cores and adders
  logic [WordIndexWidth-1:0] feed_index;
  logic wipe;
  assign feed_index = busy ? WordIndexWidth'(m_read_index) : '0;
  assign wipe       = (wipe_index_i < WordIndexWidth'(Words));

  for (genvar i = 0; i < 2; i++) begin : gen_core
    parallel_control_t control;
    parallel_status_t core_status;
    parallel_description_t description;
    parallel_view_t view;
    stream_status_t status;
    stream_observation_t observation;
    logic [DigitWidth-1:0] digit;
    logic [TablePositions-1:0] x;
    logic [Width+Guard-1:0] s, c;
    logic [WordWidth-1:0] extra_a, extra_b, add_a, add_b, word, sum_word, difference_word;
    logic [2*WordWidth-1:0] bank_words;
    logic [IndexWidth-1:0] read_index, index, bank_index;
    logic [IndexWidth:0] m_index;
    logic core_start, core_done, pass_step, last_word, add_first, add_takes, bank_write, bank, done;
    logic pass_done, subtracted;

    assign core_start     = run_start && run_q[i];
    assign core_done      = core_status.done;
    assign control.start  = core_start;
    assign control.unload = takes && result_next;
    assign x              = TablePositions'(digit);

    parallel_core_select #(
      .Core     (Core),
      .Width    (Width),
      .Guard    (Guard),
      .WordWidth(WordWidth),
      .Unfolding(Unfolding)
    ) u_core (
      .clk_i,
      .rst_ni,
      .control_i    (control),
      .x_i          (x),
      .y_i          (y_q[Width-1:0]),
      .m_i          (Width'(0)),
      .const_i      (constants),
      .status_o     (core_status),
      .description_o(description),
      .view_o       (view),
      .s_o          (s),
      .c_o          (c)
    );

    word_stream_adder #(
      .ValueWidth(Width + Guard + 1),
      .WordWidth (WordWidth)
    ) u_adder (
      .clk_i,
      .rst_ni,
      .full_i        (description.full_reduction),
      .wipe_i        (wipe),
      .wipe_index_i  (wipe_index_i[IndexWidth-1:0]),
      .idle_i        (1'b0),
      .start_i       (add_start),
      .early_start_i (add_early_start),
      .reduction_i   (add_reduction),
      .load_i        (load),
      .read_index_o  (read_index),
      .m_read_index_o(m_index),
      .step_o        (pass_step),
      .first_o       (add_first),
      .takes_o       (add_takes),
      .index_o       (index),
      .last_o        (last_word),
      .a_i           (add_a),
      .b_i           (add_b),
      .m_i,
      .read_i        (give_q),
      .read_index_i  (give_index_q),
      .value_o       (word),
      .sum_o         (sum_word),
      .difference_o  (difference_word),
      .write_o       (bank_write),
      .write_index_o (bank_index),
      .bank_words_o  (bank_words),
      .bank_o        (bank),
      .done_o        (done),
      .pass_done_o   (pass_done),
      .subtracted_o  (subtracted)
    );

    assign x_begins_o[i] = load;
    assign status.busy = busy;
    assign status.ready = valid_q && given_q[i] && (valid_index_q == '0);
    assign status.done = done_q && given_q[i];
    assign status.next_digit = core_status.next;
    assign status.valid = valid_q && given_q[i];
    assign status.index = WordIndexWidth'(valid_index_q);
    assign status.feed_index = feed_index;
    assign status.parity = 1'b0;
    assign observation.state = view.state;
    assign observation.table_valid = view.table_valid;
    assign observation.table_addr = view.table_addr;
    // No ring: the core has no queue and no elements to observe.
    assign {observation.position, observation.top_carry, observation.digit_first} = '0;
    assign {observation.digit_queued, observation.digit_report, observation.carry_first} = '0;
    assign {observation.carry_valid, observation.carry_word} = '0;
    assign observation.sum_nonzero = pass_step && (difference_word != '0);
    assign observation.pass_done = pass_done;
    assign observation.subtracted = subtracted;
    assign observation.sum_done = done;
    assign observation.result_done = result_done;

    assign add_a = extra_a | (source_a_q[SourceS] ? WordWidth'(s) : '0)
                 | (source_a_q[SourceValue] ? word : '0);
    assign add_b = extra_b | (source_b_q[SourceC] ? WordWidth'(c) : '0)
                 | (source_b_q[SourceValue] ? word : '0);

    // The adder of A also makes the table entries.
    if (i == 0) begin : gen_a
      assign extra_a         = a_word;
      assign extra_b         = b_word;
      assign steps           = description.steps;
      assign slots           = description.slots;
      assign full            = description.full_reduction;
      assign run_done        = core_done;
      assign step            = pass_step;
      assign first           = add_first;
      assign takes           = add_takes;
      assign m_read_index    = m_index;
      assign word_index      = index;
      assign value_word      = word;
      assign add_done        = done;
      assign digit           = a_digit_i;
      assign a_status_o      = status;
      assign a_word_o        = word;
      assign a_observation_o = observation;
    end else begin : gen_s
      assign extra_a         = '0;
      assign extra_b         = '0;
      assign digit           = s_digit_i;
      assign s_status_o      = status;
      assign s_word_o        = word;
      assign s_observation_o = observation;
      logic unused_twin;
      assign unused_twin = ^{add_first, add_takes, m_index, index};
    end

    // Both adders run in step: control uses the outputs of one.
    logic unused_core;
    assign unused_core = ^{
      description, core_status, core_done, s, c, sum_word, bank_words, read_index, bank_index,
      bank_write, bank, last_word
    };
  end

  logic unused_bits;
  assign unused_bits = ^{
    operand_read, unit_done, unit_status, unit_state, clear, result, source_a_q, source_b_q, y_q,
    wipe_index_i
  };

  `ASSERT(NeverSAlone, start_i != 2'b10)
  `ASSERT(WipeWhileIdle, !(wipe && busy))

endmodule
