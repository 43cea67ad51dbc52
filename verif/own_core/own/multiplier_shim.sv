// SPDX-License-Identifier: Apache-2.0
//
// Shim of multiplier: X, Y and M go in over its bus, the status and P come out, see bus_host.
//
// Latency: as of bus_host with Count = 3*BusWords.

module multiplier_shim
  import multiplier_pkg::*;
  import core_pkg::*;
#(
  parameter int Width = 32,
  parameter int Guard = 2,
  parameter int BusWidth = 32,
  parameter int AddWidth = 32,
  parameter int Core = CoreFastMontgomery,
  parameter int Unfolding = 1,
  parameter int WordWidth = 17,
  parameter int DigitWidth = 16,
  parameter int Words = 3,
  parameter int RadixBits = 48,
  parameter int MPrimeBits = 16,
  parameter int ScaleBits = 0,
  parameter int BinaryBits = 0,
  parameter int Elements = 1,
  parameter int Stages = 1,
  parameter int Latency = 3,
  parameter int UnitWidth = 1,
  parameter int Units = 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             start_i,
  input  logic [Width-1:0] x_i,
  input  logic [Width-1:0] y_i,
  input  logic [Width-1:0] m_i,
  output logic             done_o,
  output logic [Width-1:0] result_o,
  output logic [      7:0] status_o
);

  localparam int BusWords = (Width + BusWidth - 1) / BusWidth;
  localparam int Slot = BusWords * BusWidth;

  logic req, write, ack, err, busy, done;
  logic [1:0] addr;
  logic [BusWidth-1:0] wdata, rdata;
  logic [Slot-1:0] result;

  bus_host #(
    .BusWidth(BusWidth),
    .AddressWidth(2),
    .Count   (3 * BusWords),
    .Words   (BusWords),
    .Addresses ({{BusWords{2'(AddressMC)}}, {BusWords{2'(AddressYS)}}, {BusWords{2'(AddressXP)}}})
  ) u_host (
    .clk_i,
    .rst_ni,
    .start_i,
    .words_i ({Slot'(m_i), Slot'(y_i), Slot'(x_i)}),
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

  multiplier #(
    .Width       (Width),
    .BusWidth    (BusWidth),
    .AddressWidth(2),
    .AddWidth    (AddWidth),
    .Guard       (Guard),
    .Core        (Core),
    .Unfolding   (Unfolding),
    .WordWidth   (WordWidth),
    .DigitWidth  (DigitWidth),
    .Words       (Words),
    .RadixBits   (RadixBits),
    .MPrimeBits  (MPrimeBits),
    .ScaleBits   (ScaleBits),
    .BinaryBits  (BinaryBits),
    .Elements    (Elements),
    .Stages      (Stages),
    .Latency     (Latency),
    .UnitWidth   (UnitWidth),
    .Units       (Units)
  ) u_multiplier (
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
  assign unused_bits = ^{busy, result};

endmodule
