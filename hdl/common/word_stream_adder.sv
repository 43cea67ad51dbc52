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
// to M; the clock behind it keeps the difference unless it borrowed. Both go out, the sum for bank
// bank_o, the difference for the other one, and the flip of bank_o is all that keeping takes.
// ReduceFull first shifts M up until its top bit is that of the largest sum, one bit a clock, and
// then makes a pass for every bit of the way back, each of the value before: restoring division.
//
//   read_o, read_index_o: which word of the operands is wanted in the next clock
//   step_o, index_o: this clock takes a_i, b_i, m_i, word index_o of A, B and M, and gives sum_o
//   and
//   difference_o; first_o: in the first pass, the only one that takes A and B
//   value_o: word index_o of what the pass before, or the operation before, has kept
//   load_i: the words of M go into the register in which ReduceFull shifts it
//   full_i: a constant, whether there is any ReduceFull; without it, neither that register nor
//   value_o is there
//
// Operands: M > 0 for ReduceFull. Latency, start_i to done_o, with W = Words and
// h = ValueWidth - bits of M:  ReduceNone, ReduceOnce: W + 1.  ReduceFull: (h + 1)*(W + 2).
// subtracted_o: the last pass kept the difference; exact_o: some kept difference was zero; both
// with done_o.
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
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  full_i,
  input  logic                  start_i,
  input  logic [           1:0] reduction_i,
  input  logic                  load_i,
  output logic                  read_o,
  output logic [IndexWidth-1:0] read_index_o,
  output logic                  step_o,
  output logic                  first_o,
  output logic [IndexWidth-1:0] index_o,
  input  logic [ WordWidth-1:0] a_i,
  input  logic [ WordWidth-1:0] b_i,
  input  logic [ WordWidth-1:0] m_i,
  output logic [ WordWidth-1:0] value_o,
  output logic [ WordWidth-1:0] sum_o,
  output logic [ WordWidth-1:0] difference_o,
  output logic                  bank_o,
  output logic                  done_o,
  output logic                  subtracted_o,
  output logic                  exact_o
);

  localparam int PaddedWidth = Words * WordWidth;
  localparam int ShiftWidth = $clog2(ValueWidth + 1);
  localparam logic [IndexWidth-1:0] LastWord = IndexWidth'(Words - 1);

  typedef enum logic [1:0] {
    StIdle,
    StAlign,
    StPass,
    StKeep
  } state_e;

  state_e state_q;
  logic [ShiftWidth-1:0] shift_q;  // how far the modulus is shifted up
  logic [IndexWidth-1:0] index_q;
  logic reduce_q, again_q, first_q;
  logic carry_q, borrow_q, zero_q, exact_q, bank_q;
  logic aligned, kept;
  logic [PaddedWidth-1:0] modulus_q, modulus_down;

  logic [WordWidth-1:0] a_word, b_word, m_word;
  logic [WordWidth+1:0] sum_word, difference_word;

  assign a_word = (full_i && !first_q) ? value_o : a_i;
  assign b_word = (full_i && !first_q) ? '0 : b_i;
  assign m_word = (full_i && again_q) ? modulus_q[WordWidth-1:0] : m_i;
  // The lowest bit brings the carry of the word before in; the difference is a sum with the
  // complement, in which no carry is a borrow.
  assign sum_word = {1'b0, a_word, 1'b1} + {1'b0, b_word, carry_q};
  assign difference_word = {1'b0, sum_o, 1'b1} + {1'b0, ~m_word, !borrow_q};

  assign aligned = modulus_q[ValueWidth-1];
  assign kept = reduce_q && !borrow_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q  <= StIdle;
      shift_q  <= '0;
      index_q  <= '0;
      reduce_q <= 1'b0;
      again_q  <= 1'b0;
      first_q  <= 1'b1;
      carry_q  <= 1'b0;
      borrow_q <= 1'b0;
      zero_q   <= 1'b1;
      exact_q  <= 1'b0;
      bank_q   <= 1'b0;
    end else begin
      case (state_q)
        StIdle: begin
          exact_q <= 1'b0;
          if (start_i) begin
            state_q  <= (full_i && (reduction_i == ReduceFull)) ? StAlign : StPass;
            reduce_q <= (reduction_i != ReduceNone);
            again_q  <= (reduction_i == ReduceFull);
          end
        end
        StAlign: begin
          if (aligned) state_q <= StPass;
          else shift_q <= shift_q + 1'b1;
        end
        StPass: begin
          carry_q  <= sum_word[WordWidth+1];
          borrow_q <= !difference_word[WordWidth+1];
          zero_q   <= zero_q && (difference_o == '0);
          index_q  <= index_q + 1'b1;
          if (index_q == LastWord) begin
            index_q <= '0;
            state_q <= StKeep;
          end
        end
        default: begin
          exact_q  <= exact_o;
          bank_q   <= bank_q ^ kept;
          carry_q  <= 1'b0;
          borrow_q <= 1'b0;
          zero_q   <= 1'b1;
          if (done_o) begin
            first_q <= 1'b1;
            state_q <= StIdle;
          end else begin
            first_q <= 1'b0;
            shift_q <= shift_q - 1'b1;
            state_q <= StPass;
          end
        end
      endcase
    end
  end

  // The modulus of a full reduction: it comes in by words, is shifted up and down by bits, and goes
  // round by words in every pass.
  assign modulus_down = {1'b0, modulus_q[PaddedWidth-1:1]};

  if (Words > 1) begin : gen_words
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        modulus_q <= '0;
      end else if (full_i) begin
        if (step_o && (load_i || again_q)) begin
          modulus_q <= {
            load_i ? m_i : modulus_q[WordWidth-1:0], modulus_q[PaddedWidth-1:WordWidth]
          };
        end else if ((state_q == StAlign) && !aligned) begin
          modulus_q <= modulus_q << 1;
        end else if ((state_q == StKeep) && !done_o) begin
          modulus_q <= modulus_down;
        end
      end
    end
  end else begin : gen_word
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        modulus_q <= '0;
      end else if (full_i) begin
        if (step_o && load_i) begin
          modulus_q <= m_i;
        end else if ((state_q == StAlign) && !aligned) begin
          modulus_q <= modulus_q << 1;
        end else if ((state_q == StKeep) && !done_o) begin
          modulus_q <= modulus_down;
        end
      end
    end
  end

  // The two banks. Each word is read in the clock in which it is written again.
  logic [WordWidth-1:0] bank_0[0:Words-1];
  logic [WordWidth-1:0] bank_1[0:Words-1];

  always_ff @(posedge clk_i) begin
    if (step_o) begin
      bank_0[index_q] <= bank_q ? difference_o : sum_o;
      bank_1[index_q] <= bank_q ? sum_o : difference_o;
    end
  end

  assign value_o = bank_q ? bank_1[index_q] : bank_0[index_q];

  assign sum_o = sum_word[WordWidth:1];
  assign difference_o = difference_word[WordWidth:1];
  assign bank_o = bank_q;

  // Words are asked for in the clock in front of each one's.
  assign step_o = (state_q == StPass);
  assign first_o = first_q;
  assign index_o = index_q;
  assign read_o       = (state_q == StPass) || (start_i && (state_q == StIdle))
                     || ((state_q == StAlign) && aligned);
  assign read_index_o = (state_q == StPass) ? index_q + 1'b1 : '0;
  assign done_o = (state_q == StKeep) && !(full_i && again_q && (shift_q != '0));
  assign subtracted_o = kept;
  assign exact_o = exact_q || (kept && zero_q);

endmodule
