// SPDX-License-Identifier: Apache-2.0
//
// Digit converter: digits of DigitWidth bits out of the words of an operand, the least significant
// first, from a memory with a synchronous read.
//
// digit_o is digit 0 in the clock of start_i and the next digit in each clock of next_i, which
// come two clocks or more after each other. With EveryClock, and digits that do not cross the end
// of a word, next_i may be high in every clock (with start_i, too). index_o names the word that is
// to be on word_i in the next clock. restart_i, no later than in the clock before a start: word 0
// is wanted, and no digit in that clock. In a chain of products, word j of an operand may come into
// the memory in the clock in which digit j*WordWidth/DigitWidth - 1 is taken or before. Behind the
// last of Words words the word wanted is number Words, which reads as 0.
//
// Where there is time, a word is asked for in the clock after the one before was used: the memory
// is slow, and its address comes from a register.
//
// Ranges: DigitWidth <= WordWidth.
// Latency: none, digits are there in the clocks in which they are taken.
//
// Source: none.

module digit_converter
  import multiplier_pkg::*;
#(
  parameter int WordWidth = 17,
  parameter int DigitWidth = 16,
  parameter int Words = 3,
  parameter bit EveryClock = 1'b0
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

  localparam bit Ahead = EveryClock || (WordWidth % DigitWidth != 0);

  logic [WordIndexWidth-1:0] index_q, index_next;  // of the word in use; Words: there are no more
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
    // Words are taken apart; none crosses the end of another.
    localparam int Parts = WordWidth / DigitWidth;
    localparam int PartWidth = $clog2(Parts);
    logic [WordWidth-DigitWidth-1:0] rest_q;
    logic [PartWidth-1:0] parts_q;  // digits in rest_q

    assign use_word = next_i && (start_i || (parts_q == '0));
    assign digit_o = (start_i || (parts_q == '0)) ? word_i[DigitWidth-1:0] : rest_q[DigitWidth-1:0];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        rest_q  <= '0;
        parts_q <= '0;
      end else if (use_word) begin
        rest_q  <= word_i[WordWidth-1:DigitWidth];
        parts_q <= PartWidth'(Parts - 1);
      end else if (next_i) begin
        rest_q  <= rest_q >> DigitWidth;
        parts_q <= parts_q - 1'b1;
      end
    end
  end else begin : gen_crossing
    // After a digit was taken, the clock that follows fills up what is left to a whole one.
    localparam int RestWidth = WordWidth + DigitWidth;
    localparam int CountWidth = $clog2(RestWidth + 1);
    logic [ RestWidth-1:0] rest_q;
    logic [CountWidth-1:0] count_q;  // bits in rest_q
    logic started_q, fill;

    assign fill     = started_q && !next_i && (count_q < CountWidth'(DigitWidth));
    assign use_word = (next_i && start_i) || fill;
    assign digit_o  = start_i ? word_i[DigitWidth-1:0] : rest_q[DigitWidth-1:0];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        rest_q    <= '0;
        count_q   <= '0;
        started_q <= 1'b0;
      end else if (start_i) begin
        rest_q    <= RestWidth'(word_i[WordWidth-1:DigitWidth]);
        count_q   <= CountWidth'(WordWidth - DigitWidth);
        started_q <= 1'b1;
      end else if (fill) begin
        rest_q  <= rest_q | (RestWidth'(word_i) << count_q);
        count_q <= count_q + CountWidth'(WordWidth);
      end else if (next_i) begin
        rest_q  <= rest_q >> DigitWidth;
        count_q <= count_q - CountWidth'(DigitWidth);
      end
    end
  end

endmodule
