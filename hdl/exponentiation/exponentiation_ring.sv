// SPDX-License-Identifier: Apache-2.0
//
// Exponentiation core for RSA behind a bus, over two ring cores named by the macro
// MULTIPLIER_STREAM_CORE, one for A and one for S, or with the macro EXPONENTIATION_PAIR over two
// bit-serial cores in their place: the pair named by PAIR_MODULE (bit_serial_pair,
// interleaved_pair). What it computes and what a host sees of it: exponentiation.
//
// No operand is anywhere as a whole: words live in memories and move one a clock. Those of the host
// are as wide as the bus; a start streams base and M into memories of the ring's words, compares
// them on the way, and the result goes back at the end (word_converter). One counter reads the
// words of Y, M, R**2, S and the two banks, in which the adder leaves sum and difference: the
// residue is the one that the last borrow says, and nothing is copied for it. Digits of A and S
// come through converters of their own.
//
// A core with a scale takes Mhat in the place of M (ring_scale), and its products are up to
// ScaleBits + 1 bits longer than M. Its last product is one with 2**ScaleBits, V = A*2**ScaleBits/R
// (mod M), and the result the Montgomery reduction of V by the scale:
//
//   u = -V/M mod 2**ScaleBits;   (V + u*M)/2**ScaleBits, below 2*M
//
// The ring of A multiplies u by M. With A < 2**(Width+ScaleBits+1), R twice that or more, and
// Mtilde = Mhat*2**ScaleBits - 1, V < Mtilde + 2**(ScaleBits-1), so that the sum is at most
// Mhat + M.
//
// Zeroise: the registers are clear in the clock after its acknowledge. The memories are wiped word
// by word from then on, as they are after a reset, faster than any host writes and any start reads:
// nothing that was there before can be used, let alone read.
//
// RadixBits (r): R of the chain is 2**r; 0 for interleaved cores, whose products are without R and
// take X from its highest bit on. MPrimeBits: of m', 0 for a core without. ScaleBits: 0 for a core
// without a scale. BinaryBits: see ring_unit, of no use here.
// Latency: models/ring_exponentiation.py.
//
// Source: Michalski & Buell, Algorithm 4, ch. 5.4, 5.5 and figure 7.

`ifndef PAIR_MODULE
`define PAIR_MODULE bit_serial_pair
`endif  // PAIR_MODULE
`ifndef MULTIPLIER_STREAM_CORE
`define MULTIPLIER_STREAM_CORE mwrkmm
`endif  // MULTIPLIER_STREAM_CORE
`ifndef MULTIPLIER_STREAM_CORE_PARAMETERS
`define MULTIPLIER_STREAM_CORE_PARAMETERS
`endif  // MULTIPLIER_STREAM_CORE_PARAMETERS

module exponentiation_ring
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int BusWidth = 32,
  parameter int SelWidth = 3,
  parameter int Guard = 2,
  parameter int WordWidth = 17,
  parameter int DigitWidth = 16,
  parameter int Words = 3,
  parameter int RadixBits = 48,
  parameter int MPrimeBits = 16,
  parameter int ScaleBits = 0,
  parameter int BinaryBits = 0
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic                        req_i,
  input  logic                        write_i,
  input  logic [        SelWidth-1:0] sel_i,
  input  logic [        BusWidth-1:0] wdata_i,
  input  logic                        wait_i,
  output logic                        ack_o,
  output logic                        err_o,
  output logic [        BusWidth-1:0] rdata_o,
  output logic                        busy_o,
  output logic                        done_o,
  // Observation
  output exponentiation_observation_t observation_o,
  output logic                        a_word_valid_o,
  output logic [                15:0] a_word_at_o,
  output logic [     Width+Guard-1:0] a_word_o,
  output logic                        s_word_valid_o,
  output logic [                15:0] s_word_at_o,
  output logic [     Width+Guard-1:0] s_word_o
);

  localparam int Selects = ExponentiationSelects;
  localparam bit Domain = (RadixBits > 0);
  localparam bit Scaled = (ScaleBits > 0);
  localparam int ConstantBits = Scaled ? ScaleBits : (MPrimeBits > 0) ? MPrimeBits : 1;
  // The host may supply m', or Mhat in its place.
  localparam int MPrimeWidth = Scaled ? Width : ConstantBits;
  localparam int BusWords = (Width + BusWidth - 1) / BusWidth;
  localparam int ResultWords = (Width + WordWidth - 1) / WordWidth;
  localparam int LengthWords = (LengthWidth + BusWidth - 1) / BusWidth;
  localparam int MPrimeWords = (MPrimeWidth + BusWidth - 1) / BusWidth;
  localparam int SmallWords = (MPrimeWords > LengthWords) ? MPrimeWords : LengthWords;
  localparam int MaxWords = (BusWords > SmallWords) ? BusWords : SmallWords;
  localparam int IndexWidth = $clog2(MaxWords + 1);
  localparam int WipeWords = (Words > BusWords) ? Words : BusWords;

  // R**2 = 2**(2*r): doublings up to 2**(r + Above), the last of them by whole words where operands
  // may be longer than M, squarings from there to 2**(r + Above * 2**Squarings), a product with
  // what is still missing.
  localparam int MaxSquarings = Scaled ? 6 : 7;
  localparam int WidthLog = $clog2(Width + 1) - 1;
  localparam int Squarings = (WidthLog < MaxSquarings) ? WidthLog : MaxSquarings;
  localparam int Above = Domain ? (2 * RadixBits - Width + (1 << Squarings) - 1) >> Squarings : 0;
  localparam int Missing = 2 * RadixBits - (Above << Squarings);
  localparam int RaisedWords = ScaleBits / WordWidth;
  localparam int Doublings = Domain ? RadixBits + Above - RaisedWords * WordWidth - (Width - 1) : 0;

  localparam int TopWord = (Width - 1) / WordWidth;  // of an operand, and the place of its top bit
  localparam int TopPlace = (Width - 1) % WordWidth;
  localparam logic [WordIndexWidth-1:0] LastWord = WordIndexWidth'(Words - 1);
  // From a word of the modulus to the same word shifted up.
  localparam logic [WordIndexWidth-1:0] AlignClocks = WordIndexWidth'(2);

  // ---------------------------------------------------------------------------------------- Loader
  logic [Selects-1:0] write, read, partial, overwide, written;
  logic [IndexWidth-1:0] bus_index, result_index;
  logic [WordIndexWidth-1:0] host_index;
  logic [BusWidth-1:0] host_data, result_word;
  logic start, raw, binary, zeroise, core_rst_n;
  logic [3:0] status;

  operand_loader #(
    .BusWidth  (BusWidth),
    .SelWidth  (SelWidth),
    .Selects   (Selects),
    .WriteBits (exponentiation_write_bits(16'(Width), 16'(MPrimeWidth))),
    .ReadBits  (exponentiation_read_bits(16'(Width))),
    .ReadOk    (ExponentiationReadOk),
    .ReadRaw   (ExponentiationReadRaw),
    .RawStart  (1'b0),
    .Zeroise   (1'b1),
    .IndexWidth(IndexWidth)
  ) u_loader (
    .clk_i,
    .rst_ni,
    .req_i,
    .write_i,
    .sel_i,
    .wdata_i,
    .wait_i,
    .ack_o,
    .err_o,
    .rdata_o,
    .write_o      (write),
    .read_o       (read),
    .write_index_o(bus_index),
    .read_index_o (result_index),
    .data_o       (host_data),
    .word_i       (result_word),
    .partial_o    (partial),
    .overwide_o   (overwide),
    .written_o    (written),
    .start_o      (start),
    .raw_o        (raw),
    .zeroise_o    (zeroise),
    .binary_o     (binary),
    .binary_i     (1'b0),
    .busy_i       (busy_o),
    .status_i     (status)
  );

  // Zeroise resets everything behind the bus.
  assign core_rst_n = rst_ni && !zeroise;
  assign host_index = WordIndexWidth'(bus_index);

  // Memories are wiped after that. A word of the host goes first, and the wipe waits for it. It is
  // always ahead of the host, whose words come every other clock at most and a clock behind the
  // grant, so that it wipes no word that was written since.
  logic wipe;
  logic [WordIndexWidth-1:0] wipe_index_q;
  assign wipe = (wipe_index_q != WordIndexWidth'(WipeWords));

  always_ff @(posedge clk_i or negedge core_rst_n) begin
    if (!core_rst_n) wipe_index_q <= '0;
    else if (wipe && !(|write)) wipe_index_q <= wipe_index_q + 1'b1;
  end

  // Length is short.
  logic [LengthWords*BusWidth-1:0] length_q;
  logic length_set_q, m_prime_supplied_q;
  logic [LengthWidth-1:0] length;

  always_ff @(posedge clk_i or negedge core_rst_n) begin
    if (!core_rst_n) begin
      length_q           <= '0;
      length_set_q       <= 1'b0;
      m_prime_supplied_q <= 1'b0;
    end else begin
      for (int i = 0; i < LengthWords; i++) begin
        if (write[ExponentiationSelectLength] && (host_index == WordIndexWidth'(i))) begin
          length_q[i*BusWidth+:BusWidth] <= host_data;
        end
      end
      if (write[ExponentiationSelectLength]) length_set_q <= 1'b1;
      if (start) m_prime_supplied_q <= written[ExponentiationSelectMPrime];
    end
  end

  logic [15:0] exponent_bits;
  logic length_legal, exponent_legal, overwide_any;

  assign length = length_set_q ? length_q[LengthWidth-1:0] : LengthWidth'(Width);
  assign length_legal = !overwide[ExponentiationSelectLength] && (length != '0)
                     && (length <= LengthWidth'(Width));
  assign exponent_legal = (exponent_bits <= length);
  assign overwide_any = overwide[ExponentiationSelectDataResult]
                     || overwide[ExponentiationSelectModulus]
                     || (|(overwide & written & ((7'd1 << ExponentiationSelectRSquared)
                                               | (7'd1 << ExponentiationSelectMPrime))));

  // --------------------------------------------------------------------------------------- Control
  logic [3:0] state, step;
  logic start_a, start_s, second, last_square, first_doubling, exponent_bit;
  logic inverse_start, inverse_done, m_prime_wrong;
  logic last, negative, above_one, one, odd_q;
  logic scale, split_last;  // u*M is made; of the words above the scale
  stream_control_t a_control, s_control;
  stream_status_t a_status, s_status;
  stream_observation_t a_observation, s_observation;

  logic a_ring_ready, a_ring_done, a_ring_valid, a_ring_next_digit;
  logic s_ring_ready, s_ring_done, s_ring_valid, s_ring_next_digit;
  logic [WordIndexWidth-1:0] a_ring_index, a_ring_feed_index, s_ring_index, s_ring_feed_index;

  assign a_ring_ready      = a_status.ready;
  assign a_ring_done       = a_status.done;
  assign a_ring_valid      = a_status.valid;
  assign a_ring_next_digit = a_status.next_digit;
  assign a_ring_index      = a_status.index;
  assign a_ring_feed_index = a_status.feed_index;
  assign s_ring_ready      = s_status.ready;
  assign s_ring_done       = s_status.done;
  assign s_ring_valid      = s_status.valid;
  assign s_ring_next_digit = s_status.next_digit;
  assign s_ring_index      = s_status.index;
  assign s_ring_feed_index = s_status.feed_index;

  // Icarus loses track of an expression with a constant of the package at a port.
  logic product_ready, final_done, next_bit, at_end, add_done;
  assign product_ready = a_ring_ready || s_ring_ready;
  assign final_done    = Scaled ? split_last : add_done;
  assign next_bit      = (state == PowerLoop) && a_ring_ready;
  assign at_end        = (state == PowerEnd);
  assign scale         = Scaled && (step == RingScale);

  ring_control #(
    .Doublings(Doublings),
    .Squarings(Squarings),
    .Inverse  (Scaled || (MPrimeBits > 0)),
    .Scaled   (Scaled),
    .Domain   (Domain)
  ) u_control (
    .clk_i,
    .rst_ni          (core_rst_n),
    .start_i         (start),
    .incomplete_i    (|partial),
    .length_legal_i  (length_legal),
    .exponent_legal_i(exponent_legal),
    .overwide_i      (overwide_any),
    .length_i        (length),
    .m_written_i     (write[ExponentiationSelectModulus]),
    .supplied_i      (written[ExponentiationSelectRSquared]),
    .busy_o,
    .done_o,
    .status_o        (status),
    .last_i          (last),
    .negative_i      (negative),
    .above_one_i     (above_one),
    .odd_i           (odd_q),
    .inverse_done_i  (inverse_done),
    .m_prime_wrong_i (m_prime_wrong),
    .ready_i         (product_ready),
    .square_done_i   (s_ring_done),
    .done_i          (final_done),
    .result_is_one_i (one),
    .start_a_o       (start_a),
    .start_s_o       (start_s),
    .inverse_start_o (inverse_start),
    .second_o        (second),
    .last_square_o   (last_square),
    .first_doubling_o(first_doubling),
    .step_o          (step),
    .state_o         (state)
  );

  // What the product that runs is for; its words come while the next one runs already.
  logic final_product, write_a, write_r;
  logic a_final_q, a_write_q, s_write_r_q;
  logic a_final, a_write, s_write_r;

  assign final_product = (state == PowerExit) || ((state == PowerCheckConstant) && second);
  // A is of no more use when the last product has begun.
  assign write_a       = !scale && !((state == PowerLoop) && !exponent_bit);
  assign write_r       = (state == PowerSquare) && last_square;
  assign a_final       = a_ring_ready ? final_product : a_final_q;
  assign a_write       = a_ring_ready ? write_a : a_write_q;
  assign s_write_r     = s_ring_ready ? write_r : s_write_r_q;

  always_ff @(posedge clk_i or negedge core_rst_n) begin
    if (!core_rst_n) begin
      a_final_q   <= 1'b0;
      a_write_q   <= 1'b0;
      s_write_r_q <= 1'b0;
    end else begin
      a_final_q   <= a_final;
      a_write_q   <= a_write;
      s_write_r_q <= s_write_r;
    end
  end

  // ---------------------------------------------------------------------------------------- Passes
  // Words of the host into words of the ring.
  logic convert, convert_m, base_valid, base_last, m_valid, m_last;
  logic [WordIndexWidth-1:0] base_index, base_number, m_index, m_number;
  logic [BusWidth-1:0] host_base, host_m, host_r, host_mhat, host_word;
  logic [WordWidth-1:0] base_word, m_word;

  // What goes through the adder ends when the adder has.
  logic drain_q, add_last, match, matched;
  assign match = Scaled && (step == RingMatch);
  assign convert = ((step == RingLoad) || (step == RingCheck) || (step == RingTake) || match)
                && !drain_q && !matched;
  assign convert_m = (step == RingLoad) && !drain_q;
  assign host_word = (step == RingLoad) ? host_base : match ? host_mhat : host_r;

  word_converter #(
    .InWidth (BusWidth),
    .OutWidth(WordWidth),
    .InWords (BusWords),
    .OutWords(Words)
  ) u_convert_operand (
    .clk_i,
    .rst_ni  (core_rst_n),
    .run_i   (convert),
    .index_o (base_index),
    .data_i  (host_word),
    .valid_o (base_valid),
    .last_o  (base_last),
    .number_o(base_number),
    .data_o  (base_word)
  );

  word_converter #(
    .InWidth (BusWidth),
    .OutWidth(WordWidth),
    .InWords (BusWords),
    .OutWords(Words)
  ) u_convert_modulus (
    .clk_i,
    .rst_ni  (core_rst_n),
    .run_i   (convert_m),
    .index_o (m_index),
    .data_i  (host_m),
    .valid_o (m_valid),
    .last_o  (m_last),
    .number_o(m_number),
    .data_o  (m_word)
  );

  // Passes over memories, a word a clock.
  logic pass, pass_last, subtract;
  logic [WordIndexWidth-1:0] pass_index_q;
  assign subtract = Scaled && (step == RingSubtract);
  assign pass = (step == RingAlign) || (((step == RingDouble) || subtract) && !drain_q)
             || (step == RingCopy);
  assign pass_last = pass
                  && (pass_index_q == ((step == RingAlign) ? LastWord + AlignClocks : LastWord));

  always_ff @(posedge clk_i or negedge core_rst_n) begin
    if (!core_rst_n) begin
      pass_index_q <= '0;
      drain_q      <= 1'b0;
    end else begin
      if (pass) pass_index_q <= pass_last ? '0 : pass_index_q + 1'b1;
      if (add_done) drain_q <= 1'b0;
      else if (add_last && (step != RingProduct)) drain_q <= 1'b1;
    end
  end

  // The result into words of the bus.
  logic deliver, result_valid, result_last;
  logic [WordIndexWidth-1:0] result_read, result_number;
  logic [BusWidth-1:0] result_data;
  logic [WordWidth-1:0] residue;
  assign deliver = (step == RingResult);

  word_converter #(
    .InWidth (WordWidth),
    .OutWidth(BusWidth),
    .InWords (ResultWords),
    .OutWords(BusWords)
  ) u_convert_result (
    .clk_i,
    .rst_ni  (core_rst_n),
    .run_i   (deliver),
    .index_o (result_read),
    .data_i  (residue),
    .valid_o (result_valid),
    .last_o  (result_last),
    .number_o(result_number),
    .data_o  (result_data)
  );

  assign last = ((step == RingLoad) || (step == RingCheck) || (step == RingDouble) || scale
                 || subtract) ? add_done
              : match ? matched : (base_last || pass_last || result_last);

  // The modulus shifted up until it has its top bit in place, for the doublings: by whole words
  // (measured_words_q), and bits (measured_bits_q). Without a domain there are no doublings.
  logic [WordIndexWidth-1:0] measured_words_q, align_read;
  logic [WordWidth-1:0] aligned_q, modulus;

  assign align_read = ((step == RingAddress) ? '0 : pass_index_q + 1'b1) - measured_words_q;

  if (Domain) begin : gen_align
    logic [WordIndexWidth-1:0] top_index_q;
    logic [WordWidth-1:0] top_word_q, above_q, below_q;
    logic [7:0] top_place, top_place_q, measured_bits_q;

    always_comb begin
      top_place = '0;
      for (int i = 0; i < WordWidth; i++) begin
        if (top_word_q[i]) top_place = 8'(i);
      end
    end

    always_ff @(posedge clk_i or negedge core_rst_n) begin
      if (!core_rst_n) begin
        top_index_q      <= '0;
        top_word_q       <= '0;
        measured_words_q <= '0;
        measured_bits_q  <= '0;
        top_place_q      <= '0;
        above_q          <= '0;
        below_q          <= '0;
        aligned_q        <= '0;
      end else begin
        if (m_word != '0) begin
          top_index_q <= m_number;
          top_word_q  <= m_word;
        end
        // Known when RingMeasure has passed.
        top_place_q <= top_place;
        if (top_place_q <= 8'(TopPlace)) begin
          measured_words_q <= WordIndexWidth'(TopWord) - top_index_q;
          measured_bits_q  <= 8'(TopPlace) - top_place_q;
        end else begin
          measured_words_q <= WordIndexWidth'(TopWord - 1) - top_index_q;
          measured_bits_q  <= 8'(TopPlace + WordWidth) - top_place_q;
        end
        above_q   <= (step == RingAlign) ? modulus : '0;
        below_q   <= above_q;
        aligned_q <= (above_q << measured_bits_q) | (below_q >> (8'(WordWidth) - measured_bits_q));
      end
    end
  end else begin : gen_no_align
    assign measured_words_q = '0;
    assign aligned_q = '0;
  end

  always_ff @(posedge clk_i or negedge core_rst_n) begin
    if (!core_rst_n) odd_q <= 1'b0;
    else if (m_valid && (m_number == '0)) odd_q <= m_word[0];
  end

  // ----------------------------------------------------------------------------------------- Adder
  logic add_valid, add_first, add_carry, bank_q;
  logic [WordIndexWidth-1:0] add_index;
  logic [WordWidth-1:0] add_a, add_b, add_m, value, s_word, a_word;
  logic [WordWidth-1:0] bank_0, bank_1, s_result, a_result;
  logic sum_valid;
  logic [WordIndexWidth-1:0] sum_index;
  logic [WordWidth-1:0] sum, difference;

  // What a core with a scale has beside.
  logic split, split_valid, constant, scale_carry;
  logic [WordIndexWidth-1:0] split_index;
  logic [WordWidth-1:0] split_word, mhat, u_word;
  assign split    = a_ring_valid && (a_final || scale);
  assign constant = (state == PowerPrepare);

  assign residue = bank_q ? bank_1 : bank_0;
  assign value = !first_doubling ? residue
               : (pass_index_q == WordIndexWidth'(TopWord)) ? WordWidth'(1) << TopPlace : '0;

  always_comb begin
    add_valid = base_valid && ((step == RingLoad) || (step == RingCheck));
    add_index = base_number;
    add_a     = base_word;
    add_b     = '0;
    add_m     = modulus;
    add_carry = 1'b0;
    if (step == RingLoad) add_m = m_word;
    if (step == RingDouble) begin
      add_valid = !drain_q;
      add_index = pass_index_q;
      add_a     = value;
      add_b     = value;
      add_m     = s_word;
    end
    if (step == RingProduct) begin
      add_valid = a_ring_valid && a_final && !Scaled;
      add_index = a_ring_index;
      add_a     = a_result;
    end
    // V above the scale, where A was, and u*M above it, or 1 in the place of V.
    if (scale) begin
      add_valid = split_valid;
      add_index = split_index;
      add_a     = split_word;
      add_b     = constant ? '0 : a_word;
      add_carry = scale_carry;
    end
    if (subtract) begin
      add_valid = !drain_q;
      add_index = pass_index_q;
      add_a     = residue;
    end
  end
  assign add_first = (add_index == '0);
  assign add_last  = add_valid && (add_index == LastWord);

  stream_adder #(
    .WordWidth(WordWidth)
  ) u_adder (
    .clk_i,
    .rst_ni      (core_rst_n),
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
    .above_one_o (above_one),
    .one_o       (one)
  );

  // The sum is written where the value is read, the difference to the other bank: with the last
  // word it is known in which of them the residue is. V + u*M is a sum alone.
  always_ff @(posedge clk_i or negedge core_rst_n) begin
    if (!core_rst_n) bank_q <= 1'b0;
    else if (add_done && !scale) bank_q <= bank_q ^ !negative;
  end

  // -------------------------------------------------------------------------------------- Memories
  // One counter reads what a ring is fed with, and what a pass needs.
  logic [WordIndexWidth-1:0] read_index, read_index_q;
  logic [WordIndexWidth-1:0] pass_read, final_read, check_read, a_read;

  assign pass_read = (!pass || pass_last) ? '0 : pass_index_q + 1'b1;
  assign check_read = ((step == RingCheck) || match)
                    ? base_number + WordIndexWidth'(base_valid) : '0;
  assign final_read = (a_ring_valid && a_final && !Scaled) ? a_ring_index + 1'b1 : '0;
  assign read_index = a_ring_feed_index | s_ring_feed_index | pass_read | check_read
                    | final_read | result_read;

  always_ff @(posedge clk_i or negedge core_rst_n) begin
    if (!core_rst_n) read_index_q <= '0;
    else read_index_q <= read_index;
  end

  logic align;
  logic [WordIndexWidth-1:0] modulus_read;
  assign align = (step == RingAddress) || (step == RingAlign);
  assign modulus_read = (align && !pass_last) ? align_read : read_index;

  logic [WordIndexWidth-1:0] a_digit_index, s_digit_index, s_index, copy_index, r_index;
  logic [WordWidth-1:0] base, s_digit_word, r_word, s_data, r_data, x_a_word, x_s_word;
  logic s_write, r_write;

  // A: results of its ring; behind the last one V above the scale. What there is above the scale of
  // u*M comes when V has been read.
  logic a_store, a_upper;
  logic [WordIndexWidth-1:0] a_index;
  logic [WordWidth-1:0] a_data;
  assign a_upper = split_valid;
  assign a_store = a_upper || (a_ring_valid && a_write);
  assign a_index = a_upper ? split_index : a_ring_index;
  assign a_data  = a_upper ? split_word : a_result;
  // Words of the modulus go into the ring meanwhile.
  assign a_read  = !scale ? a_digit_index
                 : (split_valid && !add_last) ? split_index + 1'b1 : '0;

  // S: results of its ring; before there are any the aligned modulus, and then the residue that
  // the doublings leave.
  assign s_write = s_ring_valid || (step == RingCopy)
                || ((step == RingAlign) && (pass_index_q >= AlignClocks));
  assign s_index = s_ring_valid ? s_ring_index
                 : (step == RingAlign) ? pass_index_q - AlignClocks : copy_index;
  // The residue has zeros in its top words, and they go below it.
  assign copy_index = (pass_index_q < WordIndexWidth'(Words - RaisedWords))
                    ? pass_index_q + WordIndexWidth'(RaisedWords)
                    : pass_index_q - WordIndexWidth'(Words - RaisedWords);
  assign s_data = s_ring_valid ? s_result : (step == RingAlign) ? aligned_q : residue;
  assign r_write = (step == RingTake) ? base_valid : (s_ring_valid && s_write_r);
  assign r_index = (step == RingTake) ? base_number : s_ring_index;
  assign r_data = (step == RingTake) ? base_word : s_result;

  word_memory #(
    .Width(BusWidth),
    .Depth(BusWords)
  ) u_host_base (
    .clk_i,
    .wipe_index_i (wipe_index_q),
    .write_i      (write[ExponentiationSelectDataResult]),
    .write_index_i(host_index),
    .data_i       (host_data),
    .read_index_i (base_index),
    .data_o       (host_base)
  );

  word_memory #(
    .Width(BusWidth),
    .Depth(BusWords)
  ) u_host_modulus (
    .clk_i,
    .wipe_index_i (wipe_index_q),
    .write_i      (write[ExponentiationSelectModulus]),
    .write_index_i(host_index),
    .data_i       (host_data),
    .read_index_i (m_index),
    .data_o       (host_m)
  );

  word_memory #(
    .Width(BusWidth),
    .Depth(BusWords)
  ) u_host_r_squared (
    .clk_i,
    .wipe_index_i (wipe_index_q),
    .write_i      (write[ExponentiationSelectRSquared]),
    .write_index_i(host_index),
    .data_i       (host_data),
    .read_index_i (base_index),
    .data_o       (host_r)
  );

  // Its bits are wanted much later, and what decides about a transfer is a long way.
  logic exponent_start_q;
  always_ff @(posedge clk_i or negedge core_rst_n) begin
    if (!core_rst_n) exponent_start_q <= 1'b0;
    else exponent_start_q <= start;
  end

  exponent_memory #(
    .BusWidth(BusWidth),
    .Words   (BusWords)
  ) u_exponent (
    .clk_i,
    .rst_ni      (core_rst_n),
    .wipe_index_i(wipe_index_q),
    .write_i     (write[ExponentiationSelectExponent]),
    .index_i     (host_index),
    .data_i      (host_data),
    .bits_o      (exponent_bits),
    .start_i     (exponent_start_q),
    .restart_i   (at_end),
    .next_i      (next_bit),
    .bit_o       (exponent_bit)
  );

  word_memory #(
    .Width(WordWidth),
    .Depth(Words)
  ) u_base (
    .clk_i,
    .wipe_index_i (wipe_index_q),
    .write_i      (m_valid),
    .write_index_i(base_number),
    .data_i       (base_word),
    .read_index_i (s_digit_index),
    .data_o       (base)
  );

  word_memory #(
    .Width(WordWidth),
    .Depth(Words)
  ) u_modulus (
    .clk_i,
    .wipe_index_i (wipe_index_q),
    .write_i      (m_valid),
    .write_index_i(m_number),
    .data_i       (m_word),
    .read_index_i (modulus_read),
    .data_o       (modulus)
  );

  word_memory #(
    .Width(WordWidth),
    .Depth(Words)
  ) u_r_squared (
    .clk_i,
    .wipe_index_i (wipe_index_q),
    .write_i      (r_write),
    .write_index_i(r_index),
    .data_i       (r_data),
    .read_index_i (read_index),
    .data_o       (r_word)
  );

  word_memory #(
    .Width(WordWidth),
    .Depth(Words)
  ) u_a_digits (
    .clk_i,
    .wipe_index_i (wipe_index_q),
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
    .wipe_index_i (wipe_index_q),
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
    .wipe_index_i (wipe_index_q),
    .write_i      (s_write),
    .write_index_i(s_index),
    .data_i       (s_data),
    .read_index_i (read_index),
    .data_o       (s_word)
  );

  for (genvar i = 0; i < 2; i++) begin : gen_bank
    logic [WordWidth-1:0] word;
    word_memory #(
      .Width(WordWidth),
      .Depth(Words)
    ) u_bank (
      .clk_i,
      .wipe_index_i (wipe_index_q),
      .write_i      (sum_valid),
      .write_index_i(sum_index),
      .data_i       ((bank_q == 1'(i)) ? sum : difference),
      .read_index_i (read_index),
      .data_o       (word)
    );
    if (i == 0) begin : gen_first
      assign bank_0 = word;
    end else begin : gen_second
      assign bank_1 = word;
    end
  end

  // The word that was asked for stays.
  logic [WordIndexWidth-1:0] fetch_index, fetch_index_q;
  assign fetch_index = read[ExponentiationSelectDataResult]
                     ? WordIndexWidth'(result_index) : fetch_index_q;
  always_ff @(posedge clk_i or negedge core_rst_n) begin
    if (!core_rst_n) fetch_index_q <= '0;
    else fetch_index_q <= fetch_index;
  end

  word_memory #(
    .Width(BusWidth),
    .Depth(BusWords)
  ) u_result (
    .clk_i,
    .wipe_index_i (wipe_index_q),
    .write_i      (result_valid),
    .write_index_i(result_number),
    .data_i       (result_data),
    .read_index_i (fetch_index),
    .data_o       (result_word)
  );

  // ----------------------------------------------------------------------------------------- Rings
  logic [WordWidth-1:0] y_word, power_word, m_feed;
  logic [DigitWidth-1:0] a_digit, s_digit, m_prime;

  // Y is 2**ScaleBits or another power of two, R**2, or S; M for u*M.
  logic y_one, y_power, y_r;
  assign y_one = final_product || (!Domain && (state == PowerEntry));
  assign y_power = write_r;
  assign y_r = (state == PowerEntry) || (state == PowerCheckConstant);
  assign power_word =
      (y_one && (read_index_q == WordIndexWidth'(ScaleBits / WordWidth)))
      ? WordWidth'(1) << (ScaleBits % WordWidth)
      : (y_power && (read_index_q == WordIndexWidth'(Missing / WordWidth)))
      ? WordWidth'(1) << (Missing % WordWidth) : '0;
  assign y_word = scale ? modulus : (y_one || y_power) ? power_word : y_r ? r_word : s_word;
  assign m_feed = !Scaled ? modulus : scale ? '0 : mhat;

  logic [WordIndexWidth-1:0] a_digit_index_q;
  always_ff @(posedge clk_i or negedge core_rst_n) begin
    if (!core_rst_n) a_digit_index_q <= '0;
    else a_digit_index_q <= a_digit_index;
  end

  // X is 1 or A, or u, and base or S.
  assign x_a_word = scale ? u_word
                  : ((state == PowerLoop) || final_product) ? a_word
                  : (a_digit_index_q == '0) ? WordWidth'(1) : '0;
  assign x_s_word = (state == PowerEntry) ? base : s_digit_word;

  // Where the first digit is taken.
  logic a_first_digit, s_first_digit;

  // A bit-serial core takes its bits of X in every clock, a ring a digit every other one.
`ifdef EXPONENTIATION_PAIR
  localparam bit DigitEveryClock = 1'b1;
`else
  localparam bit DigitEveryClock = 1'b0;
`endif  // EXPONENTIATION_PAIR

  if (Domain) begin : gen_digits
    digit_converter #(
      .WordWidth (WordWidth),
      .DigitWidth(DigitWidth),
      .Words     (Words),
      .EveryClock(DigitEveryClock)
    ) u_digits_a (
      .clk_i,
      .rst_ni   (core_rst_n),
      .restart_i(a_ring_ready),
      .start_i  (a_first_digit),
      .next_i   (a_ring_next_digit),
      .index_o  (a_digit_index),
      .word_i   (x_a_word),
      .digit_o  (a_digit)
    );

    digit_converter #(
      .WordWidth (WordWidth),
      .DigitWidth(DigitWidth),
      .Words     (Words),
      .EveryClock(DigitEveryClock)
    ) u_digits_s (
      .clk_i,
      .rst_ni   (core_rst_n),
      .restart_i(s_ring_ready),
      .start_i  (s_first_digit),
      .next_i   (s_ring_next_digit),
      .index_o  (s_digit_index),
      .word_i   (x_s_word),
      .digit_o  (s_digit)
    );
  end else begin : gen_bits
    // Bits of A and S from the highest on, out of the same memories: a word is read once and stays,
    // none before the memories are wiped.
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
        .rst_ni     (core_rst_n),
        .downwards_i(1'b1),
        .take_i     (3'd1),
        .busy_i     (begins || wipe),
        .read_o     (read_word),
        .index_o    (next_index),
        .word_i     (word),
        .next_i     (next),
        .bits_o     (bits)
      );

      assign index = read_word ? next_index : index_q;
      always_ff @(posedge clk_i or negedge core_rst_n) begin
        if (!core_rst_n) index_q <= '0;
        else index_q <= index;
      end

      if (i == 0) begin : gen_a
        assign begins        = a_first_digit;
        assign next          = a_ring_next_digit;
        assign word          = x_a_word;
        assign a_digit_index = index;
        assign a_digit       = bits[DigitWidth-1:0];
      end else begin : gen_s
        assign begins        = s_first_digit;
        assign next          = s_ring_next_digit;
        assign word          = x_s_word;
        assign s_digit_index = index;
        assign s_digit       = bits[DigitWidth-1:0];
      end

      logic unused_bits;
      assign unused_bits = ^bits;
    end
  end

  assign a_control.start = start_a;
  assign a_control.kind  = scale ? ProductScale : ProductChain;
  assign s_control.start = start_s;
  assign s_control.kind  = ProductChain;

`ifdef EXPONENTIATION_PAIR
  logic renew;
  logic [1:0] pair_start, first_digit;
  assign renew         = (state == PowerEntry);
  assign pair_start    = {start_s, start_a};
  assign a_first_digit = first_digit[0];
  assign s_first_digit = first_digit[1];

  `PAIR_MODULE #(
    .Width     (Width),
    .Guard     (Guard),
    .WordWidth (WordWidth),
    .DigitWidth(DigitWidth),
    .Words     (Words)
  ) u_pair (
    .clk_i,
    .rst_ni         (core_rst_n),
    .wipe_index_i   (wipe_index_q),
    .start_i        (pair_start),
    .renew_i        (renew),
    .a_digit_i      (a_digit),
    .s_digit_i      (s_digit),
    .y_i            (y_word),
    .m_i            (m_feed),
    .first_digit_o  (first_digit),
    .a_status_o     (a_status),
    .s_status_o     (s_status),
    .a_word_o       (a_result),
    .s_word_o       (s_result),
    .a_observation_o(a_observation),
    .s_observation_o(s_observation)
  );
  logic unused_control;
  assign unused_control = ^{a_control, s_control, m_prime};
`else
  assign a_first_digit = start_a;
  assign s_first_digit = start_s;

  `MULTIPLIER_STREAM_CORE #(
    .Width(Width)
    `MULTIPLIER_STREAM_CORE_PARAMETERS
  ) u_ring_a (
    .clk_i,
    .rst_ni       (core_rst_n),
    .control_i    (a_control),
    .status_o     (a_status),
    .digit_i      (a_digit),
    .y_i          (y_word),
    .m_i          (m_feed),
    .m_prime_i    (m_prime),
    .word_o       (a_result),
    .observation_o(a_observation)
  );

  `MULTIPLIER_STREAM_CORE #(
    .Width(Width)
    `MULTIPLIER_STREAM_CORE_PARAMETERS
  ) u_ring_s (
    .clk_i,
    .rst_ni       (core_rst_n),
    .control_i    (s_control),
    .status_o     (s_status),
    .digit_i      (s_digit),
    .y_i          (y_word),
    .m_i          (m_feed),
    .m_prime_i    (m_prime),
    .word_o       (s_result),
    .observation_o(s_observation)
  );
`endif  // EXPONENTIATION_PAIR

  // m' = -1/M, or u of the scale
  logic [ConstantBits-1:0] inverse, inverse_of;

  ring_unit_inverse #(
    .Bits     ((Scaled || (MPrimeBits > 0)) ? ConstantBits : 0),
    .WordWidth(WordWidth)
  ) u_inverse (
    .clk_i,
    .rst_ni  (core_rst_n),
    .binary_i(1'b0),
    .valid_i (m_valid),
    .index_i (m_number),
    .word_i  (m_word),
    .start_i (inverse_start),
    .value_i (inverse_of),
    .done_o  (inverse_done),
    .value_o (inverse)
  );

  if (Scaled) begin : gen_scale
    logic [ConstantBits-1:0] low;
    logic match_word, write_mhat, m_prime_same;
    assign match_word    = match && base_valid;
    assign write_mhat    = sum_valid && scale && constant;
    assign inverse_of    = constant ? ConstantBits'(1) : low;
    assign scale_carry   = constant || (low != '0);
    assign m_prime       = '0;
    assign m_prime_wrong = m_prime_supplied_q && !m_prime_same;

    ring_scale #(
      .WordWidth(WordWidth),
      .ScaleBits(ScaleBits),
      .Words    (Words)
    ) u_scale (
      .clk_i,
      .rst_ni       (core_rst_n),
      .wipe_index_i (wipe_index_q),
      .valid_i      (split),
      .first_i      (a_ring_ready),
      .keep_i       (scale),
      .word_i       (a_result),
      .low_o        (low),
      .valid_o      (split_valid),
      .last_o       (split_last),
      .index_o      (split_index),
      .word_o       (split_word),
      .u_i          (inverse),
      .u_index_i    (a_digit_index_q),
      .u_word_o     (u_word),
      .write_i      (write_mhat),
      .write_index_i(sum_index),
      .data_i       (sum),
      .read_index_i (read_index),
      .mhat_o       (mhat),
      .match_i      (match_word),
      .match_last_i (base_last),
      .match_word_i (base_word),
      .matched_o    (matched),
      .same_o       (m_prime_same)
    );

    word_memory #(
      .Width(BusWidth),
      .Depth(BusWords)
    ) u_host_mhat (
      .clk_i,
      .wipe_index_i (wipe_index_q),
      .write_i      (write[ExponentiationSelectMPrime]),
      .write_index_i(host_index),
      .data_i       (host_data),
      .read_index_i (base_index),
      .data_o       (host_mhat)
    );
  end else begin : gen_no_scale
    assign split_valid = 1'b0;
    assign split_last  = 1'b0;
    assign split_index = '0;
    assign split_word  = '0;
    assign scale_carry = 1'b0;
    assign inverse_of  = ConstantBits'(1);
    assign u_word      = '0;
    assign mhat        = '0;
    assign matched     = 1'b0;
    assign host_mhat   = '0;
    assign m_prime     = DigitWidth'(inverse);
    logic unused_scale;
    assign unused_scale = ^{split, mhat};

    if (MPrimeBits > 0) begin : gen_m_prime
      logic [MPrimeWords*BusWidth-1:0] m_prime_operand_q;

      always_ff @(posedge clk_i or negedge core_rst_n) begin
        if (!core_rst_n) begin
          m_prime_operand_q <= '0;
        end else begin
          for (int i = 0; i < MPrimeWords; i++) begin
            if (write[ExponentiationSelectMPrime] && (host_index == WordIndexWidth'(i))) begin
              m_prime_operand_q[i*BusWidth+:BusWidth] <= host_data;
            end
          end
        end
      end

      assign m_prime_wrong = m_prime_supplied_q && (inverse != m_prime_operand_q[MPrimeBits-1:0]);
      logic unused_top;
      assign unused_top = ^m_prime_operand_q;
    end else begin : gen_no_m_prime
      assign m_prime_wrong = 1'b0;
      logic unused_supplied;
      assign unused_supplied = m_prime_supplied_q;
    end
  end

  // ----------------------------------------------------------------------------------- Observation
  assign observation_o.start            = start;
  assign observation_o.control_state    = state;
  assign observation_o.exponent_bit     = exponent_bit;
  assign observation_o.product_start    = start_a && !scale;
  assign observation_o.product_done     = a_ring_done && !scale;
  assign observation_o.product_ready    = a_ring_ready;
  assign observation_o.product_position = a_observation.position;
  assign observation_o.a_table_valid    = scale ? '0 : a_observation.table_valid;
  assign observation_o.s_table_valid    = s_observation.table_valid;
  assign observation_o.a_table_addr     = a_observation.table_addr;
  assign observation_o.s_table_addr     = s_observation.table_addr;
  assign observation_o.a_digit_first    = a_observation.digit_first;
  assign observation_o.a_digit_queued   = a_observation.digit_queued;
  assign observation_o.a_digit_report   = a_observation.digit_report;
  assign observation_o.s_digit_first    = s_observation.digit_first;
  assign observation_o.s_digit_queued   = s_observation.digit_queued;
  assign observation_o.s_digit_report   = s_observation.digit_report;
  assign observation_o.a_core_state     = a_observation.state;
  assign observation_o.s_core_state     = s_observation.state;
  // Without a domain it is the last product of the loop whose division tells something.
  assign observation_o.result_done      = !Domain
                                        ? a_observation.result_done && (state == PowerLoop)
                                        : add_done && (Scaled ? subtract : (step == RingProduct));
  assign observation_o.add_nonzero      = Domain ? sum_valid && (difference != '0)
                                                 : a_observation.sum_nonzero;
  assign observation_o.add_pass_done    = Domain ? add_done : a_observation.pass_done;
  assign observation_o.add_subtracted   = Domain ? !negative : a_observation.subtracted;
  assign observation_o.add_sum_done     = Domain || a_observation.sum_done;
  assign observation_o.top_carry        = a_observation.top_carry || s_observation.top_carry;
  assign a_word_valid_o                 = a_ring_valid && a_write;
  assign a_word_at_o                    = 16'(32'(a_ring_index) * WordWidth);
  assign a_word_o                       = (Width + Guard)'(a_result);
  assign s_word_valid_o                 = s_ring_valid;
  assign s_word_at_o                    = 16'(32'(s_ring_index) * WordWidth);
  assign s_word_o                       = (Width + Guard)'(s_result);

  // Exponentiation is a matter of integers.
  localparam int UnusedParameters = BinaryBits;
  logic [31:0] unused_parameters;
  assign unused_parameters = UnusedParameters;
  logic unused_bits;
  assign unused_bits = ^{
    read, raw, binary, a_status, s_status, a_observation, s_observation, m_last,
    length_q, last, one
  };

endmodule
