// SPDX-License-Identifier: Apache-2.0
//
// Processing element of MWR2MM: adds one bit of X times Y to S, adds M if the sum is odd, and
// halves it. The words arrive one per cycle, lowest first.
//
//   q = (S + x*Y) mod 2;   S := (S + x*Y + q*M)/2
//
// Cycle by cycle, from first_i with word 0: the element adds word j in the cycle of its arrival and
// halves it one cycle later, when the low bit of word j + 1 is known.
// The element takes the bit of X for first_i from digit_i in the same cycle.
// Ranges: words of WordWidth bits, at least 2. The carry from word to word is at most 2.
// Latency: word j in to word j out 2 cycles. first_next_o, last_next_o come one cycle before their
// words.
// Observation only: report_o, quotient_o, report_carry_o, adds_first_o. adds_first_o: this cycle
// adds word 0. report_o: this cycle adds the last word.
//
// Source: Tenca & Koc, as Algorithm 1 of Michalski & Buell.

module mwr2mm_element #(
  parameter int WordWidth = 16
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 digit_i,
  input  logic                 first_i,
  input  logic                 last_i,
  input  logic [WordWidth-1:0] s_i,
  input  logic [WordWidth-1:0] y_i,
  input  logic [WordWidth-1:0] m_i,
  output logic                 first_next_o,
  output logic                 last_next_o,
  output logic [WordWidth-1:0] s_o,
  output logic [WordWidth-1:0] y_o,
  output logic [WordWidth-1:0] m_o,
  output logic                 report_o,
  output logic                 quotient_o,
  output logic                 report_carry_o,
  output logic                 adds_first_o
);

  localparam int SumWidth = WordWidth + 2;

  logic x, x_q, q, q_q;
  logic [1:0] carry_q;
  logic first_q, last_q;
  logic [2*WordWidth-1:0] y_q, m_q;
  logic [WordWidth-1:0] low_q, s_q;
  logic [SumWidth-1:0] sum;

  assign x = first_i ? digit_i : x_q;
  assign q = first_i ? (s_i[0] ^ (digit_i & y_i[0])) : q_q;
  assign sum = SumWidth'(s_i) + (x ? SumWidth'(y_i) : '0) + (q ? SumWidth'(m_i) : '0)
             + (first_i ? '0 : SumWidth'(carry_q));

  // The bit that moves down from the next word. Above the last word it is the carry.
  logic from_above;
  assign from_above = last_q ? carry_q[0] : sum[0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      low_q <= '0;
      {x_q, q_q, carry_q, first_q, last_q, y_q, m_q, s_q} <= '0;
    end else begin
      if (first_i) begin
        x_q <= digit_i;
        q_q <= q;
      end
      carry_q <= sum[SumWidth-1:WordWidth];
      low_q   <= sum[WordWidth-1:0];
      s_q     <= {from_above, low_q[WordWidth-1:1]};
      first_q <= first_i;
      last_q  <= last_i;
      y_q     <= {y_q[WordWidth-1:0], y_i};
      m_q     <= {m_q[WordWidth-1:0], m_i};
    end
  end

  assign first_next_o   = first_q;
  assign last_next_o    = last_q;
  assign s_o            = s_q;
  assign y_o            = y_q[WordWidth+:WordWidth];
  assign m_o            = m_q[WordWidth+:WordWidth];
  assign report_o       = last_i;
  assign quotient_o     = q;
  assign adds_first_o   = first_i;
  assign report_carry_o = !first_i && (carry_q != '0);

  // The sum is even, so its lowest bit is 0.
  logic unused_bits;
  assign unused_bits = low_q[0];

endmodule
