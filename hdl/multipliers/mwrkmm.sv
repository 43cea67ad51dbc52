// SPDX-License-Identifier: Apache-2.0
//
// MWRkMM: Montgomery multiplier of word-by-digit processing elements in a systolic ring.
//
//   S = 0;  for each digit x of X, lowest first, and one zero digit:
//     u = m'*S mod 2**w;   S := (S + u*M)/2**w + x*Y                (w = DigitWidth)
//
//   s_o = X*Y*2**-Width (mod M), s_o < 2*M for X, Y < M;   c_o = 0
//   chain_i: s_o = X*Y*2**-(Width + w*Extra) (mod M), s_o < 2*M for X, Y < 2*M
//
// The second form takes Extra more digits, so that R > 4*M and results can be operands of the next
// product without a final subtraction (Walter 1999).
//
// Elements and their ring: mwrkmm_element, systolic_ring. The next product of a chain may start in
// the clock after ready_o, which comes with the first word of the result.
//
// Operands: M odd; X, Y below 2**Width, or with chain_i below 2**(Width+1). m_i, x_i, y_i and
// const_i must not change while a product runs but for word j of an operand before it is read.
// keep_i, with start_i: the product is computed and thrown away, s_o stays.
// Constant 0: m' = -1/M mod 2**DigitWidth.
// Parameters: DigitWidth <= WordWidth, DigitWidth divides Width, Latency 3 or 4 (a stage after the
// multipliers), Elements <= Words/Latency, WordWidth >= 2; Words = floor(Width/v) + 2.
// Latency, start_i to ready_o: Latency*d + (Words - Latency*p)*floor(d/p) with d = Width/w + 1
// digits, which is eq. (14); from another element i the last term is floor((i + d)/p). To done_o:
// Words more.
// table_addr_o (observation only), once a digit: {carry into the top word of S + u*M, u odd / even,
// with u = all ones and 0 apart (2 bits), came through the ring delay}.
//
// Source: Michalski & Buell, Algorithm 2, ch. 4 to 5.3, eq. (13) to (15); docs/source_002.md.

module mwrkmm
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int Guard = 2,
  parameter int WordWidth = 17,
  parameter int DigitWidth = 16,
  parameter int Elements = 1,
  parameter int Latency = 3
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

  localparam int Extra = (DigitWidth > 1) ? 1 : 2;
  localparam int Digits = Width / DigitWidth + 1;
  localparam int ChainDigits = Digits + Extra;
  // Width + DigitWidth + 2 bits fit, and the highest word of Y and M is zero.
  localparam int Words = Width / WordWidth + 2;
  localparam int DigitIndexWidth = $clog2(ChainDigits + 1);

  // Icarus 11 has no elaboration tasks.
`ifdef __ICARUS__
  initial begin
    if ((DigitWidth < 1) || (DigitWidth > WordWidth)) begin
      $fatal(1, "mwrkmm: DigitWidth must be 1 to WordWidth");
    end
    if ((Width % DigitWidth) != 0) $fatal(1, "mwrkmm: DigitWidth must divide Width");
    if ((Latency != 3) && (Latency != 4)) $fatal(1, "mwrkmm: Latency must be 3 or 4");
    if ((Elements < 1) || (Words < Latency * Elements)) begin
      $fatal(1, "mwrkmm: Elements must be 1 to Words / Latency");
    end
  end
`else
  if ((DigitWidth < 1) || (DigitWidth > WordWidth)) begin : gen_check_digit
    $error("mwrkmm: DigitWidth must be 1 to WordWidth");
  end
  if ((Width % DigitWidth) != 0) begin : gen_check_divides
    $error("mwrkmm: DigitWidth must divide Width");
  end
  if ((Latency != 3) && (Latency != 4)) begin : gen_check_latency
    $error("mwrkmm: Latency must be 3 or 4");
  end
  if ((Elements < 1) || (Words < Latency * Elements)) begin : gen_check_elements
    $error("mwrkmm: Elements must be 1 to Words / Latency");
  end
`endif  // __ICARUS__

  assign program_o = ProgramBits'({
    EndStep,
    {StepAdd, ReduceOnce, 1'b0, SourceS, SourceZero, ToResult},
    RunStep,
    {StepInverse, ReduceNone, 1'b1, 8'(DigitWidth - 1), 3'd0}
  });
  assign binary_o = 1'b0;
  assign unreduced_o = 1'b0;
  assign chainable_o = 1'b1;
  assign radix_bits_o = 16'(DigitWidth * (ChainDigits - 1));

  logic [DigitIndexWidth-1:0] digits;
  assign digits = chain_i ? DigitIndexWidth'(ChainDigits) : DigitIndexWidth'(Digits);

  logic report_valid, report_queued;
  logic [1:0] report_class;
  logic [DigitWidth-1:0] quotient;

  systolic_ring #(
    .Kind        (RingMwrkmm),
    .ResultWidth (Width + Guard),
    .OperandWidth(Width + Guard),
    .WordWidth   (WordWidth),
    .DigitWidth  (DigitWidth),
    .Words       (Words),
    .Elements    (Elements),
    .Latency     (Latency),
    .MaxDigits   (ChainDigits)
  ) u_ring (
    .clk_i,
    .rst_ni,
    .start_i,
    .keep_i,
    .short_i        (1'b0),
    .digits_i       (digits),
    .x_i            ((ChainDigits * DigitWidth)'(x_i)),
    .y_i,
    .m_i            ((Width + Guard)'(m_i)),
    .m_prime_i      (const_i[DigitWidth-1:0]),
    .busy_o,
    .ready_o,
    .done_o,
    .s_o,
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

  assign c_o = '0;

  assign table_valid_o = TablePositions'(report_valid);
  assign table_addr_o = TableAddrBits'({top_carry_o, report_class, report_queued});

  // m' has one slot.
  logic unused_bits;
  assign unused_bits = ^{field_i, xc_i, yc_i, const_i[ConstSlots*(Width+1)-1:DigitWidth], quotient};

endmodule
