// SPDX-License-Identifier: Apache-2.0
//
// Exponent memory: takes the exponent in bus words, reports its length, and gives it bit by bit
// from the lowest up.
//
// write_i, index_i, data_i: the host writes words in ascending order from word 0. A word that is
// not written again keeps its value. length_o: position of the highest exponent bit that is 1,
// plus 1; 0 if the exponent is 0. Each write updates length_o, so that no search is needed.
//
// start_i: bit 0 is on bit_o in the next cycle. The cycle after each next_i carries the next bit.
// Balanced: preceding_o: the bit before bit_o, from the first next_i on; position_o: number of the
// bit on bit_o. A multiplexer selects the bits from the memory's word; no register shifts them.
// restart_i: high while idle, and in the cycle after the last bit; the next bit is bit 0.
// fault_o: the word that is read has a wrong parity bit (Parity).
// Word wipe_index_i becomes 0, unless a word is written in the same cycle.
// Latency: as stated above. length_o is valid in the cycle after a write.
//
// Source: Michalski & Buell, Algorithm 4: the exponent leaves from its lowest bit up.

module exponent_memory
  import multiplier_pkg::*;
#(
  parameter int BusWidth = 32,
  parameter int Words = 1,
  parameter bit Balanced = 1'b0,
  parameter bit Parity = 1'b0
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic [WordIndexWidth-1:0] wipe_index_i,
  input  logic                      write_i,
  input  logic [WordIndexWidth-1:0] index_i,
  input  logic [      BusWidth-1:0] data_i,
  output logic [              15:0] length_o,
  input  logic                      start_i,
  input  logic                      restart_i,
  input  logic                      next_i,
  output logic                      bit_o,
  output logic                      preceding_o,
  output logic                      fault_o,
  output logic [              15:0] position_o
);

  localparam int PlaceWidth = $clog2(BusWidth);

  // Length of the exponent (bits_q), and of the words written since word 0 (written_bits_q)
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
      {bits_q, written_bits_q} <= '0;
    end else if (write_i) begin
      written_bits_q <= written_bits;
      // A top bit above this word is still the top bit of the exponent: bits_q stays. No bit is
      // above the last word, so that a whole exponent always renews bits_q.
      if ((index_i == WordIndexWidth'(Words - 1)) || (bits_q <= word_base + 16'(BusWidth))) begin
        bits_q <= written_bits;
      end
    end
  end

  assign length_o = bits_q;

  // One word at a time leaves through a shift register; the memory already gives the next word.
  // Balanced: the memory gives the present word, and a multiplexer selects its bits.
  logic [BusWidth-1:0] word, shift_q;
  logic [PlaceWidth-1:0] place_q;  // of the present bit in its word
  logic [WordIndexWidth-1:0] read_q, read;
  logic load, top_q;  // top_q: top bit of the word before

  assign load = start_i || (next_i && (place_q >= PlaceWidth'(BusWidth - 1)));
  assign read = restart_i ? '0 : start_i ? WordIndexWidth'(!Balanced)
              : load ? read_q + 1'b1 : read_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {shift_q, place_q, read_q, top_q} <= '0;
    end else begin
      read_q <= read;
      if (load) begin
        shift_q <= Balanced ? '0 : word;
        place_q <= '0;
        top_q   <= Balanced && word[BusWidth-1];
      end else if (next_i) begin
        shift_q <= shift_q >> 1;
        place_q <= place_q + 1'b1;
      end
    end
  end

  parity_memory #(
    .Width (BusWidth),
    .Depth (Words),
    .Parity(Parity)
  ) u_words (
    .clk_i,
    .wipe_index_i,
    .write_i,
    .write_index_i(index_i),
    .data_i,
    .read_index_i (read),
    .data_o       (word),
    .fault_o
  );

  assign position_o = 16'(read_q) * 16'(BusWidth) + 16'(place_q);  // Balanced

  assign bit_o    = Balanced ? word[place_q] : shift_q[0];
  assign preceding_o = Balanced && ((place_q == '0) ? top_q : word[place_q-1'b1]);

endmodule
