// SPDX-License-Identifier: Apache-2.0
//
// Between the loader bus agent of a bench and its core: nothing, or a front. With a front, Python
// drives the pins of its bus, the agent is idle, and what watches the loader bus sees the transfers
// of the front. A front needs three address bits and a core without wait states.
//
//   Front  bus          handle of its pins, below this instance
//   0      loader bus   -
//   1      AXI4-Lite    gen_axi4_lite.u_pins
//   2      APB4         gen_apb4.u_pins
//   3      Wishbone B4  gen_wishbone.u_pins
//
// Latency: none without a front, else that of the front.
//
// Source: none.

module bench_front
  import front_pkg::*;
#(
  parameter int Front = 0,
  parameter int BusWidth = 32,
  parameter int AddressWidth = 3,
  parameter int Operation = OperationExponentiation,
  parameter int Core = 0,
  parameter int Width = 32,
  parameter int Guard = 2,
  parameter int MPrimeWidth = 16,
  parameter int FrontRadixBits = 48
) (
  input logic clk_i,
  input logic rst_ni,
  // Agent
  input logic req_i,
  input logic write_i,
  input logic [AddressWidth-1:0] addr_i,
  input logic [BusWidth-1:0] wdata_i,
  input logic wait_i,
  // Core
  output logic req_o,
  output logic write_o,
  output logic [AddressWidth-1:0] addr_o,
  output logic [BusWidth-1:0] wdata_o,
  output logic wait_o,
  input logic ack_i,
  input logic err_i,
  input logic [BusWidth-1:0] rdata_i,
  input logic done_i
);

  localparam int FrontAxi = 1;
  localparam int FrontApb = 2;
  localparam int FrontWishbone = 3;

  logic [2:0] addr;

  if (Front == FrontAxi) begin : gen_axi4_lite
    axi4_lite_pins #(
      .BusWidth(BusWidth),
      .Operation(Operation),
      .Core(Core),
      .Width(Width),
      .Guard(Guard),
      .MPrimeWidth(MPrimeWidth),
      .FrontRadixBits(FrontRadixBits)
    ) u_pins (
      .clk_i,
      .rst_ni,
      .core_req_o  (req_o),
      .core_write_o(write_o),
      .core_addr_o (addr),
      .core_wdata_o(wdata_o),
      .core_ack_i  (ack_i),
      .core_err_i  (err_i),
      .core_rdata_i(rdata_i),
      .core_done_i (done_i)
    );
  end else if (Front == FrontApb) begin : gen_apb4
    apb4_pins #(
      .BusWidth(BusWidth),
      .Operation(Operation),
      .Core(Core),
      .Width(Width),
      .Guard(Guard),
      .MPrimeWidth(MPrimeWidth),
      .FrontRadixBits(FrontRadixBits)
    ) u_pins (
      .clk_i,
      .rst_ni,
      .core_req_o  (req_o),
      .core_write_o(write_o),
      .core_addr_o (addr),
      .core_wdata_o(wdata_o),
      .core_ack_i  (ack_i),
      .core_err_i  (err_i),
      .core_rdata_i(rdata_i),
      .core_done_i (done_i)
    );
  end else if (Front == FrontWishbone) begin : gen_wishbone
    wishbone_pins #(
      .BusWidth(BusWidth),
      .Operation(Operation),
      .Core(Core),
      .Width(Width),
      .Guard(Guard),
      .MPrimeWidth(MPrimeWidth),
      .FrontRadixBits(FrontRadixBits)
    ) u_pins (
      .clk_i,
      .rst_ni,
      .core_req_o  (req_o),
      .core_write_o(write_o),
      .core_addr_o (addr),
      .core_wdata_o(wdata_o),
      .core_ack_i  (ack_i),
      .core_err_i  (err_i),
      .core_rdata_i(rdata_i),
      .core_done_i (done_i)
    );
  end else begin : gen_none
    assign req_o   = req_i;
    assign write_o = write_i;
    assign addr    = 3'(addr_i);
    assign wdata_o = wdata_i;
    logic unused_core;
    assign unused_core = ^{clk_i, rst_ni, ack_i, err_i, rdata_i, done_i};
  end

  if (Front != 0) begin : gen_front
    assign addr_o = AddressWidth'(addr);
    assign wait_o = 1'b0;
    logic unused_agent;
    assign unused_agent = ^{req_i, write_i, addr_i, wdata_i, wait_i};

    loader_rules #(
      .DataWidth(BusWidth)
    ) u_loader_rules (
      .clk_i,
      .rst_ni,
      .req_i  (req_o),
      .write_i(write_o),
      .addr_i (addr),
      .wdata_i(wdata_o),
      .ack_i
    );
  end else begin : gen_agent
    assign addr_o = addr_i;
    assign wait_o = wait_i;
    logic unused_addr;
    assign unused_addr = ^addr;
  end

endmodule
