// SPDX-License-Identifier: Apache-2.0
//
// Word memory: Depth words of Width bits, one port to write and one to read. The word at
// read_index_i in one clock is data_o in the next; a word that is written in the same clock is read
// as it becomes.
//
// Where nothing is written, word wipe_index_i becomes 0. Words from Depth on are not there: what is
// written to them is lost, they read as 0, and there is nothing of them to be wiped.
// Operands: any. Latency: one clock from read_index_i to data_o.
//
// Source: "~5n RAM" of Jiang & Harris: operands of a word-serial multiplier live in memories.

module word_memory
  import multiplier_pkg::*;
#(
  parameter int Width = 17,
  parameter int Depth = 4
) (
  input  logic                      clk_i,
  input  logic [WordIndexWidth-1:0] wipe_index_i,
  input  logic                      write_i,
  input  logic [WordIndexWidth-1:0] write_index_i,
  input  logic [         Width-1:0] data_i,
  input  logic [WordIndexWidth-1:0] read_index_i,
  output logic [         Width-1:0] data_o
);

  localparam int IndexWidth = (Depth > 1) ? $clog2(Depth) : 1;

  // Deeper memories of lookup tables cost more of them for the choice between their words.
  (* ram_style = (Depth > 16) ? "block" : "distributed" *)
  logic [Width-1:0] words[0:Depth-1];
  logic [Width-1:0] word;
  logic write, there, same;
  logic [IndexWidth-1:0] write_index, read_index;
  logic [Width-1:0] data;

  assign write_index = write_i ? write_index_i[IndexWidth-1:0] : wipe_index_i[IndexWidth-1:0];
  assign read_index = read_index_i[IndexWidth-1:0];
  // Both are looked at before it is known which one counts: whether there is a word comes late.
  assign write       = write_i ? (write_index_i < WordIndexWidth'(Depth))
                               : (wipe_index_i < WordIndexWidth'(Depth));
  assign data = write_i ? data_i : '0;
  // The bits that choose a word, no more: a synthesis sees by it that the write comes through, and
  // does not make a memory that reads the old word first. Without a word there, 0 is read.
  assign same = write && (write_index == read_index);

  always_ff @(posedge clk_i) begin
    if (write) words[write_index] <= data;
    word  <= same ? data : words[read_index];
    there <= (read_index_i < WordIndexWidth'(Depth));
  end

  assign data_o = there ? word : '0;

endmodule
