// SPDX-License-Identifier: Apache-2.0
//
// Control of a multiplier with a core of parallel operands. It loads the operands into their
// registers and checks them, executes the core's additions before and after the loop, and keeps the
// status.
//
//   load X, Y, M and check them -> steps (constants) -> core -> step (result) -> end
//
//   state   ends with     signals that are high
//   Idle    start_i       add_start_o with start_i, unless incomplete_i
//   Load    add_done_i    load_o; sum_o, if the first step is a sum without reduction
//   Step    at once       core_start_o: step Run, and no constant waits; add_start_o and
//                         add_early_start_o: an addition, or a constant that moves before Run
//   Add     add_done_i    result_o, if the step makes the result
//   Core    core_done_i   -
//   End     at once       clear_o, after an upset
//
// read_o is high in all states but Core. move_o: a constant waits in the adder. result_next_o: the
// present step makes the result.
//
// The load is a pass of the word-stream adder. If the core's program begins with a sum without
// reduction, the load pass also makes this sum. Every other constant is known when its pass ends.
// It moves from the adder into its register in the first cycles of the next pass (move_o, to
// move_slot_o); the last constant moves in a pass of its own. The control skips steps marked "per
// modulus" while their results belong to the loaded modulus. A raw operation continues if X >= M or
// Y >= M. In this case the result pass only moves S and C, and the operation ends with StatusRaw.
//
// Watchdog: an operation that lasts for LimitCycles cycles, or whose state no operation has, ends
// with StatusUpset, by way of End; see operation_watchdog. In End clear_o then resets the adder.
//
// Latency, with W words a pass: 1 if the operands are incomplete; W + 2 if they are rejected; else
// the sum of W + 1, the latencies of the steps and of the core, one cycle for each step and for the
// core, and one cycle for the end. The latency does not depend on the values of X and Y, except
// through the status.
//
// Source: the glue that Amanor (2005), ch. 5.3, leaves open.

module parallel_control
  import multiplier_pkg::*;
#(
  parameter bit Watchdog    = 1'b0,
  parameter int LimitCycles = 64
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // Loader
  input  logic                   start_i,
  input  logic                   raw_i,
  input  logic                   incomplete_i,
  input  logic                   overwide_i,
  input  logic                   m_written_i,
  output logic                   busy_o,
  output logic                   done_o,
  output logic [            3:0] status_o,
  // Operands
  input  logic                   x_below_i,
  input  logic                   y_below_i,
  input  logic                   above_one_i,
  input  logic                   odd_i,
  // Core
  input  logic [ProgramBits-1:0] steps_i,
  input  logic                   odd_modulus_only_i,
  output logic                   core_start_o,
  input  logic                   core_done_i,
  // Word-stream adder
  output logic                   add_start_o,
  output logic                   add_early_start_o,   // add_start_o, except for a load
  output logic [            1:0] add_reduction_o,
  output logic [    Sources-1:0] add_source_a_o,      // of the next cycle, a bit each
  output logic [    Sources-1:0] add_source_b_o,
  input  logic                   add_first_i,
  input  logic                   add_done_i,
  output logic                   clear_o,
  // During the current pass
  output logic                   read_o,              // read words of operands
  output logic                   load_o,
  output logic                   sum_o,
  output logic [            2:0] sum_slot_o,
  output logic                   move_o,
  output logic [            2:0] move_slot_o,
  output logic                   result_o,
  output logic                   result_next_o,       // of the next pass, or of this
  // Observation
  output logic [            2:0] state_o,
  output logic                   result_done_o
);

  localparam int StepWidth = $clog2(ProgramSteps + 1);

  typedef enum logic [2:0] {
    StIdle = 3'd0,
    StLoad = 3'd1,
    StStep = 3'd2,
    StAdd  = 3'd3,
    StCore = 3'd4,
    StEnd  = 3'd5
  } state_e;

  state_e state_d, state_q;
  logic [StepWidth-1:0] step_d, step_q;
  logic [3:0] status_d, status_q;
  logic [3:0] outcome_d, outcome_q;  // the status at the end
  logic raw_d, raw_q, overwide_d, overwide_q;
  logic out_of_range_d, out_of_range_q;  // X or Y >= M
  logic constants_valid_d, constants_valid_q;
  logic waiting_d, waiting_q;  // a constant is still in the adder
  logic [2:0] slot_d, slot_q;  // the slot of this constant
  logic load_start;  // the pass of a load starts
  logic busy_q;

  // The first step, the current step and the step after it. Timing: the fields of the current step
  // are a register, so that they and the start of the core are known early in the cycle. While idle
  // the register takes the first step; it takes each following step together with its number.
  step_t first, following;
  logic [StepBits-1:0] step_fields_d, step_fields_q;
  step_t step, coming;
  logic advance;
  assign first  = steps_i[StepBits-1:0];
  assign step   = step_fields_q;
  assign coming = step_fields_d;

  always_comb begin
    following = EndStep;
    if (step_q < StepWidth'(ProgramSteps - 1)) begin
      following = steps_i[(32'(step_q)+1)*StepBits+:StepBits];
    end
  end

  // Icarus: in an always block, a member of a struct stands for the whole struct.
  step_operation_e operation;
  logic [2:0] destination;
  assign operation   = step.operation;
  assign destination = step.destination;

  logic plain;  // the load pass makes the first step
  logic skip;  // the result of the step is known already
  logic result;  // the step adds S and C
  assign plain  = (first.operation == StepAdd) && (first.reduction == ReduceNone);
  assign skip   = step.per_modulus && constants_valid_q;
  assign result = (operation == StepAdd) && (destination == ToResult);

  // The state became Idle in the middle of an operation, or one that does not exist.
  logic running, lost, upset, clear_q;
  assign running = (state_q != StIdle);
  assign lost = ((state_q == StIdle) && (status_q == StatusBusy)) || (state_q > StEnd);

  operation_watchdog #(
    .Enable(Watchdog),
    .Cycles(LimitCycles)
  ) u_watchdog (
    .clk_i,
    .rst_ni,
    .running_i(running),
    .lost_i   (lost),
    .upset_o  (upset)
  );

  always_comb begin
    state_d           = state_q;
    advance           = 1'b0;
    status_d          = status_q;
    outcome_d         = outcome_q;
    raw_d             = raw_q;
    out_of_range_d    = out_of_range_q;
    overwide_d        = overwide_q;
    constants_valid_d = constants_valid_q && !m_written_i;
    waiting_d         = waiting_q;
    slot_d            = slot_q;
    add_early_start_o = 1'b0;
    load_start        = 1'b0;

    case (state_q)
      StIdle: begin
        waiting_d = 1'b0;
        if (start_i) begin
          status_d   = StatusBusy;
          raw_d      = raw_i;
          overwide_d = overwide_i;
          outcome_d  = StatusOperandIncomplete;
          load_start = !incomplete_i;
          state_d    = StLoad;
          if (incomplete_i) state_d = StEnd;
        end
      end
      StLoad: begin
        if (add_done_i) begin
          out_of_range_d = !x_below_i || !y_below_i;
          advance        = plain;
          state_d        = StEnd;
          if (overwide_q) outcome_d = StatusOperandRange;
          else if (!above_one_i) outcome_d = StatusModulusZeroOrOne;
          else if (!odd_i && odd_modulus_only_i) outcome_d = StatusModulusEven;
          else if (out_of_range_d && !raw_q) outcome_d = StatusOperandRange;
          else state_d = StStep;
        end
      end
      StStep: begin
        if (operation == StepRun) begin
          // A constant that is still in the adder first moves into its register.
          add_early_start_o = waiting_q;
          state_d           = StCore;
          if (waiting_q) state_d = StAdd;
        end else if (skip) begin
          advance = 1'b1;
        end else begin
          add_early_start_o = 1'b1;
          state_d           = StAdd;
        end
      end
      StAdd: begin
        if (add_done_i) begin
          waiting_d = (operation != StepRun) && !result;
          slot_d    = destination;
          advance   = (operation != StepRun);
          outcome_d = out_of_range_q ? StatusRaw : StatusOk;
          state_d   = StStep;
          if (result) state_d = StEnd;
        end
      end
      StCore: begin
        if (core_done_i) begin
          constants_valid_d = 1'b1;
          advance           = 1'b1;
          state_d           = StStep;
        end
      end
      default: begin
        status_d = outcome_q;
        state_d  = StIdle;
      end
    endcase

    if (upset && (state_q != StEnd)) begin
      outcome_d         = StatusUpset;
      constants_valid_d = 1'b0;
      state_d           = StEnd;
    end
    step_d = step_q + StepWidth'(advance);
    if ((state_q == StEnd) || (state_q == StIdle)) step_d = '0;
  end

  assign add_start_o   = load_start || add_early_start_o;
  assign step_fields_d = !busy_q ? first : advance ? following : step_fields_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      status_q <= StatusIdle;
      outcome_q <= StatusIdle;
      {busy_q, step_q, step_fields_q, raw_q, out_of_range_q, overwide_q, constants_valid_q} <= '0;
      {waiting_q, slot_q, clear_q} <= '0;
    end else begin
      state_q           <= state_d;
      busy_q            <= (state_d != StIdle);
      step_q            <= step_d;
      step_fields_q     <= step_fields_d;
      status_q          <= status_d;
      outcome_q         <= outcome_d;
      raw_q             <= raw_d;
      out_of_range_q    <= out_of_range_d;
      overwide_q        <= overwide_d;
      constants_valid_q <= constants_valid_d;
      waiting_q         <= waiting_d;
      slot_q            <= slot_d;
      clear_q           <= upset;
    end
  end

  // Sources of the adder, known in the cycle before its first word; for a load, while idle. The
  // sum is unused in a load that does not make the first step, and in a pass that only moves a
  // constant.
  logic taken_a, taken_b;
  logic [3:0] step_a, step_b;
  logic [Sources-1:0] used_a, used_b;
  assign step_a  = busy_q ? step.source_a : first.source_a;
  assign step_b  = busy_q ? step.source_b : first.source_b;

  // Take a constant that is still in the adder from there. The later passes of a sum take the value
  // that the pass before left in the adder.
  assign taken_a = waiting_q && (step_a == {1'b1, slot_q});
  assign taken_b = waiting_q && (step_b == {1'b1, slot_q});

  // Area: mask sources that no step of this core uses, so that synthesis removes them.
  logic [ProgramSteps*Sources-1:0] uses_a, uses_b;
  logic [ProgramSteps-1:0] full, unused_step;

  for (genvar i = 0; i < ProgramSteps; i++) begin : gen_step
    step_t known;
    assign known = steps_i[i*StepBits+:StepBits];
    assign uses_a[i*Sources+:Sources] = Sources'(known.operation == StepAdd) << known.source_a;
    assign uses_b[i*Sources+:Sources] = Sources'(known.operation == StepAdd) << known.source_b;
    assign full[i] = (known.reduction == ReduceFull) || (known.reduction == ReduceOperand);
    assign unused_step[i] = ^known;
  end

  // The sources that any step uses: as or_of_words of parallel_unit.
  function automatic logic [Sources-1:0] or_of_steps(input logic [ProgramSteps*Sources-1:0] uses);
    logic [ProgramSteps*Sources-1:0] merged;
    merged = uses;
    for (int half = ProgramSteps / 2; half > 0; half = half / 2) begin
      merged = merged | (merged >> (half * Sources));
    end
    or_of_steps = merged[Sources-1:0];
  endfunction

  assign used_a = or_of_steps(uses_a);
  assign used_b = or_of_steps(uses_b);

  always_comb begin
    add_source_a_o = '0;
    add_source_b_o = '0;
    if (add_first_i && !taken_a) add_source_a_o = used_a & (Sources'(1) << step_a);
    if (add_first_i && !taken_b) add_source_b_o = used_b & (Sources'(1) << step_b);
    add_source_a_o[SourceValue] = (|full) && (!add_first_i || taken_a);
    add_source_b_o[SourceValue] = (|full) && add_first_i && taken_b;
  end

  // Timing: register the reduction and the core's start, computed for the step of the next cycle.
  // The reduction selects the adder's first word of M; the core's start drives all bit positions.
  logic core_start_d, core_start_q;
  logic [1:0] add_reduction_d, add_reduction_q;
  step_operation_e coming_operation;
  step_reduction_e coming_reduction;
  logic [2:0] coming_destination;
  assign coming_operation = coming.operation;
  assign coming_reduction = coming.reduction;
  assign coming_destination = coming.destination;

  assign core_start_d = (coming_operation == StepRun) && (state_d == StStep) && !waiting_d;

  // Icarus: use assign here. An always block that depends on another one would run without end.
  logic reduces;
  assign reduces = (coming_operation == StepAdd) && (state_d == StStep)
                && !((coming_destination == ToResult) && out_of_range_d);
  assign add_reduction_d = !reduces ? ReduceNone
                         : (coming_reduction != ReduceOperand) ? coming_reduction
                         : raw_d ? ReduceFull : ReduceOnce;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      core_start_q    <= 1'b0;
      add_reduction_q <= ReduceNone;
    end else begin
      core_start_q    <= core_start_d;
      add_reduction_q <= add_reduction_d;
    end
  end

  assign core_start_o    = core_start_q;
  assign add_reduction_o = add_reduction_q;
  assign clear_o         = clear_q;

  assign read_o          = (state_q != StCore);
  assign load_o          = (state_q == StLoad);
  assign sum_o           = load_o && plain;
  assign sum_slot_o      = destination;
  assign move_o          = waiting_q;
  assign move_slot_o     = slot_q;
  assign result_o        = (state_q == StAdd) && result;
  assign result_next_o   = result;

  assign busy_o          = busy_q;
  assign done_o          = !busy_q && (status_q != StatusIdle);
  assign status_o        = status_q;
  assign state_o         = state_q;
  assign result_done_o   = result_o && add_done_i && !out_of_range_q;

  logic unused_bits;
  assign unused_bits = ^{first, step, coming, unused_step};

  `ASSERT(StartWhileIdle, !start_i || !busy_q)
  `ASSERT(CoreOrAdder, !(core_start_o && add_start_o))

endmodule
