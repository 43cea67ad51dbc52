// SPDX-License-Identifier: Apache-2.0
//
// Property: status, results and cycles of every operation of the multiplier are those of
// hdl/docs/interface.md for the written words, for every sequence of transfers.
//
//   each written word replaces the word of the operand's old value: partial writes, words kept over
//     CLEAR, starts and rejections, any subset of the operands rewritten
//   the status at the end is the first one that applies to the operands
//   P, S and C belong to the operands at the start, whatever the host writes afterwards; reads can
//     repeat, and continue with the first word after the last
//   N cycles: constants of M are computed exactly if M was written or none were computed after the
//     reset; a rejected transfer or operation computes and forgets nothing
//
// Covers every run within the depth. The core is a stand-in (parallel_core_select of this folder):
// P = X + Y mod M, S = X, C = Y. Rejections and word counters are those of interface_checks, which
// multiplier_pins proves. Reset at any time.
//
// Steady restricts the host, so that a proof can reach the ends of operations. 0: any host. 1: no
// reset, pause or wait state; X, Y and M are written first, nothing is requested while the core is
// busy, and the fourth and the sixth transfer start an operation.

module multiplier_reference
  import multiplier_pkg::*;
#(
  parameter int Width = 9,
  parameter int BusWidth = 8,
  parameter int AddressWidth = 2,
  parameter int AddWidth = 16,
  parameter int Guard = 2,
  parameter int Steady = 0,  // see above
  // Derived, do not set.
  parameter int Rules = 14
) (
  input logic                    clk_i,
  input logic                    rst_ni,
  input logic                    req_i,
  input logic                    write_i,
  input logic [AddressWidth-1:0] addr_i,
  input logic [    BusWidth-1:0] wdata_i,
  input logic                    wait_i
);

  localparam int Words = (Width + BusWidth - 1) / BusWidth;
  localparam int Bits = Words * BusWidth;
  localparam int ReadWords = (Width + Guard + BusWidth - 1) / BusWidth;
  localparam int ReadBits = ReadWords * BusWidth;

  // Busy cycles of an operation that is rejected after its checks, of any other operation, and the
  // additional cycles if the constants of M are computed.
  localparam int AddWords = (Width + Guard + AddWidth) / AddWidth;
  localparam int CoreCycles = (Width + TablePositions - 1) / TablePositions;
  localparam int RejectedCycles = AddWords + 2;
  localparam int OkCycles = (AddWords + 1) + 1 + 1 + CoreCycles + 1 + (AddWords + 1) + 1;
  localparam int ConstantCycles = (AddWords + 1) + 1 + (AddWords + 1);

  logic ack, err, busy, done;
  logic [BusWidth-1:0] rdata, expected;
  logic [Rules-1:0] wrong;
  logic begun_q = 1'b0;

  multiplier #(
    .Width   (Width),
    .BusWidth(BusWidth),
    .AddressWidth(AddressWidth),
    .AddWidth(AddWidth),
    .Guard   (Guard)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .req_i,
    .write_i,
    .addr_i,
    .wdata_i,
    .wait_i,
    .ack_o  (ack),
    .err_o  (err),
    .rdata_o(rdata),
    .busy_o (busy),
    .done_o (done)
  );

  interface_checks #(
    .Exponentiation(1'b0),
    .Width         (Width),
    .BusWidth      (BusWidth),
    .AddressWidth  (AddressWidth),
    .Guard         (Guard)
  ) u_checks (
    .clk_i,
    .rst_ni,
    .req_i,
    .write_i,
    .addr_i,
    .wdata_i,
    .wait_i,
    .ack_i     (ack),
    .err_i     (err),
    .rdata_i   (rdata),
    .busy_i    (busy),
    .done_i    (done),
    .wrong_o   (wrong),
    .expected_o(expected)
  );

  // ----------------------------------------------------------------------------------------------
  // The reference
  // ----------------------------------------------------------------------------------------------
  logic [2:0][Bits-1:0] operand_q;
  logic kept_q;  // constants of M

  // The operation.
  logic [Width-1:0] x_q, y_q, m_q;
  logic [3:0] status_q;
  logic computes_q;
  logic [7:0] cycles_q;

  logic [2:0][7:0] word;  // the next to be written
  assign word[0] = 8'(u_checks.gen_address[0].gen_operand.word_q);
  assign word[1] = 8'(u_checks.gen_address[1].gen_operand.word_q);
  assign word[2] = 8'(u_checks.gen_address[2].gen_operand.word_q);

  logic write;
  logic [Width-1:0] x, y, m;
  assign write = u_checks.granted && write_i && !u_checks.control;
  assign x = operand_q[AddressXP][Width-1:0];
  assign y = operand_q[AddressYS][Width-1:0];
  assign m = operand_q[AddressMC][Width-1:0];

  logic raw, raw_q, overwide, out_of_range;
  logic [3:0] judged, status;
  assign raw = u_checks.start ? (wdata_i == BusWidth'(CommandStartRaw)) : raw_q;
  assign out_of_range = (x >= m) || (y >= m);

  always_comb begin
    overwide = 1'b0;
    for (int i = 0; i < 3; i++) if ((operand_q[i] >> Width) != '0) overwide = 1'b1;
    judged = StatusOk;
    if (out_of_range) judged = raw ? StatusRaw : StatusOperandRange;
    if (!m[0]) judged = StatusModulusEven;
    if (m <= Width'(1)) judged = StatusModulusZeroOrOne;
    if (overwide) judged = StatusOperandRange;
    status = (u_checks.partial != '0) ? StatusOperandIncomplete : judged;
  end

  logic ended_q;  // busy in the cycle before
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      operand_q  <= '0;
      kept_q     <= 1'b0;
      x_q        <= '0;
      y_q        <= '0;
      m_q        <= '0;
      status_q   <= StatusIdle;
      raw_q      <= 1'b0;
      computes_q <= 1'b0;
      cycles_q   <= '0;
      ended_q    <= 1'b0;
    end else begin
      ended_q <= busy;
      if (busy) cycles_q <= cycles_q + 1'b1;
      if (write) operand_q[addr_i][word[addr_i]*BusWidth+:BusWidth] <= wdata_i;
      if (write && (addr_i == AddressWidth'(AddressMC))) kept_q <= 1'b0;
      if (u_checks.start) begin
        x_q        <= x;
        y_q        <= y;
        m_q        <= m;
        status_q   <= status;
        raw_q      <= raw;
        cycles_q   <= '0;
        computes_q <= !kept_q;
        if ((status == StatusOk) || (status == StatusRaw)) kept_q <= 1'b1;
      end
    end
  end

  // Which results can be read.
  logic [Width:0] sum;
  logic [ReadBits-1:0] p;
  logic [BusWidth-1:0] expected_word;
  assign sum = {1'b0, x_q} + {1'b0, y_q};
  assign p   = ReadBits'((sum >= {1'b0, m_q}) ? sum - {1'b0, m_q} : sum);

  logic [2:0][7:0] next;  // word of each result
  assign next[0] = 8'(u_checks.gen_address[0].gen_result.word_q);
  assign next[1] = 8'(u_checks.gen_address[1].gen_result.word_q);
  assign next[2] = 8'(u_checks.gen_address[2].gen_result.word_q);

  always_comb begin
    expected_word = '0;
    if (u_checks.result_q[0]) expected_word = p[next[0]*BusWidth+:BusWidth];
    if (u_checks.result_q[1]) expected_word = BusWidth'(ReadBits'(x_q) >> (next[1] * BusWidth));
    if (u_checks.result_q[2]) expected_word = BusWidth'(ReadBits'(y_q) >> (next[2] * BusWidth));
  end

  logic [7:0] cycles;
  always_comb begin
    cycles = 8'(RejectedCycles);
    if (status_q == StatusOperandIncomplete) cycles = 8'd1;
    if ((status_q == StatusOk) || (status_q == StatusRaw)) begin
      cycles = computes_q ? 8'(OkCycles + ConstantCycles) : 8'(OkCycles);
    end
  end

  // ----------------------------------------------------------------------------------------------
  // The comparison
  // ----------------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begun_q <= 1'b1;

  logic [2:0] transfer_q;  // number of the transfer, up to 7
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) transfer_q <= '0;
    else if (ack && (transfer_q != 3'd7)) transfer_q <= transfer_q + 1'b1;
  end

  always_comb begin
    if (begun_q && (Steady != 0)) begin
      assume (rst_ni && !wait_i && (req_i == !busy));
      if (transfer_q < 3'd3) assume (write_i && (addr_i == AddressWidth'(transfer_q)));
      if ((transfer_q == 3'd3) || (transfer_q == 3'd5)) begin
        assume (write_i && u_checks.control);
        assume (wdata_i inside {BusWidth'(CommandStart), BusWidth'(CommandStartRaw)});
      end
    end
    if (!begun_q) assume (!rst_ni);
    if (begun_q && rst_ni) begin
      if (u_checks.accept_q && u_checks.is_outcome) assert (rdata[3:0] == status_q);
      if (u_checks.accept_q && (u_checks.result_q != '0) && !err) assert (rdata == expected_word);
      if (busy) assert (cycles_q < cycles);
      if (!busy && ended_q) assert (cycles_q == cycles);
    end
  end

endmodule
