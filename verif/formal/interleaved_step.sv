// SPDX-License-Identifier: Apache-2.0
//
// Property: one cycle of the loop of the Optimized Interleaved multiplier.
//
//   S' + C' + k*2**(Width+1) = 2*(S + C) + Table(2*k + x_i),  k = s_n + 2*c_(n+1) + c_n <= 3
//
//   x_i is bit i of X, highest first, Width bits in all;  S < 2**(Width+1), C < 2**(Width+2);
//   S = C = 0 before the first iteration
//
// Each table entry is k*2**(Width+1) + x_i*Y minus a multiple of M, so S + C = X*Y (mod M) after
// the last iteration. Assumptions: X, Y and the constants are stable while busy_o, the constants
// are below 2**Width, and there is no start while busy_o or before S and C are unloaded. Unloads
// may come in any cycle, a reset at any time.

module interleaved_step
  import multiplier_pkg::*;
#(
  parameter int Width = 8,
  parameter int Guard = 2
) (
  input logic                            clk_i,
  input logic                            rst_ni,
  input logic                            start_i,
  input logic                            unload_i,
  input logic [               Width-1:0] x_i,
  input logic [               Width-1:0] y_i,
  input logic [ConstSlots*(Width+1)-1:0] const_i
);

  localparam int SumWidth = Width + 5;
  localparam int CountWidth = $clog2(Width + 1);

  logic busy, done, empty, unload;
  logic [Width+Guard-1:0] s, c;
  logic [TablePositions-1:0] valid;
  logic [ TableAddrBits-1:0] addr;

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
    .m_i          ('0),
    .const_i,
    .busy_o       (busy),
    .done_o       (done),
    .empty_o      (empty),
    .s_o          (s),
    .c_o          (c),
    .table_valid_o(valid),
    .table_addr_o (addr)
  );

  // Slots of const_i: entries 2, 4, 6, 3, 5, 7.
  localparam int Slot = Width + 1;
  logic [7:0][Width-1:0] entries;
  assign entries = {
    const_i[5*Slot+:Width],
    const_i[2*Slot+:Width],
    const_i[4*Slot+:Width],
    const_i[1*Slot+:Width],
    const_i[3*Slot+:Width],
    const_i[0*Slot+:Width],
    y_i,
    Width'(0)
  };

  // X from its highest bit on.
  logic [Width-1:0] turned;
  for (genvar i = 0; i < Width; i++) begin : gen_turned
    assign turned[i] = x_i[Width-1-i];
  end

  logic begun_q = 1'b0;
  logic [Width-1:0] x_q, y_q;
  logic [ConstSlots*(Width+1)-1:0] const_q;
  logic [CountWidth-1:0] count_q;  // iterations done
  logic [2:0] k;
  logic x, step_q, zero_q, still_q;
  logic [SumWidth-1:0] sum, next, next_q, s_c_q;

  logic s_above;  // always 0
  assign s_above = u_core.u_core.s_q[Width+1];
  assign unload = u_core.unload_q;
  assign sum = SumWidth'(s) + SumWidth'(c);
  assign k = 3'(s[Width]) + {1'b0, c[Width+1], 1'b0} + 3'(c[Width]);
  assign x = x_i[CountWidth'(Width-1)-count_q];
  // Both sides are without the bits of k.
  assign next = (SumWidth'(s[Width-1:0]) << 1) + (SumWidth'(c[Width-1:0]) << 1)
              + SumWidth'(entries[{k[1:0], x}]);

  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    x_q     <= x_i;
    y_q     <= y_i;
    const_q <= const_i;
    next_q  <= next;
    s_c_q   <= sum;
    step_q  <= rst_ni && valid[0];
    zero_q  <= !rst_ni || start_i || (unload && !valid[0]);
    still_q <= rst_ni && !start_i && !unload && !valid[0];
    if (!rst_ni || start_i) count_q <= '0;
    else if (valid[0]) count_q <= count_q + 1'b1;
  end

  always_comb begin
    if (!begun_q) assume (!rst_ni);
    assume (!start_i || empty);
    for (int i = 0; i < ConstSlots; i++) assume (!const_i[i*Slot+Width]);
    if (begun_q && busy) assume ((x_i == x_q) && (y_i == y_q) && (const_i == const_q));
    if (begun_q && rst_ni) begin
      assert (k <= 3'd3);
      if (step_q) assert (sum == next_q);
      if (zero_q) assert (sum == '0);
      if (empty) assert (!busy && (sum == '0));
      if (still_q) assert (sum == s_c_q);
      if (valid[0]) assert (addr == TableAddrBits'({k[1:0], x}));
      // Known one cycle before.
      assert (u_core.u_core.moves == ((valid[0] || unload) ? '1 : '0));
      assert (u_core.u_core.iterates == {Width + 2{valid[0] && (count_q != '0)}});
      assert (!s_above);
      assert (u_core.u_core.odd == {Width{valid[0] && x}});
      for (int i = 0; i < 4; i++) begin
        assert (u_core.u_core.pair[i*Width+:Width]
                == {Width{valid[0] && (k[1:0] == 2'(i)) && ((i != 0) || x)}});
      end
      assert (u_core.u_core.late_q == u_core.u_core.entry[Width-1]);
      if (done) assert (count_q == CountWidth'(Width));
      // For the induction: the progress of the core, and the remaining bits of X.
      assert (!(s[Width] && c[Width+1]));
      if (busy && !done) begin
        assert (valid[0] && (count_q < CountWidth'(Width)));
        assert (count_q == CountWidth'(u_core.u_core.u_control.count_q));
        assert (u_core.u_core.u_control.last_q == (count_q == CountWidth'(Width - 1)));
        assert (u_core.x_q == (turned >> (count_q + 1'b1)));
      end
    end
  end

endmodule
