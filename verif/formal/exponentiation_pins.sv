// SPDX-License-Identifier: Apache-2.0
//
// Property: every rule of interface_checks holds in every cycle at the pins of the exponentiation
// core.
//
// Covers any sequence of pins, as multiplier_pins does. The only assumption is a reset in the first
// cycle. Two rules are checked only in simulation, in every run: Unused and DataSteady, because
// they concern the memory of the result.

`ifndef TOP_PARAMETERS
`define TOP_PARAMETERS
`endif  // TOP_PARAMETERS

module exponentiation_pins
  import multiplier_pkg::*;
#(
  parameter int Width = 12,
  parameter int BusWidth = 8,
  parameter int AddressWidth = 3,
  parameter int WordWidth = 17,
  parameter int DigitWidth = 16,
  parameter int Words = 3,
  parameter int RadixBits = 48,
  parameter int MPrimeBits = 16,
  parameter int ScaleBits = 0,
  parameter int Guard = 2,
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

  localparam int MPrimeWidth = (ScaleBits > 0) ? Width : (MPrimeBits > 0) ? MPrimeBits : 1;
  logic ack, err, busy, done;
  logic [BusWidth-1:0] rdata, expected;
  logic [Rules-1:0] wrong;
  logic begun_q = 1'b0;

  exponentiation #(
    .Width     (Width),
    .BusWidth  (BusWidth),
    .AddressWidth  (AddressWidth),
    .WordWidth (WordWidth),
    .DigitWidth(DigitWidth),
    .Words     (Words),
    .RadixBits (RadixBits),
    .MPrimeBits(MPrimeBits),
    .ScaleBits (ScaleBits),
    .Guard     (Guard)
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
    .Exponentiation(1'b1),
    .Width         (Width),
    .BusWidth      (BusWidth),
    .AddressWidth      (AddressWidth),
    .Guard         (Guard),
    .MPrimeWidth   (MPrimeWidth)
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
  localparam int DataSteady = 11;
  for (genvar i = 0; i < Rules; i++) begin : gen_rule
    if ((i != Unused) && (i != DataSteady)) begin : gen_shown
      always_comb if (begun_q) assert (!wrong[i]);
    end
  end

  always_comb if (!begun_q) assume (!rst_ni);

  exponentiation_invariants #(
    .Width      (Width),
    .BusWidth   (BusWidth),
    .MPrimeWidth(MPrimeWidth)
  ) u_invariants (
    .check_i(begun_q && rst_ni)
  );

endmodule
