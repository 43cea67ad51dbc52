// SPDX-License-Identifier: Apache-2.0
//
// The core with parallel operands that Core names (core_pkg), with its own parameters. Ports:
// parallel_unit has the contract.
//
// Latency: that of the core, see its registry entry.
//
// Source: none. Generated from the registry by python -m ci.codes --write; do not edit.

module parallel_core_select
  import multiplier_pkg::*;
  import core_pkg::*;
#(
  parameter int Core = CoreFastMontgomery,
  parameter int Width = 32,
  parameter int Guard = 2,
  parameter int WordWidth = 32,
  parameter int Unfolding = 1
) (
  input  logic                                             clk_i,
  input  logic                                             rst_ni,
  input  parallel_control_t                                control_i,
  input  logic                  [      TablePositions-1:0] x_i,
  input  logic                  [               Width-1:0] y_i,
  input  logic                  [               Width-1:0] m_i,
  input  logic                  [ConstSlots*(Width+1)-1:0] const_i,
  output parallel_status_t                                 status_o,
  output parallel_description_t                            description_o,
  output parallel_view_t                                   view_o,
  output logic                  [         Width+Guard-1:0] s_o,
  output logic                  [         Width+Guard-1:0] c_o
);

  if (Core == CoreFastMontgomery) begin : gen_fast_montgomery
    fast_montgomery #(
      .Width(Width),
      .Guard(Guard),
      .WordWidth(WordWidth),
      .Unfolding(Unfolding)
    ) u_core (
      .clk_i,
      .rst_ni,
      .control_i,
      .x_i,
      .y_i,
      .m_i,
      .const_i,
      .status_o,
      .description_o,
      .view_o,
      .s_o,
      .c_o
    );
  end else if (Core == CoreFasterMontgomery) begin : gen_faster_montgomery
    faster_montgomery #(
      .Width(Width),
      .Guard(Guard),
      .WordWidth(WordWidth),
      .Unfolding(Unfolding)
    ) u_core (
      .clk_i,
      .rst_ni,
      .control_i,
      .x_i,
      .y_i,
      .m_i,
      .const_i,
      .status_o,
      .description_o,
      .view_o,
      .s_o,
      .c_o
    );
  end else if (Core == CoreMm42) begin : gen_mm42
    mm42 #(
      .Width(Width),
      .Guard(Guard),
      .WordWidth(WordWidth),
      .Unfolding(Unfolding)
    ) u_core (
      .clk_i,
      .rst_ni,
      .control_i,
      .x_i,
      .y_i,
      .m_i,
      .const_i,
      .status_o,
      .description_o,
      .view_o,
      .s_o,
      .c_o
    );
  end else if (Core == CoreOptimizedInterleaved) begin : gen_optimized_interleaved
    optimized_interleaved #(
      .Width(Width),
      .Guard(Guard),
      .WordWidth(WordWidth)
    ) u_core (
      .clk_i,
      .rst_ni,
      .control_i,
      .x_i,
      .y_i,
      .m_i,
      .const_i,
      .status_o,
      .description_o,
      .view_o,
      .s_o,
      .c_o
    );
  end

  // Not every core has every parameter.
  logic [31:0] unused_parameters;
  assign unused_parameters = Unfolding;

endmodule
