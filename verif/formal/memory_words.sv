// SPDX-License-Identifier: Apache-2.0
//
// Property: a read of an operand memory returns the written value, for any widths of write and read
// words.
//
//   bit i of the read value is bit i of the last written word with that bit, or 0 if none was
//   written after the reset; bits from Bits on are 0; the value stays until the next read
//
// Writes go to the next word, from the lowest on, or to a word already written; reads go to any
// word. Shown for any bit of the value. Reset at any time.

module memory_words #(
  parameter int Width = 13,
  parameter int WriteWidth = 4,
  parameter int ReadWidth = 6
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic                  write_i,
  input logic [           3:0] write_index_i,
  input logic [WriteWidth-1:0] data_i,
  input logic                  read_i,
  input logic [           3:0] read_index_i
);

  localparam int WriteWords = (Width + WriteWidth - 1) / WriteWidth;

  // Any bit, the same in every cycle.
  logic [7:0] bit_q;
  always_ff @(posedge clk_i) bit_q <= bit_q;

  logic [ReadWidth-1:0] data, data_q;
  logic begun_q = 1'b0;
  logic read_q = 1'b0;  // a word was read
  logic expected_q, answer_q, asked_q, still_q;
  logic [3:0] count_q, index_q;

  operand_memory #(
    .Bits           (Width),
    .WriteWidth     (WriteWidth),
    .ReadWidth      (ReadWidth),
    .WriteIndexWidth(4),
    .ReadIndexWidth (4),
    .Prefix         (1'b1)
  ) u_memory (
    .clk_i,
    .rst_ni,
    .write_i,
    .write_index_i,
    .data_i,
    .read_i,
    .read_index_i,
    .data_o(data)
  );

  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    data_q  <= data;
    asked_q <= read_i && !write_i;
    still_q <= read_q && !(read_i && !write_i);
    if (read_i && !write_i) read_q <= 1'b1;
    index_q  <= read_index_i;
    answer_q <= rst_ni && expected_q;
    if (!rst_ni) begin
      expected_q <= 1'b0;
      count_q    <= '0;
    end else if (write_i) begin
      if (32'(bit_q) / WriteWidth == 32'(write_index_i))
        expected_q <= data_i[32'(bit_q)%WriteWidth];
      if (write_index_i == count_q) count_q <= count_q + 1'b1;
    end
  end

  always_comb begin
    if (!begun_q) assume (!rst_ni);
    assume (32'(bit_q) < Width);
    assume (!write_i || ((write_index_i <= count_q) && (32'(write_index_i) < WriteWords)));
    if (asked_q && begun_q) begin
      if (32'(index_q) == 32'(bit_q) / ReadWidth) assert (data[32'(bit_q)%ReadWidth] == answer_q);
      for (int i = 0; i < ReadWidth; i++) begin
        if (32'(index_q) * ReadWidth + i >= Width) assert (!data[i]);
      end
    end
    if (still_q && begun_q) assert (data == data_q);
  end

endmodule
