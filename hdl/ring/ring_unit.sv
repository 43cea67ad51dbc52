// SPDX-License-Identifier: Apache-2.0
//
// Multiplier unit around a ring core. Core names the core (core_pkg); the unit passes the core its
// own parameters.
//
//   P = X*Y/R mod M, 0 <= P < M, and the core's result S (C is 0)
//
// Operands are never held in full-width registers. The host uses words of the bus. A start streams
// X, Y and M into memories of the ring's words and compares them on the way. At the end the results
// stream back into words of the bus (word_converter). The ring and the adder read their words from
// memories by an index. The adder writes the sum into one bank and the difference into the other;
// the last borrow selects the bank that holds the residue.
//
// A core with a scale takes Mhat = 2**-ScaleBits mod M in the place of M. Its results are up to
// ScaleBits + 1 bits longer than M. P is the Montgomery reduction of such a result by 2**ScaleBits:
// scale_unit.
//
// Contract of a ring core. All streams are numbered from the lowest word or digit up.
//   In   control_i.start comes with word 0 of Y and M and digit 0 of X. The cycle after a cycle
//        with status_o.feed_index = j carries word j of Y and M. Each cycle of status_o.next_digit
//        takes the next digit of X; digits above the top of X are 0. m_prime_i, in cores that have
//        it, is stable.
//   Out  While status_o.valid is high, word_o is word status_o.index of the result. ready comes
//        with word 0. In the cycle after ready the next chained product may start, with this
//        result as operand: the core requests word j no earlier than one cycle after it gave word
//        j. done comes in the cycle after the last word of the ring. That cycle may carry one more
//        word (quotient_pipelined with Stages = 1), but not in a chain.
// control_i.kind: see multiplier_pkg, stable until done. ProductShort and ProductScale are for
// cores with a scale. Chain = 0: the core needs no chains.
//
// The core, the adder and the converters are in reset while no operation runs. The memories, the
// constant and the control keep their values.
//
// Parameters describe the core and come from its registry entry. MPrimeBits: width of m' = -1/M, 0
// for a core without m'. ScaleBits: 0 for a core without a scale. BinaryBits: width of 1/M as a
// polynomial over GF(2), 0 for a core without products of such polynomials (field_i, at the start).
// Ports as in parallel_unit. Latency: models/ring.py.
//
// Source: Jiang & Harris ("~5n RAM"); Michalski & Buell, ch. 5.4, for the subtraction.

module ring_unit
  import multiplier_pkg::*;
  import core_pkg::*;
#(
  parameter int Width = 32,
  parameter int BusWidth = 32,
  parameter int Guard = 2,
  parameter int IndexWidth = 8,
  parameter int WordWidth = 17,
  parameter int DigitWidth = 16,
  parameter int Words = 3,
  parameter int RadixBits = 48,
  parameter int MPrimeBits = 16,
  parameter int ScaleBits = 0,
  parameter int BinaryBits = 0,
  parameter int Core = CoreMwrkmm,
  parameter int Elements = 1,
  parameter int Stages = 1,
  parameter int Latency = 3,
  parameter int UnitWidth = 1,
  parameter int Units = 1,
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

  localparam bit Scaled = (ScaleBits > 0);
  localparam int ConstantBits = Scaled ? ScaleBits : MPrimeBits;  // 0: neither m' nor u
  localparam int WiderBits = (BinaryBits > ConstantBits) ? BinaryBits : ConstantBits;
  localparam int InverseBits = (WiderBits > 0) ? WiderBits : 1;
  localparam bit Binary = (BinaryBits > 0);
  localparam int SumBits = Scaled ? Width + 2 : Width + 1;  // width of the adder's result
  localparam int SumWords = (SumBits + WordWidth - 1) / WordWidth;
  localparam int Digits = RadixBits / ((UnitWidth > 1) ? UnitWidth : DigitWidth) + 1;

  // --------------------------------------------------------------------------------------- Control
  logic running, run_rst_n, load, load_last, core, constant, subtract, result, result_last;
  logic inverse_start, inverse_done, core_start, split_last, add_done;
  logic x_below, y_below, above_one, odd, field;
  logic [2:0] kind;
  logic [2:0] state;
  logic core_done;

  ring_unit_control #(
    .Constant(ConstantBits > 0),
    .Scaled(Scaled),
    .Binary(Binary),
    .Watchdog(Watchdog),
    .LimitCycles(ring_limit(
        Width + Guard, BusWidth, Words, Digits, InverseBits, Scaled, Elements, Latency, UnitWidth
    ))
  ) u_control (
    .clk_i,
    .rst_ni,
    .start_i,
    .raw_i,
    .field_i,
    .incomplete_i,
    .overwide_i,
    .m_written_i    (write_i[AddressMC]),
    .busy_o,
    .done_o,
    .status_o,
    .x_below_i      (x_below),
    .y_below_i      (y_below),
    .above_one_i    (above_one),
    .odd_i          (odd),
    .load_last_i    (load_last),
    .inverse_done_i (inverse_done),
    .core_done_i    (core_done),
    .split_last_i   (split_last),
    .add_done_i     (add_done),
    .result_last_i  (result_last),
    .running_o      (running),
    .load_o         (load),
    .inverse_start_o(inverse_start),
    .core_start_o   (core_start),
    .core_o         (core),
    .kind_o         (kind),
    .constant_o     (constant),
    .subtract_o     (subtract),
    .result_o       (result),
    .field_o        (field),
    .state_o        (state)
  );

  // Each operation begins in the same state: an upset of an idle unit has no effect on it.
  assign run_rst_n = rst_ni && running;

  // Icarus loses track of a port expression with a constant of the package: use signals instead.
  logic single, scale;
  assign single = (kind == ProductSingle) || (kind == ProductBinary);
  assign scale  = (kind == ProductScale);

  // -------------------------------------------------------------------------------------- Operands
  stream_status_t status;  // of the core
  logic [WordWidth-1:0] x_word, y_word, m_word;  // words of a load
  logic word_valid;
  logic [WordIndexWidth-1:0] word_index, digit_index, add_read;
  // Words of X for digits, of Y and M for the core, of M for the adder
  logic [WordWidth-1:0] x_digit, y_feed, m_feed, m_add;

  ring_unit_operands #(
    .Width     (Width),
    .BusWidth  (BusWidth),
    .IndexWidth(IndexWidth),
    .WordWidth (WordWidth),
    .Binary    (Binary)
  ) u_operands (
    .clk_i,
    .rst_ni,
    .run_rst_ni   (run_rst_n),
    .field_i      (field),
    .write_i,
    .index_i      (write_index_i),
    .data_i,
    .load_i       (load),
    .load_last_o  (load_last),
    .valid_o      (word_valid),
    .index_o      (word_index),
    .x_o          (x_word),
    .y_o          (y_word),
    .m_o          (m_word),
    .x_below_o    (x_below),
    .y_below_o    (y_below),
    .above_one_o  (above_one),
    .odd_o        (odd),
    .digit_index_i(digit_index),
    .x_digit_o    (x_digit),
    .feed_index_i (status.feed_index),
    .y_feed_o     (y_feed),
    .m_feed_o     (m_feed),
    .add_index_i  (add_read),
    .m_add_o      (m_add)
  );

  // -------------------------------------------------------------------------------------- The core
  stream_control_t control;
  stream_observation_t observation;
  logic [WordWidth-1:0] core_x, core_y, core_m, core_word;
  logic [DigitWidth-1:0] digit, m_prime;
  logic core_valid, restart;
  logic [WordIndexWidth-1:0] core_index;

  assign control.start = core_start;
  assign control.kind  = kind;
  assign core_valid    = status.valid;
  assign core_done     = status.done;
  assign core_index    = status.index;
  assign restart       = !core || core_done;

  digit_converter #(
    .WordWidth (WordWidth),
    .DigitWidth(DigitWidth),
    .Words     (Words)
  ) u_digits (
    .clk_i,
    .rst_ni   (run_rst_n),
    .restart_i(restart),
    .start_i  (core_start),
    .next_i   (status.next_digit),
    .index_o  (digit_index),
    .word_i   (core_x),
    .digit_o  (digit)
  );

  ring_core_select #(
    .Core(Core),
    .Width(Width),
    .Chain(1'b0),
    .WordWidth(WordWidth),
    .DigitWidth(DigitWidth),
    .Elements(Elements),
    .Stages(Stages),
    .Latency(Latency),
    .UnitWidth(UnitWidth),
    .Units(Units)
  ) u_core (
    .clk_i,
    .rst_ni       (run_rst_n),
    .control_i    (control),
    .status_o     (status),
    .digit_i      (digit),
    .y_i          (core_y),
    .m_i          (core_m),
    .m_prime_i    (m_prime),
    .word_o       (core_word),
    .observation_o(observation)
  );

  // ------------------------------------------------------------------------- m', or u of the scale
  logic [InverseBits-1:0] inverse, inverse_of;  // inverse = -inverse_of/M
  // Observed by the test bench: words of the constant.
  logic constant_valid;
  logic [WordIndexWidth-1:0] constant_index;
  logic [WordWidth-1:0] constant_word;

  montgomery_inverse #(
    .Bits      (ConstantBits),
    .BinaryBits(BinaryBits),
    .WordWidth (WordWidth)
  ) u_inverse (
    .clk_i,
    .rst_ni,
    .binary_i(field),
    .valid_i (word_valid),
    .index_i (word_index),
    .word_i  (m_word),
    .start_i (inverse_start),
    .value_i (inverse_of),
    .done_o  (inverse_done),
    .value_o (inverse)
  );

  // -------------------------------------------------------------------------- Product and residue
  logic add_valid, add_carry, subtracting, bank, negative, sum_valid;
  logic [WordIndexWidth-1:0] add_index, sum_index, p_index;
  logic [WordWidth-1:0] add_a, add_b, sum, difference, residue;

  if (Scaled) begin : gen_scale
    // split: a word of a product for scale_unit; split_valid: a word of it above the scale
    logic split, split_valid, write_mhat, write_upper;
    word_tag_t split_tag;
    logic [WordIndexWidth-1:0] split_index;
    logic [WordWidth-1:0] split_word, mhat, upper, u_word;
    logic [ScaleBits-1:0] low;

    assign split      = core_valid && core && !single;
    assign write_mhat = sum_valid && scale && constant;

    scale_unit #(
      .WordWidth(WordWidth),
      .ScaleBits(ScaleBits),
      .Words    (SumWords)
    ) u_scale (
      .clk_i,
      .rst_ni   (run_rst_n),
      .valid_i  (split),
      .first_i  (status.ready),
      .keep_i   (scale),
      .word_i   (core_word),
      .low_o    (low),
      .split_o  (split_tag),
      .word_o   (split_word),
      .u_i      (inverse),
      .u_index_i(digit_index),
      .u_word_o (u_word)
    );

    assign split_valid = split_tag.valid;
    assign split_last  = split_tag.last;
    assign split_index = split_tag.index;
    assign write_upper = split_valid && !scale;

    // Words of the product S' above the scale
    operand_memory #(
      .Bits           (Width + 1),
      .WriteWidth     (WordWidth),
      .ReadWidth      (WordWidth),
      .WriteIndexWidth(WordIndexWidth),
      .ReadIndexWidth (WordIndexWidth)
    ) u_upper (
      .clk_i,
      .rst_ni,
      .write_i      (write_upper),
      .write_index_i(split_index),
      .data_i       (split_word),
      .read_i       (1'b1),
      .read_index_i (add_read),
      .data_o       (upper)
    );

    operand_memory #(
      .Bits           (Width),
      .WriteWidth     (WordWidth),
      .ReadWidth      (WordWidth),
      .WriteIndexWidth(WordIndexWidth),
      .ReadIndexWidth (WordIndexWidth)
    ) u_mhat (
      .clk_i,
      .rst_ni,
      .write_i      (write_mhat),
      .write_index_i(sum_index),
      .data_i       (sum),
      .read_i       (1'b1),
      .read_index_i (status.feed_index),
      .data_o       (mhat)
    );

    assign inverse_of     = core ? low : InverseBits'(1);
    assign core_x         = scale ? u_word : x_digit;
    assign core_y         = scale ? m_feed : y_feed;
    assign core_m         = scale ? '0 : mhat;
    assign m_prime        = '0;
    assign constant_valid = write_mhat;
    assign constant_index = sum_index;
    assign constant_word  = sum;

    // Add S' and u*M, both above the scale. The bits below the scale sum to 0 and carry 1, unless
    // those of S' are all 0.
    assign add_valid      = split_valid && scale;
    assign add_index      = split_index;
    assign add_a          = split_word;
    assign add_b          = constant ? '0 : upper;
    assign add_carry      = constant || (low != '0);
    assign subtracting    = subtract;
  end else begin : gen_no_scale
    assign split_last     = 1'b0;
    assign inverse_of     = InverseBits'(1);
    assign core_x         = x_digit;
    assign core_y         = y_feed;
    assign core_m         = m_feed;
    assign m_prime        = DigitWidth'(inverse);
    assign constant_valid = 1'b1;
    assign constant_index = '0;
    assign constant_word  = WordWidth'(inverse);

    assign add_valid      = core_valid && core && (core_index < WordIndexWidth'(SumWords));
    assign add_index      = core_index;
    assign add_a          = core_word;
    assign add_b          = '0;
    assign add_carry      = 1'b0;
    assign subtracting    = 1'b0;
  end

  ring_unit_residue #(
    .WordWidth(WordWidth),
    .Words    (SumWords)
  ) u_residue (
    .clk_i,
    .rst_ni        (run_rst_n),
    .valid_i       (add_valid),
    .index_i       (add_index),
    .carry_i       (add_carry),
    .a_i           (add_a),
    .b_i           (add_b),
    .m_i           (m_add),
    .subtract_i    (subtracting),
    .read_index_o  (add_read),
    .valid_o       (sum_valid),
    .index_o       (sum_index),
    .sum_o         (sum),
    .difference_o  (difference),
    .bank_o        (bank),
    .done_o        (add_done),
    .negative_o    (negative),
    .result_i      (result),
    .result_index_i(p_index),
    .residue_o     (residue)
  );

  // -------------------------------------------------------------------------------- Results: P, S
  logic store_s;
  assign store_s = core_valid && core && single;

  ring_unit_results #(
    .Width     (Width),
    .Bits      (Width + Guard),
    .BusWidth  (BusWidth),
    .IndexWidth(IndexWidth),
    .WordWidth (WordWidth)
  ) u_results (
    .clk_i,
    .rst_ni,
    .store_i      (store_s),
    .store_index_i(core_index),
    .store_word_i (core_word),
    .result_i     (result),
    .result_last_o(result_last),
    .p_index_o    (p_index),
    .p_i          (residue),
    .read_i,
    .index_i      (read_index_i),
    .word_o
  );

  // ----------------------------------------------------------------------------------- Observation
  ring_view_t ring;
  assign ring.digit_first   = observation.digit_first;
  assign ring.digit_queued  = observation.digit_queued;
  assign ring.digit_report  = observation.digit_report;
  assign ring.carry_first   = observation.carry_first;
  assign ring.again         = Scaled;
  assign view_o.state       = state;
  assign view_o.core_start  = core_start && single;
  assign view_o.core_ready  = status.ready;
  assign view_o.core_done   = core_done;
  assign view_o.core_busy   = status.busy && single;
  assign view_o.core_state  = observation.state;
  assign view_o.table_valid = single ? observation.table_valid : '0;
  assign view_o.table_addr  = observation.table_addr;
  assign view_o.carry_valid = observation.carry_valid && single;
  assign view_o.pass_done   = add_done;
  assign view_o.subtracted  = !negative;
  assign view_o.sum_done    = add_done && (!Scaled || subtract || constant);
  assign view_o.result_done = add_done && (!Scaled || subtract) && x_below && y_below;
  assign view_o.carry_word  = observation.carry_word;
  assign view_o.ring        = ring;

  assign binary_o           = Binary;
  logic unused_bits;
  assign unused_bits = ^{
    constant_valid, constant_index, constant_word, x_word, y_word, bank, sum_valid,
    sum_index, sum, difference, status, observation, constant, scale, subtract
  };

endmodule
