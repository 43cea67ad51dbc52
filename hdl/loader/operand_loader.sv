// SPDX-License-Identifier: Apache-2.0
//
// Operand loader: connects a core to a synchronous request/acknowledge bus of BusWidth bits. It
// decodes and answers transfers, counts words and passes them on. It stores no operand and no
// result.
//
// Bus: the host holds req_i, write_i, addr_i and wdata_i until the cycle in which ack_o is high.
// That cycle also carries rdata_o and err_o. A transfer takes two cycles. It takes longer while
// wait_i delays the acknowledge (wait states of a bridge). Words go least significant first. Each
// address has its own word pointers; every accepted start and the Clear command set them to 0.
//
//   addr_i     write                        read
//   3         command                      status word {last bus error, status}, never rejected
//   others    operand of WriteBits bits    result of ReadBits bits
//
// WriteBits and ReadBits hold 16 bits for each address, address 0 lowest; 0 means that the operand
// or result does not exist. ReadOk, ReadRaw: results that the host can read while the status is Ok
// or Raw, one bit for each address.
//
// A rejected transfer is acknowledged with err_o and the reason in rdata_o; it changes only the bus
// error field. A write after an operand's last word, or to an address that does not exist, is an
// UnknownAddress. Reads start again with the first word after the last one. While busy_i is high,
// the host can neither write operands nor read results. The read data of a write is 0.
//
// Operand words: in the cycle of the acknowledge write_o is high, and data_o is word write_index_o
// of this operand. data_o is valid only while write_o is high.
// Result words: in the cycle of the grant, one cycle before the acknowledge, read_o requests word
// read_index_o of this result. word_i must be that word from the next cycle to the next read_o
// (like the output register of a RAM), with 0 in the bits above the result. word_fault_i: word_i is
// wrong. Such a word does not leave: the read is rejected as NoResult, and withheld_o is high in
// the cycle of its acknowledge. Unlike all others, this rejection moves the word pointer.
//
// start_o is high for one cycle. In that cycle raw_o and binary_o report which start command it
// was: StartRaw (accepted if RawStart) or StartBinary (accepted if binary_i). zeroise_o is high for
// one cycle, the cycle after the grant of the command. One bit for each address: partial_o, the
// operand was partly rewritten; overwide_o, its last word has bits above WriteBits; written_o, a
// word of it was written since the last start. An operand is 0 if no word of it was written since
// reset or zeroise_o. Ranges: BusWidth >= 8, 2**AddressWidth >= Addresses. Latency: request to
// acknowledge 1 cycle.
//
// The whole bus interface: hdl/docs/interface.md.
//
// Source: Amanor (2005), ch. 5.3, figures 15 and 17; acknowledged transfers and the wider address
// after Michalski & Buell, ch. 5.5.

module operand_loader
  import multiplier_pkg::*;
#(
  parameter int BusWidth = 32,
  parameter int AddressWidth = 2,
  parameter int Addresses = 3,
  parameter logic [Addresses*16-1:0] WriteBits = {Addresses{16'd32}},
  parameter logic [Addresses*16-1:0] ReadBits = {Addresses{16'd32}},
  parameter logic [Addresses-1:0] ReadOk = {Addresses{1'b1}},
  parameter logic [Addresses-1:0] ReadRaw = {Addresses{1'b0}},
  parameter bit RawStart = 1'b1,
  parameter bit Zeroise = 1'b0,
  // Width of a word index, enough for the longest operand or result
  parameter int IndexWidth = 8
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // Bus
  input  logic                    req_i,
  input  logic                    write_i,
  input  logic [AddressWidth-1:0] addr_i,
  input  logic [    BusWidth-1:0] wdata_i,
  input  logic                    wait_i,
  output logic                    ack_o,
  output logic                    err_o,
  output logic [    BusWidth-1:0] rdata_o,
  // Words
  output logic [   Addresses-1:0] write_o,
  output logic [   Addresses-1:0] read_o,
  output logic [  IndexWidth-1:0] write_index_o,
  output logic [  IndexWidth-1:0] read_index_o,
  output logic [    BusWidth-1:0] data_o,
  input  logic [    BusWidth-1:0] word_i,
  input  logic                    word_fault_i,
  output logic                    withheld_o,
  // Core
  output logic [   Addresses-1:0] partial_o,
  output logic [   Addresses-1:0] overwide_o,
  output logic [   Addresses-1:0] written_o,
  output logic                    start_o,
  output logic                    raw_o,
  output logic                    zeroise_o,
  output logic                    binary_o,
  input  logic                    binary_i,
  input  logic                    busy_i,
  input  logic [             3:0] status_i
);

  localparam int Slots = 1 << AddressWidth;  // addresses that the bus can carry

  logic ack_q, err_q, zeroise_q;
  logic [3:0] bus_error_q;
  logic fetched_q;  // the read data is a result word
  logic [7:0] rdata_q;  // other read data; the status word is the widest
  logic [BusWidth-1:0] read_data;  // rdata_o unless the word is withheld

  // One bit or one word index for each address: the operand exists; all its words are written; the
  // result exists; the present status gives it to the host
  logic [Slots-1:0] writable, full, readable, delivered;
  logic [Slots*IndexWidth-1:0] write_index, read_index;

  // Decode the transfer that is accepted in this cycle.
  logic accept, control;
  logic [3:0] rejection;
  logic is_start, is_clear, is_zeroise;

  assign accept = req_i && !ack_q && !wait_i;
  assign control = (addr_i == AddressWidth'(AddressControl));
  assign is_clear = (wdata_i == BusWidth'(CommandClear));
  assign is_zeroise = Zeroise && (wdata_i == BusWidth'(CommandZeroise));
  assign is_start = (wdata_i == BusWidth'(CommandStart))
                 || (RawStart && (wdata_i == BusWidth'(CommandStartRaw)))
                 || (binary_i && (wdata_i == BusWidth'(CommandStartBinary)));

  always_comb begin
    rejection = BusErrorNone;
    if (control) begin
      if (write_i && is_start && busy_i) rejection = BusErrorStartWhileBusy;
      if (write_i && !is_start && !is_clear && !is_zeroise) rejection = BusErrorUnknownCommand;
    end else if (write_i ? !writable[addr_i] : !readable[addr_i]) begin
      rejection = BusErrorUnknownAddress;
    end else if (busy_i) begin
      rejection = BusErrorBusy;
    end else if (write_i) begin
      if (full[addr_i]) rejection = BusErrorUnknownAddress;
    end else begin
      if (!delivered[addr_i]) rejection = BusErrorNoResult;
    end
  end

  logic granted, command, start, clear, zeroise;
  assign granted = accept && (rejection == BusErrorNone);
  // Timing: commands and result reads drive long paths. Decode them without the reason of a
  // rejection, which is known later in the cycle.
  assign command = accept && write_i && control;
  assign start   = command && is_start && !busy_i;
  assign clear   = command && is_clear;
  assign zeroise = command && is_zeroise;

  // No word moves while the core is busy. Clear the counters in all these cycles, so that an upset
  // of a counter ends with the operation.
  logic restart;
  assign restart = start || busy_i;

  // Read data: a result word, which arrives in the next cycle, or a value known in this cycle.
  logic fetch;
  logic [7:0] answer;

  assign fetch = accept && !write_i && !control && !busy_i && delivered[addr_i];

  always_comb begin
    answer = 8'd0;
    if (control) answer = {bus_error_q, status_i};
    if (write_i) answer = 8'd0;
    if (rejection != BusErrorNone) answer = 8'(rejection);
  end

  logic withheld;  // the word that a read fetched is wrong
  assign withheld = ack_q && fetched_q && word_fault_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rdata_q                              <= 8'd0;
      bus_error_q                          <= BusErrorNone;
      {ack_q, err_q, fetched_q, zeroise_q} <= '0;
    end else begin
      ack_q     <= accept;
      zeroise_q <= zeroise;
      if (accept) begin
        err_q <= (rejection != BusErrorNone);
        rdata_q <= answer;
        fetched_q <= fetch;
        if (start || clear || zeroise) bus_error_q <= BusErrorNone;
        else if (rejection != BusErrorNone) bus_error_q <= rejection;
      end else if (withheld) begin
        err_q       <= 1'b1;
        rdata_q     <= 8'(BusErrorNoResult);
        fetched_q   <= 1'b0;
        bus_error_q <= BusErrorNoResult;
      end
    end
  end

  // Zeroise clears all registers that may hold a secret, as the reset does.
  logic operand_rst_n;
  assign operand_rst_n = rst_ni && !zeroise_q;

  for (genvar i = 0; i < Slots; i++) begin : gen_address
    localparam int OperandBits = (i < Addresses) ? int'(WriteBits[(i%Addresses)*16+:16]) : 0;
    localparam int ResultBits = (i < Addresses) ? int'(ReadBits[(i%Addresses)*16+:16]) : 0;

    if ((OperandBits > 0) && (i != AddressControl)) begin : gen_operand
      localparam int Words = (OperandBits + BusWidth - 1) / BusWidth;
      localparam int PointerWidth = $clog2(Words + 1);
      localparam int LastBits = OperandBits - (Words - 1) * BusWidth;

      logic [PointerWidth-1:0] pointer_q;
      logic full_q, write_q, written_q, overwide_q;
      logic write, last, overwide;

      assign write       = granted && write_i && (addr_i == AddressWidth'(i));
      assign last        = (pointer_q == PointerWidth'(Words - 1));
      assign writable[i] = 1'b1;
      // After an upset of the counter no write is lost: one beyond the last word is rejected.
      assign full[i]     = full_q || (pointer_q > PointerWidth'(Words - 1));

      always_ff @(posedge clk_i or negedge operand_rst_n) begin
        if (!operand_rst_n) begin
          {pointer_q, full_q, write_q, written_q, overwide_q} <= '0;
        end else begin
          write_q <= write;
          if (restart || clear) begin
            pointer_q <= '0;
            full_q    <= 1'b0;
            if (restart) written_q <= 1'b0;
          end else if (write) begin
            pointer_q <= pointer_q + 1'b1;
            full_q    <= last;
            written_q <= 1'b1;
            if (last) overwide_q <= overwide;
          end
        end
      end

      if (LastBits < BusWidth) begin : gen_overwide
        assign overwide = |wdata_i[BusWidth-1:LastBits];
      end else begin : gen_no_overwide
        assign overwide = 1'b0;
      end

      assign write_index[i*IndexWidth+:IndexWidth] = IndexWidth'(pointer_q);
      assign partial_o[i] = (pointer_q != '0) && !full_q;
      assign written_o[i] = written_q;
      assign overwide_o[i] = overwide_q;
      // An upset of write_q writes no word while busy. No write is lost: a start comes two cycles
      // after the last one, at the earliest.
      assign write_o[i] = write_q && !busy_i;
    end else begin : gen_no_operand
      assign writable[i]                           = 1'b0;
      assign full[i]                               = 1'b0;
      assign write_index[i*IndexWidth+:IndexWidth] = '0;
      if (i < Addresses) begin : gen_tie
        assign partial_o[i]  = 1'b0;
        assign written_o[i]  = 1'b0;
        assign write_o[i]    = 1'b0;
        assign overwide_o[i] = 1'b0;
      end
    end

    if ((ResultBits > 0) && (i != AddressControl)) begin : gen_result
      localparam int Words = (ResultBits + BusWidth - 1) / BusWidth;
      localparam int PointerWidth = $clog2(Words + 1);

      logic [PointerWidth-1:0] pointer_q;
      logic read, ends;

      // An upset can move the pointer above the last word: the next read moves it back. A single >=
      // would be constant for one word.
      assign ends = (pointer_q == PointerWidth'(Words - 1))
                 || (pointer_q > PointerWidth'(Words - 1));

      assign read = fetch && (addr_i == AddressWidth'(i));
      assign read_o[i] = read;
      assign readable[i] = 1'b1;
      assign delivered[i] = (ReadOk[i] && (status_i == StatusOk))
                         || (ReadRaw[i] && (status_i == StatusRaw));
      assign read_index[i*IndexWidth+:IndexWidth] = IndexWidth'(pointer_q);

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          pointer_q <= '0;
        end else if (restart || clear || zeroise) begin
          pointer_q <= '0;
        end else if (read) begin
          pointer_q <= ends ? '0 : pointer_q + 1'b1;
        end
      end
    end else begin : gen_no_result
      assign readable[i] = 1'b0;
      assign delivered[i] = 1'b0;
      assign read_index[i*IndexWidth+:IndexWidth] = '0;
      if (i < Addresses) begin : gen_no_read
        assign read_o[i] = 1'b0;
      end
    end
  end

  // Timing: register operand words, so that they leave one cycle after their grant. The decision
  // about the transfer is then not on the path to the memories.
  logic [IndexWidth-1:0] write_index_q;
  logic [  BusWidth-1:0] data_q;

  always_ff @(posedge clk_i or negedge operand_rst_n) begin
    if (!operand_rst_n) begin
      {write_index_q, data_q} <= '0;
    end else if (accept && write_i) begin
      write_index_q <= write_index[addr_i*IndexWidth+:IndexWidth];
      data_q        <= wdata_i;
    end
  end

  assign write_index_o = write_index_q;
  assign read_index_o = read_index[addr_i*IndexWidth+:IndexWidth];
  assign data_o = data_q;

  assign ack_o = ack_q;
  assign err_o = err_q || withheld;
  assign read_data = fetched_q ? word_i : BusWidth'(rdata_q);
  assign rdata_o = withheld ? BusWidth'(BusErrorNoResult) : read_data;
  assign withheld_o = withheld;
  assign start_o = start;
  assign binary_o = (wdata_i == BusWidth'(CommandStartBinary));
  assign raw_o = (wdata_i == BusWidth'(CommandStartRaw));
  assign zeroise_o = zeroise_q;

  `ASSERT(StartWhileIdle, !(start_o && busy_i))
  `ASSERT(NoReadWhileBusy, !((|read_o) && busy_i))
  `ASSERT(OneWrite, (write_o & (write_o - 1'b1)) == '0)
  `ASSERT_NEXT(AckOneCycle, ack_o, !ack_o)
  `ASSERT_NEXT(ErrorHolds, err_o && !accept, err_o)
  `ASSERT_PARAMETER(BusWidth, BusWidth >= 8, "operand_loader: BusWidth must be at least 8")
  `ASSERT_PARAMETER(AddressWidth, Slots >= Addresses,
                    "operand_loader: AddressWidth must be enough for all Addresses")

endmodule
