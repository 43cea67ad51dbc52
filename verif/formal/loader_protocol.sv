// SPDX-License-Identifier: Apache-2.0
//
// Property: the loader's bus loses no word, duplicates no word, and answers in bounded time.
//
//   a request is acknowledged exactly once, in the cycle after its first cycle without wait_i;
//     there is no acknowledge without a request
//   the j-th word written to an address after the last start or Clear, and acknowledged without an
//     error, is word j of its operand from the cycle after the acknowledge on; every other word of
//     every operand stays unchanged
//   the j-th word read from an address is word (j modulo the number of words) of the result
//   a rejected transfer changes no operand and starts nothing; a start lasts one cycle, comes when
//     its command is accepted, and never while busy_i
//   the loader rejects words after the operand's last word, results that do not exist, and anything
//     but control while busy_i
//
// Holds for any address and any word, for loaders of this shape: operands of two words and results
// of three words at all addresses but the control's. The host holds a request until its
// acknowledge. Reset at any time.

// The loader's counters of the chosen address, and the word in transfer.
`define OPERAND(address) u_loader.gen_address[address].gen_operand
`define COUNTS(address) \
  if (address_q == 2'(address)) begin \
    assert (32'(`OPERAND(address).pointer_q) == 32'(writes)); \
    assert (`OPERAND(address).full_q == (writes == CountWidth'(WriteWords))); \
    assert (`OPERAND(address).write_q == (ack && !err && mine && write_q)); \
    if (`OPERAND(address).write_q) begin \
      assert (32'(u_loader.write_index_q) + 32'd1 == 32'(writes)); \
      assert (u_loader.data_q == wdata_q); \
    end \
    assert (32'(u_loader.gen_address[address].gen_result.pointer_q) == 32'(reads)); \
  end

module loader_protocol
  import multiplier_pkg::*;
#(
  parameter int Width = 12,
  parameter int BusWidth = 8
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic                req_i,
  input logic                write_i,
  input logic [         1:0] addr_i,
  input logic [BusWidth-1:0] wdata_i,
  input logic                wait_i,
  input logic                binary_i,
  input logic                busy_i,
  input logic [         3:0] status_i,
  input logic [BusWidth-1:0] result_word_i
);

  localparam int Addresses = 3;
  localparam int WriteWords = (Width + BusWidth - 1) / BusWidth;
  localparam int ReadBits = Width + BusWidth;
  localparam int ReadWords = (ReadBits + BusWidth - 1) / BusWidth;
  localparam int IndexWidth = $clog2(ReadWords + 1);
  localparam int CountWidth = $clog2(ReadWords + WriteWords + 1);

  // Any address and word, the same in every cycle.
  logic [1:0] address_q;
  logic [CountWidth-1:0] word_q;
  always_ff @(posedge clk_i) begin
    address_q <= address_q;
    word_q <= word_q;
  end

  logic ack, err, start;
  logic [BusWidth-1:0] rdata, data;
  logic [Addresses-1:0] write, read;
  logic [IndexWidth-1:0] write_index, read_index;

  // The chosen word of the operands, and the word of a result that was read last. Of the results
  // the chosen word is watched, the others are 0.
  logic [BusWidth-1:0] stored_q, fetched_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {stored_q, fetched_q} <= '0;
    end else begin
      if (write[address_q] && (write_index == IndexWidth'(word_q))) stored_q <= data;
      if (read != '0) begin
        fetched_q <= (read[address_q] && (read_index == IndexWidth'(word_q))) ? result_word_i : '0;
      end
    end
  end

  operand_loader #(
    .BusWidth    (BusWidth),
    .AddressWidth(2),
    .Addresses   (Addresses),
    .WriteBits   ({Addresses{16'(Width)}}),
    .ReadBits    ({Addresses{16'(ReadBits)}}),
    .ReadOk      (3'b111),
    .ReadRaw     (3'b110),
    .IndexWidth  (IndexWidth)
  ) u_loader (
    .clk_i,
    .rst_ni,
    .req_i,
    .write_i,
    .addr_i,
    .wdata_i,
    .wait_i,
    .ack_o        (ack),
    .err_o        (err),
    .rdata_o      (rdata),
    .write_o      (write),
    .read_o       (read),
    .write_index_o(write_index),
    .read_index_o (read_index),
    .data_o       (data),
    .word_i       (fetched_q),
    .word_fault_i (1'b0),
    .withheld_o   (),
    .partial_o    (),
    .overwide_o   (),
    .written_o    (),
    .start_o      (start),
    .raw_o        (),
    .zeroise_o    (),
    .binary_o     (),
    .binary_i,
    .busy_i,
    .status_i
  );

  // The host counts the words that were acknowledged without an error.
  logic begun_q = 1'b0;
  logic req_q, write_q, wait_q, ack_q, start_q, busy_q, reset_q;
  logic [1:0] addr_q;
  logic [BusWidth-1:0] wdata_q, expected_q, read_q;
  logic [3:0] status_q;
  logic [CountWidth-1:0] writes_q, reads_q;
  logic accepted_q, mine, delivered_q;
  logic command_start, command_clear;

  assign mine = (addr_q == address_q);
  assign command_start = ack && !err && write_q && (addr_q == 2'(AddressControl))
                      && (wdata_q != BusWidth'(CommandClear));
  assign command_clear = ack && !err && write_q && (addr_q == 2'(AddressControl))
                      && (wdata_q == BusWidth'(CommandClear));
  assign delivered_q = (status_q == StatusOk)
                    || ((status_q == StatusRaw) && (address_q != 2'(AddressXP)));

  logic [CountWidth-1:0] writes, reads;  // with the transfer that is acknowledged now
  logic [BusWidth-1:0] expected;

  always_comb begin
    writes   = writes_q;
    reads    = reads_q;
    expected = expected_q;
    if (ack && !err && mine && write_q) begin
      if (writes_q == word_q) expected = wdata_q;
      writes = writes_q + 1'b1;
    end
    if (ack && !err && mine && !write_q) begin
      reads = (reads_q == CountWidth'(ReadWords - 1)) ? '0 : reads_q + 1'b1;
    end
    if (command_start || command_clear) begin
      writes = '0;
      reads  = '0;
    end
  end

  always_ff @(posedge clk_i) begin
    begun_q    <= 1'b1;
    reset_q    <= rst_ni;
    req_q      <= req_i;
    write_q    <= write_i;
    addr_q     <= addr_i;
    wdata_q    <= wdata_i;
    wait_q     <= wait_i;
    ack_q      <= ack && rst_ni;
    start_q    <= start;
    busy_q     <= busy_i;
    status_q   <= status_i;
    read_q     <= result_word_i;
    writes_q   <= rst_ni ? writes : '0;
    reads_q    <= rst_ni ? reads : '0;
    expected_q <= rst_ni ? expected : '0;
    accepted_q <= req_i && !ack && !wait_i && rst_ni;
  end

  always_comb begin
    if (!begun_q) assume (!rst_ni);
    // The core becomes busy by a start only.
    assume (!busy_i || (begun_q && reset_q && (busy_q || start_q)));
    assume ((address_q != 2'(AddressControl)) && (word_q < CountWidth'(ReadWords)));
    if (begun_q && reset_q && req_q && !ack) begin
      assume (req_i && (write_i == write_q) && (addr_i == addr_q) && (wdata_i == wdata_q));
    end

    if (begun_q && rst_ni && reset_q) begin
      assert (ack == accepted_q);
      assert (!(ack && ack_q));
      // No word is lost, duplicated or otherwise changed.
      if (word_q < CountWidth'(WriteWords)) begin
        assert (stored_q == expected_q);
      end
      // Reads in order.
      if (ack && !err && mine && !write_q) begin
        assert (rdata == ((reads_q == word_q) ? read_q : '0));
        assert (delivered_q && !busy_q);
      end
      // Rejections; there are no others.
      if (ack && mine) begin
        assert (err == (busy_q || (write_q ? (writes_q == CountWidth'(WriteWords))
                                           : !delivered_q)));
      end
      // Commands. start_o comes in the cycle of the acceptance, the acknowledge one cycle later.
      assert (!start || (req_i && write_i && (addr_i == 2'(AddressControl)) && !busy_i));
      assert (!(start && start_q));
      assert (start_q == command_start);
    end
    if (begun_q && rst_ni) begin
      // For the induction: the loader's counters equal the host's.
      `COUNTS(0);
      `COUNTS(1);
      `COUNTS(2);
      if (busy_i) assert ((writes == '0) && (reads == '0));
      // A read that is rejected while busy fetches no word.
      if (busy_i) assert (!u_loader.fetch);
      assert (writes <= CountWidth'(WriteWords));
      assert (reads < CountWidth'(ReadWords));
    end
  end

endmodule
