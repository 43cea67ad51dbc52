// SPDX-License-Identifier: Apache-2.0
//
// Property: status, results and clocks of every operation of the multiplier are those that
// hdl/docs/interface.md gives to the words that were written, for every sequence of transfers.
//
//   an operand is what was written of it, word by word, over what it was before: partial writes,
//     words kept over CLEAR, over starts and refusals, any subset of the operands rewritten
//   the status at the end is the first that applies to them
//   P, S and C are those of the operands at the start, whatever is written stepping, as long as one
//     reads, from the first word again behind the last
//   N clocks: constants of M are computed just if M was written, or if none were computed since
//   the reset, nothing is computed or forgotten by a refused transfer or operation
//
// The core is sum_core, the adder that of verif/formal: P = X + Y mod M, S = X, C = Y. Which
// transfer is refused, and the word counters, are those of interface_checks, which multiplier_pins
// shows. Reset at any time.

module multiplier_reference
  import multiplier_pkg::*;
#(
  parameter int Width = 9,
  parameter int BusWidth = 8,
  parameter int SelWidth = 2,
  parameter int AddWidth = 16,
  parameter int Guard = 2,
  // Derived, do not set.
  parameter int Rules = 14
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic                req_i,
  input logic                write_i,
  input logic [SelWidth-1:0] sel_i,
  input logic [BusWidth-1:0] wdata_i,
  input logic                wait_i
);

  localparam int Words = (Width + BusWidth - 1) / BusWidth;
  localparam int Bits = Words * BusWidth;
  localparam int ReadWords = (Width + Guard + BusWidth - 1) / BusWidth;
  localparam int ReadBits = ReadWords * BusWidth;

  // Busy clocks of an operation that is refused after its checks, of one that ends well, and so
  // many more if the constants of M are computed.
  localparam int RefusedClocks = 5;
  localparam int OkClocks = 13;
  localparam int RawClocks = 10;
  localparam int ConstantClocks = 1;

  // States of multiplier_control.
  localparam logic [2:0] StIdle = 3'd0;
  localparam logic [2:0] StCheckX = 3'd1;
  localparam logic [2:0] StCheckY = 3'd2;
  localparam logic [2:0] StStep = 3'd3;
  localparam logic [2:0] StAdd = 3'd4;
  localparam logic [2:0] StCore = 3'd5;
  localparam logic [2:0] StEnd = 3'd6;
  localparam logic [2:0] StInverse = 3'd7;

  logic ack, err, busy, done;
  logic [BusWidth-1:0] rdata, expected;
  logic [Rules-1:0] wrong;
  logic begun_q = 1'b0;

  multiplier #(
    .Width   (Width),
    .BusWidth(BusWidth),
    .SelWidth(SelWidth),
    .AddWidth(AddWidth),
    .Guard   (Guard)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .req_i,
    .write_i,
    .sel_i,
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
    .SelWidth      (SelWidth),
    .Guard         (Guard)
  ) u_checks (
    .clk_i,
    .rst_ni,
    .req_i,
    .write_i,
    .sel_i,
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
  logic [7:0] clocks_q;

  logic [2:0][7:0] word;  // the next to be written
  assign word[0] = 8'(u_checks.gen_select[0].gen_operand.word_q);
  assign word[1] = 8'(u_checks.gen_select[1].gen_operand.word_q);
  assign word[2] = 8'(u_checks.gen_select[2].gen_operand.word_q);

  logic write;
  logic [Width-1:0] x, y, m;
  assign write = u_checks.granted && write_i && !u_checks.control;
  assign x = operand_q[SelectXP][Width-1:0];
  assign y = operand_q[SelectYS][Width-1:0];
  assign m = operand_q[SelectMC][Width-1:0];

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

  logic ended_q;  // it was busy in the clock before
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
      clocks_q   <= '0;
      ended_q    <= 1'b0;
    end else begin
      ended_q <= busy;
      if (busy) clocks_q <= clocks_q + 1'b1;
      if (write) operand_q[sel_i][word[sel_i]*BusWidth+:BusWidth] <= wdata_i;
      if (write && (sel_i == SelWidth'(SelectMC))) kept_q <= 1'b0;
      if (u_checks.start) begin
        x_q        <= x;
        y_q        <= y;
        m_q        <= m;
        status_q   <= status;
        raw_q      <= raw;
        clocks_q   <= '0;
        computes_q <= !kept_q;
        if ((status == StatusOk) || (status == StatusRaw)) kept_q <= 1'b1;
      end
    end
  end

  // What is there to be read.
  logic [Width:0] sum;
  logic [ReadBits-1:0] p;
  logic [BusWidth-1:0] expected_word;
  assign sum = {1'b0, x_q} + {1'b0, y_q};
  assign p   = ReadBits'((sum >= {1'b0, m_q}) ? sum - {1'b0, m_q} : sum);

  logic [2:0][7:0] next;  // word of each result
  assign next[0] = 8'(u_checks.gen_select[0].gen_result.word_q);
  assign next[1] = 8'(u_checks.gen_select[1].gen_result.word_q);
  assign next[2] = 8'(u_checks.gen_select[2].gen_result.word_q);

  always_comb begin
    expected_word = '0;
    if (u_checks.result_q[0]) expected_word = p[next[0]*BusWidth+:BusWidth];
    if (u_checks.result_q[1]) expected_word = BusWidth'(ReadBits'(x_q) >> (next[1] * BusWidth));
    if (u_checks.result_q[2]) expected_word = BusWidth'(ReadBits'(y_q) >> (next[2] * BusWidth));
  end

  logic [7:0] clocks;
  always_comb begin
    clocks = 8'(RefusedClocks);
    if (status_q == StatusOperandIncomplete) clocks = 8'd1;
    if (status_q == StatusOk) clocks = computes_q ? 8'(OkClocks + ConstantClocks) : 8'(OkClocks);
    if (status_q == StatusRaw) clocks = computes_q ? 8'(RawClocks + ConstantClocks) : 8'(RawClocks);
  end

  // ----------------------------------------------------------------------------------------------
  // The comparison
  // ----------------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begun_q <= 1'b1;

  always_comb begin
    if (!begun_q) assume (!rst_ni);
    if (begun_q && rst_ni) begin
      if (u_checks.accept_q && u_checks.is_outcome) assert (rdata[3:0] == status_q);
      if (u_checks.accept_q && (u_checks.result_q != '0) && !err) assert (rdata == expected_word);
      if (busy) assert (clocks_q < clocks);
      if (!busy && ended_q) assert (clocks_q == clocks);
    end
  end

  // ----------------------------------------------------------------------------------------------
  // For the induction: how far control, adder and core have come
  // ----------------------------------------------------------------------------------------------
  multiplier_invariants #(
    .Width   (Width),
    .BusWidth(BusWidth),
    .Guard   (Guard)
  ) u_invariants (
    .check_i(begun_q && rst_ni)
  );

  logic [2:0] state;
  logic [3:0] step, outcome;
  logic issue, valid, add_done;
  logic [Width:0] const_0, const_1;
  logic [Width+Guard:0] value;
  logic [7:0] behind;  // clocks to the end of step 0
  assign state    = u_dut.u_unit.u_unit.u_control.state_q;
  assign step     = u_dut.u_unit.u_unit.u_control.step_q;
  assign outcome  = u_dut.u_unit.u_unit.u_control.outcome_q;
  assign issue    = u_dut.u_unit.u_unit.u_control.issue_q;
  assign valid    = u_dut.u_unit.u_unit.u_control.constants_valid_q;
  assign const_0  = u_dut.u_unit.u_unit.u_control.const_o[0+:Width+1];
  assign const_1  = u_dut.u_unit.u_unit.u_control.const_o[Width+1+:Width+1];
  assign add_done = u_dut.u_unit.u_unit.u_adder.done_o;
  assign value    = u_dut.u_unit.u_unit.u_adder.value_o;
  assign behind   = computes_q ? 8'd6 : 8'd5;

  // A word goes into its operand in the clock of the acknowledge.
  logic [2:0] under_way;
  logic [2:0][Bits-1:0] there;
  for (genvar i = 0; i < 3; i++) begin : gen_there
    assign under_way[i] = u_dut.u_loader.gen_select[i].gen_operand.write_q;
    always_comb begin
      there[i] = u_dut.u_unit.u_registers.gen_select[i].gen_operand.value_q;
      if (under_way[i]) begin
        there[i][u_dut.u_loader.write_index_q*BusWidth+:BusWidth] = u_dut.u_loader.data_q;
      end
    end
  end

  logic stepping;  // at a step of the program
  logic result_there, product_there;  // S and C; P
  assign stepping = (state == StStep) || (state == StAdd);

  always_comb begin
    result_there  = (!busy && ((status_q == StatusOk) || (status_q == StatusRaw)))
                 || (state == StCore) || (stepping && (step > 4'd2))
                 || ((state == StEnd) && ((outcome == StatusOk) || (outcome == StatusRaw)));
    product_there = (!busy && (status_q == StatusOk))
                 || ((state == StStep) && (step == 4'd4))
                 || ((state == StEnd) && (outcome == StatusOk));

    if (begun_q && rst_ni) begin
      assert (there == operand_q);
      assert ((under_way == '0) || ack);
      for (int i = 0; i < 3; i++) begin
        if (under_way[i]) assert (8'(u_dut.u_loader.write_index_q) + 8'd1 == word[i]);
      end
      assert (u_dut.u_loader.gen_select[0].gen_operand.overwide_q
              == ((operand_q[0] >> Width) != '0));
      assert (u_dut.u_loader.gen_select[1].gen_operand.overwide_q
              == ((operand_q[1] >> Width) != '0));
      assert (u_dut.u_loader.gen_select[2].gen_operand.overwide_q
              == ((operand_q[2] >> Width) != '0));
      assert (!u_dut.u_unit.u_unit.u_control.field_q);
      assert (!u_dut.u_unit.u_unit.u_control.constants_field_q);
      assert (!u_dut.u_unit.u_unit.keep_q);
      if (!busy) begin
        assert (u_dut.u_unit.u_unit.u_control.status_q == status_q);
        assert (kept_q == (valid && !under_way[SelectMC]));
      end
      if (valid && !under_way[SelectMC]) assert (const_0 == {1'b0, m});
      if (result_there) begin
        assert (u_dut.u_unit.u_unit.u_core.s_q == {1'b0, x_q});
        assert (u_dut.u_unit.u_unit.u_core.c_q == {1'b0, y_q});
      end
      if (product_there) assert (ReadBits'(u_dut.u_unit.u_unit.product_q) == p);
      assert (u_dut.u_unit.u_unit.u_core.done_q == (state == StCore));
      assert (state != StInverse);
      assert (!issue || (state == StCheckX) || (state == StCheckY) || (state == StEnd));
      assert (add_done == ((state == StAdd)
                           || (((state == StCheckX) || (state == StCheckY)) && !issue)));
      if (busy) begin
        assert ((x_q == x) && (y_q == y) && (m_q == m));
        assert (u_dut.u_unit.u_unit.u_control.raw_q == raw_q);
        if (!u_checks.incomplete_q)
          assert (status_q == judged);
          else assert (status_q == StatusOperandIncomplete);
        if ((status_q == StatusOk) || (status_q == StatusRaw)) begin
          assert (kept_q);
          assert (valid == (!computes_q || (state == StEnd) || (stepping && (step > 4'd2))));
        end else begin
          assert ((kept_q == valid) && (computes_q == !valid));
        end
      end
      if ((state == StCheckX) || (state == StCheckY)) begin
        assert ((step == '0) && !u_checks.incomplete_q);
        assert (u_dut.u_unit.u_unit.u_control.overwide_q == overwide);
        assert (clocks_q == ((state == StCheckX) ? 8'd0 : 8'd2) + (issue ? 8'd0 : 8'd1));
        if (!issue) begin
          assert (u_dut.u_unit.u_unit.u_adder.above_one_o == (m > Width'(1)));
          assert (u_dut.u_unit.u_unit.u_adder.subtracted_o
                  == ((state == StCheckX) ? (x >= m) : (y >= m)));
        end
        assert (u_dut.u_unit.u_unit.u_control.out_of_range_q
                == (overwide || ((state == StCheckY) && (x >= m))));
      end
      if ((state == StStep) || (state == StAdd) || (state == StCore)) begin
        assert ((status_q == StatusOk) || (status_q == StatusRaw));
        assert (u_dut.u_unit.u_unit.u_control.out_of_range_q == (status_q == StatusRaw));
        assert ((step <= 4'd4) && !u_checks.incomplete_q);
        if (step >= 4'd1) assert (const_0 == {1'b0, m});
        if (step >= 4'd2) assert (const_1 == {1'b0, y} + {1'b0, m});
        if (step >= 4'd3) assert (status_q == StatusOk);
        case (step)
          4'd0: assert (clocks_q == ((state == StAdd) ? 8'd5 : 8'd4));
          4'd1: assert (clocks_q == behind + ((state == StAdd) ? 8'd1 : 8'd0));
          4'd2: assert (clocks_q == behind + ((state == StCore) ? 8'd3 : 8'd2));
          4'd3: assert (clocks_q == behind + ((state == StAdd) ? 8'd5 : 8'd4));
          default: assert (clocks_q == behind + 8'd6);
        endcase
        if (state == StCore) assert (step == 4'd2);
        if (state == StAdd) begin
          assert ((step != 4'd2) && (step != 4'd4));
          if (step == 4'd0) assert (computes_q && (value == (Width + Guard + 1)'(m)));
          if (step == 4'd1) begin
            assert (value == (Width + Guard + 1)'(y) + (Width + Guard + 1)'(m));
          end
          if (step == 4'd3) assert (value == (Width + Guard + 1)'(p));
        end
      end
      if (state == StEnd) assert ((outcome == status_q) && (clocks_q == clocks - 8'd1));
    end
  end

endmodule
