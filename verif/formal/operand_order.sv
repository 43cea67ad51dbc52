// SPDX-License-Identifier: Apache-2.0
//
// Property: operand_bits delivers every bit of an operand once and in order, from the lowest or
// from the highest bit on, for any timing of the takes, and zeros after the last bit.
//
// The memory answers one cycle after a request. Another reader uses it in the first cycle and
// whenever Busy is high; the bits then start again.

module operand_order #(
  parameter int Width = 9,
  parameter int WordWidth = 4,
  parameter int MaxTake = 4
) (
  input logic             clk_i,
  input logic             downwards_i,
  input logic [      2:0] take_i,
  input logic             busy_i,
  input logic             next_i,
  input logic [Width-1:0] operand_i
);

  localparam int Words = (Width + WordWidth - 1) / WordWidth;
  localparam int IndexWidth = $clog2(Words) + 1;
  localparam int CountWidth = $clog2(Width + MaxTake + 1);

  logic begun_q = 1'b0;
  logic downwards_q, read;
  logic [2:0] take_q;
  logic [Width-1:0] operand_q, turned, left;
  logic [IndexWidth-1:0] index;
  logic [WordWidth-1:0] word_q;
  logic [1:0] quiet_q;  // cycles since the other reader's last read
  logic [CountWidth-1:0] taken_q;
  logic [3:0] bits;

  operand_bits #(
    .Bits      (Width),
    .WordWidth (WordWidth),
    .IndexWidth(IndexWidth)
  ) u_dut (
    .clk_i,
    .rst_ni (begun_q),
    .downwards_i,
    .take_i,
    .busy_i,
    .read_o (read),
    .index_o(index),
    .word_i (word_q),
    .next_i,
    .bits_o (bits)
  );

  for (genvar i = 0; i < Width; i++) begin : gen_turned
    assign turned[i] = operand_i[Width-1-i];
  end
  assign left = (downwards_i ? turned : operand_i) >> taken_q;

  always_ff @(posedge clk_i) begin
    begun_q     <= 1'b1;
    downwards_q <= downwards_i;
    take_q      <= take_i;
    operand_q   <= operand_i;
    if (busy_i || !begun_q) quiet_q <= 2'd0;
    else if (quiet_q != 2'd2) quiet_q <= quiet_q + 1'b1;
    if (busy_i || !begun_q) taken_q <= '0;
    else if (next_i) taken_q <= taken_q + CountWidth'(take_i);
    if (busy_i) word_q <= '1;
    else if (read) word_q <= WordWidth'(operand_i >> (32'(index) * WordWidth));
  end

  always_comb begin
    assume ((take_i != '0) && (take_i <= 3'(MaxTake)));
    // Downwards, the highest word may hold fewer bits than one cycle takes.
    if (downwards_i) assume (take_i == 3'd1);
    if (begun_q) begin
      assume ((downwards_i == downwards_q) && (take_i == take_q) && (operand_i == operand_q));
      if (quiet_q != 2'd2) assume (!next_i);
      if (taken_q >= CountWidth'(Width)) assume (!next_i);
      if ((quiet_q == 2'd2) && (taken_q < CountWidth'(Width))) begin
        for (int i = 0; i < MaxTake; i++) begin
          if (3'(i) < take_i) assert (bits[i] == left[i]);
        end
      end
    end
  end

endmodule
