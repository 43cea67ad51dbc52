// SPDX-License-Identifier: Apache-2.0
//
// Optimized Interleaved multiplier: one carry-save adder and an 8-entry table.
//
//   s_o + c_o = X*Y (mod M),   s_o + c_o < 5*2**Width
//
//   for i in Width-1 ... 0:
//     S, C := 2*(S mod 2**n) + 2*(C mod 2**n) + Table(2*k + x_i),  k = s_n + 2*c_(n+1) + c_n
//
// The source reads the table one iteration ahead into a register A; reading it in the iteration
// that adds the entry gives the same S and C and saves the register.
//
// Operands: M > 1, even or odd; X, Y any of Width bits. x_i, y_i and const_i must not change while
// busy_o. Constants: table entries 2, 4, 6 (from M alone), 3, 5, 7.
// Latency: start_i to done_o Width + 1 clocks.
// table_addr_o (observation only): 2*k + x_i.
//
// Source: Amanor (2005), Algorithm 5 and figure 4; k <= 3 by the proof in its reference [1].

module optimized_interleaved
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int Guard = 2
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

  assign program_o = {
    {StepAdd, ReduceFull, 1'b0, SourceS, SourceC, ToResult},
    RunStep,
    {StepAdd, ReduceOperand, 1'b0, SourceConst + 4'd2, SourceY, 3'd5},
    {StepAdd, ReduceOperand, 1'b0, SourceConst + 4'd1, SourceY, 3'd4},
    {StepAdd, ReduceOperand, 1'b0, SourceConst, SourceY, 3'd3},
    {StepAdd, ReduceOnce, 1'b1, SourceConst, SourceConst + 4'd1, 3'd2},
    {StepAdd, ReduceOnce, 1'b1, SourceConst, SourceConst, 3'd1},
    {StepAdd, ReduceFull, 1'b1, SourcePower, SourceZero, 3'd0}
  };

  // Every operand below M, every product on its own.
  assign binary_o = 1'b0;
  assign unreduced_o = 1'b0;
  assign chainable_o = 1'b0;
  assign radix_bits_o = 16'd0;
  assign ready_o = done_o;
  assign position_o = '0;
  assign top_carry_o = 1'b0;
  assign carry_valid_o = 1'b0;
  assign carry_word_o = '0;

  logic load, step, last;
  logic [Width-1:0] x_q, entry;
  logic [Width:0] s_q, sum;
  logic [Width+1:0] c_q, carry;
  logic [2:0] addr;

  bit_serial_control #(
    .Iterations(Width)
  ) u_control (
    .clk_i,
    .rst_ni,
    .start_i,
    .load_o(load),
    .step_o(step),
    .last_o(last),
    .done_o,
    .state_o
  );

  // k <= 3: with c_(n+1) set, s_n and c_n are not both set, and the OR is the sum.
  assign addr = {c_q[Width+1] | (s_q[Width] & c_q[Width]), s_q[Width] ^ c_q[Width], x_q[Width-1]};

  optimized_interleaved_table #(
    .Width(Width)
  ) u_table (
    .addr_i (addr),
    .y_i    (y_i[Width-1:0]),
    .const_i,
    .value_o(entry)
  );

  carry_save_adder #(
    .Width(Width + 1)
  ) u_add (
    .a_i    ({s_q[Width-1:0], 1'b0}),
    .b_i    ({c_q[Width-1:0], 1'b0}),
    .c_i    ({1'b0, entry}),
    .sum_o  (sum),
    .carry_o(carry)
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
      x_q <= {x_q[Width-2:0], 1'b0};
      s_q <= sum;
      c_q <= carry;
    end
  end

  assign busy_o        = (state_o != StateStarting);
  assign s_o           = (Width + Guard)'(s_q);
  assign c_o           = (Width + Guard)'(c_q);
  assign table_valid_o = TablePositions'(step);
  assign table_addr_o  = TableAddrBits'(addr);

  // The modulus reaches the loop through the table alone.
  logic unused_bits;
  assign unused_bits = ^{
    field_i, last, chain_i, keep_i, x_i[Width+Guard-1:Width], y_i[Width+Guard-1:Width], xc_i,
    yc_i, m_i
  };

endmodule
