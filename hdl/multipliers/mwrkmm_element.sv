// SPDX-License-Identifier: Apache-2.0
//
// Processing element of MWRkMM: reduces S by one digit and adds one digit of X times Y, on words
// that arrive one a clock, lowest first.
//
//   u  = m'*S mod 2**DigitWidth;   S := (S + u*M)/2**DigitWidth + x*Y
//
// Clock by clock, from first_i with word 0 of S, Y and M (Latency 3; with Latency 4 both products
// pass a register before they are added):
//   A  u = m'*S(0) on the first multiplier;  B  S(0) + u*M(0);
//   C  for each further word S(j) + u*M(j), shifted down by DigitWidth, plus x*Y(j-1) on the second
//      multiplier.
// States A and B overlap with the last two words of the digit before, whose words of M and Y are
// zero: in A the first multiplier is not needed for u*M, and the sum leaves it out.
//
// The digit of X that belongs to first_i is taken from digit_i in the same clock.
// Ranges: words of WordWidth bits, the highest word of M and of Y zero; DigitWidth <= WordWidth.
// Carries are below 2**DigitWidth: (2**w-1)*(2**v-1) + (2**v-1) + (2**w-1) < 2**(v+w).
// Latency: word j in to word j out Latency clocks.
// report_o, quotient_o, wrap_o (wrap_i as it was with first_i), carry_o, adds_first_o (word 0 is
// added in this clock): observation; report_o is high in the clock in which this
// element adds u*M to the last word.
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
  input  logic                  first_i,
  input  logic                  last_i,
  input  logic                  wrap_i,
  input  logic [ WordWidth-1:0] s_i,
  input  logic [ WordWidth-1:0] y_i,
  input  logic [ WordWidth-1:0] m_i,
  output logic                  first_o,
  output logic                  last_o,
  output logic [ WordWidth-1:0] s_o,
  output logic [ WordWidth-1:0] y_o,
  output logic [ WordWidth-1:0] m_o,
  output logic                  report_o,
  output logic [DigitWidth-1:0] quotient_o,
  output logic                  wrap_o,
  output logic                  carry_o,
  output logic                  adds_first_o
);

  localparam int ProductWidth = WordWidth + DigitWidth;
  // Clocks from a word's arrival to its sum with u*M.
  localparam int Stage = Latency - 2;

  // Words and tags on their way through the element.
  logic [Latency-1:0] first_q, last_q;
  logic [Latency*WordWidth-1:0] y_q, m_q;
  logic [Stage*WordWidth-1:0] s_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q <= '0;
      last_q  <= '0;
      y_q     <= '0;
      m_q     <= '0;
    end else begin
      first_q <= {first_q[Latency-2:0], first_i};
      last_q  <= {last_q[Latency-2:0], last_i};
      y_q     <= {y_q[(Latency-1)*WordWidth-1:0], y_i};
      m_q     <= {m_q[(Latency-1)*WordWidth-1:0], m_i};
    end
  end

  // Multipliers.
  logic [DigitWidth-1:0] x_q, u_q, u;
  logic wrap_first_q, wrap_q;
  logic [DigitWidth-1:0] factor;
  logic [ WordWidth-1:0] word;
  logic [ProductWidth-1:0] product_um, product_xy;
  logic quotient_in_um;  // state A: product_um is m'*S(0)

  assign factor = first_i ? m_prime_i : u;
  assign word   = first_i ? WordWidth'(s_i[DigitWidth-1:0]) : m_q[WordWidth-1:0];

  if (Latency == 3) begin : gen_direct
    assign product_um     = ProductWidth'(factor) * ProductWidth'(word);
    assign product_xy     = ProductWidth'(x_q) * ProductWidth'(y_q[WordWidth+:WordWidth]);
    assign quotient_in_um = first_i;
    assign u              = u_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) s_q <= '0;
      else s_q <= s_i;
    end
  end else begin : gen_registered
    logic [ProductWidth-1:0] product_um_q, product_xy_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        product_um_q <= '0;
        product_xy_q <= '0;
        s_q          <= '0;
      end else begin
        product_um_q <= ProductWidth'(factor) * ProductWidth'(word);
        product_xy_q <= ProductWidth'(x_q) * ProductWidth'(y_q[WordWidth+:WordWidth]);
        s_q          <= {s_q[(Stage-1)*WordWidth-1:0], s_i};
      end
    end

    assign product_um     = product_um_q;
    assign product_xy     = product_xy_q;
    assign quotient_in_um = first_q[0];
    assign u              = first_q[0] ? product_um_q[DigitWidth-1:0] : u_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      x_q          <= '0;
      u_q          <= '0;
      wrap_first_q <= 1'b0;
      wrap_q       <= 1'b0;
    end else begin
      if (first_i) x_q <= digit_i;
      if (first_i) wrap_first_q <= wrap_i;
      if (quotient_in_um) begin
        u_q    <= product_um[DigitWidth-1:0];
        wrap_q <= first_i ? wrap_i : wrap_first_q;
      end
    end
  end

  // S + u*M, and what of it is left below the word that follows.
  logic [DigitWidth-1:0] carry_um_q;
  logic [WordWidth-1:0] low_q;
  logic [ProductWidth-1:0] sum_um;

  assign sum_um = ProductWidth'(s_q[(Stage-1)*WordWidth+:WordWidth])
                + (quotient_in_um ? '0 : product_um)
                + (first_q[Stage-1] ? '0 : ProductWidth'(carry_um_q));

  // The shift takes the low digit of the next word; after the last word there is none.
  logic [ProductWidth-1:0] joined;
  logic [WordWidth-1:0] shifted;
  assign joined  = {last_q[Stage] ? DigitWidth'(0) : sum_um[DigitWidth-1:0], low_q};
  assign shifted = joined[DigitWidth+:WordWidth];

  // + x*Y
  logic [DigitWidth-1:0] carry_xy_q;
  logic [WordWidth-1:0] sum_q;
  logic [ProductWidth-1:0] sum_xy;

  assign sum_xy = ProductWidth'(shifted) + product_xy
                + (first_q[Stage] ? '0 : ProductWidth'(carry_xy_q));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      carry_um_q <= '0;
      carry_xy_q <= '0;
      low_q      <= '0;
      sum_q      <= '0;
    end else begin
      carry_um_q <= sum_um[ProductWidth-1:WordWidth];
      low_q      <= sum_um[WordWidth-1:0];
      carry_xy_q <= sum_xy[ProductWidth-1:WordWidth];
      sum_q      <= sum_xy[WordWidth-1:0];
    end
  end

  assign first_o      = first_q[Latency-1];
  assign last_o       = last_q[Latency-1];
  assign s_o          = sum_q;
  assign y_o          = y_q[(Latency-1)*WordWidth+:WordWidth];
  assign m_o          = m_q[(Latency-1)*WordWidth+:WordWidth];
  assign report_o     = last_q[Stage-1];
  assign quotient_o   = u_q;
  assign wrap_o       = wrap_q;
  assign adds_first_o = first_q[Stage-1];
  assign carry_o      = (carry_um_q != '0);

  // The digit below the shifted word is zero: that is what u is for.
  logic unused_bits;
  assign unused_bits = ^joined[DigitWidth-1:0];

endmodule
