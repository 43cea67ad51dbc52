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
// Operands: any. Latency: a clock.
//
// Source: none.

module segment_registers
  import multiplier_pkg::*;
#(
  parameter int Width   = 32,
  parameter int Segment = SegmentWidth
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             bit_i,
  output logic [Width-1:0] bits_o
);

  localparam int Segments = (Width + Segment - 1) / Segment;

  for (genvar i = 0; i < Segments; i++) begin : gen_segment
    localparam int Low = i * Segment;
    localparam int Positions = (Width - Low < Segment) ? Width - Low : Segment;

    // The copies are equal, and a synthesis that does not know what they are for makes them one.
    (* keep *) logic copy_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) copy_q <= 1'b0;
      else copy_q <= bit_i;
    end

    assign bits_o[Low+:Positions] = {Positions{copy_q}};
  end

endmodule
