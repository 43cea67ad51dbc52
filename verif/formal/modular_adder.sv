// SPDX-License-Identifier: Apache-2.0
//
// Property: value and time of the word-serial modular adder, for every A, B, M and each reduction.
//
//   None: value_o = A + B;  Once: (A + B) mod M for A + B < 2*M;  Full: (A + B) mod M, any M > 0
//   done_o in just the clock that its header's formula says, which depends on M alone
//   subtracted_o: for Once, A + B >= M;  above_one_o: M > 1, for None and Once
//
// One addition, the first one after reset; A, B, M steady.

module modular_adder
  import multiplier_pkg::*;
#(
  parameter int Width = 4,
  parameter int AddWidth = 4,
  parameter int Guard = 2,
  parameter int MaxClocks = 64,
  // Derived, do not set.
  parameter int Words = (Width + Guard + AddWidth) / AddWidth,
  parameter int IndexWidth = (Words > 1) ? $clog2(Words) : 1
) (
  input logic                   clk_i,
  input logic [            1:0] reduction_i,
  input logic [Width+Guard-1:0] a_i,
  input logic [Width+Guard-1:0] b_i,
  input logic [      Width-1:0] m_i
);

  localparam int ValueWidth = Width + Guard + 1;
  localparam int PaddedWidth = Words * AddWidth;
  localparam int ClockWidth = $clog2(MaxClocks + 4);

  logic done, subtracted, above_one;
  logic [ValueWidth-1:0] value, sum;
  logic [IndexWidth-1:0] index;
  logic [PaddedWidth-1:0] a_padded, b_padded;
  logic [ClockWidth-1:0] clock_q = '0;
  logic [ClockWidth-1:0] passes, clocks;
  logic [1:0] reduction_q;
  logic [Width+Guard-1:0] a_q, b_q;
  logic [Width-1:0] m_q;

  assign a_padded = PaddedWidth'(a_i);
  assign b_padded = PaddedWidth'(b_i);
  assign sum      = ValueWidth'(a_i) + ValueWidth'(b_i);

  word_serial_modular_adder #(
    .Width   (Width),
    .AddWidth(AddWidth),
    .Guard   (Guard)
  ) u_adder (
    .clk_i,
    .rst_ni      (clock_q != '0),
    .start_i     (clock_q == ClockWidth'(1)),
    .reduction_i,
    .m_i,
    .word_index_o(index),
    .a_i         (a_padded[index*AddWidth+:AddWidth]),
    .b_i         (b_padded[index*AddWidth+:AddWidth]),
    .done_o      (done),
    .value_o     (value),
    .subtracted_o(subtracted),
    .above_one_o (above_one)
  );

  // From start_i to done_o.
  always_comb begin
    passes = ClockWidth'(1);
    for (int i = 0; i < Width; i++) begin
      if (m_i[i]) passes = ClockWidth'(ValueWidth - i);
    end
    clocks = (reduction_i == ReduceFull)
           ? passes + ClockWidth'(passes * ClockWidth'(Words + 1)) + ClockWidth'(1)
           : ClockWidth'(Words + 2);
  end

  always_ff @(posedge clk_i) begin
    if (clock_q != '1) clock_q <= clock_q + 1'b1;
    reduction_q <= reduction_i;
    a_q         <= a_i;
    b_q         <= b_i;
    m_q         <= m_i;
  end

  always_comb begin
    if (clock_q != '0) begin
      assume ((reduction_i == reduction_q) && (a_i == a_q) && (b_i == b_q) && (m_i == m_q));
    end
    assume (reduction_i != ReduceOperand);
    if (reduction_i == ReduceFull) assume (m_i != '0);
    if (reduction_i == ReduceOnce) assume (sum < (ValueWidth'(m_i) << 1));
    if (clock_q != '0) assert (done == (clock_q == clocks + 1'b1));
    if (done) begin
      if (reduction_i == ReduceNone)
        assert (value == sum);
        else assert (value == sum % ValueWidth'(m_i));
      if (reduction_i == ReduceOnce) assert (subtracted == (sum >= ValueWidth'(m_i)));
      if (reduction_i != ReduceFull) assert (above_one == (m_i > Width'(1)));
    end
  end

endmodule
