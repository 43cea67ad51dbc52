// SPDX-License-Identifier: Apache-2.0
//
// Rules of Wishbone B4 at the port of the front, and the promises of its header. Test benches and
// proofs share them, see loader_rules.
//
// Latency: none.
//
// Source: Wishbone B4 specification, OpenCores 2010, rules 3.20 to 3.60.

module wishbone_rules #(
  parameter int DataWidth = 32,
  parameter int AddressWidth = 15
) (
  input logic clk_i,
  input logic rst_ni,
  input logic cyc_i,
  input logic stb_i,
  input logic we_i,
  input logic [AddressWidth-1:0] adr_i,
  input logic [DataWidth-1:0] dat_i,
  input logic [DataWidth/8-1:0] sel_i,
  input logic ack_i,
  input logic err_i,
  input logic stall_i
);

  logic open_q, write_q;
  logic [AddressWidth-1:0] adr_q;
  logic [DataWidth-1:0] dat_q;
  logic [DataWidth/8-1:0] sel_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {open_q, write_q, adr_q, dat_q, sel_q} <= '0;
    end else begin
      open_q  <= cyc_i && stb_i && !ack_i && !err_i;
      write_q <= we_i;
      adr_q   <= adr_i;
      dat_q   <= dat_i;
      sel_q   <= sel_i;
    end
  end

  // The host: a request stays the same until its response.
  logic same;
  assign same = (we_i == write_q) && (adr_i == adr_q) && (sel_i == sel_q)
      && (!we_i || (dat_i == dat_q));
  `ASSUME(StableRequest, !open_q || (cyc_i && stb_i && same))

  // The front: the response to each request comes in its second cycle, and no other one comes.
  `ASSERT(Response, (ack_i || err_i) == open_q)
  `ASSERT(OneKind, !(ack_i && err_i))
  // A pipelined host keeps a request while it stalls, so the front stalls up to the response.
  `ASSERT(Stall, stall_i == (cyc_i && !ack_i && !err_i))

endmodule
