// SPDX-License-Identifier: Apache-2.0
//
// Results of a core with parallel operands: two banks, one of which holds P, and S and C. They are
// memories. The adder writes them in its own words; the host reads them in words of the bus.
//
// store_i, words_i: a word each of {C, S, bank 1, bank 0}. bank_index_i is the index of the words
// of the banks, redundant_index_i that of the words of S and C. bank_i: number of the bank that
// holds P.
// read_i: {C, S, P}; word_o is word index_i of it, from the next cycle to the next read.
//
// Operands: P of Width bits, S and C of Width + Guard. Latency: a cycle from read_i to word_o.
//
// Source: none.

module parallel_results
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int Guard = 2,
  parameter int BusWidth = 32,
  parameter int IndexWidth = 8,
  parameter int WordWidth = 32,
  parameter int StoreIndexWidth = 1
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic [                3:0] store_i,
  input  logic [    4*WordWidth-1:0] words_i,
  input  logic [StoreIndexWidth-1:0] bank_index_i,
  input  logic [StoreIndexWidth-1:0] redundant_index_i,
  input  logic                       bank_i,
  input  logic [                2:0] read_i,
  input  logic [     IndexWidth-1:0] index_i,
  output logic [       BusWidth-1:0] word_o
);

  localparam int Kinds = 4;

  logic [Kinds*BusWidth-1:0] result_words;
  logic [Kinds-1:0] fetch;
  logic [1:0] fetched_q;

  assign fetch = {read_i[AddressMC], read_i[AddressYS], {2{read_i[AddressXP]}}};

  for (genvar i = 0; i < Kinds; i++) begin : gen_result
    logic [StoreIndexWidth-1:0] store_index;
    assign store_index = (i < 2) ? bank_index_i : redundant_index_i;

    operand_memory #(
      .Bits           ((i < 2) ? Width : Width + Guard),
      .WriteWidth     (WordWidth),
      .ReadWidth      (BusWidth),
      .WriteIndexWidth(StoreIndexWidth),
      .ReadIndexWidth (IndexWidth)
    ) u_memory (
      .clk_i,
      .rst_ni,
      .write_i      (store_i[i]),
      .write_index_i(store_index),
      .data_i       (words_i[i*WordWidth+:WordWidth]),
      .read_i       (fetch[i]),
      .read_index_i (index_i),
      .data_o       (result_words[i*BusWidth+:BusWidth])
    );
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fetched_q <= 2'd0;
    end else if (|read_i) begin
      fetched_q <= read_i[AddressYS] ? 2'd2 : read_i[AddressMC] ? 2'd3 : {1'b0, bank_i};
    end
  end

  assign word_o = result_words[fetched_q*BusWidth+:BusWidth];

endmodule
