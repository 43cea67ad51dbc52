// SPDX-License-Identifier: Apache-2.0
//
// Word converter: converts InWords words of InWidth bits into OutWords words of OutWidth bits, the
// least significant word first.
//
// run_i must be high from the first cycle of a conversion to the cycle of last_o. In each cycle the
// converter reads an input word, outputs a word, or does both.
//
//   index_o    input word that must be on data_i in the next cycle
//   valid_o    data_o is output word number_o
//   number_o   without valid_o: number of the next output word
//   data_o     without valid_o: the bits of the next output word that are known so far
//   last_o     high with the last output word; after it data_o is 0 and the converter is ready
//              for the next conversion
//
// After the last input word the converter appends zeros. Cleared: while run_i is low, all registers
// are cleared, so that an upset of an idle converter has no effect.
//
// Timing: run_i and all outputs except index_o are registered, because the memories on both sides
// of a converter and the control that starts it are far apart.
//
// A converter that an upset took past its last word ends with the next word.
//
// Operands: OutWords*OutWidth > (InWords - 1)*InWidth, so that each input word is read.
// Latency: the converter outputs a word as soon as its bits are there, plus one cycle for the
// register of run_i and one for the output register. In total, with these 2 cycles:
//   InWidth >= OutWidth:  OutWords + 1 + 2
//   InWidth < OutWidth:   InWords + OutWords - floor((InWords - 1)*InWidth/OutWidth) + 2
//
// Source: none.

module word_converter
  import multiplier_pkg::*;
#(
  parameter int InWidth  = 32,
  parameter int OutWidth = 17,
  parameter int InWords  = 1,
  parameter int OutWords = 3,
  parameter bit Cleared  = 1'b0
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

  localparam int LastWord = (OutWords > 1) ? OutWords - 1 : 1;  // 1: unused, there is one word

  logic [WordIndexWidth-1:0] taken_q, given_q;
  logic run_q, valid_q, last_q, clear;
  logic take, ready, valid, last;  // ready: the buffer holds a whole output word
  logic [OutWidth-1:0] data, data_q;
  logic [WordIndexWidth-1:0] number_q;

  // Timing: the path to index_o must be short, because a memory follows it. These registers
  // hold one cycle ahead: the next input word (next_q), no input word remains (none_q), the next
  // output word is the last one (final_q). next_q stores bit 0 inverted: its reset value is 0.
  logic [WordIndexWidth-1:0] next, next_q, following, given;
  logic none_q, more, final_q, final_word;

  assign clear      = Cleared && !run_i;
  assign next       = next_q ^ WordIndexWidth'(1);
  assign following  = next + 1'b1;
  assign given      = given_q + 1'b1;
  assign more       = !none_q;
  assign final_word = (OutWords == 1) || final_q;
  assign valid      = run_q && (!more || ready);
  assign last       = valid && final_word;
  assign index_o    = last ? '0 : take ? next : taken_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {run_q, taken_q, next_q, none_q, given_q, final_q, valid_q, last_q, number_q, data_q} <= '0;
    end else if (clear) begin
      {run_q, taken_q, next_q, none_q, given_q, final_q, valid_q, last_q, number_q, data_q} <= '0;
    end else begin
      // run_i is still high in the cycle of last_o: last_q masks it.
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
          none_q <= (next >= WordIndexWidth'(InWords));
        end
        if (valid) begin
          given_q <= given;
          final_q <= (given >= WordIndexWidth'(LastWord));
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
    // Each input word makes several output words.
    localparam int Parts = InWidth / OutWidth;
    localparam int CountWidth = $clog2(Parts + 1);
    logic [InWidth-1:0] buffer_q;
    logic [CountWidth-1:0] count_q;  // output words in the buffer

    assign ready = (count_q != '0);
    assign take  = run_q && more && (!ready || (count_q == CountWidth'(1)));
    assign data  = buffer_q[OutWidth-1:0];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        {buffer_q, count_q} <= '0;
      end else if (clear) begin
        {buffer_q, count_q} <= '0;
      end else if (take) begin
        buffer_q <= data_i;
        count_q  <= CountWidth'(Parts);
      end else if (valid) begin
        buffer_q <= last ? '0 : buffer_q >> OutWidth;
        // The count may wrap after the last input word: valid does not use it from there on.
        count_q  <= last ? '0 : count_q - 1'b1;
      end
    end
  end else if (OutWidth % InWidth == 0) begin : gen_whole
    // Several input words make one output word.
    localparam int Parts = OutWidth / InWidth;
    localparam int CountWidth = $clog2(Parts + 1);
    logic [OutWidth-1:0] buffer_q;
    logic [CountWidth-1:0] count_q, place;  // place: where the input word goes

    assign ready = (count_q == CountWidth'(Parts));
    assign take  = run_q && more;
    assign data  = buffer_q;
    assign place = ready ? '0 : count_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        {buffer_q, count_q} <= '0;
      end else if (clear) begin
        {buffer_q, count_q} <= '0;
      end else begin
        if (!take || ready) buffer_q <= '0;
        for (int i = 0; i < Parts; i++) begin
          if (take && (place == CountWidth'(i))) buffer_q[i*InWidth+:InWidth] <= data_i;
        end
        // Without input words the converter outputs a word in each cycle.
        count_q <= take ? place + 1'b1 : '0;
      end
    end
  end else begin : gen_any
    // Count in units of gcd(InWidth, OutWidth), so that the shifter has only the reachable shift
    // amounts.
    localparam int Unit = common_divisor(InWidth, OutWidth);
    localparam int InUnits = InWidth / Unit;
    localparam int OutUnits = OutWidth / Unit;
    // The most units that the buffer holds just after an input word; the newest word is on top.
    // Timing: select the output word after this register, because memory data arrives late in
    // the cycle.
    localparam int Units = InUnits + OutUnits - 1;
    localparam int BufferWidth = Unit * Units;
    localparam int CountWidth = $clog2(Units + 1);
    logic [BufferWidth-1:0] buffer_q;
    logic [ CountWidth-1:0] count_q;  // units not yet output, all at the top of the buffer

    // Timing: these registers hold one cycle ahead: the buffer holds an output word (ready_q), the
    // buffer has no room for an input word (crowded_q), the count after an output word (less_q).
    // ready_q and crowded_q have no effect after the last input word. None of the registers has
    // an effect in the cycle after the conversion.
    logic [CountWidth-1:0] rest_count, count, less_q;
    logic ready_q, crowded_q;

    assign ready = ready_q;
    assign rest_count = valid ? less_q : count_q;
    assign take = run_q && more && !crowded_q;
    assign count = clear ? '0 : take ? rest_count + CountWidth'(InUnits) : rest_count;
    // Units already output stay at the bottom of the buffer. Zeros fill the word from above.
    assign data = OutWidth'(
        ((BufferWidth + OutWidth)'(buffer_q) << (Unit * 32'(count_q))) >> BufferWidth);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        {buffer_q, count_q, less_q, ready_q, crowded_q} <= '0;
      end else begin
        if (clear) buffer_q <= '0;
        else if (take) buffer_q <= BufferWidth'({data_i, buffer_q} >> InWidth);
        count_q   <= last ? '0 : count;
        less_q    <= (count < CountWidth'(OutUnits)) ? '0 : count - CountWidth'(OutUnits);
        ready_q   <= (count >= CountWidth'(OutUnits));
        crowded_q <= (32'(count) >= 2 * OutUnits);
      end
    end
  end

  `ASSERT_PARAMETER(OutWords, OutWords * OutWidth > (InWords - 1) * InWidth,
                    "word_converter: InWords must be as few as OutWords can hold")
  `ASSERT_NEXT(RunUntilLast, run_i && !last_o, run_i)

endmodule
