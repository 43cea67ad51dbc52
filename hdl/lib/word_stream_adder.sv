// SPDX-License-Identifier: Apache-2.0
//
// Word-stream adder: computes A + B, reduced modulo M, one word of WordWidth bits per cycle, the
// least significant word first. Operands and results are never held in full-width registers.
//
//   ReduceNone   A + B
//   ReduceOnce   A + B - M if that is not negative, else A + B       (A + B < 2*M)
//   ReduceFull   (A + B) mod M                                       (A + B < 2**ValueWidth)
//
// A pass takes Words cycles. Each cycle makes a word of the sum and a word of the difference
// sum - M. The cycle after the pass decides: it keeps the difference unless the difference
// borrowed. The sum goes into bank bank_o, the difference into the other bank. To keep the
// difference, the adder flips bank_o.
// ReduceFull is restoring division. It begins with M shifted up until its top bit is the top bit of
// the largest sum. Each pass subtracts from the value that the preceding pass kept, with M shifted
// down by one more bit. shifted_modulus shifts the words of M as they come from their memory, so
// that no full-width register holds M.
//
//   state   ends with   signals that are high
//   Idle    start_i     -
//   Fetch   at once     -         (ReduceFull alone: the first word of M is shifted)
//   Pass    last_o      step_o
//   Keep    at once     pass_done_o; done_o after the last pass (then Idle, else Fetch)
//
//   read_index_o, m_read_index_o: words of A and B, and of M, that the next cycle takes. They are
//     valid before a start, too. An m_read_index_o above the last word of M stands for a word 0.
//   step_o, index_o: this cycle takes a_i and b_i, word index_o of A and B, and outputs
//     difference_o. last_o: it is the last word. m_i must be word index_o of M, except in
//     ReduceFull, where M must be neither A nor B. sum_o: word of the sum that the preceding step
//     made.
//   first_o: the present pass is the first one, the only one that takes A and B. In the others the
//     caller drives a_i with value_o and b_i with 0; it may switch one cycle after first_o falls.
//   idle_i: the caller is idle. Then the adder is in Idle, whatever an upset did to its state, and
//     start_i begins a pass. A caller that holds the idle adder in reset connects 0.
//   early_start_i: start_i, but low for a start that comes late in its cycle. Timing: takes_o may
//     drive registers of all bits of a caller, so that it does not wait for a late start.
//   takes_o: the next cycle takes words of A and B; low in the cycle of a late start.
//   write_o, write_index_o, bank_words_o: word write_index_o of both banks, bank 0 in the lower
//     half, one cycle after the step that makes it.
//   value_o: word index_o of the value that the preceding pass or operation kept. One cycle after
//     read_i: word read_index_i of it. No running pass may need value_o at that time.
//   wipe_i: clear word wipe_index_i of both banks; only while no pass runs.
//   load_i: M arrives in this pass. It is the modulus of every ReduceFull from now on.
//   full_i: constant, high if the core uses ReduceFull. Without it, shifted words of M and value_o
//     do not exist.
//   pass_done_o: a pass has ended; done_o: the last pass has ended.
//   subtracted_o: the pass kept the difference.
//
// Operands: 0 < M < 2**ValueWidth for ReduceFull.
// Latency, start_i to done_o, with W = Words and h = ValueWidth - bits of M:
//   ReduceNone, ReduceOnce: W + 1.  ReduceFull: (h + 1)*(W + 2).
//
// Source: the post-processing that Amanor (2005), ch. 5.3, leaves out; restoring division.

module word_stream_adder
  import multiplier_pkg::*;
#(
  parameter int ValueWidth = 35,
  parameter int WordWidth = 32,
  // Derived, do not set.
  parameter int Words = (ValueWidth + WordWidth - 1) / WordWidth,
  parameter int IndexWidth = (Words > 1) ? $clog2(Words) : 1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   full_i,
  input  logic                   wipe_i,
  input  logic [ IndexWidth-1:0] wipe_index_i,
  input  logic                   idle_i,
  input  logic                   start_i,
  input  logic                   early_start_i,
  input  logic [            1:0] reduction_i,
  input  logic                   load_i,
  output logic [ IndexWidth-1:0] read_index_o,
  output logic [   IndexWidth:0] m_read_index_o,
  output logic                   step_o,
  output logic                   first_o,
  output logic                   takes_o,
  output logic [ IndexWidth-1:0] index_o,
  output logic                   last_o,
  input  logic [  WordWidth-1:0] a_i,
  input  logic [  WordWidth-1:0] b_i,
  input  logic [  WordWidth-1:0] m_i,
  input  logic                   read_i,
  input  logic [ IndexWidth-1:0] read_index_i,
  output logic [  WordWidth-1:0] value_o,
  output logic [  WordWidth-1:0] sum_o,
  output logic [  WordWidth-1:0] difference_o,
  output logic                   write_o,
  output logic [ IndexWidth-1:0] write_index_o,
  output logic [2*WordWidth-1:0] bank_words_o,
  output logic                   bank_o,
  output logic                   done_o,
  output logic                   pass_done_o,
  output logic                   subtracted_o
);

  localparam logic [IndexWidth-1:0] LastWord = IndexWidth'(Words - 1);

  typedef enum logic [1:0] {
    StIdle,
    StFetch,
    StPass,
    StKeep
  } state_e;

  state_e state, state_q;
  assign state = idle_i ? StIdle : state_q;
  logic [IndexWidth-1:0] index_q, read_q;  // read_q: the next word in a pass, else 0
  logic at_last_q;  // index_q is the last word (only if Words > 1)
  logic reduce_q, division_q, again_q, last_q;  // again_q: not the first pass of a sum
  logic carry_q, saved_q, borrow_q, bank_q;
  logic division, division_d, fetch, ends, kept, unshifted, shifts;

  logic [IndexWidth:0] lower, m_read_q;
  logic [WordWidth-1:0] m_word, shifted_word, divides;
  logic [WordWidth-1:0] saved_sum, saved_carry;
  logic [WordWidth+1:0] sum_word, difference_word;

  // full_i lets synthesis remove the shifted words of M. It cannot derive this from divides,
  // because it does not optimise across registers marked keep.
  assign m_word = full_i ? (shifted_word & divides) | (m_i & ~divides) : m_i;
  // An extra lowest bit adds the carry of the preceding word. The difference adds three operands,
  // A, B and the complement of M: a carry out of 0 is a borrow. Timing: the difference does not
  // wait for the sum.
  assign sum_word = {1'b0, a_i, 1'b1} + {1'b0, b_i, carry_q};
  assign saved_sum = a_i ^ b_i ^ ~m_word;
  assign saved_carry = (a_i & b_i) | (a_i & ~m_word) | (b_i & ~m_word);
  assign difference_word = {1'b0, saved_sum, 1'b1}
                         + {1'b0, WordWidth'({saved_carry, saved_q}), !borrow_q};

  assign division = full_i && (reduction_i == ReduceFull);
  assign division_d = ((state == StIdle) && start_i) ? division : division_q;
  assign fetch = (state == StFetch);
  assign ends = (state == StPass) && last_o;
  assign kept = reduce_q && (saved_q || !borrow_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      {index_q, at_last_q, read_q, reduce_q, division_q, again_q, last_q, carry_q, saved_q} <= '0;
      {borrow_q, bank_q} <= '0;
    end else begin
      division_q <= division_d;
      read_q     <= '0;
      case (state)
        StIdle: begin
          // An upset of the idle adder has no effect on the next pass.
          {index_q, at_last_q, again_q, carry_q, saved_q, borrow_q} <= '0;
          if (start_i) begin
            state_q  <= division ? StFetch : StPass;
            read_q   <= IndexWidth'(!division);
            reduce_q <= (reduction_i != ReduceNone);
          end
        end
        StFetch: begin
          state_q <= StPass;
          read_q  <= IndexWidth'(1);
        end
        StPass: begin
          carry_q   <= sum_word[WordWidth+1];
          saved_q   <= saved_carry[WordWidth-1];
          borrow_q  <= !difference_word[WordWidth+1];
          index_q   <= index_q + 1'b1;
          at_last_q <= (read_q == LastWord);
          if (!ends) read_q <= read_q + 1'b1;
          if (ends) begin
            index_q <= '0;
            at_last_q <= 1'b0;
            last_q <= !division_q || unshifted;
            state_q <= StKeep;
          end
        end
        default: begin
          bank_q   <= bank_q ^ kept;
          carry_q  <= 1'b0;
          saved_q  <= 1'b0;
          borrow_q <= 1'b0;
          if (done_o) begin
            again_q <= 1'b0;
            state_q <= StIdle;
          end else begin
            again_q <= 1'b1;
            state_q <= StFetch;
          end
        end
      endcase
    end
  end

  // Copies of division_d near the bits of the word: they select the shifted word of M.
  segment_registers #(
    .Width  (WordWidth),
    .Segment(WordSegment)
  ) u_divides (
    .clk_i,
    .rst_ni,
    .bit_i (division_d),
    .bits_o(divides)
  );

  // In a full reduction each word of M is shifted one cycle before the pass takes it. The end of
  // the preceding operation sets the shift amount; the end of each pass decrements it.
  shifted_modulus #(
    .ValueWidth(ValueWidth),
    .WordWidth (WordWidth),
    .IndexWidth(IndexWidth)
  ) u_modulus (
    .clk_i,
    .rst_ni,
    .load_i     (full_i && step_o && load_i),
    .index_i    (index_q),
    .m_i,
    .align_i    (full_i && done_o),
    .down_i     (division_q && ends),
    .first_i    (fetch),
    .lower_o    (lower),
    .word_o     (shifted_word),
    .unshifted_o(unshifted)
  );

  // The two banks. Timing: words are registered before the write, and read one cycle ahead, so that
  // neither the choice of the bank nor the memory is on the carry path. This delay is safe, because
  // a word is read only in a later pass than the one that writes it.
  logic [WordWidth-1:0] bank_0[0:Words-1];
  logic [WordWidth-1:0] bank_1[0:Words-1];
  logic [WordWidth-1:0] sum_q, difference_q, word_0, word_1, value_q;
  logic [IndexWidth-1:0] write_index_q, bank_index, value_index;
  logic write_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {write_q, write_index_q, sum_q, difference_q, value_q} <= '0;
    end else begin
      write_q       <= step_o;
      write_index_q <= index_q;
      if (step_o) begin
        sum_q        <= sum_word[WordWidth:1];
        difference_q <= difference_o;
      end
      value_q <= bank_q ? bank_1[value_index] : bank_0[value_index];
    end
  end

  // The banks swap roles after the cycle that writes the last word.
  assign word_0      = bank_q ? difference_q : sum_q;
  assign word_1      = bank_q ? sum_q : difference_q;

  assign value_index = read_i ? read_index_i : read_index_o;
  assign bank_index  = wipe_i ? wipe_index_i : write_index_q;

  always_ff @(posedge clk_i) begin
    if (write_q || wipe_i) begin
      bank_0[bank_index] <= wipe_i ? '0 : word_0;
      bank_1[bank_index] <= wipe_i ? '0 : word_1;
    end
  end

  assign value_o = value_q;
  assign write_o = write_q;
  assign write_index_o = write_index_q;
  assign bank_words_o = {word_1, word_0};

  assign sum_o = sum_q;
  assign difference_o = difference_word[WordWidth:1];
  assign bank_o = bank_q;

  assign step_o = (state == StPass);
  assign first_o = !again_q;
  assign takes_o = !again_q && ((step_o && !ends) || fetch
                 || (early_start_i && (state == StIdle) && !division));
  assign index_o = index_q;
  assign last_o = (Words == 1) || at_last_q;
  assign read_index_o = read_q;
  // A full reduction reads the words of M one cycle earlier, because it shifts them. Timing: no
  // adder is on the path to the memory; a pass continues from the registered index m_read_q.
  assign shifts = (state == StIdle) ? division : division_q;
  assign m_read_index_o = (fetch || step_o) ? m_read_q : shifts ? lower : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) m_read_q <= '0;
    else m_read_q <= m_read_index_o + 1'b1;
  end

  assign done_o = (state == StKeep) && last_q;
  assign pass_done_o = (state == StKeep);
  assign subtracted_o = kept;

  `ASSERT(Idle, !idle_i || (state_q == StIdle))
  `ASSERT(StartWhileIdle, !start_i || (state == StIdle))
  `ASSERT(EarlyStartIsStart, !early_start_i || start_i)
  `ASSERT(WipeWhileIdle, !wipe_i || (state == StIdle))

endmodule
