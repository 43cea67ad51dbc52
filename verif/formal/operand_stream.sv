// SPDX-License-Identifier: Apache-2.0
//
// Property: operand_bits delivers bit j of an operand as the j-th bit that a core takes, lowest bit
// first, for every j, every number of bits per cycle and every pause.
//
// j and the bit's value are constant inputs. The memory is free, except that word j / WordWidth has
// the bit at j % WordWidth, and a word stays until the next read. The core starts when the first
// bits are available, and takes no bits after the last one.

module operand_stream #(
  parameter int Width = 32,
  parameter int AddWidth = 32,
  parameter int Guard = 2
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic [        15:0] j_i,
  input logic                bit_i,
  input logic [         2:0] take_i,
  input logic                busy_i,
  input logic                next_i,
  input logic [AddWidth-1:0] word_i
);

  localparam int Words = (Width + AddWidth - 1) / AddWidth;
  // As in parallel_unit: words of a sum, and one more bit.
  localparam int SumWords = (Width + Guard + AddWidth) / AddWidth;
  localparam int IndexWidth = ((SumWords > 1) ? $clog2(SumWords) : 1) + 1;
  localparam int MaxTake = 4;
  // States of operand_bits.
  localparam logic [1:0] StFill = 2'd1;
  localparam logic [1:0] StTake = 2'd2;

  logic read;
  logic [IndexWidth-1:0] index;
  logic [3:0] bits;

  operand_bits #(
    .Bits      (Width),
    .WordWidth (AddWidth),
    .IndexWidth(IndexWidth)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .downwards_i(1'b0),
    .take_i,
    .busy_i,
    .read_o     (read),
    .index_o    (index),
    .word_i,
    .next_i,
    .bits_o     (bits)
  );

  logic begun_q = 1'b0;
  logic bit_q, read_q;
  logic [15:0] j_q, taken_q, word_index_q;
  logic [2:0] take_q;
  logic [AddWidth-1:0] word_q;
  logic there, mine;

  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    bit_q   <= bit_i;
    j_q     <= j_i;
    take_q  <= take_i;
    word_q  <= word_i;
    read_q  <= read;
    if (read) word_index_q <= 16'(index);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) taken_q <= '0;
    else if (busy_i) taken_q <= '0;
    else if (next_i) taken_q <= taken_q + 16'(take_i);
  end

  // The first bits are available; the memory's word has bit j.
  assign there = (u_dut.state_q == StTake);
  assign mine  = (word_index_q == j_i / 16'(AddWidth));

  // Bits in the buffer, and the words that they come from.
  logic [15:0] count, position;
  assign count    = 16'(u_dut.count_q);
  assign position = j_i - taken_q;

  always_comb begin
    if (!begun_q) assume (!rst_ni);
    assume ((take_i != 3'd0) && (take_i <= 3'(MaxTake)));
    assume (j_i < 16'(Width));
    if (begun_q) assume ((bit_i == bit_q) && (j_i == j_q) && (take_i == take_q));
    // The memory.
    if (begun_q && !read_q) assume (word_i == word_q);
    if (mine) assume (word_i[j_i%16'(AddWidth)] == bit_i);
    // The core.
    if (!there || busy_i) assume (!next_i);
    if (taken_q >= 16'(Width)) assume (!next_i);

    if (begun_q && rst_ni && there) begin
      for (int i = 0; i < MaxTake; i++) begin
        if ((3'(i) < take_i) && (taken_q + 16'(i) == j_i)) assert (bits[i] == bit_i);
      end
      // For the induction: the buffer holds the bits from taken_q on, the memory the next word.
      assert (taken_q + count == word_index_q * 16'(AddWidth));
      assert (taken_q < 16'(Width) + 16'(MaxTake));
      assert (IndexWidth'(u_dut.index_q) == IndexWidth'(word_index_q) + 1'b1);
      assert ((count >= 16'(take_i)) && (count < 16'(AddWidth) + 16'(take_i)));
      assert (u_dut.short_q == (count < 16'(take_i) << 1));
      assert (word_index_q <= 16'(Words + 1));
      if ((j_i >= taken_q) && (position < count)) assert (u_dut.buffer_q[position] == bit_i);
    end
    if (begun_q && rst_ni) begin
      assert (u_dut.state_q <= StTake);
      if (!there) assert (taken_q == '0);
      if (u_dut.state_q == StFill) assert ((word_index_q == '0) && (index == 1));
      for (int i = 0; i < AddWidth + MaxTake - 1; i++) begin
        if (there && (16'(i) >= count)) assert (!u_dut.buffer_q[i]);
      end
    end
  end

endmodule
