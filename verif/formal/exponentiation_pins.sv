// SPDX-License-Identifier: Apache-2.0
//
// Property: every rule of interface_checks holds in every clock at the pins of the exponentiation core.
//
// Any sequence of pins, as for multiplier_pins, and any multiplier: the units are those of
// verif/formal/multiplier_unit.sv. The assumptions: two units that were started together are ready
// together, which exponent_secrecy shows of a core; a unit that has prepared a modulus says one of the
// statuses that control_progress shows to be all. Reset at any time.

`define OPERAND(select, words) \
  assert (u_checks.gen_select[select].gen_operand.word_q \
          == u_dut.u_loader.gen_select[select].gen_operand.pointer_q); \
  assert (32'(u_checks.gen_select[select].gen_operand.word_q) <= (words))

module exponentiation_pins
  import multiplier_pkg::*;
#(
  parameter int Width = 12,
  parameter int BusWidth = 8,
  parameter int SelWidth = 3,
  parameter int AddWidth = 32,
  parameter int MPrimeWidth = 9,
  parameter int Guard = 2,
  // Derived, do not set.
  parameter int Rules = 14
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic                req_i,
  input logic                write_i,
  input logic [SelWidth-1:0] sel_i,
  input logic [BusWidth-1:0] wdata_i,
  input logic                wait_i,
  // The units
  input logic                ready_i,
  input logic                core_done_i,
  input logic [         3:0] outcome_i,
  input logic [   Width-1:0] result_i,
  input logic [   Width-1:0] m_prime_i
);

  localparam int Words = (Width + BusWidth - 1) / BusWidth;
  localparam int MPrimeWords = (MPrimeWidth + BusWidth - 1) / BusWidth;
  localparam int LengthWords = (15 + BusWidth) / BusWidth;

  logic ack, err, busy, done;
  logic [BusWidth-1:0] rdata, expected;
  logic [Rules-1:0] wrong;
  logic begun_q = 1'b0;

  exponentiation #(
    .Width   (Width),
    .BusWidth(BusWidth),
    .SelWidth(SelWidth),
    .AddWidth(AddWidth),
    .MPrimeWidth(MPrimeWidth),
    .Guard   (Guard)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .req_i,
    .write_i,
    .sel_i,
    .wdata_i,
    .wait_i,
    .ack_o  (ack),
    .err_o  (err),
    .rdata_o(rdata),
    .busy_o (busy),
    .done_o (done)
  );

  interface_checks #(
    .Exponentiation(1'b1),
    .Width         (Width),
    .BusWidth      (BusWidth),
    .SelWidth      (SelWidth),
    .Guard         (Guard),
    .MPrimeWidth   (MPrimeWidth)
  ) u_checks (
    .clk_i,
    .rst_ni,
    .req_i,
    .write_i,
    .sel_i,
    .wdata_i,
    .wait_i,
    .ack_i     (ack),
    .err_i     (err),
    .rdata_i   (rdata),
    .busy_i    (busy),
    .done_i    (done),
    .wrong_o   (wrong),
    .expected_o(expected)
  );

  // Any kind of core, the same in every clock.
  logic chainable_q;
  logic [15:0] radix_bits_q;

  always_ff @(posedge clk_i) begin
    begun_q      <= 1'b1;
    chainable_q  <= chainable_q;
    radix_bits_q <= radix_bits_q;
  end

  for (genvar i = 0; i < Rules; i++) begin : gen_rule
    always_comb if (begun_q) assert (!wrong[i]);
  end

  // For the induction.
  logic [3:0] state, status, outcome, prepared;
  logic [2:0] ended;
  logic [15:0] index, squarings;
  logic issue, second, a_running, s_running;
  assign index = u_dut.u_control.index_q;
  assign squarings = 16'(u_dut.u_control.squarings);
  assign issue = u_dut.u_control.issue_q;
  assign second = u_dut.u_control.second_q;
  assign a_running = u_dut.u_unit_a.running_q;
  assign s_running = u_dut.u_unit_s.running_q;
  assign state    = u_dut.u_control.state_q;
  assign status   = u_dut.u_control.status_q;
  assign outcome  = u_dut.u_control.outcome_q;
  assign prepared = u_dut.u_unit_a.status_q;
  assign ended    = (status == StatusOk) ? 3'b001 : 3'b100;

  always_comb begin
    if (!begun_q) assume (!rst_ni);
    assume (!chainable_q || (radix_bits_q != '0));
    assume ((outcome_i == StatusOk) || (outcome_i == StatusModulusZeroOrOne)
            || (outcome_i == StatusModulusEven) || (outcome_i == StatusOperandRange));
    if (begun_q && rst_ni) begin
      `OPERAND(0, Words);
      `OPERAND(1, Words);
      `OPERAND(2, Words);
      `OPERAND(4, Words);
      `OPERAND(5, MPrimeWords);
      `OPERAND(6, LengthWords);
      assert (32'(u_checks.gen_select[0].gen_result.word_q) < Words);
      assert (u_dut.u_loader.gen_select[0].gen_result.pointer_q
              == ((u_checks.accept_q && u_checks.result_q[0] && !err)
                  ? (u_checks.gen_select[0].gen_result.last_word
                     ? '0 : u_checks.gen_select[0].gen_result.word_q + 1'b1)
                  : u_checks.gen_select[0].gen_result.word_q));
      assert (u_dut.u_loader.ack_q == u_checks.accept_q);
      assert (u_dut.u_loader.bus_error_q
              == ((u_checks.accept_q && (u_checks.result_q != '0) && err)
                  ? BusErrorNoResult : u_checks.bus_error_q));
      assert (!u_checks.start_q || busy);
      assert (!busy || u_checks.start_q || u_checks.busy_q);
      assert (!u_dut.u_loader.zeroise_q || !busy);
      assert (u_checks.started_q == (status != StatusIdle));
      assert ((status == StatusBusy) == busy);
      assert ((status != StatusRaw) && (status <= StatusConstantInconsistent));
      // A unit works just where it was asked to.
      assert (state <= PowerEnd);
      assert (a_running == (!issue && ((state == PowerEntry) || (state == PowerLoop)
                                       || (state == PowerCheckConstant) || (state == PowerExit)
                                       || ((state == PowerPrepare) && !second))));
      assert (s_running == (!issue && ((state == PowerEntry) || (state == PowerLoop)
                                       || ((state == PowerSquare) && (index != squarings))
                                       || ((state == PowerPrepare) && !second))));
      if ((state == PowerPrepare) || (state == PowerSeed)) assert (index == '0);
      if (state == PowerSquare) assert ((index <= squarings) && (squarings != '0));
      if (state == PowerPrepare) begin
        assert (!issue || !second);
        if (!issue) assert (u_dut.u_unit_a.prepare_q);
        if (second) begin
          assert ((prepared == StatusOk) || (prepared == StatusModulusZeroOrOne)
                  || (prepared == StatusModulusEven) || (prepared == StatusOperandRange));
        end
      end
      // How it may end.
      assert (!u_checks.known_q || (!busy && u_checks.started_q && (u_checks.outcome_q == status)));
      if (busy) begin
        assert (u_checks.incomplete_q
                == ((state == PowerEnd) && (outcome == StatusOperandIncomplete)));
        assert (!u_checks.incomplete_q || u_checks.start_q);
        assert ((outcome == StatusOk) || (outcome > StatusRaw));
        assert (outcome <= StatusConstantInconsistent);
        assert (u_checks.ends_q == (u_checks.incomplete_q ? 3'b100 : 3'b101));
        if (state != PowerEnd) begin
          assert ((outcome == StatusOk) || (outcome == StatusConstantInconsistent));
        end
      end else begin
        assert ((u_checks.ends_q & ended) != '0);
        assert (u_checks.started_q || !u_checks.incomplete_q);
        if (u_checks.started_q) begin
          assert (u_checks.incomplete_q == (status == StatusOperandIncomplete));
        end
      end
      // A transfer that met the end of an operation still does while it is acknowledged.
      if (u_checks.accept_q && (u_checks.result_q != '0)) assert (!busy);
      if (u_checks.accept_q && u_checks.status_q && u_checks.ended_q) begin
        assert (!busy && (rdata[3:0] == status));
      end
    end
  end

endmodule
