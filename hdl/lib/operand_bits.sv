// SPDX-License-Identifier: Apache-2.0
//
// Bits of an operand: reads an operand from its memory word by word, and gives it to a core bit by
// bit, one to four bits per cycle, from the lowest bit up or (downwards_i) from the highest down.
//
//   bits_o[i] = bit k + i of the operand, downwards_i: bit Bits-1-k-i; k bits were taken before
//
// take_i: bits that the core takes per cycle, 1 to 4. take_i and downwards_i must not change.
// Downwards, the highest word must have at least take_i bits. WordWidth >= 4.
// next_i: the core takes them in this cycle. After the last bit of the operand zeros follow.
// read_o, index_o: word that must be on word_i in the next cycle, and stay there until the next
// read_o.
// busy_i: another module reads the memory in this cycle. Afterwards the bits start from the
// beginning.
//
// A buffer holds a word and the rest of the preceding word. The next word waits at the output of
// the memory.
// Operands: any of Bits bits. Latency: after a cycle with busy_i high, the first bits are valid in
// the third cycle with busy_i low.
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
    StFirst,  // read the first word
    StFill,   // the first word goes into the buffer
    StTake
  } state_e;

  state_e state_q;
  logic [IndexWidth-1:0] index_q;
  logic [BufferWidth-1:0] buffer_q, moved;
  logic [CountWidth-1:0] count_q, left;  // bits in the buffer
  logic [WordWidth-1:0] word, first, reversed;
  logic append, short_q;

  // Downwards, the order of the bits within a word is reversed, too.
  for (genvar i = 0; i < WordWidth; i++) begin : gen_reversed
    assign reversed[i] = word_i[WordWidth-1-i];
  end
  assign word    = downwards_i ? reversed : word_i;
  assign first   = downwards_i ? word >> (WordWidth - TopBits) : word;

  assign left    = count_q - CountWidth'(take_i);
  // Timing: short_q is known one cycle ahead: after the bits of this cycle, fewer than take_i bits
  // remain.
  assign append  = (state_q == StTake) && next_i && short_q;
  assign moved   = buffer_q >> take_i;

  assign index_o = (state_q != StFirst) ? index_q : downwards_i ? TopIndex : '0;
  assign read_o  = !busy_i && ((state_q != StTake) || append);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StFirst;
      {index_q, buffer_q, count_q, short_q} <= '0;
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
              // left is below take_i, so two bits hold it.
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

  `ASSERT_PARAMETER(WordWidth, WordWidth >= MaxTake, "operand_bits: WordWidth must be at least 4")

  `ASSERT(TakeOneToFour, (take_i >= 3'd1) && (take_i <= 3'(MaxTake)))
  `ASSERT(BitsAreValid, !next_i || ((state_q == StTake) && !busy_i))

endmodule
