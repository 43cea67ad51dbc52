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
// Operands: M odd; X, Y any of Width bits. S and C stay below 2**Width, reduced operands or not: the
// carry into bit Width of the second adder meets two zeros there.
// x_i, y_i and m_i must not change while busy_o. No constants.
// Latency: start_i to done_o Width + 1 clocks.
// table_addr_o (observation only): {x_i, s_0 after the first adder}.
//
// Source: Amanor (2005), Algorithm 1b; "two-CSA" of Gajbhiye & Joshi (2018).

module fast_montgomery
  import multiplier_pkg::*;
#(
  parameter int Width = 32
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic                            start_i,
  input  logic                            chain_i,
  input  logic                            keep_i,
  input  logic [               Width+1:0] x_i,
  input  logic [               Width+1:0] y_i,
  input  logic [               Width-1:0] m_i,
  input  logic [ConstSlots*(Width+1)-1:0] const_i,
  output logic                            busy_o,
  output logic                            ready_o,
  output logic                            done_o,
  output logic [               Width+1:0] s_o,
  output logic [               Width+1:0] c_o,
  output logic [         ProgramBits-1:0] program_o,
  output logic                            chainable_o,
  output logic [                    15:0] radix_bits_o,
  output logic                            table_valid_o,
  output logic [   TableAddressWidth-1:0] table_addr_o,
  output logic [                     1:0] state_o,
  output logic [       PositionWidth-1:0] position_o,
  output logic                            top_carry_o
);

  assign program_o = ProgramBits'({
    EndStep, {StepAdd, ReduceOnce, 1'b0, SourceS, SourceC, ToResult}, RunStep
  });

  // Every operand below M, every product on its own.
  assign chainable_o = 1'b0;
  assign radix_bits_o = 16'(Width);
  assign ready_o = done_o;
  assign position_o = '0;
  assign top_carry_o = 1'b0;

  logic load, step;
  logic [Width-1:0] x_q, s_q, c_q;

  bit_serial_control #(
    .Iterations(Width)
  ) u_control (
    .clk_i,
    .rst_ni,
    .start_i,
    .load_o(load),
    .step_o(step),
    .done_o,
    .state_o
  );

  logic [Width-1:0] sum_y;
  logic [Width:0] carry_y, sum_m;
  logic [Width+1:0] carry_m;

  carry_save_adder #(
    .Width(Width)
  ) u_add_y (
    .a_i    (s_q),
    .b_i    (c_q),
    .c_i    (x_q[0] ? y_i[Width-1:0] : '0),
    .sum_o  (sum_y),
    .carry_o(carry_y)
  );

  carry_save_adder #(
    .Width(Width + 1)
  ) u_add_m (
    .a_i    ({1'b0, sum_y}),
    .b_i    (carry_y),
    .c_i    (sum_y[0] ? {1'b0, m_i} : '0),
    .sum_o  (sum_m),
    .carry_o(carry_m)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      x_q <= '0;
      s_q <= '0;
      c_q <= '0;
    end else if (load) begin
      x_q <= x_i[Width-1:0];
      s_q <= '0;
      c_q <= '0;
    end else if (step) begin
      x_q <= {1'b0, x_q[Width-1:1]};
      s_q <= sum_m[Width:1];
      c_q <= carry_m[Width:1];
    end
  end

  assign busy_o        = (state_o != StateStarting);
  assign s_o           = {2'b00, s_q};
  assign c_o           = {2'b00, c_q};
  assign table_valid_o = step;
  assign table_addr_o  = TableAddressWidth'({x_q[0], sum_y[0]});

  // S + C is even before it is halved, the top carry is 0; no constants.
  logic unused_bits;
  assign unused_bits = ^{chain_i, keep_i, x_i[Width+1:Width], y_i[Width+1:Width], const_i,
                         sum_m[0], carry_m[0], carry_m[Width+1]};

endmodule
