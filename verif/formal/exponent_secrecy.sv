// SPDX-License-Identifier: Apache-2.0
//
// Property: nothing but the result depends on the exponent.
//
//   Two exponentiation cores get the same transfers, except for the words of the exponent, which
//   may differ in every bit. In every cycle both drive the same ack_o, err_o, busy_o and done_o, so
//   the time depends on no exponent bit. Both drive the same rdata_o, unless the transfer was a
//   read of the result.
//
// Assumptions: both exponents are below 2**Length or both are not (the status reports it); the host
// holds a request until its acknowledge. Covers any sequence of transfers within the depth; reset
// at any time.

`ifndef TOP_PARAMETERS
`define TOP_PARAMETERS
`endif  // TOP_PARAMETERS

module exponent_secrecy
  import multiplier_pkg::*;
#(
  parameter int Width = 8,
  parameter int BusWidth = 8,
  parameter int AddressWidth = 3,
  parameter int WordWidth = 17,
  parameter int DigitWidth = 16,
  parameter int Words = 3,
  parameter int RadixBits = 48,
  parameter int MPrimeBits = 16,
  parameter int ScaleBits = 0,
  parameter int Guard = 2
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic                req_i,
  input logic                write_i,
  input logic [AddressWidth-1:0] addr_i,
  input logic [BusWidth-1:0] wdata_i,
  input logic [BusWidth-1:0] other_i,
  input logic                wait_i
);

  logic is_exponent, begun_q, reset_q, req_q, write_q, result_q;
  logic [AddressWidth-1:0] addr_q;
  logic [BusWidth-1:0] wdata_q, other_q;
  logic [1:0] ack, err, busy, done;
  logic [1:0][BusWidth-1:0] rdata;

  initial begun_q = 1'b0;
  assign is_exponent = (addr_i == AddressWidth'(ExponentiationAddressExponent));

  for (genvar i = 0; i < 2; i++) begin : gen_copy
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
    ) u_top (
      .clk_i,
      .rst_ni,
      .req_i,
      .write_i,
      .addr_i,
      .wdata_i(((i == 1) && is_exponent) ? other_i : wdata_i),
      .wait_i,
      .ack_o  (ack[i]),
      .err_o  (err[i]),
      .rdata_o(rdata[i]),
      .busy_o (busy[i]),
      .done_o (done[i])
    );
  end

  // rdata_o holds a word of the result.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      result_q <= 1'b0;
    end else if (req_i && !ack[0] && !wait_i) begin
      result_q <= !write_i && (addr_i == AddressWidth'(ExponentiationAddressDataResult));
    end
  end

  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    reset_q <= rst_ni;
    req_q   <= req_i;
    write_q <= write_i;
    addr_q   <= addr_i;
    wdata_q <= wdata_i;
    other_q <= other_i;
  end

  always_comb begin
    if (!begun_q) assume (!rst_ni);
    if (begun_q && reset_q && req_q && !ack[0]) begin
      assume (req_i && (write_i == write_q) && (addr_i == addr_q) && (wdata_i == wdata_q)
              && (other_i == other_q));
    end
    assume (gen_copy[0].u_top.u_host.exponent_legal == gen_copy[1].u_top.u_host.exponent_legal);

    if (begun_q && rst_ni) begin
      assert (ack[0] == ack[1]);
      assert (err[0] == err[1]);
      assert (busy[0] == busy[1]);
      assert (done[0] == done[1]);
      assert (result_q || (rdata[0] == rdata[1]));
    end
  end

endmodule
