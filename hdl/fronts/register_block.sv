// SPDX-License-Identifier: Apache-2.0
//
// Memory map of a front: maps accesses of words to registers and to transfers on the loader bus
// (hdl/docs/interface.md). hdl/docs/fronts.md has the map and the rules for a driver.
//
// Host side, one access at a time: the adapter holds req_i, write_i, addr_i, wdata_i and full_i
// (every byte lane is written) from the first cycle of the access to the end of the response. The
// cycle with ack_o is the response, with err_o and rdata_o. rdata_o stays until the next response.
// Core side: the loader bus, with wait_i of the core low.
//
// An access that the block rejects never reaches the core. A window takes its words in ascending
// order: next_q is the word that the unfinished pass of window_q needs, 0 without such a pass. The
// loader counts words for each address; next_q is the count of the only address in a pass. After a
// read that the core withholds, the counts differ until a Command sets both to 0.
//
//   address         access           core_req_o   next_q after an accepted access
//   window, word 0  no unfinished pass     1       1, or 0 if the window has one word
//   window, word n  n = next_q, same pass  1       n + 1, or 0 after the last word
//   Command         write                 1       0
//   Length          write                 1       stays
//   Status          read                  1       stays
//   other register  as in the map         0       stays
//   others          rejected              0       stays
//
// Events are set by an end of an operation (core_done_i rises) and by a rejected access, and irq_o
// is high while an enabled event is set. reason_q is the reason of the last rejected access.
//
// Ranges: DataWidth 32 or 64; Width + Guard at most 8 times the bytes of a window.
// Latency: response one cycle after req_i, as on the loader bus; irq_o one cycle after the event.
//
// Source: none.

module register_block
  import multiplier_pkg::*;
  import front_pkg::*;
#(
  parameter int DataWidth   = 32,
  // Values of the core, for Capabilities, Widths, Radix and the lengths of the windows
  parameter int Operation   = OperationExponentiation,
  parameter int Core        = 0,
  parameter int Width       = 32,
  parameter int Guard       = 2,
  parameter int MPrimeWidth = 16,
  parameter int RadixBits   = 48
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  // Adapter of the bus
  input  logic                         req_i,
  input  logic                         write_i,
  input  logic [FrontAddressWidth-1:0] addr_i,
  input  logic [        DataWidth-1:0] wdata_i,
  input  logic                         full_i,
  output logic                         ack_o,
  output logic                         err_o,
  output logic [        DataWidth-1:0] rdata_o,
  output logic                         irq_o,
  // Loader bus of the core
  output logic                         core_req_o,
  output logic                         core_write_o,
  output logic [                  2:0] core_addr_o,
  output logic [        DataWidth-1:0] core_wdata_o,
  input  logic                         core_ack_i,
  input  logic                         core_err_i,
  input  logic [        DataWidth-1:0] core_rdata_i,
  input  logic                         core_done_i
);

  localparam int LaneBits = $clog2(DataWidth / 8);
  localparam int IndexWidth = WindowBits - LaneBits;
  localparam bit Power = (Operation == OperationExponentiation);
  localparam logic [47:0] ProductWrite = multiplier_write_bits(16'(Width));
  localparam logic [47:0] ProductRead = multiplier_read_bits(16'(Width), 16'(Guard));
  localparam logic [111:0] PowerWrite = exponentiation_write_bits(16'(Width), 16'(MPrimeWidth));
  localparam logic [111:0] PowerRead = exponentiation_read_bits(16'(Width));
  // 16 bits for each window, that of loader address 0 lowest. Registers replace Control and Length.
  localparam logic [127:0] WriteBits = Power ? {32'd0, PowerWrite[95:0]} : {80'd0, ProductWrite};
  localparam logic [127:0] ReadBits = Power ? {16'd0, PowerRead} : {80'd0, ProductRead};

  // Decode the access.
  logic accept, aligned, in_window, is_command, is_length, is_status, is_state, is_enable;
  logic is_register, is_forwarded;
  logic [2:0] page, window;
  logic [IndexWidth-1:0] index;
  logic [WindowBits-1:0] offset;

  assign accept     = req_i && !ack_o;
  assign page       = addr_i[FrontAddressWidth-1:WindowBits];
  assign window     = page - 3'd1;
  assign offset     = addr_i[WindowBits-1:0];
  assign index      = offset[WindowBits-1:LaneBits];
  assign aligned    = (addr_i[LaneBits-1:0] == '0);
  assign in_window  = (page != 3'd0);

  assign is_command = !in_window && write_i && (offset == FrontCommand);
  assign is_length  = !in_window && write_i && Power && (offset == FrontLength);
  assign is_status  = !in_window && !write_i && (offset == FrontStatus);
  assign is_state   = !in_window && (offset == FrontInterruptState);
  assign is_enable  = !in_window && (offset == FrontInterruptEnable);

  // Registers that the block answers itself
  logic [31:0] value;
  logic is_constant;
  logic [FrontEvents-1:0] state_q, enable_q;

  always_comb begin
    value = 32'd0;
    is_constant = 1'b1;
    if (offset == FrontIdentification) value = IdentificationValue;
    else if (offset == FrontVersion) value = VersionValue;
    else if (offset == FrontCapabilities) begin
      value = {8'(Guard), 8'(DataWidth / 8), 8'(Core), 8'(Operation)};
    end else if (offset == FrontWidths) value = {Power ? 16'(MPrimeWidth) : 16'd0, 16'(Width)};
    else if (offset == FrontRadix) value = 32'(RadixBits);
    else is_constant = 1'b0;
    if (is_state) value = 32'(state_q);
    if (is_enable) value = 32'(enable_q);
  end

  assign is_register  = (is_constant && !in_window && !write_i) || is_state || is_enable;
  assign is_forwarded = is_command || is_length || is_status;

  // Words of the window: the number of the last one, and whether the window exists.
  logic [15:0] bits;
  logic [IndexWidth-1:0] last_index;
  logic exists, in_order, last;
  logic [2:0] window_q;
  logic write_q;
  logic [IndexWidth-1:0] next_q;

  assign bits = write_i ? WriteBits[window*16+:16] : ReadBits[window*16+:16];
  assign last_index = IndexWidth'((bits - 16'd1) >> (LaneBits + 3));
  assign exists = (bits != 16'd0) && (index <= last_index);
  assign last = (index == last_index);
  assign in_order = (index == next_q)
      && ((next_q == '0) || ((window == window_q) && (write_i == write_q)));

  logic [3:0] rejection;

  always_comb begin
    rejection = BusErrorNone;
    if (!aligned) rejection = BusErrorUnknownAddress;
    else if (in_window ? !exists : !(is_register || is_forwarded)) begin
      rejection = BusErrorUnknownAddress;
    end else if (write_i && !full_i) rejection = FrontErrorPartialWord;
    else if (in_window && !in_order) rejection = FrontErrorWordOrder;
  end

  logic forward;
  assign forward = (rejection == BusErrorNone) && (in_window || is_forwarded);
  assign core_req_o = req_i && forward;
  assign core_write_o = write_i;
  assign core_addr_o  = in_window ? window : is_length ? 3'(ExponentiationAddressLength)
                                                       : 3'(AddressControl);
  assign core_wdata_o = wdata_i;

  // Response: of the core, or of the block.
  logic ack_q, local_q, status_q;
  logic [31:0] rdata_q;
  logic [ 3:0] reason_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {ack_q, local_q, status_q, rdata_q} <= '0;
    end else begin
      ack_q <= accept;
      if (accept) begin
        local_q  <= !forward;
        status_q <= is_status;
        rdata_q  <= (write_i || (rejection != BusErrorNone)) ? 32'd0 : value;
      end
    end
  end

  logic rejected_q;
  logic [DataWidth-1:0] reply;

  assign ack_o   = ack_q;
  assign err_o   = local_q ? rejected_q : core_err_i;

  // The core does not know the reasons of the block.
  assign reply   = local_q ? DataWidth'(rdata_q) : core_rdata_i;
  assign rdata_o = {reply[DataWidth-1:8], status_q ? reason_q : reply[7:4], reply[3:0]};

  // State that an access changes, with its response
  logic accepted, done_q;
  logic [FrontEvents-1:0] set, clear;

  assign accepted = ack_q && !err_o;

  assign set[EventDone] = core_done_i && !done_q;
  assign set[EventError] = ack_q && err_o;
  assign clear = (accepted && write_i && is_state) ? wdata_i[FrontEvents-1:0] : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {rejected_q, reason_q, done_q, state_q, enable_q} <= '0;
      {window_q, write_q, next_q} <= '0;
    end else begin
      done_q  <= core_done_i;
      state_q <= (state_q & ~clear) | set;
      if (accept) begin
        rejected_q <= (rejection != BusErrorNone);
        if (rejection != BusErrorNone) reason_q <= rejection;
      end
      if (ack_q && !local_q && err_o) reason_q <= core_rdata_i[3:0];
      if (accepted && is_command) begin
        reason_q <= BusErrorNone;
        next_q   <= '0;
      end
      if (accepted && write_i && is_enable) enable_q <= wdata_i[FrontEvents-1:0];
      if (accepted && in_window) begin
        window_q <= window;
        write_q  <= write_i;
        next_q   <= last ? '0 : index + 1'b1;
      end
    end
  end

  assign irq_o = |(state_q & enable_q);

  `ASSERT_PARAMETER(DataWidth, (DataWidth == 32) || (DataWidth == 64),
                    "register_block: DataWidth must be 32 or 64")
  `ASSERT_PARAMETER(Width, Width + Guard <= 8 << WindowBits,
                    "register_block: Width + Guard must be at most the bits of a window")
  // The core answers each forwarded access in the cycle after its request.
  `ASSERT(CoreAnswers, core_ack_i == (ack_q && !local_q))
  // An event that comes in the cycle of a clear stays.
  `ASSERT_NEXT(KeepDone, set[EventDone], state_q[EventDone])
  `ASSERT_NEXT(KeepError, set[EventError], state_q[EventError])
  // The adapter holds the access until the end of the response.
  `ASSERT(HoldRequest, !ack_q || req_i)

endmodule
