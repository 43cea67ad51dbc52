// SPDX-License-Identifier: Apache-2.0
//
// Results of a multiplier with a ring core: S, stored as its words leave the ring, and P, the
// residue. The module converts both at the same time to words of the bus, which the host reads.
//
// store_i, store_index_i, store_word_i: words of S. result_i is high up to the cycle of
// result_last_o: S and P become words of the bus. It comes from a register, because the converters
// are in reset without it. p_i is word p_index_o of P, a cycle later. P has as many words here as
// S; the words above its top are 0.
// read_i: {C, S, P}; word_o is word index_i of it, from the next cycle to the next read. C is 0.
//
// Operands: P of Width, S of Bits bits. Latency: that of word_converter.
//
// Source: none.

module ring_unit_results
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int Bits = 34,
  parameter int BusWidth = 32,
  parameter int IndexWidth = 8,
  parameter int WordWidth = 17
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      store_i,
  input  logic [WordIndexWidth-1:0] store_index_i,
  input  logic [     WordWidth-1:0] store_word_i,
  input  logic                      result_i,
  output logic                      result_last_o,
  output logic [WordIndexWidth-1:0] p_index_o,
  input  logic [     WordWidth-1:0] p_i,
  input  logic [               2:0] read_i,
  input  logic [    IndexWidth-1:0] index_i,
  output logic [      BusWidth-1:0] word_o
);

  localparam int Words = (Bits + WordWidth - 1) / WordWidth;
  localparam int HostWords = (Bits + BusWidth - 1) / BusWidth;

  logic [WordWidth-1:0] s_word;
  logic [2*WordWidth-1:0] words;
  logic [2*WordIndexWidth-1:0] indices;
  logic [1:0] result_end, fetched_q;
  logic [2*BusWidth-1:0] fetched;

  logic convert_rst_n;
  assign convert_rst_n = rst_ni && result_i;

  operand_memory #(
    .Bits           (Bits),
    .WriteWidth     (WordWidth),
    .ReadWidth      (WordWidth),
    .WriteIndexWidth(WordIndexWidth),
    .ReadIndexWidth (WordIndexWidth)
  ) u_s (
    .clk_i,
    .rst_ni,
    .write_i      (store_i),
    .write_index_i(store_index_i),
    .data_i       (store_word_i),
    .read_i       (1'b1),
    .read_index_i (indices[WordIndexWidth+:WordIndexWidth]),
    .data_o       (s_word)
  );

  assign words     = {s_word, p_i};
  assign p_index_o = indices[0+:WordIndexWidth];

  for (genvar i = 0; i < 2; i++) begin : gen_result
    logic valid;
    logic [WordIndexWidth-1:0] number;
    logic [BusWidth-1:0] data;

    word_converter #(
      .InWidth (WordWidth),
      .OutWidth(BusWidth),
      .InWords (Words),
      .OutWords(HostWords)
    ) u_convert (
      .clk_i,
      .rst_ni  (convert_rst_n),
      .run_i   (result_i),
      .index_o (indices[i*WordIndexWidth+:WordIndexWidth]),
      .data_i  (words[i*WordWidth+:WordWidth]),
      .valid_o (valid),
      .last_o  (result_end[i]),
      .number_o(number),
      .data_o  (data)
    );

    operand_memory #(
      .Bits           ((i == 0) ? Width : Bits),
      .WriteWidth     (BusWidth),
      .ReadWidth      (BusWidth),
      .WriteIndexWidth(WordIndexWidth),
      .ReadIndexWidth (IndexWidth)
    ) u_memory (
      .clk_i,
      .rst_ni,
      .write_i      (valid),
      .write_index_i(number),
      .data_i       (data),
      .read_i       (read_i[i]),
      .read_index_i (index_i),
      .data_o       (fetched[i*BusWidth+:BusWidth])
    );
  end

  assign result_last_o = result_end[1];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fetched_q <= '0;
    else if (|read_i) fetched_q <= read_i[1:0];
  end

  assign word_o = (fetched_q[0] ? fetched[0+:BusWidth] : '0)
                | (fetched_q[1] ? fetched[BusWidth+:BusWidth] : '0);

  logic unused_end;
  assign unused_end = result_end[0];

endmodule
