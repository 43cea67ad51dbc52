// SPDX-License-Identifier: Apache-2.0
//
// MM42 Montgomery multiplier for chains of products: operands and result in carry-save form.
//
//   s_o + c_o = X*Y*2**-Width (mod M), < 2*M for X, Y < M
//   chain_i: s_o + c_o = X*Y*2**-(Width+2) (mod M), < 2*M for X, Y < 2*M
//
//   D1, D2 = Y1 + Y2 + M;   S1 = S2 = 0
//   for each bit x_i of X = X1 + X2, lowest first:   q = (S1 + S2 + x_i*(Y1 + Y2)) mod 2
//     S1, S2 := (S1 + S2 + {0, M, Y1 + Y2, D1 + D2}) / 2         for {x_i, q} = 00, 01, 10, 11
//
// X1 + X2 is resolved bit by bit by one full adder for each iteration of a clock: no carry runs
// through a product, nor from one product to the next.
//
// Operands: M odd; X, Y below 2**Width, or with chain_i below 2*M. All are taken with start_i; they
// may change afterwards. keep_i, with start_i: the product is computed and thrown away.
// In a product S1 + S2 < Y + M <= 3*M: Width + 2 bits each.
// Unfolding (J, 1 to 4) iterations a clock, in the last clock those that are left; the first J are
// done in the clock of the start.
// Latency: start_i to ready_o and done_o ceil(k/J) clocks, k = Width or, with chain_i, Width + 2.
// table_addr_o (observation only), for each iteration of the clock: {x_i, q}.
//
// Source: Gajbhiye & Joshi (2018), "MM42_Multiplier" (their [12], Kuang et al. 2012), figures 3 and
// 8; Width + 2 iterations: Walter (1999).

module mm42_chain
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int Guard = 2,
  parameter int Unfolding = 1
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic                            start_i,
  input  logic                            field_i,
  input  logic                            chain_i,
  input  logic                            keep_i,
  input  logic [         Width+Guard-1:0] x_i,
  input  logic [         Width+Guard-1:0] xc_i,
  input  logic [         Width+Guard-1:0] y_i,
  input  logic [         Width+Guard-1:0] yc_i,
  input  logic [               Width-1:0] m_i,
  input  logic [ConstSlots*(Width+1)-1:0] const_i,
  output logic                            busy_o,
  output logic                            ready_o,
  output logic                            done_o,
  output logic [         Width+Guard-1:0] s_o,
  output logic [         Width+Guard-1:0] c_o,
  output logic [         ProgramBits-1:0] program_o,
  output logic                            binary_o,
  output logic                            unreduced_o,
  output logic                            chainable_o,
  output logic [                    15:0] radix_bits_o,
  output logic [      TablePositions-1:0] table_valid_o,
  output logic [       TableAddrBits-1:0] table_addr_o,
  output logic [                     1:0] state_o,
  output logic [       PositionWidth-1:0] position_o,
  output logic                            top_carry_o,
  output logic                            carry_valid_o,
  output logic [       PositionWidth-1:0] carry_word_o
);

  // Icarus 11 has no elaboration tasks.
`ifdef __ICARUS__
  initial begin
    if ((Unfolding < 1) || (Unfolding > TablePositions) || (2 * Unfolding > Width)) begin
      $fatal(1, "mm42_chain: Unfolding must be 1 to 4 and at most Width / 2");
    end
  end
`else
  if ((Unfolding < 1) || (Unfolding > TablePositions)
   || (2 * Unfolding > Width)) begin : gen_check_unfolding
    $error("mm42_chain: Unfolding must be 1 to 4 and at most Width / 2");
  end
`endif  // __ICARUS__

  localparam int Bits = Width + 2;  // of S1, S2, Y1, Y2, D1, D2
  localparam int ChainIterations = Width + 2;
  localparam int Clocks = (Width + Unfolding - 1) / Unfolding;
  localparam int ChainClocks = (ChainIterations + Unfolding - 1) / Unfolding;
  localparam int Rest = Width - (Clocks - 1) * Unfolding;  // iterations in the last clock
  localparam int ChainRest = ChainIterations - (ChainClocks - 1) * Unfolding;
  localparam int CountWidth = $clog2(ChainClocks + 1);

  assign program_o = ProgramBits'({
    EndStep, add_step(ReduceOnce, SourceS, SourceC, ToResult), RunStep
  });
  assign binary_o = 1'b0;
  assign unreduced_o = 1'b0;
  assign chainable_o = 1'b1;
  assign radix_bits_o = 16'(ChainIterations);

  // Clock number 0 is that of the start.
  logic running_q, chain_q, keep_q, done_q;
  logic [CountWidth-1:0] count_q, last_count;
  logic chain, iterate, last;

  assign chain      = start_i ? chain_i : chain_q;
  assign last_count = chain ? CountWidth'(ChainClocks - 1) : CountWidth'(Clocks - 1);
  assign iterate    = start_i || running_q;
  assign last       = running_q && !start_i && (count_q == last_count);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      running_q <= 1'b0;
      chain_q   <= 1'b0;
      keep_q    <= 1'b0;
      done_q    <= 1'b0;
      count_q   <= '0;
    end else begin
      done_q <= last;
      if (start_i) begin
        running_q <= 1'b1;
        chain_q   <= chain_i;
        keep_q    <= keep_i;
        count_q   <= CountWidth'(1);
      end else if (running_q) begin
        count_q <= count_q + 1'b1;
        if (last) running_q <= 1'b0;
      end
    end
  end

  // Operands: X is consumed from its low end.
  logic [ChainClocks*Unfolding-1:0] x1, x2, x1_q, x2_q;
  logic [Bits-1:0] y1, y2, y1_q, y2_q, d1, d2, d1_q, d2_q, sum_d;
  logic [Bits:0] carry_d;
  logic x_carry_q;

  carry_save_adder #(
    .Width(Bits)
  ) u_add_d (
    .a_i    (y_i[Bits-1:0]),
    .b_i    (yc_i[Bits-1:0]),
    .c_i    ({2'b00, m_i}),
    .sum_o  (sum_d),
    .carry_o(carry_d)
  );

  assign x1 = start_i ? (ChainClocks * Unfolding)'(x_i) : x1_q;
  assign x2 = start_i ? (ChainClocks * Unfolding)'(xc_i) : x2_q;
  assign y1 = start_i ? y_i[Bits-1:0] : y1_q;
  assign y2 = start_i ? yc_i[Bits-1:0] : y2_q;
  assign d1 = start_i ? sum_d : d1_q;
  assign d2 = start_i ? carry_d[Bits-1:0] : d2_q;

  // Iteration after iteration: S1, S2 and the carry of X behind each. Each hands them on in signals
  // of its own: a vector of all of them looks like a combinational loop to Verilator.
  logic [Unfolding*Bits-1:0] behind_s1, behind_s2;
  logic [Unfolding-1:0] behind_x_carry;
  logic [Bits-1:0] s1_q, s2_q;

  for (genvar i = 0; i < Unfolding; i++) begin : gen_iteration
    logic x, q, x_carry, next_x_carry;
    logic [Bits-1:0] s1, s2, halved_s1, halved_s2;

    if (i == 0) begin : gen_first
      assign s1      = start_i ? '0 : s1_q;
      assign s2      = start_i ? '0 : s2_q;
      assign x_carry = start_i ? 1'b0 : x_carry_q;
    end else begin : gen_later
      assign s1      = gen_iteration[i-1].halved_s1;
      assign s2      = gen_iteration[i-1].halved_s2;
      assign x_carry = gen_iteration[i-1].next_x_carry;
    end

    assign x = x1[i] ^ x2[i] ^ x_carry;
    assign next_x_carry = (x1[i] & x2[i]) | (x1[i] & x_carry) | (x2[i] & x_carry);

    mm42_iteration #(
      .Bits(Bits)
    ) u_iteration (
      .x_i (x),
      .y1_i(y1),
      .y2_i(y2),
      .d1_i(d1),
      .d2_i(d2),
      .m_i,
      .s1_i(s1),
      .s2_i(s2),
      .q_o (q),
      .s1_o(halved_s1),
      .s2_o(halved_s2)
    );

    assign behind_s1[i*Bits+:Bits] = halved_s1;
    assign behind_s2[i*Bits+:Bits] = halved_s2;
    assign behind_x_carry[i] = next_x_carry;

    assign table_valid_o[i] = iterate && (!last || (i < (chain ? ChainRest : Rest)));
    assign table_addr_o[i*TableAddressWidth+:TableAddressWidth] = {2'b00, x, q};
  end

  if (Unfolding < TablePositions) begin : gen_no_position
    assign table_valid_o[TablePositions-1:Unfolding] = '0;
    assign table_addr_o[TableAddrBits-1:Unfolding*TableAddressWidth] = '0;
  end

  logic [Bits-1:0] next_s1, next_s2;
  assign next_s1 = !last ? behind_s1[(Unfolding-1)*Bits+:Bits]
                 : chain ? behind_s1[(ChainRest-1)*Bits+:Bits] : behind_s1[(Rest-1)*Bits+:Bits];
  assign next_s2 = !last ? behind_s2[(Unfolding-1)*Bits+:Bits]
                 : chain ? behind_s2[(ChainRest-1)*Bits+:Bits] : behind_s2[(Rest-1)*Bits+:Bits];

  logic [Bits-1:0] result1_q, result2_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      x1_q      <= '0;
      x2_q      <= '0;
      x_carry_q <= 1'b0;
      y1_q      <= '0;
      y2_q      <= '0;
      d1_q      <= '0;
      d2_q      <= '0;
      s1_q      <= '0;
      s2_q      <= '0;
      result1_q <= '0;
      result2_q <= '0;
    end else if (iterate) begin
      x1_q      <= x1 >> Unfolding;
      x2_q      <= x2 >> Unfolding;
      x_carry_q <= behind_x_carry[Unfolding-1];
      y1_q      <= y1;
      y2_q      <= y2;
      d1_q      <= d1;
      d2_q      <= d2;
      s1_q      <= next_s1;
      s2_q      <= next_s2;
      if (last && !keep_q) begin
        result1_q <= next_s1;
        result2_q <= next_s2;
      end
    end
  end

  assign busy_o        = running_q || done_q;
  assign ready_o       = done_q;
  assign done_o        = done_q;
  assign s_o           = (Width + Guard)'(result1_q);
  assign c_o           = (Width + Guard)'(result2_q);
  assign state_o       = running_q ? StateRunning : done_q ? StateFinished : StateStarting;
  assign position_o    = '0;
  assign top_carry_o   = 1'b0;
  assign carry_valid_o = 1'b0;
  assign carry_word_o  = '0;

  logic unused_bits;
  assign unused_bits = ^{
    field_i, const_i, carry_d[Bits], y_i, yc_i, behind_s1, behind_s2, behind_x_carry
  };

endmodule
