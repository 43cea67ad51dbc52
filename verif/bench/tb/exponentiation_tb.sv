// SPDX-License-Identifier: Apache-2.0
//
// Test bench top: the exponentiation core with its clock, the loader bus agent and the observer.
// Python accesses only the signals of this module; the zeroise test also reads signals in u_dut.
//
//   bus_*  the loader bus pins, which Python drives word by word while the transactor is idle
//   watch_*  every transfer, and every change of busy, done and reset: one event each
//   op_*   the transactor: one event per operation
//   rec_*  the recorder and observer: one record per operation, {observed, bus record}
//   chk_*  the interface monitor: at most one report, of the first pin that violates a rule
//   dbg_*  with dbg_enable: one event for each product of entry and loop, {stray (1), exponent bit
//          (1), position of its start (8), state (4), S, A}
//
// Addresses: 0 writes the base and reads the result after Ok; 1 writes the exponent, 2 M, 4 R**2,
// 5 m', 6 the length.

module exponentiation_tb
  import bench_pkg::*;
  import multiplier_pkg::*;
  import core_pkg::*;
  import front_pkg::*;
#(
  parameter int Front = 0,  // of bench_front
  parameter int FrontRadixBits = 0,
  parameter int Width = 32,
  parameter int BusWidth = 32,
  parameter int AddressWidth = 3,
  parameter int Guard = 2,
  parameter int WordWidth = 17,
  parameter int DigitWidth = 16,
  parameter int Words = 3,
  parameter int RadixBits = 48,
  parameter int MPrimeBits = 16,
  parameter int ScaleBits = 0,
  parameter int Core = CoreMwrkmm,
  parameter int Unfolding = 1,
  parameter int Elements = 1,
  parameter int Stages = 1,
  parameter int Latency = 3,
  parameter int UnitWidth = 1,
  parameter int Units = 1,
  parameter int Balanced = 0,
  parameter int Parity = 0,
  parameter int Coherent = 0,
  parameter int TableAddressBits = 4,
  parameter int Positions = 1,
  parameter int ClassLead = 0
);

  localparam int MPrimeWidth = (ScaleBits > 0) ? Width : (MPrimeBits > 0) ? MPrimeBits : 1;
  localparam int WriteAddresses = ExponentiationAddresses;
  localparam int ReadAddresses = 1;
  localparam int OperandWords = (Width + BusWidth - 1) / BusWidth;
  localparam int MPrimeWords = (MPrimeWidth + BusWidth - 1) / BusWidth;
  localparam int LengthWords = (LengthWidth + BusWidth - 1) / BusWidth;
  localparam int WiderWords = (OperandWords > MPrimeWords) ? OperandWords : MPrimeWords;
  localparam int SlotWords = (WiderWords > LengthWords) ? WiderWords : LengthWords;
  localparam int SlotBits = SlotWords * BusWidth;
  localparam int RequestBits = request_bits(WriteAddresses, SlotBits);
  localparam int BusRecordBits =
      16 * ReadAddresses + 32 + WriteAddresses + 16 + (ReadAddresses + WriteAddresses) * SlotBits;
  localparam int TableBits = 1 << TableAddressBits;
  localparam int ObservedBits = exponentiation_observed_bits(Positions, TableBits);
  localparam int ProductBits = product_bits(Width + Guard);
  localparam int ReportBits = report_bits(BusWidth);

  // Bus words of each address, from its bits.
  function automatic logic [16*WriteAddresses-1:0] words_of(
      input logic [16*WriteAddresses-1:0] bits);
    for (int i = 0; i < WriteAddresses; i++) begin
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
  logic dbg_enable;

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
  logic dbg_valid;
  logic [ProductBits-1:0] dbg_product;

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
    dbg_enable   = 1'b0;
  end

  // Long bursts, because operations are long: fewer time slots.
  bench_clock #(
    .BurstCycles(256)
  ) u_clock (
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
    .BusWidth(BusWidth),
    .AddressWidth(AddressWidth),
    .WriteAddresses(WriteAddresses),
    .ReadAddresses(ReadAddresses),
    .SlotWords(SlotWords),
    .WriteWords  (words_of(exponentiation_write_bits(16'(Width), 16'(MPrimeWidth)))),
    .ReadWords   (16'(words_of(exponentiation_read_bits(16'(Width))))),
    .ReadAfterOk (ReadAddresses'(ExponentiationReadOk)),
    .ReadAfterRaw(ReadAddresses'(ExponentiationReadRaw)),
    .ObservedBits(ObservedBits)
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
    .Operation(OperationExponentiation),
    .Core(Core),
    .Width(Width),
    .Guard(Guard),
    .MPrimeWidth(MPrimeWidth),
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

  exponentiation #(
    .Width       (Width),
    .BusWidth    (BusWidth),
    .AddressWidth(AddressWidth),
    .Guard       (Guard),
    .WordWidth   (WordWidth),
    .DigitWidth  (DigitWidth),
    .Words       (Words),
    .RadixBits   (RadixBits),
    .MPrimeBits  (MPrimeBits),
    .ScaleBits   (ScaleBits),
    .Core        (Core),
    .Unfolding   (Unfolding),
    .Elements    (Elements),
    .Stages      (Stages),
    .Latency     (Latency),
    .UnitWidth   (UnitWidth),
    .Units       (Units),
    .Balanced    (Balanced),
    .Parity      (Parity),
    .Coherent    (Coherent)
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
    .Exponentiation(1'b1),
    .Width(Width),
    .BusWidth(BusWidth),
    .AddressWidth(AddressWidth),
    .Guard(Guard),
    .MPrimeWidth(MPrimeWidth)
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
    .BusyCyclesAt(ObservedBits - 256 - 16 - 16 - 32)
  ) u_observer (
    .clk_i     (clk),
    .rst_ni    (rst_n),
    .publish_i (publish),
    .busy_i    (bus_busy),
    .observed_o(observed)
  );

  // A black box does not show its products.
  logic unused_dbg;
  assign unused_dbg = dbg_enable;
  initial begin
    dbg_valid   = 1'b0;
    dbg_product = '0;
  end
`else
  exponentiation_view #(
    .Width    (Width),
    .Guard    (Guard),
    .WordWidth(WordWidth),
    .Domain   (RadixBits > 0),
    .Scaled   (ScaleBits > 0)
  ) u_view (
    .request_i      (u_dut.request),
    .control_i      (u_dut.control),
    .state_i        (u_dut.u_control.state_q),
    .exponent_bit_i (u_dut.exponent.present),
    .a_status_i     (u_dut.a_status),
    .s_status_i     (u_dut.s_status),
    .a_observation_i(u_dut.u_operands.a_observation),
    .s_observation_i(u_dut.u_operands.s_observation),
    .a_write_i      (u_dut.u_operands.a_write),
    .a_word_i       (u_dut.a_result),
    .s_word_i       (u_dut.s_result),
    .outcome_i      (u_dut.outcome),
    .nonzero_i      (u_dut.u_residue.sum_nonzero)
  );

  // State of the control for which the product that ends now was computed: the state in the cycle
  // of its ready.
  logic [3:0] product_phase, phase_q;
  assign product_phase = u_view.product_ready ? u_view.control_state : phase_q;

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) phase_q <= '0;
    else phase_q <= product_phase;
  end

  logic [TableAddrBits-1:0] a_table_addr, s_table_addr;

  ring_address_observer #(
    .ClassLead(ClassLead)
  ) u_address_a (
    .clk_i         (clk),
    .rst_ni        (rst_n),
    .clear_i       (u_view.start),
    .digit_first_i (u_view.a_digit_first),
    .digit_queued_i(u_view.a_digit_queued),
    .digit_report_i(u_view.a_digit_report),
    .table_addr_i  (u_view.a_table_addr),
    .table_addr_o  (a_table_addr)
  );

  ring_address_observer #(
    .ClassLead(ClassLead)
  ) u_address_s (
    .clk_i         (clk),
    .rst_ni        (rst_n),
    .clear_i       (u_view.start),
    .digit_first_i (u_view.s_digit_first),
    .digit_queued_i(u_view.s_digit_queued),
    .digit_report_i(u_view.s_digit_report),
    .table_addr_i  (u_view.s_table_addr),
    .table_addr_o  (s_table_addr)
  );

  logic result_subtracted, result_exact;

  subtraction_observer u_subtraction (
    .clk_i       (clk),
    .rst_ni      (rst_n),
    .nonzero_i   (u_view.add_nonzero),
    .pass_done_i (u_view.add_pass_done),
    .subtracted_i(u_view.add_subtracted),
    .sum_done_i  (u_view.add_sum_done),
    .again_i     (1'b0),
    .subtracted_o(result_subtracted),
    .exact_o     (result_exact)
  );

  exponentiation_observer #(
    .BusWidth        (BusWidth),
    .TableAddressBits(TableAddressBits),
    .Positions       (Positions)
  ) u_observer (
    .clk_i              (clk),
    .rst_ni             (rst_n),
    .publish_i          (publish),
    .start_i            (u_view.start),
    .busy_i             (bus_busy),
    .control_state_i    (u_view.control_state),
    .product_start_i    (u_view.product_start),
    .product_done_i     (u_view.product_done),
    .product_phase_i    (product_phase),
    .exponent_bit_i     (u_view.exponent_bit),
    .product_position_i (u_view.product_position),
    .a_table_valid_i    (u_view.a_table_valid),
    .a_table_addr_i     (a_table_addr),
    .s_table_valid_i    (u_view.s_table_valid),
    .s_table_addr_i     (s_table_addr),
    .a_core_state_i     (u_view.a_core_state),
    .s_core_state_i     (u_view.s_core_state),
    .result_done_i      (u_view.result_done),
    .result_subtracted_i(result_subtracted),
    .result_exact_i     (result_exact),
    .top_carry_i        (u_view.top_carry),
    .observed_o         (observed)
  );

  // One event for each product of A and S. A and S are valid in the cycle after product_done, when
  // the next two products may have started already. So keep the exponent bit and position of a
  // start here, in a queue of two entries.
  logic dbg_valid_q, dbg_done_q;
  logic [1:0] dbg_head_q, dbg_tail_q;  // number of products of A started, and ended
  logic [3:0] dbg_phase_q;
  logic [8:0] dbg_start_q[0:1];
  logic [8:0] dbg_told_q;
  logic dbg_stray_q;  // a product ended that was not started
  logic [Width+Guard-1:0] a_words_q, s_words_q;  // assembled from words

  initial begin
    a_words_q   = '0;
    s_words_q   = '0;
    dbg_valid   = 1'b0;
    dbg_valid_q = 1'b0;
    dbg_done_q  = 1'b0;
  end

  always @(posedge clk) begin
    if (dbg_enable) begin
      if (u_view.a_word_valid) begin
        a_words_q <= ((u_view.a_word_at == '0) ? '0 : a_words_q)
                   | (u_view.a_word << u_view.a_word_at);
      end
      if (u_view.s_word_valid) begin
        s_words_q <= ((u_view.s_word_at == '0) ? '0 : s_words_q)
                   | (u_view.s_word << u_view.s_word_at);
      end
      dbg_done_q <= u_view.product_done
                 && ((product_phase == ExpEntry) || (product_phase == ExpLoop));
      dbg_phase_q <= product_phase;
      if (u_view.start) begin
        dbg_head_q  <= '0;
        dbg_tail_q  <= '0;
        dbg_stray_q <= 1'b0;
      end
      if (u_view.product_start) begin
        dbg_start_q[dbg_head_q[0]] <= {u_view.exponent_bit, u_view.product_position};
        dbg_head_q                 <= dbg_head_q + 1'b1;
      end
      if (u_view.product_done) begin
        dbg_told_q <= dbg_start_q[dbg_tail_q[0]];
        dbg_tail_q <= dbg_tail_q + 1'b1;
        if (dbg_head_q == dbg_tail_q) dbg_stray_q <= 1'b1;
      end
      if (dbg_done_q) begin
        dbg_product <= {dbg_stray_q, dbg_told_q, dbg_phase_q, s_words_q, a_words_q};
        dbg_valid_q <= !dbg_valid_q;
      end
    end
  end
  always @(negedge clk) dbg_valid <= dbg_valid_q;
`endif  // BLACK_BOX

endmodule
