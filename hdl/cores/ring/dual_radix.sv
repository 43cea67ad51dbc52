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
//     for each word j:  U_j = C_j + a*Y_j + z                   (z: bits above the preceding word)
//     t = U_0*m' mod 2**d
//     for each word j:  T_j = U_j + t*M_j + z;  C = T/2**d
//
// Words have WordBits = UnitWidth*Units bits (64 in the source). Each cycle starts one
// multiplication, a digit times a word: four 16x16 units in GF(P), 64x64 without carries in
// GF(2**n). Y, M, and C or U are in word memories. The core writes the words of C shifted down, one
// word later. So the highest word of C is a register. The bits of C and Y above their words are
// registers, too.
//
// Three stages: the multiplication, the addition, the store. So a cycle has either a product or a
// carry chain of one word, and the next product does not wait. t needs two products, each of
// which needs the sum before it. The other words of X*Y fill these cycles. Steps of a digit:
//
//   W = 1       X0  -   t  -   M0  -
//   W = 2       X0  X1  t  -   M0  M1  -
//   W = 3 ...   X0  X1  t  X2  ...  M0  M1  ...          Xj: a*Y_j, Mj: t*M_j, -: no product
//
// Interface: word streams, see ring_unit; a digit of that interface is a word of X. Products of
// polynomials have the kind ProductBinary.
//
// Operands: M odd, in GF(2**n) of degree below Width; X, Y below 2**Width, in a chain below 2*M.
// m_prime_i: -1/M mod 2**d, in GF(2**n) 1/M mod x**d; it must not change while a product runs.
// Parameters: UnitWidth >= 2; UnitWidth*Units at most Width, and at most 64.
// Latency, start to ready: u*(2*W + 1) + 2 cycles, W = ceil(Width/WordBits): 146 in GF(P) and 38 in
// GF(2**n) for 256 bits; u*6 + 2 for W = 1, u*7 + 2 for W = 2. start to done: the number of words
// of Width + 2 bits more.
// table_addr (observation only), once per digit: {field, t = 0, carry out of the highest word}.
//
// Source: Tanimura et al., ASP-DAC 2008; order of the products: CIOS, Koc, Acar & Kaliski 1996.

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
  localparam int PrimeWidth = WordBits + UnitWidth;  // of a sum in GF(P): z is below 2**d
  localparam int SumWidth = 2 * WordBits;
  // Bits above the words of U and T: a digit and two bits in GF(P), a word in GF(2**n).
  localparam int PrimeTopWidth = UnitWidth + 2;
  localparam int TopWidth = (Units > 1) ? WordBits : PrimeTopWidth;
  localparam int DigitCountWidth = $clog2(ChainDigits + 1);
  // Words of Y and of the result, which have Width + 2 bits.
  localparam int StreamWords = (Width + WordBits + 1) / WordBits;
  localparam logic [WordIndexWidth-1:0] LastWord = WordIndexWidth'(Words - 1);
  localparam logic [WordIndexWidth-1:0] LastStreamWord = WordIndexWidth'(StreamWords - 1);
  // Steps of a digit, and the step of M0.
  localparam int Steps = (Words < 3) ? Words + 5 : 2 * Words + 1;
  localparam int FirstM = (Words < 3) ? 4 : Words + 1;
  localparam int StepWidth = $clog2(Steps + 1);
  localparam int PartWidth = (Units > 1) ? $clog2(Units) : 1;

  `ASSERT_PARAMETER(units,
                    (UnitWidth >= 2) && (Units >= 1) && (WordBits <= Width) && (WordBits <= 64),
                    "dual_radix: UnitWidth*Units must be 2 to Width and at most 64")

  // -------------------------------------------------------------------------------------- Schedule
  // The product that the multipliers start. The last digit has one more step, so that each word of
  // the result is stored before it leaves.
  typedef enum logic [1:0] {
    PhWait,
    PhX,
    PhQuotient,
    PhM
  } phase_e;

  phase_e phase_q, phase;  // of this cycle and of the next
  core_state_e state_q;
  logic [StepWidth-1:0] step_q, step, last_step;
  logic [DigitCountWidth-1:0] digit_q, last_digit;
  logic [PartWidth-1:0] part_q;  // digits taken from the word of X
  logic [WordIndexWidth-1:0] word_q, word;
  logic field_q, chain_q, first_q;  // first_q: C is 0
  logic running, digit_ends, ends, word_of_x_ends, is_x, is_m;

  assign running = (state_q == StateRunning);
  assign last_digit = field_q ? DigitCountWidth'(Words - 1)
                    : chain_q ? DigitCountWidth'(ChainDigits - 1) : DigitCountWidth'(Digits - 1);
  assign last_step = (digit_q == last_digit) ? StepWidth'(Steps) : StepWidth'(Steps - 1);
  assign digit_ends = running && (step_q == last_step);
  assign ends = digit_ends && (digit_q == last_digit);
  assign word_of_x_ends = field_q || (part_q == PartWidth'(Units - 1));

  assign step = (running && !digit_ends) ? step_q + 1'b1 : '0;
  assign is_x = (step == '0) || ((step == StepWidth'(1)) && (Words > 1))
             || ((step > StepWidth'(2)) && (step <= StepWidth'(Words)));
  assign is_m = (step >= StepWidth'(FirstM)) && (step < StepWidth'(FirstM + Words));
  assign phase = ends ? PhWait : is_x ? PhX : (step == StepWidth'(2)) ? PhQuotient
               : is_m ? PhM : PhWait;
  assign word = is_m ? WordIndexWidth'(step) - WordIndexWidth'(FirstM) : !is_x ? '0
              : (step > StepWidth'(2)) ? WordIndexWidth'(step) - 1'b1 : WordIndexWidth'(step);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StateStarting;
      phase_q <= PhWait;
      {step_q, digit_q, part_q, word_q, field_q, chain_q, first_q} <= '0;
    end else begin
      step_q <= step;
      word_q <= word;
      case (state_q)
        StateStarting: begin
          digit_q <= '0;
          part_q  <= '0;
          if (control_i.start) begin
            state_q <= StateRunning;
            phase_q <= PhX;
            field_q <= (control_i.kind == ProductBinary);
            chain_q <= Chain && (control_i.kind == ProductChain);
            first_q <= 1'b1;
          end
        end
        StateRunning: begin
          phase_q <= phase;
          if (digit_ends) begin
            digit_q <= digit_q + 1'b1;
            part_q  <= word_of_x_ends ? '0 : part_q + 1'b1;
            first_q <= 1'b0;
          end
          if (ends) state_q <= StateFinished;
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

  word_memory #(
    .Width(WordBits),
    .Depth(Words)
  ) u_y (
    .clk_i,
    .wipe_index_i (wipe_index_q),
    .write_i      (loading),
    .write_index_i(load),
    .data_i       (y_i),
    .read_index_i (word),
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
    .read_index_i (word),
    .data_o       (m_word),
    .old_o        (unused_m)
  );

  // -------------------------------------------------------------------------------- Multiplication
  // A digit (a word in GF(2**n)) times a word.
  logic [WordBits-1:0] t_q, factor, binary_factor, multiplicand;
  logic [UnitWidth-1:0] unit_factor;

  // The multipliers of the other field multiply by 0, so that the addition needs no choice.
  assign factor        = (phase_q == PhX) ? x_q : t_q;
  assign unit_factor   = field_q ? '0 : factor[UnitWidth-1:0];
  assign binary_factor = field_q ? factor : '0;
  assign multiplicand  = (phase_q == PhX) ? y_word : (phase_q == PhM) ? m_word : m_prime_i;

  // Units multipliers, each of a digit by a digit. Products that do not overlap share a row.
  logic [(Units+1)*UnitWidth-1:0] even, odd;
  logic [Units*2*UnitWidth-1:0] unit_products;

  for (genvar k = 0; k < Units; k++) begin : gen_unit
    logic [UnitWidth-1:0] unit_word;
    logic [2*UnitWidth-1:0] early, product;
    assign unit_word = multiplicand[k*UnitWidth+:UnitWidth];

    pipelined_multiplier #(
      .AWidth(UnitWidth),
      .BWidth(UnitWidth),
      .Stages(1)
    ) u_unit (
      .clk_i,
      .rst_ni,
      .a_i      (unit_factor),
      .b_i      (unit_word),
      .early_o  (early),
      .product_o(product)
    );

    assign unit_products[k*2*UnitWidth+:2*UnitWidth] = product;
    logic unused_early;
    assign unused_early = ^early;
  end

  always_comb begin
    even = '0;
    odd  = '0;
    for (int k = 0; k < Units; k++) begin
      if (k % 2 == 0) begin
        even[k*UnitWidth+:2*UnitWidth] = unit_products[k*2*UnitWidth+:2*UnitWidth];
      end else begin
        odd[k*UnitWidth+:2*UnitWidth] = unit_products[k*2*UnitWidth+:2*UnitWidth];
      end
    end
  end

  // One multiplier of a word by a word, without carries. Timing: the products of even and of odd
  // bits have a register each, and the addition adds them.
  logic [SumWidth-1:0] binary_even, binary_odd, binary_even_q, binary_odd_q;
  always_comb begin
    binary_even = '0;
    binary_odd  = '0;
    for (int k = 0; k < WordBits; k++) begin
      if (binary_factor[k]) begin
        if (k % 2 == 0) binary_even = binary_even ^ (SumWidth'(multiplicand) << k);
        else binary_odd = binary_odd ^ (SumWidth'(multiplicand) << k);
      end
    end
  end

  // -------------------------------------------------------------------------------------- Addition
  // U = C + a*Y + z, or T = U + t*M + z. z: bits above the preceding word.
  phase_e sum_phase_q;
  logic [WordIndexWidth-1:0] sum_word_q;
  logic [SumWidth-1:0] sum_q, sum;
  logic [SumWidth-1:0] binary_sum;
  logic [WordBits-1:0] above, z, c_last_q;
  logic [WordBits-1:0] addend_q, binary_addend_q;  // of GF(P), of GF(2**n); in the other field 0

  assign above = sum_q[WordBits+:WordBits];
  assign z = (sum_word_q == '0) ? '0 : above;

  // Timing: a carry-save adder for each further operand, and segments of the carry chain. Three
  // segments for the 80 bits of the source: each further one selects once more.
  logic [PrimeWidth-1:0] sum_1, sum_2;
  logic [PrimeWidth:0] carry_1, carry_2, prime_sum;

  carry_save_adder #(
    .Width(PrimeWidth)
  ) u_add_word (
    .a_i    (even),
    .b_i    (odd),
    .c_i    (PrimeWidth'(addend_q)),
    .sum_o  (sum_1),
    .carry_o(carry_1)
  );

  carry_save_adder #(
    .Width(PrimeWidth)
  ) u_add_z (
    .a_i    (sum_1),
    .b_i    (carry_1[PrimeWidth-1:0]),
    .c_i    (PrimeWidth'(z[UnitWidth-1:0])),
    .sum_o  (sum_2),
    .carry_o(carry_2)
  );

  carry_select_adder #(
    .Width       (PrimeWidth),
    .SegmentWidth(27)
  ) u_add (
    .a_i    (sum_2),
    .b_i    (carry_2[PrimeWidth-1:0]),
    .carry_i(1'b0),
    .sum_o  (prime_sum)
  );

  // Timing: no choice between the fields after the carries. In GF(2**n) the adder has only the low
  // bits of z to add. The high bits of z are 0 in GF(P).
  assign binary_sum = binary_even_q ^ binary_odd_q ^ SumWidth'(binary_addend_q)
                    ^ (SumWidth'(z) >> UnitWidth << UnitWidth);
  assign sum = SumWidth'(prime_sum[PrimeWidth-1:0]) ^ binary_sum;

  // ----------------------------------------------------------------------------------------- Store
  // The words of U and C. C is T one digit lower.
  phase_e store_phase_q;
  logic [WordIndexWidth-1:0] store_word_q;
  logic store_x, store_m, store_last;
  logic [PrimeTopWidth-1:0] prime_top;
  logic [TopWidth-1:0] top_q, top_sum;  // bits of C, U above their words
  logic [WordBits-1:0] before_q, shifted, c_word_in;  // before_q: the preceding word of T
  logic [WordIndexWidth-1:0] c_index, c_write_index;
  logic c_write, c_write_same;
  logic [WordBits-1:0] c_last, c_word, addend;

  assign store_x = (store_phase_q == PhX);
  assign store_m = (store_phase_q == PhM);
  assign store_last = (store_word_q == LastWord);
  assign prime_top = PrimeTopWidth'(above[UnitWidth-1:0])
                   + ((store_x && first_q) ? '0 : top_q[PrimeTopWidth-1:0])
                   + ((store_x && y_top_q) ? PrimeTopWidth'(x_q[UnitWidth-1:0]) : '0);
  assign top_sum = field_q ? (TopWidth'(above) ^ (store_x ? '0 : top_q)) : TopWidth'(prime_top);

  // The word of C one place lower, with the low bits of this word on top.
  assign shifted = field_q ? sum_q[WordBits-1:0]
                           : WordBits'({sum_q[UnitWidth-1:0], before_q} >> UnitWidth);
  assign c_write = (store_x && !store_last) || (store_m && (store_word_q != '0));
  assign c_write_index = store_x ? store_word_q : store_word_q - 1'b1;
  assign c_word_in = store_x ? sum_q[WordBits-1:0] : shifted;

  always_comb begin
    c_last = c_last_q;
    if (store_x && store_last) c_last = sum_q[WordBits-1:0];
    if (store_m && store_last) begin
      c_last = field_q ? top_sum[WordBits-1:0]
             : WordBits'({top_sum[UnitWidth-1:0], sum_q[WordBits-1:0]} >> UnitWidth);
    end
  end

  // Timing: read the addend of a product while the multipliers compute it. So the addition begins
  // with a register. A word that is stored in this cycle is not in the memory yet.
  assign c_write_same = c_write && (c_write_index == word_q);
  assign c_word = (word_q == LastWord) ? c_last : c_write_same ? c_word_in : c_low_word;
  assign addend = (first_q && (phase_q == PhX)) || (phase_q == PhQuotient) ? '0 : c_word;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sum_phase_q <= PhWait;
      store_phase_q <= PhWait;
      {sum_word_q, store_word_q} <= '0;
      {t_q, sum_q, before_q, c_last_q, top_q} <= '0;
      {addend_q, binary_addend_q, binary_even_q, binary_odd_q} <= '0;
    end else begin
      sum_phase_q   <= phase_q;
      sum_word_q    <= word_q;
      store_phase_q <= sum_phase_q;
      store_word_q  <= sum_word_q;
      binary_even_q <= binary_even;
      binary_odd_q  <= binary_odd;
      // The low word of U, for t, and then t. The bits above a digit are 0 in GF(P); in GF(2**n)
      // they do not wait for the adder.
      if ((sum_phase_q == PhQuotient) || ((sum_phase_q == PhX) && (sum_word_q == '0))) begin
        t_q <= (binary_sum[WordBits-1:0] >> UnitWidth << UnitWidth) | WordBits'(sum[UnitWidth-1:0]);
      end
      if ((sum_phase_q == PhX) || (sum_phase_q == PhM)) sum_q <= sum;
      if (store_m) before_q <= sum_q[WordBits-1:0];
      addend_q <= field_q ? '0 : addend;
      binary_addend_q <= field_q ? addend : '0;
      c_last_q <= c_last;
      if (store_x && store_last) top_q <= top_sum;
      if (store_m && store_last) top_q <= field_q ? '0 : TopWidth'(top_sum[UnitWidth+:2]);
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
      .data_i       (c_word_in),
      .read_index_i (c_index),
      .data_o       (c_low_word),
      .old_o        (unused_c)
    );
  end else begin : gen_one_word
    assign c_low_word = '0;
  end

  // ----------------------------------------------------------------------------- Words that go out
  // The next product does not read C before all words have left.
  logic give, give_q, done_q;
  logic [WordIndexWidth-1:0] given, given_q;

  assign give    = (state_q == StateFinished) || give_q;
  assign given   = (state_q == StateFinished) ? '0 : given_q;
  assign c_index = give ? given + 1'b1 : word;

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
  logic top_carry;
  assign top_carry = store_m && store_last && !field_q && (top_sum[UnitWidth+:2] != '0);

  assign observation_o.state = state_q;
  assign observation_o.table_valid = TablePositions'(store_m && store_last);
  assign observation_o.table_addr = TableAddrBits'({field_q, t_q == '0, top_carry});
  assign observation_o.position = '0;
  assign observation_o.top_carry = top_carry;
  assign {observation_o.digit_first, observation_o.digit_queued, observation_o.digit_report} = '0;
  assign observation_o.carry_first = '0;
  assign observation_o.carry_valid = store_m && !store_last && !field_q && (above != '0);
  assign observation_o.carry_word = PositionWidth'(store_word_q) + 1'b1;
  assign {observation_o.sum_nonzero, observation_o.pass_done, observation_o.subtracted} = '0;
  assign {observation_o.sum_done, observation_o.result_done} = '0;

  // Only one bit of Y is above its words. One word needs no memory of C. Sums have no carry out.
  logic unused_bits;
  assign unused_bits = ^{
    y_i, c_write, c_write_index, c_word_in, c_index, carry_1[PrimeWidth], carry_2[PrimeWidth],
    prime_sum[PrimeWidth]
  };

  `ASSERT(StartAfterReady, !control_i.start || (state_q == StateStarting))

endmodule
