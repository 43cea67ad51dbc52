// SPDX-License-Identifier: Apache-2.0
//
// Copies of one bit for many positions: one register for each segment of positions.
//
//   bits_o[j] = bit_i of the preceding cycle, for every position j
//
// Timing: a single register would drive a wire across the whole wide operand, and only the rest of
// the cycle would be left for the logic of the positions. Each copy is placed near its positions.
// The long wires to the copies are at the end of the preceding cycle.
//
// A segment is Segment neighbouring positions, and the same positions of the Words - 1 words above.
// Where registers shift by words of WordWidth bits, positions one word apart are as near as
// neighbours. Of two segments of the same size, the square one has the shorter wires.
//
// Operands: any. Latency: one cycle. Source: none.

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

  // Positions above the last whole group of words belong to the segments of this group.
  localparam int Columns = (((Width < WordWidth) ? Width : WordWidth) + Segment - 1) / Segment;
  localparam int Groups = (Width < WordWidth * Words) ? 1 : Width / (WordWidth * Words);

  logic [Groups*Columns-1:0] copies;

  for (genvar i = 0; i < Groups * Columns; i++) begin : gen_segment
    // Keep the copies: synthesis would merge equal registers into one.
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
      // Sign extension, because Verilator executes a wide replication (some hundred bits) bit by
      // bit.
      assign bits_o[i+j+:Positions] = Positions'($signed(copies[Group*Columns+j/Segment]));
    end
  end

endmodule
