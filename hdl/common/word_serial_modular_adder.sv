// SPDX-License-Identifier: Apache-2.0
//
// Word-serial modular adder: AddWidth bits of A + B a clock, so that no carry chain is longer than
// AddWidth bits whatever the operand width.
//
//   ReduceNone   value_o = A + B
//   ReduceOnce   value_o = A + B - M if that is not negative, else A + B       (A + B < 2*M)
//   ReduceFull   value_o = (A + B) mod M                               (A + B < 2**(Width+Guard+1))
//
// A pass adds the two words that the parent puts on a_i and b_i for word_index_o and subtracts the
// shifted modulus from the sum in the same clock; the clock after its last word keeps the
// difference unless it borrowed. ReduceFull first shifts M up until it has its top bit at
// Width + Guard, one bit a clock, and then makes one pass for every bit of the way back: restoring
// division, right for moduli with any number of leading zeros.
//
// Operands: M > 0 for ReduceFull; A, B < 2**(Width+Guard+1) and their sum too.
// Latency, start_i to done_o, with W = ceil((Width+Guard+1)/AddWidth),
// h = Width + Guard + 1 - bits of M:
//   ReduceNone, ReduceOnce: W + 2.   ReduceFull: (h + 1) + (h + 1)*(W + 1) + 1.
//
// subtracted_o: the last pass kept the difference. exact_o: some kept difference was zero, that is,
// the value before it was exactly the (shifted) modulus. above_one_o: M > 1, after a pass with M
// unshifted (ReduceNone or ReduceOnce). All valid with done_o.
//
// Source: the post-processing that Amanor (2005), ch. 5.3, leaves out; restoring division.

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
  localparam int PaddedWidth = Words * AddWidth;
  localparam int ShiftWidth = $clog2(ValueWidth + 1);
  localparam logic [IndexWidth-1:0] LastWord = IndexWidth'(Words - 1);

  localparam logic [2:0] StIdle = 3'd0;
  localparam logic [2:0] StAlign = 3'd1;
  localparam logic [2:0] StPass = 3'd2;
  localparam logic [2:0] StKeep = 3'd3;
  localparam logic [2:0] StDone = 3'd4;

  logic [2:0] state_q;
  logic [ShiftWidth-1:0] shift_q;  // how far the modulus is shifted up
  logic [IndexWidth-1:0] index_q;
  logic reduce_q, full_q, first_q;  // first_q: this pass adds A and B
  logic carry_q, borrow_q, zero_q;
  logic subtracted_q, exact_q, above_one_q;
  logic [ValueWidth-1:0] modulus_q;
  logic [PaddedWidth-1:0] value_q, difference_q;

  // One word of the sum and of the difference.
  logic [PaddedWidth-1:0] modulus_padded;
  logic [AddWidth-1:0] a_word, b_word, m_word;
  logic [AddWidth:0] sum_word, difference_word;

  assign modulus_padded = PaddedWidth'(modulus_q);
  assign a_word = first_q ? a_i : value_q[index_q*AddWidth+:AddWidth];
  assign b_word = first_q ? b_i : '0;
  assign m_word = modulus_padded[index_q*AddWidth+:AddWidth];
  assign sum_word = {1'b0, a_word} + {1'b0, b_word} + {{AddWidth{1'b0}}, carry_q};
  assign difference_word = {1'b0, sum_word[AddWidth-1:0]} - {1'b0, m_word}
                         - {{AddWidth{1'b0}}, borrow_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q      <= StIdle;
      shift_q      <= '0;
      index_q      <= '0;
      reduce_q     <= 1'b0;
      full_q       <= 1'b0;
      first_q      <= 1'b0;
      carry_q      <= 1'b0;
      borrow_q     <= 1'b0;
      zero_q       <= 1'b0;
      subtracted_q <= 1'b0;
      exact_q      <= 1'b0;
      above_one_q  <= 1'b0;
      modulus_q    <= '0;
      value_q      <= '0;
      difference_q <= '0;
    end else begin
      case (state_q)
        StIdle: begin
          if (start_i) begin
            state_q      <= (reduction_i == ReduceFull) ? StAlign : StPass;
            reduce_q     <= (reduction_i != ReduceNone);
            full_q       <= (reduction_i == ReduceFull);
            modulus_q    <= ValueWidth'(m_i);
            shift_q      <= '0;
            index_q      <= '0;
            first_q      <= 1'b1;
            carry_q      <= 1'b0;
            borrow_q     <= 1'b0;
            zero_q       <= 1'b1;
            subtracted_q <= 1'b0;
            exact_q      <= 1'b0;
            above_one_q  <= 1'b0;
          end
        end
        StAlign: begin
          if (modulus_q[ValueWidth-1]) begin
            state_q <= StPass;
          end else begin
            modulus_q <= {modulus_q[ValueWidth-2:0], 1'b0};
            shift_q   <= shift_q + 1'b1;
          end
        end
        StPass: begin
          value_q[index_q*AddWidth+:AddWidth] <= sum_word[AddWidth-1:0];
          difference_q[index_q*AddWidth+:AddWidth] <= difference_word[AddWidth-1:0];
          carry_q <= sum_word[AddWidth];
          borrow_q <= difference_word[AddWidth];
          zero_q <= zero_q && (difference_word == '0);
          above_one_q <= above_one_q || ((index_q == '0) ? |m_word[AddWidth-1:1] : |m_word);
          index_q <= index_q + 1'b1;
          if (index_q == LastWord) state_q <= StKeep;
        end
        StKeep: begin
          subtracted_q <= reduce_q && !borrow_q;
          if (reduce_q && !borrow_q) begin
            value_q <= difference_q;
            exact_q <= exact_q || zero_q;
          end
          modulus_q <= {1'b0, modulus_q[ValueWidth-1:1]};
          index_q   <= '0;
          first_q   <= 1'b0;
          carry_q   <= 1'b0;
          borrow_q  <= 1'b0;
          zero_q    <= 1'b1;
          if (full_q && (shift_q != '0)) begin
            shift_q <= shift_q - 1'b1;
            state_q <= StPass;
          end else begin
            state_q <= StDone;
          end
        end
        default: state_q <= StIdle;
      endcase
    end
  end

  assign word_index_o = index_q;
  assign done_o       = (state_q == StDone);
  assign value_o      = value_q[ValueWidth-1:0];
  assign subtracted_o = subtracted_q;
  assign exact_o      = exact_q;
  assign above_one_o  = above_one_q;

endmodule
