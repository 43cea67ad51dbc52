// SPDX-License-Identifier: Apache-2.0
//
// The core of a front's test bench: the multiplier or the exponentiation, by Operation, and the
// rules of the loader bus.
//
// Latency: that of the core.
//
// Source: none.

module soc_core
  import front_pkg::*;
  import core_pkg::*;
#(
  parameter int Operation = OperationExponentiation,
  parameter int Width = 32,
  parameter int BusWidth = 32,
  parameter int Guard = 2,
  parameter int Core = CoreMwrkmm,
  parameter int Unfolding = 1,
  parameter int WordWidth = 17,
  parameter int DigitWidth = 16,
  parameter int Words = 3,
  parameter int RadixBits = 48,
  parameter int MPrimeBits = 16,
  parameter int ScaleBits = 0,
  parameter int Elements = 1,
  parameter int Stages = 1,
  parameter int Latency = 3,
  parameter int UnitWidth = 1,
  parameter int Units = 1,
  parameter int AddWidth = 32,
  parameter int BinaryBits = 0
) (
  input logic clk_i,
  input logic rst_ni,
  input logic req_i,
  input logic write_i,
  input logic [2:0] addr_i,
  input logic [BusWidth-1:0] wdata_i,
  output logic ack_o,
  output logic err_o,
  output logic [BusWidth-1:0] rdata_o,
  output logic done_o
);

  logic busy;

  if (Operation == OperationExponentiation) begin : gen_exponentiation
    exponentiation #(
      .AddressWidth(3),
      .Width(Width),
      .BusWidth(BusWidth),
      .Guard(Guard),
      .Core(Core),
      .Unfolding(Unfolding),
      .WordWidth(WordWidth),
      .DigitWidth(DigitWidth),
      .Words(Words),
      .RadixBits(RadixBits),
      .MPrimeBits(MPrimeBits),
      .ScaleBits(ScaleBits),
      .Elements(Elements),
      .Stages(Stages),
      .Latency(Latency),
      .UnitWidth(UnitWidth),
      .Units(Units)
    ) u_core (
      .clk_i,
      .rst_ni,
      .req_i,
      .write_i,
      .addr_i,
      .wdata_i,
      .wait_i(1'b0),
      .ack_o,
      .err_o,
      .rdata_o,
      .busy_o(busy),
      .done_o
    );
  end else begin : gen_multiplier
    multiplier #(
      .AddressWidth(3),
      .Width(Width),
      .BusWidth(BusWidth),
      .Guard(Guard),
      .Core(Core),
      .Unfolding(Unfolding),
      .WordWidth(WordWidth),
      .DigitWidth(DigitWidth),
      .Words(Words),
      .RadixBits(RadixBits),
      .MPrimeBits(MPrimeBits),
      .ScaleBits(ScaleBits),
      .Elements(Elements),
      .Stages(Stages),
      .Latency(Latency),
      .UnitWidth(UnitWidth),
      .Units(Units),
      .AddWidth(AddWidth),
      .BinaryBits(BinaryBits)
    ) u_core (
      .clk_i,
      .rst_ni,
      .req_i,
      .write_i,
      .addr_i,
      .wdata_i,
      .wait_i(1'b0),
      .ack_o,
      .err_o,
      .rdata_o,
      .busy_o(busy),
      .done_o
    );
  end

  loader_rules #(
    .DataWidth(BusWidth)
  ) u_loader_rules (
    .clk_i,
    .rst_ni,
    .req_i,
    .write_i,
    .addr_i,
    .wdata_i,
    .ack_i(ack_o)
  );

  logic unused_bits;
  assign unused_bits = ^{busy, AddWidth + BinaryBits};

endmodule
