// SPDX-License-Identifier: Apache-2.0
//
// In the place of the design's multiplier_unit, for proofs about what is around it: any unit, with
// any core. A start is answered with ready_o after one clock or more, or never; how it is answered,
// m', results and the kind of the core are those of the block gen_units of the property module.
// Outputs that the proofs do not need are left open.

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
  input  logic [         Width-1:0] x_i,
  input  logic [         Width-1:0] y_i,
  input  logic [         Width-1:0] m_i,
  output logic                      busy_o,
  output logic                      ready_o,
  output logic                      done_o,
  output logic [               3:0] status_o,
  output logic [   Width+Guard-1:0] s_o,
  output logic [   Width+Guard-1:0] c_o,
  output logic [         Width-1:0] result_o,
  output logic                      binary_o,
  output logic [              15:0] radix_bits_o,
  output logic [         Width-1:0] m_prime_o,
  output logic                      m_prime_used_o,
  // Observation
  output logic [               2:0] control_state_o,
  output logic                      core_start_o,
  output logic                      core_done_o,
  output logic                      core_busy_o,
  output logic [               1:0] core_state_o,
  output logic [TablePositions-1:0] table_valid_o,
  output logic [ TableAddrBits-1:0] table_addr_o,
  output logic                      top_carry_o,
  output logic                      carry_valid_o,
  output logic [ PositionWidth-1:0] carry_word_o,
  output logic                      result_done_o,
  output logic                      add_subtracted_o,
  output logic                      add_exact_o
);

  logic running_q, prepare_q, overwide_q;
  logic [3:0] status_q;
  logic [Width-1:0] m_prime_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      running_q  <= 1'b0;
      prepare_q  <= 1'b0;
      overwide_q <= 1'b0;
      status_q   <= StatusIdle;
      m_prime_q  <= '0;
    end else if (start_i) begin
      running_q  <= 1'b1;
      prepare_q  <= (mode_i == ModePrepare);
      overwide_q <= overwide_i;
      status_q   <= StatusBusy;
    end else if (ready_o) begin
      running_q <= 1'b0;
      status_q  <= !prepare_q ? StatusOk : overwide_q ? StatusOperandRange : gen_units.outcome;
      if (prepare_q) m_prime_q <= gen_units.m_prime;
    end
  end

  assign busy_o         = running_q;
  assign ready_o        = running_q && gen_units.ready;
  assign status_o       = status_q;
  assign result_o       = gen_units.result;
  assign m_prime_o      = m_prime_q;
  assign m_prime_used_o = gen_units.m_prime_used_q;
  assign radix_bits_o   = gen_units.radix_bits_q;

endmodule
