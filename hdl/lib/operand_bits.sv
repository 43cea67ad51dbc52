// SPDX-License-Identifier: Apache-2.0
//
// Bits of an operand: takes it out of its memory word by word and gives it to a core bit by bit,
// one to four bits a clock, from the lowest on or (downwards_i) from the highest on.
//
//   bits_o[i] = bit k + i of the operand, downwards_i: bit Bits-1-k-i; k bits were taken before
//
// take_i: bits that a clock takes, 1 to 4; steady, like downwards_i. next_i: this clock takes them;
// above the last bit there are zeros. read_o, index_o: the word that is wanted in the next clock,
// which then stays on word_i until the next read_o.
// busy_i: somebody else reads the memory in this clock; the bits begin again after that.
//
// A buffer holds a word and what is left of the one before; the word behind it waits at the memory.
// Operands: any of Bits bits. Latency: the first bits are there in the third clock in which busy_i
// is low behind one in which it is high.
//
// Source: none; the multiplier operand of a bit-serial core is read once, in order.

module operand_bits #(
  parameter int Bits = 32,
  parameter int WordWidth = 32,
  parameter int IndexWidth = 1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  downwards_i,
  input  logic [           2:0] take_i,
  input  logic                  busy_i,
  output logic                  read_o,
  output logic [IndexWidth-1:0] index_o,
  input  logic [ WordWidth-1:0] word_i,
  input  logic                  next_i,
  output logic [           3:0] bits_o
);

  localparam int MaxTake = 4;
  localparam int Words = (Bits + WordWidth - 1) / WordWidth;
  localparam int TopBits = Bits - (Words - 1) * WordWidth;  // in the highest word
  localparam int BufferWidth = WordWidth + MaxTake - 1;
  localparam int CountWidth = $clog2(BufferWidth + 1);
  localparam logic [IndexWidth-1:0] TopIndex = IndexWidth'(Words - 1);

  typedef enum logic [1:0] {
    StFirst,  // the first word is asked for
    StFill,   // it is there
    StTake
  } state_e;

  state_e state_q;
  logic [IndexWidth-1:0] index_q;
  logic [BufferWidth-1:0] buffer_q, moved;
  logic [CountWidth-1:0] count_q, left;  // bits in the buffer
  logic [WordWidth-1:0] word, first, reversed;
  logic append, short_q;

  // Downwards, the order of bits within a word is turned round, too.
  for (genvar i = 0; i < WordWidth; i++) begin : gen_reversed
    assign reversed[i] = word_i[WordWidth-1-i];
  end
  assign word    = downwards_i ? reversed : word_i;
  assign first   = downwards_i ? word >> (WordWidth - TopBits) : word;

  assign left    = count_q - CountWidth'(take_i);
  // Whether less than a clock takes is left behind the bits of this clock, is known a clock before.
  assign append  = (state_q == StTake) && next_i && short_q;
  assign moved   = buffer_q >> take_i;

  assign index_o = (state_q != StFirst) ? index_q : downwards_i ? TopIndex : '0;
  assign read_o  = !busy_i && ((state_q != StTake) || append);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q  <= StFirst;
      index_q  <= '0;
      buffer_q <= '0;
      count_q  <= '0;
      short_q  <= 1'b0;
    end else begin
      if (read_o) index_q <= downwards_i ? index_o - 1'b1 : index_o + 1'b1;
      if (busy_i) begin
        state_q <= StFirst;
      end else begin
        case (state_q)
          StFirst: state_q <= StFill;
          StFill: begin
            state_q  <= StTake;
            buffer_q <= BufferWidth'(first);
            count_q  <= downwards_i ? CountWidth'(TopBits) : CountWidth'(WordWidth);
            short_q  <= (downwards_i ? TopBits : WordWidth) < 2 * 32'(take_i);
          end
          default: begin
            if (append) begin
              // What is left is less than a clock takes.
              buffer_q <= moved | (BufferWidth'(word) << left[1:0]);
              count_q  <= left + CountWidth'(WordWidth);
              short_q  <= 32'(count_q) + WordWidth < 3 * 32'(take_i);
            end else if (next_i) begin
              buffer_q <= moved;
              count_q  <= left;
              short_q  <= 32'(count_q) < 3 * 32'(take_i);
            end
          end
        endcase
      end
    end
  end

  assign bits_o = buffer_q[MaxTake-1:0];

endmodule
