// SPDX-License-Identifier: Apache-2.0
//
// Carry-select adder: adds two words in segments, so that no carry chain is longer than a segment.
//
//   sum_o = a_i + b_i + carry_i
//
// Each segment has two sums, without and with a carry into it; the carry of the segments below
// selects one. One segment is a plain adder.
//
// Operands: any, Width bits each. sum_o: Width + 1 bits. Latency: combinational.
//
// Source: Bedrij, Carry-select adder, IRE Transactions 1962.

module carry_select_adder #(
  parameter int Width = 64,
  parameter int SegmentWidth = 20
) (
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  input  logic             carry_i,
  output logic [  Width:0] sum_o
);

  localparam int Segments = (Width + SegmentWidth - 1) / SegmentWidth;
  localparam int PaddedWidth = Segments * SegmentWidth;
  localparam int SumWidth = SegmentWidth + 1;

  logic [PaddedWidth-1:0] a, b;
  logic [Segments*SumWidth-1:0] without_carry, with_carry;
  assign a = PaddedWidth'(a_i);
  assign b = PaddedWidth'(b_i);

  for (genvar i = 0; i < Segments; i++) begin : gen_segment
    logic [SumWidth-1:0] a_segment, b_segment;
    assign a_segment = {1'b0, a[i*SegmentWidth+:SegmentWidth]};
    assign b_segment = {1'b0, b[i*SegmentWidth+:SegmentWidth]};
    assign without_carry[i*SumWidth+:SumWidth] = a_segment + b_segment;
    assign with_carry[i*SumWidth+:SumWidth] = a_segment + b_segment + SumWidth'(1);
  end

  logic [PaddedWidth:0] sum;
  logic [SumWidth-1:0] segment;
  logic carry;
  always_comb begin
    sum     = '0;
    segment = '0;
    carry   = carry_i;
    for (int i = 0; i < Segments; i++) begin
      segment = carry ? with_carry[i*SumWidth+:SumWidth] : without_carry[i*SumWidth+:SumWidth];
      sum[i*SegmentWidth+:SegmentWidth] = segment[SegmentWidth-1:0];
      carry = segment[SegmentWidth];
    end
    sum[PaddedWidth] = carry;
  end

  assign sum_o = sum[Width:0];

  if (PaddedWidth > Width) begin : gen_unused
    logic unused_bits;
    assign unused_bits = ^sum[PaddedWidth:Width+1];
  end

endmodule
