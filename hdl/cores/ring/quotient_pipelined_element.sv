// SPDX-License-Identifier: Apache-2.0
//
// Processing element of the very-high-radix multipliers: shifts Z down by one digit and adds a
// quotient digit times Mhat and a digit of X times Y. The words arrive one per cycle, lowest first.
//
//   Z := floor(Z/2**DigitWidth) + q*Mhat + x*Y
//
// q is the digit shifted out, Z mod 2**DigitWidth. With Pipelined, q is the digit shifted out by
// the preceding element (q_i), so that no multiplication waits for a digit of this cycle. q_o
// passes on the digit of this element.
// Cycle by cycle, from first_i with word 0, for Latency 2: the element shifts, multiplies and adds
// word j in the cycle of word j + 1, because it takes the low bits of word j + 1. Latency 3
// registers both products before the addition. Latency 4 also registers their sum with Z before it
// adds the carry.
// The element takes the digit of X for first_i from digit_i in the same cycle.
// Ranges: words of WordWidth bits, DigitWidth <= WordWidth. The carry from word to word is below
// 2**(DigitWidth+1).
// Latency: word j in to word j out Latency cycles. q_i goes with first_i, q_o comes with word 0;
// first_next_o, last_next_o come one cycle before their words.
// Observation only: report_o, quotient_o, report_carry_o, adds_first_o. adds_first_o: this cycle
// adds word 0. report_o is high in the cycle after the last word.
//
// Source: Jiang & Harris, figures 1, 3 and 5; Orup (1995), Algorithm 4.

module quotient_pipelined_element #(
  parameter int WordWidth  = 16,
  parameter int DigitWidth = 16,
  parameter bit Pipelined  = 1'b1,
  parameter int Latency    = 2
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [DigitWidth-1:0] digit_i,
  input  logic                  first_i,
  input  logic                  last_i,
  input  logic [DigitWidth-1:0] q_i,
  input  logic [ WordWidth-1:0] s_i,
  input  logic [ WordWidth-1:0] y_i,
  input  logic [ WordWidth-1:0] m_i,
  output logic                  first_next_o,
  output logic                  last_next_o,
  output logic [DigitWidth-1:0] q_o,
  output logic [ WordWidth-1:0] s_o,
  output logic [ WordWidth-1:0] y_o,
  output logic [ WordWidth-1:0] m_o,
  output logic                  report_o,
  output logic [DigitWidth-1:0] quotient_o,
  output logic                  report_carry_o,
  output logic                  adds_first_o
);

  localparam int ProductWidth = WordWidth + DigitWidth;
  localparam int SumWidth = ProductWidth + 1;

  logic [DigitWidth-1:0] x_q, use_q, own_q, own_out_q;
  logic [Latency-2:0] first_q, last_q;
  logic [Latency*WordWidth-1:0] y_q, m_q;
  logic [WordWidth-1:0] z_q, sum_q;
  logic [DigitWidth:0] carry_q;
  logic adds_first;  // sum belongs to word 0

  assign adds_first = first_q[Latency-2];

  // Word j with the low digit of word j + 1 above it; above the last word is 0.
  logic [WordWidth+DigitWidth-1:0] joined;
  logic [SumWidth-1:0] products, sum;
  assign sum = products + (adds_first ? '0 : SumWidth'(carry_q));

  if (Latency == 2) begin : gen_direct
    assign joined = {last_q[0] ? DigitWidth'(0) : s_i[DigitWidth-1:0], z_q};
    assign products = SumWidth'(joined[DigitWidth+:WordWidth])
                    + SumWidth'(use_q) * SumWidth'(m_q[WordWidth-1:0])
                    + SumWidth'(x_q) * SumWidth'(y_q[WordWidth-1:0]);
  end else begin : gen_registered
    logic [WordWidth-1:0] z_2_q;
    logic [ProductWidth-1:0] product_qm_q, product_xy_q;
    logic [SumWidth-1:0] added;

    assign joined = {last_q[1] ? DigitWidth'(0) : z_q[DigitWidth-1:0], z_2_q};
    assign added  = SumWidth'(joined[DigitWidth+:WordWidth]) + SumWidth'(product_qm_q)
                  + SumWidth'(product_xy_q);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        {z_2_q, product_qm_q, product_xy_q} <= '0;
      end else begin
        z_2_q        <= z_q;
        product_qm_q <= ProductWidth'(use_q) * ProductWidth'(m_q[WordWidth-1:0]);
        product_xy_q <= ProductWidth'(x_q) * ProductWidth'(y_q[WordWidth-1:0]);
      end
    end

    if (Latency == 3) begin : gen_three
      assign products = added;
    end else begin : gen_four
      logic [SumWidth-1:0] added_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) added_q <= '0;
        else added_q <= added;
      end
      assign products = added_q;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {x_q, use_q, own_q, own_out_q, first_q, last_q, y_q, m_q, z_q, sum_q, carry_q} <= '0;
    end else begin
      if (first_i) begin
        x_q   <= digit_i;
        own_q <= s_i[DigitWidth-1:0];
        use_q <= Pipelined ? q_i : s_i[DigitWidth-1:0];
      end
      if (adds_first) own_out_q <= own_q;
      z_q     <= s_i;
      sum_q   <= sum[WordWidth-1:0];
      carry_q <= sum[SumWidth-1:WordWidth];
      first_q <= (Latency - 1)'({first_q, first_i});
      last_q  <= (Latency - 1)'({last_q, last_i});
      y_q     <= {y_q[(Latency-1)*WordWidth-1:0], y_i};
      m_q     <= {m_q[(Latency-1)*WordWidth-1:0], m_i};
    end
  end

  assign first_next_o   = adds_first;
  assign last_next_o    = last_q[Latency-2];
  assign q_o            = own_out_q;
  assign s_o            = sum_q;
  assign y_o            = y_q[(Latency-1)*WordWidth+:WordWidth];
  assign m_o            = m_q[(Latency-1)*WordWidth+:WordWidth];
  assign report_o       = last_q[0];
  assign quotient_o     = use_q;
  assign adds_first_o   = adds_first;
  assign report_carry_o = !adds_first && (carry_q != '0);

  // The digit shifted out is kept in q. Only a pipelined element uses q_i.
  logic unused_bits;
  assign unused_bits = ^{joined[DigitWidth-1:0], q_i};

endmodule
