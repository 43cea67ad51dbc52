// SPDX-License-Identifier: Apache-2.0
//
// Property: the Wishbone B4 front keeps the rules of its bus and of the loader bus for every host
// that keeps its own, with any core, at any time between resets. verif/bench/agent has the rules.

module wishbone_front_rules
  import front_pkg::*;
#(
  parameter int Width = 70,
  parameter int BusWidth = 32,
  parameter int Operation = 1
) (
  input logic clk_i,
  input logic rst_ni,
  input logic cyc_i,
  input logic stb_i,
  input logic we_i,
  input logic [FrontAddressWidth-1:0] adr_i,
  input logic [BusWidth-1:0] dat_i,
  input logic [BusWidth/8-1:0] sel_i,
  // Answers of the core
  input logic err_i,
  input logic [BusWidth-1:0] rdata_i,
  input logic done_i
);

  logic [BusWidth-1:0] dat_o;
  logic ack_o;
  logic err_o;
  logic stall_o;
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

  wishbone_front #(
    .DataWidth(BusWidth),
    .Operation(Operation),
    .Width(Width)
  ) u_front (
    .clk_i,
    .rst_ni,
    .cyc_i,
    .stb_i,
    .we_i,
    .adr_i,
    .dat_i,
    .sel_i,
    .dat_o(dat_o),
    .ack_o(ack_o),
    .err_o(err_o),
    .stall_o(stall_o),
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

  // Reset at the beginning.
  logic begun_q = 1'b0;
  always @(posedge clk_i) begin
    begun_q <= 1'b1;
    if (!begun_q) assume (!rst_ni);
  end

endmodule
