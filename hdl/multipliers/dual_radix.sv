// SPDX-License-Identifier: Apache-2.0
//
// Unified dual-radix Montgomery multiplier: GF(P) with digits of UnitWidth bits on Units
// multipliers in parallel, GF(2**n) with digits of a whole word on one carry-less multiplier; one
// schedule for both.
//
//   s_o = X*Y*2**-(d*u) (mod M), s_o < 2*M for X, Y < M       field_i = 0, d = UnitWidth
//   s_o = X*Y*x**-(d*u) (mod M), degree below that of M       field_i = 1, d = WordBits
//   with u = ceil(Width/d);   c_o = 0
//
//   C = 0;  for each of the u digits a of X, lowest first:
//     t = (C_0 + a*Y_0)*m' mod 2**d                             (two clocks)
//     for each word j:  T = C_j + a*Y_j + z;  T = T + t*M_j     (a clock each)
//       all but the lowest d bits of T go into C, shifted down by d; z is what is above the word
//
// Words have WordBits = UnitWidth*Units bits (64 in the source). The product of a digit and a word
// is the one multiplication of a clock: four 16x16 units in GF(P), 64x64 without carries in
// GF(2**n).
//
// Operands: M odd, in GF(2**n) of degree below Width; X, Y any of Width bits; unreduced_o says in
// GF(2**n) whether the degree of X or Y reaches that of M. X, Y, M, const_i steady while busy_o.
// Constant 0: m' = -1/M mod 2**d, in GF(2**n) 1/M mod x**d.
// Parameters: UnitWidth*Units <= Width.
// Latency: start_i to done_o u*(2*W + 2) + 1 clocks, W = ceil(Width/WordBits) words: 161 in GF(P)
// and 41 in GF(2**n) for 256 bits.
// table_addr_o (observation only), once a digit: {field, t = 0, carry out of the highest word}.
//
// Source: Tanimura et al., ASP-DAC 2008; FIOS: Koc, Acar & Kaliski 1996.

module dual_radix
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int Guard = 2,
  parameter int UnitWidth = 16,
  parameter int Units = 2
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic                            start_i,
  input  logic                            field_i,
  input  logic [               Width-1:0] x_i,
  input  logic [               Width-1:0] y_i,
  input  logic [               Width-1:0] m_i,
  input  logic [ConstSlots*(Width+1)-1:0] const_i,
  output logic                            busy_o,
  output logic                            done_o,
  output logic [         Width+Guard-1:0] s_o,
  output logic [         Width+Guard-1:0] c_o,
  output logic [         ProgramBits-1:0] program_o,
  output logic                            binary_o,
  output logic                            unreduced_o,
  output logic [                    15:0] radix_bits_o,
  output logic [      TablePositions-1:0] table_valid_o,
  output logic [       TableAddrBits-1:0] table_addr_o,
  output logic [                     1:0] state_o,
  output logic                            top_carry_o,
  output logic                            carry_valid_o,
  output logic [       PositionWidth-1:0] carry_word_o
);

  localparam int WordBits = UnitWidth * Units;
  localparam int Words = (Width + WordBits - 1) / WordBits;
  localparam int Bits = Words * WordBits;
  localparam int PrimeDigits = (Width + UnitWidth - 1) / UnitWidth;
  localparam int XBits = (PrimeDigits * UnitWidth > Bits) ? PrimeDigits * UnitWidth : Bits;
  localparam int SumWidth = 2 * WordBits + 2;
  localparam int DigitCountWidth = $clog2(PrimeDigits + 1);
  localparam int WordCountWidth = $clog2(Words + 1);

  // Icarus 11 has no elaboration tasks.
`ifdef __ICARUS__
  initial begin
    if ((UnitWidth < 2) || (Units < 1) || (WordBits > Width) || (WordBits > 64)) begin
      $fatal(1, "dual_radix: UnitWidth*Units must be 2 to Width and at most 64");
    end
  end
`else
  if ((UnitWidth < 2) || (Units < 1) || (WordBits > Width) || (WordBits > 64)) begin : gen_check
    $error("dual_radix: UnitWidth*Units must be 2 to Width and at most 64");
  end
`endif  // __ICARUS__

  logic [7:0] inverse_bits;
  assign inverse_bits = field_i ? 8'(WordBits - 1) : 8'(UnitWidth - 1);
  // A polynomial of lower degree than M is below M as an integer, too: the final subtraction leaves
  // it alone.
  assign program_o = ProgramBits'({
    EndStep,
    add_step(ReduceOnce, SourceS, SourceZero, ToResult),
    RunStep,
    inverse_step(inverse_bits)
  });
  assign binary_o = 1'b1;
  assign radix_bits_o = 16'(PrimeDigits * UnitWidth);

  // Degrees: every bit below the highest one of M.
  localparam int Levels = $clog2(Width);
  logic [Width-1:0] smeared, below_degree;
  always_comb begin
    smeared = m_i;
    for (int i = 0; i < Levels; i++) smeared = smeared | (smeared >> (1 << i));
  end
  assign below_degree = smeared >> 1;
  assign unreduced_o  = |((x_i | y_i) & ~below_degree);

  // Schedule: for each digit phase 0 (C_0 + a*Y_0) and 1 (t), then two clocks a word.
  localparam logic [1:0] PhLow = 2'd0;
  localparam logic [1:0] PhQuotient = 2'd1;
  localparam logic [1:0] PhX = 2'd2;
  localparam logic [1:0] PhM = 2'd3;

  logic [1:0] state_q, phase_q;
  logic [DigitCountWidth-1:0] digit_q, last_digit;
  logic [WordCountWidth-1:0] word_q;
  logic last_word, running;

  assign running    = (state_q == StateRunning);
  assign last_word  = (word_q == WordCountWidth'(Words - 1));
  assign last_digit = field_i ? DigitCountWidth'(Words - 1) : DigitCountWidth'(PrimeDigits - 1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StateStarting;
      phase_q <= PhLow;
      digit_q <= '0;
      word_q  <= '0;
    end else begin
      case (state_q)
        StateStarting: begin
          phase_q <= PhLow;
          digit_q <= '0;
          word_q  <= '0;
          if (start_i) state_q <= StateRunning;
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
                if (digit_q == last_digit) state_q <= StateFinished;
              end
            end
          endcase
        end
        default: state_q <= StateStarting;
      endcase
    end
  end

  // Operands of the clock's multiplication: a digit (a word in GF(2**n)) times a word.
  logic [XBits-1:0] x_q;
  logic [Bits-1:0] y_padded, m_padded, c;
  // C above room for the digit that is shifted out: word j of the sum goes to place j.
  logic [Bits+WordBits-1:0] c_q;
  logic [WordBits-1:0] a, t_q, m_prime, factor, word, y_word, m_word, c_word;
  logic [UnitWidth-1:0] unit_factor;

  assign y_padded    = Bits'(y_i);
  assign m_padded    = Bits'(m_i);
  assign y_word      = y_padded[word_q*WordBits+:WordBits];
  assign m_word      = m_padded[word_q*WordBits+:WordBits];
  assign c           = field_i ? c_q[WordBits+:Bits] : c_q[UnitWidth+:Bits];
  assign c_word      = c[word_q*WordBits+:WordBits];
  assign m_prime     = const_i[WordBits-1:0];
  assign a           = field_i ? x_q[WordBits-1:0] : WordBits'(x_q[UnitWidth-1:0]);

  assign factor      = ((phase_q == PhLow) || (phase_q == PhX)) ? a : t_q;
  assign unit_factor = factor[UnitWidth-1:0];
  assign word        = (phase_q == PhQuotient) ? m_prime : (phase_q == PhM) ? m_word : y_word;

  // Units multipliers of a digit and a digit each.
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

  // One multiplier of a word and a word without carries.
  logic [2*WordBits-1:0] binary_product;
  always_comb begin
    binary_product = '0;
    if (field_i) begin
      for (int k = 0; k < WordBits; k++) begin
        if (factor[k]) binary_product = binary_product ^ ((2 * WordBits)'(word) << k);
      end
    end
  end

  // T = C_j + a*Y_j + z, then T + t*M_j.
  logic [SumWidth-1:0] sum_q, sum, product, addend;
  logic [WordBits-1:0] c_low;
  assign c_low = c[WordBits-1:0];
  logic [SumWidth-WordBits-1:0] z_q;  // above the word, for the next one

  assign product = field_i ? SumWidth'(binary_product) : SumWidth'(prime_product);

  always_comb begin
    case (phase_q)
      PhLow: addend = SumWidth'(c_low);
      PhX:
      addend = field_i ? (SumWidth'(c_word) ^ SumWidth'(z_q))
                                : (SumWidth'(c_word) + SumWidth'(z_q));
      PhM: addend = sum_q;
      default: addend = '0;
    endcase
  end
  assign sum = field_i ? (addend ^ product) : (addend + product);

  logic top_q;  // bit of C above its words
  logic [SumWidth-1:0] top_sum;
  assign top_sum = (sum >> WordBits) + SumWidth'(top_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      x_q   <= '0;
      c_q   <= '0;
      t_q   <= '0;
      sum_q <= '0;
      z_q   <= '0;
      top_q <= 1'b0;
    end else if ((state_q == StateStarting) && start_i) begin
      x_q   <= XBits'(x_i);
      c_q   <= '0;
      z_q   <= '0;
      top_q <= 1'b0;
    end else if (running) begin
      sum_q <= sum;
      case (phase_q)
        PhLow: begin
          t_q <= field_i ? sum[WordBits-1:0] : WordBits'(sum[UnitWidth-1:0]);
          z_q <= '0;
        end
        PhQuotient: t_q <= field_i ? sum[WordBits-1:0] : WordBits'(sum[UnitWidth-1:0]);
        PhM: begin
          z_q                            <= sum[SumWidth-1:WordBits];
          c_q[word_q*WordBits+:WordBits] <= sum[WordBits-1:0];
          if (last_word && field_i) c_q[Bits+:WordBits] <= sum[WordBits+:WordBits];
          if (last_word && !field_i) begin
            c_q[Bits+:UnitWidth] <= top_sum[UnitWidth-1:0];
            top_q                <= top_sum[UnitWidth];
          end
          if (last_word) x_q <= field_i ? (x_q >> WordBits) : (x_q >> UnitWidth);
        end
        default:    ;
      endcase
    end
  end

  logic [Bits:0] result;
  assign result  = {top_q, c};

  assign busy_o  = (state_q != StateStarting);
  assign done_o  = (state_q == StateFinished);
  assign s_o     = (Width + Guard)'(result);
  assign c_o     = '0;
  assign state_o = state_q;
  // What is above a word goes into the next one.
  logic above_word;
  assign above_word    = (sum[SumWidth-1:WordBits] != '0);
  assign carry_valid_o = running && (phase_q == PhM) && !last_word && !field_i && above_word;
  assign carry_word_o  = PositionWidth'(word_q) + 1'b1;
  assign top_carry_o = running && (phase_q == PhM) && last_word && !field_i && top_sum[UnitWidth];

  logic report;
  assign report        = running && (phase_q == PhM) && last_word;
  assign table_valid_o = TablePositions'(report);
  assign table_addr_o  = TableAddrBits'({field_i, t_q == '0, top_carry_o});

  logic unused_bits;
  assign unused_bits = ^{const_i[ConstSlots*(Width+1)-1:WordBits], top_sum, c_q, result};

endmodule
