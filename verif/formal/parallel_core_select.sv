// SPDX-License-Identifier: Apache-2.0
//
// Stand-in for the design's core, for proofs about the logic around it. It computes X + Y instead
// of X*Y/R, so that a solver can handle whole operations. S is X, from its incoming bits. C is
// (Y + M) - M, from two constants: M, of the modulus alone, and Y + M. A constant of other operands
// makes the result wrong. The modulus must be odd. Contract: parallel_unit. Latency: ceil(Width/4)
// cycles.

module parallel_core_select
  import multiplier_pkg::*;
#(
  parameter int Core = 0,
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

  localparam int Cycles = (Width + TablePositions - 1) / TablePositions;
  localparam int Bits = Cycles * TablePositions;

  logic [7:0] left_q;
  logic done_q, unload_q, next;
  logic [Bits-1:0] s_q;
  logic [ Width:0] c_q;

  assign next = control_i.start || (left_q != '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q   <= '0;
      done_q   <= 1'b0;
      unload_q <= 1'b0;
      s_q      <= '0;
      c_q      <= '0;
    end else begin
      unload_q <= control_i.unload;
      done_q   <= control_i.start ? (Cycles == 1) : (left_q == 8'd1);
      if (control_i.start) left_q <= 8'(Cycles - 1);
      else if (left_q != '0) left_q <= left_q - 1'b1;
      if (next) s_q <= Bits'({x_i, s_q} >> TablePositions);
      else if (unload_q) s_q <= s_q >> WordWidth;
      if (control_i.start) c_q <= const_i[Width+1+:Width+1] - const_i[0+:Width+1];
      else if (unload_q) c_q <= c_q >> WordWidth;
    end
  end

  assign description_o.steps = ProgramBits'({
    EndStep,
    add_step(ReduceOnce, SourceS, SourceC, ToResult),
    RunStep,
    of_modulus(add_step(ReduceNone, SourceM, SourceZero, ToConst0)),
    add_step(ReduceNone, SourceY, SourceM, ToConst1)
  });
  assign description_o.radix_bits = 16'd1;
  assign description_o.slots = 3'd2;
  // Read a constant in the adder if it is not yet in its register.
  assign description_o.full_reduction = 1'b1;
  assign description_o.x_bits = 3'(TablePositions);
  assign description_o.x_downwards = 1'b0;
  assign status_o.busy = (left_q != '0) || done_q;
  assign status_o.done = done_q;
  assign status_o.next = next;
  assign view_o = '0;
  assign s_o = (Width + Guard)'(s_q);
  assign c_o = (Width + Guard)'(c_q);

endmodule
