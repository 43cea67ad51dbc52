// SPDX-License-Identifier: Apache-2.0
//
// Quotient-pipelined and parallel very-high-radix Montgomery multiplier: a systolic ring of
// processing elements that need no multiplication for a quotient digit.
//
//   Z = 0;  for each digit x of X, lowest first, and Stages + 1 zero digits:
//     q_i = Z mod 2**v;   Z := floor(Z/2**v) + q_(i-Stages)*Mhat + x*Y            (v = DigitWidth)
//   S = Z for Stages = 0, Z*2**v + q for Stages = 1, q the last digit
//
//   s_o = X*Y*2**-(v*k) (mod M), k = ceil(Width/v) digits of X;   c_o = 0
//   s_o < 2*Mtilde, Mtilde = Mhat*2**(v*(Stages+1)) - 1 a multiple of M below M*2**(v*(Stages+1))
//   chain_i: the same for X, Y < 2*Mtilde, with k = ceil((Width + v*(Stages+1) + 2)/v)
//
// Mhat = 2**-(v*(Stages+1)) mod M is constant 0. q*Mhat takes the place of q*M: adding q*Mtilde to
// Z makes it divisible by 2**(v*(Stages+1)), so the quotient digit is the digit shifted out.
// Elements and their ring: quotient_pipelined_element, systolic_ring.
//
// Operands: M odd; X, Y below 2**Width, or with chain_i below 2*Mtilde. m_i, x_i, y_i and const_i
// must not change while a product runs but for word j of an operand before it is read.
// keep_i, with start_i: the product is computed and thrown away, s_o stays.
// Parameters: WordWidth (w), DigitWidth (v) <= w, Stages 0 (parallel) or 1, Elements any from 1;
// Guard = v*(Stages+1) + 1.
// Latency, start_i to done_o: e*floor(f/p) + 2*(f mod p) + e clocks with e = ceil((Width+v+1)/w)
// words and f = k + Stages + 1 digits if e >= 2*p, else 2*f + e. ready_o is e clocks before.
// table_addr_o (observation only), once a digit: {q odd / even, with q = all ones and 0 apart (2
// bits), came through the queue}.
//
// Source: Jiang & Harris, figures 2 to 5, eq. (2), (3), ch. II-A for Stages = 0; Orup (1995),
// Algorithm 4. R, the bound of S and the last digits: docs/source_004.md.

module quotient_pipelined
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int Guard = 33,
  parameter int WordWidth = 16,
  parameter int DigitWidth = 16,
  parameter int Elements = 1,
  parameter int Stages = 1
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic                            start_i,
  input  logic                            field_i,
  input  logic                            chain_i,
  input  logic                            keep_i,
  input  logic [         Width+Guard-1:0] x_i,
  input  logic [         Width+Guard-1:0] xc_i,
  input  logic [         Width+Guard-1:0] y_i,
  input  logic [         Width+Guard-1:0] yc_i,
  input  logic [               Width-1:0] m_i,
  input  logic [ConstSlots*(Width+1)-1:0] const_i,
  output logic                            busy_o,
  output logic                            ready_o,
  output logic                            done_o,
  output logic [         Width+Guard-1:0] s_o,
  output logic [         Width+Guard-1:0] c_o,
  output logic [         ProgramBits-1:0] program_o,
  output logic                            binary_o,
  output logic                            unreduced_o,
  output logic                            chainable_o,
  output logic [                    15:0] radix_bits_o,
  output logic [      TablePositions-1:0] table_valid_o,
  output logic [       TableAddrBits-1:0] table_addr_o,
  output logic [                     1:0] state_o,
  output logic [       PositionWidth-1:0] position_o,
  output logic                            top_carry_o,
  output logic                            carry_valid_o,
  output logic [       PositionWidth-1:0] carry_word_o
);

  localparam int Scale = DigitWidth * (Stages + 1);  // bits of Mtilde above M
  localparam int XDigits = (Width + DigitWidth - 1) / DigitWidth;
  localparam int ChainXDigits = (Width + Scale + 2 + DigitWidth - 1) / DigitWidth;
  localparam int Digits = XDigits + Stages + 1;
  localparam int ChainDigits = ChainXDigits + Stages + 1;
  // Z < 2**v*(Mhat + Y).
  localparam int ShortWords = (Width + DigitWidth + 1 + WordWidth - 1) / WordWidth;
  localparam int Words = (Width + Scale + DigitWidth + 2 + WordWidth - 1) / WordWidth;
  localparam int DigitIndexWidth = $clog2(ChainDigits + 1);
  localparam int ResultWidth = Width + Guard - DigitWidth * Stages;

  // Icarus 11 has no elaboration tasks.
`ifdef __ICARUS__
  initial begin
    if ((DigitWidth < 1) || (DigitWidth > WordWidth)) begin
      $fatal(1, "quotient_pipelined: DigitWidth must be 1 to WordWidth");
    end
    if ((Stages < 0) || (Stages > 1)) $fatal(1, "quotient_pipelined: Stages must be 0 or 1");
    if (Guard != Scale + 1) $fatal(1, "quotient_pipelined: Guard must be v*(Stages+1) + 1");
  end
`else
  if ((DigitWidth < 1) || (DigitWidth > WordWidth)) begin : gen_check_digit
    $error("quotient_pipelined: DigitWidth must be 1 to WordWidth");
  end
  if ((Stages < 0) || (Stages > 1)) begin : gen_check_stages
    $error("quotient_pipelined: Stages must be 0 or 1");
  end
  if (Guard != Scale + 1) begin : gen_check_guard
    $error("quotient_pipelined: Guard must be v*(Stages+1) + 1");
  end
`endif  // __ICARUS__

  assign program_o = ProgramBits'({
    EndStep,
    {StepAdd, ReduceFull, 1'b0, SourceS, SourceZero, ToResult},
    RunStep,
    {StepInverse, ReduceOnce, 1'b1, 8'(Scale - 1), 3'd0}
  });
  assign binary_o = 1'b0;
  assign unreduced_o = 1'b0;
  assign chainable_o = 1'b1;
  assign radix_bits_o = 16'(DigitWidth * ChainXDigits);

  logic [DigitIndexWidth-1:0] digits;
  assign digits = chain_i ? DigitIndexWidth'(ChainDigits) : DigitIndexWidth'(Digits);

  logic report_valid, report_queued;
  logic [1:0] report_class;
  logic [DigitWidth-1:0] quotient;
  logic [ResultWidth-1:0] z;

  systolic_ring #(
    .Kind        ((Stages == 1) ? RingPipelined : RingParallel),
    .ResultWidth (ResultWidth),
    .OperandWidth(Width + Guard),
    .WordWidth   (WordWidth),
    .DigitWidth  (DigitWidth),
    .Words       (Words),
    .ShortWords  (ShortWords),
    .Elements    (Elements),
    .Latency     (2),
    .MaxDigits   (ChainDigits)
  ) u_ring (
    .clk_i,
    .rst_ni,
    .start_i,
    .keep_i,
    .short_i        (!chain_i),
    .digits_i       (digits),
    .x_i            ((ChainDigits * DigitWidth)'(x_i)),
    .y_i,
    .m_i            ((Width + Guard)'(const_i[Width:0])),
    .m_prime_i      ('0),
    .busy_o,
    .ready_o,
    .done_o,
    .s_o            (z),
    .quotient_o     (quotient),
    .state_o,
    .position_o,
    .report_valid_o (report_valid),
    .report_class_o (report_class),
    .report_queued_o(report_queued),
    .report_carry_o (top_carry_o),
    .carry_valid_o,
    .carry_word_o
  );

  if (Stages == 1) begin : gen_last_quotient
    assign s_o = {z, quotient};
  end else begin : gen_no_quotient
    assign s_o = z;
    logic unused_quotient;
    assign unused_quotient = ^quotient;
  end
  assign c_o = '0;

  assign table_valid_o = TablePositions'(report_valid);
  assign table_addr_o = TableAddrBits'({report_class, report_queued});

  logic unused_bits;
  assign unused_bits = ^{field_i, xc_i, yc_i, m_i, const_i};

endmodule
