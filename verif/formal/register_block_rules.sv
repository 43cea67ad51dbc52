// SPDX-License-Identifier: Apache-2.0
//
// Property: what the memory map of a front does with each access, whatever the adapter asks for.
//
//   an access that the front rejects reaches no core; it changes no enable, no pass over a window
//     and no event but Error, and Status then has its reason
//   the words that a core accepts at an address come in a pass from word 0 upwards by one, to the
//     last word; words of another window come after a pass alone
//   the event of a rejection is set, and the pin follows the enabled events
//
// The adapter holds an access to the end of its response. Reset at any time.

module register_block_rules
  import multiplier_pkg::*;
  import front_pkg::*;
#(
  parameter int Width = 70,
  parameter int BusWidth = 32,
  parameter int Operation = 1
) (
  input logic clk_i,
  input logic rst_ni,
  input logic req_i,
  input logic write_i,
  input logic [FrontAddressWidth-1:0] addr_i,
  input logic [BusWidth-1:0] wdata_i,
  input logic full_i,
  input logic core_err_i,
  input logic [BusWidth-1:0] core_rdata_i,
  input logic core_done_i
);

  localparam int Lanes = $clog2(BusWidth / 8);
  localparam int Words = (Width + BusWidth - 1) / BusWidth;

  logic ack, err, irq, core_req, core_write, core_ack;
  logic [2:0] core_addr;
  logic [BusWidth-1:0] rdata, core_wdata;

  // The core acknowledges in the cycle after a request.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) core_ack <= 1'b0;
    else core_ack <= core_req && !core_ack;
  end

  register_block #(
    .DataWidth(BusWidth),
    .Operation(Operation),
    .Width(Width)
  ) u_block (
    .clk_i,
    .rst_ni,
    .req_i,
    .write_i,
    .addr_i,
    .wdata_i,
    .full_i,
    .ack_o(ack),
    .err_o(err),
    .rdata_o(rdata),
    .irq_o(irq),
    .core_req_o(core_req),
    .core_write_o(core_write),
    .core_addr_o(core_addr),
    .core_wdata_o(core_wdata),
    .core_ack_i(core_ack),
    .core_err_i,
    .core_rdata_i,
    .core_done_i
  );

  // A core may reject without a reason.
  logic core_rejected_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) core_rejected_q <= 1'b0;
    else core_rejected_q <= core_ack && core_err_i;
  end

  // The access of the cycle before, and the pass as the host counts it.
  logic begun_q = 1'b0;
  logic open_q, write_q, full_q, rejected_q;
  logic [FrontAddressWidth-1:0] addr_q;
  logic [BusWidth-1:0] wdata_q;
  logic [11:0] pass_q, index;
  logic [3:0] page_q;
  logic [1:0] enable_q;
  logic in_window, command, ends;

  assign in_window = addr_i[FrontAddressWidth-1:WindowBits] != '0;
  assign index = 12'(addr_i[WindowBits-1:Lanes]);
  assign command = core_ack && !core_err_i && write_i && !in_window
                && (core_addr == 3'(AddressControl));
  // The operand m' is the only one that is not as long as a result.
  assign ends = (addr_i[FrontAddressWidth-1:WindowBits] == 3'd6) ? (index == 0)
                                                                  : (index == 12'(Words - 1));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {open_q, write_q, full_q, rejected_q, addr_q, wdata_q} <= '0;
      {pass_q, page_q, enable_q} <= '0;
    end else begin
      open_q     <= req_i && !ack;
      write_q    <= write_i;
      full_q     <= full_i;
      addr_q     <= addr_i;
      wdata_q    <= wdata_i;
      rejected_q <= ack && err;
      enable_q   <= u_block.enable_q;
      if (command) pass_q <= '0;
      if (core_ack && !core_err_i && in_window) begin
        pass_q <= ends ? '0 : index + 1'b1;
        page_q <= {write_i, addr_i[FrontAddressWidth-1:WindowBits]};
      end
    end
  end

  always @(posedge clk_i) begin
    begun_q <= 1'b1;
    if (!begun_q) assume (!rst_ni);
    if (rst_ni) begin
      // The adapter holds an access.
      assume (!open_q || (req_i && (write_i == write_q) && (addr_i == addr_q)
                          && (full_i == full_q) && (wdata_i == wdata_q)));
      assert (ack == open_q);
      // A request of the core: a whole word at an aligned address, in the order of the pass.
      if (core_req && !ack) begin
        assert (addr_i[Lanes-1:0] == '0);
        assert (!write_i || full_i);
        if (in_window) begin
          assert (core_addr == addr_i[FrontAddressWidth-1:WindowBits] - 3'd1);
          assert (index == pass_q);
          assert ((pass_q == 0) || (page_q == {write_i, addr_i[FrontAddressWidth-1:WindowBits]}));
          assert (index < 12'(Words));
        end
      end
      // An access without a request of the core that is rejected changes nothing else.
      if (ack && !core_ack && err) assert (!write_i || !core_req || !u_block.forward);
      if (rejected_q) begin
        assert (u_block.enable_q == enable_q);
        assert (u_block.state_q[EventError]);
        assert (u_block.reason_q != BusErrorNone || core_rejected_q);
      end
      assert (irq == |(u_block.state_q & u_block.enable_q));
      // For the induction: the block counts as the host does.
      assert (12'(u_block.next_q) == pass_q);
      assert ((pass_q == 0) || (page_q == {u_block.write_q, 3'(u_block.window_q + 3'd1)}));
      assert (u_block.local_q || !ack || core_ack);
      assert (!core_ack || (ack && !u_block.local_q));
    end
  end

endmodule
