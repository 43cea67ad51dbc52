// SPDX-License-Identifier: Apache-2.0
//
// Control of a multiplier: checks the operands, works off the core's program of word-serial
// additions around the core's run, and keeps the status.
//
//   check X < M, check Y < M -> program steps (constants) -> core -> program step (result) -> end
//
// mode_i chooses what of it a start does (multiplier_pkg): all; up to the core, with the constants
// of the modulus alone; or from the program steps on. ready_o: the next start may follow in the
// next clock.
//
// The two checks are additions X + 0 and Y + 0 whose conditional subtraction tells the comparison,
// so they need no comparator of full width. Steps marked "per modulus" are skipped while their
// results are still those of the loaded modulus. A raw operation goes on with X or Y >= M, ends
// after the core with StatusRaw and leaves no result.
//
// field_i, with start_i: the operands are polynomials over GF(2); reduced means of lower degree
// than M, and it is the core that tells. Constants are those of one field.
//
// Latency: one clock a step, and for an addition the adder's latency, for the run the core's, on
// top; one clock for the end. It does not depend on the values of X and Y beyond the status.
//
// Source: the glue that Amanor (2005), ch. 5.3, leaves open.

module multiplier_control
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int Guard = 2
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // Loader
  input  logic                            start_i,
  input  logic [                     1:0] mode_i,
  input  logic                            raw_i,
  input  logic                            field_i,
  input  logic                            incomplete_i,
  input  logic                            overwide_i,
  input  logic                            m_written_i,
  input  logic                            m_odd_i,
  output logic                            busy_o,
  output logic                            ready_o,
  output logic                            done_o,
  output logic [                     3:0] status_o,
  // Core
  input  logic [         ProgramBits-1:0] program_i,
  input  logic                            odd_modulus_only_i,
  output logic                            field_o,
  input  logic                            unreduced_i,
  output logic                            core_start_o,
  input  logic                            core_done_i,
  output logic [ConstSlots*(Width+1)-1:0] const_o,
  // Modular adder
  output logic                            add_start_o,
  output logic [                     1:0] add_reduction_o,
  output logic [                     3:0] add_source_a_o,
  output logic [                     3:0] add_source_b_o,
  input  logic                            add_done_i,
  input  logic [           Width+Guard:0] add_value_i,
  input  logic                            add_subtracted_i,
  input  logic                            add_above_one_i,
  // m' = -1/M
  output logic                            inverse_start_o,
  output logic [                     7:0] inverse_bits_o,
  input  logic                            inverse_done_i,
  input  logic [                 Width:0] inverse_value_i,
  // Observation
  output logic [                     2:0] state_o,
  output logic                            result_done_o
);

  localparam int StepWidth = $clog2(ProgramSteps + 1);

  typedef enum logic [2:0] {
    StIdle = 3'd0,
    StCheckX = 3'd1,
    StCheckY = 3'd2,
    StStep = 3'd3,
    StAdd = 3'd4,
    StCore = 3'd5,
    StEnd = 3'd6,
    StInverse = 3'd7
  } state_e;

  state_e state_d, state_q;
  logic [1:0] mode_d, mode_q;
  logic [StepWidth-1:0] step_d, step_q;
  logic [3:0] status_d, status_q;
  logic [3:0] outcome_d, outcome_q;  // the status at the end
  logic issue_d, issue_q;  // first clock of a check
  logic field_d, field_q;
  logic constants_field_d, constants_field_q;  // of the constants that are there
  logic raw_d, raw_q, out_of_range_d, out_of_range_q, overwide_d, overwide_q;
  logic constants_valid_d, constants_valid_q;

  // The current step.
  step_t step;
  logic store_constant;
  logic [Width:0] constant;

  always_comb begin
    step = EndStep;
    if (step_q < StepWidth'(ProgramSteps)) step = program_i[step_q*StepBits+:StepBits];
  end

  // Icarus sees members of a struct in an always block as the whole of it.
  step_operation_e operation;
  step_reduction_e reduction;
  logic per_modulus;
  logic [3:0] source_a, source_b;
  logic [2:0] destination;
  assign operation   = step.operation;
  assign reduction   = step.reduction;
  assign per_modulus = step.per_modulus;
  assign source_a    = step.source_a;
  assign source_b    = step.source_b;
  assign destination = step.destination;

  // What is known already, or depends on operands that are still to come.
  logic skip;
  assign skip = (mode_q == ModePrepare)
              ? !per_modulus
              : (per_modulus && constants_valid_q && (constants_field_q == field_q));

  always_comb begin
    state_d           = state_q;
    mode_d            = mode_q;
    field_d           = field_q;
    constants_field_d = constants_field_q;
    step_d            = step_q;
    status_d          = status_q;
    outcome_d         = outcome_q;
    issue_d           = 1'b0;
    raw_d             = raw_q;
    out_of_range_d    = out_of_range_q;
    overwide_d        = overwide_q;
    constants_valid_d = constants_valid_q && !m_written_i;
    core_start_o      = 1'b0;
    inverse_start_o   = 1'b0;
    add_start_o       = 1'b0;
    add_reduction_o   = ReduceOnce;
    add_source_a_o    = SourceZero;
    add_source_b_o    = SourceZero;
    store_constant    = 1'b0;

    case (state_q)
      StIdle: begin
        if (start_i) begin
          status_d       = StatusBusy;
          mode_d         = mode_i;
          field_d        = field_i;
          step_d         = '0;
          raw_d          = raw_i;
          overwide_d     = overwide_i;
          out_of_range_d = overwide_i;
          issue_d        = 1'b1;
          outcome_d      = StatusOperandIncomplete;
          state_d        = StCheckX;
          if (incomplete_i) state_d = StEnd;
          if (mode_i == ModeProduct) state_d = StStep;
        end
      end
      StCheckX: begin
        add_source_a_o = SourceX;
        add_start_o    = issue_q;
        if (add_done_i) begin
          out_of_range_d = out_of_range_q || (field_q ? unreduced_i : add_subtracted_i);
          issue_d        = 1'b1;
          state_d        = StCheckY;
        end
      end
      StCheckY: begin
        add_source_a_o = SourceY;
        add_start_o    = issue_q;
        if (add_done_i) begin
          out_of_range_d = out_of_range_q || (field_q ? unreduced_i : add_subtracted_i);
          state_d        = StEnd;
          if (overwide_q) outcome_d = StatusOperandRange;
          else if (!add_above_one_i) outcome_d = StatusModulusZeroOrOne;
          else if (!m_odd_i && odd_modulus_only_i) outcome_d = StatusModulusEven;
          else if (out_of_range_d && !raw_q) outcome_d = StatusOperandRange;
          else state_d = StStep;
        end
      end
      StStep: begin
        case (operation)
          StepAdd, StepInverse: begin
            if (skip) begin
              step_d = step_q + 1'b1;
            end else if (operation == StepInverse) begin
              inverse_start_o = 1'b1;
              state_d         = StInverse;
            end else begin
              add_start_o = 1'b1;
              state_d     = StAdd;
            end
          end
          StepRun: begin
            if (mode_q == ModePrepare) begin
              constants_valid_d = 1'b1;
              constants_field_d = field_q;
              outcome_d         = StatusOk;
              state_d           = StEnd;
            end else begin
              core_start_o = 1'b1;
              state_d      = StCore;
            end
          end
          default: begin
            outcome_d = StatusOk;
            state_d   = StEnd;
          end
        endcase
      end
      StAdd: begin
        if (add_done_i) begin
          store_constant = (destination != ToResult);
          step_d         = step_q + 1'b1;
          state_d        = StStep;
        end
      end
      StInverse: begin
        if (inverse_done_i) begin
          store_constant = 1'b1;
          step_d         = step_q + 1'b1;
          state_d        = StStep;
        end
      end
      StCore: begin
        if (core_done_i) begin
          constants_valid_d = 1'b1;
          constants_field_d = field_q;
          step_d            = step_q + 1'b1;
          outcome_d         = StatusRaw;
          state_d           = StStep;
          if (out_of_range_q) state_d = StEnd;
        end
      end
      default: begin
        status_d = outcome_q;
        state_d  = StIdle;
      end
    endcase

    if ((state_q == StStep) || (state_q == StAdd)) begin
      add_reduction_o = reduction;
      if (reduction == ReduceOperand) add_reduction_o = raw_q ? ReduceFull : ReduceOnce;
      add_source_a_o = source_a;
      add_source_b_o = source_b;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q           <= StIdle;
      mode_q            <= ModeOperation;
      field_q           <= 1'b0;
      constants_field_q <= 1'b0;
      step_q            <= '0;
      status_q          <= StatusIdle;
      outcome_q         <= StatusIdle;
      issue_q           <= 1'b0;
      raw_q             <= 1'b0;
      out_of_range_q    <= 1'b0;
      overwide_q        <= 1'b0;
      constants_valid_q <= 1'b0;
    end else begin
      state_q           <= state_d;
      mode_q            <= mode_d;
      field_q           <= field_d;
      constants_field_q <= constants_field_d;
      step_q            <= step_d;
      status_q          <= status_d;
      outcome_q         <= outcome_d;
      issue_q           <= issue_d;
      raw_q             <= raw_d;
      out_of_range_q    <= out_of_range_d;
      overwide_q        <= overwide_d;
      constants_valid_q <= constants_valid_d;
    end
  end

  assign constant = (operation == StepInverse) ? inverse_value_i : add_value_i[Width:0];

  for (genvar slot = 0; slot < ConstSlots; slot++) begin : gen_constant
    logic [Width:0] const_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        const_q <= '0;
      end else if (store_constant && (destination == 3'(slot))) begin
        const_q <= constant;
      end
    end
    assign const_o[slot*(Width+1)+:Width+1] = const_q;
  end

  assign field_o = field_q;
  assign inverse_bits_o = {source_a, source_b};

  assign busy_o = (state_q != StIdle);
  assign ready_o = (state_q == StEnd);
  assign done_o = (state_q == StIdle) && (status_q != StatusIdle);
  assign status_o = status_q;
  assign state_o = state_q;
  assign result_done_o = (state_q == StAdd) && add_done_i && (destination == ToResult);

  // A constant has Width + 1 bits.
  logic unused_bits;
  assign unused_bits = ^add_value_i[Width+Guard:Width+1];

endmodule
