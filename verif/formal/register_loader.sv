// SPDX-License-Identifier: Apache-2.0
//
// Operand loader with flat registers: operands and results as whole vectors.
//
// operand_loader decodes and answers; operand_registers store the words.
// write_o: a word of this operand is written in this cycle.
//
// Source: Amanor (2005), ch. 5.3, figures 15 and 17.

module register_loader #(
  parameter int BusWidth = 32,
  parameter int AddressWidth = 2,
  parameter int Addresses = 3,
  parameter int MaxWriteBits = 32,
  parameter int MaxReadBits = 34,
  parameter logic [Addresses*16-1:0] WriteBits = {Addresses{16'd32}},
  parameter logic [Addresses*16-1:0] ReadBits = {Addresses{16'd32}},
  parameter logic [Addresses-1:0] ReadOk = {Addresses{1'b1}},
  parameter logic [Addresses-1:0] ReadRaw = {Addresses{1'b0}},
  parameter bit RawStart = 1'b1,
  parameter bit Zeroise = 1'b0,
  // Derived, do not set.
  parameter int WriteSlot = (MaxWriteBits + BusWidth - 1) / BusWidth * BusWidth,
  parameter int ReadSlot = (MaxReadBits + BusWidth - 1) / BusWidth * BusWidth
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  // Bus
  input  logic                           req_i,
  input  logic                           write_i,
  input  logic [       AddressWidth-1:0] addr_i,
  input  logic [           BusWidth-1:0] wdata_i,
  input  logic                           wait_i,
  output logic                           ack_o,
  output logic                           err_o,
  output logic [           BusWidth-1:0] rdata_o,
  // Core
  output logic [Addresses*WriteSlot-1:0] operands_o,
  output logic [          Addresses-1:0] partial_o,
  output logic [          Addresses-1:0] overwide_o,
  output logic [          Addresses-1:0] written_o,
  output logic [          Addresses-1:0] write_o,
  output logic                           start_o,
  output logic                           raw_o,
  output logic                           zeroise_o,
  output logic                           binary_o,
  input  logic                           binary_i,
  input  logic                           busy_i,
  input  logic [                    3:0] status_i,
  input  logic [ Addresses*ReadSlot-1:0] results_i
);

  localparam int WriteWords = WriteSlot / BusWidth;
  localparam int ReadWords = ReadSlot / BusWidth;
  localparam int IndexWidth = $clog2(((WriteWords > ReadWords) ? WriteWords : ReadWords) + 1);

  logic [Addresses-1:0] read;
  logic [IndexWidth-1:0] write_index, read_index;
  logic [BusWidth-1:0] data, word;

  operand_loader #(
    .BusWidth    (BusWidth),
    .AddressWidth(AddressWidth),
    .Addresses   (Addresses),
    .WriteBits   (WriteBits),
    .ReadBits    (ReadBits),
    .ReadOk      (ReadOk),
    .ReadRaw     (ReadRaw),
    .RawStart    (RawStart),
    .Zeroise     (Zeroise),
    .IndexWidth  (IndexWidth)
  ) u_bus (
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
    .write_o,
    .read_o       (read),
    .write_index_o(write_index),
    .read_index_o (read_index),
    .data_o       (data),
    .word_i       (word),
    .word_fault_i (1'b0),
    .withheld_o   (),
    .partial_o,
    .overwide_o,
    .written_o,
    .start_o,
    .raw_o,
    .zeroise_o,
    .binary_o,
    .binary_i,
    .busy_i,
    .status_i
  );

  // Clears possible secrets, as the reset does.
  logic operand_rst_n;
  assign operand_rst_n = rst_ni && !zeroise_o;

  operand_registers #(
    .BusWidth    (BusWidth),
    .Addresses   (Addresses),
    .IndexWidth  (IndexWidth),
    .MaxWriteBits(MaxWriteBits),
    .MaxReadBits (MaxReadBits),
    .WriteBits   (WriteBits),
    .ReadBits    (ReadBits)
  ) u_registers (
    .clk_i,
    .rst_ni       (operand_rst_n),
    .write_i      (write_o),
    .read_i       (read),
    .write_index_i(write_index),
    .read_index_i (read_index),
    .data_i       (data),
    .word_o       (word),
    .operands_o,
    .results_i
  );

endmodule
