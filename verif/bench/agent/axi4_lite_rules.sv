// SPDX-License-Identifier: Apache-2.0
//
// Rules of AXI4-Lite at the port of the front, and the promises of its header. Test benches and
// proofs share them, see loader_rules.
//
// Latency: none.
//
// Source: AMBA AXI and ACE Protocol Specification, ARM IHI 0022, A3.2 and B1.

module axi4_lite_rules #(
  parameter int DataWidth = 32,
  parameter int AddressWidth = 15
) (
  input logic clk_i,
  input logic rst_ni,
  input logic awvalid_i,
  input logic awready_i,
  input logic [AddressWidth-1:0] awaddr_i,
  input logic wvalid_i,
  input logic wready_i,
  input logic [DataWidth-1:0] wdata_i,
  input logic [DataWidth/8-1:0] wstrb_i,
  input logic bvalid_i,
  input logic bready_i,
  input logic [1:0] bresp_i,
  input logic arvalid_i,
  input logic arready_i,
  input logic [AddressWidth-1:0] araddr_i,
  input logic rvalid_i,
  input logic rready_i,
  input logic [DataWidth-1:0] rdata_i,
  input logic [1:0] rresp_i
);

  // Values of the cycle before.
  logic awheld_q, wheld_q, arheld_q, bheld_q, rheld_q;
  logic [AddressWidth-1:0] awaddr_q, araddr_q;
  logic [DataWidth-1:0] wdata_q, rdata_q;
  logic [DataWidth/8-1:0] wstrb_q;
  logic [1:0] bresp_q, rresp_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {awheld_q, wheld_q, arheld_q, bheld_q, rheld_q} <= '0;
      {awaddr_q, araddr_q, wdata_q, rdata_q, wstrb_q, bresp_q, rresp_q} <= '0;
    end else begin
      awheld_q <= awvalid_i && !awready_i;
      wheld_q  <= wvalid_i && !wready_i;
      arheld_q <= arvalid_i && !arready_i;
      bheld_q  <= bvalid_i && !bready_i;
      rheld_q  <= rvalid_i && !rready_i;
      awaddr_q <= awaddr_i;
      araddr_q <= araddr_i;
      wdata_q  <= wdata_i;
      rdata_q  <= rdata_i;
      wstrb_q  <= wstrb_i;
      bresp_q  <= bresp_i;
      rresp_q  <= rresp_i;
    end
  end

  // The host: valid and what it goes with stay until ready.
  `ASSUME(StableWriteAddress, !awheld_q || (awvalid_i && (awaddr_i == awaddr_q)))
  logic same_data;
  assign same_data = (wdata_i == wdata_q) && (wstrb_i == wstrb_q);
  `ASSUME(StableWriteData, !wheld_q || (wvalid_i && same_data))
  `ASSUME(StableReadAddress, !arheld_q || (arvalid_i && (araddr_i == araddr_q)))

  // The front: a response stays until ready, with its code and its data.
  `ASSERT(StableWriteResponse, !bheld_q || (bvalid_i && (bresp_i == bresp_q)))
  logic same_answer;
  assign same_answer = (rresp_i == rresp_q) && (rdata_i == rdata_q);
  `ASSERT(StableReadData, !rheld_q || (rvalid_i && same_answer))
  `ASSERT(Code, !(bvalid_i && bresp_i[0]) && !(rvalid_i && rresp_i[0]))

  // One response for each request, in the cycle after it, and none without a request.
  logic write_open_q, read_open_q, wrote, has_read, write_waits, read_waits, idle;
  logic write_passed_q, read_passed_q, waited_q;
  assign wrote       = awvalid_i && awready_i;
  assign has_read    = arvalid_i && arready_i;
  assign write_waits = awvalid_i && wvalid_i;
  assign read_waits  = arvalid_i;
  assign idle        = !write_open_q && !read_open_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {write_open_q, read_open_q, write_passed_q, read_passed_q, waited_q} <= '0;
    end else begin
      write_open_q <= wrote || (write_open_q && !bready_i);
      read_open_q <= has_read || (read_open_q && !rready_i);
      waited_q <= idle && (write_waits || read_waits) && !wrote && !has_read;
      read_passed_q <= (wrote || read_passed_q) && read_waits && !has_read;
      write_passed_q <= (has_read || write_passed_q) && write_waits && !wrote;
    end
  end

  `ASSERT(WriteResponse, bvalid_i == write_open_q)
  `ASSERT(ReadResponse, rvalid_i == read_open_q)
  logic one_access;
  assign one_access = !(wrote && has_read) && (idle || !(awready_i || wready_i || arready_i));
  `ASSERT(OneAccess, one_access)
  `ASSERT(AddressWithItsData, awready_i == wready_i)
  // The front has seen for one cycle what it accepts, and accepts it in the second cycle.
  `ASSERT(WriteWasThere, !awready_i || (awheld_q && wheld_q))
  `ASSERT(ReadWasThere, !arready_i || arheld_q)
  `ASSERT(AcceptedInTime, !waited_q || wrote || has_read)
  // An access waits for one access of the other kind at most.
  `ASSERT(ReadsGoOn, !(wrote && read_passed_q))
  `ASSERT(WritesGoOn, !(has_read && write_passed_q))


endmodule
