// SPDX-License-Identifier: Apache-2.0
//
// Test bench top: a core from outside behind the operand loader, with its clock and the loader bus
// agent. Signals as in multiplier_tb; box_* are what the test does to the core beside operations.
//
// The clock is an ordinary one, period 10. Foreign code may have delays, non-blocking assignments
// in combinational processes and cycles of its own, which the bursts of bench_clock do not serve.
//
// Observed, from its top: cycles from the core's start to its done (32), a second start was given
// before done (1), the core's own status (8), values that were seen of the watched signals (Hits).

module black_box_tb
  import bench_pkg::*;
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int BusWidth = 32,
  parameter int ConstantWidth = 1,
  parameter int Hits = 1
);

  localparam int AddressWidth = 3;
  localparam int Writes = 8;
  localparam int Reads = 1;
  localparam int Words = (Width + BusWidth - 1) / BusWidth;
  localparam int ConstantWords = (ConstantWidth + BusWidth - 1) / BusWidth;
  localparam int LengthWords = (16 + BusWidth - 1) / BusWidth;
  localparam int WideWords = (ConstantWords > Words) ? ConstantWords : Words;
  localparam int SlotWords = (LengthWords > WideWords) ? LengthWords : WideWords;
  localparam int SlotBits = SlotWords * BusWidth;
  localparam logic [15:0] N = 16'(Words);
  localparam logic [16*Writes-1:0] WriteWords = {
    N, 16'(LengthWords), 16'd0, 16'(ConstantWords), 16'd0, N, N, N
  };
  localparam int RequestBits = request_bits(Writes, SlotBits);
  localparam int BusRecordBits = 16 * Reads + 32 + Writes + 16 + (Reads + Writes) * SlotBits;
  localparam int ObservedBits = black_box_observed_bits(Hits);

  logic clk;
  logic rst_n;

  // Driven by Python.
  logic bus_req, bus_write, bus_wait;
  logic [AddressWidth-1:0] bus_addr;
  logic [BusWidth-1:0] bus_wdata;
  logic op_go;
  logic [RequestBits-1:0] op_request;
  logic box_scramble, box_again;
  logic [31:0] box_restart;

  // Read by Python.
  logic bus_ack, bus_err, bus_busy, bus_done;
  logic [BusWidth-1:0] bus_rdata;
  logic op_done;
  logic box_started;
  logic [5:0] op_outcome;
  logic rec_valid;
  logic [ObservedBits+BusRecordBits-1:0] rec_record;

  initial begin
    clk          = 1'b0;
    rst_n        = 1'b1;  // Python's first reset is an edge: Verilator sees no other
    bus_req      = 1'b0;
    bus_write    = 1'b0;
    bus_wait     = 1'b0;
    bus_addr     = '0;
    bus_wdata    = '0;
    op_go        = 1'b0;
    op_request   = '0;
    box_scramble = 1'b0;
    box_again    = 1'b0;
    box_restart  = '0;
  end

  always #5 clk = !clk;

  // Changes 10 ps before each rising edge: then the outputs of the core are sampled. At the edge
  // itself the latches of a two-phase core open, and may already show their next values.
  logic sample;
  initial sample = 1'b0;
  always @(posedge clk) sample <= #9.99 !sample;

  logic req, write, stall, publish;
  logic [AddressWidth-1:0] addr;
  logic [BusWidth-1:0] wdata;
  logic [ObservedBits-1:0] observed_q;

  loader_bus_agent #(
    .BusWidth      (BusWidth),
    .AddressWidth  (AddressWidth),
    .WriteAddresses(Writes),
    .ReadAddresses (Reads),
    .SlotWords     (SlotWords),
    .WriteWords    (WriteWords),
    .ReadWords     (16'(Words)),
    .ReadAfterOk   (1'b1),
    .ReadAfterRaw  (1'b0),
    .ObservedBits  (ObservedBits)
  ) u_agent (
    .clk_i       (clk),
    .rst_ni      (rst_n),
    .op_go_i     (op_go),
    .op_request_i(op_request),
    .op_done_o   (op_done),
    .op_outcome_o(op_outcome),
    .bus_req_i   (bus_req),
    .bus_write_i (bus_write),
    .bus_addr_i  (bus_addr),
    .bus_wdata_i (bus_wdata),
    .bus_wait_i  (bus_wait),
    .req_o       (req),
    .write_o     (write),
    .addr_o      (addr),
    .wdata_o     (wdata),
    .wait_o      (stall),
    .req_i       (req),
    .write_i     (write),
    .addr_i      (addr),
    .wdata_i     (wdata),
    .ack_i       (bus_ack),
    .err_i       (bus_err),
    .rdata_i     (bus_rdata),
    .done_i      (bus_done),
    .publish_o   (publish),
    .observed_i  (observed_q),
    .valid_o     (rec_valid),
    .record_o    (rec_record)
  );

  logic [31:0] latency;
  logic [7:0] code;
  logic restarted;
  logic [Hits-1:0] hits, hits_q;

  black_box #(
    .Width        (Width),
    .BusWidth     (BusWidth),
    .AddressWidth (AddressWidth),
    .ConstantWidth(ConstantWidth),
    .Hits         (Hits)
  ) u_dut (
    .clk_i      (clk),
    .rst_ni     (rst_n),
    .sample_i   (sample),
    .req_i      (req),
    .write_i    (write),
    .addr_i     (addr),
    .wdata_i    (wdata),
    .wait_i     (stall),
    .ack_o      (bus_ack),
    .err_o      (bus_err),
    .rdata_o    (bus_rdata),
    .busy_o     (bus_busy),
    .done_o     (bus_done),
    .scramble_i (box_scramble),
    .again_i    (box_again),
    .restart_i  (box_restart),
    .started_o  (box_started),
    .latency_o  (latency),
    .restarted_o(restarted),
    .code_o     (code),
    .hits_o     (hits)
  );

  // A signal has no value until it is set for the first time; the others have theirs.
  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) hits_q <= '0;
    else for (int i = 0; i < Hits; i++) hits_q[i] <= (hits_q[i] && !publish) || (hits[i] === 1'b1);
  end
  always @(posedge clk) if (publish) observed_q <= {latency, restarted, code, hits_q};

endmodule
