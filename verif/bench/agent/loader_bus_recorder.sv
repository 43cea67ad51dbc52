// SPDX-License-Identifier: Apache-2.0
//
// Loader bus recorder (test bench): the hardware half of the bus monitor. It watches the pins,
// never the driver, and rebuilds each operation from the transfers it sees.
//
// An operation opens with an accepted start and closes with the next accepted Clear: publish_o is
// then high for one cycle, in the next the record is complete. Operands are images of all accepted
// operand writes, as the loader keeps them. An accepted Zeroise forgets them and drops an open
// operation, as a reset does.
//
// Addresses and slots are those of loader_bus_transactor. operands_o: slot i has the value that
// address i had at the start. results_o: slot i has the words read from address i. info_o, from the
// top: words read of each address, the highest address first (16 bits each), addresses written
// since the start before (WriteAddresses), record_info_t.
//
// Protocol, watched in reset too: no acknowledge without a request, none in two cycles running,
// none while reset is held.

module loader_bus_recorder
  import multiplier_pkg::*;
#(
  parameter int BusWidth = 32,
  parameter int AddressWidth = 2,
  parameter int WriteAddresses = 3,
  parameter int ReadAddresses = 3,
  parameter int SlotWords = 2,
  // Derived, do not set.
  parameter int SlotBits = SlotWords * BusWidth,
  parameter int InfoBits = 16 * ReadAddresses + 32 + WriteAddresses + 16
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  logic                               req_i,
  input  logic                               write_i,
  input  logic [           AddressWidth-1:0] addr_i,
  input  logic [               BusWidth-1:0] wdata_i,
  input  logic                               ack_i,
  input  logic                               err_i,
  input  logic [               BusWidth-1:0] rdata_i,
  output logic                               publish_o,
  output logic [WriteAddresses*SlotBits-1:0] operands_o,
  output logic [ ReadAddresses*SlotBits-1:0] results_o,
  output logic [               InfoBits-1:0] info_o
);

  // Generated from hdl/registers.yaml by python -m ci.codes --write.
  typedef struct packed {
    logic [15:0] rejected;         // transfers rejected since the last start
    logic [15:0] lost;             // operations started while a record was open
    logic        after_reset;      // first start after a reset or Zeroise
    logic [3:0]  command;          // that started it
    logic        status_seen;      // a status was read
    logic        protocol_broken;  // the bus protocol was broken
    logic [3:0]  status;           // that was read last
    logic [3:0]  bus_error;        // rejection that was read with it
    logic        stalled;          // a request waited longer than it had to
  } record_info_t;
  // End of the generated part.

  logic transfer, command, start, clear, zeroise;
  assign transfer = req_i && ack_i;
  assign command = transfer && !err_i && write_i && (addr_i == AddressWidth'(AddressControl));
  assign start = command
              && ((wdata_i == BusWidth'(CommandStart)) || (wdata_i == BusWidth'(CommandStartRaw))
               || (wdata_i == BusWidth'(CommandStartBinary)));
  assign clear = command && (wdata_i == BusWidth'(CommandClear));
  assign zeroise = command && (wdata_i == BusWidth'(CommandZeroise));

  logic open_q;
  assign publish_o = clear && open_q;

  // The last transfer. Everything wide waits for its edge, so that a clock without one costs
  // little.
  logic taken_q, write_q, err_q, start_q, clear_q, zeroise_q;
  logic [AddressWidth-1:0] addr_q;
  logic [BusWidth-1:0] wdata_q, rdata_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      taken_q <= 1'b0;
      open_q  <= 1'b0;
    end else begin
      taken_q <= transfer;
      if (start) open_q <= 1'b1;
      else if (clear || zeroise) open_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (transfer) begin
      write_q   <= write_i;
      err_q     <= err_i;
      addr_q    <= addr_i;
      wdata_q   <= wdata_i;
      rdata_q   <= rdata_i;
      start_q   <= start;
      clear_q   <= clear;
      zeroise_q <= zeroise;
    end
  end

  logic [WriteAddresses*SlotBits-1:0] operands_q;
  logic [16*WriteAddresses-1:0] written_words_q;
  logic [16*ReadAddresses-1:0] read_words_q;
  logic [15:0] rejected_q, lost_q;
  logic [WriteAddresses-1:0] written_q, told_written_q;
  logic recording_q, first_q, told_first_q, status_seen_q;
  logic [3:0] command_q, status_q, bus_error_q;

  // The slot of the transfer and the next of its words.
  logic [31:0] slot;
  logic [15:0] write_word, read_word;
  assign slot = 32'(addr_q);
  assign write_word = written_words_q[slot*16+:16];
  assign read_word = read_words_q[slot*16+:16];

  always_ff @(posedge taken_q or negedge rst_ni) begin
    if (!rst_ni) begin
      operands_q      <= '0;
      operands_o      <= '0;
      results_o       <= '0;
      written_words_q <= '0;
      read_words_q    <= '0;
      rejected_q      <= '0;
      lost_q          <= '0;
      written_q       <= '0;
      told_written_q  <= '0;
      first_q         <= 1'b1;
      told_first_q    <= 1'b1;
      recording_q     <= 1'b0;
      command_q       <= '0;
      status_seen_q   <= 1'b0;
      status_q        <= '0;
      bus_error_q     <= '0;
    end else if (start_q) begin
      operands_o      <= operands_q;
      results_o       <= '0;
      written_words_q <= '0;
      read_words_q    <= '0;
      rejected_q      <= '0;
      if (recording_q) lost_q <= lost_q + 1'b1;
      recording_q    <= 1'b1;
      command_q      <= wdata_q[3:0];
      told_written_q <= written_q;
      written_q      <= '0;
      told_first_q   <= first_q;
      first_q        <= 1'b0;
      status_seen_q  <= 1'b0;
    end else if (clear_q) begin
      written_words_q <= '0;
      recording_q     <= 1'b0;
    end else if (zeroise_q) begin
      operands_q      <= '0;
      written_words_q <= '0;
      written_q       <= '0;
      first_q         <= 1'b1;
      recording_q     <= 1'b0;
    end else if (err_q) begin
      rejected_q <= rejected_q + 1'b1;
    end else if (slot == AddressControl) begin
      if (!write_q && (rdata_q[3:0] != StatusBusy)) begin
        status_seen_q <= 1'b1;
        status_q      <= rdata_q[3:0];
        bus_error_q   <= rdata_q[7:4];
      end
    end else if (write_q) begin
      if (slot < WriteAddresses) begin
        if (write_word < 16'(SlotWords)) begin
          operands_q[(slot*SlotWords+32'(write_word))*BusWidth+:BusWidth] <= wdata_q;
        end
        written_words_q[slot*16+:16] <= write_word + 1'b1;
        written_q[slot]              <= 1'b1;
      end
    end else if (slot < ReadAddresses) begin
      if (read_word < 16'(SlotWords)) begin
        results_o[(slot*SlotWords+32'(read_word))*BusWidth+:BusWidth] <= rdata_q;
      end
      read_words_q[slot*16+:16] <= read_word + 1'b1;
    end
  end

  // No reset: the next record reports a protocol error.
  logic broken_q, stalled_q, last_ack_q, in_reset_q, waiting_q;
  logic told_broken_q, told_stalled_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) in_reset_q <= 1'b1;
    else in_reset_q <= 1'b0;
  end
  initial broken_q = 1'b0;
  initial last_ack_q = 1'b0;
  initial waiting_q = 1'b0;
  initial stalled_q = 1'b0;
  always @(posedge clk_i) begin
    if (publish_o) begin
      told_broken_q  <= broken_q;
      told_stalled_q <= stalled_q;
    end
    last_ack_q <= ack_i;
    waiting_q  <= req_i && !ack_i;
    if (waiting_q && req_i && !ack_i) stalled_q <= 1'b1;
    else if (publish_o) stalled_q <= 1'b0;
    if (ack_i && (!req_i || last_ack_q || in_reset_q)) broken_q <= 1'b1;
    else if (publish_o) broken_q <= 1'b0;
  end

  record_info_t info;
  assign info.rejected        = rejected_q;
  assign info.lost            = lost_q;
  assign info.after_reset     = told_first_q;
  assign info.command         = command_q;
  assign info.status_seen     = status_seen_q;
  assign info.protocol_broken = told_broken_q;
  assign info.status          = status_q;
  assign info.bus_error       = bus_error_q;
  assign info.stalled         = told_stalled_q;
  assign info_o               = {read_words_q, told_written_q, info};

endmodule
