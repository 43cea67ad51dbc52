// SPDX-License-Identifier: Apache-2.0
//
// A word memory that can store a parity bit with each word. fault_o: the word on data_o has a wrong
// parity bit. Without Parity it stores no such bit, and fault_o is 0. A wiped word is right.
//
// Operands: any. Latency: as word_memory; fault_o comes with data_o.
// Source: even parity, which detects each odd number of flipped bits of a word.

module parity_memory
  import multiplier_pkg::*;
#(
  parameter int Width  = 17,
  parameter int Depth  = 4,
  parameter bit Parity = 1'b0
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
  logic [StoredWidth-1:0] stored;
  assign data_o  = stored[Width-1:0];
  assign fault_o = Parity && (^stored);

  word_memory #(
    .Width(StoredWidth),
    .Depth(Depth)
  ) u_memory (
    .clk_i,
    .wipe_index_i,
    .write_i,
    .write_index_i,
    .data_i(StoredWidth'({^data_i, data_i})),
    .read_index_i,
    .data_o(stored)
  );

endmodule
