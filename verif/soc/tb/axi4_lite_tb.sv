// SPDX-License-Identifier: Apache-2.0
//
// Test bench of the AXI4-Lite front: the front, a core, and the rules of the buses between.
//
// Latency: that of the front and of the core.
//
// Source: none.

module axi4_lite_tb
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
  input logic awvalid_i,
  output logic awready_o,
  input logic [FrontAddressWidth-1:0] awaddr_i,
  input logic [2:0] awprot_i,
  input logic wvalid_i,
  output logic wready_o,
  input logic [BusWidth-1:0] wdata_i,
  input logic [BusWidth/8-1:0] wstrb_i,
  output logic bvalid_o,
  input logic bready_i,
  output logic [1:0] bresp_o,
  input logic arvalid_i,
  output logic arready_o,
  input logic [FrontAddressWidth-1:0] araddr_i,
  input logic [2:0] arprot_i,
  output logic rvalid_o,
  input logic rready_i,
  output logic [BusWidth-1:0] rdata_o,
  output logic [1:0] rresp_o,
  output logic irq_o
);

  logic req, write, ack, err, done;
  logic [2:0] addr;
  logic [BusWidth-1:0] wdata, rdata;

  axi4_lite_front #(
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
    .awvalid_i,
    .awready_o,
    .awaddr_i,
    .awprot_i,
    .wvalid_i,
    .wready_o,
    .wdata_i,
    .wstrb_i,
    .bvalid_o,
    .bready_i,
    .bresp_o,
    .arvalid_i,
    .arready_o,
    .araddr_i,
    .arprot_i,
    .rvalid_o,
    .rready_i,
    .rdata_o,
    .rresp_o,
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

  axi4_lite_rules #(
    .DataWidth(BusWidth),
    .AddressWidth(FrontAddressWidth)
  ) u_rules (
    .clk_i,
    .rst_ni,
    .awvalid_i,
    .awready_i(awready_o),
    .awaddr_i,
    .wvalid_i,
    .wready_i (wready_o),
    .wdata_i,
    .wstrb_i,
    .bvalid_i (bvalid_o),
    .bready_i,
    .bresp_i  (bresp_o),
    .arvalid_i,
    .arready_i(arready_o),
    .araddr_i,
    .rvalid_i (rvalid_o),
    .rready_i,
    .rdata_i  (rdata_o),
    .rresp_i  (rresp_o)
  );

endmodule
