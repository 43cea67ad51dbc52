// SPDX-License-Identifier: Apache-2.0
//
// Control of a multiplier with a ring core. It loads the operands into words of the ring and checks
// them, starts the computation of the constant, the product and its residue, and keeps the status.
//
//   load and check -> judge -> (constant) -> product -> (reduction) -> result -> end
//
// Without a scale (see ring_unit) the constant is m', and the adder compares the words of the
// product with M as they arrive. With a scale, both the constant and the residue are Montgomery
// reductions by the scale: a product without its last digits, u = -S/M from the low bits of the
// product (inverse), u*M as a product with the digits of the scale, and the final subtraction.
//
//   state     ends with         outputs that are high
//   Idle      start_i           -
//   Load      load_last_i       load_o: words of X, Y and M move to the ring's memories
//   Judge     at once           inverse_start_o, if the constant is not known
//   Inverse   inverse_done_i    -
//   Core      see kind_o        core_o; core_start_o in the first cycle of each product;
//                               inverse_start_o at the end of Short
//   Subtract  add_done_i        subtract_o: the residue minus M
//   Result    result_last_i     result_o: S and P become words of the bus
//   End       at once           -
//
//   kind_o            product                               ends with      next state
//   Single, Binary    S = X*Y; without a scale also P       add_done_i     Result
//     with a scale                                          core_done_i    Core, Short
//   Short             S without its last digits             split_last_i   Inverse
//   Scale             u*M, added to S above the scale       add_done_i     Subtract; Judge: it was
//                                                                          for the constant Mhat
//
// split_last_i: the last word of S above the scale has come.
// constant_o: the operation computes the constant (m', or u and Mhat) first. The constant stays
// valid until a word of M is written (m_written_i), and only for its own field. Binary: the core
// has two fields; field_i, field_o: the operands are polynomials over GF(2).
// running_o: high in each state but Idle. Without it the unit holds in reset what computes, so that
// each operation begins in the same state.
// raw_i, incomplete_i, overwide_i: of the start, see operand_loader (overwide_i: any operand). A
// raw operation continues if X >= M or Y >= M and ends with StatusRaw; its P is unused.
// x_below_i, y_below_i, above_one_i, odd_i: see ring_unit_operands.
// Watchdog: an operation that lasts for LimitCycles cycles, or that lost its state while the status
// is Busy, ends with StatusUpset, by way of End; see operation_watchdog.
//
// Latency: one cycle a step, in addition to the passes and products; models/ring.py has the
// formula. The latency does not depend on any value, except through the status.
//
// Source: the glue that Amanor (2005), ch. 5.3, leaves open.

module ring_unit_control
  import multiplier_pkg::*;
#(
  parameter bit Constant    = 1'b1,
  parameter bit Scaled      = 1'b0,
  parameter bit Binary      = 1'b0,
  parameter bit Watchdog    = 1'b0,
  parameter int LimitCycles = 64
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  // Loader
  input  logic       start_i,
  input  logic       raw_i,
  input  logic       field_i,
  input  logic       incomplete_i,
  input  logic       overwide_i,
  input  logic       m_written_i,
  output logic       busy_o,
  output logic       done_o,
  output logic [3:0] status_o,
  // Operands
  input  logic       x_below_i,
  input  logic       y_below_i,
  input  logic       above_one_i,
  input  logic       odd_i,
  // Ends of the steps
  input  logic       load_last_i,
  input  logic       inverse_done_i,
  input  logic       core_done_i,
  input  logic       split_last_i,
  input  logic       add_done_i,
  input  logic       result_last_i,
  // Active step
  output logic       running_o,
  output logic       load_o,
  output logic       inverse_start_o,
  output logic       core_start_o,
  output logic       core_o,
  output logic [2:0] kind_o,
  output logic       constant_o,
  output logic       subtract_o,
  output logic       result_o,
  output logic       field_o,
  // Observation
  output logic [2:0] state_o
);

  typedef enum logic [2:0] {
    StIdle = 3'd0,
    StLoad = 3'd1,
    StJudge = 3'd2,
    StInverse = 3'd3,
    StCore = 3'd4,
    StSubtract = 3'd5,
    StResult = 3'd6,
    StEnd = 3'd7
  } state_e;

  state_e state_d, state_q;
  // StCore, StLoad, StResult and not StIdle as registers: no state decoder on the path to the
  // memories, and no glitch in the resets that load_o, result_o and running_o drive.
  logic core_q, load_q, result_q, running_q;
  logic [3:0] status_d, status_q;
  logic [3:0] outcome_d, outcome_q;  // the status at the end
  logic raw_d, raw_q, overwide_d, overwide_q;
  logic constant_valid_d, constant_valid_q;
  logic constant_d, constant_q;  // the operation must compute the constant first
  logic core_start_d, core_start_q;
  logic [2:0] kind_d, kind_q, single;
  logic field_d, field_q;  // operands are polynomials over GF(2)
  logic constant_field_d, constant_field_q;  // field of the kept constant

  logic [3:0] verdict;
  assign verdict = overwide_q ? StatusOperandRange
                 : !above_one_i ? StatusModulusZeroOrOne
                 : !odd_i ? StatusModulusEven
                 : (x_below_i && y_below_i) ? StatusOk
                 : raw_q ? StatusRaw : StatusOperandRange;

  // The state became Idle in the middle of an operation.
  logic lost, upset;
  assign lost = (state_q == StIdle) && (status_q == StatusBusy);

  operation_watchdog #(
    .Enable(Watchdog),
    .Cycles(LimitCycles)
  ) u_watchdog (
    .clk_i,
    .rst_ni,
    .running_i(busy_o),
    .lost_i   (lost),
    .upset_o  (upset)
  );

  always_comb begin
    state_d          = state_q;
    status_d         = status_q;
    outcome_d        = outcome_q;
    raw_d            = raw_q;
    overwide_d       = overwide_q;
    constant_valid_d = constant_valid_q && !m_written_i;
    constant_d       = constant_q;
    core_start_d     = 1'b0;
    kind_d           = kind_q;
    field_d          = field_q;
    constant_field_d = constant_field_q;
    inverse_start_o  = 1'b0;

    case (state_q)
      StIdle: begin
        if (start_i) begin
          status_d   = StatusBusy;
          raw_d      = raw_i;
          overwide_d = overwide_i;
          field_d    = Binary && field_i;
          outcome_d  = StatusOperandIncomplete;
          state_d    = StLoad;
          if (incomplete_i) state_d = StEnd;
        end
      end
      StLoad: begin
        if (load_last_i) state_d = StJudge;
      end
      StJudge: begin
        outcome_d  = verdict;
        kind_d     = single;
        constant_d = Constant && !(constant_valid_q && (constant_field_q == field_q));
        if ((verdict != StatusOk) && (verdict != StatusRaw)) begin
          state_d = StEnd;
        end else if (constant_d) begin
          inverse_start_o = 1'b1;
          state_d         = StInverse;
        end else begin
          core_start_d = 1'b1;
          state_d      = StCore;
        end
      end
      StInverse: begin
        if (inverse_done_i) begin
          if (!Scaled) constant_valid_d = 1'b1;
          constant_field_d = field_q;
          kind_d           = Scaled ? ProductScale : single;
          core_start_d     = 1'b1;
          state_d          = StCore;
        end
      end
      StCore: begin
        case (kind_q)
          ProductSingle, ProductBinary: begin
            // Without a scale the words go through the adder, which ends after the core.
            if (Scaled ? core_done_i : add_done_i) begin
              core_start_d = Scaled;
              kind_d       = Scaled ? ProductShort : kind_q;
              if (!Scaled) state_d = StResult;
            end
          end
          ProductShort: begin
            if (split_last_i) begin
              inverse_start_o = 1'b1;
              state_d         = StInverse;
            end
          end
          default: begin
            if (add_done_i) begin
              constant_valid_d = 1'b1;
              state_d          = StSubtract;
              if (constant_q) state_d = StJudge;
            end
          end
        endcase
      end
      StSubtract: begin
        if (add_done_i) state_d = StResult;
      end
      StResult: begin
        if (result_last_i) state_d = StEnd;
      end
      default: begin
        status_d = outcome_q;
        state_d  = StIdle;
      end
    endcase

    if (upset && (state_q != StEnd)) begin
      outcome_d        = StatusUpset;
      constant_valid_d = 1'b0;
      state_d          = StEnd;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      status_q <= StatusIdle;
      outcome_q <= StatusIdle;
      kind_q <= ProductSingle;
      {running_q, core_q, load_q, result_q} <= '0;
      {raw_q, overwide_q, constant_valid_q, constant_q, core_start_q, field_q} <= '0;
      constant_field_q <= '0;
    end else begin
      state_q          <= state_d;
      running_q        <= (state_d != StIdle);
      core_q           <= (state_d == StCore);
      load_q           <= (state_d == StLoad);
      result_q         <= (state_d == StResult);
      status_q         <= status_d;
      outcome_q        <= outcome_d;
      raw_q            <= raw_d;
      overwide_q       <= overwide_d;
      constant_valid_q <= constant_valid_d;
      constant_q       <= constant_d;
      core_start_q     <= core_start_d;
      kind_q           <= kind_d;
      field_q          <= field_d;
      constant_field_q <= constant_field_d;
    end
  end

  assign single       = field_q ? ProductBinary : ProductSingle;
  assign field_o      = field_q;
  assign running_o    = running_q;
  assign load_o       = load_q;
  assign core_start_o = core_start_q;
  assign core_o       = core_q;
  assign kind_o       = kind_q;
  assign constant_o   = constant_q;
  assign subtract_o   = (state_q == StSubtract);
  assign result_o     = result_q;

  assign busy_o       = (state_q != StIdle);
  assign done_o       = (state_q == StIdle) && (status_q != StatusIdle);
  assign status_o     = status_q;
  assign state_o      = state_q;

  `ASSERT(StartWhileIdle, !start_i || (state_q == StIdle))
  `ASSERT(OnePass, !(load_o && core_o) && !(subtract_o && result_o))

endmodule
