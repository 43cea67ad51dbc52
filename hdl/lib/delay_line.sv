// SPDX-License-Identifier: Apache-2.0
//
// Delay line: delays data_i by Cycles cycles, or by FewCycles cycles while few_i is high. data_o is
// 0 as long as the delayed value dates from before the reset.
//
// With Cycles up to MaxRow, or FewCycles below 2, the line is a row of registers, which shifts in
// every cycle, whatever run_i is. Any other line is a RAM with a counting write address; the read
// address follows it at the distance of the delay, and only cycles with run_i count. So an operand
// that waits in the line needs no flip-flops. After a reset the RAM runs until every row has been
// written, so that no old content remains: as many cycles as it has rows, Cycles rounded up to a
// power of two.
//
// Latency: Cycles; 0 is a wire. FewCycles is at most Cycles.
//
// Source: the queue of Tenca & Koc and of Jiang & Harris, figure 4.

module delay_line #(
  parameter int Width = 8,
  parameter int Cycles = 1,
  parameter int FewCycles = Cycles
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             run_i,
  input  logic             few_i,
  input  logic [Width-1:0] data_i,
  output logic [Width-1:0] data_o
);

  // Longest row of registers.
  localparam int MaxRow = 4;

  if (Cycles == 0) begin : gen_wire
    assign data_o = data_i;
  end else if ((Cycles <= MaxRow) || (FewCycles < 2)) begin : gen_row
    logic [Cycles*Width-1:0] row_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) row_q <= '0;
      else row_q <= (Cycles * Width)'({row_q, data_i});
    end

    if (FewCycles == Cycles) begin : gen_one_length
      assign data_o = row_q[(Cycles-1)*Width+:Width];
    end else if (FewCycles > 0) begin : gen_two_lengths
      assign data_o = few_i ? row_q[(FewCycles-1)*Width+:Width] : row_q[(Cycles-1)*Width+:Width];
    end else begin : gen_none_or_long
      assign data_o = few_i ? data_i : row_q[(Cycles-1)*Width+:Width];
    end
  end else begin : gen_ram
    localparam int AddressWidth = $clog2(Cycles);
    localparam int Rows = 1 << AddressWidth;
    localparam int CountWidth = AddressWidth + 1;

    logic [Width-1:0] rows[0:Rows-1];
    logic [Width-1:0] row;
    logic [AddressWidth-1:0] write_q, read;
    logic [CountWidth-1:0] count_q;  // words since the reset, up to Rows
    logic full, run;

    // A row read in this cycle is valid in the next one.
    assign read = write_q - (few_i ? AddressWidth'(FewCycles - 1) : AddressWidth'(Cycles - 1));
    assign run  = run_i || (count_q != CountWidth'(Rows));
    assign full = (count_q >= (few_i ? CountWidth'(FewCycles) : CountWidth'(Cycles)));

    always_ff @(posedge clk_i) begin
      if (run) begin
        rows[write_q] <= data_i;
        row           <= rows[read];
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        {write_q, count_q} <= '0;
      end else if (run) begin
        write_q <= write_q + 1'b1;
        if (count_q != CountWidth'(Rows)) count_q <= count_q + 1'b1;
      end
    end

    assign data_o = full ? row : '0;
  end

  logic unused_ports;
  assign unused_ports = ^{clk_i, rst_ni, run_i, few_i};

endmodule
