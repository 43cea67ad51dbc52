// SPDX-License-Identifier: Apache-2.0
//
// Signals of a multiplier for the observers and the waveforms of the test bench: the members of the
// unit's view, because neither cocotb nor a waveform shows a member of a struct. Their names and
// meaning are those of multiplier_view_t. The module has wires only.
//
// Latency: none.
//
// Source: none.

module multiplier_view
  import multiplier_pkg::*;
(
  input logic             start_i,
  input multiplier_view_t view_i
);

  logic start;
  logic [2:0] control_state;
  logic [1:0] core_state;
  logic core_start, core_ready, core_done, core_busy;
  logic result_done, add_pass_done, add_subtracted, add_sum_done, add_again;
  logic carry_first, carry_valid, digit_first, digit_queued, digit_report;
  logic [TablePositions-1:0] table_valid;
  logic [ TableAddrBits-1:0] table_addr;
  logic [ PositionWidth-1:0] carry_word;

  assign start          = start_i;
  assign control_state  = view_i.state;
  assign core_start     = view_i.core_start;
  assign core_ready     = view_i.core_ready;
  assign core_done      = view_i.core_done;
  assign core_busy      = view_i.core_busy;
  assign core_state     = view_i.core_state;
  assign table_valid    = view_i.table_valid;
  assign table_addr     = view_i.table_addr;
  assign digit_first    = view_i.ring.digit_first;
  assign digit_queued   = view_i.ring.digit_queued;
  assign digit_report   = view_i.ring.digit_report;
  assign carry_first    = view_i.ring.carry_first;
  assign carry_valid    = view_i.carry_valid;
  assign carry_word     = view_i.carry_word;
  assign result_done    = view_i.result_done;
  assign add_pass_done  = view_i.pass_done;
  assign add_subtracted = view_i.subtracted;
  assign add_sum_done   = view_i.sum_done;
  assign add_again      = view_i.ring.again;

endmodule
