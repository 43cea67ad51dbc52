// SPDX-License-Identifier: Apache-2.0
//
// Unit of a multiplier: the core that Core names (core_pkg), with its operands and results. The
// unit is ring_unit for a ring core, or parallel_unit for a core with parallel operands. Ports: see
// parallel_unit.
//
// Latency: that of the unit.
//
// Source: none.

module multiplier_unit
  import multiplier_pkg::*;
  import core_pkg::*;
#(
  parameter int Width = 32,
  parameter int BusWidth = 32,
  parameter int AddWidth = 32,
  parameter int Guard = 2,
  parameter int IndexWidth = 8,
  // The core (core_pkg), and the values of its registry entry; from WordWidth on: ring cores
  parameter int Core = CoreFastMontgomery,
  parameter int Unfolding = 1,
  parameter int WordWidth = 17,
  parameter int DigitWidth = 16,
  parameter int Words = 3,
  parameter int RadixBits = 48,
  parameter int MPrimeBits = 16,
  parameter int ScaleBits = 0,
  parameter int BinaryBits = 0,
  parameter int Elements = 1,
  parameter int Stages = 1,
  parameter int Latency = 3,
  parameter int UnitWidth = 1,
  parameter int Units = 1
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  // Bus words
  input  logic             [           2:0] write_i,
  input  logic             [           2:0] read_i,
  input  logic             [IndexWidth-1:0] write_index_i,
  input  logic             [IndexWidth-1:0] read_index_i,
  input  logic             [  BusWidth-1:0] data_i,
  output logic             [  BusWidth-1:0] word_o,
  // Operation
  input  logic                              start_i,
  input  logic                              raw_i,
  input  logic                              field_i,
  input  logic                              incomplete_i,
  input  logic                              overwide_i,
  output logic                              busy_o,
  output logic                              done_o,
  output logic             [           3:0] status_o,
  output logic                              binary_o,
  // Observation
  output multiplier_view_t                  view_o
);

  if (is_ring_core(Core)) begin : gen_ring
    ring_unit #(
      .Width(Width),
      .BusWidth(BusWidth),
      .AddWidth(AddWidth),
      .Guard(Guard),
      .IndexWidth(IndexWidth),
      .WordWidth(WordWidth),
      .DigitWidth(DigitWidth),
      .Words(Words),
      .RadixBits(RadixBits),
      .MPrimeBits(MPrimeBits),
      .ScaleBits(ScaleBits),
      .BinaryBits(BinaryBits),
      .Core(Core),
      .Elements(Elements),
      .Stages(Stages),
      .Latency(Latency),
      .UnitWidth(UnitWidth),
      .Units(Units)
    ) u_unit (
      .clk_i,
      .rst_ni,
      .write_i,
      .read_i,
      .write_index_i,
      .read_index_i,
      .data_i,
      .word_o,
      .start_i,
      .raw_i,
      .field_i,
      .incomplete_i,
      .overwide_i,
      .busy_o,
      .done_o,
      .status_o,
      .binary_o,
      .view_o
    );
  end else begin : gen_parallel
    parallel_unit #(
      .Width(Width),
      .BusWidth(BusWidth),
      .AddWidth(AddWidth),
      .Guard(Guard),
      .IndexWidth(IndexWidth),
      .Core(Core),
      .Unfolding(Unfolding)
    ) u_unit (
      .clk_i,
      .rst_ni,
      .write_i,
      .read_i,
      .write_index_i,
      .read_index_i,
      .data_i,
      .word_o,
      .start_i,
      .raw_i,
      .field_i,
      .incomplete_i,
      .overwide_i,
      .busy_o,
      .done_o,
      .status_o,
      .binary_o,
      .view_o
    );
  end

  // Each unit uses only some of the parameters.
  localparam int UnusedParameters = AddWidth + Unfolding
      + WordWidth + DigitWidth + Words + RadixBits + MPrimeBits + ScaleBits + BinaryBits
      + Elements + Stages + Latency + UnitWidth + Units;
  logic [31:0] unused_parameters;
  assign unused_parameters = UnusedParameters;

endmodule
