// SPDX-License-Identifier: Apache-2.0
//
// Interface monitor (test bench): reports to Python the first cycle in which a pin of the design
// violates a rule of interface_checks. valid_o then rises at the falling edge and stays high. Only
// the first violation is reported, because the job has failed and later violations say little.
//
// report_o, most significant field first: cycles since the simulation began (32); unknown bits of
// {rdata_o, done_o, busy_o, err_o, ack_o} (BusWidth + 4); violated rules (Rules); the pins, 0 where
// unknown (BusWidth + 4); the word expected on rdata_o (BusWidth). Nothing is checked before the
// first reset.

module interface_monitor
  import bench_pkg::*;
#(
  parameter bit Exponentiation = 1'b0,
  parameter int Width = 32,
  parameter int BusWidth = 32,
  parameter int AddressWidth = 2,
  parameter int Guard = 2,
  parameter int MPrimeWidth = 1,
  parameter bit Binary = 1'b0,
  // Derived, do not set.
  parameter int Rules = 14,
  parameter int ReportBits = report_bits(BusWidth)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    req_i,
  input  logic                    write_i,
  input  logic [AddressWidth-1:0] addr_i,
  input  logic [    BusWidth-1:0] wdata_i,
  input  logic                    wait_i,
  input  logic                    ack_i,
  input  logic                    err_i,
  input  logic [    BusWidth-1:0] rdata_i,
  input  logic                    busy_i,
  input  logic                    done_i,
  output logic                    valid_o,
  output logic [  ReportBits-1:0] report_o
);

  logic [Rules-1:0] wrong;
  logic [BusWidth-1:0] expected;

  interface_checks #(
    .Exponentiation(Exponentiation),
    .Width         (Width),
    .BusWidth      (BusWidth),
    .AddressWidth  (AddressWidth),
    .Guard         (Guard),
    .MPrimeWidth   (MPrimeWidth),
    .Binary        (Binary)
  ) u_checks (
    .clk_i,
    .rst_ni,
    .req_i,
    .write_i,
    .addr_i,
    .wdata_i,
    .wait_i,
    .ack_i,
    .err_i,
    .rdata_i,
    .busy_i,
    .done_i,
    .wrong_o   (wrong),
    .expected_o(expected)
  );

  // Replace unknown bits by 0 in the report: an unknown pin makes other rules and expected words
  // unknown, and Python must not read unknown bits.
  localparam int Reported = Rules + 2 * BusWidth + 4;
  logic [BusWidth+3:0] pins, unknown;
  logic [Reported-1:0] seen, reported;
  assign pins = {rdata_i, done_i, busy_i, err_i, ack_i};
  assign seen = {wrong, pins, expected};
  for (genvar i = 0; i < BusWidth + 4; i++) begin : gen_unknown
    assign unknown[i] = $isunknown(pins[i]);
  end
  for (genvar i = 0; i < Reported; i++) begin : gen_reported
    assign reported[i] = (seen[i] === 1'b1);
  end

  logic [31:0] clock_q;
  logic seen_reset_q, broken_q;
  initial begin
    clock_q      = '0;
    seen_reset_q = 1'b0;
    broken_q     = 1'b0;
    valid_o      = 1'b0;
  end

  always @(negedge rst_ni) seen_reset_q <= 1'b1;

  always @(posedge clk_i) begin
    clock_q <= clock_q + 1'b1;
    if (seen_reset_q && !broken_q && (reported[Reported-1-:Rules] != '0)) begin
      broken_q <= 1'b1;
      report_o <= {clock_q, unknown, reported};
    end
  end
  always @(negedge clk_i) valid_o <= broken_q;

endmodule
