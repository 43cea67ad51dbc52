// SPDX-License-Identifier: Apache-2.0
//
// Detection of register upsets in an exponentiation. upset_o ends the operation.
//
//   upset_o is 1 if the state is neither Idle nor End, and one of these conditions holds:
//     - in the preceding cycle, the control registers had values that no operation has
//       (exponentiation_legal_state);
//     - no product began and no pass ended within StallCycles cycles (operation_watchdog): the end
//       of a product or pass may be lost;
//     - Parity: in the preceding cycle, fault_i was 1: a word that is used has a wrong parity bit.
//       Then integrity_o is 1, too;
//     - Coherent: in the preceding cycle, the control registers had another parity than when they
//       were written, or apart_i was 1: the multipliers do not run in step.
//
// running_i: the control is not idle; a register of its own. Its upset resets the datapath.
// Coherent finds each such upset. Without it, the watchdog finds some of them.
// product_start_i: a product of A or S begins. last_i: a pass ends.
// parity_d_i, parity_i: parity of the control registers: of the values that they take at the end of
// this cycle, and of their present values.
// state_i, step_i, index_i, length_i, host_length_i, position_i: see exponentiation_legal_state.
// This module is a part of exponentiation_control: no other module decodes the state.
//
// Range: StallCycles >= stall_cycles of multiplier_pkg; upset_o then stays 0 without an upset.
// Latency: a cycle from the wrong value to upset_o; StallCycles cycles for a lost end of a pass.
//
// Source: none.

module exponentiation_upset_detector
  import multiplier_pkg::*;
#(
  parameter int Doublings   = 1,
  parameter int Squarings   = 1,
  parameter int LastProduct = 6,
  parameter int MaxLength   = 32,
  parameter int StallCycles = 1024,
  parameter bit Scaled      = 1'b0,
  parameter bit Parity      = 1'b0,
  parameter bit Coherent    = 1'b0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  // Control registers
  input  logic [ 3:0] state_i,
  input  logic [ 3:0] step_i,
  input  logic [15:0] index_i,
  input  logic [15:0] length_i,
  input  logic        running_i,
  input  logic        parity_d_i,
  input  logic        parity_i,
  // Host
  input  logic [15:0] host_length_i,
  input  logic [15:0] position_i,
  // Datapath
  input  logic        product_start_i,
  input  logic        last_i,
  input  logic        fault_i,
  input  logic        apart_i,
  // Outcome
  output logic        upset_o,
  output logic        integrity_o
);

  logic legal, illegal_q, integrity_q, parity_wrong;

  exponentiation_legal_state #(
    .Doublings  (Doublings),
    .Squarings  (Squarings),
    .LastProduct(LastProduct),
    .MaxLength  (MaxLength),
    .Scaled     (Scaled),
    .Coherent   (Coherent)
  ) u_legal_state (
    .state_i,
    .step_i,
    .index_i,
    .length_i,
    .host_length_i,
    .position_i,
    .legal_o(legal)
  );

  if (Coherent) begin : gen_parity
    logic parity_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) parity_q <= 1'b0;
      else parity_q <= parity_d_i;
    end
    assign parity_wrong = (parity_q != parity_i);
  end else begin : gen_no_parity
    logic unused_parity;
    assign unused_parity = parity_d_i ^ parity_i;
    assign parity_wrong  = 1'b0;
  end

  logic waiting, stalled;  // no product begins and no pass ends; for StallCycles cycles
  assign waiting = running_i && !product_start_i && !last_i;

  operation_watchdog #(
    .Cycles(StallCycles)
  ) u_watchdog (
    .clk_i,
    .rst_ni,
    .running_i(waiting),
    .lost_i   (1'b0),
    .upset_o  (stalled)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {illegal_q, integrity_q} <= '0;
    end else begin
      illegal_q <= (running_i && !legal)
                || (Coherent && (state_i != ExpIdle) && (parity_wrong || apart_i));
      integrity_q <= Parity && running_i && fault_i;
    end
  end

  assign upset_o = (stalled || illegal_q || integrity_q)
                && (state_i != ExpIdle) && (state_i != ExpEnd);
  assign integrity_o = integrity_q;

endmodule
