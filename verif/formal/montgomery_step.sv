// SPDX-License-Identifier: Apache-2.0
//
// Property: one cycle of the loop of a bit-serial Montgomery core in carry-save form.
//
//   S' + C' = F(S + C),  F applied once for each iteration of the cycle:
//   F(P) = (P + x_i*Y + q*M)/2,  q = (P + x_i*Y) mod 2
//
//   S + C < Y + M, so S + C < 2*M for Y < M;   S = C = 0 before the first iteration
//   the bits x_i are those of X, lowest first, Width bits in all
//
// By telescoping, 2**Width*(S + C) = X*Y + Q*M exactly after the last iteration: no bit is lost. F
// is computed on numbers with room for every carry. Assumptions: X, Y and M are stable while
// busy_o, M is odd, there is no start while busy_o or before S and C are unloaded, and constant 0
// is Y + M for a core that has one. Unloads may come in any cycle, a reset at any time.
//
// MoreBits: bits by which S and C are longer than M in the core. Early: the start cycle already
// computes iterations. TableAdded: the core adds one of 0, M, Y and Y + M.

module montgomery_step
  import multiplier_pkg::*;
#(
  parameter int Width = 8,
  parameter int Guard = 2,
  parameter int Positions = 1,
  parameter int TableAdded = 0,
  parameter int MoreBits = 0,
  parameter int Early = 0
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             start_i,
  input logic             unload_i,
  input logic [Width-1:0] x_i,
  input logic [Width-1:0] y_i,
  input logic [Width-1:0] m_i
);

  localparam int SumWidth = Width + 3;
  localparam int CoreBits = Width + MoreBits;
  localparam int CountWidth = $clog2(Width + Positions + 1);
  localparam int XWidth = (Width + Positions - 1) / Positions * Positions;

  logic busy, done, empty, unload;
  logic [Width+Guard-1:0] s, c;
  logic [TablePositions-1:0] valid;
  logic [TableAddrBits-1:0] addr;
  logic [Width:0] r;

  assign r = (Width + 1)'(y_i) + (Width + 1)'(m_i);

  flat_core #(
    .Width(Width),
    .Guard(Guard)
  ) u_core (
    .clk_i,
    .rst_ni,
    .start_i,
    .unload_i,
    .x_i,
    .y_i,
    .m_i,
    .const_i      ((ConstSlots * (Width + 1))'(r)),
    .busy_o       (busy),
    .done_o       (done),
    .empty_o      (empty),
    .s_o          (s),
    .c_o          (c),
    .table_valid_o(valid),
    .table_addr_o (addr)
  );

  logic begun_q = 1'b0;
  logic busy_q;
  logic [Width-1:0] x_q, y_q, m_q;
  logic [CountWidth-1:0] count_q;  // iterations done

  // S + C before each iteration of the cycle and after the last one; and the expected values.
  logic [(Positions+1)*SumWidth-1:0] p, right_p;
  logic [Positions:0][CountWidth-1:0] count;
  logic [SumWidth-1:0] result, next, next_q;

  assign unload = u_core.unload_q;
  assign result = SumWidth'(s) + SumWidth'(c);
  assign p[0+:SumWidth] = SumWidth'(u_core.u_core.u_iterations.s_o)
                        + SumWidth'(u_core.u_core.u_iterations.c_o);
  assign right_p[0+:SumWidth] = start_i ? '0 : result;
  assign count[0] = start_i ? '0 : count_q;

  for (genvar i = 0; i < Positions; i++) begin : gen_iteration
    logic x, q;
    logic [CoreBits-1:0] s_behind, c_behind;
    logic [SumWidth-1:0] sum, even;
    assign s_behind = u_core.u_core.u_iterations.s_i[i*CoreBits+:CoreBits];
    assign c_behind = u_core.u_core.u_iterations.c_i[i*CoreBits+:CoreBits];
    assign p[(i+1)*SumWidth+:SumWidth] = SumWidth'(s_behind) + SumWidth'(c_behind);
    assign x = x_i[count[i]];
    assign q = p[i*SumWidth] ^ (x && y_i[0]);
    assign sum = p[i*SumWidth+:SumWidth] + (x ? SumWidth'(y_i) : '0);
    // Both forms are equivalent; the solver is much faster with the one that adds as the core does.
    assign even = (TableAdded == 0) ? sum + (q ? SumWidth'(m_i) : '0)
                : p[i*SumWidth+:SumWidth] + (x ? (q ? SumWidth'(r) : SumWidth'(y_i))
                                               : (q ? SumWidth'(m_i) : '0));
    assign right_p[(i+1)*SumWidth+:SumWidth] = even >> 1;
    assign count[i+1] = valid[i] ? count[i] + 1'b1 : count[i];
  end

  always_comb begin
    next = unload ? '0 : right_p[0+:SumWidth];
    for (int i = 0; i < Positions; i++) begin
      if (valid[i]) next = p[(i+1)*SumWidth+:SumWidth];
    end
  end

  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    busy_q  <= rst_ni && (busy || start_i);
    x_q     <= x_i;
    y_q     <= y_i;
    m_q     <= m_i;
    count_q <= rst_ni ? count[Positions] : '0;
    next_q  <= rst_ni ? next : '0;
  end

  // For the induction: known one cycle before. Narrow operands are one segment.
  if (Early == 0) begin : gen_ahead
    logic moves, iterates, with_y, with_m;
    assign moves    = u_core.u_core.u_iterations.moves[0];
    assign iterates = u_core.u_core.u_iterations.iterates[0];
    assign with_y   = u_core.u_core.gen_iteration[0].with_y[0];
    assign with_m   = u_core.u_core.gen_iteration[0].with_m[0];

    always_comb begin
      if (begun_q && rst_ni) begin
        assert ((moves == (valid[0] || unload)) && (iterates == valid[0]));
        assert ((with_y == (valid[0] && x_i[count_q]))
             && (with_m == (valid[0] && (p[0] ^ (x_i[count_q] && y_i[0])))));
      end
    end
  end else begin : gen_now
    always_comb begin
      if (begun_q && rst_ni) assert (u_core.u_core.u_iterations.gen_now.unload_q == unload);
    end
  end

  always_comb begin
    if (!begun_q) assume (!rst_ni);
    assume (m_i[0]);
    assume (!start_i || empty);
    if (begun_q && busy) assume ((x_i == x_q) && (y_i == y_q) && (m_i == m_q));
    if (begun_q && rst_ni) begin
      assert (result == next_q);
      if (empty) assert (!busy && (result == '0));
      if (busy) assert ((result == '0) || (result < SumWidth'(y_i) + SumWidth'(m_i)));
      if (valid[0]) assert (p[0+:SumWidth] == right_p[0+:SumWidth]);
      for (int i = 0; i < Positions; i++) begin
        if (valid[i]) begin
          assert (p[(i+1)*SumWidth+:SumWidth] == right_p[(i+1)*SumWidth+:SumWidth]);
        end
      end
      if (done) assert (count_q == CountWidth'(Width));
      // For the induction: the progress of the core, and the remaining bits of X.
      if (busy && !done) begin
        assert (count_q < CountWidth'(Width));
        assert (count_q == CountWidth'(Positions
                * (32'(u_core.u_core.u_iterations.u_control.count_q) + Early)));
        assert (u_core.x_q == XWidth'(x_i >> (count_q + CountWidth'(1 - Early))));
      end
    end
  end

endmodule
