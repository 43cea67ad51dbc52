// SPDX-License-Identifier: Apache-2.0
//
// Invariants for the induction over an exponentiation core u_dut with interface_checks u_checks;
// the property module that instantiates this module also instantiates both. The counters of the
// checks equal those of the loader. The ends that the checks expect are those that the control can
// reach.

`define OPERAND(address, words) \
  assert (u_checks.gen_address[address].gen_operand.word_q \
          == u_dut.u_host.u_loader.gen_address[address].gen_operand.pointer_q); \
  assert (32'(u_checks.gen_address[address].gen_operand.word_q) <= (words)); \
  assert (u_dut.u_host.u_loader.gen_address[address].gen_operand.full_q \
          == (32'(u_dut.u_host.u_loader.gen_address[address].gen_operand.pointer_q) == (words)))

module exponentiation_invariants
  import multiplier_pkg::*;
#(
  parameter int Width = 12,
  parameter int BusWidth = 8,
  parameter int MPrimeWidth = 9
) (
  input logic check_i
);

  localparam int Words = (Width + BusWidth - 1) / BusWidth;
  localparam int MPrimeWords = (MPrimeWidth + BusWidth - 1) / BusWidth;
  localparam int LengthWords = (15 + BusWidth) / BusWidth;

  logic [3:0] state, step, status, outcome;
  logic judged;  // the operands are checked
  logic [2:0] ended;
  assign state = u_dut.u_control.state_q;
  assign status = u_dut.u_control.status_q;
  assign outcome = u_dut.u_control.outcome_q;
  assign step = u_dut.u_control.step_q;
  assign judged  = (state != ExpPrepare)
                || ((step != ExpStepLoad) && (step != ExpStepCheck) && (step != ExpStepJudge));
  assign ended = (status == StatusOk) ? 3'b001 : 3'b100;

  always_comb begin
    if (check_i) begin
      `OPERAND(0, Words);
      `OPERAND(1, Words);
      `OPERAND(2, Words);
      `OPERAND(4, Words);
      `OPERAND(5, MPrimeWords);
      `OPERAND(6, LengthWords);
      assert (32'(u_checks.gen_address[0].gen_result.word_q) < Words);
      assert (u_dut.u_host.u_loader.gen_address[0].gen_result.pointer_q
              == ((u_checks.accept_q && u_checks.result_q[0] && !u_checks.err_i)
                  ? (u_checks.gen_address[0].gen_result.last_word
                     ? '0 : u_checks.gen_address[0].gen_result.word_q + 1'b1)
                  : u_checks.gen_address[0].gen_result.word_q));
      assert (u_dut.u_host.u_loader.ack_q == u_checks.accept_q);
      assert (u_dut.u_host.u_loader.bus_error_q
              == ((u_checks.accept_q && (u_checks.result_q != '0) && u_checks.err_i)
                  ? BusErrorNoResult : u_checks.bus_error_q));
      assert (!u_checks.start_q || u_checks.busy_i);
      assert (!u_checks.busy_i || u_checks.start_q || u_checks.busy_q);
      assert (!u_dut.u_host.u_loader.zeroise_q || !u_checks.busy_i);
      assert (u_checks.started_q == (status != StatusIdle));
      assert ((status == StatusBusy) == u_checks.busy_i);
      assert ((status != StatusRaw) && (status <= StatusIncoherent));
      assert (state <= ExpEnd);
      // Possible ends.
      assert (!u_checks.known_q
              || (!u_checks.busy_i && u_checks.started_q && (u_checks.outcome_q == status)));
      if (u_checks.busy_i) begin
        assert (u_checks.incomplete_q
                == ((state == ExpEnd) && (outcome == StatusOperandIncomplete)));
        assert (!u_checks.incomplete_q || u_checks.start_q);
        assert ((outcome == StatusOk) || (outcome > StatusRaw));
        assert (outcome <= StatusIncoherent);
        assert (u_checks.ends_q == (u_checks.incomplete_q ? 3'b100 : 3'b101));
        if (judged && (state != ExpEnd)) begin
          assert ((outcome == StatusOk) || (outcome == StatusConstantInconsistent));
        end
        if (!judged) assert (outcome == StatusExponentRange);
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
