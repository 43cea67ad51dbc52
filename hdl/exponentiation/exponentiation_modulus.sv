// SPDX-License-Identifier: Apache-2.0
//
// Modulus of an exponentiation: the memory of M, and M shifted up until its top bit is bit Width -
// 1.
//
//   aligned_o = M * 2**(Width - bits of M), word by word
//
// The doublings that compute R**2 work modulo this value. m_i, m_word_i: words of M from the host,
// from the lowest up; odd_o: M is odd. The module writes them to the memory and finds the top bit
// of M on the way. M then moves up by measured_words_q words and measured_bits_q bits; words
// outside M read as 0.
//
// control_i.address reads word 0 of the shifted M, control_i.align every other word, up to the
// cycle of pass_last_i. Word j of aligned_o is valid AlignCycles cycles after the cycle with
// pass_index_i = j. At other times modulus_o is the word that read_index_i requested a cycle
// before.
// fault_o: the word that was read has a wrong parity bit (Parity).
//
// Without a Montgomery domain there are no doublings, and aligned_o is 0.
// Latency: a cycle from an index to modulus_o, three to aligned_o.
//
// Source: none.

module exponentiation_modulus
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int WordWidth = 17,
  parameter int Words = 3,
  parameter bit Domain = 1'b1,
  parameter bit Parity = 1'b0
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic         [WordIndexWidth-1:0] wipe_index_i,
  input  exp_control_t                      control_i,
  // M from the host
  input  word_tag_t                         m_i,
  input  logic         [     WordWidth-1:0] m_word_i,
  output logic                              odd_o,
  // Words of M
  input  logic         [WordIndexWidth-1:0] pass_index_i,
  input  logic                              pass_last_i,
  input  logic         [WordIndexWidth-1:0] read_index_i,
  output logic         [     WordWidth-1:0] modulus_o,
  output logic         [     WordWidth-1:0] aligned_o,
  output logic                              fault_o
);

  localparam int TopWord = (Width - 1) / WordWidth;  // top word of an operand; place of its top bit
  localparam int TopPlace = (Width - 1) % WordWidth;

  logic [WordIndexWidth-1:0] measured_words_q, align_read, modulus_read;
  logic [WordWidth-1:0] aligned_q, modulus;
  logic align, odd_q;

  assign align_read = (control_i.address ? '0 : pass_index_i + 1'b1) - measured_words_q;
  assign align = control_i.address || control_i.align;
  assign modulus_read = (align && !pass_last_i) ? align_read : read_index_i;

  if (Domain) begin : gen_align
    logic [WordIndexWidth-1:0] top_index_q;  // of the top word of M that is not 0
    logic [WordWidth-1:0] top_word_q;
    localparam int PlaceWidth = $clog2(2 * WordWidth);
    logic [PlaceWidth-1:0] top_place, top_place_q;  // of the top bit in this word
    logic [PlaceWidth-1:0] measured_bits_q;
    logic [WordWidth-1:0] above_q, below_q;  // two neighbouring words of M, to be shifted

    always_comb begin
      top_place = '0;
      for (int i = 0; i < WordWidth; i++) begin
        if (top_word_q[i]) top_place = PlaceWidth'(i);
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        {top_index_q, top_word_q, measured_words_q, measured_bits_q, top_place_q, above_q} <= '0;
        {below_q, aligned_q} <= '0;
      end else begin
        if (m_i.valid && (m_word_i != '0)) begin
          top_index_q <= m_i.index;
          top_word_q  <= m_word_i;
        end
        // Both are known two cycles after the last word; control waits for that (ExpStepMeasure).
        top_place_q <= top_place;
        if (top_place_q <= PlaceWidth'(TopPlace)) begin
          measured_words_q <= WordIndexWidth'(TopWord) - top_index_q;
          measured_bits_q  <= PlaceWidth'(TopPlace) - top_place_q;
        end else begin
          measured_words_q <= WordIndexWidth'(TopWord - 1) - top_index_q;
          measured_bits_q  <= PlaceWidth'(TopPlace + WordWidth) - top_place_q;
        end
        above_q <= control_i.align ? modulus : '0;
        below_q <= above_q;
        aligned_q <= (above_q << measured_bits_q)
                   | (below_q >> (PlaceWidth'(WordWidth) - measured_bits_q));
      end
    end
  end else begin : gen_no_align
    assign measured_words_q = '0;
    assign aligned_q = '0;
  end

  logic fault;
  assign fault_o = fault && !control_i.load;

  parity_memory #(
    .Width (WordWidth),
    .Depth (Words),
    .Parity(Parity)
  ) u_modulus (
    .clk_i,
    .wipe_index_i,
    .write_i      (m_i.valid),
    .write_index_i(m_i.index),
    .data_i       (m_word_i),
    .read_index_i (modulus_read),
    .data_o       (modulus),
    .fault_o      (fault)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) odd_q <= 1'b0;
    else if (m_i.valid && (m_i.index == '0)) odd_q <= m_word_i[0];
  end

  assign odd_o     = odd_q;
  assign modulus_o = modulus;
  assign aligned_o = aligned_q;

  logic unused_bits;
  assign unused_bits = ^{control_i, m_i};

endmodule
