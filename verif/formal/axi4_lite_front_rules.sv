// SPDX-License-Identifier: Apache-2.0
//
// Property: the AXI4-Lite front keeps the rules of its bus and of the loader bus for every host
// that keeps its own, with any core, at any time between resets. verif/bench/agent has the rules.

module axi4_lite_front_rules
  import front_pkg::*;
#(
  parameter int Width = 70,
  parameter int BusWidth = 32,
  parameter int Operation = 1
) (
  input logic clk_i,
  input logic rst_ni,
  input logic awvalid_i,
  input logic [FrontAddressWidth-1:0] awaddr_i,
  input logic [2:0] awprot_i,
  input logic wvalid_i,
  input logic [BusWidth-1:0] wdata_i,
  input logic [BusWidth/8-1:0] wstrb_i,
  input logic bready_i,
  input logic arvalid_i,
  input logic [FrontAddressWidth-1:0] araddr_i,
  input logic [2:0] arprot_i,
  input logic rready_i,
  // Answers of the core
  input logic err_i,
  input logic [BusWidth-1:0] rdata_i,
  input logic done_i
);

  logic awready_o;
  logic wready_o;
  logic bvalid_o;
  logic [1:0] bresp_o;
  logic arready_o;
  logic rvalid_o;
  logic [BusWidth-1:0] rdata_o;
  logic [1:0] rresp_o;
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

  axi4_lite_front #(
    .DataWidth(BusWidth),
    .Operation(Operation),
    .Width(Width)
  ) u_front (
    .clk_i,
    .rst_ni,
    .awvalid_i,
    .awaddr_i,
    .awprot_i,
    .wvalid_i,
    .wdata_i,
    .wstrb_i,
    .bready_i,
    .arvalid_i,
    .araddr_i,
    .arprot_i,
    .rready_i,
    .awready_o(awready_o),
    .wready_o(wready_o),
    .bvalid_o(bvalid_o),
    .bresp_o(bresp_o),
    .arready_o(arready_o),
    .rvalid_o(rvalid_o),
    .rdata_o(rdata_o),
    .rresp_o(rresp_o),
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

  // Reset at the beginning.
  logic begun_q = 1'b0;
  always @(posedge clk_i) begin
    begun_q <= 1'b1;
    if (!begun_q) assume (!rst_ni);
  end

  // For the induction: the front remembers what waited.
  always @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!u_rules.read_passed_q || u_front.after_write_q);
      assert (!u_rules.write_passed_q || !u_front.after_write_q);
    end
  end

endmodule
