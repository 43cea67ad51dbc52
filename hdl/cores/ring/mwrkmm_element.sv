// SPDX-License-Identifier: Apache-2.0
//
// Processing element of MWRkMM: reduces S by one digit and adds one digit of X times Y, on words
// that arrive one a clock, lowest first.
//
//   u  = m'*S mod 2**DigitWidth;   S := (S + u*M)/2**DigitWidth + x*Y
//
// Clock by clock, from word 0 of S, Y and M on, with Latency 3:
//   A  u = m'*S(0) on the first multiplier;  B  S(0) + u*M(0);
//   C  for each further word S(j) + u*M(j), shifted down by DigitWidth, plus x*Y(j-1) on the second
//      multiplier.
// Latency 4: a register behind the multipliers. 5 and 6: another one inside them, for digits wider
// than one block of an FPGA; u leaves it early for the next multiplication, or waits for it (6).
//
// States A and B overlap with the last words of the digit before, whose words of M and Y are zero
// (one; two with Latency 6): in A the first multiplier is not needed for u*M, and the sum leaves it
// out.
//
// A digit begins with token_i and what comes through the ring, or with start_i and S = 0; s_fed_i
// goes with each word that is fed and says that S is 0, whatever s_i is. (The multiplier looks at
// token_i alone, which comes from a register.) The digit of X is taken from digit_i in that clock.
// token_next_i, s_next_i, s_next_o: token_i, s_i, s_o a clock before. Latency 3, whose two sums
// come in the clock of the multiplication, has the operands of the first multiplier chosen by then.
// Ranges: words of WordWidth bits; DigitWidth <= WordWidth.
// Carries are below 2**DigitWidth: (2**w-1)*(2**v-1) + (2**v-1) + (2**w-1) < 2**(v+w).
// Latency: word j in to word j out Latency clocks. first_next_o, last_next_o: first_o and last_o a
// clock before.
// report_o, quotient_o, report_carry_o, adds_first_o (word 0 is added in this clock): observation;
// report_o is high in the clock in which report_carry_o is the carry into the lowest word of which
// u*M has nothing; quotient_o is the digit's in the clock of last_i.
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
  // Clocks from a word's arrival: to its sum with u*M, to its multiplication by u; and those that
  // a multiplication takes.
  localparam int Stage = Latency - 2;
  localparam int Multiply = (Latency == 6) ? 2 : 1;
  localparam int Stages = Stage - Multiply;
  // u is known in this clock after word 0's.
  localparam int Known = (Latency == 3) ? 0 : Multiply;
  // The operands of the first multiplier are registers.
  localparam bit Ahead = (Latency == 3);
  // An observation that must not wait for the carry's register, as u is a new one then.
  localparam bit ReportEarly = Ahead || (Latency == 5);
  localparam int Report = ReportEarly ? Stage - 1 : Multiply + 1;

  // Words and tags on their way through the element.
  logic first;
  logic [Latency-2:0] first_q, last_q;
  logic [Latency-1:0] first_after, last_after;  // so many clocks after word 0, after the last word
  logic [Latency*WordWidth-1:0] y_q, m_q;
  logic [Stage*WordWidth-1:0] s_q;

  assign first       = token_i || start_i;
  assign first_after = {first_q, first};
  assign last_after  = {last_q, last_i};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q <= '0;
      last_q  <= '0;
      y_q     <= '0;
      m_q     <= '0;
      s_q     <= '0;
    end else begin
      first_q <= first_after[Latency-2:0];
      last_q  <= last_after[Latency-2:0];
      y_q     <= {y_q[(Latency-1)*WordWidth-1:0], y_i};
      m_q     <= {m_q[(Latency-1)*WordWidth-1:0], m_i};
      s_q     <= (Stage * WordWidth)'({s_q, s_fed_i ? WordWidth'(0) : s_i});
    end
  end

  // Multipliers.
  logic [DigitWidth-1:0] x_q, u_q, u_new;
  logic started_q;
  logic [DigitWidth-1:0] factor;
  logic [WordWidth-1:0] word;
  logic [ProductWidth-1:0] product_um, early_um, product_xy, early_xy;
  logic of_s;  // product_um is m'*S(0)
  logic known;  // u_new is m'*S(0), or 0 at the begin of a product

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
                            : m_q[(Multiply-1)*WordWidth+:WordWidth];
    logic unused_bits;
    assign unused_bits = ^s_next_i;
  end

  pipelined_multiplier #(
    .AWidth(DigitWidth),
    .BWidth(WordWidth),
    .Stages(Stages)
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
    .Stages(Stages)
  ) u_multiplier_xy (
    .clk_i,
    .rst_ni,
    .a_i      (x_q),
    .b_i      (y_q[Multiply*WordWidth+:WordWidth]),
    .early_o  (early_xy),
    .product_o(product_xy)
  );

  assign of_s = (Stages == 0) ? token_i : first_after[Stages];
  assign known = first_after[Known];
  assign u_new = ((Latency == 3) ? start_i : started_q) ? '0
               : (Latency == 5) ? early_um[DigitWidth-1:0] : product_um[DigitWidth-1:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      x_q       <= '0;
      u_q       <= '0;
      started_q <= 1'b0;
    end else begin
      if (first) x_q <= digit_i;
      if (first) started_q <= start_i;
      // m' waits here for the multiplication that makes u of it. The words of M that the element
      // multiplies until then are zero.
      if (token_next_i) u_q <= m_prime_i;
      else if (known) u_q <= u_new;
    end
  end

  // S + u*M, and what of it is left below the word that follows. The product in the clock of
  // m'*S(0) is none of u and M. In that of a start it is u*0: the words of M are those of A.
  logic [DigitWidth-1:0] carry_um_q;
  logic [WordWidth-1:0] low_q;
  logic [ProductWidth-1:0] sum_um;

  assign sum_um = ProductWidth'(s_q[(Stage-1)*WordWidth+:WordWidth])
                + (of_s ? '0 : product_um) + ProductWidth'(carry_um_q);

  // The shift takes the low digit of the next word; after the last word there is none.
  logic [ProductWidth-1:0] joined;
  logic [WordWidth-1:0] shifted;
  assign joined  = {last_after[Stage+1] ? DigitWidth'(0) : sum_um[DigitWidth-1:0], low_q};
  assign shifted = joined[DigitWidth+:WordWidth];

  // + x*Y
  logic [DigitWidth-1:0] carry_xy_q;
  logic [WordWidth-1:0] sum_q;
  logic [ProductWidth-1:0] sum_xy;

  assign sum_xy = ProductWidth'(shifted) + product_xy + ProductWidth'(carry_xy_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      carry_um_q <= '0;
      carry_xy_q <= '0;
      low_q      <= '0;
      sum_q      <= '0;
    end else begin
      // Word 0 may find one of the digit before: its sum ends in DigitWidth zeros, and what is
      // added to them goes no further.
      carry_um_q <= sum_um[ProductWidth-1:WordWidth];
      low_q      <= sum_um[WordWidth-1:0];
      // Word 0 finds none.
      carry_xy_q <= first_after[Stage] ? '0 : sum_xy[ProductWidth-1:WordWidth];
      sum_q      <= sum_xy[WordWidth-1:0];
    end
  end

  assign first_next_o = first_q[Latency-2];
  assign last_next_o = last_q[Latency-2];
  assign s_next_o = sum_xy[WordWidth-1:0];
  assign s_o = sum_q;
  assign y_o = y_q[(Latency-1)*WordWidth+:WordWidth];
  assign m_o = m_q[(Latency-1)*WordWidth+:WordWidth];
  assign report_o = last_after[Report];
  assign quotient_o = u_q;
  assign adds_first_o = ReportEarly ? first_after[Stage-1] : first_after[Stage];
  assign report_carry_o = ReportEarly ? (sum_um[ProductWidth-1:WordWidth] != '0)
                                      : (carry_um_q != '0);

  // The digit below the shifted word is zero: that is what u is for. Of two products only that of
  // u is wanted early.
  logic unused_bits;
  assign unused_bits = ^{joined[DigitWidth-1:0], early_um, early_xy};

endmodule
