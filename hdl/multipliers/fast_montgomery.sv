// SPDX-License-Identifier: Apache-2.0
//
// Fast Montgomery multiplier: two carry-save adders, result in redundant form.
//
//   s_o + c_o = X*Y*2**-Width (mod M),   s_o + c_o < 2*M for X, Y < M
//
//   for i in 0 ... Width-1:  S, C := S + C + x_i*Y;  S, C := S + C + s_0*M;  S, C := S/2, C/2
//
// The second step may test s_0 alone: straight after a carry-save adder c_0 is 0.
//
// Operands: M odd; X, Y any of Width bits. S and C stay below 2**Width, reduced operands or not:
// the carry into bit Width of the second adder meets two zeros there.
// x_i, y_i and m_i must not change while busy_o. No constants.
// Unfolding (J, 1 to 4) iterations a clock, in the last clock those that are left.
// Latency: start_i to done_o Width + 1 clocks for J = 1; ceil(Width/J) for J > 1, where the first J
// iterations are done in the clock of the start.
// table_addr_o (observation only), for each iteration of the clock: {x_i, s_0 after the first
// adder}.
//
// Source: Amanor (2005), Algorithm 1b; "two-CSA" of Gajbhiye & Joshi (2018), and its unfolding.

module fast_montgomery
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

  assign program_o = ProgramBits'({
    EndStep, {StepAdd, ReduceOnce, 1'b0, SourceS, SourceC, ToResult}, RunStep
  });

  // Every operand below M, every product on its own.
  assign binary_o = 1'b0;
  assign unreduced_o = 1'b0;
  assign chainable_o = 1'b0;
  assign radix_bits_o = 16'(Width);
  assign ready_o = done_o;
  assign position_o = '0;
  assign top_carry_o = 1'b0;
  assign carry_valid_o = 1'b0;
  assign carry_word_o = '0;

  // Iteration after iteration: S and C in front of the first, and behind each. Each hands them on
  // in signals of its own: a vector of all of them looks like a combinational loop to Verilator.
  logic [Width-1:0] first_s, first_c;
  logic [Unfolding*Width-1:0] behind_s, behind_c;
  logic [Unfolding*TableAddressWidth-1:0] table_addr;
  logic [Unfolding-1:0] x, unused_stage;
  logic [Width-1:0] result_s, result_c;

  bit_serial_iterations #(
    .Width    (Width),
    .Unfolding(Unfolding)
  ) u_iterations (
    .clk_i,
    .rst_ni,
    .start_i,
    .x_i       (x_i[Width-1:0]),
    .x_o       (x),
    .s_o       (first_s),
    .c_o       (first_c),
    .s_i       (behind_s),
    .c_i       (behind_c),
    .valid_o   (table_valid_o),
    .done_o,
    .state_o,
    .result_s_o(result_s),
    .result_c_o(result_c)
  );

  for (genvar i = 0; i < Unfolding; i++) begin : gen_iteration
    logic [Width-1:0] s, c, next_s, next_c;
    logic [Width-1:0] sum_y, addend_y;
    logic [Width:0] carry_y, sum_m, addend_m;
    logic [Width+1:0] carry_m;

    if (i == 0) begin : gen_first
      assign s = first_s;
      assign c = first_c;
    end else begin : gen_later
      assign s = gen_iteration[i-1].next_s;
      assign c = gen_iteration[i-1].next_c;
    end

    assign addend_y = x[i] ? y_i[Width-1:0] : '0;
    assign addend_m = sum_y[0] ? {1'b0, m_i} : '0;

    carry_save_adder #(
      .Width(Width)
    ) u_add_y (
      .a_i    (s),
      .b_i    (c),
      .c_i    (addend_y),
      .sum_o  (sum_y),
      .carry_o(carry_y)
    );

    carry_save_adder #(
      .Width(Width + 1)
    ) u_add_m (
      .a_i    ({1'b0, sum_y}),
      .b_i    (carry_y),
      .c_i    (addend_m),
      .sum_o  (sum_m),
      .carry_o(carry_m)
    );

    assign next_s = sum_m[Width:1];
    assign next_c = carry_m[Width:1];

    assign behind_s[i*Width+:Width] = next_s;
    assign behind_c[i*Width+:Width] = next_c;

    assign table_addr[i*TableAddressWidth+:TableAddressWidth] = {2'b00, x[i], sum_y[0]};

    // S + C is even before it is halved, the top carry is 0.
    assign unused_stage[i] = ^{sum_m[0], carry_m[0], carry_m[Width+1]};
  end

  assign busy_o       = (state_o != StateStarting);
  assign s_o          = (Width + Guard)'(result_s);
  assign c_o          = (Width + Guard)'(result_c);
  assign table_addr_o = TableAddrBits'(table_addr);

  // No constants.
  logic unused_bits;
  assign unused_bits = ^{
    field_i, chain_i, keep_i, x_i[Width+Guard-1:Width], y_i[Width+Guard-1:Width], xc_i, yc_i,
    const_i, unused_stage
  };

endmodule
