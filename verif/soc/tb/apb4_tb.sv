// SPDX-License-Identifier: Apache-2.0
//
// Test bench of the APB4 front: the front, a core, and the rules of the buses between.
//
// Latency: that of the front and of the core.
//
// Source: none.

module apb4_tb
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
  parameter int BinaryBits = 0,
  parameter int MPrimeWidth = 16,
  parameter int FrontRadixBits = 48
) (
  input logic clk_i,
  input logic rst_ni,
  input logic psel_i,
  input logic penable_i,
  input logic pwrite_i,
  input logic [FrontAddressWidth-1:0] paddr_i,
  input logic [2:0] pprot_i,
  input logic [BusWidth-1:0] pwdata_i,
  input logic [BusWidth/8-1:0] pstrb_i,
  output logic pready_o,
  output logic [BusWidth-1:0] prdata_o,
  output logic pslverr_o,
  output logic irq_o
);

  logic req, write, ack, err, done;
  logic [2:0] addr;
  logic [BusWidth-1:0] wdata, rdata;

  apb4_front #(
    .DataWidth(BusWidth),
    .Operation(Operation),
    .Core(Core),
    .Width(Width),
    .Guard(Guard),
    .MPrimeWidth(MPrimeWidth),
    .RadixBits(FrontRadixBits)
  ) u_front (
    .clk_i,
    .rst_ni,
    .psel_i,
    .penable_i,
    .pwrite_i,
    .paddr_i,
    .pprot_i,
    .pwdata_i,
    .pstrb_i,
    .pready_o,
    .prdata_o,
    .pslverr_o,
    .irq_o,
    .core_req_o  (req),
    .core_write_o(write),
    .core_addr_o (addr),
    .core_wdata_o(wdata),
    .core_ack_i  (ack),
    .core_err_i  (err),
    .core_rdata_i(rdata),
    .core_done_i (done)
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

  apb4_rules #(
    .DataWidth(BusWidth),
    .AddressWidth(FrontAddressWidth)
  ) u_rules (
    .clk_i,
    .rst_ni,
    .psel_i,
    .penable_i,
    .pwrite_i,
    .paddr_i,
    .pwdata_i,
    .pstrb_i,
    .pready_i (pready_o),
    .pslverr_i(pslverr_o)
  );

endmodule
