// SPDX-License-Identifier: Apache-2.0
//
// Property: the loop of the MM42 multiplier, iteration by iteration of a clock.
//
//   S1' + S2' = (S1 + S2 + x*Y + q*M)/2,  Y = Y1 + Y2,  q = (S1 + S2 + x*Y) mod 2;   S1 + S2 < Y +
//   M x is the low bit of what is left of X = X1 + X2, the rest is left for the next iteration
//   Width iterations, or Width + 2 with chain_i, then the sum is the result, steady until the next
//   one
//
// By telescoping, 2**k*(S1 + S2) = X*Y + Q*M after k iterations, exactly. The assumptions: M steady
// while busy_o, Y1 + Y2 < 2*M, start_i not while busy_o (in a chain: from ready_o on). Reset at any
// time.

`ifndef MULTIPLIER_CORE
`define MULTIPLIER_CORE mm42_chain
`endif  // MULTIPLIER_CORE
`ifndef MULTIPLIER_CORE_PARAMETERS
`define MULTIPLIER_CORE_PARAMETERS
`endif  // MULTIPLIER_CORE_PARAMETERS

module mm42_step
  import multiplier_pkg::*;
#(
  parameter int Width = 8,
  parameter int Guard = 2,
  parameter int Positions = 1
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic                   start_i,
  input logic                   chain_i,
  input logic                   keep_i,
  input logic [Width+Guard-1:0] x_i,
  input logic [Width+Guard-1:0] xc_i,
  input logic [Width+Guard-1:0] y_i,
  input logic [Width+Guard-1:0] yc_i,
  input logic [      Width-1:0] m_i
);

  localparam int Bits = Width + 2;
  localparam int SumWidth = Width + 5;
  localparam int CountWidth = $clog2(Width + 3 + Positions);

  logic busy, ready;
  logic [Width+Guard-1:0] s, c;
  logic [TablePositions-1:0] valid;

  `MULTIPLIER_CORE #(
    .Width(Width),
    .Guard(Guard)
    `MULTIPLIER_CORE_PARAMETERS
  ) u_core (
    .clk_i,
    .rst_ni,
    .start_i,
    .field_i      (1'b0),
    .chain_i,
    .keep_i,
    .x_i,
    .xc_i,
    .y_i,
    .yc_i,
    .m_i,
    .const_i      ('0),
    .busy_o       (busy),
    .ready_o      (ready),
    .s_o          (s),
    .c_o          (c),
    .table_valid_o(valid)
  );

  logic begun_q = 1'b0;
  logic [Width-1:0] m_q;
  logic [CountWidth-1:0] count_q;
  logic chain_q, keep_q;

  // S1 + S2 in front of each iteration of the clock and behind the last one, and what is left of X.
  logic [Positions:0] [SumWidth-1:0] sum;
  logic [Positions:0] [SumWidth-1:0] rest;
  logic [Positions:0] [CountWidth-1:0] count;
  logic [Positions-1:0] right;
  logic [SumWidth-1:0] y, y_q, next, next_q, rest_q, result, result_q;

  assign y       = SumWidth'(u_core.y1) + SumWidth'(u_core.y2);
  assign y_q     = SumWidth'(u_core.y1_q) + SumWidth'(u_core.y2_q);
  assign count[0] = start_i ? '0 : count_q;
  assign sum[0]  = start_i ? '0 : SumWidth'(u_core.s1_q) + SumWidth'(u_core.s2_q);
  assign rest[0] = SumWidth'(u_core.x1) + SumWidth'(u_core.x2)
                 + SumWidth'(!start_i && u_core.x_carry_q);
  assign result  = SumWidth'(s) + SumWidth'(c);

  for (genvar i = 0; i < Positions; i++) begin : gen_iteration
    logic x, q;
    assign x = rest[i][0];
    assign q = sum[i][0] ^ (x && y[0]);
    assign sum[i+1] = SumWidth'(u_core.behind_s1[i*Bits+:Bits])
                    + SumWidth'(u_core.behind_s2[i*Bits+:Bits]);
    assign rest[i+1] = SumWidth'(u_core.x1 >> (i + 1)) + SumWidth'(u_core.x2 >> (i + 1))
                     + SumWidth'(u_core.behind_x_carry[i]);
    assign count[i+1] = valid[i] ? count[i] + 1'b1 : count[i];
    assign right[i] = (rest[i+1] == (rest[i] >> 1))
                   && ((sum[i+1] << 1) == sum[i] + (x ? y : '0) + (q ? SumWidth'(m_i) : '0));
  end

  always_comb begin
    next = sum[0];
    for (int i = 0; i < Positions; i++) begin
      if (valid[i]) next = sum[i+1];
    end
  end

  always_ff @(posedge clk_i) begin
    begun_q  <= 1'b1;
    m_q      <= m_i;
    next_q   <= next;
    rest_q   <= rest[Positions];
    result_q <= result;
    count_q  <= rst_ni ? count[Positions] : '0;
    if (!rst_ni) begin
      chain_q <= 1'b0;
      keep_q  <= 1'b0;
    end else if (start_i) begin
      chain_q <= chain_i;
      keep_q  <= keep_i;
    end
  end

  logic running, reset_q;
  assign running = (u_core.state_o == StateRunning);
  always_ff @(posedge clk_i) reset_q <= rst_ni;

  always_comb begin
    if (!begun_q) assume (!rst_ni);
    assume (m_i[0]);
    assume (!(start_i && running));
    if (begun_q && running) assume (m_i == m_q);
    if (start_i) begin
      assume (SumWidth'(y_i) + SumWidth'(yc_i) < (SumWidth'(m_i) << 1));
      assume ((x_i >> Bits == '0) && (xc_i >> Bits == '0));
    end
    if (begun_q && rst_ni) begin
      for (int i = 0; i < Positions; i++) begin
        if (valid[i]) assert (right[i]);
      end
      if (start_i) assert ((sum[0] == '0) && (rest[0] == SumWidth'(x_i) + SumWidth'(xc_i)));
      if (running) begin
        assert ((sum[0] == next_q) && (rest[0] == rest_q));
        assert (sum[0] < y_q + SumWidth'(m_i));
      end
      if (ready) begin
        assert (count_q == (chain_q ? CountWidth'(Width + 2) : CountWidth'(Width)));
      end
      if (reset_q) assert (result == ((ready && !keep_q) ? next_q : result_q));
      // For the induction: D1 + D2 is Y + M, and how far the core is.
      if (running) begin
        assert (SumWidth'(u_core.d1_q) + SumWidth'(u_core.d2_q) == y_q + SumWidth'(m_i));
        assert (y_q < (SumWidth'(m_i) << 1));
        assert (count_q == CountWidth'(Positions * 32'(u_core.count_q)));
        assert (count_q < (chain_q ? CountWidth'(Width + 2) : CountWidth'(Width)));
        assert ((u_core.chain_q == chain_q) && (u_core.keep_q == keep_q));
      end
    end
  end

endmodule
