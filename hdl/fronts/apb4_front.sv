// SPDX-License-Identifier: Apache-2.0
//
// APB4 front: connects a core to an APB4 bus of DataWidth bits. hdl/docs/fronts.md has the map and
// the rules for a driver.
//
// The request goes to the core in the setup phase, so that the first cycle of the access phase has
// the response. PSLVERR is the answer to each rejected access. PPROT is ignored.
//
//   phase    req   ack   pready_o   pslverr_o
//   idle      0     0     0          0
//   setup     1     0     0          0
//   access    1     1     1          rejected
//
// Latency: two cycles for an access, without wait states.
//
// Source: AMBA APB Protocol Specification, ARM IHI 0024C (APB4).

module apb4_front
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
  input logic psel_i,
  input logic penable_i,
  input logic pwrite_i,
  input logic [FrontAddressWidth-1:0] paddr_i,
  input logic [2:0] pprot_i,
  input logic [DataWidth-1:0] pwdata_i,
  input logic [DataWidth/8-1:0] pstrb_i,
  output logic pready_o,
  output logic [DataWidth-1:0] prdata_o,
  output logic pslverr_o,
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

  assign req  = psel_i;
  assign full = &pstrb_i;

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
    .write_i(pwrite_i),
    .addr_i (paddr_i),
    .wdata_i(pwdata_i),
    .full_i (full),
    .ack_o  (ack),
    .err_o  (err),
    .rdata_o(prdata_o),
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

  assign pready_o  = ack;
  assign pslverr_o = ack && err;

  logic unused_protection;
  assign unused_protection = ^{pprot_i, penable_i};

  // The host: an access phase follows each setup phase, and lasts until the response.
  `ASSERT_NEXT(AccessAfterSetup, psel_i && !pready_o, psel_i && penable_i)
  // The front: no response without a setup phase.
  `ASSERT_NEXT(ResponseAfterSetup, !psel_i, !pready_o)
  `ASSERT_NEXT(OneResponse, pready_o, !pready_o)
  `ASSERT(ErrorWithResponse, !pslverr_o || pready_o)

endmodule
