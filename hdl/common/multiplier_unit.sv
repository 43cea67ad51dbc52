// SPDX-License-Identifier: Apache-2.0
//
// Multiplier unit: control, word-serial modular adder, m' and the core named by the macro
// MULTIPLIER_CORE, with its own parameters from MULTIPLIER_CORE_PARAMETERS.
//
//   result_o = X*Y/R mod M (Montgomery cores) or X*Y mod M (interleaved cores), 0 <= result_o < M
//
// Every core keeps the same contract, so that this file never names one:
//   clk_i, rst_ni, start_i; field_i (operands are polynomials over GF(2), only with binary_o); x_i,
//   y_i, m_i (Width bits each), const_i: steady while busy
//     -> busy_o, done_o (one clock: s_o, c_o complete), s_o, c_o (Width + Guard bits, steady to the
//        next start)
//   program_o     which word-serial additions come before and after the run (multiplier_pkg)
//   binary_o      it takes field_i; unreduced_o: then X or Y is not of lower degree than M
//   radix_bits_o  R = 2**radix_bits_o, a constant; 0 outside the Montgomery domain
//   table_valid_o, table_addr_o, state_o, top_carry_o, carry_valid_o, carry_word_o
//                 observation, for the test bench
//
// keep_i, with start_i: result_o stays as it is. mode_i: multiplier_pkg.
// Latency: see multiplier_control; the registry entry of the architecture has the formula.
//
// Source: Amanor (2005), ch. 5.3 and step P of each algorithm.

`ifndef MULTIPLIER_CORE
`define MULTIPLIER_CORE flat_core
`endif  // MULTIPLIER_CORE
`ifndef MULTIPLIER_CORE_PARAMETERS
`define MULTIPLIER_CORE_PARAMETERS
`endif  // MULTIPLIER_CORE_PARAMETERS

module multiplier_unit
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int AddWidth = 32,
  parameter int Guard = 2
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         start_i,
  input  logic [                  1:0] mode_i,
  input  logic                         raw_i,
  input  logic                         field_i,
  input  logic                         keep_i,
  input  logic                         incomplete_i,
  input  logic                         overwide_i,
  input  logic                         m_written_i,
  input  logic [            Width-1:0] x_i,
  input  logic [            Width-1:0] y_i,
  input  logic [            Width-1:0] m_i,
  output logic                         busy_o,
  output logic                         ready_o,
  output logic                         done_o,
  output logic [                  3:0] status_o,
  output logic [      Width+Guard-1:0] s_o,
  output logic [      Width+Guard-1:0] c_o,
  output logic [            Width-1:0] result_o,
  output logic                         binary_o,
  output logic [                 15:0] radix_bits_o,
  output logic [            Width-1:0] m_prime_o,
  output logic                         m_prime_used_o,
  // Observation
  output logic [                  2:0] control_state_o,
  output logic                         core_start_o,
  output logic                         core_done_o,
  output logic                         core_busy_o,
  output logic [                  1:0] core_state_o,
  output logic [   TablePositions-1:0] table_valid_o,
  output logic [    TableAddrBits-1:0] table_addr_o,
  output logic                         top_carry_o,
  output logic                         carry_valid_o,
  output logic [    PositionWidth-1:0] carry_word_o,
  output logic                         result_done_o,
  output logic                         add_subtracted_o,
  output logic                         add_exact_o
);

  localparam int AddWords = (Width + Guard + AddWidth) / AddWidth;
  localparam int IndexWidth = (AddWords > 1) ? $clog2(AddWords) : 1;
  localparam int MaxInverse = 64;
  localparam int InverseWidth = (Width < MaxInverse) ? Width : MaxInverse;

  logic [ConstSlots*(Width+1)-1:0] constants;
  logic field, unreduced;
  logic [ProgramBits-1:0] core_program;
  logic add_start, add_done, add_above_one;
  logic [1:0] add_reduction;
  logic [3:0] add_source_a, add_source_b;
  logic [Width+Guard:0] add_value;
  logic inverse_start, inverse_done;
  logic [7:0] inverse_bits;
  logic [InverseWidth-1:0] inverse_value;
  logic keep_q;

  multiplier_control #(
    .Width(Width),
    .Guard(Guard)
  ) u_control (
    .clk_i,
    .rst_ni,
    .start_i,
    .mode_i,
    .raw_i,
    .field_i,
    .incomplete_i,
    .overwide_i,
    .m_written_i,
    .m_odd_i           (m_i[0]),
    .busy_o,
    .ready_o,
    .done_o,
    .status_o,
    .program_i         (core_program),
    .odd_modulus_only_i(radix_bits_o != '0),
    .field_o           (field),
    .unreduced_i       (unreduced),
    .core_start_o,
    .core_done_i       (core_done_o),
    .const_o           (constants),
    .add_start_o       (add_start),
    .add_reduction_o   (add_reduction),
    .add_source_a_o    (add_source_a),
    .add_source_b_o    (add_source_b),
    .add_done_i        (add_done),
    .add_value_i       (add_value),
    .add_subtracted_i  (add_subtracted_o),
    .add_above_one_i   (add_above_one),
    .inverse_start_o   (inverse_start),
    .inverse_bits_o    (inverse_bits),
    .inverse_done_i    (inverse_done),
    .inverse_value_i   ((Width + 1)'(inverse_value)),
    .state_o           (control_state_o),
    .result_done_o
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) keep_q <= 1'b0;
    else if (start_i) keep_q <= keep_i;
  end

  `MULTIPLIER_CORE #(
    .Width(Width),
    .Guard(Guard)
    `MULTIPLIER_CORE_PARAMETERS
  ) u_core (
    .clk_i,
    .rst_ni,
    .start_i      (core_start_o),
    .field_i      (field),
    .x_i,
    .y_i,
    .m_i,
    .const_i      (constants),
    .busy_o       (core_busy_o),
    .done_o       (core_done_o),
    .s_o,
    .c_o,
    .program_o    (core_program),
    .binary_o,
    .unreduced_o  (unreduced),
    .radix_bits_o,
    .table_valid_o,
    .table_addr_o,
    .state_o      (core_state_o),
    .top_carry_o,
    .carry_valid_o,
    .carry_word_o
  );

  // Word multiplexers in front of the adder.
  logic [IndexWidth-1:0] word_index;
  logic [AddWidth-1:0] add_a, add_b;

  word_selector #(
    .Width   (Width),
    .AddWidth(AddWidth),
    .Guard   (Guard)
  ) u_select_a (
    .source_i(add_source_a),
    .index_i (word_index),
    .x_i,
    .y_i,
    .m_i,
    .s_i     (s_o),
    .c_i     (c_o),
    .const_i (constants),
    .word_o  (add_a)
  );

  word_selector #(
    .Width   (Width),
    .AddWidth(AddWidth),
    .Guard   (Guard)
  ) u_select_b (
    .source_i(add_source_b),
    .index_i (word_index),
    .x_i,
    .y_i,
    .m_i,
    .s_i     (s_o),
    .c_i     (c_o),
    .const_i (constants),
    .word_o  (add_b)
  );

  word_serial_modular_adder #(
    .Width   (Width),
    .AddWidth(AddWidth),
    .Guard   (Guard)
  ) u_adder (
    .clk_i,
    .rst_ni,
    .start_i     (add_start),
    .reduction_i (add_reduction),
    .m_i,
    .word_index_o(word_index),
    .a_i         (add_a),
    .b_i         (add_b),
    .done_o      (add_done),
    .value_o     (add_value),
    .subtracted_o(add_subtracted_o),
    .exact_o     (add_exact_o),
    .above_one_o (add_above_one)
  );

  montgomery_inverse #(
    .MaxBits(InverseWidth)
  ) u_inverse (
    .clk_i,
    .rst_ni,
    .start_i(inverse_start),
    .binary_i(field),
    .bits_i (inverse_bits),
    .value_i(InverseWidth'(1)),
    .m_i    (m_i[InverseWidth-1:0]),
    .done_o (inverse_done),
    .value_o(inverse_value)
  );

  // m' is constant 0 of the cores that use it.
  assign m_prime_o      = constants[Width-1:0];
  step_t first_step;
  assign first_step     = core_program[StepBits-1:0];
  assign m_prime_used_o = (first_step.operation == StepInverse);

  // A result that is kept beside the adder: the operand of the next product.
  logic [Width-1:0] product_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) product_q <= '0;
    else if (result_done_o && !keep_q) product_q <= add_value[Width-1:0];
  end

  assign result_o = product_q;

  logic unused_bits;
  assign unused_bits = ^{first_step, add_value[Width+Guard:Width]};

endmodule
