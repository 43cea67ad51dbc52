// SPDX-License-Identifier: Apache-2.0
//
// Word memory: Depth words of Width bits, with one write and one read port; Watched adds a second
// read port. data_o is the word at read_index_i of the preceding cycle. A read of the word that is
// written in the same cycle returns the new value.
//
// A cycle that writes no word clears word wipe_index_i. Words from Depth on do not exist: writes to
// them have no effect, they read as 0, and they need no wipe. A cleared word is Wiped.
// Watched: old_o is word write_index_i as it was in the preceding cycle, before any write; else 0.
// Operands: any. Latency: one cycle from read_index_i to data_o.
//
// Source: "~5n RAM" of Jiang & Harris: a word-serial multiplier keeps its operands in memories.

module word_memory
  import multiplier_pkg::*;
#(
  parameter int Width = 17,
  parameter int Depth = 4,
  parameter logic [Width-1:0] Wiped = '0,
  parameter bit Watched = 1'b0
) (
  input  logic                      clk_i,
  input  logic [WordIndexWidth-1:0] wipe_index_i,
  input  logic                      write_i,
  input  logic [WordIndexWidth-1:0] write_index_i,
  input  logic [         Width-1:0] data_i,
  input  logic [WordIndexWidth-1:0] read_index_i,
  output logic [         Width-1:0] data_o,
  output logic [         Width-1:0] old_o
);

  localparam int IndexWidth = (Depth > 1) ? $clog2(Depth) : 1;

  // Use block RAM above 16 words: deeper memories in lookup tables need more tables to select
  // words.
  (* ram_style = (Depth > 16) ? "block" : "distributed" *)
  logic [Width-1:0] words[0:Depth-1];
  logic [Width-1:0] word;
  logic write, there, same;
  logic [IndexWidth-1:0] write_index, read_index;
  logic [Width-1:0] data;

  assign write_index = write_i ? write_index_i[IndexWidth-1:0] : wipe_index_i[IndexWidth-1:0];
  assign read_index = read_index_i[IndexWidth-1:0];
  // Timing: check both indices before the selection, because write_i arrives late.
  assign write       = write_i ? (write_index_i < WordIndexWidth'(Depth))
                               : (wipe_index_i < WordIndexWidth'(Depth));
  assign data = write_i ? data_i : Wiped;
  // Compare only the index bits that select a word. So synthesis recognises a memory that reads the
  // new word, and does not build one that reads the old word first. Indices from Depth on read 0.
  assign same = write && (write_index == read_index);

  always_ff @(posedge clk_i) begin
    if (write) words[write_index] <= data;
    word  <= same ? data : words[read_index];
    there <= (read_index_i < WordIndexWidth'(Depth));
  end

  assign data_o = there ? word : '0;

  if (Watched) begin : gen_old
    logic [Width-1:0] old;
    always_ff @(posedge clk_i) old <= words[write_index_i[IndexWidth-1:0]];
    assign old_o = old;
  end else begin : gen_no_old
    assign old_o = '0;
  end

  `ASSERT_PARAMETER(Depth, Depth < 1 << WordIndexWidth, "word_memory: Depth must be at most 8191")
  // Each port of the array: a write is within it, and a read beyond it gives no word of it.
  `ASSERT_ALWAYS(WriteInside,
                 !write || ((write_i ? write_index_i : wipe_index_i) < WordIndexWidth'(Depth)))
  `ASSERT_ALWAYS(ReadInside, there || (data_o === '0))

endmodule
