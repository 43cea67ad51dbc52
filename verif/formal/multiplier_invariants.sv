// SPDX-License-Identifier: Apache-2.0
//
// Invariants for the induction over a multiplier u_dut with interface_checks u_checks; the property
// module that instantiates this module also instantiates both. The counters of the checks equal
// those of the loader. The ends that the checks expect are those that the control can reach.

`define ADDRESS(address) \
  assert (u_checks.gen_address[address].gen_operand.word_q \
          == u_dut.u_loader.gen_address[address].gen_operand.pointer_q); \
  assert (32'(u_checks.gen_address[address].gen_operand.word_q) <= WriteWords); \
  assert (u_dut.u_loader.gen_address[address].gen_operand.full_q \
          == (32'(u_dut.u_loader.gen_address[address].gen_operand.pointer_q) == WriteWords)); \
  assert (32'(u_checks.gen_address[address].gen_result.word_q) \
          < ((address == AddressXP) ? WriteWords : ReadWords)); \
  assert (u_dut.u_loader.gen_address[address].gen_result.pointer_q \
          == ((u_checks.accept_q && u_checks.result_q[address] && !u_checks.err_i) \
              ? (u_checks.gen_address[address].gen_result.last_word \
                 ? '0 : u_checks.gen_address[address].gen_result.word_q + 1'b1) \
              : u_checks.gen_address[address].gen_result.word_q))

// The control of the unit that the macros choose, and the states in which it checks the operands.
`ifdef STREAM_WORD_WIDTH
`define CONTROL u_dut.gen_ring.u_unit.u_control
`define CHECKS(state) (((state) == 3'd1) || ((state) == 3'd2))
`define ENDS(state) ((state) == 3'd7)
`else
`define CONTROL u_dut.gen_parallel.u_unit.u_control
`define CHECKS(state) ((state) == 3'd1)
`define ENDS(state) ((state) == 3'd5)
`endif  // STREAM_WORD_WIDTH

module multiplier_invariants
  import multiplier_pkg::*;
#(
  parameter int Width = 12,
  parameter int BusWidth = 8,
  parameter int Guard = 2
) (
  input logic check_i
);

  localparam int WriteWords = (Width + BusWidth - 1) / BusWidth;
  localparam int ReadWords = (Width + Guard + BusWidth - 1) / BusWidth;

  logic [2:0] state;
  logic [3:0] status, outcome;
  logic [2:0] ended;
  assign state   = `CONTROL.state_q;
  assign status  = `CONTROL.status_q;
  assign outcome = `CONTROL.outcome_q;
  assign ended   = (status == StatusOk) ? 3'b001 : (status == StatusRaw) ? 3'b010 : 3'b100;

  always_comb begin
    if (check_i) begin
      `ADDRESS(0);
      `ADDRESS(1);
      `ADDRESS(2);
      assert (u_dut.u_loader.ack_q == u_checks.accept_q);
      assert (u_dut.u_loader.bus_error_q
              == ((u_checks.accept_q && (u_checks.result_q != '0) && u_checks.err_i)
                  ? BusErrorNoResult : u_checks.bus_error_q));
`ifndef STREAM_WORD_WIDTH
      assert (state <= 3'd5);
      assert (`CONTROL.busy_q == (state != 3'd0));
`endif  // STREAM_WORD_WIDTH
      assert (!u_checks.start_q || u_checks.busy_i);
      assert (!u_checks.busy_i || u_checks.start_q || u_checks.busy_q);
      assert (u_checks.started_q == (status != StatusIdle));
      assert ((status == StatusBusy) == u_checks.busy_i);
      assert (status <= StatusOperandIncomplete);
      // Possible ends.
      assert (!u_checks.known_q
              || (!u_checks.busy_i && u_checks.started_q && (u_checks.outcome_q == status)));
      if (u_checks.busy_i) begin
        assert (u_checks.incomplete_q == (`ENDS(state) && (outcome == StatusOperandIncomplete)));
        assert (!u_checks.incomplete_q || u_checks.start_q);
        assert ((outcome != StatusBusy) && (outcome != StatusIdle));
        assert (outcome <= StatusOperandIncomplete);
        if (!u_checks.incomplete_q) begin
          assert (u_checks.ends_q == {1'b1, `CONTROL.raw_q, 1'b1});
        end else begin
          assert (u_checks.ends_q == 3'b100);
        end
        if (!`ENDS(state) && !`CHECKS(state)) begin
`ifdef STREAM_WORD_WIDTH
          assert ((outcome == StatusOk) || (`CONTROL.raw_q && (outcome == StatusRaw)));
`else
          assert (!`CONTROL.out_of_range_q || `CONTROL.raw_q);
`endif  // STREAM_WORD_WIDTH
        end
        if (`ENDS(state) && (outcome == StatusRaw)) assert (`CONTROL.raw_q);
      end else begin
        assert ((u_checks.ends_q & ended) != '0);
        assert (u_checks.started_q || !u_checks.incomplete_q);
        if (u_checks.started_q) begin
          assert (u_checks.incomplete_q == (status == StatusOperandIncomplete));
        end
      end
      // A transfer granted at the end of an operation is still acknowledged as such.
      if (u_checks.accept_q && (u_checks.result_q != '0)) assert (!u_checks.busy_i);
      if (u_checks.accept_q && u_checks.status_q && u_checks.ended_q) begin
        assert (!u_checks.busy_i && (u_checks.rdata_i[3:0] == status));
      end
    end
  end

endmodule
