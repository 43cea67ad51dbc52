// SPDX-License-Identifier: Apache-2.0
//
// AXI4-Lite front: connects a core to an AXI4-Lite bus of DataWidth bits. hdl/docs/fronts.md has
// the map and the rules for a driver.
//
// One access at a time: a write begins when its address and its data are valid, a read when its
// address is valid. After a write, a waiting read goes first. SLVERR is the answer to each rejected
// access. AWPROT and ARPROT are ignored. No output of the AXI side depends on an AXI input of the
// same cycle. Registers hold the response until the host takes it.
//
//   state      req                    awready_o, wready_o   arready_o   bvalid_o   rvalid_o
//   idle       write or read valid     0                     0           0          0
//   accept     1                       write                 read        0          0
//   response   0                       0                     0           write      read
//
// Latency: response two cycles after the request is valid; three cycles for an access, more while
// the host does not take the response.
//
// Source: AMBA AXI and ACE Protocol Specification, ARM IHI 0022, part B (AXI4-Lite).

module axi4_lite_front
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
  input logic awvalid_i,
  output logic awready_o,
  input logic [FrontAddressWidth-1:0] awaddr_i,
  input logic [2:0] awprot_i,
  input logic wvalid_i,
  output logic wready_o,
  input logic [DataWidth-1:0] wdata_i,
  input logic [DataWidth/8-1:0] wstrb_i,
  output logic bvalid_o,
  input logic bready_i,
  output logic [1:0] bresp_o,
  input logic arvalid_i,
  output logic arready_o,
  input logic [FrontAddressWidth-1:0] araddr_i,
  input logic [2:0] arprot_i,
  output logic rvalid_o,
  input logic rready_i,
  output logic [DataWidth-1:0] rdata_o,
  output logic [1:0] rresp_o,
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

  localparam logic [1:0] RespOkay = 2'b00;
  localparam logic [1:0] RespSlverr = 2'b10;

  logic req, ack, err, full;
  logic write_waits, read_waits, choice, write;
  logic write_q, after_write_q, bvalid_q, rvalid_q, error_q;
  logic [FrontAddressWidth-1:0] address;
  logic [DataWidth-1:0] rdata, rdata_q;

  assign write_waits = awvalid_i && wvalid_i;
  assign read_waits = arvalid_i;
  assign choice = write_waits && !(read_waits && after_write_q);
  // The access stays the same in the cycle of the response, also if the host sends another one.
  assign write = ack ? write_q : choice;
  assign req = (write_waits || read_waits) && !bvalid_q && !rvalid_q;
  assign full = &wstrb_i;
  assign address = write ? awaddr_i : araddr_i;

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
    .write_i(write),
    .addr_i (address),
    .wdata_i(wdata_i),
    .full_i (full),
    .ack_o  (ack),
    .err_o  (err),
    .rdata_o(rdata),
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

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {write_q, after_write_q, bvalid_q, rvalid_q, error_q, rdata_q} <= '0;
    end else begin
      if (req && !ack) write_q <= choice;
      if (ack) begin
        after_write_q <= write;
        error_q       <= err;
        rdata_q       <= rdata;
      end
      bvalid_q <= bvalid_q ? !bready_i : ack && write;
      rvalid_q <= rvalid_q ? !rready_i : ack && !write;
    end
  end

  assign awready_o = ack && write;
  assign wready_o  = ack && write;
  assign arready_o = ack && !write;
  assign bvalid_o  = bvalid_q;
  assign rvalid_o  = rvalid_q;
  assign bresp_o   = error_q ? RespSlverr : RespOkay;
  assign rdata_o   = rdata_q;
  assign rresp_o   = error_q ? RespSlverr : RespOkay;

  logic unused_protection;
  assign unused_protection = ^{awprot_i, arprot_i};

  // The host: valid stays until ready.
  `ASSERT_NEXT(HoldWriteAddress, awvalid_i && !awready_o, awvalid_i)
  `ASSERT_NEXT(HoldWriteData, wvalid_i && !wready_o, wvalid_i)
  `ASSERT_NEXT(HoldReadAddress, arvalid_i && !arready_o, arvalid_i)
  // The front: a response stays until ready, and none comes without a request.
  `ASSERT_NEXT(HoldWriteResponse, bvalid_o && !bready_i, bvalid_o)
  `ASSERT_NEXT(HoldReadData, rvalid_o && !rready_i, rvalid_o)
  `ASSERT_NEXT(WriteResponseAfterWrite, !bvalid_o && !(awvalid_i && awready_o), !bvalid_o)
  `ASSERT_NEXT(ReadDataAfterRead, !rvalid_o && !(arvalid_i && arready_o), !rvalid_o)
  `ASSERT(AddressWithData, awready_o == wready_o)
  `ASSERT(OneResponse, !(bvalid_o && rvalid_o))

endmodule
