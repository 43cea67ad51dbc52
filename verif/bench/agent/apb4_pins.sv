// SPDX-License-Identifier: Apache-2.0
//
// Pins of APB4 that Python drives, the front after them, and the rules of the bus.
//
// Latency: that of the front.
//
// Source: none.

module apb4_pins
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

  logic psel_i;
  logic penable_i;
  logic pwrite_i;
  logic [FrontAddressWidth-1:0] paddr_i;
  logic [2:0] pprot_i;
  logic [BusWidth-1:0] pwdata_i;
  logic [BusWidth/8-1:0] pstrb_i;
  logic pready_o;
  logic [BusWidth-1:0] prdata_o;
  logic pslverr_o;
  logic irq_o;

  initial begin
    psel_i = '0;
    penable_i = '0;
    pwrite_i = '0;
    paddr_i = '0;
    pprot_i = '0;
    pwdata_i = '0;
    pstrb_i = '0;
  end

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
    .core_req_o,
    .core_write_o,
    .core_addr_o,
    .core_wdata_o,
    .core_ack_i,
    .core_err_i,
    .core_rdata_i,
    .core_done_i
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
