// SPDX-License-Identifier: Apache-2.0
//
// Check of the control registers of an exponentiation: legal_o is 1 if an operation without upsets
// can have these values.
//
//   state_i         step_i                             index_i                 Coherent: position_i
//   Prepare         Load, Check, Judge, Inverse, Take  0
//      if Scaled    also Scale, Match
//   Seed            Measure, Address, Align, Double,   below Doublings
//                   Copy
//   Square          Product                            below Squarings + 2
//   CheckConstant   Product                            0
//      if Scaled    also Inverse, Scale, Subtract
//   Entry           Product                            0
//   Loop            Product                            below length_i          index_i
//   Exit            Product, Result                    0; Coherent: at most    length_i
//      if Scaled    also Inverse, Scale, Subtract      LastProduct
//
// The row of the state must allow the other values, and length_i must not exceed MaxLength. With
// Coherent, length_i must also be host_length_i. In Idle and End, legal_o has no meaning. An index
// above its bound would never meet the comparison that ends the state.
//
// state_i: exp_state_e; step_i: exp_step_e; index_i, length_i: registers of
// exponentiation_control; its header has the states and steps. position_i: position of the
// exponent bit that the host module gives. host_length_i: the register Length.
// This module is a part of exponentiation_control: no other module decodes the state.
//
// Latency: none, combinational.
//
// Source: none.

module exponentiation_legal_state
  import multiplier_pkg::*;
#(
  parameter int Doublings   = 1,
  parameter int Squarings   = 1,
  parameter int LastProduct = 6,     // index of the last product in Exit
  parameter int MaxLength   = 32,
  parameter bit Scaled      = 1'b0,
  parameter bit Coherent    = 1'b0
) (
  input  logic [ 3:0] state_i,
  input  logic [ 3:0] step_i,
  input  logic [15:0] index_i,
  input  logic [15:0] length_i,
  input  logic [15:0] host_length_i,
  input  logic [15:0] position_i,
  output logic        legal_o
);

  logic [15:0] bound;  // index_i is below it
  logic step_legal, lockstep_legal;

  assign bound = (state_i == ExpLoop) ? length_i
               : (Coherent && (state_i == ExpExit)) ? 16'(LastProduct + 1)
               : (state_i == ExpSeed) ? 16'(Doublings)
               : (state_i == ExpSquare) ? 16'(Squarings + 2) : 16'd1;

  always_comb begin
    case (state_i)
      ExpPrepare: begin
        step_legal = (step_i == ExpStepLoad) || (step_i == ExpStepCheck) || (step_i == ExpStepJudge)
                  || (step_i == ExpStepInverse) || (step_i == ExpStepTake)
                  || (Scaled && ((step_i == ExpStepScale) || (step_i == ExpStepMatch)));
      end
      ExpSeed: begin
        step_legal = (step_i == ExpStepMeasure) || (step_i == ExpStepAddress)
                  || (step_i == ExpStepAlign) || (step_i == ExpStepDouble)
                  || (step_i == ExpStepCopy);
      end
      ExpCheckConstant, ExpExit: begin
        step_legal = (step_i == ExpStepProduct)
                  || ((state_i == ExpExit) && (step_i == ExpStepResult))
                  || (Scaled && ((step_i == ExpStepInverse) || (step_i == ExpStepScale)
                                 || (step_i == ExpStepSubtract)));
      end
      default: step_legal = (step_i == ExpStepProduct);
    endcase
  end

  // Coherent: the exponent bit is the one of the present step, and Length is that of the start.
  assign lockstep_legal = (length_i == host_length_i)
                       && ((state_i != ExpLoop) || (position_i == index_i))
                       && ((state_i != ExpExit) || (position_i == length_i));

  assign legal_o = step_legal && (index_i < bound) && (length_i <= 16'(MaxLength))
                && (!Coherent || lockstep_legal);

endmodule
