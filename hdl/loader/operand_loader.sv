// SPDX-License-Identifier: Apache-2.0
//
// Operand loader: the synchronous request/acknowledge bus of BusWidth bits in front of a core. It
// decodes and answers transfers, counts words and hands them on; where they are kept is not its
// business.
//
// Bus: the host holds req_i, write_i, sel_i and wdata_i until the clock in which ack_o is high;
// that clock also carries rdata_o and err_o. A transfer takes two clocks, more while wait_i holds
// off the acknowledge (wait states of a bridge). Words go least significant first; each select has
// word pointers of its own that every accepted start and the Clear command set back to 0.
//
//   sel_i     write                        read
//   3         command                      status word {last bus error, status}, never refused
//   others    operand of WriteBits bits    result of ReadBits bits
//
// WriteBits and ReadBits hold 16 bits a select, select 0 lowest; 0: not there. ReadOk, ReadRaw: the
// selects that can be read while the status is Ok or Raw.
//
// A refused transfer is acknowledged with err_o and the reason in rdata_o; it changes nothing but
// the bus error field. Writing past an operand's last word, or a select that is not there, is
// UnknownAddress; reads start again after the last word. Operands cannot be written or results
// read while busy_i. A write answers 0.
//
// Words: write_o word write_index_o of this operand is data_o, in the clock of the acknowledge;
// read_o word read_index_o of this result is wanted, in the clock of the grant before it. word_i is
// that word from the next clock to the next read_o (as a RAM's output register holds it), with 0 in
// the bits above the result. data_o is right with write_o alone.
//
// start_o: one clock, with raw_o, binary_o (the latter only if binary_i allows it). zeroise_o: one
// clock, the one behind the command's. A bit a select: partial_o an operand was rewritten in part,
// overwide_o its last word has bits above WriteBits, written_o it was written since the start
// before. Operands of which nothing was written since reset or zeroise_o are 0.
// Ranges: BusWidth >= 8, SelWidth >= 2. Latency: request to acknowledge 1 clock.
//
// Everything that a host can see: hdl/docs/interface.md.
//
// Source: Amanor (2005), ch. 5.3, figures 15 and 17; acknowledged transfers and the wider select
// after Michalski & Buell, ch. 5.5.

module operand_loader
  import multiplier_pkg::*;
#(
  parameter int BusWidth = 32,
  parameter int SelWidth = 2,
  parameter int Selects = 3,
  parameter logic [Selects*16-1:0] WriteBits = {Selects{16'd32}},
  parameter logic [Selects*16-1:0] ReadBits = {Selects{16'd32}},
  parameter logic [Selects-1:0] ReadOk = {Selects{1'b1}},
  parameter logic [Selects-1:0] ReadRaw = {Selects{1'b0}},
  parameter bit RawStart = 1'b1,
  parameter bit Zeroise = 1'b0,
  // Bits of a word's index: those of the longest operand or result.
  parameter int IndexWidth = 8
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // Bus
  input  logic                  req_i,
  input  logic                  write_i,
  input  logic [  SelWidth-1:0] sel_i,
  input  logic [  BusWidth-1:0] wdata_i,
  input  logic                  wait_i,
  output logic                  ack_o,
  output logic                  err_o,
  output logic [  BusWidth-1:0] rdata_o,
  // Words
  output logic [   Selects-1:0] write_o,
  output logic [   Selects-1:0] read_o,
  output logic [IndexWidth-1:0] write_index_o,
  output logic [IndexWidth-1:0] read_index_o,
  output logic [  BusWidth-1:0] data_o,
  input  logic [  BusWidth-1:0] word_i,
  // Core
  output logic [   Selects-1:0] partial_o,
  output logic [   Selects-1:0] overwide_o,
  output logic [   Selects-1:0] written_o,
  output logic                  start_o,
  output logic                  raw_o,
  output logic                  zeroise_o,
  output logic                  binary_o,
  input  logic                  binary_i,
  input  logic                  busy_i,
  input  logic [           3:0] status_i
);

  localparam int Slots = 1 << SelWidth;  // select values the bus can carry

  logic ack_q, err_q, zeroise_q;
  logic [3:0] bus_error_q;
  logic fetched_q;  // the answer is a result's word
  logic [7:0] rdata_q;  // other answers: the status word is the widest

  // What the select that is asked for can do, a bit or a word each.
  logic [Slots-1:0] writable, full, readable, delivered;
  logic [Slots*IndexWidth-1:0] write_index, read_index;

  // Decoding of the transfer that is accepted in this clock.
  logic accept, control;
  logic [3:0] refusal;
  logic is_start, is_clear, is_zeroise;

  assign accept = req_i && !ack_q && !wait_i;
  assign control = (sel_i == SelWidth'(SelectControl));
  assign is_clear = (wdata_i == BusWidth'(CommandClear));
  assign is_zeroise = Zeroise && (wdata_i == BusWidth'(CommandZeroise));
  assign is_start = (wdata_i == BusWidth'(CommandStart))
                 || (RawStart && (wdata_i == BusWidth'(CommandStartRaw)))
                 || (binary_i && (wdata_i == BusWidth'(CommandStartBinary)));

  always_comb begin
    refusal = BusErrorNone;
    if (control) begin
      if (write_i && is_start && busy_i) refusal = BusErrorStartWhileBusy;
      if (write_i && !is_start && !is_clear && !is_zeroise) refusal = BusErrorUnknownCommand;
    end else if (write_i ? !writable[sel_i] : !readable[sel_i]) begin
      refusal = BusErrorUnknownAddress;
    end else if (busy_i) begin
      refusal = BusErrorBusy;
    end else if (write_i) begin
      if (full[sel_i]) refusal = BusErrorUnknownAddress;
    end else begin
      if (!delivered[sel_i]) refusal = BusErrorNoResult;
    end
  end

  logic granted, command, start, clear, zeroise;
  assign granted = accept && (refusal == BusErrorNone);
  // What is far behind, a command or a read of a result, does not wait for the reason why another
  // transfer is refused.
  assign command = accept && write_i && control;
  assign start   = command && is_start && !busy_i;
  assign clear   = command && is_clear;
  assign zeroise = command && is_zeroise;

  // Answer: a result's word, which is there in the next clock, or what is known in this one.
  logic fetch;
  logic [7:0] answer;

  assign fetch = accept && !write_i && !control && !busy_i && delivered[sel_i];

  always_comb begin
    answer = 8'd0;
    if (control) answer = {bus_error_q, status_i};
    if (write_i) answer = 8'd0;
    if (refusal != BusErrorNone) answer = 8'(refusal);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ack_q       <= 1'b0;
      err_q       <= 1'b0;
      rdata_q     <= 8'd0;
      fetched_q   <= 1'b0;
      bus_error_q <= BusErrorNone;
      zeroise_q   <= 1'b0;
    end else begin
      ack_q     <= accept;
      zeroise_q <= zeroise;
      if (accept) begin
        err_q <= (refusal != BusErrorNone);
        rdata_q <= answer;
        fetched_q <= fetch;
        if (start || clear || zeroise) bus_error_q <= BusErrorNone;
        else if (refusal != BusErrorNone) bus_error_q <= refusal;
      end
    end
  end

  // Clears what may be secret, as the reset does.
  logic operand_rst_n;
  assign operand_rst_n = rst_ni && !zeroise_q;

  for (genvar i = 0; i < Slots; i++) begin : gen_select
    localparam int OperandBits = (i < Selects) ? int'(WriteBits[(i%Selects)*16+:16]) : 0;
    localparam int ResultBits = (i < Selects) ? int'(ReadBits[(i%Selects)*16+:16]) : 0;

    if ((OperandBits > 0) && (i != SelectControl)) begin : gen_operand
      localparam int Words = (OperandBits + BusWidth - 1) / BusWidth;
      localparam int PointerWidth = $clog2(Words + 1);
      localparam int LastBits = OperandBits - (Words - 1) * BusWidth;

      logic [PointerWidth-1:0] pointer_q;
      logic full_q, write_q, written_q, overwide_q;
      logic write, last, overwide;

      assign write       = granted && write_i && (sel_i == SelWidth'(i));
      assign last        = (pointer_q == PointerWidth'(Words - 1));
      assign writable[i] = 1'b1;
      assign full[i]     = full_q;

      always_ff @(posedge clk_i or negedge operand_rst_n) begin
        if (!operand_rst_n) begin
          pointer_q  <= '0;
          full_q     <= 1'b0;
          write_q    <= 1'b0;
          written_q  <= 1'b0;
          overwide_q <= 1'b0;
        end else begin
          write_q <= write;
          if (start || clear) begin
            pointer_q <= '0;
            full_q    <= 1'b0;
            if (start) written_q <= 1'b0;
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
      assign partial_o[i] = (pointer_q != '0) && !full[i];
      assign written_o[i] = written_q;
      assign overwide_o[i] = overwide_q;
      assign write_o[i] = write_q;
    end else begin : gen_no_operand
      assign writable[i]                           = 1'b0;
      assign full[i]                               = 1'b0;
      assign write_index[i*IndexWidth+:IndexWidth] = '0;
      if (i < Selects) begin : gen_tie
        assign partial_o[i]  = 1'b0;
        assign written_o[i]  = 1'b0;
        assign write_o[i]    = 1'b0;
        assign overwide_o[i] = 1'b0;
      end
    end

    if ((ResultBits > 0) && (i != SelectControl)) begin : gen_result
      localparam int Words = (ResultBits + BusWidth - 1) / BusWidth;
      localparam int PointerWidth = $clog2(Words + 1);

      logic [PointerWidth-1:0] pointer_q;
      logic read;

      assign read = fetch && (sel_i == SelWidth'(i));
      assign read_o[i] = read;
      assign readable[i] = 1'b1;
      assign delivered[i] = (ReadOk[i] && (status_i == StatusOk))
                         || (ReadRaw[i] && (status_i == StatusRaw));
      assign read_index[i*IndexWidth+:IndexWidth] = IndexWidth'(pointer_q);

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          pointer_q <= '0;
        end else if (start || clear || zeroise) begin
          pointer_q <= '0;
        end else if (read) begin
          pointer_q <= (pointer_q == PointerWidth'(Words - 1)) ? '0 : pointer_q + 1'b1;
        end
      end
    end else begin : gen_no_result
      assign readable[i] = 1'b0;
      assign delivered[i] = 1'b0;
      assign read_index[i*IndexWidth+:IndexWidth] = '0;
      if (i < Selects) begin : gen_no_read
        assign read_o[i] = 1'b0;
      end
    end
  end

  // An operand's word goes out a clock behind its grant, from registers: what decides about the
  // transfer is not on the way to the memories.
  logic [IndexWidth-1:0] write_index_q;
  logic [  BusWidth-1:0] data_q;

  always_ff @(posedge clk_i or negedge operand_rst_n) begin
    if (!operand_rst_n) begin
      write_index_q <= '0;
      data_q        <= '0;
    end else if (accept && write_i) begin
      write_index_q <= write_index[sel_i*IndexWidth+:IndexWidth];
      data_q        <= wdata_i;
    end
  end

  assign write_index_o = write_index_q;
  assign read_index_o = read_index[sel_i*IndexWidth+:IndexWidth];
  assign data_o = data_q;

  assign ack_o = ack_q;
  assign err_o = err_q;
  assign rdata_o = fetched_q ? word_i : BusWidth'(rdata_q);
  assign start_o = start;
  assign binary_o = (wdata_i == BusWidth'(CommandStartBinary));
  assign raw_o = (wdata_i == BusWidth'(CommandStartRaw));
  assign zeroise_o = zeroise_q;

endmodule
