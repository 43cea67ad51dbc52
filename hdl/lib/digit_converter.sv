// SPDX-License-Identifier: Apache-2.0
//
// Digit converter: makes digits of DigitWidth bits from the words of an operand, the least
// significant digit first. The words come from a memory with a synchronous read.
//
// digit_o is digit 0 in the cycle of start_i, and the next digit in each cycle of next_i. Cycles of
// next_i must be at least two apart. With EveryCycle, and digits that do not cross the end of a
// word, next_i may be high in every cycle (with start_i, too).
// index_o: word that must be on word_i in the next cycle. After the last of Words words this is
// word Words, which must read as 0.
// restart_i, at the latest in the cycle before a start: read word 0; this cycle takes no digit.
// In a chain of products word j of an operand may be written to the memory no later than in the
// cycle that takes digit j*WordWidth/DigitWidth - 1.
//
// Timing: if digits leave time for it, the converter reads a word in the cycle after it used the
// preceding word. So the address of the slow memory comes from a register.
//
// Ranges: DigitWidth <= WordWidth; with EveryCycle DigitWidth divides WordWidth.
// Latency: none; digits are valid in the cycles that take them.
//
// Source: none.

module digit_converter
  import multiplier_pkg::*;
#(
  parameter int WordWidth = 17,
  parameter int DigitWidth = 16,
  parameter int Words = 3,
  parameter bit EveryCycle = 1'b0
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      restart_i,
  input  logic                      start_i,
  input  logic                      next_i,
  output logic [WordIndexWidth-1:0] index_o,
  input  logic [     WordWidth-1:0] word_i,
  output logic [    DigitWidth-1:0] digit_o
);

  localparam bit Ahead = EveryCycle || (WordWidth % DigitWidth != 0);

  logic [WordIndexWidth-1:0] index_q, index_next;  // of the word in use; Words: no word remains
  logic use_word;

  assign index_next = (index_q < WordIndexWidth'(Words)) ? index_q + 1'b1 : index_q;
  assign index_o = restart_i ? '0 : (Ahead && use_word) ? index_next : index_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      index_q <= '0;
    end else if (restart_i) begin
      index_q <= '0;
    end else if (use_word) begin
      index_q <= index_next;
    end
  end

  if (DigitWidth == WordWidth) begin : gen_same
    assign use_word = next_i;
    assign digit_o  = word_i;
    logic unused_start;
    assign unused_start = start_i;
  end else if (WordWidth % DigitWidth == 0) begin : gen_parts
    // Each word is a whole number of digits; no digit crosses the end of a word.
    localparam int Parts = WordWidth / DigitWidth;
    localparam int PartWidth = $clog2(Parts);
    logic [WordWidth-DigitWidth-1:0] rest_q;
    logic [PartWidth-1:0] parts_q;  // digits in rest_q

    assign use_word = next_i && (start_i || (parts_q == '0));
    assign digit_o = (start_i || (parts_q == '0)) ? word_i[DigitWidth-1:0] : rest_q[DigitWidth-1:0];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        {rest_q, parts_q} <= '0;
      end else if (use_word) begin
        rest_q  <= word_i[WordWidth-1:DigitWidth];
        parts_q <= PartWidth'(Parts - 1);
      end else if (next_i) begin
        rest_q  <= rest_q >> DigitWidth;
        parts_q <= parts_q - 1'b1;
      end
    end
  end else begin : gen_crossing
    // In the cycle after a digit was taken, a word fills up the rest if it is less than a digit.
    // Timing: the word joins the rest after a register, because memory data arrives late in the
    // cycle.
    localparam int RestWidth = WordWidth + DigitWidth;
    localparam int CountWidth = $clog2(RestWidth + 1);
    logic [RestWidth-1:0] rest, rest_q;
    logic [WordWidth-1:0] word_q;
    logic [CountWidth-1:0] count_q, place_q;  // bits in rest; place of word_q in rest
    logic started_q, fill;

    assign fill     = started_q && !next_i && (count_q < CountWidth'(DigitWidth));
    assign use_word = (next_i && start_i) || fill;
    assign rest     = rest_q | (RestWidth'(word_q) << place_q);
    assign digit_o  = start_i ? word_i[DigitWidth-1:0] : rest[DigitWidth-1:0];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        {rest_q, word_q, count_q, place_q, started_q} <= '0;
      end else if (start_i) begin
        rest_q    <= RestWidth'(word_i[WordWidth-1:DigitWidth]);
        word_q    <= '0;
        count_q   <= CountWidth'(WordWidth - DigitWidth);
        started_q <= 1'b1;
      end else begin
        rest_q  <= next_i ? rest >> DigitWidth : rest;
        word_q  <= fill ? word_i : '0;
        place_q <= count_q;
        if (fill) count_q <= count_q + CountWidth'(WordWidth);
        else if (next_i) count_q <= count_q - CountWidth'(DigitWidth);
      end
    end
  end

  `ASSERT_PARAMETER(EveryCycle, !EveryCycle || (WordWidth % DigitWidth == 0),
                    "digit_converter: with EveryCycle, DigitWidth must be a divisor of WordWidth")
  `ASSERT(RestartTakesNothing, !(restart_i && next_i))
  `ASSERT_NEXT(DigitsApart, next_i && !EveryCycle, !next_i)

endmodule
