// SPDX-License-Identifier: Apache-2.0
//
// Signals of an exponentiation core for the observers and the waveforms of the test bench. The
// module has wires only, no register. Its signals have the same names and meaning for every core.
// a_: of the multiplier that makes A; s_: of the multiplier that makes S.
//
//   start                    an operation begins; control_state: exp_state_e
//   product_start, _done     a product of A (not u*M); product_ready: control_state is that of the
//                            product that ends with the next product_done
//   exponent_bit             bit of the product that starts; product_position: where in the core
//   a_word_valid, _at, _word a word of a product: its lowest bit is bit a_word_at of the product
//   add_nonzero              a word of the difference is not 0
//   add_pass_done            a pass of the adder has ended; add_subtracted: it kept the difference
//   add_sum_done             that pass was the last of a sum; result_done: the sum is the result
//   others                   stream_observation_t
//
// Without a Montgomery domain (Domain = 0) the adders are those of the multipliers. result_done
// then marks the products of the loop only: those of entry and exit have nothing to reduce.
//
// Latency: none.
//
// Source: none.

module exponentiation_view
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int Guard = 2,
  parameter int WordWidth = 17,
  parameter bit Domain = 1'b1,
  parameter bit Scaled = 1'b0
) (
  input exp_request_t                        request_i,
  input exp_control_t                        control_i,
  input logic                [          3:0] state_i,
  input logic                                exponent_bit_i,
  input stream_status_t                      a_status_i,
  input stream_status_t                      s_status_i,
  input stream_observation_t                 a_observation_i,
  input stream_observation_t                 s_observation_i,
  input logic                                a_write_i,
  input logic                [WordWidth-1:0] a_word_i,
  input logic                [WordWidth-1:0] s_word_i,
  input exp_outcome_t                        outcome_i,
  input logic                                nonzero_i
);

  logic start, exponent_bit, product_start, product_done, product_ready, top_carry;
  logic a_digit_first, a_digit_queued, a_digit_report;
  logic s_digit_first, s_digit_queued, s_digit_report;
  logic result_done, add_nonzero, add_pass_done, add_subtracted, add_sum_done;
  logic [3:0] control_state;
  logic [PositionWidth-1:0] product_position;
  logic [TablePositions-1:0] a_table_valid, s_table_valid;
  logic [TableAddrBits-1:0] a_table_addr, s_table_addr;
  logic [1:0] a_core_state, s_core_state;
  logic a_ready, s_ready, a_valid, s_valid;
  logic [WordIndexWidth-1:0] a_index, s_index;
  logic a_word_valid, s_word_valid;
  logic [15:0] a_word_at, s_word_at;
  logic [Width+Guard-1:0] a_word, s_word;

  assign start = request_i.start;
  assign control_state = state_i;
  assign exponent_bit = exponent_bit_i;
  assign product_start = control_i.start_a && !control_i.scale;
  assign product_done = a_status_i.done && !control_i.scale;
  assign product_ready = a_status_i.ready;
  assign product_position = a_observation_i.position;
  assign a_table_valid = control_i.scale ? '0 : a_observation_i.table_valid;
  assign s_table_valid = s_observation_i.table_valid;
  assign a_table_addr = a_observation_i.table_addr;
  assign s_table_addr = s_observation_i.table_addr;
  assign a_digit_first = a_observation_i.digit_first;
  assign a_digit_queued = a_observation_i.digit_queued;
  assign a_digit_report = a_observation_i.digit_report;
  assign s_digit_first = s_observation_i.digit_first;
  assign s_digit_queued = s_observation_i.digit_queued;
  assign s_digit_report = s_observation_i.digit_report;
  assign a_core_state = a_observation_i.state;
  assign s_core_state = s_observation_i.state;
  assign result_done      = !Domain
                          ? a_observation_i.result_done && control_i.bit_step
                          : outcome_i.done && (Scaled ? control_i.subtract : control_i.product);
  assign add_nonzero = Domain ? nonzero_i : a_observation_i.sum_nonzero;
  assign add_pass_done = Domain ? outcome_i.done : a_observation_i.pass_done;
  assign add_subtracted = Domain ? !outcome_i.negative : a_observation_i.subtracted;
  assign add_sum_done = Domain || a_observation_i.sum_done;
  assign top_carry = a_observation_i.top_carry || s_observation_i.top_carry;
  assign a_ready = a_status_i.ready;
  assign s_ready = s_status_i.ready;
  assign a_valid = a_status_i.valid;
  assign s_valid = s_status_i.valid;
  assign a_index = a_status_i.index;
  assign s_index = s_status_i.index;
  assign a_word_valid = a_valid && a_write_i;
  assign a_word_at = 16'(32'(a_index) * WordWidth);
  assign a_word = (Width + Guard)'(a_word_i);
  assign s_word_valid = s_valid;
  assign s_word_at = 16'(32'(s_index) * WordWidth);
  assign s_word = (Width + Guard)'(s_word_i);

  // Signals for waveforms alone, and members of structs that no observer reads.
  logic unused_bits;
  assign unused_bits = ^{
    a_ready, s_ready, a_index, s_index, control_i, request_i, a_status_i, s_status_i,
    a_observation_i, s_observation_i, outcome_i
  };

endmodule
