// SPDX-License-Identifier: Apache-2.0
//
// Property: words, flags and time of the word-stream adder, for every A, B, M and each reduction.
//
//   the kept bank holds A + B for None; (A + B) mod M for Once, if A + B < 2*M; (A + B) mod M for
//   Full, any M > 0
//   done_o is high exactly in the cycle that its header's formula gives, which depends on M alone
//   subtracted_o: for Once, A + B >= M
//   the adder requests each word one cycle before the cycle that takes it
//   one cycle after a step of the first pass, sum_o is the step's word of A + B
//
// Covers the first addition after reset, after a pass that loads M. A, B and M are stable.

module adder_words
  import multiplier_pkg::*;
#(
  parameter int Width = 4,
  parameter int AddWidth = 4,
  parameter int Guard = 2,
  parameter int MaxCycles = 64
) (
  input logic                   clk_i,
  input logic [            1:0] reduction_i,
  input logic [Width+Guard-1:0] a_i,
  input logic [Width+Guard-1:0] b_i,
  input logic [      Width-1:0] m_i
);

  localparam int ValueWidth = Width + Guard + 1;
  localparam int Words = (ValueWidth + AddWidth - 1) / AddWidth;
  localparam int IndexWidth = (Words > 1) ? $clog2(Words) : 1;
  localparam int PaddedWidth = Words * AddWidth;
  localparam int CycleWidth = $clog2(MaxCycles + 4);
  localparam int Load = Words + 3;  // cycle in which the addition starts

  logic done, subtracted, step, last, first, takes, bank, pass_done, write;
  logic [IndexWidth-1:0] index, index_q, read_index, asked_q, write_index;
  logic [IndexWidth:0] m_read_index;
  logic [AddWidth-1:0] m_word_q, value, sum_word, difference_word;
  logic [2*AddWidth-1:0] bank_words;
  logic [PaddedWidth-1:0] a_padded, b_padded, m_padded, bank_0, bank_1, bank_0_q, bank_1_q, kept;
  logic [ ValueWidth-1:0] sum;
  logic [PaddedWidth-1:0] sum_padded;
  logic [ CycleWidth-1:0] cycle_q = '0;
  logic [CycleWidth-1:0] passes, cycles;
  logic [1:0] reduction_q;
  logic [Width+Guard-1:0] a_q, b_q;
  logic [Width-1:0] m_q;
  logic takes_q, step_q, loading, start;

  assign a_padded   = PaddedWidth'(a_i);
  assign b_padded   = PaddedWidth'(b_i);
  assign m_padded   = PaddedWidth'(m_i);
  assign sum        = ValueWidth'(a_i) + ValueWidth'(b_i);
  assign sum_padded = PaddedWidth'(sum);
  assign loading    = (cycle_q < CycleWidth'(Load));
  assign start      = (cycle_q == CycleWidth'(1)) || (cycle_q == CycleWidth'(Load));

  word_stream_adder #(
    .ValueWidth(ValueWidth),
    .WordWidth (AddWidth)
  ) u_adder (
    .clk_i,
    .rst_ni        (cycle_q != '0),
    .full_i        (1'b1),
    .wipe_i        (1'b0),
    .wipe_index_i  ('0),
    .idle_i        (1'b0),
    .start_i       (start),
    .early_start_i (start),
    .reduction_i   (loading ? ReduceNone : reduction_i),
    .load_i        (loading),
    .read_index_o  (read_index),
    .m_read_index_o(m_read_index),
    .step_o        (step),
    .first_o       (first),
    .takes_o       (takes),
    .index_o       (index),
    .last_o        (last),
    .a_i           (first ? a_padded[index*AddWidth+:AddWidth] : value),
    .b_i           (first ? b_padded[index*AddWidth+:AddWidth] : '0),
    .m_i           (m_word_q),
    .read_i        (1'b0),
    .read_index_i  ('0),
    .value_o       (value),
    .sum_o         (sum_word),
    .difference_o  (difference_word),
    .write_o       (write),
    .write_index_o (write_index),
    .bank_words_o  (bank_words),
    .bank_o        (bank),
    .done_o        (done),
    .pass_done_o   (pass_done),
    .subtracted_o  (subtracted)
  );

  // From the start to done_o.
  always_comb begin
    passes = CycleWidth'(1);
    for (int i = 0; i < Width; i++) begin
      if (m_i[i]) passes = CycleWidth'(ValueWidth - i);
    end
    cycles = (reduction_i == ReduceFull) ? CycleWidth'(passes * CycleWidth'(Words + 2))
                                         : CycleWidth'(Words + 1);
    // The last word comes in the cycle of done_o.
    bank_0 = bank_0_q;
    bank_1 = bank_1_q;
    if (write) begin
      bank_0[write_index*AddWidth+:AddWidth] = bank_words[AddWidth-1:0];
      bank_1[write_index*AddWidth+:AddWidth] = bank_words[2*AddWidth-1:AddWidth];
    end
    kept = (bank != subtracted) ? bank_1 : bank_0;
  end

  always_ff @(posedge clk_i) begin
    if (cycle_q != '1) cycle_q <= cycle_q + 1'b1;
    reduction_q <= reduction_i;
    a_q         <= a_i;
    b_q         <= b_i;
    m_q         <= m_i;
    takes_q     <= takes;
    step_q      <= step;
    index_q     <= index;
    asked_q     <= read_index;
    // The memory of M: missing words read as 0.
    m_word_q    <= (32'(m_read_index) < Words) ? m_padded[m_read_index*AddWidth+:AddWidth] : '0;
    bank_0_q    <= bank_0;
    bank_1_q    <= bank_1;
  end

  always_comb begin
    if (cycle_q != '0) begin
      assume ((reduction_i == reduction_q) && (a_i == a_q) && (b_i == b_q) && (m_i == m_q));
    end
    assume (reduction_i != ReduceOperand);
    if (reduction_i == ReduceFull) assume (m_i != '0);
    if (reduction_i == ReduceOnce) assume (sum < (ValueWidth'(m_i) << 1));
    if (cycle_q > CycleWidth'(1)) assert (takes_q == (step && first));
    if (step && first && (cycle_q > CycleWidth'(1))) begin
      assert (asked_q == index);
      assert (last == (index == IndexWidth'(Words - 1)));
    end
    if (step_q && first && (cycle_q > CycleWidth'(2))) begin
      assert (sum_word == sum_padded[index_q*AddWidth+:AddWidth]);
    end
    if (!loading) begin
      assert (done == (cycle_q == cycles + CycleWidth'(Load)));
      if (done) begin
        if (reduction_i == ReduceNone)
          assert (kept == PaddedWidth'(sum));
          else assert (kept == PaddedWidth'(sum % ValueWidth'(m_i)));
        if (reduction_i == ReduceOnce) assert (subtracted == (sum >= ValueWidth'(m_i)));
        assert (pass_done);
      end
    end
  end

endmodule
