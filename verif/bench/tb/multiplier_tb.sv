// SPDX-License-Identifier: Apache-2.0
//
// Test bench top: the multiplier with its clock, the loader bus agent and the observer. Python
// accesses only the signals of this module.
//
//   bus_*  the loader bus pins, which Python drives word by word while the transactor is idle
//   watch_*  every transfer, and every change of busy, done and reset: one event each
//   op_*   the transactor: one event per operation
//   rec_*  the recorder and observer: one record per operation, {observed, bus record}
//   chk_*  the interface monitor: at most one report, of the first pin that violates a rule
//
// Addresses: 0 writes X and reads P after Ok; 1 writes Y and reads S after Ok or Raw; 2 writes M
// and reads C after Ok or Raw.

module multiplier_tb
  import bench_pkg::*;
  import multiplier_pkg::*;
  import core_pkg::*;
  import front_pkg::*;
#(
  parameter int Front = 0,  // of bench_front
  parameter int FrontRadixBits = 0,
  parameter int Width = 32,
  parameter int BusWidth = 32,
  parameter int AddressWidth = 2,
  parameter int AddWidth = 32,
  parameter int Guard = 2,
  parameter int Core = CoreFastMontgomery,
  parameter int Unfolding = 1,
  parameter int WordWidth = 17,
  parameter int DigitWidth = 16,
  parameter int Words = 3,
  parameter int RadixBits = 48,
  parameter int MPrimeBits = 16,
  parameter int ScaleBits = 0,
  parameter int BinaryBits = 0,
  parameter int Elements = 1,
  parameter int Stages = 1,
  parameter int Latency = 3,
  parameter int UnitWidth = 1,
  parameter int Units = 1,
  parameter int Watchdog = 0,
  parameter int TableAddressBits = 4,
  parameter int Positions = 1,
  parameter int ClassLead = 0,
  parameter int CarryWords = 1,
  parameter int Binary = 0
);

  localparam int Addresses = MultiplierAddresses;
  localparam int ResultWords = (Width + Guard - 1 + BusWidth) / BusWidth;
  localparam int SlotBits = ResultWords * BusWidth;
  localparam int RequestBits = request_bits(Addresses, SlotBits);
  localparam int BusRecordBits = 16 * Addresses + 32 + Addresses + 16 + 2 * Addresses * SlotBits;
  localparam int TableBits = 1 << TableAddressBits;
  localparam int ObservedBits = multiplier_observed_bits(TableBits, Positions, CarryWords);
  localparam int ReportBits = report_bits(BusWidth);

  // Bus words of each address, from its bits.
  function automatic logic [16*Addresses-1:0] words_of(input logic [16*Addresses-1:0] bits);
    for (int i = 0; i < Addresses; i++) begin
      words_of[i*16+:16] = (bits[i*16+:16] + 16'(BusWidth) - 16'd1) / 16'(BusWidth);
    end
  endfunction

  logic clk;
  logic clk_burst;
  logic rst_n;

  // Driven by Python.
  logic bus_req, bus_write;
  logic [AddressWidth-1:0] bus_addr;
  logic [BusWidth-1:0] bus_wdata;
  logic bus_wait;
  logic watch_enable;
  logic op_go;
  logic [RequestBits-1:0] op_request;

  // Read by Python.
  logic watch_valid;
  logic [event_bits(AddressWidth, BusWidth)-1:0] watch_event;
  logic bus_ack, bus_err, bus_busy, bus_done;
  logic [BusWidth-1:0] bus_rdata;
  logic op_done;
  logic [5:0] op_outcome;
  logic rec_valid;
  logic chk_valid;
  logic [ReportBits-1:0] chk_report;
  logic [ObservedBits+BusRecordBits-1:0] rec_record;

  initial begin
    clk_burst    = 1'b0;
    rst_n        = 1'b1;  // so that Python's first reset is an edge, which Verilator needs
    bus_req      = 1'b0;
    bus_write    = 1'b0;
    bus_addr     = '0;
    bus_wdata    = '0;
    bus_wait     = 1'b0;
    watch_enable = 1'b0;
    op_go        = 1'b0;
    op_request   = '0;
  end

  bench_clock u_clock (
    .burst_i(clk_burst),
    .clk_o  (clk)
  );

  logic agent_req, agent_write, agent_stall;
  logic [AddressWidth-1:0] agent_addr;
  logic [BusWidth-1:0] agent_wdata;
  logic req, write, stall, publish;
  logic [AddressWidth-1:0] addr;
  logic [BusWidth-1:0] wdata;
  logic [ObservedBits-1:0] observed;

  loader_bus_agent #(
    .BusWidth      (BusWidth),
    .AddressWidth  (AddressWidth),
    .WriteAddresses(Addresses),
    .ReadAddresses (Addresses),
    .SlotWords     (ResultWords),
    .WriteWords    (words_of(multiplier_write_bits(16'(Width)))),
    .ReadWords     (words_of(multiplier_read_bits(16'(Width), 16'(Guard)))),
    .ReadAfterOk   (MultiplierReadOk),
    .ReadAfterRaw  (MultiplierReadRaw),
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
    .req_o       (agent_req),
    .write_o     (agent_write),
    .addr_o      (agent_addr),
    .wdata_o     (agent_wdata),
    .wait_o      (agent_stall),
    .req_i       (req),
    .write_i     (write),
    .addr_i      (addr),
    .wdata_i     (wdata),
    .ack_i       (bus_ack),
    .err_i       (bus_err),
    .rdata_i     (bus_rdata),
    .done_i      (bus_done),
    .publish_o   (publish),
    .observed_i  (observed),
    .valid_o     (rec_valid),
    .record_o    (rec_record)
  );

  bench_front #(
    .Front(Front),
    .BusWidth(BusWidth),
    .AddressWidth(AddressWidth),
    .Operation(OperationMultiplier),
    .Core(Core),
    .Width(Width),
    .Guard(Guard),
    .MPrimeWidth(1),
    .FrontRadixBits(FrontRadixBits)
  ) u_front (
    .clk_i  (clk),
    .rst_ni (rst_n),
    .req_i  (agent_req),
    .write_i(agent_write),
    .addr_i (agent_addr),
    .wdata_i(agent_wdata),
    .wait_i (agent_stall),
    .req_o  (req),
    .write_o(write),
    .addr_o (addr),
    .wdata_o(wdata),
    .wait_o (stall),
    .ack_i  (bus_ack),
    .err_i  (bus_err),
    .rdata_i(bus_rdata),
    .done_i (bus_done)
  );

  multiplier #(
    .Width       (Width),
    .BusWidth    (BusWidth),
    .AddressWidth(AddressWidth),
    .AddWidth    (AddWidth),
    .Guard       (Guard),
    .Core        (Core),
    .Unfolding   (Unfolding),
    .WordWidth   (WordWidth),
    .DigitWidth  (DigitWidth),
    .Words       (Words),
    .RadixBits   (RadixBits),
    .MPrimeBits  (MPrimeBits),
    .ScaleBits   (ScaleBits),
    .BinaryBits  (BinaryBits),
    .Elements    (Elements),
    .Stages      (Stages),
    .Latency     (Latency),
    .UnitWidth   (UnitWidth),
    .Units       (Units),
    .Watchdog    (Watchdog)
  ) u_dut (
    .clk_i  (clk),
    .rst_ni (rst_n),
    .req_i  (req),
    .write_i(write),
    .addr_i (addr),
    .wdata_i(wdata),
    .wait_i (stall),
    .ack_o  (bus_ack),
    .err_o  (bus_err),
    .rdata_o(bus_rdata),
    .busy_o (bus_busy),
    .done_o (bus_done)
  );

  interface_monitor #(
    .Exponentiation(1'b0),
    .Width(Width),
    .BusWidth(BusWidth),
    .AddressWidth(AddressWidth),
    .Guard(Guard),
    .Binary(Binary != 0)
  ) u_monitor (
    .clk_i(clk),
    .rst_ni(rst_n),
    .req_i(req),
    .write_i(write),
    .addr_i(addr),
    .wdata_i(wdata),
    .wait_i(stall),
    .ack_i(bus_ack),
    .err_i(bus_err),
    .rdata_i(bus_rdata),
    .busy_i(bus_busy),
    .done_i(bus_done),
    .valid_o(chk_valid),
    .report_o(chk_report)
  );

  loader_bus_watch #(
    .BusWidth(BusWidth),
    .AddressWidth(AddressWidth)
  ) u_watch (
    .clk_i   (clk),
    .rst_ni  (rst_n),
    .enable_i(watch_enable),
    .req_i   (req),
    .write_i (write),
    .addr_i   (addr),
    .wdata_i (wdata),
    .wait_i  (stall),
    .ack_i   (bus_ack),
    .err_i   (bus_err),
    .rdata_i (bus_rdata),
    .busy_i  (bus_busy),
    .done_i  (bus_done),
    .valid_o (watch_valid),
    .event_o (watch_event)
  );

`ifdef BLACK_BOX
  black_box_observer #(
    .ObservedBits(ObservedBits),
    .BusyCyclesAt(ObservedBits - 16 - 64 - 32 - 32 - 32)
  ) u_observer (
    .clk_i     (clk),
    .rst_ni    (rst_n),
    .publish_i (publish),
    .busy_i    (bus_busy),
    .observed_o(observed)
  );
`else
  multiplier_view u_view (
    .start_i(u_dut.start),
    .view_i (u_dut.view)
  );

  logic [TableAddrBits-1:0] table_addr;

  ring_address_observer #(
    .ClassLead(ClassLead)
  ) u_address (
    .clk_i         (clk),
    .rst_ni        (rst_n),
    .clear_i       (u_view.start),
    .digit_first_i (u_view.digit_first),
    .digit_queued_i(u_view.digit_queued),
    .digit_report_i(u_view.digit_report),
    .table_addr_i  (u_view.table_addr),
    .table_addr_o  (table_addr)
  );

  // nonzero: a word of the adder's difference is not 0.
  logic result_subtracted, result_exact, nonzero;
  if (is_ring_core(Core)) begin : gen_ring_adder
    assign nonzero = u_dut.gen_ring.u_unit.sum_valid && (u_dut.gen_ring.u_unit.difference != '0);
  end else begin : gen_parallel_adder
    assign nonzero = u_dut.gen_parallel.u_unit.step
                  && (u_dut.gen_parallel.u_unit.difference_word != '0);
  end

  subtraction_observer u_subtraction (
    .clk_i       (clk),
    .rst_ni      (rst_n),
    .nonzero_i   (nonzero),
    .pass_done_i (u_view.add_pass_done),
    .subtracted_i(u_view.add_subtracted),
    .sum_done_i  (u_view.add_sum_done),
    .again_i     (u_view.add_again),
    .subtracted_o(result_subtracted),
    .exact_o     (result_exact)
  );

  multiplier_observer #(
    .TableAddressBits(TableAddressBits),
    .Positions       (Positions),
    .CarryWords      (CarryWords)
  ) u_observer (
    .clk_i              (clk),
    .rst_ni             (rst_n),
    .publish_i          (publish),
    .start_i            (u_view.start),
    .busy_i             (bus_busy),
    .control_state_i    (u_view.control_state),
    .core_start_i       (u_view.core_start),
    .core_ready_i       (u_view.core_ready),
    .core_done_i        (u_view.core_done),
    .core_busy_i        (u_view.core_busy),
    .core_state_i       (u_view.core_state),
    .table_valid_i      (u_view.table_valid),
    .table_addr_i       (table_addr),
    .carry_first_i      (u_view.carry_first),
    .carry_valid_i      (u_view.carry_valid),
    .carry_word_i       (u_view.carry_word),
    .result_done_i      (u_view.result_done),
    .result_subtracted_i(result_subtracted),
    .result_exact_i     (result_exact),
    .observed_o         (observed)
  );

  if (is_ring_core(Core)) begin : gen_ring
    logic bank;
    logic [1:0][WordWidth-1:0] p;  // words of the residue, and of the other bank
    assign bank = u_dut.gen_ring.u_unit.bank;
    assign p[0] = bank ? u_dut.gen_ring.u_unit.difference : u_dut.gen_ring.u_unit.sum;
    assign p[1] = bank ? u_dut.gen_ring.u_unit.sum : u_dut.gen_ring.u_unit.difference;

    stream_window #(
      .Width     (Width),
      .Guard     (Guard),
      .WordWidth (WordWidth),
      .IndexWidth(WordIndexWidth)
    ) u_window (
      .clk_i           (clk),
      .load_i          (u_dut.gen_ring.u_unit.word_valid),
      .index_i         (u_dut.gen_ring.u_unit.word_index),
      .x_i             (u_dut.gen_ring.u_unit.x_word),
      .y_i             (u_dut.gen_ring.u_unit.y_word),
      .m_i             (u_dut.gen_ring.u_unit.m_word),
      .constant_valid_i(u_dut.gen_ring.u_unit.constant_valid),
      .constant_index_i(u_dut.gen_ring.u_unit.constant_index),
      .constant_i      (u_dut.gen_ring.u_unit.constant_word),
      .s_valid_i       (u_dut.gen_ring.u_unit.store_s),
      .s_index_i       (u_dut.gen_ring.u_unit.core_index),
      .s_i             (u_dut.gen_ring.u_unit.core_word),
      .p_valid_i       (u_dut.gen_ring.u_unit.sum_valid),
      .p_index_i       (u_dut.gen_ring.u_unit.sum_index),
      .p_0_i           (p[0]),
      .p_1_i           (p[1]),
      .done_i          (u_view.result_done),
      .bank_i          (u_dut.gen_ring.u_unit.bank ^ !u_dut.gen_ring.u_unit.negative)
    );
  end else begin : gen_parallel
    localparam int AddWords = (Width + Guard + AddWidth) / AddWidth;
    localparam int AddIndexWidth = (AddWords > 1) ? $clog2(AddWords) : 1;

    operand_window #(
      .Width     (Width),
      .AddWidth  (AddWidth),
      .IndexWidth(AddIndexWidth)
    ) u_window (
      .clk_i  (clk),
      .load_i (u_dut.gen_parallel.u_unit.load),
      .step_i (u_dut.gen_parallel.u_unit.step),
      .index_i(u_dut.gen_parallel.u_unit.word_index),
      .x_i    (u_dut.gen_parallel.u_unit.x_word),
      .y_i    (u_dut.gen_parallel.u_unit.y_word),
      .m_i    (u_dut.gen_parallel.u_unit.m_word),
      .write_i(u_dut.gen_parallel.u_unit.store[0]),
      .place_i(u_dut.gen_parallel.u_unit.bank_index),
      .p_0_i  (u_dut.gen_parallel.u_unit.stored_words[AddWidth-1:0]),
      .p_1_i  (u_dut.gen_parallel.u_unit.stored_words[AddWidth+:AddWidth]),
      .done_i (u_view.result_done),
      .bank_i (u_dut.gen_parallel.u_unit.bank ^ u_view.add_subtracted)
    );
  end
`endif  // BLACK_BOX

endmodule
