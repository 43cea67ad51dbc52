// SPDX-License-Identifier: Apache-2.0
//
// MWR2MM: radix-2 Montgomery multiplier, word by bit, of processing elements in a systolic ring.
//
//   S = 0;  for each bit x of X, lowest first:  S := (S + x*Y + q*M)/2,  q = (S + x*Y) mod 2
//
//   s_o = X*Y*2**-Width (mod M), s_o < 2*M for X, Y < M;   c_o = 0
//   chain_i: s_o = X*Y*2**-(Width+2) (mod M), s_o < 2*M for X, Y < 2*M
//
// Elements and their ring: mwr2mm_element, systolic_ring. Any number of Elements from 1 to as many
// as X has bits: with few of them words wait in the ring's queue, from Words/2 on there is none.
//
// Operands: M odd; X, Y below 2**Width, or with chain_i below 2**(Width+1). m_i, x_i, y_i must not
// change while a product runs but for word j of an operand before it is read.
// keep_i, with start_i: the product is computed and thrown away, s_o stays. No constants.
// Parameters: WordWidth (w) >= 2; Words = ceil((Width+2)/w), room for S < 3*M; at least 2.
// Latency, start_i to ready_o: 2*Width + (Words - 2*Elements)*floor(Width/Elements), and just
// 2*Width where that queue is empty. To done_o: Words more.
// table_addr_o (observation only), once a bit of X: {carry into the top word, q, came through the
// queue}.
//
// Source: Tenca & Koc, as Algorithm 1 of Michalski & Buell, ch. 3; Width + 2 bits: Walter (1999).

module mwr2mm
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int Guard = 2,
  parameter int WordWidth = 16,
  parameter int Elements = 1
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

  localparam int ChainDigits = Width + 2;
  localparam int Words = (Width + 2 + WordWidth - 1) / WordWidth;
  localparam int DigitIndexWidth = $clog2(ChainDigits + 1);

  // Icarus 11 has no elaboration tasks.
`ifdef __ICARUS__
  initial begin
    if ((WordWidth < 2) || (Words < 2)) begin
      $fatal(1, "mwr2mm: WordWidth must be 2 to Width + 1");
    end
    if ((Elements < 1) || (Elements > Width)) $fatal(1, "mwr2mm: Elements must be 1 to Width");
  end
`else
  if ((WordWidth < 2) || (Words < 2)) begin : gen_check_word
    $error("mwr2mm: WordWidth must be 2 to Width + 1");
  end
  if ((Elements < 1) || (Elements > Width)) begin : gen_check_elements
    $error("mwr2mm: Elements must be 1 to Width");
  end
`endif  // __ICARUS__

  assign program_o = ProgramBits'({
    EndStep, {StepAdd, ReduceOnce, 1'b0, SourceS, SourceZero, ToResult}, RunStep
  });
  assign binary_o = 1'b0;
  assign unreduced_o = 1'b0;
  assign chainable_o = 1'b1;
  assign radix_bits_o = 16'(ChainDigits);

  logic [DigitIndexWidth-1:0] digits;
  assign digits = chain_i ? DigitIndexWidth'(ChainDigits) : DigitIndexWidth'(Width);

  logic report_valid, report_queued, quotient;
  logic [1:0] report_class;

  systolic_ring #(
    .Kind        (RingMwr2mm),
    .ResultWidth (Width + Guard),
    .OperandWidth(Width + Guard),
    .WordWidth   (WordWidth),
    .DigitWidth  (1),
    .Words       (Words),
    .Elements    (Elements),
    .Latency     (2),
    .MaxDigits   (ChainDigits)
  ) u_ring (
    .clk_i,
    .rst_ni,
    .start_i,
    .keep_i,
    .short_i        (1'b0),
    .digits_i       (digits),
    .x_i            (ChainDigits'(x_i)),
    .y_i,
    .m_i            ((Width + Guard)'(m_i)),
    .m_prime_i      (1'b1),
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

  assign c_o           = '0;
  assign table_valid_o = TablePositions'(report_valid);
  assign table_addr_o  = TableAddrBits'({top_carry_o, report_class[0], report_queued});

  // A digit of one bit is zero or all ones.
  logic unused_bits;
  assign unused_bits = ^{field_i, xc_i, yc_i, const_i, quotient, report_class[1]};

endmodule
