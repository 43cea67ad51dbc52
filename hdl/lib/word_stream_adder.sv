// SPDX-License-Identifier: Apache-2.0
//
// Word-stream adder: A + B reduced modulo M, a word of WordWidth bits a clock, the least
// significant one first. No operand and no result is a register here: words come and go.
//
//   ReduceNone   A + B
//   ReduceOnce   A + B - M if that is not negative, else A + B       (A + B < 2*M)
//   ReduceFull   (A + B) mod M                                       (A + B < 2**ValueWidth)
//
// A pass of Words clocks makes the words of the sum and, in the same clock, those of its difference
// to M; the clock behind it keeps the difference unless it borrowed. Both go into banks, the sum
// into bank bank_o, the difference into the other one, and the flip of bank_o is all that keeping
// takes.
// ReduceFull begins with M shifted up until its top bit is that of the largest sum, and makes a
// pass for every bit of the way back, each of the value before: restoring division. The words of M
// are shifted on the way from their memory (shifted_modulus), so that nothing holds M here either.
//
//   read_index_o, m_read_index_o: the words of A and B, and of M, that the next clock takes, start
//   or not; a number above M's last one means a word that is 0
//   step_o, index_o: this clock takes a_i and b_i, word index_o of A and B (last_o: the last one),
//   and gives sum_o and difference_o; m_i is then word index_o of M, but for ReduceFull, which has
//   M neither in A nor in B; first_o: in the first pass, the only one that takes A and B, so that
//   in the others a_i is value_o and b_i is 0, which may begin a clock behind the fall of first_o;
//   takes_o: the next clock takes words of A and B
//   write_o, write_index_o, bank_words_o: word write_index_o of both banks, bank 0 in the lower
//   half; in the clock behind the step that makes it
//   value_o: word index_o of what the pass before, or the operation before, has kept; behind a
//   clock of read_i word read_index_i of it, which no pass that goes on may need meanwhile
//   wipe_i: word wipe_index_i of both banks becomes 0, while no pass goes on
//   load_i: M comes in this pass, and is from now on the modulus of every ReduceFull
//   full_i: a constant, whether there is any ReduceFull; without it, neither shifted words nor
//   value_o are there
//
// Operands: 0 < M < 2**ValueWidth for ReduceFull. Latency, start_i to done_o, with W = Words and
// h = ValueWidth - bits of M:  ReduceNone, ReduceOnce: W + 1.  ReduceFull: (h + 1)*(W + 2).
// pass_done_o: a pass has ended, the last one with done_o; subtracted_o: it kept the difference.
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
  input  logic                   start_i,
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

  state_e state_q;
  logic [IndexWidth-1:0] index_q, read_q;  // read_q: the word behind it, in a pass, else 0
  logic at_last_q;  // index_q is the last word, of more than one
  logic reduce_q, division_q, again_q, last_q;  // again_q: not the first pass of a sum
  logic carry_q, saved_q, borrow_q, bank_q;
  logic division, division_d, fetch, ends, kept, unshifted, shifts;

  logic [IndexWidth:0] lower, m_read_q;
  logic [WordWidth-1:0] m_word, shifted_word, divides;
  logic [WordWidth-1:0] saved_sum, saved_carry;
  logic [WordWidth+1:0] sum_word, difference_word;

  // Without full reductions M is never a shifted one: said here, as synthesis does not look through
  // registers that are kept.
  assign m_word = full_i ? (shifted_word & divides) | (m_i & ~divides) : m_i;
  // The lowest bit brings the carry of the word before in. The difference is a sum of three with
  // the complement of M, in which no carry is a borrow; it does not wait for the other sum.
  assign sum_word = {1'b0, a_i, 1'b1} + {1'b0, b_i, carry_q};
  assign saved_sum = a_i ^ b_i ^ ~m_word;
  assign saved_carry = (a_i & b_i) | (a_i & ~m_word) | (b_i & ~m_word);
  assign difference_word = {1'b0, saved_sum, 1'b1}
                         + {1'b0, WordWidth'({saved_carry, saved_q}), !borrow_q};

  assign division = full_i && (reduction_i == ReduceFull);
  assign division_d = ((state_q == StIdle) && start_i) ? division : division_q;
  assign fetch = (state_q == StFetch);
  assign ends = (state_q == StPass) && last_o;
  assign kept = reduce_q && (saved_q || !borrow_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q    <= StIdle;
      index_q    <= '0;
      at_last_q  <= 1'b0;
      read_q     <= '0;
      reduce_q   <= 1'b0;
      division_q <= 1'b0;
      again_q    <= 1'b0;
      last_q     <= 1'b0;
      carry_q    <= 1'b0;
      saved_q    <= 1'b0;
      borrow_q   <= 1'b0;
      bank_q     <= 1'b0;
    end else begin
      division_q <= division_d;
      read_q     <= '0;
      case (state_q)
        StIdle: begin
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

  // Which M it is, near the bits of the word.
  segment_registers #(
    .Width  (WordWidth),
    .Segment(WordSegment)
  ) u_divides (
    .clk_i,
    .rst_ni,
    .bit_i (division_d),
    .bits_o(divides)
  );

  // In a full reduction a word of M is shifted in the clock in front of the one that takes it. The
  // shift is right from the end of the operation before on, and one less from the end of each pass.
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

  // The two banks. What goes into them waits for a clock, in which it is found where it goes, and
  // what they give is read a clock ahead, so that neither is on the way of the carries. A word is
  // read again in another pass only.
  logic [WordWidth-1:0] bank_0[0:Words-1];
  logic [WordWidth-1:0] bank_1[0:Words-1];
  logic [WordWidth-1:0] sum_q, difference_q, word_0, word_1, value_q;
  logic [IndexWidth-1:0] write_index_q, bank_index, value_index;
  logic write_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q       <= 1'b0;
      write_index_q <= '0;
      sum_q         <= '0;
      difference_q  <= '0;
      value_q       <= '0;
    end else begin
      write_q       <= step_o;
      write_index_q <= index_q;
      if (step_o) begin
        sum_q        <= sum_o;
        difference_q <= difference_o;
      end
      value_q <= bank_q ? bank_1[value_index] : bank_0[value_index];
    end
  end

  // The banks change places behind the clock that writes the last word.
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

  assign sum_o = sum_word[WordWidth:1];
  assign difference_o = difference_word[WordWidth:1];
  assign bank_o = bank_q;

  assign step_o = (state_q == StPass);
  assign first_o = !again_q;
  assign takes_o = !again_q && ((step_o && !ends) || fetch
                 || (start_i && (state_q == StIdle) && !division));
  assign index_o = index_q;
  assign last_o = (Words == 1) || at_last_q;
  assign read_index_o = read_q;
  // Words of M for a full reduction come a clock earlier, to be shifted. No sum is made on the way
  // to the memory: a pass goes on from a number that is there.
  assign shifts = (state_q == StIdle) ? division : division_q;
  assign m_read_index_o = (fetch || step_o) ? m_read_q : shifts ? lower : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) m_read_q <= '0;
    else m_read_q <= m_read_index_o + 1'b1;
  end

  assign done_o = (state_q == StKeep) && last_q;
  assign pass_done_o = (state_q == StKeep);
  assign subtracted_o = kept;

endmodule
