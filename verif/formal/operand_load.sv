// SPDX-License-Identifier: Apache-2.0
//
// Property: a load moves every bit j of Y and M to its place in the registers.
//
//   in the cycle after the last word of a load has passed the input registers, y_all_o[j] and
//   m_all_o[j] are bit j of Y and M; they stay until the next load
//
// j and the two bits are constant inputs. Words 0, 1, ... of a load come one per cycle without a
// gap, as adder_pass delivers them; there are at least as many as the operand has. Word
// j / WordWidth has the bit at j % WordWidth; all other bits are free.

module operand_load #(
  parameter int Width = 32,
  parameter int AddWidth = 32,
  parameter int Guard = 2,
  // Host side, which this property leaves free.
  parameter int BusWidth = 32,
  parameter int IndexWidth = 10
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic [          15:0] j_i,
  input logic                  y_bit_i,
  input logic                  m_bit_i,
  input logic                  load_i,
  input logic                  read_i,
  input logic                  x_read_i,
  input logic [           2:0] write_i,
  input logic [IndexWidth-1:0] index_i,
  input logic [  BusWidth-1:0] data_i,
  input logic [          15:0] read_index_i,
  input logic [          15:0] m_read_index_i
);

  import multiplier_pkg::*;

  localparam int SumWords = (Width + Guard + AddWidth) / AddWidth;
  localparam int AddIndexWidth = (SumWords > 1) ? $clog2(SumWords) : 1;
  localparam int OperandWords = (Width + AddWidth - 1) / AddWidth;

  logic [AddIndexWidth-1:0] load_index_q;  // index of the next word
  logic [AddWidth-1:0] x_word, y_word, m_word;
  logic [TablePositions-1:0] x_bits;
  logic [Width-1:0] y_all, m_all;
  logic x_below, y_below, above_one, odd;

  parallel_operands #(
    .Width        (Width),
    .BusWidth     (BusWidth),
    .IndexWidth   (IndexWidth),
    .WordWidth    (AddWidth),
    .AddIndexWidth(AddIndexWidth)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .write_i,
    .index_i,
    .data_i,
    .read_i,
    .read_index_i  (AddIndexWidth'(read_index_i)),
    .x_read_i,
    .m_read_index_i((AddIndexWidth + 1)'(m_read_index_i)),
    .x_o           (x_word),
    .y_o           (y_word),
    .m_o           (m_word),
    .load_i,
    .load_index_i  (load_index_q),
    .x_below_o     (x_below),
    .y_below_o     (y_below),
    .above_one_o   (above_one),
    .odd_o         (odd),
    .downwards_i   (1'b0),
    .take_i        (3'd1),
    .next_i        (1'b0),
    .x_bits_o      (x_bits),
    .y_all_o       (y_all),
    .m_all_o       (m_all)
  );

  logic begun_q = 1'b0;
  logic y_bit_q, m_bit_q, loads_q;
  logic [15:0] j_q, loaded_q, in_word, in_bit, place;

  assign in_word = j_i / 16'(AddWidth);
  assign in_bit  = j_i % 16'(AddWidth);
  // loaded_q words are in the registers: word w is OperandWords - loaded_q + w words up.
  assign place   = (16'(OperandWords) - loaded_q + in_word) * 16'(AddWidth) + in_bit;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      load_index_q <= '0;
      loads_q      <= 1'b0;
      loaded_q     <= '0;
    end else begin
      load_index_q <= (load_i && (32'(load_index_q) < SumWords - 1)) ? load_index_q + 1'b1 : '0;
      loads_q      <= load_i && (32'(load_index_q) < OperandWords);
      if (loads_q) loaded_q <= (loaded_q == 16'(OperandWords)) ? 16'd1 : loaded_q + 16'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    j_q     <= j_i;
    y_bit_q <= y_bit_i;
    m_bit_q <= m_bit_i;
  end

  always_comb begin
    if (!begun_q) assume (!rst_ni);
    assume (j_i < 16'(Width));
    if (begun_q) assume ((j_i == j_q) && (y_bit_i == y_bit_q) && (m_bit_i == m_bit_q));
    // A load has no gap.
    if (load_index_q != '0) assume (load_i);
    if (load_i && (16'(load_index_q) == in_word)) begin
      assume ((y_word[in_bit] == y_bit_i) && (m_word[in_bit] == m_bit_i));
    end

    if (begun_q && rst_ni) begin
      if (loaded_q == 16'(OperandWords)) begin
        assert ((y_all[j_i] == y_bit_i) && (m_all[j_i] == m_bit_i));
      end
      // For the induction.
      assert (loaded_q <= 16'(OperandWords));
      assert (u_dut.load_words == {OperandWords{loads_q}});
      if (loads_q) begin
        assert ((loaded_q == 16'(OperandWords)) || (loaded_q == '0) || (loaded_q > '0));
        if ((load_index_q != '0)) begin
          assert ((loaded_q == 16'(load_index_q) - 16'd1)
               || ((load_index_q == AddIndexWidth'(1)) && (loaded_q == 16'(OperandWords))));
          if (16'(load_index_q) == in_word + 16'd1) begin
            assert ((u_dut.y_in_q[in_bit] == y_bit_i) && (u_dut.m_in_q[in_bit] == m_bit_i));
          end
        end else begin
          // The operand has as many words as a sum.
          assert (16'(OperandWords) == 16'(SumWords));
          assert ((loaded_q == 16'(OperandWords) - 16'd1)
               || ((OperandWords == 1) && (loaded_q == 16'd1)));
          if (in_word + 16'd1 == 16'(OperandWords)) begin
            assert ((u_dut.y_in_q[in_bit] == y_bit_i) && (u_dut.m_in_q[in_bit] == m_bit_i));
          end
        end
      end else begin
        assert ((loaded_q == '0) || (loaded_q == 16'(OperandWords)));
        if ((load_index_q != '0)) assert (32'(load_index_q) > OperandWords);
      end
      if (loaded_q > in_word) begin
        assert ((u_dut.y_q[place] == y_bit_i) && (u_dut.m_q[place] == m_bit_i));
      end
    end
  end

endmodule
