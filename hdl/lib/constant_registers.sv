// SPDX-License-Identifier: Apache-2.0
//
// Constants of a core with parallel operands, one register each. Each constant rotates by words in
// every pass of the adder, so that words_o are the words that the pass adds. A new constant is
// shifted in during this rotation. If the pass also adds the new constant, its words come from the
// adder.
//
// slots_i: number of constants of the core; the others are 0.
// next_i: the next cycle moves the constants by one word; Words moves are one rotation.
// sum_i: in this pass sum_word_i is the next word of constant sum_slot_i.
// move_i: in the next cycle value_i is the next word of constant move_slot_i. move_i and
// move_slot_i are valid from one cycle before the pass. full_i: constant input, high if such
// a constant exists.
//
// Operands: any. Latency: none.
//
// Source: Amanor (2005), ch. 5.3, for the tables that the constants are entries of.

module constant_registers
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int WordWidth = 32,
  parameter int Words = 2
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic [                     2:0] slots_i,
  input  logic                            full_i,
  input  logic                            next_i,
  input  logic                            sum_i,
  input  logic [                     2:0] sum_slot_i,
  input  logic [           WordWidth-1:0] sum_word_i,
  input  logic                            move_i,
  input  logic [                     2:0] move_slot_i,
  input  logic [           WordWidth-1:0] value_i,
  output logic [ConstSlots*WordWidth-1:0] words_o,
  output logic [ConstSlots*(Width+1)-1:0] constants_o
);

  localparam int PaddedWidth = Words * WordWidth;

  // Neighbouring positions that share one copy: those of a block within a word or, if a block is as
  // wide as a word, those in all its words.
  localparam int Rows = (BlockWidth < WordWidth) ? WordWidth : WordWidth * BlockWords;
  localparam int Columns = (BlockWidth < WordWidth) ? BlockWidth : Rows;
  logic [PaddedWidth-1:0] moves;

  segment_registers #(
    .Width    (PaddedWidth),
    .Segment  (BlockWidth),
    .WordWidth(WordWidth),
    .Words    (BlockWords)
  ) u_moves (
    .clk_i,
    .rst_ni,
    // Synthesis keeps the copies, so that a core without constants needs a constant input.
    .bit_i (next_i && (slots_i != '0)),
    .bits_o(moves)
  );

  // Positions that share a copy use the bit of the lowest of them.
  logic unused_moves;
  assign unused_moves = ^moves;

  for (genvar i = 0; i < ConstSlots; i++) begin : gen_constant
    logic [PaddedWidth-1:0] const_q, moved;
    logic [WordWidth-1:0] word_in;
    logic taken_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) taken_q <= 1'b0;
      else taken_q <= full_i && move_i && (move_slot_i == 3'(i));
    end

    assign word_in = (sum_i && (sum_slot_i == 3'(i))) ? sum_word_i
                   : taken_q ? value_i : const_q[WordWidth-1:0];
    if (Words > 1) begin : gen_words
      assign moved = {word_in, const_q[PaddedWidth-1:WordWidth]};
    end else begin : gen_word
      assign moved = word_in;
    end

    for (genvar j = 0; j < PaddedWidth; j = j + Rows) begin : gen_rows
      localparam int End = (j + Rows < PaddedWidth) ? j + Rows : PaddedWidth;
      for (genvar k = j; k < End; k = k + Columns) begin : gen_columns
        localparam int Positions = (End - k < Columns) ? End - k : Columns;
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            const_q[k+:Positions] <= '0;
          end else if ((3'(i) < slots_i) && moves[k]) begin
            const_q[k+:Positions] <= moved[k+:Positions];
          end
        end
      end
    end

    assign constants_o[i*(Width+1)+:Width+1] = const_q[Width:0];
    assign words_o[i*WordWidth+:WordWidth]   = const_q[WordWidth-1:0];
  end

endmodule
