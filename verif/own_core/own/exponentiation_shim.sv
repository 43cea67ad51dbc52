// SPDX-License-Identifier: Apache-2.0
//
// Shim of exponentiation: base, exponent, modulus and length go in over its bus, and R**2 and m' if
// Constants says so (0: neither, 1: R**2, 2: both); the status and the result come out, see
// bus_host.
//
// Latency: as of bus_host with Count = 3*BusWords + LengthWords and the words of the constants.

module exponentiation_shim
  import multiplier_pkg::*;
  import core_pkg::*;
#(
  parameter int Width = 32,
  parameter int Guard = 2,
  parameter int BusWidth = 32,
  parameter int WordWidth = 17,
  parameter int DigitWidth = 16,
  parameter int Words = 3,
  parameter int RadixBits = 48,
  parameter int MPrimeBits = 16,
  parameter int ScaleBits = 0,
  parameter int Core = CoreMwrkmm,
  parameter int Unfolding = 1,
  parameter int Elements = 1,
  parameter int Stages = 1,
  parameter int Latency = 3,
  parameter int UnitWidth = 1,
  parameter int Units = 1,
  parameter int Constants = 0,
  // Derived, do not set.
  parameter int MPrimeWidth = (ScaleBits > 0) ? Width : (MPrimeBits > 0) ? MPrimeBits : 1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   start_i,
  input  logic [      Width-1:0] base_i,
  input  logic [      Width-1:0] exponent_i,
  input  logic [      Width-1:0] modulus_i,
  input  logic [           15:0] length_i,
  input  logic [      Width-1:0] r_squared_i,
  input  logic [MPrimeWidth-1:0] m_prime_i,
  output logic                   done_o,
  output logic [      Width-1:0] result_o,
  output logic [            7:0] status_o
);

  localparam int AddressWidth = 3;
  localparam int BusWords = (Width + BusWidth - 1) / BusWidth;
  localparam int Slot = BusWords * BusWidth;
  localparam int LengthWords = (LengthWidth + BusWidth - 1) / BusWidth;
  localparam int MPrimeWords = (MPrimeWidth + BusWidth - 1) / BusWidth;
  localparam int RSquaredCount = (Constants > 0) ? BusWords : 0;
  localparam int MPrimeCount = (Constants > 1) ? MPrimeWords : 0;
  localparam int Count = 3 * BusWords + LengthWords + RSquaredCount + MPrimeCount;

  // Addresses of all operands. No transfer writes those above Count, because the host does not
  // supply them.
  localparam logic [AddressWidth*(4*BusWords+LengthWords+MPrimeWords)-1:0] Every = {
    {MPrimeWords{3'(ExponentiationAddressMPrime)}},
    {BusWords{3'(ExponentiationAddressRSquared)}},
    {LengthWords{3'(ExponentiationAddressLength)}},
    {BusWords{3'(ExponentiationAddressModulus)}},
    {BusWords{3'(ExponentiationAddressExponent)}},
    {BusWords{3'(ExponentiationAddressDataResult)}}
  };

  logic req, write, ack, err, busy, done;
  logic [AddressWidth-1:0] addr;
  logic [BusWidth-1:0] wdata, rdata;
  logic [Slot-1:0] result;
  logic [BusWidth*(4*BusWords+LengthWords+MPrimeWords)-1:0] words;

  assign words = {
    (MPrimeWords * BusWidth)'(m_prime_i),
    Slot'(r_squared_i),
    (LengthWords * BusWidth)'(length_i),
    Slot'(modulus_i),
    Slot'(exponent_i),
    Slot'(base_i)
  };

  bus_host #(
    .BusWidth(BusWidth),
    .AddressWidth(AddressWidth),
    .Count   (Count),
    .Words   (BusWords),
    .Addresses (Every[Count*AddressWidth-1:0])
  ) u_host (
    .clk_i,
    .rst_ni,
    .start_i,
    .words_i (words[Count*BusWidth-1:0]),
    .done_o,
    .result_o(result),
    .status_o,
    .req_o   (req),
    .write_o (write),
    .addr_o   (addr),
    .wdata_o (wdata),
    .ack_i   (ack),
    .err_i   (err),
    .rdata_i (rdata),
    .done_i  (done)
  );

  exponentiation #(
    .Width       (Width),
    .BusWidth    (BusWidth),
    .AddressWidth(AddressWidth),
    .Guard       (Guard),
    .WordWidth   (WordWidth),
    .DigitWidth  (DigitWidth),
    .Words       (Words),
    .RadixBits   (RadixBits),
    .MPrimeBits  (MPrimeBits),
    .ScaleBits   (ScaleBits),
    .Core        (Core),
    .Unfolding   (Unfolding),
    .Elements    (Elements),
    .Stages      (Stages),
    .Latency     (Latency),
    .UnitWidth   (UnitWidth),
    .Units       (Units)
  ) u_exponentiation (
    .clk_i,
    .rst_ni,
    .req_i  (req),
    .write_i(write),
    .addr_i (addr),
    .wdata_i(wdata),
    .wait_i (1'b0),
    .ack_o  (ack),
    .err_o  (err),
    .rdata_o(rdata),
    .busy_o (busy),
    .done_o (done)
  );

  assign result_o = result[Width-1:0];

  logic unused_bits;
  assign unused_bits = ^{busy, result, words};

endmodule
