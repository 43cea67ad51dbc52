// SPDX-License-Identifier: Apache-2.0
//
// Property: every rule of interface_checks holds in every clock at the pins of the exponentiation
// core.
//
// Any sequence of pins, as for multiplier_pins, and any multiplier: the units are those of
// verif/formal/multiplier_unit.sv. The assumptions: two units that were started together are ready
// together, which exponent_secrecy shows of a core; a unit that has prepared a modulus says one of
// the statuses that control_progress shows to be all. Reset at any time.

module exponentiation_pins
  import multiplier_pkg::*;
#(
  parameter int Width = 12,
  parameter int BusWidth = 8,
  parameter int SelWidth = 3,
  parameter int AddWidth = 32,
  parameter int MPrimeWidth = 9,
  parameter int Guard = 2,
  // Derived, do not set.
  parameter int Rules = 14
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic                req_i,
  input logic                write_i,
  input logic [SelWidth-1:0] sel_i,
  input logic [BusWidth-1:0] wdata_i,
  input logic                wait_i,
  // The units
  input logic                ready_i,
  input logic [         3:0] outcome_i,
  input logic [   Width-1:0] result_i,
  input logic [   Width-1:0] m_prime_i
);

  logic ack, err, busy, done;
  logic [BusWidth-1:0] rdata, expected;
  logic [Rules-1:0] wrong;
  logic begun_q = 1'b0;

  exponentiation_parallel #(
    .Width   (Width),
    .BusWidth(BusWidth),
    .SelWidth(SelWidth),
    .AddWidth(AddWidth),
    .MPrimeWidth(MPrimeWidth),
    .Guard   (Guard)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .req_i,
    .write_i,
    .sel_i,
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
    .SelWidth      (SelWidth),
    .Guard         (Guard),
    .MPrimeWidth   (MPrimeWidth)
  ) u_checks (
    .clk_i,
    .rst_ni,
    .req_i,
    .write_i,
    .sel_i,
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

  // What is not known of the units.
  if (1) begin : gen_units
    logic ready, m_prime_used_q;
    logic [15:0] radix_bits_q;
    logic [ 3:0] outcome;
    logic [Width-1:0] result, m_prime;
    assign ready   = ready_i;
    assign outcome = outcome_i;
    assign result  = result_i;
    assign m_prime = m_prime_i;
    // Any kind of core, the same in every clock.
    always_ff @(posedge clk_i) begin
      m_prime_used_q <= m_prime_used_q;
      radix_bits_q   <= radix_bits_q;
    end
    always_comb begin
      assume (!m_prime_used_q || (radix_bits_q != '0));
      assume ((outcome == StatusOk) || (outcome == StatusModulusZeroOrOne)
              || (outcome == StatusModulusEven) || (outcome == StatusOperandRange));
    end
  end

  always_ff @(posedge clk_i) begun_q <= 1'b1;

  for (genvar i = 0; i < Rules; i++) begin : gen_rule
    always_comb if (begun_q) assert (!wrong[i]);
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
