// SPDX-License-Identifier: Apache-2.0
//
// Property: every rule of interface_checks holds in every clock at the pins of the multiplier.
//
// Any sequence of pins: requests of one clock, withdrawn, changed while they wait or while they are
// acknowledged, commands and transfers at any time. Reset at any time. No assumption at all but a
// reset in the first clock.
//
// The induction: what the checks have counted is what the loader has counted, and how an operation
// may end is how the control can end it.

`define SELECT(select) \
  assert (u_checks.gen_select[select].gen_operand.word_q \
          == u_dut.u_loader.gen_select[select].gen_operand.pointer_q); \
  assert (32'(u_checks.gen_select[select].gen_operand.word_q) <= WriteWords); \
  assert (32'(u_checks.gen_select[select].gen_result.word_q) \
          < ((select == SelectXP) ? WriteWords : ReadWords)); \
  assert (u_dut.u_loader.gen_select[select].gen_result.pointer_q \
          == ((u_checks.accept_q && u_checks.result_q[select] && !err) \
              ? (u_checks.gen_select[select].gen_result.last_word \
                 ? '0 : u_checks.gen_select[select].gen_result.word_q + 1'b1) \
              : u_checks.gen_select[select].gen_result.word_q))

module multiplier_pins
  import multiplier_pkg::*;
#(
  parameter int Width = 12,
  parameter int BusWidth = 8,
  parameter int SelWidth = 2,
  parameter int AddWidth = 32,
  parameter int Guard = 2,
  parameter int Binary = 0,
  // Derived, do not set.
  parameter int Rules = 14
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic                req_i,
  input logic                write_i,
  input logic [SelWidth-1:0] sel_i,
  input logic [BusWidth-1:0] wdata_i,
  input logic                wait_i
);

  localparam int WriteWords = (Width + BusWidth - 1) / BusWidth;
  localparam int ReadWords = (Width + Guard + BusWidth - 1) / BusWidth;

  // States of multiplier_control.
  localparam logic [2:0] StIdle = 3'd0;
  localparam logic [2:0] StCheckX = 3'd1;
  localparam logic [2:0] StCheckY = 3'd2;
  localparam logic [2:0] StEnd = 3'd6;

  logic ack, err, busy, done;
  logic [BusWidth-1:0] rdata, expected;
  logic [Rules-1:0] wrong;
  logic begun_q = 1'b0;

  multiplier #(
    .Width   (Width),
    .BusWidth(BusWidth),
    .SelWidth(SelWidth),
    .AddWidth(AddWidth),
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
    .Exponentiation(1'b0),
    .Width         (Width),
    .BusWidth      (BusWidth),
    .SelWidth      (SelWidth),
    .Guard         (Guard),
    .Binary        (Binary != 0)
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

  always_ff @(posedge clk_i) begun_q <= 1'b1;

  for (genvar i = 0; i < Rules; i++) begin : gen_rule
    always_comb if (begun_q) assert (!wrong[i]);
  end

  // For the induction.
  logic [2:0] state;
  logic [3:0] status, outcome;
  logic [2:0] ended;
  assign state   = u_dut.u_unit.u_control.state_q;
  assign status  = u_dut.u_unit.u_control.status_q;
  assign outcome = u_dut.u_unit.u_control.outcome_q;
  assign ended   = (status == StatusOk) ? 3'b001 : (status == StatusRaw) ? 3'b010 : 3'b100;

  always_comb begin
    if (!begun_q) assume (!rst_ni);
    if (begun_q && rst_ni) begin
      `SELECT(0);
      `SELECT(1);
      `SELECT(2);
      assert (u_dut.u_loader.ack_q == u_checks.accept_q);
      assert (u_dut.u_loader.bus_error_q
              == ((u_checks.accept_q && (u_checks.result_q != '0) && err)
                  ? BusErrorNoResult : u_checks.bus_error_q));
      assert (u_dut.u_unit.u_control.mode_q == ModeOperation);
      assert (!u_checks.start_q || busy);
      assert (!busy || u_checks.start_q || u_checks.busy_q);
      assert (u_checks.started_q == (status != StatusIdle));
      assert ((status == StatusBusy) == busy);
      assert (status <= StatusOperandIncomplete);
      // How it may end.
      assert (!u_checks.known_q || (!busy && u_checks.started_q && (u_checks.outcome_q == status)));
      if (busy) begin
        assert (u_checks.incomplete_q
                == ((state == StEnd) && (outcome == StatusOperandIncomplete)));
        assert (!u_checks.incomplete_q || u_checks.start_q);
        assert ((outcome != StatusBusy) && (outcome != StatusIdle));
        assert (outcome <= StatusOperandIncomplete);
        if (!u_checks.incomplete_q) begin
          assert (u_checks.ends_q == {1'b1, u_dut.u_unit.u_control.raw_q, 1'b1});
        end else begin
          assert (u_checks.ends_q == 3'b100);
        end
        if ((state != StEnd) && (state != StCheckX) && (state != StCheckY)) begin
          assert (!u_dut.u_unit.u_control.out_of_range_q || u_dut.u_unit.u_control.raw_q);
        end
        if ((state == StEnd) && (outcome == StatusRaw)) assert (u_dut.u_unit.u_control.raw_q);
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
