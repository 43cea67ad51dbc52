// SPDX-License-Identifier: Apache-2.0
//
// Rules of the loader bus between a front and its core (hdl/docs/interface.md). Test benches and
// proofs share them: a simulation checks each rule; a proof assumes what the core must do and
// proves the rest.
//
// Latency: none.
//
// Source: none.

module loader_rules #(
  parameter int DataWidth = 32
) (
  input logic clk_i,
  input logic rst_ni,
  input logic req_i,
  input logic write_i,
  input logic [2:0] addr_i,
  input logic [DataWidth-1:0] wdata_i,
  input logic ack_i
);

  logic pending_q, write_q;
  logic [2:0] addr_q;
  logic [DataWidth-1:0] wdata_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pending_q <= 1'b0;
      write_q   <= 1'b0;
      addr_q    <= '0;
      wdata_q   <= '0;
    end else begin
      pending_q <= req_i && !ack_i;
      write_q   <= write_i;
      addr_q    <= addr_i;
      wdata_q   <= wdata_i;
    end
  end

  // The core: acknowledges in the next cycle. It also holds its answer, but a front must not rely
  // on that: an upset can change a word of the result after its acknowledge.
  `ASSUME(CoreAcknowledges, ack_i == pending_q)

  // The front: a transfer stays to its acknowledge.
  logic same;
  assign same = (write_i == write_q) && (addr_i == addr_q) && (!write_i || (wdata_i == wdata_q));
  `ASSERT(HoldTransfer, !pending_q || (req_i && same))

endmodule
