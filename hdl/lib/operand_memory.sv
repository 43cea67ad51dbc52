// SPDX-License-Identifier: Apache-2.0
//
// Operand memory: holds one value of Bits bits in a RAM. The user writes it in words of WriteWidth
// bits and reads it in words of ReadWidth bits, the least significant word first. The memory has
// one write and one read port. A word read in one cycle is on data_o in the next and stays there
// until the next read. A cycle that writes does not read, so that the RAM needs no bypass from
// write to read.
//
// The RAM consists of lanes. A lane is as wide as the greatest common divisor of both word widths.
// A row of lanes is as wide as their least common multiple, so that no word crosses the end of a
// row. If both words have the same width, there is one lane, and a row is a word.
//
// Prefix: the user writes words from the lowest on. Words not written since the reset read as 0: a
// counter holds the number of written words, so that no wipe is needed. Without Prefix a word may
// be read only after it was written. Bits from Bits on and words above them read as 0; writes to
// words above them have no effect.
//
// LutRows: up to this number of rows the RAM is made of lookup tables. With more rows it is block
// RAM, which is smaller, but outputs its data later in the cycle.
//
// Operands: any. Latency: one cycle from read_i to data_o.
//
// Source: none; "~5n RAM" of Jiang & Harris keeps its operands in such memories, too.

module operand_memory
  import multiplier_pkg::*;
#(
  parameter int Bits = 32,
  parameter int WriteWidth = 32,
  parameter int ReadWidth = 32,
  parameter int WriteIndexWidth = 1,
  parameter int ReadIndexWidth = 1,
  parameter bit Prefix = 1'b0,
  parameter int LutRows = 16
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       write_i,
  input  logic [WriteIndexWidth-1:0] write_index_i,
  input  logic [     WriteWidth-1:0] data_i,
  input  logic                       read_i,
  input  logic [ ReadIndexWidth-1:0] read_index_i,
  output logic [      ReadWidth-1:0] data_o
);

  localparam int LaneWidth = common_divisor(WriteWidth, ReadWidth);
  localparam int RowWidth = WriteWidth / LaneWidth * ReadWidth;
  localparam int Lanes = RowWidth / LaneWidth;
  localparam int WriteParts = RowWidth / WriteWidth;  // words in a row
  localparam int ReadParts = RowWidth / ReadWidth;
  localparam int WriteLanes = WriteWidth / LaneWidth;  // lanes in a word
  localparam int Rows = (Bits + RowWidth - 1) / RowWidth;
  localparam int RowIndexWidth = (Rows > 1) ? $clog2(Rows) : 1;
  localparam int WriteWords = (Bits + WriteWidth - 1) / WriteWidth;
  localparam int ReadWords = (Bits + ReadWidth - 1) / ReadWidth;
  localparam int LastBits = Bits - (ReadWords - 1) * ReadWidth;
  localparam int CountWidth = $clog2(WriteWords + 1);

  // Row number, and the number of the word in its row (part).
  logic [RowIndexWidth-1:0] write_row, read_row;
  logic [31:0] write_part, read_part_d, read_part_q;
  logic [31:0] write_index, read_index;
  logic write;

  assign write_index = 32'(write_index_i);
  assign read_index  = 32'(read_index_i);
  assign write       = write_i && (write_index < WriteWords);
  assign write_row   = RowIndexWidth'(write_index / WriteParts);
  assign write_part  = write_index % WriteParts;
  assign read_row    = RowIndexWidth'(read_index / ReadParts);
  assign read_part_d = read_index % ReadParts;

  // Which words of the addressed row were written.
  logic [WriteParts-1:0] valid_d;

  if (Prefix) begin : gen_prefix
    logic [CountWidth-1:0] filled_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        filled_q <= '0;
      end else if (write && (write_index == 32'(filled_q))) begin
        filled_q <= filled_q + 1'b1;
      end
    end
    for (genvar i = 0; i < WriteParts; i++) begin : gen_valid
      assign valid_d[i] = (read_index / ReadParts) * WriteParts + i < 32'(filled_q);
    end
  end else begin : gen_no_prefix
    assign valid_d = '1;
  end

  logic last_q, above;
  assign above = (read_index >= ReadWords);

  always_ff @(posedge clk_i) begin
    if (read_i && !write_i) begin
      read_part_q <= read_part_d;
      last_q      <= (read_index == ReadWords - 1);
    end
  end

  logic [RowWidth-1:0] row;

  // Only an attribute uses LutRows, and simulators ignore attributes: avoid an unused warning.
  logic unused_ports;
  assign unused_ports = rst_ni ^ (Rows > LutRows);

  for (genvar i = 0; i < Lanes; i++) begin : gen_lane
    // A single row has no lanes above the operand's last bit.
    if ((Rows > 1) || (i * LaneWidth < Bits)) begin : gen_ram
      (* ram_style = (Rows > LutRows) ? "block" : "distributed" *)
      logic [LaneWidth-1:0] words  [0:Rows-1];
      logic [LaneWidth-1:0] word_q;

      always_ff @(posedge clk_i) begin
        if (write && (write_part == i / WriteLanes)) begin
          words[write_row] <= data_i[(i%WriteLanes)*LaneWidth+:LaneWidth];
        end
        if (read_i && !write_i) word_q <= words[read_row];
      end

      for (genvar j = 0; j < LaneWidth; j = j + WordSegment) begin : gen_segment
        localparam int Positions = (LaneWidth - j < WordSegment) ? LaneWidth - j : WordSegment;

        // Keep the copies: synthesis would merge equal registers into one.
        (* keep *) logic there_q;

        always_ff @(posedge clk_i) begin
          if (read_i && !write_i) there_q <= valid_d[i/WriteLanes] && !above;
        end

        assign row[i*LaneWidth+j+:Positions] = there_q ? word_q[j+:Positions] : '0;
      end
    end else begin : gen_nothing
      assign row[i*LaneWidth+:LaneWidth] = '0;
    end
  end

  logic [ReadWidth-1:0] word;
  assign word   = row[read_part_q*ReadWidth+:ReadWidth];
  assign data_o = last_q ? ReadWidth'(word[LastBits-1:0]) : word;

  // Each port of a lane: the row is within it. Only the data of a word that exists is used.
  `ASSERT(WriteInside, !write || (write_index / WriteParts < Rows))
  `ASSERT(ReadInside, !read_i || write_i || above || (read_index / ReadParts < Rows))

endmodule
