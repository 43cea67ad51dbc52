// SPDX-License-Identifier: Apache-2.0
//
// Property: the response of a ring core to the start of a single product, and its timing, for all
// words and digits.
//
//   ready is high exactly ReadyCycles cycles after a start, done exactly DoneCycles cycles after it
//   busy is high from the cycle after the start to done, and in no other cycle
//
// Assumption: no start while busy (ring_unit_control guarantees it). Words, digits and m' may
// change in every cycle, so no timing depends on them. Reset at any time.

`ifndef MULTIPLIER_STREAM_CORE
`define MULTIPLIER_STREAM_CORE mwrkmm
`endif  // MULTIPLIER_STREAM_CORE
`ifndef MULTIPLIER_STREAM_CORE_PARAMETERS
`define MULTIPLIER_STREAM_CORE_PARAMETERS
`endif  // MULTIPLIER_STREAM_CORE_PARAMETERS

module ring_protocol
  import multiplier_pkg::*;
#(
  parameter int Width = 8,
  parameter int WordWidth = 17,
  parameter int DigitWidth = 16,
  parameter int ReadyCycles = 9,
  parameter int DoneCycles = 9
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic                  start_i,
  input logic [DigitWidth-1:0] digit_i,
  input logic [ WordWidth-1:0] y_i,
  input logic [ WordWidth-1:0] m_i,
  input logic [DigitWidth-1:0] m_prime_i
);

  localparam int AgeWidth = $clog2(DoneCycles + 2);

  stream_control_t control;
  stream_status_t status;
  logic begun_q = 1'b0;
  logic [AgeWidth-1:0] age_q;  // cycles since the start, 0 while idle

  assign control.start = start_i;
  assign control.kind  = ProductSingle;

  `MULTIPLIER_STREAM_CORE #(
    .Width(Width),
    .Chain(1'b0)
    `MULTIPLIER_STREAM_CORE_PARAMETERS
  ) u_core (
    .clk_i,
    .rst_ni,
    .control_i(control),
    .status_o (status),
    .digit_i,
    .y_i,
    .m_i,
    .m_prime_i
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) age_q <= '0;
    else if (start_i) age_q <= AgeWidth'(1);
    else if (age_q != '0) age_q <= (age_q == AgeWidth'(DoneCycles)) ? '0 : age_q + 1'b1;
  end

  always_ff @(posedge clk_i) begun_q <= 1'b1;

  always_comb begin
    if (!begun_q) assume (!rst_ni);
    assume (!(start_i && status.busy));
    if (begun_q && rst_ni) begin
      assert (status.busy == (age_q != '0));
      assert (status.ready == ((age_q != '0) && (age_q == AgeWidth'(ReadyCycles))));
      assert (status.done == ((age_q != '0) && (age_q == AgeWidth'(DoneCycles))));
    end
  end

endmodule
