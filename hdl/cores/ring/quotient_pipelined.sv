// SPDX-License-Identifier: Apache-2.0
//
// Quotient-pipelined and parallel very-high-radix Montgomery multiplier: a systolic ring of
// processing elements that need no multiplication for a quotient digit.
//
//   Z = 0;  for each digit x of X, lowest first, and Stages + 1 zero digits:
//     q_i = Z mod 2**v;   Z := floor(Z/2**v) + q_(i-Stages)*Mhat + x*Y            (v = DigitWidth)
//   S = Z for Stages = 0, Z*2**v + q for Stages = 1, q the last digit
//
//   S = X*Y*2**-(v*k) (mod M), k = ceil(Width/v) digits of X
//   short: without the zero digits, S = X*Y*2**-(v*(k-Stages-1)) (mod M)
//   scale: S = X*Y for X of Stages + 1 digits and Mhat = 0
//   S < 2*Mtilde, Mtilde = Mhat*2**(v*(Stages+1)) - 1 a multiple of M below M*2**(v*(Stages+1))
//   chain: the same for X, Y < 2*Mtilde, with k = ceil((Width + v*(Stages+1) + 2)/v)
//
// The core takes Mhat = 2**-(v*(Stages+1)) mod M instead of M, in m_i, and adds q*Mhat instead of
// q*M. Adding q*Mtilde to Z makes Z divisible by 2**(v*(Stages+1)). So the quotient digit is simply
// the digit shifted out.
// quotient_pipelined_element is the element, systolic_ring the ring. Interface: word streams, see
// ring_unit. The words are those of S. With Stages = 1, outside a chain, S has one word more than
// Z.
//
// Operands: M odd; X, Y below 2**Width, or in a chain below 2*Mtilde.
// Parameters: WordWidth (w), DigitWidth (v) <= w, Stages 0 (parallel) or 1, Elements (p) >= 1,
// Latency (L) 2, or 3 and 4 with more registers in the elements; Chain = 0: no chain.
// Latency, start to done: e*floor(f/p) + L*(f mod p) + e cycles with e = ceil((Width+v+1)/w)
// words and f = k + Stages + 1 digits if e >= L*p, else L*f + e. start to ready: e less.
// table_addr (observation only), once per digit: {class of q: zero, all ones, other even or other
// odd (2 bits); the digit came through the queue}.
//
// Source: Jiang & Harris, figures 2 to 5, eq. (2), (3), ch. II-A for Stages = 0; Orup (1995),
// Algorithm 4. R, the bound of S and the last digits: models/docs/source_004.md.

module quotient_pipelined
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int WordWidth = 16,
  parameter int DigitWidth = 16,
  parameter int Elements = 1,
  parameter int Stages = 1,
  parameter int Latency = 2,
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

  localparam int Scale = DigitWidth * (Stages + 1);  // bits of Mtilde above M
  localparam int XDigits = (Width + DigitWidth - 1) / DigitWidth;
  localparam int ChainXDigits = (Width + Scale + 2 + DigitWidth - 1) / DigitWidth;
  localparam int Digits = XDigits + Stages + 1;
  localparam int ChainDigits = ChainXDigits + Stages + 1;
  // Z < 2**v*(Mhat + Y).
  localparam int ShortWords = (Width + DigitWidth + 1 + WordWidth - 1) / WordWidth;
  localparam int ChainWords = (Width + Scale + DigitWidth + 2 + WordWidth - 1) / WordWidth;
  localparam int Words = Chain ? ChainWords : ShortWords;
  localparam int DigitIndexWidth = $clog2(ChainDigits + 1);

  `ASSERT_PARAMETER(word, ShortWords >= 2,
                    "quotient_pipelined: WordWidth must be at most Width + DigitWidth")
  `ASSERT_PARAMETER(digit, (DigitWidth >= 1) && (DigitWidth <= WordWidth),
                    "quotient_pipelined: DigitWidth must be 1 to WordWidth")
  `ASSERT_PARAMETER(stages, (Stages >= 0) && (Stages <= 1),
                    "quotient_pipelined: Stages must be 0 or 1")
  `ASSERT_PARAMETER(latency, (Latency >= 2) && (Latency <= 4),
                    "quotient_pipelined: Latency must be 2 to 4")

  logic [DigitIndexWidth-1:0] digits;
  logic chain;
  logic [2:0] kind;
  assign kind  = control_i.kind;
  assign chain = Chain && (kind == ProductChain);

  always_comb begin
    digits = DigitIndexWidth'(Digits);
    if (chain) digits = DigitIndexWidth'(ChainDigits);
    else if (kind == ProductShort) digits = DigitIndexWidth'(XDigits);
    else if (kind == ProductScale) digits = DigitIndexWidth'(Stages + 1);
  end

  stream_status_t status;
  logic ready, ring_valid;
  logic [WordIndexWidth-1:0] index;
  logic [WordWidth-1:0] ring_word;
  logic [DigitWidth-1:0] quotient;

  systolic_ring #(
    .Kind      ((Stages == 1) ? ElementPipelined : ElementParallel),
    .WordWidth (WordWidth),
    .DigitWidth(DigitWidth),
    .Words     (Words),
    .ShortWords(ShortWords),
    .Elements  (Elements),
    .Latency   (Latency),
    .MaxDigits (ChainDigits),
    .Chain     (Chain),
    .SingleExit(Digits % Elements),
    .ShortExit (XDigits % Elements),
    .ScaleExit ((Stages + 1) % Elements)
  ) u_ring (
    .clk_i,
    .rst_ni,
    .start_i   (control_i.start),
    .short_i   (!chain),
    .digits_i  (digits),
    .digit_i,
    .y_i,
    .m_i,
    .m_prime_i,
    .status_o  (status),
    .word_o    (ring_word),
    .quotient_o(quotient),
    .observation_o
  );

  assign ready      = status.ready;
  assign ring_valid = status.valid;
  assign index      = status.index;

  // Words of S. With Stages = 1, S is Z shifted up by one digit, with q below it. Outside a chain,
  // one more word follows with the bits shifted out of the last word.
  if (Stages == 1) begin : gen_digit_below
    logic [DigitWidth-1:0] above_q, below;
    logic more_q;
    logic [WordIndexWidth-1:0] next_index_q;

    assign below = ready ? quotient : above_q;
    assign word_o = WordWidth'({ring_word, below});
    assign status_o.valid = ring_valid || more_q;
    assign status_o.index = ring_valid ? index : next_index_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        {above_q, more_q, next_index_q} <= '0;
      end else begin
        if (ring_valid) begin
          above_q      <= ring_word[WordWidth-1-:DigitWidth];
          next_index_q <= index + 1'b1;
        end
        more_q <= ring_valid && !chain;
      end
    end
  end else begin : gen_no_digit_below
    assign word_o = ring_word;
    assign status_o.valid = ring_valid;
    assign status_o.index = index;
    logic unused_quotient;
    assign unused_quotient = ^quotient;
  end

  assign status_o.busy       = status.busy;
  assign status_o.ready      = ready;
  assign status_o.done       = status.done;
  assign status_o.next_digit = status.next_digit;
  assign status_o.feed_index = status.feed_index;
  assign status_o.parity     = status.parity;

endmodule
