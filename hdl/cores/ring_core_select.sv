// SPDX-License-Identifier: Apache-2.0
//
// The ring core that Core names (core_pkg), with its own parameters. Ports: ring_unit has the
// contract. Chain = 0: no product takes the result of another while that leaves the core.
//
// Latency: that of the core, see its registry entry.
//
// Source: none. Generated from the registry by python -m ci.codes --write; do not edit.

module ring_core_select
  import multiplier_pkg::*;
  import core_pkg::*;
#(
  parameter int Core = CoreDualRadix,
  parameter int Width = 32,
  parameter bit Chain = 1'b1,
  parameter int WordWidth = 17,
  parameter int DigitWidth = 16,
  parameter int Elements = 1,
  parameter int Stages = 1,
  parameter int Latency = 3,
  parameter int UnitWidth = 1,
  parameter int Units = 1
) (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  input  stream_control_t                      control_i,
  output stream_status_t                       status_o,
  input  logic                [DigitWidth-1:0] digit_i,
  input  logic                [ WordWidth-1:0] y_i,
  input  logic                [ WordWidth-1:0] m_i,
  input  logic                [DigitWidth-1:0] m_prime_i,
  output logic                [ WordWidth-1:0] word_o,
  output stream_observation_t                  observation_o
);

  if (Core == CoreDualRadix) begin : gen_dual_radix
    dual_radix #(
      .Width(Width),
      .Chain(Chain),
      .UnitWidth(UnitWidth),
      .Units(Units)
    ) u_core (
      .clk_i,
      .rst_ni,
      .control_i,
      .status_o,
      .digit_i,
      .y_i,
      .m_i,
      .m_prime_i,
      .word_o,
      .observation_o
    );
  end else if (Core == CoreMwr2mm) begin : gen_mwr2mm
    mwr2mm #(
      .Width(Width),
      .Chain(Chain),
      .WordWidth(WordWidth),
      .Elements(Elements)
    ) u_core (
      .clk_i,
      .rst_ni,
      .control_i,
      .status_o,
      .digit_i,
      .y_i,
      .m_i,
      .m_prime_i,
      .word_o,
      .observation_o
    );
  end else if (Core == CoreMwrkmm) begin : gen_mwrkmm
    mwrkmm #(
      .Width(Width),
      .Chain(Chain),
      .WordWidth(WordWidth),
      .DigitWidth(DigitWidth),
      .Elements(Elements),
      .Latency(Latency)
    ) u_core (
      .clk_i,
      .rst_ni,
      .control_i,
      .status_o,
      .digit_i,
      .y_i,
      .m_i,
      .m_prime_i,
      .word_o,
      .observation_o
    );
  end else if (Core == CoreQuotientPipelined) begin : gen_quotient_pipelined
    quotient_pipelined #(
      .Width(Width),
      .Chain(Chain),
      .WordWidth(WordWidth),
      .DigitWidth(DigitWidth),
      .Elements(Elements),
      .Stages(Stages),
      .Latency(Latency)
    ) u_core (
      .clk_i,
      .rst_ni,
      .control_i,
      .status_o,
      .digit_i,
      .y_i,
      .m_i,
      .m_prime_i,
      .word_o,
      .observation_o
    );
  end

  // Not every core has every parameter.
  logic [31:0] unused_parameters;
  assign unused_parameters = Elements + Stages + Latency + UnitWidth + Units;

endmodule
