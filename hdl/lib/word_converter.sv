// SPDX-License-Identifier: Apache-2.0
//
// Word converter: InWords words of InWidth bits become OutWords words of OutWidth bits, the least
// significant first.
//
// run_i stays from the clock in which a conversion begins to that of last_o. In each clock the
// converter takes a word or gives one or does both: index_o names the word that is to be on data_i
// in the next clock, and valid_o says that data_o is the next one that it gives, number_o; without
// valid_o number_o is the one that comes next, and data_o what there is of it. last_o comes with
// the last word; after it data_o is 0 and everything starts anew. Where there are no more words to
// take, zeros follow.
//
// run_i and all that goes out but index_o are registered: the memories on both sides of a converter
// are far apart, and so is the control that starts it.
//
// Operands: OutWords*OutWidth > (InWords - 1)*InWidth, so that every word is taken.
// Latency: a word as soon as its bits are there, behind a clock for run_i and one for the output:
// 2 clocks more than, where InWidth >= OutWidth, OutWords + 1, and else InWords + OutWords -
// floor((InWords - 1)*InWidth/OutWidth).
//
// Source: none.

module word_converter
  import multiplier_pkg::*;
#(
  parameter int InWidth  = 32,
  parameter int OutWidth = 17,
  parameter int InWords  = 1,
  parameter int OutWords = 3
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      run_i,
  output logic [WordIndexWidth-1:0] index_o,
  input  logic [       InWidth-1:0] data_i,
  output logic                      valid_o,
  output logic                      last_o,
  output logic [WordIndexWidth-1:0] number_o,
  output logic [      OutWidth-1:0] data_o
);

  logic [WordIndexWidth-1:0] taken_q, given_q;
  logic run_q, valid_q, last_q;
  logic take, ready, valid, last;  // ready: a whole word is there to be given
  logic [OutWidth-1:0] data, data_q;
  logic [WordIndexWidth-1:0] number_q;

  // The way to index_o is short, as a memory follows it: which word is the next one, whether there
  // are more to take, and whether it is the last to be given, is known a clock before. Bit 0 of the
  // next word is kept inverted, so that all is 0 after a reset.
  logic [WordIndexWidth-1:0] next, next_q, following;
  logic none_q, more, final_q, final_word;

  assign next       = next_q ^ WordIndexWidth'(1);
  assign following  = next + 1'b1;
  assign more       = !none_q;
  assign final_word = (OutWords == 1) || final_q;
  assign valid      = run_q && (!more || ready);
  assign last       = valid && final_word;
  assign index_o    = last ? '0 : take ? next : taken_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      run_q    <= 1'b0;
      taken_q  <= '0;
      next_q   <= '0;
      none_q   <= 1'b0;
      given_q  <= '0;
      final_q  <= 1'b0;
      valid_q  <= 1'b0;
      last_q   <= 1'b0;
      number_q <= '0;
      data_q   <= '0;
    end else begin
      // run_i falls after last_o only.
      run_q   <= run_i && !last && !last_q;
      taken_q <= index_o;
      if (last) begin
        next_q  <= '0;
        none_q  <= 1'b0;
        given_q <= '0;
        final_q <= 1'b0;
      end else begin
        if (take) begin
          next_q <= following ^ WordIndexWidth'(1);
          none_q <= (next == WordIndexWidth'(InWords));
        end
        if (valid) begin
          given_q <= given_q + 1'b1;
          final_q <= (given_q == WordIndexWidth'(OutWords - 2));
        end
      end
      valid_q  <= valid;
      last_q   <= last;
      number_q <= given_q;
      data_q   <= data;
    end
  end

  assign valid_o  = valid_q;
  assign last_o   = last_q;
  assign number_o = number_q;
  assign data_o   = data_q;

  if (InWidth % OutWidth == 0) begin : gen_parts
    // Each word that comes is several that go.
    localparam int Parts = InWidth / OutWidth;
    localparam int CountWidth = $clog2(Parts + 1);
    logic [InWidth-1:0] buffer_q;
    logic [CountWidth-1:0] count_q;  // of parts in the buffer

    assign ready = (count_q != '0);
    assign take  = run_q && more && (!ready || (count_q == CountWidth'(1)));
    assign data  = buffer_q[OutWidth-1:0];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        buffer_q <= '0;
        count_q  <= '0;
      end else if (take) begin
        buffer_q <= data_i;
        count_q  <= CountWidth'(Parts);
      end else if (valid) begin
        buffer_q <= last ? '0 : buffer_q >> OutWidth;
        // Behind the last word that is taken nobody looks at the count.
        count_q  <= last ? '0 : count_q - 1'b1;
      end
    end
  end else if (OutWidth % InWidth == 0) begin : gen_whole
    // Several words that come are one that goes.
    localparam int Parts = OutWidth / InWidth;
    localparam int CountWidth = $clog2(Parts + 1);
    logic [OutWidth-1:0] buffer_q;
    logic [CountWidth-1:0] count_q, place;  // place: of the word that comes

    assign ready = (count_q == CountWidth'(Parts));
    assign take  = run_q && more;
    assign data  = buffer_q;
    assign place = ready ? '0 : count_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        buffer_q <= '0;
        count_q  <= '0;
      end else begin
        if (!take || ready) buffer_q <= '0;
        for (int i = 0; i < Parts; i++) begin
          if (take && (place == CountWidth'(i))) buffer_q[i*InWidth+:InWidth] <= data_i;
        end
        // Where none comes, a word goes in each clock.
        count_q <= take ? place + 1'b1 : '0;
      end
    end
  end else begin : gen_any
    // Bits are counted by the largest unit that both widths have a whole number of: a shift by a
    // number of bits that is not there is not built.
    localparam int Unit = common_divisor(InWidth, OutWidth);
    localparam int InUnits = InWidth / Unit;
    localparam int OutUnits = OutWidth / Unit;
    // What can be there when a word has just come, the newest word on top. The word that goes is
    // chosen behind this register, not in front of it: a memory gives its word late in the clock.
    localparam int Units = InUnits + OutUnits - 1;
    localparam int BufferWidth = Unit * Units;
    localparam int CountWidth = $clog2(Units + 1);
    logic [BufferWidth-1:0] buffer_q;
    logic [ CountWidth-1:0] count_q;  // units in the buffer that have not gone, all at its top

    // Whether the count suffices for a word, whether it leaves room for one, and what a word that
    // goes leaves of it is known a clock before. Behind the last word that is taken, and in the
    // clock after the end, none of it counts.
    logic [CountWidth-1:0] rest_count, count, less_q;
    logic ready_q, crowded_q;

    assign ready = ready_q;
    assign rest_count = valid ? less_q : count_q;
    assign take = run_q && more && !crowded_q;
    assign count = take ? rest_count + CountWidth'(InUnits) : rest_count;
    // What has gone stays below, and zeros come in from above.
    assign data = OutWidth'(
        ((BufferWidth + OutWidth)'(buffer_q) << (Unit * 32'(count_q))) >> BufferWidth);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        buffer_q  <= '0;
        count_q   <= '0;
        less_q    <= '0;
        ready_q   <= 1'b0;
        crowded_q <= 1'b0;
      end else begin
        if (take) buffer_q <= BufferWidth'({data_i, buffer_q} >> InWidth);
        count_q   <= last ? '0 : count;
        less_q    <= (count < CountWidth'(OutUnits)) ? '0 : count - CountWidth'(OutUnits);
        ready_q   <= (count >= CountWidth'(OutUnits));
        crowded_q <= (32'(count) >= 2 * OutUnits);
      end
    end
  end

endmodule
