// SPDX-License-Identifier: Apache-2.0
//
// Dual-multiplier datapath of bit-serial Montgomery cores, in the place of two ring cores of an
// exponentiation. Core names the core (core_pkg). Words of Y and M and bits of X come in; words of
// the products go out.
//
//   A = Xa*Y/R (mod M), S = Xs*Y/R (mod M), R = 2**(Width+2)
//   A, S < 2**(Width+1) for X, Y < 2**(Width+1)
//
// Both cores share the registers of Y and M, which shift in by words. The only constant of such
// cores, Y + M, is added on the way. The cores run two iterations more than M has bits. Products
// are therefore valid operands of the next product without a reduction (Walter). The words of S and
// C leave a core through an adder; the next product may take each word in a cycle later.
//
// start_i, x_begins_o: bit 0 of A, bit 1 of S. start_i, y_i, m_i, feed_index, valid, ready,
// done, word: contract of a ring core, see ring_unit; if products of A and S both run, they have
// started together. next_digit: this cycle takes the next DigitWidth bits of X (a_digit_i,
// s_digit_i); x_begins_o: they are the first ones.
//
// Operands: M odd.
// Latency, start to ready: Words cycles, and the core's for Width + 2 bits; to done Words more.
//
// Source: Walter (1999) for R > 4*M; Amanor (2005), Algorithms 1b and 3.

module bit_serial_dual
  import multiplier_pkg::*;
  import core_pkg::*;
#(
  parameter int Width = 32,
  parameter int Guard = 2,
  parameter int WordWidth = 32,
  parameter int DigitWidth = 1,
  parameter int Words = 2,
  parameter int Core = CoreFastMontgomery,
  parameter int Unfolding = 1
) (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  input  logic                [           1:0] start_i,
  input  logic                [DigitWidth-1:0] a_digit_i,
  input  logic                [DigitWidth-1:0] s_digit_i,
  input  logic                [ WordWidth-1:0] y_i,
  input  logic                [ WordWidth-1:0] m_i,
  output logic                [           1:0] x_begins_o,
  output stream_status_t                       a_status_o,
  output stream_status_t                       s_status_o,
  output logic                [ WordWidth-1:0] a_word_o,
  output logic                [ WordWidth-1:0] s_word_o,
  output stream_observation_t                  a_observation_o,
  output stream_observation_t                  s_observation_o
);

  localparam int CoreWidth = Width + 2;
  localparam int PaddedWidth = Words * WordWidth;
  localparam int CountWidth = $clog2(Words + 1);
  localparam logic [CountWidth-1:0] LastWord = CountWidth'(Words - 1);

  // Words of Y, M and Y + M shift in, beginning in the cycle of a start.
  logic start, loading, loading_q, loaded_q, carry_q;
  logic [CountWidth-1:0] load_q, load;  // number of the word that shifts in
  logic [1:0] run_q;  // the present product is one of A, of S
  logic [PaddedWidth-1:0] y_q, m_q, r_q;  // r_q: Y + M
  logic [WordWidth:0] sum;

  assign start   = |start_i;
  assign loading = start || loading_q;
  assign load    = start ? '0 : load_q;
  assign sum     = {1'b0, y_i} + {1'b0, m_i} + {{WordWidth{1'b0}}, carry_q && !start};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      y_q                                           <= '0;
      m_q                                           <= '0;
      r_q                                           <= '0;
      {loading_q, loaded_q, load_q, carry_q, run_q} <= '0;
    end else begin
      if (start) run_q <= start_i;
      loaded_q <= loading && (load == LastWord);
      if (loading) begin
        loading_q <= (load != LastWord);
        load_q    <= load + 1'b1;
        carry_q   <= sum[WordWidth];
        y_q       <= PaddedWidth'({y_i, y_q} >> WordWidth);
        m_q       <= PaddedWidth'({m_i, m_q} >> WordWidth);
        r_q       <= PaddedWidth'({sum[WordWidth-1:0], r_q} >> WordWidth);
      end
    end
  end

  logic [WordIndexWidth-1:0] feed_index;
  assign feed_index = loading ? WordIndexWidth'(load) + 1'b1 : '0;

  logic [ConstSlots*(CoreWidth+1)-1:0] constants;
  assign constants = (ConstSlots * (CoreWidth + 1))'(r_q);

  logic unused_bits;
  assign unused_bits = ^{y_q, m_q, r_q};

  for (genvar i = 0; i < 2; i++) begin : gen_core
    parallel_control_t control;
    parallel_status_t core_status;
    parallel_description_t description;
    parallel_view_t view;
    stream_status_t status;
    stream_observation_t observation;
    logic [DigitWidth-1:0] digit;
    logic [TablePositions-1:0] x;
    logic [CoreWidth+Guard-1:0] s, c;
    logic [WordWidth:0] word;
    logic core_start, core_done, core_next, started_q, add_carry_q;
    logic give, give_q, done_q;  // a word of the product leaves; the last one has left
    logic [CountWidth-1:0] given_q, given;  // number of the word that leaves

    assign x = TablePositions'(digit);
    assign core_start = loaded_q && run_q[i];
    assign core_done = core_status.done;
    assign core_next = core_status.next;
    assign give = core_done || give_q;
    assign given = core_done ? '0 : given_q;
    assign word = {1'b0, s[WordWidth-1:0]} + {1'b0, c[WordWidth-1:0]}
                + {{WordWidth{1'b0}}, add_carry_q && !core_done};

    assign control.start = core_start;
    // Unload in every cycle: an iteration has priority, and after the last word only zeros move.
    assign control.unload = 1'b1;

    parallel_core_select #(
      .Core     (Core),
      .Width    (CoreWidth),
      .Guard    (Guard),
      .WordWidth(WordWidth),
      .Unfolding(Unfolding)
    ) u_core (
      .clk_i,
      .rst_ni,
      .control_i    (control),
      .x_i          (x),
      .y_i          (y_q[CoreWidth-1:0]),
      .m_i          (m_q[CoreWidth-1:0]),
      .const_i      (constants),
      .status_o     (core_status),
      .description_o(description),
      .view_o       (view),
      .s_o          (s),
      .c_o          (c)
    );

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        {give_q, given_q, done_q, started_q, add_carry_q} <= '0;
      end else begin
        give_q <= give && (given != LastWord);
        if (give) given_q <= given + 1'b1;
        done_q <= give && (given == LastWord);
        add_carry_q <= word[WordWidth];
        // A core may take its first bits later than in the cycle of its start.
        if (core_start) started_q <= 1'b1;
        if (core_next) started_q <= 1'b0;
      end
    end

    assign x_begins_o[i] = core_next && (core_start || started_q);
    assign status.busy = 1'b1;
    assign status.ready = core_done;
    assign status.done = done_q;
    assign status.next_digit = core_next;
    assign status.valid = give;
    assign status.index = WordIndexWidth'(given);
    assign status.feed_index = run_q[i] || start_i[i] ? feed_index : '0;
    assign status.parity = 1'b0;
    assign observation.state = view.state;
    assign observation.table_valid = view.table_valid;
    assign observation.table_addr = view.table_addr;
    // No ring: the core has no queue and no elements to observe.
    assign {observation.position, observation.top_carry, observation.digit_first} = '0;
    assign {observation.digit_queued, observation.digit_report, observation.carry_first} = '0;
    assign {observation.carry_valid, observation.carry_word, observation.sum_nonzero} = '0;
    assign {observation.pass_done, observation.subtracted, observation.sum_done} = '0;
    assign observation.result_done = '0;

    if (i == 0) begin : gen_a
      assign digit           = a_digit_i;
      assign a_status_o      = status;
      assign a_word_o        = word[WordWidth-1:0];
      assign a_observation_o = observation;
    end else begin : gen_s
      assign digit           = s_digit_i;
      assign s_status_o      = status;
      assign s_word_o        = word[WordWidth-1:0];
      assign s_observation_o = observation;
    end

    logic unused_core;
    assign unused_core = ^{description, s, c, core_status};
  end

  `ASSERT(StartAfterLoad, !start || !loading_q)

endmodule
