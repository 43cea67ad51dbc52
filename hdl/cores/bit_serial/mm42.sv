// SPDX-License-Identifier: Apache-2.0
//
// MM42 Montgomery multiplier: 4-to-2 compressors, no precomputed constant.
//
//   s_o + c_o = X*Y*2**-Width (mod M),   s_o + c_o < 2*M for X, Y < M
//
//   D1, D2 = Y + M in carry-save form;   S1 = S2 = 0
//   for i in 0 ... Width-1:   q = (S1 + S2 + x_i*Y) mod 2
//     S1, S2 := (S1 + S2 + {0, M, Y, D1 + D2}) / 2         for {x_i, q} = 00, 01, 10, 11
//
// D1 and D2 need no register: each bit is the exclusive or, or the and, of a bit of Y and one of M.
// In the source operands may also be in carry-save form, like results of products; here Y is one
// number.
//
// Operands: M odd; X, Y any values of Width bits. y_i and m_i must not change while the loop runs.
// S1 + S2 < Y + M <= 3*M: Width + 2 bits each.
// Unfolding (J, 1 to 4): iterations per cycle. The cycle of the start does the first J iterations,
// the last cycle the remaining ones.
// Latency: start to done ceil(Width/J) cycles.
// view_o.table_addr (observation only), for each iteration of the cycle: {x_i, q}.
//
// Source: Gajbhiye & Joshi (2018), "MM42_Multiplier" (their [12], Kuang et al. 2012), figures 3 and
// 8.

module mm42
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int Guard = 2,
  parameter int WordWidth = 32,
  parameter int Unfolding = 1
) (
  input  logic                                             clk_i,
  input  logic                                             rst_ni,
  input  parallel_control_t                                control_i,
  input  logic                  [      TablePositions-1:0] x_i,
  input  logic                  [               Width-1:0] y_i,
  input  logic                  [               Width-1:0] m_i,
  input  logic                  [ConstSlots*(Width+1)-1:0] const_i,
  output parallel_status_t                                 status_o,
  output parallel_description_t                            description_o,
  output parallel_view_t                                   view_o,
  output logic                  [         Width+Guard-1:0] s_o,
  output logic                  [         Width+Guard-1:0] c_o
);

  localparam int Bits = Width + 2;  // bits of S1, S2, D1, D2

  assign description_o.steps = ProgramBits'({
    EndStep, add_step(ReduceOnce, SourceS, SourceC, ToResult), RunStep
  });
  assign description_o.radix_bits = 16'(Width);
  assign description_o.slots = 3'd0;
  assign description_o.full_reduction = 1'b0;
  assign description_o.x_bits = 3'(Unfolding);
  assign description_o.x_downwards = 1'b0;

  logic [Bits-1:0] first_s, first_c, y, d1, d2;
  logic [Bits:0] carry_d;
  logic [Unfolding*Bits-1:0] behind_s, behind_c;
  logic [Unfolding*TableAddressWidth-1:0] table_addr;
  logic [1:0] state;

  assign y = {2'b00, y_i};

  carry_save_adder #(
    .Width(Bits)
  ) u_add_d (
    .a_i    (y),
    .b_i    ('0),
    .c_i    ({2'b00, m_i}),
    .sum_o  (d1),
    .carry_o(carry_d)
  );
  assign d2 = carry_d[Bits-1:0];

  bit_serial_iterations #(
    .Iterations(Width),
    .Width     (Bits),
    .WordWidth (WordWidth),
    .Unfolding (Unfolding),
    .Early     (1'b1)
  ) u_iterations (
    .clk_i,
    .rst_ni,
    .control_i,
    .s_o          (first_s),
    .c_o          (first_c),
    .s_i          (behind_s),
    .c_i          (behind_c),
    .next_o       (status_o.next),
    .table_valid_o(view_o.table_valid),
    .done_o       (status_o.done),
    .state_o      (state)
  );

  for (genvar i = 0; i < Unfolding; i++) begin : gen_iteration
    logic q;
    logic [Bits-1:0] s, c, next_s, next_c;

    if (i == 0) begin : gen_first
      assign s = first_s;
      assign c = first_c;
    end else begin : gen_later
      assign s = gen_iteration[i-1].next_s;
      assign c = gen_iteration[i-1].next_c;
    end

    mm42_iteration #(
      .Bits(Bits)
    ) u_iteration (
      .x_i (x_i[i]),
      .y_i (y),
      .d1_i(d1),
      .d2_i(d2),
      .m_i,
      .s1_i(s),
      .s2_i(c),
      .q_o (q),
      .s1_o(next_s),
      .s2_o(next_c)
    );

    assign behind_s[i*Bits+:Bits] = next_s;
    assign behind_c[i*Bits+:Bits] = next_c;

    assign table_addr[i*TableAddressWidth+:TableAddressWidth] = {2'b00, x_i[i], q};
  end

  assign status_o.busy = (state != StateStarting);
  assign view_o.table_addr = TableAddrBits'(table_addr);
  assign view_o.state = state;
  assign s_o = (Width + Guard)'(first_s);
  assign c_o = (Width + Guard)'(first_c);

  // This core uses no constants, and not all bits of X that the interface offers.
  logic unused_bits;
  assign unused_bits = ^{x_i, const_i, carry_d[Bits]};

endmodule
