// SPDX-License-Identifier: Apache-2.0
//
// A core for proofs about what is around it: X + Y in the place of X*Y/R, so that a solver can
// follow whole operations. It computes C = (Y + M) - M from two constants, M of the modulus alone
// and Y + M: one that is not that of the present operands shows in the result. Done in the clock
// after the start; the modulus must be odd. Contract: multiplier_unit.

module sum_core
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int Guard = 2
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic                            start_i,
  input  logic                            field_i,
  input  logic [               Width-1:0] x_i,
  input  logic [               Width-1:0] y_i,
  input  logic [               Width-1:0] m_i,
  input  logic [ConstSlots*(Width+1)-1:0] const_i,
  output logic                            busy_o,
  output logic                            done_o,
  output logic [         Width+Guard-1:0] s_o,
  output logic [         Width+Guard-1:0] c_o,
  output logic [         ProgramBits-1:0] program_o,
  output logic                            binary_o,
  output logic                            unreduced_o,
  output logic [                    15:0] radix_bits_o,
  output logic [      TablePositions-1:0] table_valid_o,
  output logic [       TableAddrBits-1:0] table_addr_o,
  output logic [                     1:0] state_o,
  output logic                            top_carry_o,
  output logic                            carry_valid_o,
  output logic [       PositionWidth-1:0] carry_word_o
);

  logic done_q;
  logic [Width:0] s_q, c_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      done_q <= 1'b0;
      s_q    <= '0;
      c_q    <= '0;
    end else begin
      done_q <= start_i;
      if (start_i) begin
        s_q <= (Width + 1)'(x_i);
        c_q <= const_i[Width+1+:Width+1] - const_i[0+:Width+1];
      end
    end
  end

  assign program_o = ProgramBits'({
    EndStep,
    add_step(ReduceOnce, SourceS, SourceC, ToResult),
    RunStep,
    add_step(ReduceNone, SourceY, SourceM, ToConst1),
    of_modulus(add_step(ReduceNone, SourceM, SourceZero, ToConst0))
  });
  assign busy_o = done_q;
  assign done_o = done_q;
  assign s_o = (Width + Guard)'(s_q);
  assign c_o = (Width + Guard)'(c_q);
  assign binary_o = 1'b0;
  assign unreduced_o = 1'b0;
  assign radix_bits_o = 16'd1;

endmodule
