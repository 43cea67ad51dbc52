// SPDX-License-Identifier: Apache-2.0
//
// Property: the APB4 front keeps the rules of its bus and of the loader bus for every host that
// keeps its own, with any core, at any time between resets. verif/bench/agent has the rules.

module apb4_front_rules
  import front_pkg::*;
#(
  parameter int Width = 70,
  parameter int BusWidth = 32,
  parameter int Operation = 1
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
  // Answers of the core
  input logic err_i,
  input logic [BusWidth-1:0] rdata_i,
  input logic done_i
);

  logic pready_o;
  logic [BusWidth-1:0] prdata_o;
  logic pslverr_o;
  logic irq_o;
  logic req, write;
  logic [2:0] addr;
  logic [BusWidth-1:0] wdata;

  // The core acknowledges in the cycle after a request.
  logic ack;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) ack <= 1'b0;
    else ack <= req && !ack;
  end

  apb4_front #(
    .DataWidth(BusWidth),
    .Operation(Operation),
    .Width(Width)
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
    .pready_o(pready_o),
    .prdata_o(prdata_o),
    .pslverr_o(pslverr_o),
    .irq_o(irq_o),
    .core_req_o(req),
    .core_write_o(write),
    .core_addr_o(addr),
    .core_wdata_o(wdata),
    .core_ack_i(ack),
    .core_err_i(err_i),
    .core_rdata_i(rdata_i),
    .core_done_i(done_i)
  );

  loader_rules #(
    .DataWidth(BusWidth)
  ) u_loader_rules (
    .clk_i,
    .rst_ni,
    .req_i  (req),
    .write_i(write),
    .addr_i (addr),
    .wdata_i(wdata),
    .ack_i  (ack)
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

  // Reset at the beginning.
  logic begun_q = 1'b0;
  always @(posedge clk_i) begin
    begun_q <= 1'b1;
    if (!begun_q) assume (!rst_ni);
  end

endmodule
