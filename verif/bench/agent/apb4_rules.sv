// SPDX-License-Identifier: Apache-2.0
//
// Rules of APB4 at the port of the front, and the promises of its header. Test benches and proofs
// share them, see loader_rules.
//
// Latency: none.
//
// Source: AMBA APB Protocol Specification, ARM IHI 0024C, chapters 3 and 4.

module apb4_rules #(
  parameter int DataWidth = 32,
  parameter int AddressWidth = 15
) (
  input logic clk_i,
  input logic rst_ni,
  input logic psel_i,
  input logic penable_i,
  input logic pwrite_i,
  input logic [AddressWidth-1:0] paddr_i,
  input logic [DataWidth-1:0] pwdata_i,
  input logic [DataWidth/8-1:0] pstrb_i,
  input logic pready_i,
  input logic pslverr_i
);

  logic open_q, write_q;
  logic [AddressWidth-1:0] addr_q;
  logic [DataWidth-1:0] wdata_q;
  logic [DataWidth/8-1:0] strb_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {open_q, write_q, addr_q, wdata_q, strb_q} <= '0;
    end else begin
      open_q  <= psel_i && !(penable_i && pready_i);
      write_q <= pwrite_i;
      addr_q  <= paddr_i;
      wdata_q <= pwdata_i;
      strb_q  <= pstrb_i;
    end
  end

  // The host: one setup phase, then the access phase to the response; the access stays the same.
  `ASSUME(SetupFirst, open_q || !(psel_i && penable_i))
  `ASSUME(AccessNext, !open_q || (psel_i && penable_i))
  logic same;
  assign same = (pwrite_i == write_q) && (paddr_i == addr_q) && (pstrb_i == strb_q)
      && (!pwrite_i || (pwdata_i == wdata_q));
  `ASSUME(StableAccess, !open_q || same)

  // The front: the response comes in the first cycle of each access phase, and in no other cycle.
  `ASSERT(Response, pready_i == open_q)
  `ASSERT(ErrorInResponse, !pslverr_i || (psel_i && penable_i && pready_i))

endmodule
