// SPDX-License-Identifier: Apache-2.0
//
// A core from outside behind the operand loader: flat operands, start and done.
//
// addr_i: 0 writes X (Base) and reads the result, 1 writes Y (Exponent), 2 writes M, 4 writes the
// constants that the core wants, one above the other, 6 the exponent's length, 7 the Y (Exponent)
// of an operation before this one, 3 is command and status. The status is Ok after every operation:
// code_o is the core's own status, and the checker decides whether it is right.
//
// In the cycle of the start the core sees its operands, and keeps seeing them, unless scramble_i:
// then all bits of them change in the cycle after it. restart_i: so many cycles after the start
// the core is started once more; 0: never. restarted_o: this second start came before done.
// again_i: an operation with the Y of address 7 goes first, and the one that counts is started in
// the cycle after its done; a second start comes in the first one alone.
// started_o: the core's start, of the operation that counts.
// sample_i: each change of it samples the outputs of the core, for the next rising edge.
// latency_o: cycles from the core's start to the first cycle after it with done, in which the
// result is taken.
//
// The module black_box_core around the shim is written for each core description, see
// core_module.py.

module black_box
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int BusWidth = 32,
  parameter int AddressWidth = 3,
  parameter int ConstantWidth = 1,
  parameter int Hits = 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    sample_i,
  input  logic                    req_i,
  input  logic                    write_i,
  input  logic [AddressWidth-1:0] addr_i,
  input  logic [    BusWidth-1:0] wdata_i,
  input  logic                    wait_i,
  output logic                    ack_o,
  output logic                    err_o,
  output logic [    BusWidth-1:0] rdata_o,
  output logic                    busy_o,
  output logic                    done_o,
  input  logic                    scramble_i,
  input  logic                    again_i,
  input  logic [            31:0] restart_i,
  output logic                    started_o,
  output logic [            31:0] latency_o,
  output logic                    restarted_o,
  output logic [             7:0] code_o,
  output logic [        Hits-1:0] hits_o
);

  localparam int Addresses = 8;
  localparam int WideBits = (ConstantWidth > Width) ? ConstantWidth : Width;
  localparam int MaxBits = (WideBits > 16) ? WideBits : 16;
  localparam int WriteSlot = (MaxBits + BusWidth - 1) / BusWidth * BusWidth;
  localparam int IndexWidth = $clog2(WriteSlot / BusWidth + 1);

  logic [Addresses*WriteSlot-1:0] operands;
  logic [Addresses-1:0] partial, overwide, written, write, read;
  logic [IndexWidth-1:0] write_index, read_index;
  logic [BusWidth-1:0] data, word_q;
  logic [WriteSlot-1:0] words;  // of the result
  logic [3:0] status;
  logic start, raw, field, zeroise;
  logic [Width-1:0] result, result_q;

  operand_loader #(
    .BusWidth    (BusWidth),
    .AddressWidth(AddressWidth),
    .Addresses   (Addresses),
    .WriteBits   ({16'(Width), 16'd16, 16'd0, 16'(ConstantWidth), 16'd0, {3{16'(Width)}}}),
    .ReadBits    ({{7{16'd0}}, 16'(Width)}),
    .ReadOk      (8'b00000001),
    .RawStart    (1'b0),
    .IndexWidth  (IndexWidth)
  ) u_loader (
    .clk_i,
    .rst_ni,
    .req_i,
    .write_i,
    .addr_i,
    .wdata_i,
    .wait_i,
    .ack_o,
    .err_o,
    .rdata_o,
    .write_o      (write),
    .read_o       (read),
    .write_index_o(write_index),
    .read_index_o (read_index),
    .data_o       (data),
    .word_i       (word_q),
    .word_fault_i (1'b0),
    .withheld_o   (),
    .partial_o    (partial),
    .overwide_o   (overwide),
    .written_o    (written),
    .start_o      (start),
    .raw_o        (raw),
    .zeroise_o    (zeroise),
    .binary_o     (field),
    .binary_i     (1'b0),
    .busy_i       (busy_o),
    .status_i     (status)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      operands <= '0;
      word_q   <= '0;
    end else begin
      for (int i = 0; i < Addresses; i++) begin
        if (write[i]) operands[i*WriteSlot+write_index*BusWidth+:BusWidth] <= data;
      end
      if (|read) word_q <= words[read_index*BusWidth+:BusWidth];
    end
  end

  logic restart;
  logic start_q, running_q, ahead_q, incomplete_q, done_q, done;
  logic [31:0] cycles_q;
  logic [7:0] code;
  logic [Addresses*WriteSlot-1:0] shown;
  logic core_done;
  logic [Width-1:0] core_result;
  logic [7:0] core_code;
  logic [Hits-1:0] core_hits;

  assign words = WriteSlot'(result_q);

  // After the cycle of the start the operands may be anything.
  assign shown = (scramble_i && running_q && !start_q) ? ~operands : operands;

  assign restart = running_q && !start_q && (ahead_q == again_i) && (restart_i != 0)
      && (cycles_q == restart_i);

  black_box_core #(
    .Width(Width)
  ) u_core (
    .clk_i,
    .rst_ni,
    .start_i    (start_q || restart),
    .first_i    (shown[0*WriteSlot+:Width]),
    .second_i   (ahead_q ? shown[7*WriteSlot+:Width] : shown[1*WriteSlot+:Width]),
    .modulus_i  (shown[2*WriteSlot+:Width]),
    .constants_i(shown[4*WriteSlot+:ConstantWidth]),
    .length_i   (shown[6*WriteSlot+:16]),
    .done_o     (core_done),
    .result_o   (core_result),
    .code_o     (core_code),
    .hits_o     (core_hits)
  );

  always @(sample_i) begin
    done   = core_done;
    result = core_result;
    code   = core_code;
    hits_o = core_hits;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      start_q      <= 1'b0;
      running_q    <= 1'b0;
      ahead_q      <= 1'b0;
      incomplete_q <= 1'b0;
      done_q       <= 1'b0;
      cycles_q     <= '0;
      result_q     <= '0;
      latency_o    <= '0;
      restarted_o  <= 1'b0;
      code_o       <= '0;
    end else begin
      start_q <= start && (partial == '0);
      if (start) begin
        running_q    <= (partial == '0);
        ahead_q      <= again_i;
        restarted_o  <= 1'b0;
        incomplete_q <= (partial != '0);
        done_q       <= (partial != '0);
        cycles_q     <= '0;
      end else if (running_q) begin
        cycles_q <= cycles_q + 1'b1;
        if (restart && (done !== 1'b1)) restarted_o <= 1'b1;
        if (done && !start_q && ahead_q) begin
          start_q  <= 1'b1;
          ahead_q  <= 1'b0;
          cycles_q <= '0;
        end else if (done && !start_q) begin
          running_q <= 1'b0;
          done_q    <= 1'b1;
          result_q  <= result;
          latency_o <= cycles_q;
          code_o    <= code;
        end
      end
    end
  end

  assign started_o = start_q && !ahead_q;
  assign busy_o = running_q;
  assign done_o = done_q;
  always_comb begin
    status = StatusIdle;
    if (running_q) status = StatusBusy;
    else if (incomplete_q) status = StatusOperandIncomplete;
    else if (done_q) status = StatusOk;
  end

  logic unused_bits;
  assign unused_bits = ^{operands, overwide, written, raw, field, zeroise};

endmodule
