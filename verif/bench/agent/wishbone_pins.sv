// SPDX-License-Identifier: Apache-2.0
//
// Pins of Wishbone B4 that Python drives, the front after them, and the rules of the bus.
//
// Latency: that of the front.
//
// Source: none.

module wishbone_pins
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

  logic cyc_i;
  logic stb_i;
  logic we_i;
  logic [FrontAddressWidth-1:0] adr_i;
  logic [BusWidth-1:0] dat_i;
  logic [BusWidth/8-1:0] sel_i;
  logic [BusWidth-1:0] dat_o;
  logic ack_o;
  logic err_o;
  logic stall_o;
  logic irq_o;

  initial begin
    cyc_i = '0;
    stb_i = '0;
    we_i  = '0;
    adr_i = '0;
    dat_i = '0;
    sel_i = '0;
  end

  wishbone_front #(
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
    .cyc_i,
    .stb_i,
    .we_i,
    .adr_i,
    .dat_i,
    .sel_i,
    .dat_o,
    .ack_o,
    .err_o,
    .stall_o,
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

  wishbone_rules #(
    .DataWidth(BusWidth),
    .AddressWidth(FrontAddressWidth)
  ) u_rules (
    .clk_i,
    .rst_ni,
    .cyc_i,
    .stb_i,
    .we_i,
    .adr_i,
    .dat_i,
    .sel_i,
    .ack_i  (ack_o),
    .err_i  (err_o),
    .stall_i(stall_o)
  );

endmodule
