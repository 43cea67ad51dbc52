// SPDX-License-Identifier: Apache-2.0
//
// Property: every rule of interface_checks holds in every cycle at the pins of the multiplier.
//
// Covers any sequence of pins: requests of one cycle, requests that are withdrawn or changed while
// they wait or are acknowledged, commands and transfers at any time, resets at any time. The only
// assumption is a reset in the first cycle. With word streams the rule Unused concerns the memories
// of the results, and only the simulation checks it.

`ifndef TOP_PARAMETERS
`define TOP_PARAMETERS
`endif  // TOP_PARAMETERS

module multiplier_pins
  import multiplier_pkg::*;
#(
  parameter int Width = 12,
  parameter int BusWidth = 8,
  parameter int AddressWidth = 2,
  parameter int AddWidth = 32,
  parameter int Guard = 2,
  parameter int Binary = 0,
  // Derived, do not set.
  parameter int Rules = 14
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic                req_i,
  input logic                write_i,
  input logic [AddressWidth-1:0] addr_i,
  input logic [BusWidth-1:0] wdata_i,
  input logic                wait_i
);

  logic ack, err, busy, done;
  logic [BusWidth-1:0] rdata, expected;
  logic [Rules-1:0] wrong;
  logic begun_q = 1'b0;

  multiplier #(
    .Width   (Width),
    .BusWidth(BusWidth),
    .AddressWidth(AddressWidth),
    .AddWidth(AddWidth),
    .Guard   (Guard)
    `TOP_PARAMETERS
  ) u_dut (
    .clk_i,
    .rst_ni,
    .req_i,
    .write_i,
    .addr_i,
    .wdata_i,
    .wait_i,
    .ack_o  (ack),
    .err_o  (err),
    .rdata_o(rdata),
    .busy_o (busy),
    .done_o (done)
  );

  interface_checks #(
    .Exponentiation(1'b0),
    .Width         (Width),
    .BusWidth      (BusWidth),
    .AddressWidth      (AddressWidth),
    .Guard         (Guard),
    .Binary        (Binary != 0)
  ) u_checks (
    .clk_i,
    .rst_ni,
    .req_i,
    .write_i,
    .addr_i,
    .wdata_i,
    .wait_i,
    .ack_i     (ack),
    .err_i     (err),
    .rdata_i   (rdata),
    .busy_i    (busy),
    .done_i    (done),
    .wrong_o   (wrong),
    .expected_o(expected)
  );

  always_ff @(posedge clk_i) begun_q <= 1'b1;

  localparam int Unused = 9;
`ifdef STREAM_WORD_WIDTH
  localparam bit Memories = 1'b1;
`else
  localparam bit Memories = 1'b0;
`endif  // STREAM_WORD_WIDTH
  for (genvar i = 0; i < Rules; i++) begin : gen_rule
    if (!Memories || (i != Unused)) begin : gen_shown
      always_comb if (begun_q) assert (!wrong[i]);
    end
  end

  always_comb if (!begun_q) assume (!rst_ni);

  multiplier_invariants #(
    .Width   (Width),
    .BusWidth(BusWidth),
    .Guard   (Guard)
  ) u_invariants (
    .check_i(begun_q && rst_ni)
  );

endmodule
