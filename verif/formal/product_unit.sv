// SPDX-License-Identifier: Apache-2.0
//
// Wrapper for proofs about a whole product: the unit of an architecture with whole values X, Y and
// M, and a whole result.
//
// The unit has word memories. After start_i the wrapper writes the words of X, Y and M, one per
// cycle, and starts the unit; it reads P, one word per cycle, before done_o. busy_o is high from
// the cycle after start_i to the cycle before done_o.

`ifndef MULTIPLIER_UNIT
`define MULTIPLIER_UNIT parallel_unit
`endif  // MULTIPLIER_UNIT
`ifndef MULTIPLIER_UNIT_PARAMETERS
`define MULTIPLIER_UNIT_PARAMETERS
`endif  // MULTIPLIER_UNIT_PARAMETERS

module product_unit
  import multiplier_pkg::*;
#(
  parameter int Width = 4,
  parameter int BusWidth = 4,
  parameter int AddWidth = 32,
  parameter int Guard = 2
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      start_i,
  input  logic                      raw_i,
  input  logic                      field_i,
  input  logic                      incomplete_i,
  input  logic                      overwide_i,
  input  logic [         Width-1:0] x_i,
  input  logic [         Width-1:0] y_i,
  input  logic [         Width-1:0] m_i,
  output logic                      busy_o,
  output logic                      done_o,
  output logic [               3:0] status_o,
  output logic [         Width-1:0] result_o,
  output logic                      binary_o,
  output logic [               1:0] core_state_o,
  output logic [TablePositions-1:0] table_valid_o,
  output logic [ TableAddrBits-1:0] table_addr_o
);

  localparam int Words = (Width + BusWidth - 1) / BusWidth;
  localparam int CountWidth = $clog2(3 * Words + 2);

  logic [CountWidth-1:0] write_q, read_q;  // words written and read; all words: done
  logic started_q, busy, done, ends, start;
  logic [2:0] write, read;
  logic [7:0] index;
  logic [BusWidth-1:0] word, data;
  logic [3*Words*BusWidth-1:0] operands;
  logic [Words*BusWidth-1:0] result_q, result;
  multiplier_view_t view;

  assign operands = {(Words * BusWidth)'(m_i), (Words * BusWidth)'(y_i), (Words * BusWidth)'(x_i)};
  assign start = started_q && (write_q == CountWidth'(3 * Words));
  assign ends = started_q && (write_q > CountWidth'(3 * Words)) && done;
  assign data = operands[write_q*BusWidth+:BusWidth];
  assign index = ends ? 8'(read_q) : 8'(write_q % CountWidth'(Words));
  assign read = 3'(ends && (read_q < CountWidth'(Words)));

  for (genvar i = 0; i < 3; i++) begin : gen_write
    assign write[i] = started_q && (write_q / CountWidth'(Words) == CountWidth'(i));
  end
  if (Words > 1) begin : gen_words
    assign result = {word, result_q[Words*BusWidth-1:BusWidth]};
  end else begin : gen_word
    assign result = word;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      started_q <= 1'b0;
      write_q   <= '0;
      read_q    <= '0;
      result_q  <= '0;
    end else begin
      if (start_i) started_q <= 1'b1;
      if (started_q && (write_q <= CountWidth'(3 * Words))) write_q <= write_q + 1'b1;
      if (ends && (read_q <= CountWidth'(Words))) read_q <= read_q + 1'b1;
      if (ends && (read_q != '0) && (read_q <= CountWidth'(Words))) result_q <= result;
    end
  end

  `MULTIPLIER_UNIT #(
    .Width   (Width),
    .BusWidth(BusWidth),
`ifndef STREAM_WORD_WIDTH
    .AddWidth(AddWidth),
`endif  // STREAM_WORD_WIDTH
    .Guard   (Guard)
    `MULTIPLIER_UNIT_PARAMETERS
  ) u_unit (
    .clk_i,
    .rst_ni,
    .write_i      (write),
    .read_i       (read),
    .write_index_i(index),
    .read_index_i (index),
    .data_i       (data),
    .word_o       (word),
    .start_i      (start),
    .raw_i,
    .field_i,
    .incomplete_i,
    .overwide_i,
    .busy_o       (busy),
    .done_o       (done),
    .status_o,
    .binary_o,
    .view_o       (view)
  );

  ring_address_observer u_address (
    .clk_i,
    .rst_ni,
    .clear_i       (start),
    .digit_first_i (view.ring.digit_first),
    .digit_queued_i(view.ring.digit_queued),
    .digit_report_i(view.ring.digit_report),
    .table_addr_i  (view.table_addr),
    .table_addr_o
  );

  assign done_o        = ends && (read_q > CountWidth'(Words));
  assign busy_o        = started_q && !done_o;
  assign result_o      = result_q[Width-1:0];
  assign core_state_o  = view.core_state;
  assign table_valid_o = view.table_valid;

endmodule
