// SPDX-License-Identifier: Apache-2.0
//
// Property: the lemmas about one processing element of MWR2MM, from which Ring.v in
// verif/formal/theorems/theories derives the product of a ring, for every number of words.
//
// They hold in every cycle of every run, from any state of the element. `python -m regress prove`
// translates every labelled assertion below into a hypothesis of the theorem, see
// verif/formal/theorems/lemmas.py; nothing else states these hypotheses. NAME_q is the value of
// NAME in the preceding cycle. No arithmetic below wraps: numbers are 16 bits wider than a word.

module mwr2mm_element_words #(
  parameter int WordWidth = 16
) (
  input logic                 clk_i,
  input logic                 digit_i,
  input logic                 first_i,
  input logic                 last_i,
  input logic [WordWidth-1:0] s_i,
  input logic [WordWidth-1:0] y_i,
  input logic [WordWidth-1:0] m_i
);

  typedef logic [WordWidth+15:0] number_t;

  logic next_first, next_last;
  logic [WordWidth-1:0] s_word, y_word, m_word;

  mwr2mm_element #(
    .WordWidth(WordWidth)
  ) u_dut (
    .clk_i,
    .rst_ni        (1'b1),
    .digit_i,
    .first_i,
    .last_i,
    .s_i,
    .y_i,
    .m_i,
    .first_next_o  (next_first),
    .last_next_o   (next_last),
    .s_o           (s_word),
    .y_o           (y_word),
    .m_o           (m_word),
    .report_o      (),
    .quotient_o    (),
    .report_carry_o(),
    .adds_first_o  ()
  );

  // ------------------------------------------------------------------------ Numbers of the lemmas
  localparam number_t Zero = 0;
  localparam number_t One = 1;

  function automatic logic bit_of(number_t value, number_t position);
    return value[position];
  endfunction
  function automatic number_t above(number_t value);  // 2**WordWidth * value
    return value << WordWidth;
  endfunction

  // ------------------------------------------------------------------------ Signals of the lemmas
  // signals
  logic first;  // word 0 comes in
  logic last;  // the last word comes in
  logic ends;  // the word that came in one cycle before was the last
  logic first_next;
  logic last_next;
  logic digit;  // bit of X, for word 0
  logic x;  // bit of X that the present word takes
  logic q;  // the present word adds M
  number_t s;  // words that come in
  number_t y;
  number_t m;
  number_t added_y;
  number_t added_m;
  number_t carried;  // carry into the present word
  number_t low;  // sum of the word before, without its carry
  number_t carry;
  number_t parity;  // lowest bit of low
  number_t moved;  // bit that moves into the top of that word
  number_t y_held;
  number_t m_held;
  number_t s_out;  // words that go out
  number_t y_out;
  number_t m_out;
  // end signals

  assign first      = first_i;
  assign last       = last_i;
  assign ends       = u_dut.last_q;
  assign first_next = next_first;
  assign last_next  = next_last;
  assign digit      = digit_i;
  assign x          = u_dut.x;
  assign q          = u_dut.q;
  assign s          = number_t'(s_i);
  assign y          = number_t'(y_i);
  assign m          = number_t'(m_i);
  assign added_y    = x ? y : Zero;
  assign added_m    = q ? m : Zero;
  assign carried    = first ? Zero : carry;
  assign low        = number_t'(u_dut.low_q);
  assign carry      = number_t'(u_dut.carry_q);
  assign parity     = number_t'(u_dut.low_q[0]);
  assign moved      = number_t'(u_dut.from_above);
  assign y_held     = number_t'(u_dut.y_q[WordWidth-1:0]);
  assign m_held     = number_t'(u_dut.m_q[WordWidth-1:0]);
  assign s_out      = number_t'(s_word);
  assign y_out      = number_t'(y_word);
  assign m_out      = number_t'(m_word);

  // ------------------------------------------------------------------------------ Ghost registers
  logic begun_q = 1'b0;
  logic ends_q, first_q, last_q, q_q, x_q;
  number_t added_m_q, added_y_q, carried_q, low_q, m_held_q, m_q, moved_q, parity_q, s_q;
  number_t y_held_q, y_q;

  always_ff @(posedge clk_i) begin
    begun_q   <= 1'b1;
    added_m_q <= added_m;
    added_y_q <= added_y;
    carried_q <= carried;
    ends_q    <= ends;
    first_q   <= first;
    last_q    <= last;
    low_q     <= low;
    m_held_q  <= m_held;
    m_q       <= m;
    moved_q   <= moved;
    parity_q  <= parity;
    q_q       <= q;
    s_q       <= s;
    x_q       <= x;
    y_held_q  <= y_held;
    y_q       <= y;
  end

  always_comb begin
    if (begun_q) begin
      // lemmas
      takes_x : assert (!first || (x == digit));
      keeps_x : assert (first || (x == x_q));
      keeps_q : assert (first || (q == q_q));
      adds_y : assert (!x || (added_y == y));
      skips_y : assert (x || (added_y == Zero));
      adds_m : assert (!q || (added_m == m));
      skips_m : assert (q || (added_m == Zero));
      carry_first : assert (!first || (carried == Zero));
      carry_in : assert (first || (carried == carry));
      sums : assert (low + above(carry) == s_q + added_y_q + added_m_q + carried_q);
      makes_even : assert (!(first_q && bit_of(m_q, Zero)) || !bit_of(low, Zero));
      parity_small : assert ((parity <= One) && (moved <= One));
      parity_of_low : assert (bit_of(low, Zero) == (parity == One));
      ends_after : assert (ends == last_q);
      moves : assert (ends_q || (bit_of(low, Zero) == (moved_q == One)));
      moves_carry : assert (!ends || (bit_of(carry, Zero) == (moved == One)));
      halves : assert (s_out + s_out + parity_q == low_q + above(moved_q));
      words_small : assert ((low < above(One)) && (s_out < above(One)));
      holds : assert ((y_held == y_q) && (m_held == m_q));
      passes : assert ((y_out == y_held_q) && (m_out == m_held_q));
      marks : assert ((first_next == first_q) && (last_next == last_q));
      // end lemmas

      // No sum of four of these numbers wraps.
      assert (((s | y | m | added_y | added_m | carried | low | carry | parity | moved | y_held
                | m_held | s_out | y_out | m_out) >> (WordWidth + 13)) == '0);
    end
  end

endmodule
