// SPDX-License-Identifier: Apache-2.0
//
// Operand memory: one value of Bits bits in a RAM, written in words of WriteWidth bits and read in
// words of ReadWidth bits, the least significant word first. It has one write and one read port;
// what is read in one clock is there in the next and stays until the next read. A clock that writes
// does not read: that spares the RAM the choice between the old word and the new one.
//
// The RAM is made of lanes as wide as the greatest common divisor of both words; a row of lanes is
// as wide as their least common multiple, so that no word of either kind crosses the end of a row.
// Where both words are of one width there is one lane, and a row is a word.
//
// Prefix: words are written from the lowest on, and those that were not written since the reset
// read as 0: a counter tells how many were, so that nothing needs to be wiped for it. Without
// Prefix a word may be read only after it was written. Bits from Bits on and whole words above them
// read as 0, and words above them are not written.
//
// LutRows: up to so many rows are RAM in lookup tables, more are a block of RAM, which is smaller,
// and late in giving what it read.
//
// Operands: any. Latency: a clock from read_i to data_o.
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

  // Rows and the words in them by number.
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

  // Which words of the row that is read were written.
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
    logic unused_reset;
    assign unused_reset = rst_ni;
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

  // Simulators do not see what only an attribute reads.
  logic unused_lut_rows;
  assign unused_lut_rows = (Rows > LutRows);

  for (genvar i = 0; i < Lanes; i++) begin : gen_lane
    // A row that is not full has no lanes for what is not there.
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

        // Equal copies: a synthesis that does not know what they are for makes them one.
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

endmodule
