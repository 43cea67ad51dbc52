// SPDX-License-Identifier: Apache-2.0
//
// Modular multiplier behind a bus: operand loader, control, word-serial modular adder, and the core
// named by the macro MULTIPLIER_CORE (default fast_montgomery).
//
//   P = X*Y*2**-Width mod M (Montgomery cores) or X*Y mod M (interleaved cores), 0 <= P < M,
//   and the core's redundant result S, C
//
// Every core keeps the same contract, so that this file never names one:
//   clk_i, rst_ni, start_i, x_i, y_i, m_i (Width bits, steady while busy), const_i
//     -> busy_o, done_o (one clock), s_o, c_o (Width + 2 bits, steady from done_o to the next start)
//   program_o           which word-serial additions come before and after the run (multiplier_pkg)
//   odd_modulus_only_o  1 for a core in the Montgomery domain
//   table_valid_o, table_addr_o, state_o   observation, read by the test bench alone
//
// Bus, commands and codes: operand_loader and multiplier_pkg. done_o is high from the end of an
// operation to the next start. No path is longer than AddWidth bits of carry.
// Latency: see multiplier_control; the registry entry of the architecture has the formula.
//
// Source: Amanor (2005), ch. 5.3 (registers in front of the multiplier) and step P of each algorithm.

`ifndef MULTIPLIER_CORE
`define MULTIPLIER_CORE fast_montgomery
`endif  // MULTIPLIER_CORE

module multiplier
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int BusWidth = 32,
  parameter int SelWidth = 2,
  parameter int AddWidth = 32
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                req_i,
  input  logic                write_i,
  input  logic [SelWidth-1:0] sel_i,
  input  logic [BusWidth-1:0] wdata_i,
  input  logic                wait_i,
  output logic                ack_o,
  output logic                err_o,
  output logic [BusWidth-1:0] rdata_o,
  output logic                busy_o,
  output logic                done_o
);

  localparam int AddWords = (Width + 2 + AddWidth) / AddWidth;
  localparam int IndexWidth = (AddWords > 1) ? $clog2(AddWords) : 1;

  logic [Width-1:0] x, y, m;
  logic [Width+1:0] s, c;
  logic [ConstSlots*(Width+1)-1:0] constants;
  logic m_written, start, raw, incomplete, overwide;
  logic [3:0] status;
  logic core_start, core_done, core_busy, odd_modulus_only;
  logic [ProgramBits-1:0] core_program;
  logic add_start, add_done, add_subtracted, add_exact, add_above_one;
  logic [1:0] add_reduction;
  logic [3:0] add_source_a, add_source_b;
  logic [Width+2:0] add_value;
  // Observed by the test bench.
  logic [2:0] control_state;
  logic [1:0] core_state;
  logic result_done, table_valid;
  logic [TableAddressWidth-1:0] table_addr;

  operand_loader #(
    .Width   (Width),
    .BusWidth(BusWidth),
    .SelWidth(SelWidth)
  ) u_loader (
    .clk_i,
    .rst_ni,
    .req_i,
    .write_i,
    .sel_i,
    .wdata_i,
    .wait_i,
    .ack_o,
    .err_o,
    .rdata_o,
    .x_o         (x),
    .y_o         (y),
    .m_o         (m),
    .m_written_o (m_written),
    .start_o     (start),
    .raw_o       (raw),
    .incomplete_o(incomplete),
    .overwide_o  (overwide),
    .busy_i      (busy_o),
    .status_i    (status),
    .p_i         (add_value[Width-1:0]),
    .s_i         (s),
    .c_i         (c)
  );

  multiplier_control #(
    .Width(Width)
  ) u_control (
    .clk_i,
    .rst_ni,
    .start_i           (start),
    .raw_i             (raw),
    .incomplete_i      (incomplete),
    .overwide_i        (overwide),
    .m_written_i       (m_written),
    .m_odd_i           (m[0]),
    .busy_o,
    .done_o,
    .status_o          (status),
    .program_i         (core_program),
    .odd_modulus_only_i(odd_modulus_only),
    .core_start_o      (core_start),
    .core_done_i       (core_done),
    .const_o           (constants),
    .add_start_o       (add_start),
    .add_reduction_o   (add_reduction),
    .add_source_a_o    (add_source_a),
    .add_source_b_o    (add_source_b),
    .add_done_i        (add_done),
    .add_value_i       (add_value),
    .add_subtracted_i  (add_subtracted),
    .add_above_one_i   (add_above_one),
    .state_o           (control_state),
    .result_done_o     (result_done)
  );

  `MULTIPLIER_CORE #(
    .Width(Width)
  ) u_core (
    .clk_i,
    .rst_ni,
    .start_i           (core_start),
    .x_i               (x),
    .y_i               (y),
    .m_i               (m),
    .const_i           (constants),
    .busy_o            (core_busy),
    .done_o            (core_done),
    .s_o               (s),
    .c_o               (c),
    .program_o         (core_program),
    .odd_modulus_only_o(odd_modulus_only),
    .table_valid_o     (table_valid),
    .table_addr_o      (table_addr),
    .state_o           (core_state)
  );

  // Word multiplexers in front of the adder.
  logic [IndexWidth-1:0] word_index;
  logic [AddWidth-1:0] add_a, add_b;

  word_selector #(
    .Width   (Width),
    .AddWidth(AddWidth)
  ) u_select_a (
    .source_i(add_source_a),
    .index_i (word_index),
    .x_i     (x),
    .y_i     (y),
    .m_i     (m),
    .s_i     (s),
    .c_i     (c),
    .const_i (constants),
    .word_o  (add_a)
  );

  word_selector #(
    .Width   (Width),
    .AddWidth(AddWidth)
  ) u_select_b (
    .source_i(add_source_b),
    .index_i (word_index),
    .x_i     (x),
    .y_i     (y),
    .m_i     (m),
    .s_i     (s),
    .c_i     (c),
    .const_i (constants),
    .word_o  (add_b)
  );

  word_serial_modular_adder #(
    .Width   (Width),
    .AddWidth(AddWidth)
  ) u_adder (
    .clk_i,
    .rst_ni,
    .start_i     (add_start),
    .reduction_i (add_reduction),
    .m_i         (m),
    .word_index_o(word_index),
    .a_i         (add_a),
    .b_i         (add_b),
    .done_o      (add_done),
    .value_o     (add_value),
    .subtracted_o(add_subtracted),
    .exact_o     (add_exact),
    .above_one_o (add_above_one)
  );

  logic unused_observation;
  assign unused_observation = ^{core_busy, control_state, core_state, result_done, table_valid,
                                table_addr, add_exact, add_value[Width+2:Width]};

endmodule
