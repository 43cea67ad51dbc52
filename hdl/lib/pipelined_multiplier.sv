// SPDX-License-Identifier: Apache-2.0
//
// Unsigned multiplier with registers where the multiplier block of an FPGA has them.
//
//   product_o = a_i * b_i, Stages cycles later
//
// Stages 0: combinational. 1: product_o is registered. 2: the products of all pairs of limbs of at
// most LimbWidth bits are registered, and so is their sum, so that operands wider than one block do
// not lower the clock frequency. early_o is product_o one cycle earlier, before its register
// (Stages 0: product_o itself).
//
// Operands: any. Latency: Stages.
//
// Source: none; LimbWidth: Lattice FPGA-TN-02205, ECP5 sysDSP, 18 x 18 without signs.

module pipelined_multiplier #(
  parameter int AWidth = 17,
  parameter int BWidth = 17,
  parameter int Stages = 1
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic [       AWidth-1:0] a_i,
  input  logic [       BWidth-1:0] b_i,
  output logic [AWidth+BWidth-1:0] early_o,
  output logic [AWidth+BWidth-1:0] product_o
);

  localparam int Width = AWidth + BWidth;

  if (Stages < 2) begin : gen_whole
    assign early_o = Width'(a_i) * Width'(b_i);
  end else begin : gen_limbs
    localparam int LimbWidth = 18;
    localparam int ALimbs = (AWidth + LimbWidth - 1) / LimbWidth;
    localparam int BLimbs = (BWidth + LimbWidth - 1) / LimbWidth;
    localparam int PartWidth = 2 * LimbWidth;
    localparam int SumWidth = (ALimbs + BLimbs) * LimbWidth;

    logic [ALimbs*LimbWidth-1:0] a;
    logic [BLimbs*LimbWidth-1:0] b;
    logic [ALimbs*BLimbs*PartWidth-1:0] part_q;
    assign a = (ALimbs * LimbWidth)'(a_i);
    assign b = (BLimbs * LimbWidth)'(b_i);

    for (genvar i = 0; i < ALimbs; i++) begin : gen_a
      for (genvar j = 0; j < BLimbs; j++) begin : gen_b
        logic [LimbWidth-1:0] limb_a, limb_b;
        assign limb_a = a[i*LimbWidth+:LimbWidth];
        assign limb_b = b[j*LimbWidth+:LimbWidth];
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) part_q[(i*BLimbs+j)*PartWidth+:PartWidth] <= '0;
          else part_q[(i*BLimbs+j)*PartWidth+:PartWidth] <= PartWidth'(limb_a) * PartWidth'(limb_b);
        end
      end
    end

    // Partial products that do not overlap share one operand of the sum.
    logic [SumWidth-1:0] sum, row;
    always_comb begin
      sum = '0;
      row = '0;
      for (int d = 1 - ALimbs; d < BLimbs; d++) begin
        row = '0;
        for (int i = 0; i < ALimbs; i++) begin
          if ((i + d >= 0) && (i + d < BLimbs)) begin
            row[(2*i+d)*LimbWidth+:PartWidth] = part_q[(i*BLimbs+i+d)*PartWidth+:PartWidth];
          end
        end
        sum = sum + row;
      end
    end
    assign early_o = sum[Width-1:0];
    if (SumWidth > Width) begin : gen_unused
      logic unused_bits;
      assign unused_bits = ^sum[SumWidth-1:Width];
    end
  end

  if (Stages == 0) begin : gen_wire
    assign product_o = early_o;
    logic unused_ports;
    assign unused_ports = ^{clk_i, rst_ni};
  end else begin : gen_register
    logic [Width-1:0] product_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) product_q <= '0;
      else product_q <= early_o;
    end
    assign product_o = product_q;
  end

endmodule
