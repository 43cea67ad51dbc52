// SPDX-License-Identifier: Apache-2.0
//
// Property: the word converter reads the words of a value and delivers its words of another width,
// each once and in order, exactly in the cycles that its header's formula gives.
//
//   valid_o: data_o is word number_o of the value, counted from 0; bits above the value are 0
//   last_o is high with the last of OutWords words, and at no other time
//   after the last word data_o is 0 until bits of the next value arrive
//   the next conversion, of another value, is correct, too
//
// Words of Width bits become words of 1 to MaxWidth bits; every width is covered. 1 to MaxWords
// words go in. As few come out as the header allows, or one more than the value needs. The memory
// answers one cycle after a request, with any data for a word that it does not have. Conversions
// follow each other directly, or with one cycle between them.

module converter_words
  import multiplier_pkg::*;
#(
  parameter int Width = 3,
  parameter int MaxWidth = 5,
  parameter int MaxWords = 3
) (
  input logic                      clk_i,
  input logic [Width*MaxWords-1:0] value_i,
  input logic [         Width-1:0] other_i
);

  logic begun_q = 1'b0;
  always_ff @(posedge clk_i) begun_q <= 1'b1;

  for (genvar out = 1; out <= MaxWidth; out++) begin : gen_out
    for (genvar words = 1; words <= MaxWords; words++) begin : gen_words
      for (genvar more = 0; more < 2; more++) begin : gen_more
        localparam int Bits = words * Width;
        localparam int Fewest = (Bits - Width) / out + 1;
        localparam int OutWords = (more == 0) ? Fewest : (Bits + out - 1) / out + 1;
        localparam int Cycles = (Width >= out) ? OutWords + 1 + 2
                              : words + OutWords - (Bits - Width) / out + 2;
        localparam int ValueBits = OutWords * out + Bits;

        for (genvar gap = 0; gap < 2; gap++) begin : gen_gap
          logic run, valid, last;
          logic [WordIndexWidth-1:0] index, number;
          logic [Width-1:0] word_q;
          logic [out-1:0] data;
          logic [Bits-1:0] value_q;
          logic [ValueBits-1:0] value;
          logic [7:0] cycle_q = '0;  // cycle of the conversion
          logic [7:0] given_q = '0;

          assign run   = begun_q && (cycle_q < 8'(Cycles));
          assign value = ValueBits'(value_q);

          word_converter #(
            .InWidth (Width),
            .OutWidth(out),
            .InWords (words),
            .OutWords(OutWords)
          ) u_convert (
            .clk_i,
            .rst_ni  (begun_q),
            .run_i   (run),
            .index_o (index),
            .data_i  (word_q),
            .valid_o (valid),
            .last_o  (last),
            .number_o(number),
            .data_o  (data)
          );

          always_ff @(posedge clk_i) begin
            if (begun_q) cycle_q <= (cycle_q == 8'(Cycles - 1 + gap)) ? '0 : cycle_q + 1'b1;
            if (begun_q) given_q <= last ? '0 : given_q + 8'(valid);
            if (!begun_q || last) value_q <= value_i[Bits-1:0];
            word_q <= other_i;
            for (int i = 0; i < words; i++) begin
              if (index == WordIndexWidth'(i)) begin
                word_q <= (!begun_q || last) ? value_i[i*Width+:Width] : value_q[i*Width+:Width];
              end
            end
          end

          always_comb begin
            if (begun_q) begin
              assert (last == (cycle_q == 8'(Cycles - 1)));
              assert (last == (valid && (given_q == 8'(OutWords - 1))));
              assert (number == WordIndexWidth'(given_q));
              if ((cycle_q == '0) || (cycle_q == 8'(Cycles))) assert (data == '0);
              for (int i = 0; i < OutWords; i++) begin
                if (valid && (given_q == 8'(i))) assert (data == value[i*out+:out]);
              end
            end
          end
        end
      end
    end
  end

endmodule
