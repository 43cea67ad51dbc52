// SPDX-License-Identifier: Apache-2.0
//
// Test bench top: the multiplier with its clock, the bus transactor, the bus recorder, the observer
// and a source of wait states. Python sees the signals of this module alone.
//
//   bus_*  the loader bus pins, driven by Python word by word while the transactor is idle
//   op_*   the transactor: one operation an event
//   rec_*  the recorder and observer: one record an operation

module multiplier_tb
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int BusWidth = 32,
  parameter int SelWidth = 2,
  parameter int AddWidth = 32,
  parameter int TableAddressBits = 4
);

  localparam int OperandBits = (Width + BusWidth - 1) / BusWidth * BusWidth;
  localparam int BurstClocks = 32;
  localparam int TableBits = 1 << TableAddressBits;
  localparam int ResultBits = (Width + 1 + BusWidth) / BusWidth * BusWidth;
  localparam int RecordBits =
      96 + 152 + TableBits * TableBits + TableBits + 2 * ResultBits + 4 * OperandBits;

  logic clk;
  logic clk_burst;
  logic tick, tick_q;
  int   edges_q;
  logic rst_n;

  // Driven by Python.
  logic bus_req, bus_write;
  logic [SelWidth-1:0] bus_sel;
  logic [BusWidth-1:0] bus_wdata;
  logic op_go;
  // {seed of gaps and stalls (32), limit (32), gap (8), stall (8), load (3), command (5), m, y, x}: one
  // vector, because each access from Python costs more than its bits.
  logic [88+3*OperandBits-1:0] op_request;

  // Read by Python.
  logic bus_ack, bus_err, bus_busy, bus_done;
  logic [BusWidth-1:0] bus_rdata;
  logic op_done;
  logic [5:0] op_outcome;
  logic rec_valid;
  // {info, observed, transition hits, address hits, c, s, p, m, y, x}: one operation's record.
  logic [RecordBits-1:0] rec_record;

  logic [31:0] random_q;
  logic go_q;

  initial begin
    clk        = 1'b0;
    clk_burst  = 1'b0;
    tick       = 1'b0;
    tick_q     = 1'b0;
    edges_q    = 0;
    rst_n      = 1'b0;
    bus_req    = 1'b0;
    bus_write  = 1'b0;
    bus_sel    = '0;
    bus_wdata  = '0;
    op_go      = 1'b0;
    op_request = '0;
    random_q   = 32'd1;
    go_q       = 1'b0;
  end

  // Clock, period 10. Each tick makes one clock edge, or, with clk_burst, the edges of BurstClocks
  // clocks in zero time after waiting for as long as they take: a simulator spends more on a time
  // slot than on a clock edge. Cycle for cycle the hardware does the same; only tests whose every
  // transfer is made by the transactor may ask for it, and waveforms want it off.
  always begin
    if (clk_burst) #(BurstClocks * 10) tick = !tick;
    else #5 tick = !tick;
  end

  always @(tick or clk) begin
    if (tick != tick_q) begin
      tick_q <= tick;
      edges_q <= clk_burst ? (2 * BurstClocks - 1) : 0;
      clk <= !clk;
    end else if (edges_q != 0) begin
      edges_q <= edges_q - 1;
      clk <= !clk;
    end
  end

  logic [OperandBits-1:0] op_x, op_y, op_m;
  logic [87:0] op_control;
  assign {op_control, op_m, op_y, op_x} = op_request;

  logic [OperandBits-1:0] rec_x, rec_y, rec_m, rec_p;
  logic [ResultBits-1:0] rec_s, rec_c;
  logic [95:0] rec_info;
  logic [TableBits-1:0] rec_table_hit;
  logic [TableBits*TableBits-1:0] rec_table_transition;
  logic [151:0] rec_observed;
  assign rec_record = {
    rec_info,
    rec_observed,
    rec_table_transition,
    rec_table_hit,
    rec_c,
    rec_s,
    rec_p,
    rec_m,
    rec_y,
    rec_x
  };

  // Galois LFSR, restarted with each operation's seed: gaps and wait states are part of the stimulus.
  always @(posedge clk) begin
    go_q <= op_go;
    if (go_q !== op_go) random_q <= op_control[87:56] | 32'd1;
    else random_q <= {1'b0, random_q[31:1]} ^ (random_q[0] ? 32'hB4BCD35C : 32'd0);
  end

  logic tx_req, tx_write;
  logic [SelWidth-1:0] tx_sel;
  logic [BusWidth-1:0] tx_wdata;
  logic req, write, stall;
  logic [SelWidth-1:0] sel;
  logic [BusWidth-1:0] wdata;

  assign req   = tx_req || bus_req;
  assign write = tx_req ? tx_write : bus_write;
  assign sel   = tx_req ? tx_sel : bus_sel;
  assign wdata = tx_req ? tx_wdata : bus_wdata;
  assign stall = (random_q[15:8] < op_control[15:8]);

  loader_bus_transactor #(
    .Width   (Width),
    .BusWidth(BusWidth),
    .SelWidth(SelWidth)
  ) u_transactor (
    .clk_i    (clk),
    .rst_ni   (rst_n),
    .go_i     (op_go),
    .x_i      (op_x),
    .y_i      (op_y),
    .m_i      (op_m),
    .load_i   (op_control[7:5]),
    .command_i(BusWidth'(op_control[4:0])),
    .gap_i    (op_control[23:16]),
    .limit_i  (op_control[55:24]),
    .random_i (random_q[7:0]),
    .done_o   (op_done),
    .timeout_o(op_outcome[5:4]),
    .refused_o(op_outcome[3:0]),
    .req_o    (tx_req),
    .write_o  (tx_write),
    .sel_o    (tx_sel),
    .wdata_o  (tx_wdata),
    .ack_i    (bus_ack),
    .err_i    (bus_err),
    .code_i   (bus_rdata[3:0]),
    .done_i   (bus_done)
  );

  multiplier #(
    .Width   (Width),
    .BusWidth(BusWidth),
    .SelWidth(SelWidth),
    .AddWidth(AddWidth)
  ) u_dut (
    .clk_i  (clk),
    .rst_ni (rst_n),
    .req_i  (req),
    .write_i(write),
    .sel_i  (sel),
    .wdata_i(wdata),
    .wait_i (stall),
    .ack_o  (bus_ack),
    .err_o  (bus_err),
    .rdata_o(bus_rdata),
    .busy_o (bus_busy),
    .done_o (bus_done)
  );

  logic publish;

  loader_bus_recorder #(
    .Width   (Width),
    .BusWidth(BusWidth),
    .SelWidth(SelWidth)
  ) u_recorder (
    .clk_i    (clk),
    .rst_ni   (rst_n),
    .req_i    (req),
    .write_i  (write),
    .sel_i    (sel),
    .wdata_i  (wdata),
    .ack_i    (bus_ack),
    .err_i    (bus_err),
    .rdata_i  (bus_rdata),
    .publish_o(publish),
    .valid_o  (rec_valid),
    .x_o      (rec_x),
    .y_o      (rec_y),
    .m_o      (rec_m),
    .p_o      (rec_p),
    .s_o      (rec_s),
    .c_o      (rec_c),
    .info_o   (rec_info)
  );

  multiplier_observer #(
    .TableAddressBits(TableAddressBits)
  ) u_observer (
    .clk_i              (clk),
    .rst_ni             (rst_n),
    .publish_i          (publish),
    .start_i            (u_dut.start),
    .busy_i             (bus_busy),
    .control_state_i    (u_dut.control_state),
    .core_start_i       (u_dut.core_start),
    .core_done_i        (u_dut.core_done),
    .core_busy_i        (u_dut.core_busy),
    .core_state_i       (u_dut.core_state),
    .table_valid_i      (u_dut.table_valid),
    .table_addr_i       (u_dut.table_addr),
    .result_done_i      (u_dut.result_done),
    .result_subtracted_i(u_dut.add_subtracted),
    .result_exact_i     (u_dut.add_exact),
    .table_hit_o        (rec_table_hit),
    .table_transition_o (rec_table_transition),
    .info_o             (rec_observed)
  );

endmodule
