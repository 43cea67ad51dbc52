// SPDX-License-Identifier: Apache-2.0
//
// MWR2MM: radix-2 Montgomery multiplier, made of word-by-bit processing elements in a systolic
// ring.
//
//   S = 0;  for each bit x of X, lowest first:  S := (S + x*Y + q*M)/2,  q = (S + x*Y) mod 2
//
//   S = X*Y*2**-Width (mod M), S < 2*M for X, Y < M
//   chain: S = X*Y*2**-(Width+2) (mod M), S < 2*M for X, Y < 2*M
//
// mwr2mm_element is the element, systolic_ring the ring. Interface: word streams, see ring_unit;
// digits are single bits, and the core uses no constant. Elements may be any number from 1 to the
// number of bits of X. With few elements words wait in the queue of the ring; from Words/2 elements
// on the queue is empty.
//
// Operands: M odd; X, Y below 2**Width, or in a chain below 2**(Width+1).
// Parameters: WordWidth (w) >= 2; Words = ceil((Width+2)/w), room for S < 3*M; at least 2.
// Latency, start to ready: 2*Width + (Words - 2*Elements)*floor(Width/Elements) cycles, and 2*Width
// without a queue. start to done: Words more.
// table_addr (observation only), once per bit of X: {carry into the top word, q, the bit came
// through the queue}.
//
// Source: Tenca & Koc, as Algorithm 1 of Michalski & Buell, ch. 3; Width + 2 bits: Walter (1999).

module mwr2mm
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int WordWidth = 16,
  parameter int Elements = 1,
  parameter bit Chain = 1'b1
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  stream_control_t                     control_i,
  output stream_status_t                      status_o,
  input  logic                [          0:0] digit_i,
  input  logic                [WordWidth-1:0] y_i,
  input  logic                [WordWidth-1:0] m_i,
  input  logic                [          0:0] m_prime_i,
  output logic                [WordWidth-1:0] word_o,
  output stream_observation_t                 observation_o
);

  localparam int ChainDigits = Width + 2;
  localparam int Words = (Width + 2 + WordWidth - 1) / WordWidth;
  localparam int DigitIndexWidth = $clog2(ChainDigits + 1);

  `ASSERT_PARAMETER(word, (WordWidth >= 2) && (Words >= 2),
                    "mwr2mm: WordWidth must be 2 to Width + 1")
  `ASSERT_PARAMETER(elements, (Elements >= 1) && (Elements <= Width),
                    "mwr2mm: Elements must be 1 to Width")

  logic [DigitIndexWidth-1:0] digits;
  logic chain;
  assign chain  = Chain && (control_i.kind == ProductChain);
  assign digits = chain ? DigitIndexWidth'(ChainDigits) : DigitIndexWidth'(Width);

  logic quotient;

  systolic_ring #(
    .Kind      (ElementMwr2mm),
    .WordWidth (WordWidth),
    .DigitWidth(1),
    .Words     (Words),
    .Elements  (Elements),
    .Latency   (2),
    .MaxDigits (ChainDigits),
    .Chain     (Chain),
    .SingleExit(Width % Elements)
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
