// SPDX-License-Identifier: Apache-2.0
//
// Multiplier unit around a core with parallel operands. Core names the core (core_pkg); the unit
// passes the core its own parameters.
//
//   P = X*Y/R mod M (Montgomery cores) or X*Y mod M (interleaved cores), 0 <= P < M
//
// Operands and results are memories. The bus side uses words of BusWidth bits. The other side moves
// words of AddWidth bits, one a cycle. A start reads X, Y and M from their memories. The words go
// through the checks and the adder. Y, M and the constants also shift word by word, from the top,
// into registers. During the loop the unit reads X a second time and feeds it bit by bit to the
// core (operand_bits). After the loop the words of S and C leave the core, go through the adder,
// and into the result memories together with the words of P. No multiplexer picks a word out of a
// register.
//
// Every core keeps the same contract, so that this file names no core. Its ports use structs of
// multiplier_pkg:
//   clk_i, rst_ni
//   control_i   start: the loop begins; unload: in the next cycle S and C move down by a word of
//               WordWidth bits, with 0 from the top (S and C are 0 at each start)
//   x_i         the next TablePositions bits of X; a cycle takes description_o.x_bits of them
//   y_i, m_i    Width bits;  const_i: ConstSlots constants of Width + 1 bits: stable while busy
//   status_o    busy, done, next: this cycle takes the bits of X
//   description_o
//               constant: the steps before and after the loop, R, the number of constants, the
//               bits of X per cycle and their order
//   view_o      observation, for the test bench
//   s_o, c_o    Width + Guard bits, stable from done to the cycle after the first unload
//
// write_i to word_o: the words of operand_loader. status_o: multiplier_pkg.
// Latency: see parallel_control; the registry entry of the architecture has the formula.
//
// Source: Amanor (2005), ch. 5.3 and step P of each algorithm.

module parallel_unit
  import multiplier_pkg::*;
  import core_pkg::*;
#(
  parameter int Width = 32,
  parameter int BusWidth = 32,
  parameter int AddWidth = 32,
  parameter int Guard = 2,
  parameter int IndexWidth = 8,
  parameter int Core = CoreFastMontgomery,
  parameter int Unfolding = 1,
  parameter bit Watchdog = 1'b0
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  // Bus words
  input  logic             [           2:0] write_i,
  input  logic             [           2:0] read_i,
  input  logic             [IndexWidth-1:0] write_index_i,
  input  logic             [IndexWidth-1:0] read_index_i,
  input  logic             [  BusWidth-1:0] data_i,
  output logic             [  BusWidth-1:0] word_o,
  // Operation
  input  logic                              start_i,
  input  logic                              raw_i,
  input  logic                              field_i,
  input  logic                              incomplete_i,
  input  logic                              overwide_i,
  output logic                              busy_o,
  output logic                              done_o,
  output logic             [           3:0] status_o,
  output logic                              binary_o,
  // Observation
  output multiplier_view_t                  view_o
);

  localparam int ValueWidth = Width + Guard + 1;
  localparam int Words = (ValueWidth + AddWidth - 1) / AddWidth;
  localparam int AddIndexWidth = (Words > 1) ? $clog2(Words) : 1;

  // Control
  parallel_control_t core_control;
  parallel_status_t core_status;
  parallel_description_t description;
  parallel_view_t core_view;
  logic x_below, y_below, above_one, odd;
  logic core_rst_n, add_rst_n, clear;
  logic core_start, add_start, add_early_start, add_done, load, sum, move;
  logic result, result_next, result_done;
  logic [1:0] add_reduction;
  logic [Sources-1:0] source_a, source_b;
  logic [2:0] sum_slot, move_slot, state;

  // Adder
  logic operand_read, step, last_word, first, takes, bank, pass_done, subtracted;
  logic [AddIndexWidth-1:0] word_read_index, word_index;
  logic [AddIndexWidth:0] m_read_index;
  logic [AddWidth-1:0] x_word, y_word, m_word, add_a, add_b;
  logic [AddWidth-1:0] value_word, sum_word, difference_word;
  logic bank_write;
  logic [AddIndexWidth-1:0] bank_index;
  logic [2*AddWidth-1:0] bank_words;

  parallel_control #(
    .Watchdog(Watchdog),
    .LimitCycles(parallel_limit(Width, Words, ValueWidth, Unfolding, is_full_reduction_core(Core)))
  ) u_control (
    .clk_i,
    .rst_ni,
    .start_i,
    .raw_i,
    .incomplete_i,
    .overwide_i,
    .m_written_i       (write_i[AddressMC]),
    .busy_o,
    .done_o,
    .status_o,
    .x_below_i         (x_below),
    .y_below_i         (y_below),
    .above_one_i       (above_one),
    .odd_i             (odd),
    .steps_i           (description.steps),
    .odd_modulus_only_i(description.radix_bits != '0),
    .core_start_o      (core_start),
    .core_done_i       (core_status.done),
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
    .state_o           (state),
    .result_done_o     (result_done)
  );

  // -------------------------------------------------------------------------------------- Operands
  logic load_step, x_read;
  logic [TablePositions-1:0] x_bits;
  logic [Width-1:0] y, m;

  // Read X by words during the load. Also read it while idle, as an operation begins with a load.
  assign load_step = step && load;
  assign x_read    = !busy_o || (load_step && !last_word);

  parallel_operands #(
    .Width        (Width),
    .BusWidth     (BusWidth),
    .IndexWidth   (IndexWidth),
    .WordWidth    (AddWidth),
    .AddIndexWidth(AddIndexWidth)
  ) u_operands (
    .clk_i,
    .rst_ni,
    .write_i,
    .index_i       (write_index_i),
    .data_i,
    .read_i        (operand_read),
    .read_index_i  (word_read_index),
    .x_read_i      (x_read),
    .m_read_index_i(m_read_index),
    .x_o           (x_word),
    .y_o           (y_word),
    .m_o           (m_word),
    .load_i        (load_step),
    .load_index_i  (word_index),
    .x_below_o     (x_below),
    .y_below_o     (y_below),
    .above_one_o   (above_one),
    .odd_o         (odd),
    .downwards_i   (description.x_downwards),
    .take_i        (description.x_bits),
    .next_i        (core_status.next),
    .x_bits_o      (x_bits),
    .y_all_o       (y),
    .m_all_o       (m)
  );

  // ----------------------------------------------------------------------------------------------
  // Constants: each register rotates by words in every pass; a new constant enters on the way
  // ----------------------------------------------------------------------------------------------
  logic [ConstSlots*(Width+1)-1:0] constants;
  logic [ ConstSlots*AddWidth-1:0] constant_words;

  constant_registers #(
    .Width    (Width),
    .WordWidth(AddWidth),
    .Words    (Words)
  ) u_constants (
    .clk_i,
    .rst_ni,
    .slots_i    (description.slots),
    .full_i     (description.full_reduction),
    // Timing: next_i drives registers near all bits, and the start of a load comes late in its
    // cycle. So a load moves the constants one cycle later than other passes, with sum_word, which
    // comes from a register.
    .next_i     (takes || load_step),
    .sum_i      (sum),
    .sum_slot_i (sum_slot),
    .sum_word_i (sum_word),
    .move_i     (move),
    .move_slot_i(move_slot),
    .value_i    (value_word),
    .words_o    (constant_words),
    .constants_o(constants)
  );

  // -------------------------------------------------------------------------------- Core and adder
  logic [Width+Guard-1:0] s, c;
  logic [AddWidth-1:0] s_word, c_word;

  // Each operation begins in the same state: an upset of an idle core has no effect on it. The
  // adder is not in reset, as it begins in the cycle of the start: idle_i clears its state.
  assign core_rst_n          = rst_ni && busy_o;
  assign add_rst_n           = rst_ni && !clear;
  assign core_control.start  = core_start;
  assign core_control.unload = takes && result_next;

  parallel_core_select #(
    .Core     (Core),
    .Width    (Width),
    .Guard    (Guard),
    .WordWidth(AddWidth),
    .Unfolding(Unfolding)
  ) u_core (
    .clk_i,
    .rst_ni       (core_rst_n),
    .control_i    (core_control),
    .x_i          (x_bits),
    .y_i          (y),
    .m_i          (m),
    .const_i      (constants),
    .status_o     (core_status),
    .description_o(description),
    .view_o       (core_view),
    .s_o          (s),
    .c_o          (c)
  );

  assign s_word = AddWidth'(s);
  assign c_word = AddWidth'(c);

  // Only the lowest word of S and C leaves the core.
  logic unused_bits;
  assign unused_bits = ^{s, c, x_word, difference_word, field_i};

  // Source 2**(Width+1): power_q is high in the cycle of the word that contains the single 1 bit.
  localparam int PowerWord = (Width + 1) / AddWidth;
  localparam int PowerBit = (Width + 1) % AddWidth;
  logic power_q;
  logic [AddWidth-1:0] power_word;
  assign power_word = AddWidth'(power_q) << PowerBit;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) power_q <= 1'b0;
    else power_q <= (32'(word_read_index) == PowerWord);
  end

  // Sources of the adder: a word for each source code, and a mask that selects it for A or B.
  logic [Sources*AddWidth-1:0] source_words, chosen_a, chosen_b;

  for (genvar i = 0; i < Sources; i++) begin : gen_source
    segment_registers #(
      .Width  (AddWidth),
      .Segment(WordSegment)
    ) u_chosen_a (
      .clk_i,
      .rst_ni,
      .bit_i (source_a[i]),
      .bits_o(chosen_a[i*AddWidth+:AddWidth])
    );

    segment_registers #(
      .Width  (AddWidth),
      .Segment(WordSegment)
    ) u_chosen_b (
      .clk_i,
      .rst_ni,
      .bit_i (source_b[i]),
      .bits_o(chosen_b[i*AddWidth+:AddWidth])
    );
  end

  // In the order of step_source_e. No step adds X.
  assign source_words = {
    (2 * AddWidth)'(0),
    constant_words,
    value_word,
    power_word,
    c_word,
    s_word,
    m_word,
    y_word,
    (2 * AddWidth)'(0)
  };

  // The OR of all words. Icarus is slow with a loop over parts of a vector, so that each step takes
  // the OR of both halves.
  function automatic logic [AddWidth-1:0] or_of_words(input logic [Sources*AddWidth-1:0] words);
    logic [Sources*AddWidth-1:0] merged;
    merged = words;
    for (int half = Sources / 2; half > 0; half = half / 2) begin
      merged = merged | (merged >> (half * AddWidth));
    end
    or_of_words = merged[AddWidth-1:0];
  endfunction

  assign add_a = or_of_words(source_words & chosen_a);
  assign add_b = or_of_words(source_words & chosen_b);

  word_stream_adder #(
    .ValueWidth(ValueWidth),
    .WordWidth (AddWidth)
  ) u_adder (
    .clk_i,
    .rst_ni        (add_rst_n),
    .full_i        (description.full_reduction),
    .wipe_i        (1'b0),
    .wipe_index_i  (AddIndexWidth'(0)),
    .idle_i        (!busy_o),
    .start_i       (add_start),
    .early_start_i (add_early_start),
    .reduction_i   (add_reduction),
    .load_i        (load),
    .read_index_o  (word_read_index),
    .m_read_index_o(m_read_index),
    .step_o        (step),
    .first_o       (first),
    .takes_o       (takes),
    .index_o       (word_index),
    .last_o        (last_word),
    .a_i           (add_a),
    .b_i           (add_b),
    .m_i           (m_word),
    .read_i        (1'b0),
    .read_index_i  (AddIndexWidth'(0)),
    .value_o       (value_word),
    .sum_o         (sum_word),
    .difference_o  (difference_word),
    .write_o       (bank_write),
    .write_index_o (bank_index),
    .bank_words_o  (bank_words),
    .bank_o        (bank),
    .done_o        (add_done),
    .pass_done_o   (pass_done),
    .subtracted_o  (subtracted)
  );

  // ----------------------------------------- Results: two banks, one of which holds P, and S and C
  localparam int Kinds = 4;

  logic [Kinds*AddWidth-1:0] stored_words;
  logic [Kinds-1:0] store;
  logic result_q;  // the output registers of the adder hold words of the result

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) result_q <= 1'b0;
    else result_q <= result;
  end

  assign stored_words = {c_word, s_word, bank_words};
  assign store = {{2{step && first && result}}, {2{bank_write && result_q}}};

  parallel_results #(
    .Width          (Width),
    .Guard          (Guard),
    .BusWidth       (BusWidth),
    .IndexWidth     (IndexWidth),
    .WordWidth      (AddWidth),
    .StoreIndexWidth(AddIndexWidth)
  ) u_results (
    .clk_i,
    .rst_ni,
    .store_i          (store),
    .words_i          (stored_words),
    .bank_index_i     (bank_index),
    .redundant_index_i(word_index),
    .bank_i           (bank),
    .read_i,
    .index_i          (read_index_i),
    .word_o
  );

  // ----------------------------------------------------------------------------------- Observation
  assign view_o.state       = state;
  assign view_o.core_start  = core_start;
  assign view_o.core_ready  = core_status.done;
  assign view_o.core_done   = core_status.done;
  assign view_o.core_busy   = core_status.busy;
  assign view_o.core_state  = core_view.state;
  assign view_o.table_valid = core_view.table_valid;
  assign view_o.table_addr  = core_view.table_addr;
  assign view_o.pass_done   = pass_done;
  assign view_o.subtracted  = subtracted;
  assign view_o.sum_done    = add_done;
  assign view_o.result_done = result_done;
  assign view_o.carry_valid = 1'b0;
  assign view_o.carry_word  = '0;
  assign view_o.ring        = '0;

  // No core with parallel operands multiplies polynomials over GF(2).
  assign binary_o           = 1'b0;

endmodule
