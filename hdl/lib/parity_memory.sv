// SPDX-License-Identifier: Apache-2.0
//
// A word memory that can store a parity bit with each word. fault_o: the word on data_o has a wrong
// parity bit, or reads as 0 although it exists. Watched: also, word write_index_i of the preceding
// cycle had a wrong parity bit, whether it was written or not. Without Parity the memory stores no
// such bit, and fault_o is 0. A wiped word is right.
//
// Operands: any. Latency: as word_memory; fault_o comes with data_o.
// Source: odd parity, which detects each odd number of flipped bits of a word, and a word that is
// missing.

module parity_memory
  import multiplier_pkg::*;
#(
  parameter int Width   = 17,
  parameter int Depth   = 4,
  parameter bit Parity  = 1'b0,
  parameter bit Watched = 1'b0
) (
  input  logic                      clk_i,
  input  logic [WordIndexWidth-1:0] wipe_index_i,
  input  logic                      write_i,
  input  logic [WordIndexWidth-1:0] write_index_i,
  input  logic [         Width-1:0] data_i,
  input  logic [WordIndexWidth-1:0] read_index_i,
  output logic [         Width-1:0] data_o,
  output logic                      fault_o
);

  localparam int StoredWidth = Width + 32'(Parity);
  logic [StoredWidth-1:0] stored, old;
  assign data_o = stored[Width-1:0];

  word_memory #(
    .Width  (StoredWidth),
    .Depth  (Depth),
    .Wiped  (Parity ? ~(~StoredWidth'(0) >> 1) : '0),
    .Watched(Parity && Watched)
  ) u_memory (
    .clk_i,
    .wipe_index_i,
    .write_i,
    .write_index_i,
    .data_i(StoredWidth'({~^data_i, data_i})),
    .read_index_i,
    .data_o(stored),
    .old_o (old)
  );

  if (Parity) begin : gen_parity
    logic absent_q, beyond_q;  // data_o is no word; old is no word
    always_ff @(posedge clk_i) begin
      absent_q <= (read_index_i >= WordIndexWidth'(Depth));
      beyond_q <= Watched && (write_index_i >= WordIndexWidth'(Depth));
    end
    assign fault_o = ((^stored) == absent_q) || (Watched && !beyond_q && !(^old));
  end else begin : gen_no_parity
    assign fault_o = 1'b0;
    logic unused_old;
    assign unused_old = ^old;
  end

endmodule
