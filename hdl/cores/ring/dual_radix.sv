// SPDX-License-Identifier: Apache-2.0
//
// Unified dual-radix Montgomery multiplier. In GF(P) a digit has UnitWidth bits, and Units
// multipliers work in parallel. In GF(2**n) a digit is a whole word, and one carry-less multiplier
// works. Both fields use the same schedule.
//
//   S = X*Y*2**-(d*u) (mod M), S < 2*M for X, Y < M,  u = ceil(Width/d)    d = UnitWidth
//   chain: the same with u = ceil((Width+2)/d), S < 2*M for X, Y < 2*M
//   S = X*Y*x**-(d*u) (mod M), degree below that of M                      d = WordBits
//
//   C = 0;  for each of the u digits a of X, lowest first:
//     t = (C_0 + a*Y_0)*m' mod 2**d                             (two cycles)
//     for each word j:  T = C_j + a*Y_j + z;  T = T + t*M_j     (one cycle each)
//       all but the lowest d bits of T go into C, shifted down by d; z: bits of T above the word
//
// Words have WordBits = UnitWidth*Units bits (64 in the source). Each cycle does one
// multiplication, a digit times a word: four 16x16 units in GF(P), 64x64 without carries in
// GF(2**n). Y, M and C are in word memories. The core writes the words of C shifted down, one word
// later. So the highest word of C is a register. The bits of C and Y above their words are
// registers, too.
//
// Interface: word streams, see ring_unit; a digit of that interface is a word of X. Products of
// polynomials have the kind ProductBinary.
//
// Operands: M odd, in GF(2**n) of degree below Width; X, Y below 2**Width, in a chain below 2*M.
// m_prime_i: -1/M mod 2**d, in GF(2**n) 1/M mod x**d; it must not change while a product runs.
// Parameters: UnitWidth*Units <= Width.
// Latency, start to ready: u*(2*W + 2) + 1 cycles, W = ceil(Width/WordBits): 161 in GF(P) and 41 in
// GF(2**n) for 256 bits. start to done: the number of words of Width + 2 bits more.
// table_addr (observation only), once per digit: {field, t = 0, carry out of the highest word}.
//
// Source: Tanimura et al., ASP-DAC 2008; FIOS: Koc, Acar & Kaliski 1996.

module dual_radix
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int UnitWidth = 16,
  parameter int Units = 2,
  parameter bit Chain = 1'b1,
  // Derived, do not set.
  parameter int WordBits = UnitWidth * Units
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  stream_control_t                    control_i,
  output stream_status_t                     status_o,
  input  logic                [WordBits-1:0] digit_i,
  input  logic                [WordBits-1:0] y_i,
  input  logic                [WordBits-1:0] m_i,
  input  logic                [WordBits-1:0] m_prime_i,
  output logic                [WordBits-1:0] word_o,
  output stream_observation_t                observation_o
);

  localparam int Words = (Width + WordBits - 1) / WordBits;
  localparam int Digits = (Width + UnitWidth - 1) / UnitWidth;
  localparam int ChainDigits = (Width + UnitWidth + 1) / UnitWidth;
  localparam int SumWidth = 2 * WordBits + 2;
  localparam int DigitCountWidth = $clog2(ChainDigits + 1);
  // Words of Y and of the result, which have Width + 2 bits.
  localparam int StreamWords = (Width + WordBits + 1) / WordBits;
  localparam logic [WordIndexWidth-1:0] LastWord = WordIndexWidth'(Words - 1);
  localparam logic [WordIndexWidth-1:0] LastStreamWord = WordIndexWidth'(StreamWords - 1);
  localparam int PartWidth = (Units > 1) ? $clog2(Units) : 1;

  `ASSERT_PARAMETER(units,
                    (UnitWidth >= 2) && (Units >= 1) && (WordBits <= Width) && (WordBits <= 64),
                    "dual_radix: UnitWidth*Units must be 2 to Width and at most 64")

  // -------------------------------------------------------------------------------------- Schedule
  // Each digit takes one cycle for C_0 + a*Y_0 (PhLow), one for t (PhQuotient), and two for each
  // word (PhX, PhM). Outside a product the phase is PhLow.
  typedef enum logic [1:0] {
    PhLow,
    PhQuotient,
    PhX,
    PhM
  } phase_e;

  phase_e phase_q;
  core_state_e state_q;
  logic [DigitCountWidth-1:0] digit_q, last_digit;
  logic [PartWidth-1:0] part_q;  // digits taken from the word of X
  logic [WordIndexWidth-1:0] word_q;
  logic field_q, chain_q, first_q;  // first_q: C is 0
  logic running, last_word, digit_ends, ends, word_of_x_ends;

  assign running = (state_q == StateRunning);
  assign last_word = (word_q == LastWord);
  assign last_digit = field_q ? DigitCountWidth'(Words - 1)
                    : chain_q ? DigitCountWidth'(ChainDigits - 1) : DigitCountWidth'(Digits - 1);
  assign digit_ends = (phase_q == PhM) && last_word;
  assign ends = digit_ends && (digit_q == last_digit);
  assign word_of_x_ends = field_q || (part_q == PartWidth'(Units - 1));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StateStarting;
      phase_q <= PhLow;
      {digit_q, part_q, word_q, field_q, chain_q, first_q} <= '0;
    end else begin
      case (state_q)
        StateStarting: begin
          phase_q <= PhLow;
          digit_q <= '0;
          part_q  <= '0;
          word_q  <= '0;
          if (control_i.start) begin
            state_q <= StateRunning;
            field_q <= (control_i.kind == ProductBinary);
            chain_q <= Chain && (control_i.kind == ProductChain);
            first_q <= 1'b1;
          end
        end
        StateRunning: begin
          case (phase_q)
            PhLow:      phase_q <= PhQuotient;
            PhQuotient: phase_q <= PhX;
            PhX:        phase_q <= PhM;
            default: begin
              word_q  <= last_word ? '0 : word_q + 1'b1;
              phase_q <= last_word ? PhLow : PhX;
              if (last_word) begin
                digit_q <= digit_q + 1'b1;
                part_q  <= word_of_x_ends ? '0 : part_q + 1'b1;
                first_q <= 1'b0;
                if (ends) state_q <= StateFinished;
              end
            end
          endcase
        end
        default: state_q <= StateStarting;
      endcase
    end
  end

  // ---------------------------------------------------------------------------- Words that come in
  // One word per cycle, from the cycle of the start on.
  logic loading, loading_q, next_digit;
  logic [WordIndexWidth-1:0] load, load_q;
  logic [WordBits-1:0] x_q;
  logic y_top_q;  // the bit of Y above its words, in a chain

  assign loading = control_i.start || loading_q;
  assign load    = control_i.start ? '0 : load_q;

  // Take a word of X with the start, and when all digits of the preceding word have been used.
  assign next_digit = control_i.start || (digit_ends && !ends && word_of_x_ends);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      x_q                          <= '0;
      {loading_q, load_q, y_top_q} <= '0;
    end else begin
      if (loading) begin
        loading_q <= (load != LastStreamWord);
        load_q    <= load + 1'b1;
        if (control_i.start) y_top_q <= 1'b0;
        else if (load == WordIndexWidth'(Words)) y_top_q <= y_i[0];
      end
      if (next_digit) x_q <= digit_i;
      else if (digit_ends) x_q <= x_q >> UnitWidth;
    end
  end

  // The memories have no reset. After a reset the core wipes them, faster than words can arrive.
  logic wipe;
  logic [WordIndexWidth-1:0] wipe_index_q;
  assign wipe = (wipe_index_q != WordIndexWidth'(Words));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) wipe_index_q <= '0;
    else if (wipe) wipe_index_q <= wipe_index_q + 1'b1;
  end

  logic [WordBits-1:0] y_word, m_word, c_low_word, unused_y, unused_m;
  logic [WordIndexWidth-1:0] next_word;  // of Y and C, for the next cycle that takes them

  assign next_word = ((phase_q == PhM) && !last_word) ? word_q + 1'b1 : '0;

  word_memory #(
    .Width(WordBits),
    .Depth(Words)
  ) u_y (
    .clk_i,
    .wipe_index_i (wipe_index_q),
    .write_i      (loading),
    .write_index_i(load),
    .data_i       (y_i),
    .read_index_i (next_word),
    .data_o       (y_word),
    .old_o        (unused_y)
  );

  word_memory #(
    .Width(WordBits),
    .Depth(Words)
  ) u_m (
    .clk_i,
    .wipe_index_i (wipe_index_q),
    .write_i      (loading),
    .write_index_i(load),
    .data_i       (m_i),
    .read_index_i (word_q),
    .data_o       (m_word),
    .old_o        (unused_m)
  );

  // -------------------------------------------------------------------------------- Multiplication
  // A digit (a word in GF(2**n)) times a word.
  logic [WordBits-1:0] a, t_q, factor, word;
  logic [UnitWidth-1:0] unit_factor;

  assign a           = field_q ? x_q : WordBits'(x_q[UnitWidth-1:0]);
  assign factor      = ((phase_q == PhLow) || (phase_q == PhX)) ? a : t_q;
  assign unit_factor = factor[UnitWidth-1:0];
  assign word        = (phase_q == PhQuotient) ? m_prime_i : (phase_q == PhM) ? m_word : y_word;

  // Units multipliers, each of a digit by a digit.
  logic [WordBits+UnitWidth-1:0] prime_product;
  always_comb begin
    prime_product = '0;
    for (int k = 0; k < Units; k++) begin
      prime_product = prime_product
          + ((WordBits + UnitWidth)'((2 * UnitWidth)'(unit_factor)
                                   * (2 * UnitWidth)'(word[k*UnitWidth+:UnitWidth]))
             << (k * UnitWidth));
    end
  end

  // One multiplier of a word by a word, without carries.
  logic [2*WordBits-1:0] binary_product;
  always_comb begin
    binary_product = '0;
    if (field_q) begin
      for (int k = 0; k < WordBits; k++) begin
        if (factor[k]) binary_product = binary_product ^ ((2 * WordBits)'(word) << k);
      end
    end
  end

  // T = C_j + a*Y_j + z, then T + t*M_j.
  logic [SumWidth-1:0] sum_q, sum, product, addend;
  logic [SumWidth-WordBits-1:0] z_q;  // bits above the word, for the next word
  logic [WordBits-1:0] c_word;

  assign product = field_q ? SumWidth'(binary_product) : SumWidth'(prime_product);

  always_comb begin
    case (phase_q)
      PhLow: addend = SumWidth'(c_word);
      PhX:
      addend = field_q ? (SumWidth'(c_word) ^ SumWidth'(z_q))
                                : (SumWidth'(c_word) + SumWidth'(z_q));
      PhM: addend = sum_q;
      default: addend = '0;
    endcase
  end
  assign sum = field_q ? (addend ^ product) : (addend + product);

  // -------------------------------------------------------------------------------------------- C
  logic [1:0] top_q;  // bits of C above its words
  logic [SumWidth-WordBits-1:0] top_sum;
  logic [WordBits-1:0] before_q, shifted, c_last_q;  // before_q: the preceding word of T
  logic [WordIndexWidth-1:0] c_index, c_write_index;
  logic c_write;

  assign top_sum = sum[SumWidth-1:WordBits]
                 + (SumWidth - WordBits)'(first_q ? '0 : top_q)
                 + (SumWidth - WordBits)'(y_top_q ? a : '0);

  // The word of C one place lower, with the low bits of this word on top.
  assign shifted = field_q ? sum[WordBits-1:0]
                           : WordBits'({sum[UnitWidth-1:0], before_q} >> UnitWidth);
  assign c_write = (phase_q == PhM) && (word_q != '0);
  assign c_write_index = word_q - 1'b1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {t_q, sum_q, z_q, before_q, c_last_q, top_q} <= '0;
    end else if (running) begin
      sum_q <= sum;
      case (phase_q)
        PhLow: begin
          t_q <= field_q ? sum[WordBits-1:0] : WordBits'(sum[UnitWidth-1:0]);
          z_q <= '0;
        end
        PhQuotient: t_q <= field_q ? sum[WordBits-1:0] : WordBits'(sum[UnitWidth-1:0]);
        PhM: begin
          z_q      <= sum[SumWidth-1:WordBits];
          before_q <= sum[WordBits-1:0];
          if (last_word) begin
            c_last_q <= field_q ? sum[WordBits+:WordBits]
                                : WordBits'({top_sum[UnitWidth-1:0], sum[WordBits-1:0]}
                                            >> UnitWidth);
            top_q <= field_q ? '0 : top_sum[UnitWidth+:2];
          end
        end
        default:    ;
      endcase
    end
  end

  if (Words > 1) begin : gen_low_words
    logic [WordBits-1:0] unused_c;
    word_memory #(
      .Width(WordBits),
      .Depth(Words - 1)
    ) u_c (
      .clk_i,
      .wipe_index_i (wipe_index_q),
      .write_i      (c_write),
      .write_index_i(c_write_index),
      .data_i       (shifted),
      .read_index_i (c_index),
      .data_o       (c_low_word),
      .old_o        (unused_c)
    );
  end else begin : gen_one_word
    assign c_low_word = '0;
  end

  assign c_word = first_q ? '0 : last_word ? c_last_q : c_low_word;

  // ----------------------------------------------------------------------------- Words that go out
  // The next product does not read C before all words have left.
  logic give, give_q, done_q;
  logic [WordIndexWidth-1:0] given, given_q;

  assign give    = (state_q == StateFinished) || give_q;
  assign given   = (state_q == StateFinished) ? '0 : given_q;
  assign c_index = give ? given + 1'b1 : next_word;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {give_q, given_q, done_q} <= '0;
    end else begin
      give_q <= give && (given != LastStreamWord);
      if (give) given_q <= given + 1'b1;
      done_q <= give && (given == LastStreamWord);
    end
  end

  assign word_o = (given == LastWord) ? c_last_q
                : (given > LastWord) ? WordBits'(top_q) : c_low_word;

  assign status_o.busy = (state_q != StateStarting) || give || done_q;
  assign status_o.ready = (state_q == StateFinished);
  assign status_o.done = done_q;
  assign status_o.next_digit = next_digit;
  assign status_o.valid = give;
  assign status_o.index = given;
  assign status_o.feed_index = loading ? load + 1'b1 : '0;
  assign status_o.parity = 1'b0;

  // ----------------------------------------------------------------------------------- Observation
  // The bits above a word go into the next word.
  logic above_word, top_carry;
  assign above_word = (sum[SumWidth-1:WordBits] != '0);
  assign top_carry = digit_ends && !field_q && (top_sum[UnitWidth+:2] != '0);

  assign observation_o.state = state_q;
  assign observation_o.table_valid = TablePositions'(digit_ends);
  assign observation_o.table_addr = TableAddrBits'({field_q, t_q == '0, top_carry});
  assign observation_o.position = '0;
  assign observation_o.top_carry = top_carry;
  assign {observation_o.digit_first, observation_o.digit_queued, observation_o.digit_report} = '0;
  assign observation_o.carry_first = '0;
  assign observation_o.carry_valid = (phase_q == PhM) && !last_word && !field_q && above_word;
  assign observation_o.carry_word = PositionWidth'(word_q) + 1'b1;
  assign {observation_o.sum_nonzero, observation_o.pass_done, observation_o.subtracted} = '0;
  assign {observation_o.sum_done, observation_o.result_done} = '0;

  // top_sum has bits that no sum reaches.
  logic unused_bits;
  assign unused_bits = ^{top_sum, y_i, c_write, c_write_index, shifted, c_index};

  `ASSERT(StartAfterReady, !control_i.start || (state_q == StateStarting))

endmodule
