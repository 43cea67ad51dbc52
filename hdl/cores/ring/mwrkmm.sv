// SPDX-License-Identifier: Apache-2.0
//
// MWRkMM: Montgomery multiplier made of word-by-digit processing elements in a systolic ring.
//
//   S = 0;  for each digit x of X, lowest first, and one zero digit:
//     u = m'*S mod 2**w;   S := (S + u*M)/2**w + x*Y                (w = DigitWidth)
//
//   S = X*Y*2**-(w*ceil(Width/w)) (mod M), S < 2*M for X, Y < M
//   chain: S = X*Y*2**-(w*ceil((Width+2)/w)) (mod M), S < 2*M for X, Y < 2*M
//
// In a chain R >= 4*2**Width. So a result can be an operand of the next product without a final
// subtraction (Walter 1999).
//
// mwrkmm_element is the element, systolic_ring the ring. Interface: word streams, see ring_unit.
// ready comes with the first word of the result; the next product of a chain may start one cycle
// later.
//
// Operands: M odd; X, Y below 2**Width, or in a chain below 2**(Width+1).
// m_prime_i = -1/M mod 2**DigitWidth; it must not change while a product runs.
// Parameters: DigitWidth <= WordWidth, Latency 3 to 6 (see mwrkmm_element: 4 adds a register after
// the multipliers, 5 and 6 one inside them), Elements <= Words/Latency, WordWidth >= 2; Words =
// floor(Width/v) + 2 with v = WordWidth, one more if Latency is 6, or if w = v and Width mod v =
// v - 1, see models/docs/source_002.md.
// Latency, start to ready: Latency*d + (Words - Latency*p)*floor(d/p) cycles with p = Elements and
// d = ceil(Width/w) + 1 digits, eq. (14). From another start element i the last term is
// floor((i + d)/p). start to done: Words more.
// table_addr (observation only), once per digit: {carry into the top word of S + u*M; class of u:
// zero, all ones, other even or other odd (2 bits); the digit came through the queue}.
//
// Source: Michalski & Buell, Algorithm 2, ch. 4 to 5.3, eq. (13) to (15);
// models/docs/source_002.md.

module mwrkmm
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int WordWidth = 17,
  parameter int DigitWidth = 16,
  parameter int Elements = 1,
  parameter int Latency = 3,
  parameter bit Chain = 1'b1
) (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  input  stream_control_t                      control_i,
  output stream_status_t                       status_o,
  input  logic                [DigitWidth-1:0] digit_i,
  input  logic                [ WordWidth-1:0] y_i,
  input  logic                [ WordWidth-1:0] m_i,
  input  logic                [DigitWidth-1:0] m_prime_i,
  output logic                [ WordWidth-1:0] word_o,
  output stream_observation_t                  observation_o
);

  localparam int Digits = (Width + DigitWidth - 1) / DigitWidth + 1;
  localparam int ChainDigits = (Width + DigitWidth + 1) / DigitWidth + 1;
  // A sum has Width + DigitWidth + 2 bits. The highest word of Y and M must be zero; with Latency 6
  // the two highest.
  localparam bit MoreWords = (2 * WordWidth - Width % WordWidth < DigitWidth + 2) || (Latency == 6);
  localparam int Words = Width / WordWidth + (MoreWords ? 3 : 2);
  localparam int DigitIndexWidth = $clog2(ChainDigits + 1);

  `ASSERT_PARAMETER(digit, (DigitWidth >= 1) && (DigitWidth <= WordWidth),
                    "mwrkmm: DigitWidth must be 1 to WordWidth")
  `ASSERT_PARAMETER(latency, (Latency >= 3) && (Latency <= 6), "mwrkmm: Latency must be 3 to 6")
  `ASSERT_PARAMETER(elements, (Elements >= 1) && (Words >= Latency * Elements),
                    "mwrkmm: Elements must be 1 to Words / Latency")

  logic [DigitIndexWidth-1:0] digits;
  logic chain;
  assign chain  = Chain && (control_i.kind == ProductChain);
  assign digits = chain ? DigitIndexWidth'(ChainDigits) : DigitIndexWidth'(Digits);

  logic [DigitWidth-1:0] quotient;

  systolic_ring #(
    .Kind      (ElementMwrkmm),
    .WordWidth (WordWidth),
    .DigitWidth(DigitWidth),
    .Words     (Words),
    .Elements  (Elements),
    .Latency   (Latency),
    .MaxDigits (ChainDigits),
    .Chain     (Chain),
    .SingleExit(Digits % Elements)
  ) u_ring (
    .clk_i,
    .rst_ni,
    .start_i   (control_i.start),
    .short_i   (1'b0),
    .digits_i  (digits),
    .digit_i,
    .y_i,
    .m_i,
    .m_prime_i,
    .status_o,
    .word_o,
    .quotient_o(quotient),
    .observation_o
  );

  // The result has no quotient digit below it.
  logic unused_quotient;
  assign unused_quotient = ^quotient;

endmodule
