// SPDX-License-Identifier: Apache-2.0
//
// Shifted modulus: makes the words of M*2**s from the words of M while they come out of their
// memory, the least significant word first. No register holds M, shifted or not.
//
// load_i: m_i is word index_i of M. After the last word the module knows the length of M.
// align_i: set s so that the top bit of M becomes bit ValueWidth-1. down_i: decrement s.
// s consists of whole words and bits. The whole words only change which word of M is read: the
// caller adds lower_o, which is not above 0, to the word number. The bits shift a word together
// with the preceding word.
//
//   word_o: word i of M*2**s, one cycle after m_i is word i + lower_o of M
//   first_i: m_i is the lowest word that is read; 0 stands for the preceding word
//   unshifted_o: s = 0
//
// Words of M with a negative number are 0. Operands: 0 < M < 2**ValueWidth. Latency: one cycle.
//
// Source: none; restoring division that reads the modulus from its memory.

module shifted_modulus #(
  parameter int ValueWidth = 35,
  parameter int WordWidth  = 32,
  parameter int IndexWidth = 1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  load_i,
  input  logic [IndexWidth-1:0] index_i,
  input  logic [ WordWidth-1:0] m_i,
  input  logic                  align_i,
  input  logic                  down_i,
  input  logic                  first_i,
  output logic [  IndexWidth:0] lower_o,
  output logic [ WordWidth-1:0] word_o,
  output logic                  unshifted_o
);

  localparam int PlaceWidth = $clog2(WordWidth);
  localparam int TopWord = (ValueWidth - 1) / WordWidth;
  localparam int TopPlace = (ValueWidth - 1) % WordWidth;
  localparam logic [PlaceWidth-1:0] LastPlace = PlaceWidth'(WordWidth - 1);

  // Position of the top bit of M.
  logic [IndexWidth-1:0] top_word_q;
  logic [PlaceWidth-1:0] top_place_q, place;

  // A tree finds the top bit of the word: of two neighbours it takes the upper one if that has a
  // bit set. Node i of a level has the nodes 2i and 2i + 1 of the level below. Icarus is slow with
  // loops in a process, so that each node has nets of its own.
  localparam int Leaves = 1 << PlaceWidth;
  logic [Leaves-1:0] bits;
  logic some;
  assign bits = Leaves'(m_i);

  for (genvar level = 0; level < PlaceWidth; level++) begin : gen_level
    for (genvar i = 0; i < (Leaves >> (level + 1)); i++) begin : gen_node
      logic has, upper_has;
      logic [level:0] top;
      if (level == 0) begin : gen_leaves
        assign upper_has = bits[2*i+1];
        assign has       = bits[2*i] || upper_has;
        assign top       = upper_has;
      end else begin : gen_above
        assign upper_has = gen_level[level-1].gen_node[2*i+1].has;
        assign has = gen_level[level-1].gen_node[2*i].has || upper_has;
        assign top[level] = upper_has;
        assign top[level-1:0] = upper_has ? gen_level[level-1].gen_node[2*i+1].top
                                          : gen_level[level-1].gen_node[2*i].top;
      end
    end
  end

  assign some  = gen_level[PlaceWidth-1].gen_node[0].has;
  assign place = gen_level[PlaceWidth-1].gen_node[0].top;

  // The shift: whole words (lower_q, negative or 0) and bits (shift_q).
  logic [IndexWidth:0] lower_q;
  logic [PlaceWidth-1:0] shift_q;
  logic above;
  assign above = (32'(top_place_q) > TopPlace);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {top_word_q, top_place_q, lower_q, shift_q} <= '0;
    end else begin
      if (load_i && ((index_i == '0) || some)) begin
        top_word_q  <= index_i;
        top_place_q <= place;
      end
      if (align_i) begin
        lower_q <= {1'b0, top_word_q} + (IndexWidth + 1)'(above) - (IndexWidth + 1)'(TopWord);
        shift_q <= PlaceWidth'(TopPlace + (above ? WordWidth : 0)) - top_place_q;
      end else if (down_i) begin
        lower_q <= (shift_q == '0) ? lower_q + 1'b1 : lower_q;
        shift_q <= (shift_q == '0) ? LastPlace : shift_q - 1'b1;
      end
    end
  end

  logic [WordWidth-1:0] before_q, word_q;
  logic [2*WordWidth-1:0] both;
  assign both = {m_i, first_i ? WordWidth'(0) : before_q} << shift_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {before_q, word_q} <= '0;
    end else begin
      before_q <= m_i;
      word_q   <= both[2*WordWidth-1:WordWidth];
    end
  end

  assign lower_o     = lower_q;
  assign word_o      = word_q;
  assign unshifted_o = (lower_q == '0) && (shift_q == '0);

  // The bits shifted out below belong to the preceding word.
  logic unused_bits;
  assign unused_bits = ^both[WordWidth-1:0];

endmodule
