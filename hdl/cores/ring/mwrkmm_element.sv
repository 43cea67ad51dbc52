// SPDX-License-Identifier: Apache-2.0
//
// Processing element of MWRkMM: reduces S by one digit and adds one digit of X times Y. The words
// arrive one per cycle, lowest first.
//
//   u  = m'*S mod 2**DigitWidth;   S := (S + u*M)/2**DigitWidth + x*Y
//
// Cycle by cycle, from word 0 of S, Y and M on, with Latency 3:
//   A  u = m'*S(0) on the first multiplier
//   B  S(0) + u*M(0)
//   C  for each further word: S(j) + u*M(j), shifted down by DigitWidth, plus x*Y(j-1) on the
//      second multiplier
// Latency 4 adds a register after the multipliers. Latency 5 and 6 add another register inside
// them, for digits wider than one multiplier block of an FPGA. With 5 the next multiplication takes
// u before the last register; with 6 it waits for this register.
//
// Cycles A and B overlap with the last words of the preceding digit. There the words of M and Y are
// zero (one word; two with Latency 6). So A does not need the first multiplier for u*M, and the sum
// ignores its product.
//
// A digit begins with token_i, with words from the ring, or with start_i and S = 0. The element
// takes the digit of X from digit_i in that cycle. s_fed_i is high with each fed word: S is 0,
// whatever s_i is. (The multiplier checks only token_i, which comes from a register.)
// token_next_i, s_next_i, s_next_o: token_i, s_i, s_o one cycle earlier. Latency 3 has two sums in
// the cycle of the multiplication, so it chooses the operands of the first multiplier one cycle
// ahead.
// arrival_next_i: word 0 comes from the ring in the next cycle, with token_i, or as
// word 0 of a result, which leaves the ring here. Timing: this is known before token_next_i.
// first_next_o, last_next_o: first and last with the words that leave, one cycle earlier.
// Ranges: words of WordWidth bits; DigitWidth <= WordWidth.
// Carries of a sum are one bit: the upper part of a product of w and v bits is at most 2**w - 2, so
// (2**v-1) + (2**w-2) + 1 < 2**(v+1).
// Latency: word j in to word j out Latency cycles.
// Observation only: report_o, quotient_o, report_carry_o, adds_first_o.
//   report_o: report_carry_o is the carry into the lowest word whose word of M is zero.
//   quotient_o: the quotient digit u, valid in the cycle of last_i.
//   adds_first_o: this cycle adds word 0.
//
// Source: Michalski & Buell, Algorithm 2, figures 2 to 6, ch. 5.1, 5.2; Latency 4: ch. 7.

module mwrkmm_element #(
  parameter int WordWidth = 17,
  parameter int DigitWidth = 16,
  parameter int Latency = 3
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [DigitWidth-1:0] m_prime_i,
  input  logic [DigitWidth-1:0] digit_i,
  input  logic                  arrival_next_i,
  input  logic                  token_next_i,
  input  logic                  token_i,
  input  logic                  start_i,
  input  logic                  last_i,
  input  logic                  s_fed_i,
  input  logic [ WordWidth-1:0] s_next_i,
  input  logic [ WordWidth-1:0] s_i,
  input  logic [ WordWidth-1:0] y_i,
  input  logic [ WordWidth-1:0] m_i,
  output logic                  first_next_o,
  output logic                  last_next_o,
  output logic [ WordWidth-1:0] s_next_o,
  output logic [ WordWidth-1:0] s_o,
  output logic [ WordWidth-1:0] y_o,
  output logic [ WordWidth-1:0] m_o,
  output logic                  report_o,
  output logic [DigitWidth-1:0] quotient_o,
  output logic                  report_carry_o,
  output logic                  adds_first_o
);

  localparam int ProductWidth = WordWidth + DigitWidth;
  // Cycles from the arrival of a word to its sum with u*M, and to its multiplication by u.
  localparam int SumDelay = Latency - 2;
  localparam int MultiplyDelay = (Latency == 6) ? 2 : 1;
  localparam int MultiplierStages = SumDelay - MultiplyDelay;  // cycles of a multiplication
  // Cycles from the arrival of a word to its first sum.
  localparam int HeldWords = (MultiplierStages == 0) ? 1 : SumDelay - 1;
  // Cycles from word 0 until u is known.
  localparam int QuotientDelay = (Latency == 3) ? 0 : MultiplyDelay;
  // The operands of the first multiplier are registers.
  localparam bit Ahead = (Latency == 3);
  // Report the carry before its register: one cycle later u belongs to the next digit.
  localparam bit ReportEarly = Ahead || (Latency == 5);
  localparam int ReportDelay = ReportEarly ? SumDelay - 1 : MultiplyDelay + 1;

  // Words and tags on their way through the element.
  logic first;
  logic [Latency-2:0] first_q, last_q;
  logic [Latency-1:0] first_after, last_after;  // bit i: i cycles after word 0, the last word
  logic [Latency*WordWidth-1:0] y_q, m_q;
  logic [HeldWords*WordWidth-1:0] s_q;

  assign first       = token_i || start_i;
  assign first_after = {first_q, first};
  assign last_after  = {last_q, last_i};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q <= '0;
      last_q <= '0;
      {y_q, m_q, s_q} <= '0;
    end else begin
      first_q <= first_after[Latency-2:0];
      last_q  <= last_after[Latency-2:0];
      y_q     <= {y_q[(Latency-1)*WordWidth-1:0], y_i};
      m_q     <= {m_q[(Latency-1)*WordWidth-1:0], m_i};
      s_q     <= (HeldWords * WordWidth)'({s_q, s_fed_i ? WordWidth'(0) : s_i});
    end
  end

  // Multipliers.
  logic [DigitWidth-1:0] x_q, u_q, u_new;
  logic started_q;
  logic [DigitWidth-1:0] factor;
  logic [WordWidth-1:0] word;
  logic [ProductWidth-1:0] product_um, early_um, product_xy, early_xy;
  logic of_s;  // product_um is m'*S(0)
  logic known;  // u_new is m'*S(0), or 0 at the start of a product

  if (Ahead) begin : gen_ahead
    logic [WordWidth-1:0] word_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) word_q <= '0;
      else word_q <= token_next_i ? WordWidth'(s_next_i[DigitWidth-1:0]) : m_i;
    end

    assign factor = u_q;
    assign word   = word_q;
    logic unused_bits;
    assign unused_bits = ^s_next_i;
  end else begin : gen_at_once
    assign factor = known ? u_new : u_q;
    assign word   = token_i ? WordWidth'(s_i[DigitWidth-1:0])
                            : m_q[(MultiplyDelay-1)*WordWidth+:WordWidth];
    logic unused_bits;
    assign unused_bits = ^{s_next_i, token_next_i};
  end

  pipelined_multiplier #(
    .AWidth(DigitWidth),
    .BWidth(WordWidth),
    .Stages(MultiplierStages)
  ) u_multiplier_um (
    .clk_i,
    .rst_ni,
    .a_i      (factor),
    .b_i      (word),
    .early_o  (early_um),
    .product_o(product_um)
  );

  pipelined_multiplier #(
    .AWidth(DigitWidth),
    .BWidth(WordWidth),
    .Stages(MultiplierStages)
  ) u_multiplier_xy (
    .clk_i,
    .rst_ni,
    .a_i      (x_q),
    .b_i      (y_q[(MultiplyDelay-1)*WordWidth+:WordWidth]),
    .early_o  (early_xy),
    .product_o(product_xy)
  );

  assign of_s = (MultiplierStages == 0) ? token_i : first_after[MultiplierStages];
  assign known = first_after[QuotientDelay];
  assign u_new = ((Latency == 3) ? start_i : started_q) ? '0
               : (Latency == 5) ? early_um[DigitWidth-1:0] : product_um[DigitWidth-1:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {x_q, u_q, started_q} <= '0;
    end else begin
      if (first) x_q <= digit_i;
      if (first) started_q <= start_i;
      // m' waits in u_q for the multiplication that makes u. A product of m' with a word of M does
      // no harm: its upper part alone joins a sum, in bits that the shift by a digit drops.
      if (arrival_next_i) u_q <= m_prime_i;
      else if (known) u_q <= u_new;
    end
  end

  // Each sum has one more bit at the bottom, which makes the carry in: one carry chain adds all.
  // Timing: the upper part of a product joins the next word before the sum with its lower part. So
  // no carry chain is longer than a word.
  localparam int SumWidth = WordWidth + 2;

  // S + u*M, and its low word for the next cycle. In the cycle of m'*S(0) the product is not u*M,
  // so the sum ignores it.
  logic [DigitWidth-1:0] upper_um;
  logic [WordWidth-1:0] word_s, lower_um, added_um, low_q;
  logic carry_added_um, carry_um_q;
  logic [SumWidth-1:0] add_um, sum_um;

  assign word_s   = s_q[(HeldWords-1)*WordWidth+:WordWidth];
  assign upper_um = of_s ? '0 : product_um[ProductWidth-1:WordWidth];
  assign lower_um = of_s ? '0 : product_um[WordWidth-1:0];

  if (MultiplierStages == 0) begin : gen_add_at_once
    logic [DigitWidth-1:0] upper_um_q;
    logic carry_added_um_q;
    assign add_um = {1'b0, word_s, 1'b1} + {1'b0, WordWidth'(upper_um_q), carry_added_um_q};
    assign {carry_added_um, added_um} = add_um[SumWidth-1:1];
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) {upper_um_q, carry_added_um_q} <= '0;
      else {upper_um_q, carry_added_um_q} <= {upper_um, carry_added_um};
    end
  end else begin : gen_add_ahead
    logic [WordWidth-1:0] added_um_q;
    logic carry_added_um_q;
    assign add_um = {1'b0, word_s, 1'b1} + {1'b0, WordWidth'(upper_um), carry_added_um_q};
    assign {carry_added_um, added_um} = {carry_added_um_q, added_um_q};
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) {carry_added_um_q, added_um_q} <= '0;
      else {carry_added_um_q, added_um_q} <= add_um[SumWidth-1:1];
    end
  end

  assign sum_um = {1'b0, added_um, 1'b1} + {1'b0, lower_um, carry_um_q};

  // The shift takes the low digit of the next word; after the last word it takes 0.
  logic [ProductWidth-1:0] joined;
  logic [WordWidth-1:0] shifted;
  assign joined  = {last_after[SumDelay+1] ? DigitWidth'(0) : sum_um[1+:DigitWidth], low_q};
  assign shifted = joined[DigitWidth+:WordWidth];

  // + x*Y, whose product is there a cycle before the shifted word.
  logic [DigitWidth-1:0] upper_xy_q;
  logic [WordWidth-1:0] added_xy_q, sum_q;
  logic carry_added_xy_q, carry_xy_q;
  logic [SumWidth-1:0] add_xy, sum_xy;

  assign add_xy = {1'b0, product_xy[WordWidth-1:0], 1'b1}
                + {1'b0, WordWidth'(upper_xy_q), carry_added_xy_q};
  assign sum_xy = {1'b0, shifted, 1'b1} + {1'b0, added_xy_q, carry_xy_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {carry_um_q, low_q, sum_q} <= '0;
      {upper_xy_q, carry_added_xy_q, added_xy_q, carry_xy_q} <= '0;
    end else begin
      // Word 0 may add carries of the preceding digit. Its sum ends in DigitWidth zeros, so they
      // change only bits that the shift drops.
      carry_um_q       <= sum_um[SumWidth-1];
      low_q            <= sum_um[1+:WordWidth];
      // Word 0 of x*Y adds no upper part and no carry.
      upper_xy_q       <= first_after[SumDelay-1] ? '0 : product_xy[ProductWidth-1:WordWidth];
      carry_added_xy_q <= first_after[SumDelay-1] ? 1'b0 : add_xy[SumWidth-1];
      added_xy_q       <= add_xy[1+:WordWidth];
      carry_xy_q       <= first_after[SumDelay] ? 1'b0 : sum_xy[SumWidth-1];
      sum_q            <= sum_xy[1+:WordWidth];
    end
  end

  logic carry;  // the sum with u*M has a carry into the next word
  assign carry = sum_um[SumWidth-1] || carry_added_um || (upper_um != '0);
  if (ReportEarly) begin : gen_report_early
    assign report_carry_o = carry;
  end else begin : gen_report_late
    logic carry_report_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) carry_report_q <= 1'b0;
      else carry_report_q <= carry;
    end
    assign report_carry_o = carry_report_q;
  end

  assign first_next_o = first_q[Latency-2];
  assign last_next_o = last_q[Latency-2];
  assign s_next_o = sum_xy[1+:WordWidth];
  assign s_o = sum_q;
  assign y_o = y_q[(Latency-1)*WordWidth+:WordWidth];
  assign m_o = m_q[(Latency-1)*WordWidth+:WordWidth];
  assign report_o = last_after[ReportDelay];
  assign quotient_o = u_q;
  assign adds_first_o = ReportEarly ? first_after[SumDelay-1] : first_after[SumDelay];

  // u makes the digit below the shifted word zero. Only u uses an early product.
  logic unused_bits;
  assign unused_bits = ^{joined[DigitWidth-1:0], early_um, early_xy, add_um[0], sum_um[0],
                         add_xy[0], sum_xy[0]};

endmodule
