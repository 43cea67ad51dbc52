// SPDX-License-Identifier: Apache-2.0
//
// Property: nothing but the result tells the exponent.
//
//   Two exponentiation cores on whole operands (exponentiation_parallel; in the design the core
//   that they have here has another one, on words) are given the same transfers, but for the words
//   of the exponent, which may differ in every bit. In every clock both show the same ack_o, err_o,
//   busy_o and done_o, so that the time depends on no exponent bit, and the same rdata_o, unless
//   the transfer was a read of the result.
//
// The assumptions: both exponents are below 2**Length or both are not (the status tells); the host
// does not supply R**2, whose check multiplies in unit A; the host keeps a request until its
// acknowledge. Any sequence of transfers, of any number of operations and keys; reset at any time.
//
// The induction: registers of both cores are equal but for those of the exponent and for data of
// unit A, which computes the result.

`define SAME(register) assert (gen_copy[0].u_core.register == gen_copy[1].u_core.register)
`define BOTH(register) \
  assert (gen_copy[0].u_core.u_unit_a.register == gen_copy[0].u_core.u_unit_s.register)
`define RESTING(unit) \
  assert (!gen_copy[0].u_core.unit.u_control.field_q); \
  assert (!gen_copy[0].u_core.unit.u_adder.full_q); \
  assert (gen_copy[0].u_core.unit.u_adder.state_q != AddAlign); \
  assert ((gen_copy[0].u_core.unit.u_control.state_q == StCore) \
          == (gen_copy[0].u_core.unit.u_core.u_core.u_iterations.u_control.state_q \
              != StateStarting)); \
  if ((gen_copy[0].u_core.unit.u_control.state_q != StCheckX) \
   && (gen_copy[0].u_core.unit.u_control.state_q != StCheckY)) \
    assert ((gen_copy[0].u_core.unit.u_control.state_q == StAdd) \
            == (gen_copy[0].u_core.unit.u_adder.state_q != AddIdle))
`define SAME_OPERAND(select) \
  `SAME(u_loader.u_registers.gen_select[select].gen_operand.value_q); \
  `SAME(u_loader.u_bus.gen_select[select].gen_operand.full_q); \
  `SAME(u_loader.u_bus.gen_select[select].gen_operand.write_q); \
  if (gen_copy[0].u_core.u_loader.u_bus.gen_select[select].gen_operand.write_q) \
    `SAME(u_loader.u_bus.data_q); \
  `SAME(u_loader.u_bus.gen_select[select].gen_operand.pointer_q); \
  `SAME(u_loader.u_bus.gen_select[select].gen_operand.overwide_q); \
  `SAME(u_loader.u_bus.gen_select[select].gen_operand.written_q)
`define SAME_CONTROL(unit) \
  `SAME(unit.u_control.state_q); \
  `SAME(unit.u_control.mode_q); \
  `SAME(unit.u_control.field_q); \
  `SAME(unit.u_control.constants_field_q); \
  `SAME(unit.u_control.step_q); \
  `SAME(unit.u_control.status_q); \
  `SAME(unit.u_control.outcome_q); \
  `SAME(unit.u_control.issue_q); \
  `SAME(unit.u_control.raw_q); \
  `SAME(unit.u_control.out_of_range_q); \
  `SAME(unit.u_control.overwide_q); \
  `SAME(unit.u_control.constants_valid_q); \
  `SAME(unit.u_core.u_core.u_iterations.u_control.state_q); \
  `SAME(unit.u_core.u_core.u_iterations.u_control.count_q); \
  `SAME(unit.u_adder.state_q); \
  `SAME(unit.u_adder.shift_q); \
  `SAME(unit.u_adder.index_q); \
  `SAME(unit.u_adder.reduce_q); \
  `SAME(unit.u_adder.full_q); \
  `SAME(unit.u_adder.first_q); \
  `SAME(unit.u_adder.above_one_q); \
  `SAME(unit.u_adder.modulus_q); \
  `SAME(unit.u_inverse.running_q); \
  `SAME(unit.u_inverse.done_q); \
  `SAME(unit.u_inverse.index_q)

module exponent_secrecy
  import multiplier_pkg::*;
#(
  parameter int Width = 8,
  parameter int BusWidth = 8,
  parameter int SelWidth = 3,
  parameter int AddWidth = 8,
  parameter int MPrimeWidth = 1,
  parameter int Guard = 2
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic                req_i,
  input logic                write_i,
  input logic [SelWidth-1:0] sel_i,
  input logic [BusWidth-1:0] wdata_i,
  input logic [BusWidth-1:0] other_i,
  input logic                wait_i
);

  // States of multiplier_control.
  localparam logic [2:0] StIdle = 3'd0;
  localparam logic [2:0] StCheckX = 3'd1;
  localparam logic [2:0] StCheckY = 3'd2;
  localparam logic [2:0] StAdd = 3'd4;
  localparam logic [2:0] StCore = 3'd5;
  localparam logic [2:0] StInverse = 3'd7;
  // States of word_serial_modular_adder.
  localparam logic [2:0] AddIdle = 3'd0;
  localparam logic [2:0] AddAlign = 3'd1;
  localparam logic [2:0] AddPass = 3'd2;
  localparam logic [2:0] AddDone = 3'd4;

  logic is_exponent, begun_q, reset_q, req_q, write_q, result_q;
  logic [SelWidth-1:0] sel_q;
  logic [BusWidth-1:0] wdata_q, other_q;
  logic [1:0] ack, err, busy, done;
  logic [1:0][BusWidth-1:0] rdata;

  initial begun_q = 1'b0;
  assign is_exponent = (sel_i == SelWidth'(ExponentiationSelectExponent));

  for (genvar i = 0; i < 2; i++) begin : gen_copy
    exponentiation_parallel #(
      .Width      (Width),
      .BusWidth   (BusWidth),
      .SelWidth   (SelWidth),
      .AddWidth   (AddWidth),
      .MPrimeWidth(MPrimeWidth),
      .Guard      (Guard)
    ) u_core (
      .clk_i,
      .rst_ni,
      .req_i,
      .write_i,
      .sel_i,
      .wdata_i(((i == 1) && is_exponent) ? other_i : wdata_i),
      .wait_i,
      .ack_o  (ack[i]),
      .err_o  (err[i]),
      .rdata_o(rdata[i]),
      .busy_o (busy[i]),
      .done_o (done[i])
    );
  end

  // Of one copy; the other one is shown to be in the same states.
  logic [3:0] power_state;
  logic [2:0] unit_a_state, unit_s_state, adder_a_state;
  logic working;  // a unit is
  assign power_state = gen_copy[0].u_core.u_control.state_q;
  assign unit_a_state = gen_copy[0].u_core.u_unit_a.u_control.state_q;
  assign unit_s_state = gen_copy[0].u_core.u_unit_s.u_control.state_q;
  assign adder_a_state = gen_copy[0].u_core.u_unit_a.u_adder.state_q;
  assign working = !gen_copy[0].u_core.u_control.issue_q && (power_state != PowerIdle)
                && (power_state != PowerSeed) && (power_state != PowerEnd)
                && !gen_copy[0].u_core.u_control.second_q;

  // The word that rdata_o holds is one of the result.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      result_q <= 1'b0;
    end else if (req_i && !ack[0] && !wait_i) begin
      result_q <= !write_i && (sel_i == SelWidth'(ExponentiationSelectDataResult));
    end
  end

  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    reset_q <= rst_ni;
    req_q   <= req_i;
    write_q <= write_i;
    sel_q   <= sel_i;
    wdata_q <= wdata_i;
    other_q <= other_i;
  end

  always_comb begin
    if (!begun_q) assume (!rst_ni);
    if (begun_q && reset_q && req_q && !ack[0]) begin
      assume (req_i && (write_i == write_q) && (sel_i == sel_q) && (wdata_i == wdata_q)
              && (other_i == other_q));
    end
    assume (!(req_i && write_i && (sel_i == SelWidth'(ExponentiationSelectRSquared))));
    assume (gen_copy[0].u_core.exponent_legal == gen_copy[1].u_core.exponent_legal);

    if (begun_q && rst_ni) begin
      assert (ack[0] == ack[1]);
      assert (err[0] == err[1]);
      assert (busy[0] == busy[1]);
      assert (done[0] == done[1]);
      assert (result_q || (rdata[0] == rdata[1]));

      // Loader.
      `SAME(u_loader.u_bus.ack_q);
      `SAME(u_loader.u_bus.err_q);
      `SAME(u_loader.u_bus.bus_error_q);
      `SAME(u_loader.u_bus.zeroise_q);
      `SAME(u_loader.u_bus.fetched_q);
      assert (!gen_copy[0].u_core.u_loader.u_bus.fetched_q || result_q);
      `SAME(u_loader.u_bus.rdata_q);
      `SAME_OPERAND(0);
      `SAME(u_loader.u_bus.write_index_q);
      `SAME(u_loader.u_bus.gen_select[1].gen_operand.pointer_q);
      `SAME(u_loader.u_bus.gen_select[1].gen_operand.full_q);
      `SAME(u_loader.u_bus.gen_select[1].gen_operand.write_q);
      `SAME(u_loader.u_bus.gen_select[1].gen_operand.written_q);
      `SAME_OPERAND(2);
      `SAME_OPERAND(4);
      `SAME_OPERAND(5);
      `SAME_OPERAND(6);
      `SAME(u_loader.u_bus.gen_select[0].gen_result.pointer_q);
      // Control of the exponentiation, and R**2.
      `SAME(length_set_q);
      `SAME(m_prime_supplied_q);
      `SAME(overwide_q);
      `SAME(u_control.state_q);
      `SAME(u_control.status_q);
      `SAME(u_control.outcome_q);
      `SAME(u_control.issue_q);
      `SAME(u_control.second_q);
      `SAME(u_control.index_q);
      `SAME(u_control.length_q);
      `SAME(u_control.supplied_q);
      `SAME(u_control.r_squared_valid_q);
      `SAME(r_squared_q);
      `SAME(u_power.state_q);
      `SAME(u_power.left_q);
      `SAME(u_power.first_q);
      `SAME(u_power.u_adder.state_q);
      `SAME(u_power.u_adder.shift_q);
      `SAME(u_power.u_adder.index_q);
      `SAME(u_power.u_adder.reduce_q);
      `SAME(u_power.u_adder.full_q);
      `SAME(u_power.u_adder.first_q);
      `SAME(u_power.u_adder.carry_q);
      `SAME(u_power.u_adder.borrow_q);
      `SAME(u_power.u_adder.modulus_q);
      `SAME(u_power.u_adder.value_q);
      `SAME(u_power.u_adder.difference_q);
      // Units: all of S, the control of A.
      `SAME_CONTROL(u_unit_a);
      `SAME_CONTROL(u_unit_s);
      `SAME(u_unit_s.keep_q);
      `SAME(u_unit_s.product_q);
      `SAME(u_unit_s.u_core.x_q);
      `SAME(u_unit_s.u_core.u_core.u_iterations.s_q);
      `SAME(u_unit_s.u_core.u_core.u_iterations.c_q);
      `SAME(u_unit_s.u_adder.carry_q);
      `SAME(u_unit_s.u_adder.borrow_q);
      `SAME(u_unit_s.u_adder.subtracted_q);
      `SAME(u_unit_s.u_adder.value_q);
      `SAME(u_unit_s.u_adder.difference_q);
      // The units' controls and their adders.
      assert (unit_a_state != StInverse);
      assert (adder_a_state <= AddDone);
      if ((unit_a_state == StCheckX) || (unit_a_state == StCheckY)) begin
        assert (gen_copy[0].u_core.u_unit_a.u_control.mode_q == ModePrepare);
        assert (gen_copy[0].u_core.u_unit_a.u_control.issue_q == (adder_a_state == AddIdle));
        // A's operands are compared with M before there is anything of the exponent in them.
        if (adder_a_state != AddIdle) begin
          assert (!gen_copy[0].u_core.u_unit_a.u_adder.full_q);
          assert ((adder_a_state != AddPass) || gen_copy[0].u_core.u_unit_a.u_adder.first_q);
          `SAME(u_unit_a.u_adder.carry_q);
          `SAME(u_unit_a.u_adder.borrow_q);
          `SAME(u_unit_a.u_adder.subtracted_q);
        end
      end else begin
        assert ((adder_a_state != AddIdle) == (unit_a_state == StAdd));
      end
      assert (!gen_copy[0].u_core.u_control.second_q || (power_state == PowerPrepare));
      assert (power_state <= PowerEnd);
      // A unit that is not asked for anything is idle, with all that belongs to it.
      assert ((unit_a_state != StIdle) == (working && (power_state != PowerSquare)));
      assert ((unit_s_state != StIdle) == (working && (power_state != PowerExit)));
      `RESTING(u_unit_a);
      `RESTING(u_unit_s);
      // Both do the same where both are asked.
      if (working && (power_state != PowerSquare) && (power_state != PowerExit)) begin
        `BOTH(u_control.state_q);
        `BOTH(u_control.mode_q);
        `BOTH(u_control.step_q);
        `BOTH(u_control.issue_q);
        `BOTH(u_control.raw_q);
        `BOTH(u_control.out_of_range_q);
        `BOTH(u_control.overwide_q);
        `BOTH(u_core.u_core.u_iterations.u_control.state_q);
        `BOTH(u_adder.state_q);
        if (unit_a_state == StCore) `BOTH(u_core.u_core.u_iterations.u_control.count_q);
        if (adder_a_state != AddIdle) `BOTH(u_adder.index_q);
      end
      if (working) begin
        if (power_state != PowerSquare) begin
          assert (gen_copy[0].u_core.u_unit_a.u_control.mode_q
                  == ((power_state == PowerPrepare) ? ModePrepare : ModeProduct));
        end
        if (power_state != PowerExit) begin
          assert (gen_copy[0].u_core.u_unit_s.u_control.mode_q
                  == ((power_state == PowerPrepare) ? ModePrepare : ModeProduct));
        end
      end
      if (working && (power_state == PowerPrepare)) begin
        // There are no constants of M, the run is the first step.
        assert ((unit_a_state != StAdd) && (unit_a_state != StCore));
        assert (gen_copy[0].u_core.u_unit_a.u_control.step_q == '0);
        if (adder_a_state != AddIdle) begin
          `BOTH(u_adder.reduce_q);
          `BOTH(u_adder.first_q);
          `BOTH(u_adder.carry_q);
          `BOTH(u_adder.borrow_q);
          `BOTH(u_adder.subtracted_q);
          `BOTH(u_adder.above_one_q);
          `BOTH(u_adder.modulus_q);
        end
      end
      // Without a supplied R**2 there is no check of one.
      assert (gen_copy[0].u_core.u_control.state_q != PowerCheckConstant);
      assert (!gen_copy[0].u_core.u_control.supplied_q);
      assert (!gen_copy[0].u_core.u_loader.u_bus.gen_select[4].gen_operand.written_q);
    end
  end

endmodule
