// SPDX-License-Identifier: Apache-2.0
//
// Property: a read of a word memory returns the word written last, and each port stays within the
// array (assertions of word_memory).
//
//   a word that was written or wiped reads as its last value, also in the cycle of the write
//   a word from Depth on reads as 0, whatever was written
//
// Writes, wipes and reads go to any index. Shown for any word, for a number of words that is no
// power of two.

module word_memory_rules
  import multiplier_pkg::*;
#(
  parameter int Width = 2,
  parameter int Depth = 3
) (
  input logic                      clk_i,
  input logic [WordIndexWidth-1:0] wipe_index_i,
  input logic                      write_i,
  input logic [WordIndexWidth-1:0] write_index_i,
  input logic [         Width-1:0] data_i,
  input logic [WordIndexWidth-1:0] read_index_i
);

  // Any word, the same in every cycle.
  logic [WordIndexWidth-1:0] index_q;
  always_ff @(posedge clk_i) index_q <= index_q;

  logic [Width-1:0] data, old, expected, expected_q;
  logic [WordIndexWidth-1:0] read_q;
  logic known;
  logic known_q = 1'b0;  // the word was written or wiped
  logic begun_q = 1'b0;

  word_memory #(
    .Width(Width),
    .Depth(Depth)
  ) u_memory (
    .clk_i,
    .wipe_index_i,
    .write_i,
    .write_index_i,
    .data_i,
    .read_index_i,
    .data_o(data),
    .old_o (old)
  );

  always_comb begin
    known = known_q;
    expected = expected_q;
    if ((write_i ? write_index_i : wipe_index_i) == index_q) begin
      known = 1'b1;
      expected = write_i ? data_i : '0;
    end
  end

  always_ff @(posedge clk_i) begin
    begun_q    <= 1'b1;
    read_q     <= read_index_i;
    known_q    <= known;
    expected_q <= expected;
  end

  always_comb begin
    assume (32'(index_q) < Depth);
    if (begun_q) begin
      if ((read_q == index_q) && known_q) assert (data == expected_q);
      if (32'(read_q) >= Depth) assert (data == '0);
    end
  end

  logic unused_old;
  assign unused_old = ^old;

endmodule
