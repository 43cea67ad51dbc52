// SPDX-License-Identifier: Apache-2.0
//
// Property: the loop of a bit-serial Montgomery core in carry-save form, one clock of it.
//
//   S' + C' = F(S + C),  F applied once for each iteration of the clock:
//   F(P) = (P + x_i*Y + q*M)/2,  q = (P + x_i*Y) mod 2
//
//   S + C < Y + M, so S + C < 2*M for Y < M;   S = C = 0 before the first iteration
//   the bits x_i are those of X, the lowest first, and there are Width of them
//
// By telescoping, 2**Width*(S + C) = X*Y + Q*M after the last one, exactly: no bit is lost on the way.
// F is written on numbers with room for every carry. The assumptions: X, Y, M steady while busy_o, M odd,
// no start while busy_o, and constant 0 = Y + M for a core that has one. Reset at any time.

module montgomery_step
  import multiplier_pkg::*;
#(
  parameter int Width = 8,
  parameter int Guard = 2,
  parameter int Positions = 1,
  parameter int LoopClocks = 9
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             start_i,
  input logic [Width-1:0] x_i,
  input logic [Width-1:0] y_i,
  input logic [Width-1:0] m_i
);

  localparam int SumWidth = Width + 3;
  localparam int CountWidth = $clog2(Width + Positions + 1);

  logic busy, done;
  logic [Width+Guard-1:0] s, c;
  logic [TablePositions-1:0] valid;
  logic [TableAddrBits-1:0] addr;
  logic [Width:0] r;

  assign r = (Width + 1)'(y_i) + (Width + 1)'(m_i);

  `MULTIPLIER_CORE #(
    .Width(Width),
    .Guard(Guard)
    `MULTIPLIER_CORE_PARAMETERS
  ) u_core (
    .clk_i,
    .rst_ni,
    .start_i,
    .field_i      (1'b0),
    .chain_i      (1'b0),
    .keep_i       (1'b0),
    .x_i          ((Width + Guard)'(x_i)),
    .xc_i         ('0),
    .y_i          ((Width + Guard)'(y_i)),
    .yc_i         ('0),
    .m_i,
    .const_i      ((ConstSlots * (Width + 1))'(r)),
    .busy_o       (busy),
    .done_o       (done),
    .s_o          (s),
    .c_o          (c),
    .table_valid_o(valid),
    .table_addr_o (addr)
  );

  logic begun_q = 1'b0;
  logic busy_q;
  logic [Width-1:0] x_q, y_q, m_q;
  logic [CountWidth-1:0] count_q, count;  // iterations done
  logic [SumWidth-1:0] p, p_d, p_q;

  assign p = SumWidth'(s) + SumWidth'(c);

  // What the sum has to be in the next clock.
  always_comb begin
    p_d   = start_i ? '0 : p;
    count = start_i ? '0 : count_q;
    for (int i = 0; i < Positions; i++) begin
      if (valid[i] && (count < CountWidth'(Width))) begin
        p_d = p_d + (x_i[count] ? SumWidth'(y_i) : '0);
        p_d = (p_d + (p_d[0] ? SumWidth'(m_i) : '0)) >> 1;
        count = count + 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    busy_q  <= rst_ni && (busy || start_i);
    x_q     <= x_i;
    y_q     <= y_i;
    m_q     <= m_i;
    count_q <= rst_ni ? count : '0;
    p_q     <= rst_ni ? p_d : '0;
  end

  always_comb begin
    if (!begun_q) assume (!rst_ni);
    assume (m_i[0]);
    assume (!(start_i && busy));
    if (begun_q && busy) assume ((x_i == x_q) && (y_i == y_q) && (m_i == m_q));
    if (begun_q && rst_ni) begin
      assert (p == p_q);
      if (busy) assert ((p == '0) || (p < SumWidth'(y_i) + SumWidth'(m_i)));
      if (done) assert (count_q == CountWidth'(Width));
      // For the induction: where the core is in X.
      if (busy && !done) begin
        assert (count_q < CountWidth'(Width));
        assert ((u_core.x_q[Width-1:0] >> 0) == (x_i >> count_q));
      end
    end
  end

endmodule
