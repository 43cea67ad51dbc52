// SPDX-License-Identifier: Apache-2.0
//
// Wishbone B4 front: connects a core to a Wishbone bus of DataWidth bits. hdl/docs/fronts.md has
// the map and the rules for a driver. adr_i is a byte address.
//
// The front serves standard masters, and pipelined masters with stall_o (B4, ch. 5.2): a pipelined
// master holds each request until its response. ERR_O is the answer to each rejected access.
//
//   cycle            req   ack   ack_o      err_o      stall_o
//   idle              0     0     0          0          0, or 1 with cyc_i
//   request           1     0     0          0          1
//   response          1     1     accepted   rejected   0
//
// Latency: two cycles for an access.
//
// Source: Wishbone B4 specification, OpenCores 2010.

module wishbone_front
  import multiplier_pkg::*;
  import front_pkg::*;
#(
  parameter int DataWidth = 32,
  // Values of the core, see register_block
  parameter int Operation = OperationExponentiation,
  parameter int Core = 0,
  parameter int Width = 32,
  parameter int Guard = 2,
  parameter int MPrimeWidth = 16,
  parameter int RadixBits = 48
) (
  input logic clk_i,
  input logic rst_ni,
  input logic cyc_i,
  input logic stb_i,
  input logic we_i,
  input logic [FrontAddressWidth-1:0] adr_i,
  input logic [DataWidth-1:0] dat_i,
  input logic [DataWidth/8-1:0] sel_i,
  output logic [DataWidth-1:0] dat_o,
  output logic ack_o,
  output logic err_o,
  output logic stall_o,
  output logic irq_o,
  // Loader bus of the core
  output logic core_req_o,
  output logic core_write_o,
  output logic [2:0] core_addr_o,
  output logic [DataWidth-1:0] core_wdata_o,
  input logic core_ack_i,
  input logic core_err_i,
  input logic [DataWidth-1:0] core_rdata_i,
  input logic core_done_i
);

  logic req, ack, err, full;

  assign req  = cyc_i && stb_i;
  assign full = &sel_i;

  register_block #(
    .DataWidth(DataWidth),
    .Operation(Operation),
    .Core(Core),
    .Width(Width),
    .Guard(Guard),
    .MPrimeWidth(MPrimeWidth),
    .RadixBits(RadixBits)
  ) u_registers (
    .clk_i,
    .rst_ni,
    .req_i  (req),
    .write_i(we_i),
    .addr_i (adr_i),
    .wdata_i(dat_i),
    .full_i (full),
    .ack_o  (ack),
    .err_o  (err),
    .rdata_o(dat_o),
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

  assign ack_o   = ack && !err;
  assign err_o   = ack && err;
  assign stall_o = cyc_i && !ack;

  // The host: a request lasts until its response.
  `ASSERT_NEXT(HoldUntilResponse, req && !ack_o && !err_o, req)
  // The front: no response without a request, and one response for each.
  `ASSERT_NEXT(ResponseAfterRequest, !req, !ack_o && !err_o)
  `ASSERT_NEXT(OneResponse, ack_o || err_o, !ack_o && !err_o)
  `ASSERT(AckOrError, !(ack_o && err_o))

endmodule
