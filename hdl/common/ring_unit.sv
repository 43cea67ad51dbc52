// SPDX-License-Identifier: Apache-2.0
//
// Multiplier unit around a ring core: the one named by the macro MULTIPLIER_STREAM_CORE, with its
// own parameters from MULTIPLIER_STREAM_CORE_PARAMETERS.
//
//   P = X*Y/R mod M, 0 <= P < M, and the core's result S (C is 0)
//
// No operand is anywhere as a whole. Words of the host are as wide as the bus; a start streams X, Y
// and M into memories of the ring's words and compares them on the way, and the results go back at
// the end (word_converter). What the ring is fed with, and what the adder needs, come out of
// memories by an index; the adder leaves sum and difference in two banks, of which the last borrow
// says which one has the residue.
//
// A core that takes Mhat = 2**-ScaleBits mod M in the place of M has results up to ScaleBits + 1
// bits longer than M. P is the Montgomery reduction by 2**ScaleBits of the product without its last
// digits, S' = X*Y*2**ScaleBits/R (mod M), below 2*M*2**ScaleBits:
//
//   u = -S'/M mod 2**ScaleBits;   P = (S' + u*M)/2**ScaleBits, below 3*M
//
// The ring itself multiplies u by M. Mhat is the same reduction of 1.
//
// Contract of a ring core, word streams, all numbered from the lowest word or digit on:
//   control_i.start with word 0 of Y and M and digit 0 of X; then word feed_index of Y and M in the
//   clock after the one in which status_o.feed_index says so, and the next digit of X in each clock
//   of next_digit. Digits behind the top of X are 0. m_prime_i, for cores that have it, steady
//   -> status_o.valid: word_o is word index of the result; ready with word 0, and in the next clock
//      the next chained product may start, whose operands are this result: its word j is asked for
//      a clock after it was given or later; done in the clock after the last word of the ring, in
//      which there may be one more, but not in a chain
// control_i.kind: multiplier_pkg; the last two are for cores with a scale. Chain = 0: no chains.
//
// Parameters say what the core is like; the registry entry has them. RadixBits: R of a chain is
// 2**RadixBits. MPrimeBits: of m' = -1/M; 0: none. ScaleBits: 0 for a core without a scale.
// Ports as parallel_unit. Latency: models/ring_unit.py.
//
// Source: Jiang & Harris ("~5n RAM"); Michalski & Buell, ch. 5.4, for the subtraction.

`ifndef MULTIPLIER_STREAM_CORE
`define MULTIPLIER_STREAM_CORE mwrkmm
`endif  // MULTIPLIER_STREAM_CORE
`ifndef MULTIPLIER_STREAM_CORE_PARAMETERS
`define MULTIPLIER_STREAM_CORE_PARAMETERS
`endif  // MULTIPLIER_STREAM_CORE_PARAMETERS

module ring_unit
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int BusWidth = 32,
  parameter int AddWidth = 32,
  parameter int Guard = 2,
  parameter int IndexWidth = 8,
  parameter int WordWidth = 17,
  parameter int DigitWidth = 16,
  parameter int Words = 3,
  parameter int RadixBits = 48,
  parameter int MPrimeBits = 16,
  parameter int ScaleBits = 0
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  // Bus words
  input  logic             [           2:0] write_i,
  input  logic             [           2:0] read_i,
  input  logic             [IndexWidth-1:0] index_i,
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
  localparam int ConstantBits = Scaled ? ScaleBits : (MPrimeBits > 0) ? MPrimeBits : 1;
  localparam int ConstantWords = (ConstantBits + WordWidth - 1) / WordWidth;
  localparam int ResultBits = Width + Guard;
  localparam int HostWords = (Width + BusWidth - 1) / BusWidth;
  localparam int HostResultWords = (ResultBits + BusWidth - 1) / BusWidth;
  localparam int OperandWords = (Width + WordWidth - 1) / WordWidth;
  localparam int ResultWords = (ResultBits + WordWidth - 1) / WordWidth;
  localparam int SumBits = Scaled ? Width + 2 : Width + 1;  // of what the adder makes
  localparam int SumWords = (SumBits + WordWidth - 1) / WordWidth;

  // --------------------------------------------------------------------------------------- Control
  logic load, load_last, core, constant, subtract, result, result_last;
  logic inverse_start, inverse_done, core_start, split_last, add_done;
  logic x_below, y_below, above_one, odd;
  logic [1:0] kind;
  logic [2:0] state;
  logic core_done;

  ring_unit_control #(
    .Constant(Scaled || (MPrimeBits > 0)),
    .Scaled  (Scaled)
  ) u_control (
    .clk_i,
    .rst_ni,
    .start_i,
    .raw_i,
    .incomplete_i,
    .overwide_i,
    .m_written_i    (write_i[SelectMC]),
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
    .load_o         (load),
    .inverse_start_o(inverse_start),
    .core_start_o   (core_start),
    .core_o         (core),
    .kind_o         (kind),
    .constant_o     (constant),
    .subtract_o     (subtract),
    .result_o       (result),
    .state_o        (state)
  );

  // Icarus loses track of an expression with a constant of the package at a port.
  logic single, scale;
  assign single = (kind == ProductSingle);
  assign scale  = (kind == ProductScale);

  // ---------------------------------------------------------------- Operands, in words of the ring
  logic [3*WordIndexWidth-1:0] load_index;
  logic [3*WordWidth-1:0] load_words;
  logic [2:0] load_valid, load_end;

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
      .clear_i      (1'b0),
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
      .OutWords(OperandWords)
    ) u_convert (
      .clk_i,
      .rst_ni,
      .run_i   (load),
      .index_o (host_index),
      .data_i  (host_word),
      .valid_o (load_valid[i]),
      .last_o  (load_end[i]),
      .number_o(load_index[i*WordIndexWidth+:WordIndexWidth]),
      .data_o  (load_words[i*WordWidth+:WordWidth])
    );
  end

  logic [WordWidth-1:0] x_word, y_word, m_word;  // on their way in
  logic word_valid, word_first;
  logic [WordIndexWidth-1:0] word_index;

  assign x_word     = load_words[SelectXP*WordWidth+:WordWidth];
  assign y_word     = load_words[SelectYS*WordWidth+:WordWidth];
  assign m_word     = load_words[SelectMC*WordWidth+:WordWidth];
  assign word_valid = load_valid[SelectMC];
  assign word_index = load_index[SelectMC*WordIndexWidth+:WordIndexWidth];
  assign word_first = (word_index == '0);
  assign load_last  = load_end[SelectMC];

  operand_check #(
    .WordWidth(WordWidth)
  ) u_check (
    .clk_i,
    .rst_ni,
    .step_i     (word_valid),
    .first_i    (word_first),
    .x_i        (x_word),
    .y_i        (y_word),
    .m_i        (m_word),
    .x_below_o  (x_below),
    .y_below_o  (y_below),
    .above_one_o(above_one),
    .odd_o      (odd)
  );

  // Memories of the ring's words. M is there twice: one is read with the words that go into the
  // ring, the other with those that come out of it.
  logic [WordIndexWidth-1:0] digit_index, feed_index, add_read;
  logic [WordWidth-1:0] x_digits, y_feed, m_feed, m_add;

  operand_memory #(
    .Bits           (Width),
    .WriteWidth     (WordWidth),
    .ReadWidth      (WordWidth),
    .WriteIndexWidth(WordIndexWidth),
    .ReadIndexWidth (WordIndexWidth)
  ) u_x (
    .clk_i,
    .rst_ni,
    .clear_i      (1'b0),
    .write_i      (word_valid),
    .write_index_i(word_index),
    .data_i       (x_word),
    .read_i       (1'b1),
    .read_index_i (digit_index),
    .data_o       (x_digits)
  );

  operand_memory #(
    .Bits           (Width),
    .WriteWidth     (WordWidth),
    .ReadWidth      (WordWidth),
    .WriteIndexWidth(WordIndexWidth),
    .ReadIndexWidth (WordIndexWidth)
  ) u_y (
    .clk_i,
    .rst_ni,
    .clear_i      (1'b0),
    .write_i      (word_valid),
    .write_index_i(word_index),
    .data_i       (y_word),
    .read_i       (1'b1),
    .read_index_i (feed_index),
    .data_o       (y_feed)
  );

  operand_memory #(
    .Bits           (Width),
    .WriteWidth     (WordWidth),
    .ReadWidth      (WordWidth),
    .WriteIndexWidth(WordIndexWidth),
    .ReadIndexWidth (WordIndexWidth)
  ) u_m (
    .clk_i,
    .rst_ni,
    .clear_i      (1'b0),
    .write_i      (word_valid),
    .write_index_i(word_index),
    .data_i       (m_word),
    .read_i       (1'b1),
    .read_index_i (feed_index),
    .data_o       (m_feed)
  );

  operand_memory #(
    .Bits           (Width),
    .WriteWidth     (WordWidth),
    .ReadWidth      (WordWidth),
    .WriteIndexWidth(WordIndexWidth),
    .ReadIndexWidth (WordIndexWidth)
  ) u_m_add (
    .clk_i,
    .rst_ni,
    .clear_i      (1'b0),
    .write_i      (word_valid),
    .write_index_i(word_index),
    .data_i       (m_word),
    .read_i       (1'b1),
    .read_index_i (add_read),
    .data_o       (m_add)
  );

  // -------------------------------------------------------------------------------------- The core
  stream_control_t control;
  stream_status_t status;
  stream_observation_t observation;
  logic [WordWidth-1:0] core_x, core_y, core_m, core_word;
  logic [DigitWidth-1:0] digit, m_prime;
  logic core_valid, core_ready, core_busy, next_digit, restart;
  logic [WordIndexWidth-1:0] core_index;

  assign control.start = core_start;
  assign control.kind  = kind;
  assign core_valid    = status.valid;
  assign core_ready    = status.ready;
  assign core_done     = status.done;
  assign core_busy     = status.busy;
  assign core_index    = status.index;
  assign next_digit    = status.next_digit;
  assign feed_index    = status.feed_index;
  assign restart       = !core || core_done;

  digit_converter #(
    .WordWidth (WordWidth),
    .DigitWidth(DigitWidth),
    .Words     (Words)
  ) u_digits (
    .clk_i,
    .rst_ni,
    .restart_i(restart),
    .start_i  (core_start),
    .next_i   (next_digit),
    .index_o  (digit_index),
    .word_i   (core_x),
    .digit_o  (digit)
  );

  `MULTIPLIER_STREAM_CORE #(
    .Width(Width),
    .Chain(1'b0)
    `MULTIPLIER_STREAM_CORE_PARAMETERS
  ) u_core (
    .clk_i,
    .rst_ni,
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
  logic [ConstantBits-1:0] inverse, inverse_of, low;
  // Observed: words of the constant.
  logic constant_valid;
  logic [WordIndexWidth-1:0] constant_index;
  logic [WordWidth-1:0] constant_word;

  if (Scaled || (MPrimeBits > 0)) begin : gen_inverse
    localparam int LowWidth = ConstantWords * WordWidth;
    logic [LowWidth-1:0] m_low_q;
    logic [7:0] inverse_bits;
    assign inverse_bits = 8'(ConstantBits - 1);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        m_low_q <= '0;
      end else if (load) begin
        for (int i = 0; i < ConstantWords; i++) begin
          if (word_valid && (word_index == WordIndexWidth'(i))) begin
            m_low_q[i*WordWidth+:WordWidth] <= m_word;
          end else if (word_first) begin
            m_low_q[i*WordWidth+:WordWidth] <= '0;
          end
        end
      end
    end

    montgomery_inverse #(
      .MaxBits(ConstantBits)
    ) u_inverse (
      .clk_i,
      .rst_ni,
      .start_i (inverse_start),
      .binary_i(1'b0),
      .bits_i  (inverse_bits),
      .value_i (inverse_of),
      .m_i     (m_low_q[ConstantBits-1:0]),
      .done_o  (inverse_done),
      .value_o (inverse)
    );

    logic unused_low;
    assign unused_low = ^m_low_q;
  end else begin : gen_no_inverse
    assign inverse_done = 1'b0;
    assign inverse      = '0;
    logic unused_inverse;
    assign unused_inverse = ^{inverse_start, inverse_of};
  end

  // ------------------------------------------------------------------------- Adder, and two banks
  logic add_valid, add_first, add_carry, add_last, bank_q, pass;
  logic [WordIndexWidth-1:0] add_index, result_index, bank_index, pass_index_q;
  logic [WordWidth-1:0] add_a, add_b, sum, difference, residue, bank_0, bank_1;
  logic [WordIndexWidth-1:0] sum_index;
  logic sum_valid, negative, sum_above_one, sum_one;
  localparam logic [WordIndexWidth-1:0] LastSum = WordIndexWidth'(SumWords - 1);

  if (Scaled) begin : gen_scale
    // Mhat, and the words of S' above the scale.
    logic split, split_first, split_valid, keep_low, write_mhat, write_upper;
    logic [WordIndexWidth-1:0] split_index;
    logic [WordWidth-1:0] split_word, mhat, upper, u_word_q;
    logic [ScaleBits-1:0] low_part;

    assign split       = core_valid && core && !single;
    assign split_first = core_ready;
    assign keep_low    = scale;
    assign write_mhat  = sum_valid && scale && constant;
    assign write_upper = split_valid && !scale;

    word_splitter #(
      .WordWidth(WordWidth),
      .LowBits  (ScaleBits),
      .Words    (SumWords)
    ) u_split (
      .clk_i,
      .rst_ni,
      .valid_i(split),
      .first_i(split_first),
      .keep_i (keep_low),
      .word_i (core_word),
      .low_o  (low_part),
      .valid_o(split_valid),
      .last_o (split_last),
      .index_o(split_index),
      .word_o (split_word)
    );

    operand_memory #(
      .Bits           (Width + 1),
      .WriteWidth     (WordWidth),
      .ReadWidth      (WordWidth),
      .WriteIndexWidth(WordIndexWidth),
      .ReadIndexWidth (WordIndexWidth)
    ) u_upper (
      .clk_i,
      .rst_ni,
      .clear_i      (1'b0),
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
      .clear_i      (1'b0),
      .write_i      (write_mhat),
      .write_index_i(sum_index),
      .data_i       (sum),
      .read_i       (1'b1),
      .read_index_i (feed_index),
      .data_o       (mhat)
    );

    // u is X of the product u*M.
    localparam int PaddedWidth = ConstantWords * WordWidth;
    logic [PaddedWidth-1:0] u;
    assign u = PaddedWidth'(inverse);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        u_word_q <= '0;
      end else begin
        u_word_q <= '0;
        for (int i = 0; i < ConstantWords; i++) begin
          if (digit_index == WordIndexWidth'(i)) u_word_q <= u[i*WordWidth+:WordWidth];
        end
      end
    end

    assign low        = low_part;
    assign inverse_of = core ? low : ConstantBits'(1);
    assign core_x     = scale ? u_word_q : x_digits;
    assign core_y     = scale ? m_feed : y_feed;
    assign core_m     = scale ? '0 : mhat;
    assign m_prime    = '0;

    assign constant_valid = write_mhat;
    assign constant_index = sum_index;
    assign constant_word  = sum;

    // S' above the scale, u*M above it, and 1 for the carry out of the bits below, which are 0.
    assign add_valid  = pass || (split_valid && scale);
    assign add_index  = subtract ? pass_index_q : split_index;
    assign add_a      = subtract ? residue : split_word;
    assign add_b      = (subtract || constant) ? '0 : upper;
    assign add_carry  = !subtract && (constant || (low != '0));
  end else begin : gen_no_scale
    assign split_last = 1'b0;
    assign low        = '0;
    assign inverse_of = ConstantBits'(1);
    assign core_x     = x_digits;
    assign core_y     = y_feed;
    assign core_m     = m_feed;
    assign m_prime    = (MPrimeBits > 0) ? DigitWidth'(inverse) : '0;
    assign add_valid  = core_valid && core && (core_index < WordIndexWidth'(SumWords));
    assign add_index  = core_index;
    assign add_a      = core_word;
    assign add_b      = '0;
    assign add_carry  = 1'b0;
    assign constant_valid = 1'b1;
    assign constant_index = '0;
    assign constant_word  = WordWidth'(inverse);
    logic unused_scale;
    assign unused_scale = ^{low, pass, pass_index_q, constant, scale, core_ready};
  end

  assign add_first = (add_index == '0);
  assign add_last  = add_valid && (add_index == LastSum);
  assign add_read  = (add_valid && !add_last) ? add_index + 1'b1 : '0;
  assign pass      = subtract && (pass_index_q <= LastSum);

  stream_adder #(
    .WordWidth(WordWidth)
  ) u_adder (
    .clk_i,
    .rst_ni,
    .valid_i     (add_valid),
    .first_i     (add_first),
    .last_i      (add_last),
    .carry_i     (add_carry),
    .index_i     (add_index),
    .a_i         (add_a),
    .b_i         (add_b),
    .m_i         (m_add),
    .valid_o     (sum_valid),
    .index_o     (sum_index),
    .sum_o       (sum),
    .difference_o(difference),
    .last_o      (add_done),
    .negative_o  (negative),
    .above_one_o (sum_above_one),
    .one_o       (sum_one)
  );

  // The sum is written where the residue is read, the difference to the other bank: the outcome
  // says in which of them the residue is.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      bank_q       <= 1'b0;
      pass_index_q <= '0;
    end else begin
      pass_index_q <= !subtract ? '0 : pass_index_q + WordIndexWidth'(pass);
      if (add_done) bank_q <= bank_q ^ !negative;
    end
  end

  // The banks give the residue alone, in the passes that subtract and at the end.
  assign bank_index = result ? result_index : pass ? pass_index_q + 1'b1 : '0;

  for (genvar i = 0; i < 2; i++) begin : gen_bank
    logic [WordWidth-1:0] word;
    word_memory #(
      .Width(WordWidth),
      .Depth(SumWords)
    ) u_bank (
      .clk_i,
      .wipe_i       (1'b0),
      .wipe_index_i (WordIndexWidth'(0)),
      .write_i      (sum_valid),
      .write_index_i(sum_index),
      .data_i       ((bank_q == 1'(i)) ? sum : difference),
      .read_index_i (bank_index),
      .data_o       (word)
    );
    if (i == 0) begin : gen_first
      assign bank_0 = word;
    end else begin : gen_second
      assign bank_1 = word;
    end
  end

  assign residue = bank_q ? bank_1 : bank_0;

  // -------------------------------------------------------------------------------- Results: P, S
  logic store_s;
  logic [WordWidth-1:0] s_word;
  logic [WordIndexWidth-1:0] s_index, p_index;
  logic [1:0] result_valid, result_end;
  logic [2*BusWidth-1:0] result_data, fetched;
  logic [1:0] fetched_q;

  assign store_s      = core_valid && core && single;
  assign result_index = p_index;
  assign result_last  = result_end[1];

  operand_memory #(
    .Bits           (ResultBits),
    .WriteWidth     (WordWidth),
    .ReadWidth      (WordWidth),
    .WriteIndexWidth(WordIndexWidth),
    .ReadIndexWidth (WordIndexWidth)
  ) u_s (
    .clk_i,
    .rst_ni,
    .clear_i      (1'b0),
    .write_i      (store_s),
    .write_index_i(core_index),
    .data_i       (core_word),
    .read_i       (1'b1),
    .read_index_i (s_index),
    .data_o       (s_word)
  );

  // P goes beside S, of which it has no more words.
  for (genvar i = 0; i < 2; i++) begin : gen_result
    logic [WordIndexWidth-1:0] index, number;
    logic [WordWidth-1:0] word;

    if (i == 0) begin : gen_p
      assign p_index = index;
      assign word    = residue;
    end else begin : gen_s
      assign s_index = index;
      assign word    = s_word;
    end

    word_converter #(
      .InWidth (WordWidth),
      .OutWidth(BusWidth),
      .InWords (ResultWords),
      .OutWords(HostResultWords)
    ) u_convert (
      .clk_i,
      .rst_ni,
      .run_i   (result),
      .index_o (index),
      .data_i  (word),
      .valid_o (result_valid[i]),
      .last_o  (result_end[i]),
      .number_o(number),
      .data_o  (result_data[i*BusWidth+:BusWidth])
    );

    operand_memory #(
      .Bits           ((i == 0) ? Width : ResultBits),
      .WriteWidth     (BusWidth),
      .ReadWidth      (BusWidth),
      .WriteIndexWidth(WordIndexWidth),
      .ReadIndexWidth (IndexWidth)
    ) u_memory (
      .clk_i,
      .rst_ni,
      .clear_i      (1'b0),
      .write_i      (result_valid[i]),
      .write_index_i(number),
      .data_i       (result_data[i*BusWidth+:BusWidth]),
      .read_i       (read_i[i]),
      .read_index_i (index_i),
      .data_o       (fetched[i*BusWidth+:BusWidth])
    );
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fetched_q <= '0;
    else if (|read_i) fetched_q <= read_i[1:0];
  end

  assign word_o = (fetched_q[0] ? fetched[0+:BusWidth] : '0)
                | (fetched_q[1] ? fetched[BusWidth+:BusWidth] : '0);

  // ----------------------------------------------------------------------------------- Observation
  ring_view_t ring;
  assign ring.digit_first   = observation.digit_first;
  assign ring.digit_queued  = observation.digit_queued;
  assign ring.digit_report  = observation.digit_report;
  assign ring.carry_first   = observation.carry_first;
  assign ring.again         = Scaled;
  assign view_o.state       = state;
  assign view_o.core_start  = core_start && single;
  assign view_o.core_ready  = core_ready && core && single;
  assign view_o.core_done   = core_done && core && single;
  assign view_o.core_busy   = core_busy && core && single;
  assign view_o.core_state  = observation.state;
  assign view_o.table_valid = single ? observation.table_valid : '0;
  assign view_o.table_addr  = observation.table_addr;
  assign view_o.carry_valid = observation.carry && single;
  assign view_o.nonzero     = sum_valid && (difference != '0);
  assign view_o.pass_done   = add_done;
  assign view_o.subtracted  = !negative;
  assign view_o.sum_done    = add_done && (!Scaled || subtract || constant);
  assign view_o.result_done = add_done && (Scaled ? subtract : core) && x_below && y_below;
  assign view_o.ring        = ring;
  assign view_o.flat        = '0;

  // Polynomials over GF(2): no such core yet.
  assign binary_o           = 1'b0;
  localparam int UnusedParameters = AddWidth + RadixBits;
  logic [31:0] unused_parameters;
  assign unused_parameters = UnusedParameters;
  logic unused_bits;
  assign unused_bits = ^{
    field_i, constant_valid, constant_index, constant_word, load_valid, load_index, load_end,
    result_end, sum_above_one, sum_one, status, observation, residue, read_i
  };

endmodule
