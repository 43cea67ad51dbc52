// SPDX-License-Identifier: Apache-2.0
//
// Exponent memory: takes the exponent in bus words, knows how long it is, and gives it bit by bit
// from the lowest on.
//
// write_i, index_i, data_i: a word, written in ascending order from word 0 on; words that are not
// written again keep their value. bits_o: number of the exponent's highest bit that is 1, plus 1;
// 0 for an exponent of 0. It follows the words as they are written, so that nobody needs to look
// for it.
//
// start_i: bit 0 is on bit_o in the next clock, and the next one in the clock after each next_i.
// restart_i, some time between the last bit and the next start, but before the clock of that: the
// next bit is bit 0.
// Word wipe_index_i becomes 0, unless a word is written.
// Latency: as said above. bits_o is right in the clock after a write.
//
// Source: Michalski & Buell, Algorithm 4: the exponent leaves from its lowest bit on.

module exponent_memory
  import multiplier_pkg::*;
#(
  parameter int BusWidth = 32,
  parameter int Words = 1
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic [WordIndexWidth-1:0] wipe_index_i,
  input  logic                      write_i,
  input  logic [WordIndexWidth-1:0] index_i,
  input  logic [      BusWidth-1:0] data_i,
  output logic [              15:0] bits_o,
  input  logic                      start_i,
  input  logic                      restart_i,
  input  logic                      next_i,
  output logic                      bit_o
);

  localparam int PlaceWidth = $clog2(BusWidth);

  // How long it is: its top word, and that of the words that were written since word 0.
  logic [15:0] word_bits, written_bits, written_bits_q, bits_q, word_base;

  always_comb begin
    word_bits = '0;
    for (int i = 0; i < BusWidth; i++) begin
      if (data_i[i]) word_bits = word_base + 16'(i + 1);
    end
  end

  assign word_base    = 16'(index_i) * 16'(BusWidth);
  assign written_bits = (word_bits != '0) ? word_bits : (index_i == '0) ? '0 : written_bits_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      bits_q         <= '0;
      written_bits_q <= '0;
    end else if (write_i) begin
      written_bits_q <= written_bits;
      // A longer exponent has its top above this word still.
      if (bits_q <= word_base + 16'(BusWidth)) bits_q <= written_bits;
    end
  end

  assign bits_o = bits_q;

  // One word at a time leaves through a shift register; the next one waits at the memory.
  logic [BusWidth-1:0] word, shift_q;
  logic [PlaceWidth-1:0] place_q;
  logic [WordIndexWidth-1:0] read_q, read;
  logic load;

  assign load = start_i || (next_i && (place_q == PlaceWidth'(BusWidth - 1)));
  assign read = restart_i ? '0 : start_i ? WordIndexWidth'(1) : load ? read_q + 1'b1 : read_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      shift_q <= '0;
      place_q <= '0;
      read_q  <= '0;
    end else begin
      read_q <= read;
      if (load) begin
        shift_q <= word;
        place_q <= '0;
      end else if (next_i) begin
        shift_q <= shift_q >> 1;
        place_q <= place_q + 1'b1;
      end
    end
  end

  word_memory #(
    .Width(BusWidth),
    .Depth(Words)
  ) u_words (
    .clk_i,
    .wipe_index_i,
    .write_i,
    .write_index_i(index_i),
    .data_i,
    .read_index_i (read),
    .data_o       (word)
  );

  assign bit_o = shift_q[0];

endmodule
