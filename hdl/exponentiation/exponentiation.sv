// SPDX-License-Identifier: Apache-2.0
//
// Exponentiation core for RSA behind a bus, on two multipliers: one for A and one for S.
//
//   Result = Data**Exponent mod M, 0 <= Result < M
//
//   sel_i   write                                            read
//   0       Data, below M                                    Result, while the status is Ok
//   1       Exponent: can never be read                      -
//   2       M, odd unless the core is an interleaved one     -
//   3       command                                          status word
//   4       R**2 mod M (optional)                            -
//   5       m' = -1/M mod 2**MPrimeWidth (optional)          -
//   6       Length, 16 bits: exponent bits to work off       -
//
// Length is Width until it is written: 17 is the public-exponent mode for e = 65537. R**2: used if
// written since the last start (and checked), else kept if M was not written, else computed. m'
// is always computed, and compared if written since the last start. Cores that need neither ignore
// them. R is 2**radix_bits of the core, see its registry entry.
//
// Security: the time depends on Width, Length and on whether R**2 is supplied, kept or computed,
// and on no value (with an interleaved core on the number of leading zeros of M). Zeroise clears
// all operands, intermediate values and results in the clock after its acknowledge, in
// mid-operation, too; reset does the same. Nothing but Result can be read, and it only after
// success.
//
// What happens behind the pins: exponentiation_ring, over two ring cores, or two bit-serial or
// interleaved ones in their place.
//
// Everything that a host can see: hdl/docs/interface.md; codes: multiplier_pkg.
// Latency: models/ring_exponentiation.py has the formula.
//
// Source: Michalski & Buell, Algorithm 4, ch. 5.5 and figure 7; Amanor (2005), ch. 6.5.

`ifndef MULTIPLIER_UNIT_PARAMETERS
`define MULTIPLIER_UNIT_PARAMETERS
`endif  // MULTIPLIER_UNIT_PARAMETERS

module exponentiation
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int BusWidth = 32,
  parameter int SelWidth = 3,
  parameter int AddWidth = 32,
  parameter int MPrimeWidth = 16,
  parameter int Guard = 2
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

  // Observed by the test bench: what happens inside, and the products word by word (bits at_o and
  // up of the product).
  exponentiation_observation_t observation;
  logic [Width+Guard-1:0] a_word, s_word;
  logic a_word_valid, s_word_valid;
  logic [15:0] a_word_at, s_word_at;

  exponentiation_ring #(
    .Width   (Width),
    .BusWidth(BusWidth),
    .SelWidth(SelWidth),
    .Guard   (Guard)
    `MULTIPLIER_UNIT_PARAMETERS
  ) u_core (
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
    .busy_o,
    .done_o,
    .observation_o (observation),
    .a_word_valid_o(a_word_valid),
    .a_word_at_o   (a_word_at),
    .a_word_o      (a_word),
    .s_word_valid_o(s_word_valid),
    .s_word_at_o   (s_word_at),
    .s_word_o      (s_word)
  );

  // Words are those of the core, and it knows what it has in the place of m'.
  localparam int UnusedParameters = AddWidth + MPrimeWidth;
  logic [31:0] unused_parameters;
  assign unused_parameters = UnusedParameters;

  // Struct members are no handles in a bench.
  logic start, exponent_bit, product_start, product_done, product_ready, top_carry;
  logic a_digit_first, a_digit_queued, a_digit_report;
  logic s_digit_first, s_digit_queued, s_digit_report;
  logic result_done, add_nonzero, add_pass_done, add_subtracted, add_sum_done;
  logic [3:0] control_state;
  logic [PositionWidth-1:0] product_position;
  logic [TablePositions-1:0] a_table_valid, s_table_valid;
  logic [TableAddrBits-1:0] a_table_addr, s_table_addr;
  logic [1:0] a_core_state, s_core_state;

  assign start            = observation.start;
  assign control_state    = observation.control_state;
  assign exponent_bit     = observation.exponent_bit;
  assign product_start    = observation.product_start;
  assign product_done     = observation.product_done;
  assign product_ready    = observation.product_ready;
  assign product_position = observation.product_position;
  assign a_table_valid    = observation.a_table_valid;
  assign s_table_valid    = observation.s_table_valid;
  assign a_table_addr     = observation.a_table_addr;
  assign s_table_addr     = observation.s_table_addr;
  assign a_digit_first    = observation.a_digit_first;
  assign a_digit_queued   = observation.a_digit_queued;
  assign a_digit_report   = observation.a_digit_report;
  assign s_digit_first    = observation.s_digit_first;
  assign s_digit_queued   = observation.s_digit_queued;
  assign s_digit_report   = observation.s_digit_report;
  assign a_core_state     = observation.a_core_state;
  assign s_core_state     = observation.s_core_state;
  assign result_done      = observation.result_done;
  assign add_nonzero      = observation.add_nonzero;
  assign add_pass_done    = observation.add_pass_done;
  assign add_subtracted   = observation.add_subtracted;
  assign add_sum_done     = observation.add_sum_done;
  assign top_carry        = observation.top_carry;

  logic unused_observation;
  assign unused_observation = ^{
    start, control_state, exponent_bit, product_start, product_done, product_ready,
    product_position, a_table_valid, s_table_valid, a_table_addr, s_table_addr, a_digit_first,
    a_digit_queued, a_digit_report, s_digit_first, s_digit_queued, s_digit_report, a_core_state,
    s_core_state, result_done, add_nonzero, add_pass_done, add_subtracted, add_sum_done, top_carry,
    a_word_valid, s_word_valid, a_word_at, s_word_at, a_word, s_word
  };

endmodule
