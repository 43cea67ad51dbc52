// SPDX-License-Identifier: Apache-2.0
//
// A bit that many positions wait for, in a register for each segment of them.
//
//   bits_o[j] = bit_i of the clock before, for every position j
//
// One register would have a wire through the whole of a wide operand behind it, and all that the
// clock has left after that wire is what the positions may do. Copies stand where their positions
// are, and the long way to the copies has the end of the clock before.
//
// A segment is Segment neighbouring positions, and the same ones of the Words - 1 words above it.
// Where registers move by words of WordWidth bits, positions a word apart are as near as neighbours
// and of two segments of one size the square one has the shorter wires.
//
// Operands: any. Latency: a clock.
//
// Source: none.

module segment_registers
  import multiplier_pkg::*;
#(
  parameter int Width     = 32,
  parameter int Segment   = SegmentWidth,
  parameter int WordWidth = Width,
  parameter int Words     = 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             bit_i,
  output logic [Width-1:0] bits_o
);

  // Positions above the last whole group of words belong to its segments.
  localparam int Columns = (((Width < WordWidth) ? Width : WordWidth) + Segment - 1) / Segment;
  localparam int Groups = (Width < WordWidth * Words) ? 1 : Width / (WordWidth * Words);

  logic [Groups*Columns-1:0] copies;

  for (genvar i = 0; i < Groups * Columns; i++) begin : gen_segment
    // The copies are equal, and a synthesis that does not know what they are for makes them one.
    (* keep *) logic copy_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) copy_q <= 1'b0;
      else copy_q <= bit_i;
    end

    assign copies[i] = copy_q;
  end

  for (genvar i = 0; i < Width; i = i + WordWidth) begin : gen_word
    localparam int Own = i / (WordWidth * Words);
    localparam int Group = (Own < Groups) ? Own : Groups - 1;
    for (genvar j = 0; (j < WordWidth) && (i + j < Width); j = j + Segment) begin : gen_column
      localparam int Rest = ((WordWidth < Width - i) ? WordWidth : Width - i) - j;
      localparam int Positions = (Rest < Segment) ? Rest : Segment;
      // A replication of more than some hundred bits takes Verilator a step for each of them.
      assign bits_o[i+j+:Positions] = Positions'($signed(copies[Group*Columns+j/Segment]));
    end
  end

endmodule
