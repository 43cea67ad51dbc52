// SPDX-License-Identifier: Apache-2.0
//
// In the place of the design's multiplier_unit, for exponentiation_pins: any unit, with any core. A
// start is answered with ready_o after one clock or more, or never; how it is answered, results and
// the kind of the core are inputs and registers of the property module. Outputs that it does not need
// are left open.

module multiplier_unit
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int AddWidth = 32,
  parameter int Guard = 2
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      start_i,
  input  logic [               1:0] mode_i,
  input  logic                      raw_i,
  input  logic                      field_i,
  input  logic                      keep_i,
  input  logic                      incomplete_i,
  input  logic                      overwide_i,
  input  logic                      m_written_i,
  input  logic [   Width+Guard-1:0] x_i,
  input  logic [   Width+Guard-1:0] xc_i,
  input  logic [   Width+Guard-1:0] y_i,
  input  logic [   Width+Guard-1:0] yc_i,
  input  logic [         Width-1:0] m_i,
  output logic                      busy_o,
  output logic                      ready_o,
  output logic                      done_o,
  output logic [               3:0] status_o,
  output logic [   Width+Guard-1:0] s_o,
  output logic [   Width+Guard-1:0] c_o,
  output logic [         Width-1:0] result_o,
  output logic [   Width+Guard-1:0] product_o,
  output logic [   Width+Guard-1:0] productc_o,
  output logic                      binary_o,
  output logic                      chainable_o,
  output logic [              15:0] radix_bits_o,
  output logic [         Width-1:0] m_prime_o,
  output logic                      m_prime_used_o,
  // Observation
  output logic [               2:0] control_state_o,
  output logic                      core_start_o,
  output logic                      core_ready_o,
  output logic                      core_done_o,
  output logic                      core_busy_o,
  output logic [               1:0] core_state_o,
  output logic [TablePositions-1:0] table_valid_o,
  output logic [ TableAddrBits-1:0] table_addr_o,
  output logic [ PositionWidth-1:0] position_o,
  output logic                      top_carry_o,
  output logic                      carry_valid_o,
  output logic [ PositionWidth-1:0] carry_word_o,
  output logic                      result_done_o,
  output logic                      add_subtracted_o,
  output logic                      add_exact_o
);

  logic running_q, prepare_q;
  logic [3:0] status_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      running_q <= 1'b0;
      prepare_q <= 1'b0;
      status_q  <= StatusIdle;
    end else if (start_i) begin
      running_q <= 1'b1;
      prepare_q <= (mode_i == ModePrepare);
      status_q  <= StatusBusy;
    end else if (ready_o) begin
      running_q <= 1'b0;
      status_q  <= prepare_q ? exponentiation_pins.outcome_i : StatusOk;
    end
  end

  assign busy_o       = running_q;
  assign ready_o      = running_q && exponentiation_pins.ready_i;
  assign status_o     = status_q;
  assign core_done_o  = exponentiation_pins.core_done_i;
  assign result_o     = exponentiation_pins.result_i;
  assign m_prime_o    = exponentiation_pins.m_prime_i;
  assign chainable_o  = exponentiation_pins.chainable_q;
  assign radix_bits_o = exponentiation_pins.radix_bits_q;

endmodule
