// SPDX-License-Identifier: Apache-2.0
//
// Word selector: word index_i, AddWidth bits, of the operand, result or constant named by source_i.
//
// Sources and their widths: X, Y, M Width bits; S, C Width + Guard; constants Width + 1; the power
// 2**(Width+1); zero. All are zero-extended to whole words.
// Latency: combinational.
//
// Source: none; the multiplexers of the word-serial modular adder.

module word_selector
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int AddWidth = 32,
  parameter int Guard = 2,
  // Derived, do not set.
  parameter int Words = (Width + Guard + AddWidth) / AddWidth,
  parameter int IndexWidth = (Words > 1) ? $clog2(Words) : 1
) (
  input  logic [                     3:0] source_i,
  input  logic [          IndexWidth-1:0] index_i,
  input  logic [               Width-1:0] x_i,
  input  logic [               Width-1:0] y_i,
  input  logic [               Width-1:0] m_i,
  input  logic [         Width+Guard-1:0] s_i,
  input  logic [         Width+Guard-1:0] c_i,
  input  logic [ConstSlots*(Width+1)-1:0] const_i,
  output logic [            AddWidth-1:0] word_o
);

  localparam int PaddedWidth = Words * AddWidth;

  logic [PaddedWidth-1:0] x_padded, y_padded, m_padded, s_padded, c_padded, power;
  logic [ConstSlots*AddWidth-1:0] constant_words;

  assign x_padded = PaddedWidth'(x_i);
  assign y_padded = PaddedWidth'(y_i);
  assign m_padded = PaddedWidth'(m_i);
  assign s_padded = PaddedWidth'(s_i);
  assign c_padded = PaddedWidth'(c_i);
  assign power    = PaddedWidth'(1) << (Width + 1);

  // Word index_i of the constants, one a slot.
  for (genvar slot = 0; slot < ConstSlots; slot++) begin : gen_constant
    logic [PaddedWidth-1:0] padded;
    assign padded = PaddedWidth'(const_i[slot*(Width+1)+:Width+1]);
    assign constant_words[slot*AddWidth+:AddWidth] = padded[index_i*AddWidth+:AddWidth];
  end

  logic [2:0] slot_select;
  assign slot_select = 3'(source_i - SourceConst0);

  always_comb begin
    case (source_i)
      SourceZero:  word_o = '0;
      SourceX:     word_o = x_padded[index_i*AddWidth+:AddWidth];
      SourceY:     word_o = y_padded[index_i*AddWidth+:AddWidth];
      SourceM:     word_o = m_padded[index_i*AddWidth+:AddWidth];
      SourceS:     word_o = s_padded[index_i*AddWidth+:AddWidth];
      SourceC:     word_o = c_padded[index_i*AddWidth+:AddWidth];
      SourcePower: word_o = power[index_i*AddWidth+:AddWidth];
      default:     word_o = constant_words[slot_select*AddWidth+:AddWidth];
    endcase
  end

endmodule
