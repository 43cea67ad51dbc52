// SPDX-License-Identifier: Apache-2.0
//
// Pins of AXI4-Lite that Python drives, the front after them, and the rules of the bus.
//
// Latency: that of the front.
//
// Source: none.

module axi4_lite_pins
  import front_pkg::*;
#(
  parameter int BusWidth = 32,
  parameter int Operation = OperationExponentiation,
  parameter int Core = 0,
  parameter int Width = 32,
  parameter int Guard = 2,
  parameter int MPrimeWidth = 16,
  parameter int FrontRadixBits = 48
) (
  input logic clk_i,
  input logic rst_ni,
  output logic core_req_o,
  output logic core_write_o,
  output logic [2:0] core_addr_o,
  output logic [BusWidth-1:0] core_wdata_o,
  input logic core_ack_i,
  input logic core_err_i,
  input logic [BusWidth-1:0] core_rdata_i,
  input logic core_done_i
);

  logic awvalid_i;
  logic awready_o;
  logic [FrontAddressWidth-1:0] awaddr_i;
  logic [2:0] awprot_i;
  logic wvalid_i;
  logic wready_o;
  logic [BusWidth-1:0] wdata_i;
  logic [BusWidth/8-1:0] wstrb_i;
  logic bvalid_o;
  logic bready_i;
  logic [1:0] bresp_o;
  logic arvalid_i;
  logic arready_o;
  logic [FrontAddressWidth-1:0] araddr_i;
  logic [2:0] arprot_i;
  logic rvalid_o;
  logic rready_i;
  logic [BusWidth-1:0] rdata_o;
  logic [1:0] rresp_o;
  logic irq_o;

  initial begin
    awvalid_i = '0;
    awaddr_i  = '0;
    awprot_i  = '0;
    wvalid_i  = '0;
    wdata_i   = '0;
    wstrb_i   = '0;
    bready_i  = '0;
    arvalid_i = '0;
    araddr_i  = '0;
    arprot_i  = '0;
    rready_i  = '0;
  end

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
    .core_req_o,
    .core_write_o,
    .core_addr_o,
    .core_wdata_o,
    .core_ack_i,
    .core_err_i,
    .core_rdata_i,
    .core_done_i
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
