// SPDX-License-Identifier: Apache-2.0
//
// Interface checks: checks the output pins of both tops against hdl/docs/interface.md in every
// cycle.
//
// The module sees only the pins of a top, so that test benches, proofs and simulations of a
// synthesised netlist use the same checks. wrong_o has one bit for each rule below. expected_o is
// the word that rdata_o should have, where one is defined. The rules compare the present outputs
// with the earlier inputs, so sample both at the rising clock edge, from the first reset on.
// Every output has an expected value in every cycle, with three exceptions: the cycle in which
// busy_o falls, the outcome of an operation, and the words of its result. The outcome and the
// delivery of results must agree with everything that the host has read since the last start.
//
//   Unknown     an output is X or Z (four-state simulators)
//   InReset     an output is not 0 while rst_ni is low
//   AckMissing  no ack_o in the cycle after one with req_i and neither ack_o nor wait_i
//   AckUnasked  ack_o in any other cycle: no request, wait states, two consecutive cycles, or after
//               a reset
//   Err         err_o is high in the ack_o of a legal transfer, or low in that of an illegal one
//   Delivery    a result is delivered or rejected against the status, or against an earlier read
//   Answer      ack_o with the wrong word: the reason of a rejection, 0 for a write
//   Status      a status word is not {0, last bus error, phase or the outcome read before}
//   Outcome     an impossible outcome; OperandIncomplete must come if and only if an operand is
//               partly written
//   Unused      bits of a result's last word above the result are not 0
//   ErrSteady   err_o has changed without ack_o
//   DataSteady  rdata_o has changed without ack_o
//   Busy        busy_o is low in the acknowledge of a start, or high without a start, after
//               Zeroise, or for more than one cycle when an operand is partly written
//   Done        done_o differs from: not busy, and an operation was started since reset or Zeroise
//
// Exponentiation: 1 for the exponentiation core, 0 for the multiplier. Binary: the top has
// StartBinary.

module interface_checks
  import multiplier_pkg::*;
#(
  parameter bit Exponentiation = 1'b0,
  parameter int Width = 32,
  parameter int BusWidth = 32,
  parameter int AddressWidth = 2,
  parameter int Guard = 2,
  parameter int MPrimeWidth = 1,
  parameter bit Binary = 1'b0,
  // Derived, do not set.
  parameter int Rules = 14
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    req_i,
  input  logic                    write_i,
  input  logic [AddressWidth-1:0] addr_i,
  input  logic [    BusWidth-1:0] wdata_i,
  input  logic                    wait_i,
  input  logic                    ack_i,
  input  logic                    err_i,
  input  logic [    BusWidth-1:0] rdata_i,
  input  logic                    busy_i,
  input  logic                    done_i,
  output logic [       Rules-1:0] wrong_o,
  output logic [    BusWidth-1:0] expected_o
);

  // Addresses, the highest first: number of bits that can be written and read, and the results
  // that are available after Raw.
  localparam int Addresses = 7;
  localparam logic [Addresses*16-1:0] OperandBits = Exponentiation
      ? {16'd16, 16'(MPrimeWidth), 16'(Width), 16'd0, {3{16'(Width)}}} : {64'd0, {3{16'(Width)}}};
  localparam logic [Addresses*16-1:0] ResultBits = Exponentiation
      ? {96'd0, 16'(Width)} : {64'd0, {2{16'(Width + Guard)}}, 16'(Width)};
  localparam logic [Addresses-1:0] AfterRaw = Exponentiation ? 7'b0000000 : 7'b0000110;
  localparam logic [3:0] LastOutcome = Exponentiation ? StatusIncoherent : StatusOperandIncomplete;

  // Possible outcomes of an operation.
  localparam int EndOk = 0;
  localparam int EndRaw = 1;
  localparam int EndRejected = 2;  // or no operation was started

  // ----------------------------------------------------------------------------------------------
  // Transfers and operands of the host
  // ----------------------------------------------------------------------------------------------
  logic accept, accept_q;
  assign accept = req_i && !accept_q && !wait_i;

  logic [Addresses-1:0] selected, writable, full, partial, readable;
  logic [Addresses*BusWidth-1:0] unused_bits;  // of the next word to read
  logic granted, start, clear, zeroise;
  logic [Addresses-1:0] result_q;  // result that the acknowledged transfer reads

  for (genvar i = 0; i < Addresses; i++) begin : gen_address
    localparam int Bits = 32'(OperandBits[i*16+:16]);
    localparam int Words = (Bits + BusWidth - 1) / BusWidth;
    localparam int ReadBits = 32'(ResultBits[i*16+:16]);
    localparam int ReadWords = (ReadBits + BusWidth - 1) / BusWidth;

    assign selected[i] = (32'(addr_i) == i);

    if (Words != 0) begin : gen_operand
      logic [$clog2(Words+1)-1:0] word_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) word_q <= '0;
        else if (start || clear || zeroise) word_q <= '0;
        else if (granted && write_i && selected[i]) word_q <= word_q + 1'b1;
      end
      assign writable[i] = 1'b1;
      assign full[i] = (32'(word_q) == Words);
      assign partial[i] = (word_q != '0) && !full[i];
    end else begin : gen_no_operand
      assign writable[i] = 1'b0;
      assign full[i]     = 1'b0;
      assign partial[i]  = 1'b0;
    end

    if (ReadWords != 0) begin : gen_result
      logic [$clog2(ReadWords+1)-1:0] word_q;
      logic last_word;
      assign last_word = (32'(word_q) == ReadWords - 1);
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) word_q <= '0;
        else if (start || clear || zeroise) word_q <= '0;
        else if (accept_q && result_q[i] && !err_i) word_q <= last_word ? '0 : word_q + 1'b1;
      end
      assign readable[i] = 1'b1;
      assign unused_bits[i*BusWidth+:BusWidth] =
          last_word ? ~(BusWidth'('1) >> (ReadWords * BusWidth - ReadBits)) : '0;
    end else begin : gen_no_result
      assign readable[i]                       = 1'b0;
      assign unused_bits[i*BusWidth+:BusWidth] = '0;
    end
  end

  // ----------------------------------------------------------------------------------------------
  // Expected answer to the transfer that is granted in this cycle
  // ----------------------------------------------------------------------------------------------
  logic control, is_start, is_clear, is_zeroise;
  logic [3:0] rejection;
  assign control = (addr_i == AddressWidth'(AddressControl));
  assign is_start = (wdata_i == BusWidth'(CommandStart))
                 || (!Exponentiation && (wdata_i == BusWidth'(CommandStartRaw)))
                 || (Binary && (wdata_i == BusWidth'(CommandStartBinary)));
  assign is_clear = (wdata_i == BusWidth'(CommandClear));
  assign is_zeroise = Exponentiation && (wdata_i == BusWidth'(CommandZeroise));

  always_comb begin
    rejection = BusErrorNone;
    if (control) begin
      if (write_i && !is_start && !is_clear && !is_zeroise) rejection = BusErrorUnknownCommand;
      else if (write_i && is_start && busy_i) rejection = BusErrorStartWhileBusy;
    end else if ((selected & (write_i ? writable : readable)) == '0) begin
      rejection = BusErrorUnknownAddress;
    end else if (busy_i) begin
      rejection = BusErrorBusy;
    end else if (write_i && ((selected & full) != '0)) begin
      rejection = BusErrorUnknownAddress;
    end
  end

  assign granted = accept && (rejection == BusErrorNone);
  assign start   = granted && control && write_i && is_start;
  assign clear   = granted && control && write_i && is_clear;
  assign zeroise = granted && control && write_i && is_zeroise;

  // ----------------------------------------------------------------------------------------------
  // Known state of the operation, and of the transfer that is acknowledged in this cycle
  // ----------------------------------------------------------------------------------------------
  logic started_q, start_q, busy_q, incomplete_q;
  logic [3:0] bus_error_q;
  logic [2:0] ends_q, seen;  // outcomes that are still possible, outcomes that this answer allows
  logic known_q;  // the host has read the outcome in a status word
  logic [3:0] outcome_q;

  logic rejected_q, status_q, ended_q;
  logic [3:0] code_q, phase_q;
  logic [3:0] error_q;  // the bus error field at the time of the read

  logic is_outcome, consistent;
  logic [3:0] reported;
  assign reported   = rdata_i[3:0];
  assign is_outcome = status_q && ended_q;

  always_comb begin
    seen = '1;
    if (is_outcome) begin
      seen[EndOk]       = (reported == StatusOk);
      seen[EndRaw]      = (reported == StatusRaw);
      seen[EndRejected] = (reported > StatusRaw) && (reported <= LastOutcome);
    end else if (result_q != '0) begin
      seen[EndOk]       = !err_i;
      seen[EndRaw]      = ((result_q & AfterRaw) != '0) ? !err_i : err_i;
      seen[EndRejected] = err_i;
    end
    consistent = ((seen & ends_q) != '0);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      accept_q     <= 1'b0;
      rejected_q   <= 1'b0;
      code_q       <= BusErrorNone;
      status_q     <= 1'b0;
      phase_q      <= StatusIdle;
      error_q      <= BusErrorNone;
      ended_q      <= 1'b0;
      result_q     <= '0;
      bus_error_q  <= BusErrorNone;
      started_q    <= 1'b0;
      start_q      <= 1'b0;
      busy_q       <= 1'b0;
      incomplete_q <= 1'b0;
      ends_q       <= 3'(1 << EndRejected);
      known_q      <= 1'b0;
      outcome_q    <= StatusIdle;
    end else begin
      accept_q <= accept;
      start_q  <= start;
      busy_q   <= busy_i && !zeroise;
      if (accept) begin
        rejected_q <= (rejection != BusErrorNone);
        code_q    <= rejection;
        status_q  <= control && !write_i;
        phase_q   <= busy_i ? StatusBusy : started_q ? outcome_q : StatusIdle;
        error_q   <= bus_error_q;
        ended_q   <= started_q && !busy_i;
        result_q  <= (granted && !write_i) ? (selected & readable) : '0;
        if (start || clear || zeroise) bus_error_q <= BusErrorNone;
        else if (rejection != BusErrorNone) bus_error_q <= rejection;
        if (start) begin
          started_q    <= 1'b1;
          incomplete_q <= (partial != '0);
          known_q      <= 1'b0;
          ends_q       <= 3'(1 << EndRejected);
          if (partial == '0) begin
            ends_q[EndOk]  <= 1'b1;
            ends_q[EndRaw] <= (wdata_i == BusWidth'(CommandStartRaw));
          end
        end else if (zeroise) begin
          started_q    <= 1'b0;
          incomplete_q <= 1'b0;
          known_q      <= 1'b0;
          ends_q       <= 3'(1 << EndRejected);
        end
      end else if (accept_q) begin
        if (consistent) ends_q <= ends_q & seen;
        if (is_outcome && !known_q) begin
          known_q   <= 1'b1;
          outcome_q <= reported;
        end
        // The result was not available.
        if ((result_q != '0) && err_i) bus_error_q <= BusErrorNoResult;
      end
    end
  end

  // ----------------------------------------------------------------------------------------------
  // The rules
  // ----------------------------------------------------------------------------------------------
  logic last_err_q;
  logic [BusWidth-1:0] last_rdata_q, unused_mask, status_word;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      last_err_q   <= 1'b0;
      last_rdata_q <= '0;
    end else begin
      last_err_q   <= err_i;
      last_rdata_q <= rdata_i;
    end
  end

  // Rule Status accepts any outcome in the first read after the end; rule Outcome checks it.
  assign status_word = BusWidth'({error_q, (is_outcome && !known_q) ? reported : phase_q});

  always_comb begin
    unused_mask = '0;
    for (int i = 0; i < Addresses; i++) begin
      if (result_q[i]) unused_mask = unused_bits[i*BusWidth+:BusWidth];
    end
  end

  // The answer to a rejected read of a result is the reason.
  logic either, plain;
  assign either = (result_q != '0);
  assign plain  = !status_q && (!either || err_i);

  always_comb begin
    expected_o = rst_ni ? last_rdata_q : '0;
    if (accept_q) begin
      expected_o = BusWidth'(code_q);
      if (status_q) expected_o = status_word;
      else if (either) expected_o = err_i ? BusWidth'(BusErrorNoResult) : rdata_i & ~unused_mask;
    end
  end

  // In the order of the header; the first rule is bit 0.
  logic parity, known;
  assign parity = ^{ack_i, err_i, rdata_i, busy_i, done_i};
  assign known = (parity === 1'b0) || (parity === 1'b1);
  assign wrong_o = {
    done_i != (started_q && !busy_i),
    start_q ? !busy_i : (busy_i && (!busy_q || incomplete_q)),
    !accept_q && (rdata_i != expected_o),
    !accept_q && (err_i != last_err_q),
    accept_q && either && !err_i && (rdata_i != expected_o),
    accept_q && is_outcome
        && (!consistent || ((reported == StatusOperandIncomplete) != incomplete_q)),
    accept_q && status_q && (rdata_i != expected_o),
    accept_q && plain && (rdata_i != expected_o),
    accept_q && either && !consistent,
    accept_q && !either && (err_i != rejected_q),
    ack_i && !accept_q,
    !ack_i && accept_q,
    {ack_i, err_i, rdata_i, busy_i, done_i} != '0,
    !known
  } & {{Rules - 2{rst_ni}}, !rst_ni, 1'b1};

endmodule
