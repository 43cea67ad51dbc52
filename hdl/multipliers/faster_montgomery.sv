// SPDX-License-Identifier: Apache-2.0
//
// Faster Montgomery multiplier: one carry-save adder and a 16-entry table, no register I.
//
//   s_o + c_o = X*Y*2**-Width (mod M),   s_o + c_o < 2*M for X, Y < M
//
//   for i in 0 ... Width-1:  S, C := S + C + Table(x_i, y_0, c_0, s_0);  S, C := S/2, C/2
//
// Operands: M odd; X, Y any of Width bits. S and C stay below 2**Width, reduced operands or not: in
// bit Width the adder sees the table entry alone, so it makes no carry there.
// x_i, y_i, m_i and const_i must not change while busy_o. Constant 0: R = Y + M.
// Latency: start_i to done_o Width + 1 clocks.
// table_addr_o (observation only): {x_i, y_0, c_0, s_0}.
//
// Source: Amanor (2005), Algorithm 3 and figure 10 (register I omitted, ch. 5.3).

module faster_montgomery
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
    EndStep,
    {StepAdd, ReduceOnce, 1'b0, SourceS, SourceC, ToResult},
    RunStep,
    {StepAdd, ReduceNone, 1'b0, SourceY, SourceM, 3'd0}
  });

  // Every operand below M, every product on its own.
  assign chainable_o = 1'b0;
  assign radix_bits_o = 16'(Width);
  assign ready_o = done_o;
  assign position_o = '0;
  assign top_carry_o = 1'b0;

  logic load, step;
  logic [Width-1:0] x_q, s_q, c_q;
  logic [Width:0] entry, sum;
  logic [Width+1:0] carry;
  logic [3:0] addr;

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

  assign addr = {x_q[0], y_i[0], c_q[0], s_q[0]};

  faster_montgomery_table #(
    .Width(Width)
  ) u_table (
    .addr_i (addr),
    .y_i    (y_i[Width-1:0]),
    .m_i,
    .r_i    (const_i[Width:0]),
    .value_o(entry)
  );

  carry_save_adder #(
    .Width(Width + 1)
  ) u_add (
    .a_i    ({1'b0, s_q}),
    .b_i    ({1'b0, c_q}),
    .c_i    (entry),
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
      x_q <= {1'b0, x_q[Width-1:1]};
      s_q <= sum[Width:1];
      c_q <= carry[Width:1];
    end
  end

  assign busy_o        = (state_o != StateStarting);
  assign s_o           = {2'b00, s_q};
  assign c_o           = {2'b00, c_q};
  assign table_valid_o = step;
  assign table_addr_o  = addr;

  // S + C is even before it is halved, the top carry is 0; one constant slot is used.
  logic unused_bits;
  assign unused_bits = ^{chain_i, keep_i, x_i[Width+1:Width], y_i[Width+1:Width],
                         const_i[ConstSlots*(Width+1)-1:Width+1], sum[0], carry[0], carry[Width+1]};

endmodule
