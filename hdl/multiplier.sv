// SPDX-License-Identifier: Apache-2.0
//
// Modular multiplier on a bus: operand loader and multiplier unit.
//
//   P = X*Y/R mod M (Montgomery cores) or X*Y mod M (interleaved cores), 0 <= P < M,
//   and the core's redundant result S, C
//
// R is 2**Width for a bit-serial Montgomery core, and a power of 2 that depends on the digits of a
// ring core; the registry entry has it.
//
//   addr_i   write      read
//   0       X          P, while the status is Ok
//   1       Y          S, while the status is Ok or Raw
//   2       M          C, while the status is Ok or Raw
//   3       command    status word
//
// The whole bus interface: hdl/docs/interface.md; codes: multiplier_pkg.
// No carry chain grows with Width: a core with parallel operands adds words of AddWidth bits.
// Latency: see parallel_control, ring_unit_control; the registry entry of the architecture has the
// formula.
//
// Source: Amanor (2005), ch. 5.3 (registers in front of the multiplier) and step P of each
// algorithm.

module multiplier
  import multiplier_pkg::*;
  import core_pkg::*;
#(
  parameter int Width = 32,
  parameter int BusWidth = 32,
  parameter int AddressWidth = 2,
  parameter int AddWidth = 32,
  parameter int Guard = 2,
  // The core (core_pkg), and the values of its registry entry; from WordWidth on: ring cores
  parameter int Core = CoreFastMontgomery,
  parameter int Unfolding = 1,
  parameter int WordWidth = 17,
  parameter int DigitWidth = 16,
  parameter int Words = 3,
  parameter int RadixBits = 48,  // R of a chain, in bits: only the watchdog needs it
  parameter int MPrimeBits = 16,
  parameter int ScaleBits = 0,
  parameter int BinaryBits = 0,
  parameter int Elements = 1,
  parameter int Stages = 1,
  parameter int Latency = 3,
  parameter int UnitWidth = 1,
  parameter int Units = 1,
  parameter int Watchdog = 0  // end an operation that an upset keeps running: StatusUpset
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    req_i,
  input  logic                    write_i,
  input  logic [AddressWidth-1:0] addr_i,
  input  logic [    BusWidth-1:0] wdata_i,
  input  logic                    wait_i,
  output logic                    ack_o,
  output logic                    err_o,
  output logic [    BusWidth-1:0] rdata_o,
  output logic                    busy_o,
  output logic                    done_o
);

  localparam int Addresses = MultiplierAddresses;
  localparam int ReadSlot = (Width + Guard + BusWidth - 1) / BusWidth * BusWidth;

  localparam int IndexWidth = $clog2(ReadSlot / BusWidth + 1);

  logic [Addresses-1:0] write, read;
  logic [IndexWidth-1:0] write_index, read_index;
  logic [BusWidth-1:0] data, word;
  logic [Addresses-1:0] partial, overwide, written;
  logic start, raw, field, binary, zeroise, withheld;
  logic [3:0] status;
  multiplier_view_t view;

  operand_loader #(
    .BusWidth    (BusWidth),
    .AddressWidth(AddressWidth),
    .Addresses   (Addresses),
    .WriteBits   (multiplier_write_bits(16'(Width))),
    .ReadBits    (multiplier_read_bits(16'(Width), 16'(Guard))),
    .ReadOk      (MultiplierReadOk),
    .ReadRaw     (MultiplierReadRaw),
    .IndexWidth  (IndexWidth)
  ) u_loader (
    .clk_i,
    .rst_ni,
    .req_i,
    .write_i,
    .addr_i,
    .wdata_i,
    .wait_i,
    .ack_o,
    .err_o,
    .rdata_o,
    .write_o      (write),
    .read_o       (read),
    .write_index_o(write_index),
    .read_index_o (read_index),
    .data_o       (data),
    .word_i       (word),
    .word_fault_i (1'b0),
    .withheld_o   (withheld),
    .partial_o    (partial),
    .overwide_o   (overwide),
    .written_o    (written),
    .start_o      (start),
    .raw_o        (raw),
    .binary_o     (field),
    .binary_i     (binary),
    .zeroise_o    (zeroise),
    .busy_i       (busy_o),
    .status_i     (status)
  );

  if (is_ring_core(Core)) begin : gen_ring
    ring_unit #(
      .Width(Width),
      .BusWidth(BusWidth),
      .Guard(Guard),
      .IndexWidth(IndexWidth),
      .Core(Core),
      .WordWidth(WordWidth),
      .DigitWidth(DigitWidth),
      .Words(Words),
      .RadixBits(RadixBits),
      .MPrimeBits(MPrimeBits),
      .ScaleBits(ScaleBits),
      .BinaryBits(BinaryBits),
      .Elements(Elements),
      .Stages(Stages),
      .Latency(Latency),
      .UnitWidth(UnitWidth),
      .Units(Units),
      .Watchdog(Watchdog != 0)
    ) u_unit (
      .clk_i,
      .rst_ni,
      .write_i      (write),
      .read_i       (read),
      .write_index_i(write_index),
      .read_index_i (read_index),
      .data_i       (data),
      .word_o       (word),
      .start_i      (start),
      .raw_i        (raw),
      .field_i      (field),
      .incomplete_i (|partial),
      .overwide_i   (|overwide),
      .busy_o,
      .done_o,
      .status_o     (status),
      .binary_o     (binary),
      .view_o       (view)
    );
  end else begin : gen_parallel
    parallel_unit #(
      .Width(Width),
      .BusWidth(BusWidth),
      .AddWidth(AddWidth),
      .Guard(Guard),
      .IndexWidth(IndexWidth),
      .Core(Core),
      .Unfolding(Unfolding),
      .Watchdog(Watchdog != 0)
    ) u_unit (
      .clk_i,
      .rst_ni,
      .write_i      (write),
      .read_i       (read),
      .write_index_i(write_index),
      .read_index_i (read_index),
      .data_i       (data),
      .word_o       (word),
      .start_i      (start),
      .raw_i        (raw),
      .field_i      (field),
      .incomplete_i (|partial),
      .overwide_i   (|overwide),
      .busy_o,
      .done_o,
      .status_o     (status),
      .binary_o     (binary),
      .view_o       (view)
    );
  end

  // The test bench observes view by name.
  logic unused_observation;
  assign unused_observation = ^view;

  // A unit uses the parameters of its kind of core.
  localparam int UnusedParameters = AddWidth + Unfolding
      + WordWidth + DigitWidth + Words + RadixBits + MPrimeBits + ScaleBits + BinaryBits
      + Elements + Stages + Latency + UnitWidth + Units;
  logic unused_bits;
  assign unused_bits = ^{written, zeroise, withheld, UnusedParameters};

endmodule
