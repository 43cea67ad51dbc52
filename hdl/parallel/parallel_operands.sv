// SPDX-License-Identifier: Apache-2.0
//
// Operands of a core with parallel operands: memories of X, Y and M. The host writes them in words
// of the bus. The adder reads them in its own words. The core takes X bit by bit, and Y and M as
// full words of Width bits, from registers that a load fills word by word.
//
// write_i, index_i, data_i: words of the host; write_i has one bit each for X, Y and M.
// x_o, y_o: words read_index_i of X and Y, a cycle after read_i; X only after x_read_i.
// m_o: word m_read_index_i of M, a cycle after read_i.
// load_i: x_o, y_o and m_o are words load_index_i of a load. The module compares them, and shifts
// those of Y and M into the registers y_all_o and m_all_o.
// x_below_o, y_below_o, above_one_o, odd_o: X < M, Y < M, M > 1, M odd; see operand_check.
// downwards_i, take_i, next_i, x_bits_o: see operand_bits; after x_read_i the bits of X start
// again.
//
// Operands: any of Width bits. Latency: a cycle for a word.
//
// Source: Amanor (2005), ch. 5.3 (registers in front of the multiplier).

module parallel_operands
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int BusWidth = 32,
  parameter int IndexWidth = 8,
  parameter int WordWidth = 32,
  parameter int AddIndexWidth = 1
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  // Words of the host
  input  logic [               2:0] write_i,
  input  logic [    IndexWidth-1:0] index_i,
  input  logic [      BusWidth-1:0] data_i,
  // Words of the adder
  input  logic                      read_i,
  input  logic [ AddIndexWidth-1:0] read_index_i,
  input  logic                      x_read_i,
  input  logic [   AddIndexWidth:0] m_read_index_i,
  output logic [     WordWidth-1:0] x_o,
  output logic [     WordWidth-1:0] y_o,
  output logic [     WordWidth-1:0] m_o,
  // Load
  input  logic                      load_i,
  input  logic [ AddIndexWidth-1:0] load_index_i,
  output logic                      x_below_o,
  output logic                      y_below_o,
  output logic                      above_one_o,
  output logic                      odd_o,
  // Core
  input  logic                      downwards_i,
  input  logic [               2:0] take_i,
  input  logic                      next_i,
  output logic [TablePositions-1:0] x_bits_o,
  output logic [         Width-1:0] y_all_o,
  output logic [         Width-1:0] m_all_o
);

  localparam int OperandWords = (Width + WordWidth - 1) / WordWidth;
  localparam int OperandBits = OperandWords * WordWidth;

  // Timing: lookup-table RAM up to this depth, as the read data goes through the adder in the same
  // cycle.
  localparam int LutRows = 64;

  logic [3*WordWidth-1:0] operand_words;
  logic bits_read;
  logic [AddIndexWidth:0] bits_read_index;

  for (genvar i = 0; i < 3; i++) begin : gen_operand
    logic wanted;
    logic [AddIndexWidth:0] wanted_index;
    if (i == 32'(AddressMC)) begin : gen_modulus
      assign wanted       = read_i;
      assign wanted_index = m_read_index_i;
    end else if (i == 32'(AddressXP)) begin : gen_multiplier
      assign wanted       = x_read_i || bits_read;
      assign wanted_index = x_read_i ? {1'b0, read_index_i} : bits_read_index;
    end else begin : gen_multiplicand
      assign wanted       = read_i;
      assign wanted_index = {1'b0, read_index_i};
    end

    operand_memory #(
      .Bits           (Width),
      .WriteWidth     (BusWidth),
      .ReadWidth      (WordWidth),
      .WriteIndexWidth(IndexWidth),
      .ReadIndexWidth (AddIndexWidth + 1),
      .Prefix         (1'b1),
      .LutRows        (LutRows)
    ) u_memory (
      .clk_i,
      .rst_ni,
      .write_i      (write_i[i]),
      .write_index_i(index_i),
      .data_i,
      .read_i       (wanted),
      .read_index_i (wanted_index),
      .data_o       (operand_words[i*WordWidth+:WordWidth])
    );
  end

  assign x_o = operand_words[AddressXP*WordWidth+:WordWidth];
  assign y_o = operand_words[AddressYS*WordWidth+:WordWidth];
  assign m_o = operand_words[AddressMC*WordWidth+:WordWidth];

  operand_bits #(
    .Bits      (Width),
    .WordWidth (WordWidth),
    .IndexWidth(AddIndexWidth + 1)
  ) u_bits (
    .clk_i,
    .rst_ni,
    .downwards_i,
    .take_i,
    .busy_i (x_read_i),
    .read_o (bits_read),
    .index_o(bits_read_index),
    .word_i (x_o),
    .next_i,
    .bits_o (x_bits_o)
  );

  operand_check #(
    .WordWidth(WordWidth)
  ) u_check (
    .clk_i,
    .rst_ni,
    .step_i (load_i),
    .first_i(load_index_i == '0),
    .x_i    (x_o),
    .y_i    (y_o),
    .m_i    (m_o),
    .x_below_o,
    .y_below_o,
    .above_one_o,
    .odd_o
  );

  // The registers take the operand's words only, not the words that hold only guard bits. Timing:
  // they load one cycle later, so that their many clock enables come from registers. That is still
  // before the core needs them.
  logic load_word;
  logic [OperandWords-1:0] load_words;  // a copy of load_word for each word
  logic [WordWidth-1:0] y_in_q, m_in_q;
  logic [OperandBits+WordWidth-1:0] y_loaded, m_loaded;
  logic [OperandBits-1:0] y_q, m_q;

  assign load_word = load_i && (32'(load_index_i) < OperandWords);
  assign y_loaded  = {y_in_q, y_q};
  assign m_loaded  = {m_in_q, m_q};

  segment_registers #(
    .Width  (OperandWords),
    .Segment(4)
  ) u_load_words (
    .clk_i,
    .rst_ni,
    .bit_i (load_word),
    .bits_o(load_words)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {y_in_q, m_in_q} <= '0;
    end else begin
      y_in_q <= y_o;
      m_in_q <= m_o;
    end
  end

  for (genvar i = 0; i < OperandWords; i++) begin : gen_word
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        y_q[i*WordWidth+:WordWidth] <= '0;
        m_q[i*WordWidth+:WordWidth] <= '0;
      end else if (load_words[i]) begin
        y_q[i*WordWidth+:WordWidth] <= y_loaded[(i+1)*WordWidth+:WordWidth];
        m_q[i*WordWidth+:WordWidth] <= m_loaded[(i+1)*WordWidth+:WordWidth];
      end
    end
  end

  assign y_all_o = y_q[Width-1:0];
  assign m_all_o = m_q[Width-1:0];

  // The registers hold whole words, which have bits above the operand.
  logic unused_bits;
  assign unused_bits = ^{y_q, m_q, y_loaded, m_loaded};

endmodule
