// SPDX-License-Identifier: Apache-2.0
//
// Operand registers: the words of an operand loader in flat registers, for cores that take whole
// operands and give whole results.
//
// write_i to word_o: the words of operand_loader. operands_o, results_i: slots of whole words,
// address 0 lowest; an operand's slot also holds its over-wide bits.
// WriteBits, ReadBits: bits of each operand and result, 16 bits per address, address 0 lowest; 0 if
// it does not exist.
// Latency: a word is in operands_o, or in word_o, in the cycle after write_i or read_i.
//
// Source: Amanor (2005), ch. 5.3, figures 15 and 17.

module operand_registers #(
  parameter int BusWidth = 32,
  parameter int Addresses = 3,
  parameter int IndexWidth = 8,
  parameter int MaxWriteBits = 32,
  parameter int MaxReadBits = 34,
  parameter logic [Addresses*16-1:0] WriteBits = {Addresses{16'd32}},
  parameter logic [Addresses*16-1:0] ReadBits = {Addresses{16'd32}},
  // Derived, do not set.
  parameter int WriteSlot = (MaxWriteBits + BusWidth - 1) / BusWidth * BusWidth,
  parameter int ReadSlot = (MaxReadBits + BusWidth - 1) / BusWidth * BusWidth
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic [          Addresses-1:0] write_i,
  input  logic [          Addresses-1:0] read_i,
  input  logic [         IndexWidth-1:0] write_index_i,
  input  logic [         IndexWidth-1:0] read_index_i,
  input  logic [           BusWidth-1:0] data_i,
  output logic [           BusWidth-1:0] word_o,
  output logic [Addresses*WriteSlot-1:0] operands_o,
  input  logic [ Addresses*ReadSlot-1:0] results_i
);

  logic [Addresses*BusWidth-1:0] words;

  for (genvar i = 0; i < Addresses; i++) begin : gen_address
    localparam int OperandBits = int'(WriteBits[i*16+:16]);
    localparam int ResultBits = int'(ReadBits[i*16+:16]);

    if (OperandBits > 0) begin : gen_operand
      localparam int Bits = (OperandBits + BusWidth - 1) / BusWidth * BusWidth;

      logic [Bits-1:0] value_q;

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) value_q <= '0;
        else if (write_i[i]) value_q[write_index_i*BusWidth+:BusWidth] <= data_i;
      end

      assign operands_o[i*WriteSlot+:WriteSlot] = WriteSlot'(value_q);
    end else begin : gen_no_operand
      assign operands_o[i*WriteSlot+:WriteSlot] = '0;
    end

    if (ResultBits > 0) begin : gen_result
      localparam int Bits = (ResultBits + BusWidth - 1) / BusWidth * BusWidth;

      logic [Bits-1:0] value;

      assign value = results_i[i*ReadSlot+:Bits];
      assign words[i*BusWidth+:BusWidth] = read_i[i] ? value[read_index_i*BusWidth+:BusWidth] : '0;
    end else begin : gen_no_result
      assign words[i*BusWidth+:BusWidth] = '0;
    end
  end

  logic [BusWidth-1:0] word_d, word_q;

  always_comb begin
    word_d = '0;
    for (int i = 0; i < Addresses; i++) word_d = word_d | words[i*BusWidth+:BusWidth];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) word_q <= '0;
    else if (|read_i) word_q <= word_d;
  end

  assign word_o = word_q;

  // Slots may be wider than their results.
  logic unused_slot;
  assign unused_slot = ^{results_i, write_i};

endmodule
