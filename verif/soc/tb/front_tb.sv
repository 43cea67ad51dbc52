// SPDX-License-Identifier: Apache-2.0
//
// Test bench of a front: its pins, which Python drives, the front, a core, and the rules of the
// buses between. bench_front has the values of Front.
//
// Latency: that of the front and of the core.
//
// Source: none.

module front_tb
  import front_pkg::*;
  import core_pkg::*;
#(
  parameter int Front = 1,
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
  parameter int BinaryBits = 0,
  parameter int MPrimeWidth = 16,
  parameter int FrontRadixBits = 48
) (
  input logic clk_i,
  input logic rst_ni
);

  logic req, write, waits, ack, err, done;
  logic [2:0] addr;
  logic [BusWidth-1:0] wdata, rdata;

  bench_front #(
    .Front(Front),
    .BusWidth(BusWidth),
    .Operation(Operation),
    .Core(Core),
    .Width(Width),
    .Guard(Guard),
    .MPrimeWidth(MPrimeWidth),
    .FrontRadixBits(FrontRadixBits)
  ) u_front (
    .clk_i,
    .rst_ni,
    .req_i  (1'b0),
    .write_i(1'b0),
    .addr_i ('0),
    .wdata_i('0),
    .wait_i (1'b0),
    .req_o  (req),
    .write_o(write),
    .addr_o (addr),
    .wdata_o(wdata),
    .wait_o (waits),
    .ack_i  (ack),
    .err_i  (err),
    .rdata_i(rdata),
    .done_i (done)
  );

  soc_core #(
    .Operation(Operation),
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
    .req_i  (req),
    .write_i(write),
    .addr_i (addr),
    .wdata_i(wdata),
    .ack_o  (ack),
    .err_o  (err),
    .rdata_o(rdata),
    .done_o (done)
  );

  logic unused_wait;
  assign unused_wait = waits;

endmodule
