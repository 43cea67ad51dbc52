// SPDX-License-Identifier: Apache-2.0
//
// In the place of the design's word_serial_modular_adder, for proofs about what is around it: the
// same contract in one word and one clock, which the proof modular_adder shows of the real one. No
// ReduceFull.

module word_serial_modular_adder
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int AddWidth = 32,
  parameter int Guard = 2,
  // Derived, do not set.
  parameter int Words = (Width + Guard + AddWidth) / AddWidth,
  parameter int IndexWidth = (Words > 1) ? $clog2(Words) : 1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  start_i,
  input  logic [           1:0] reduction_i,
  input  logic [     Width-1:0] m_i,
  output logic [IndexWidth-1:0] word_index_o,
  input  logic [  AddWidth-1:0] a_i,
  input  logic [  AddWidth-1:0] b_i,
  output logic                  done_o,
  output logic [ Width+Guard:0] value_o,
  output logic                  subtracted_o,
  output logic                  exact_o,
  output logic                  above_one_o
);

  localparam int ValueWidth = Width + Guard + 1;

  logic [ValueWidth-1:0] sum;
  assign sum = a_i[ValueWidth-1:0] + b_i[ValueWidth-1:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      done_o       <= 1'b0;
      value_o      <= '0;
      subtracted_o <= 1'b0;
      exact_o      <= 1'b0;
      above_one_o  <= 1'b0;
    end else begin
      done_o <= start_i;
      if (start_i) begin
        above_one_o  <= (m_i > Width'(1));
        exact_o      <= (sum == ValueWidth'(m_i));
        subtracted_o <= (reduction_i != ReduceNone) && (sum >= ValueWidth'(m_i));
        value_o      <= sum;
        if ((reduction_i != ReduceNone) && (sum >= ValueWidth'(m_i))) begin
          value_o <= sum - ValueWidth'(m_i);
        end
      end
    end
  end

  assign word_index_o = '0;

endmodule
