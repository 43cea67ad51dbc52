// SPDX-License-Identifier: Apache-2.0
//
// Systolic ring of a word-serial multiplier: each processing element handles one digit of X
// at a time. The operand words follow each other, one per cycle, lowest first.
//
//   for each digit x of X, lowest first:  S := step(S, x, Y, M)
//
// Kind selects the element; the ring is the same for all. S, Y and M travel together through
// Elements elements and a queue of Words - Latency*Elements cycles (no queue if the elements hold
// more than an operand). So the ring holds an operand exactly once. Digit i enters an element when
// word 0 of digit i - 1 leaves the preceding element. A product begins at one element: the ring
// feeds y_i, m_i and S = 0 into it. A token counts the digits. When the token arrives for the digit
// after the last one, the words that arrive with it are the result: word_o, with valid and index of
// status_o. ready is high in the cycle of word 0 of the result. In the next cycle a product whose
// operands are this result may start at this element: it needs word j one cycle after the ring
// output word j. Any other start begins at element 0.
//
// y_i, m_i: word 0 in the cycle of start_i, the others in the cycles after it. feed_index names the
// word of the next cycle, 0 while the ring needs no word, so that a memory with a synchronous read
// can follow. digit_i: digit 0 in the cycle of start_i, each further digit in a cycle of
// next_digit. With start_i: digits_i is the number of digits of X in this product; short_i: its
// operands, sums and queue need only ShortWords words. A product of the other length may begin only
// after done.
// Latency, start_i to ready: Latency*d + queue*floor((i + d)/Elements) cycles for d digits from
// element i on. start_i to done: Words more.
// quotient_o: quotient digit of the last digit of X (kinds that pass it on), with ready.
// observation_o.table_addr, of elements 0 to 2, once per digit: {a carry went into the top word
// (mwrkmm, mwr2mm), class of the quotient digit, 0}. Class: 0 zero, 1 all ones, else 2 even, 3 odd;
// for a single bit, the bit itself. The class of mwrkmm comes with the last word of the digit,
// because the next digit overwrites its register; this may be some cycles before the carry.
//
// Source: Michalski & Buell, ch. 4 to 5.3; Tenca & Koc, and Jiang & Harris, figure 4, for the
// queue.

module systolic_ring
  import multiplier_pkg::*;
#(
  parameter int Kind = ElementMwrkmm,
  parameter int WordWidth = 17,
  parameter int DigitWidth = 16,
  parameter int Words = 3,
  parameter int ShortWords = Words,
  parameter int Elements = 1,
  parameter int Latency = 3,
  parameter int MaxDigits = 4,
  // With Chain, a product may begin at the element where the preceding one ended. Without Chain,
  // products begin at element 0, so results leave the ring only at the inputs of three elements:
  // SingleExit, ShortExit and ScaleExit, one for each kind of product.
  parameter bit Chain = 1'b1,
  parameter int SingleExit = 0,
  parameter int ShortExit = SingleExit,
  parameter int ScaleExit = SingleExit,
  // Derived, do not set.
  parameter int DigitIndexWidth = $clog2(MaxDigits + 1)
) (
  input  logic                                      clk_i,
  input  logic                                      rst_ni,
  input  logic                                      start_i,
  input  logic                                      short_i,
  input  logic                [DigitIndexWidth-1:0] digits_i,
  input  logic                [     DigitWidth-1:0] digit_i,
  input  logic                [      WordWidth-1:0] y_i,
  input  logic                [      WordWidth-1:0] m_i,
  input  logic                [     DigitWidth-1:0] m_prime_i,
  output stream_status_t                            status_o,
  output logic                [      WordWidth-1:0] word_o,
  output logic                [     DigitWidth-1:0] quotient_o,
  output stream_observation_t                       observation_o
);

  localparam int Queue = (Words > Latency * Elements) ? (Words - Latency * Elements) : 0;
  localparam int ShortQueue = (ShortWords > Latency * Elements)
                            ? (ShortWords - Latency * Elements) : 0;
  localparam int IndexWidth = $clog2(Words + 1);

  // The token marks where and when the next digit begins. Its arrival at an element through the
  // ring is known one cycle ahead, and so is whether it brings the result.
  core_state_e state_d, state_q;
  logic next_digit;
  logic [DigitIndexWidth-1:0] digit_q, last_digit_q;
  logic [Elements-1:0] arrival, next_arrival;
  logic [Elements-1:0] take_d, take_q;  // the result leaves the ring at this element's input
  logic [Elements-1:0] token_d, token_q;  // a digit begins; registered, as many multiplexers use it
  // One-hot: a start now begins at this element. begin_q stores the bit of element 0 inverted: its
  // reset value is 0.
  logic [Elements-1:0] begin_at, begin_q;
  logic token, result_next, result_q;

  assign begin_at    = begin_q ^ Elements'(1);
  assign token       = |arrival;
  assign result_next = (|next_arrival) && (digit_q == last_digit_q);

  // Result: words at the input of the element that the token reached last.
  logic [IndexWidth-1:0] result_index_q;
  logic delivering_q;

  localparam logic [IndexWidth-1:0] LastWord = IndexWidth'(Words - 1);
  localparam logic [IndexWidth-1:0] LastShort = IndexWidth'(ShortWords - 1);

  // A product whose operands and sums need only ShortWords words.
  logic short, short_q;
  assign short = start_i ? short_i : short_q;

  // Timing: the last word of the result is known one cycle ahead, because the ring's multiplexers
  // use it.
  logic result_last_q;
  logic [IndexWidth-1:0] result_index;
  assign result_index = result_next ? '0 : result_index_q + IndexWidth'(delivering_q);

  // Feed: words of the operands into the element in which a product begins.
  logic [IndexWidth-1:0] feed_next_q, feed_next;  // the word of the next cycle; 0: none
  logic [Elements-1:0] feed, feed_q;
  logic feed_last_q, feed_next_is_last;
  localparam logic [Elements-1:0] First = Elements'(1);
  localparam logic [Elements-1:0] Begins = Chain ? '1 : First;
  localparam logic [Elements-1:0] Exits = Chain ? '1 : (First << SingleExit) | (First << ShortExit)
                                                     | (First << ScaleExit);

  assign feed              = (start_i ? begin_at : feed_q) & Begins;
  assign feed_next         = start_i ? IndexWidth'(1) : feed_next_q;
  assign feed_next_is_last = (feed_next == (short ? LastShort : LastWord));

  assign take_d            = (result_next ? next_arrival : result_last_q ? '0 : take_q) & Exits;
  assign token_d           = next_arrival & ~take_d;

  logic done_q;
  always_comb begin
    state_d = state_q;
    if (start_i) state_d = StateRunning;
    else if (result_q) state_d = StateFinished;
    else if ((state_q == StateFinished) && done_q) state_d = StateStarting;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StateStarting;
      {digit_q, last_digit_q, result_q, take_q, token_q, begin_q, result_index_q} <= '0;
      {delivering_q, short_q, result_last_q, feed_next_q, feed_q, feed_last_q, done_q} <= '0;
    end else begin
      state_q <= state_d;
      if (start_i) begin
        digit_q      <= DigitIndexWidth'(1);
        last_digit_q <= digits_i;
        short_q      <= short_i;
      end else if (token) begin
        digit_q <= digit_q + 1'b1;
      end
      result_q <= result_next;
      take_q   <= take_d;
      token_q  <= token_d;
      if (result_next) begin
        if (Chain) begin_q <= next_arrival ^ First;
        delivering_q <= 1'b1;
      end else begin
        if (result_last_q) delivering_q <= 1'b0;
        if (state_d == StateStarting) begin_q <= '0;
      end
      result_index_q <= result_index;
      result_last_q  <= (result_next || delivering_q)
                     && (result_index == (short_q ? LastShort : LastWord));
      done_q <= result_last_q;
      feed_next_q <= ((feed_next == '0) || feed_next_is_last) ? '0 : feed_next + 1'b1;
      feed_q <= (!start_i && feed_last_q) ? '0 : feed;
      feed_last_q <= feed_next_is_last;
    end
  end

  assign next_digit = start_i || (token && !result_q);

  logic busy;
  assign busy = (state_q != StateStarting);

  // The ring: outputs of element i go to element i + 1, those of the last element through the queue
  // to element 0. first and last are known one cycle before they leave an element.
  logic [Elements*WordWidth-1:0] ring_s, ring_y, ring_m;  // words at the input of each element
  logic [Elements*WordWidth-1:0] ring_next_s;  // ring_s one cycle earlier
  logic [Elements-1:0] ring_first, ring_last;
  logic [Elements-1:0] next_last;
  logic [Elements-1:0] report, carry, adds_first, unused_q;
  logic [Elements-1:0] classify;  // the quotient digit is valid
  logic [Elements*DigitWidth-1:0] quotient;  // observed
  logic [Elements*DigitWidth-1:0] ring_q;  // passed on
  logic [WordWidth-1:0] end_next_s, end_s, end_y, end_m;
  logic [DigitWidth-1:0] end_q;
  logic end_next_first, end_next_last;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {ring_first, ring_last} <= '0;
    end else begin
      ring_first <= next_arrival;
      ring_last  <= next_last;
    end
  end

  assign arrival = ring_first;

  for (genvar i = 0; i < Elements; i++) begin : gen_element
    logic start, digit_token, first, last;
    logic [WordWidth-1:0] s, y, m, out_next_s, out_s, out_y, out_m;
    logic out_next_first, out_next_last;
    logic [DigitWidth-1:0] q, out_q;

    assign q           = feed[i] ? '0 : ring_q[i*DigitWidth+:DigitWidth];
    assign unused_q[i] = ^{q, first, s};

    assign start       = start_i && begin_at[i];
    assign digit_token = token_q[i];
    assign first       = start || digit_token;
    assign last        = feed[i] ? (feed_last_q && !start_i) : (ring_last[i] && !take_q[i]);
    assign s           = feed[i] ? '0 : ring_s[i*WordWidth+:WordWidth];
    assign y           = feed[i] ? y_i : ring_y[i*WordWidth+:WordWidth];
    assign m           = feed[i] ? m_i : ring_m[i*WordWidth+:WordWidth];

    if (Kind == ElementMwrkmm) begin : gen_mwrkmm
      mwrkmm_element #(
        .WordWidth (WordWidth),
        .DigitWidth(DigitWidth),
        .Latency   (Latency)
      ) u_element (
        .clk_i,
        .rst_ni,
        .m_prime_i,
        .digit_i,
        .arrival_next_i(next_arrival[i]),
        .token_next_i  (token_d[i]),
        .token_i       (digit_token),
        .start_i       (start),
        .last_i        (last),
        .s_fed_i       (feed[i]),
        .s_next_i      (ring_next_s[i*WordWidth+:WordWidth]),
        .s_i           (ring_s[i*WordWidth+:WordWidth]),
        .y_i           (y),
        .m_i           (m),
        .first_next_o  (out_next_first),
        .last_next_o   (out_next_last),
        .s_next_o      (out_next_s),
        .s_o           (out_s),
        .y_o           (out_y),
        .m_o           (out_m),
        .report_o      (report[i]),
        .quotient_o    (quotient[i*DigitWidth+:DigitWidth]),
        .report_carry_o(carry[i]),
        .adds_first_o  (adds_first[i])
      );
      assign out_q       = '0;
      assign classify[i] = last;
    end else if (Kind == ElementMwr2mm) begin : gen_mwr2mm
      mwr2mm_element #(
        .WordWidth(WordWidth)
      ) u_element (
        .clk_i,
        .rst_ni,
        .digit_i,
        .first_i       (first),
        .last_i        (last),
        .s_i           (s),
        .y_i           (y),
        .m_i           (m),
        .first_next_o  (out_next_first),
        .last_next_o   (out_next_last),
        .s_o           (out_s),
        .y_o           (out_y),
        .m_o           (out_m),
        .report_o      (report[i]),
        .quotient_o    (quotient[i*DigitWidth+:DigitWidth]),
        .report_carry_o(carry[i]),
        .adds_first_o  (adds_first[i])
      );
      assign out_next_s  = '0;
      assign out_q       = '0;
      assign classify[i] = report[i];
    end else begin : gen_quotient_pipelined
      quotient_pipelined_element #(
        .WordWidth (WordWidth),
        .DigitWidth(DigitWidth),
        .Pipelined (Kind == ElementPipelined),
        .Latency   (Latency)
      ) u_element (
        .clk_i,
        .rst_ni,
        .q_i           (q),
        .q_o           (out_q),
        .digit_i,
        .first_i       (first),
        .last_i        (last),
        .s_i           (s),
        .y_i           (y),
        .m_i           (m),
        .first_next_o  (out_next_first),
        .last_next_o   (out_next_last),
        .s_o           (out_s),
        .y_o           (out_y),
        .m_o           (out_m),
        .report_o      (report[i]),
        .quotient_o    (quotient[i*DigitWidth+:DigitWidth]),
        .report_carry_o(carry[i]),
        .adds_first_o  (adds_first[i])
      );
      assign out_next_s  = '0;
      assign classify[i] = report[i];
    end

    if (i < Elements - 1) begin : gen_next
      assign ring_next_s[(i+1)*WordWidth+:WordWidth] = out_next_s;
      assign ring_s[(i+1)*WordWidth+:WordWidth]      = out_s;
      assign ring_y[(i+1)*WordWidth+:WordWidth]      = out_y;
      assign ring_m[(i+1)*WordWidth+:WordWidth]      = out_m;
      assign next_arrival[i+1]                       = out_next_first;
      assign next_last[i+1]                          = out_next_last;
      assign ring_q[(i+1)*DigitWidth+:DigitWidth]    = out_q;
    end else begin : gen_end
      assign end_next_s     = out_next_s;
      assign end_s          = out_s;
      assign end_y          = out_y;
      assign end_m          = out_m;
      assign end_next_first = out_next_first;
      assign end_next_last  = out_next_last;
      assign end_q          = out_q;
    end
  end

  // The queue: its last cycle is the register queue_q. first and last leave one cycle earlier.
  localparam int QueueWidth = 3 * WordWidth + DigitWidth;
  logic [QueueWidth-1:0] queue_in, queue_out;
  logic [WordWidth-1:0] next_queued_s;
  assign queue_in = {end_s, end_y, end_m, end_q};
  assign {ring_s[0+:WordWidth], ring_y[0+:WordWidth], ring_m[0+:WordWidth],
          ring_q[0+:DigitWidth]} = queue_out;
  assign ring_next_s[0+:WordWidth] = next_queued_s;

  if (Queue == 0) begin : gen_no_queue
    assign queue_out       = queue_in;
    assign next_queued_s   = end_next_s;
    assign next_arrival[0] = end_next_first;
    assign next_last[0]    = end_next_last;
  end else begin : gen_queue
    localparam bit FewNone = (ShortQueue == 0);
    logic [QueueWidth+1:0] line_in, line_out;
    logic [QueueWidth-1:0] queue_q;
    logic end_first_q, end_last_q, bypass;

    // A signal of its own, because Icarus does not track a port expression with a package constant.
    logic run;
    assign run = start_i || busy;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        {end_first_q, end_last_q, queue_q} <= '0;
      end else begin
        end_first_q <= end_next_first;
        end_last_q  <= end_next_last;
        queue_q     <= line_out[QueueWidth-1:0];
      end
    end

    delay_line #(
      .Width    (QueueWidth + 2),
      .Cycles   (Queue - 1),
      .FewCycles(FewNone ? (Queue - 1) : (ShortQueue - 1))
    ) u_queue (
      .clk_i,
      .rst_ni,
      .run_i (run),
      .few_i (short),
      .data_i(line_in),
      .data_o(line_out)
    );

    assign line_in         = {end_first_q, end_last_q, queue_in};
    assign bypass          = FewNone && short;
    assign queue_out       = bypass ? queue_in : queue_q;
    assign next_queued_s   = bypass ? end_next_s : line_out[QueueWidth-1-:WordWidth];
    assign next_arrival[0] = bypass ? end_next_first : line_out[QueueWidth+1];
    assign next_last[0]    = bypass ? end_next_last : line_out[QueueWidth];
  end

  // The result, and the quotient digit that arrives with its word 0.
  always_comb begin
    word_o = '0;
    for (int e = 0; e < Elements; e++) begin
      if (take_q[e]) word_o = word_o | ring_s[e*WordWidth+:WordWidth];
    end
  end

  always_comb begin
    quotient_o = '0;
    if (result_q) begin
      for (int e = 0; e < Elements; e++) begin
        if (take_q[e]) quotient_o = quotient_o | ring_q[e*DigitWidth+:DigitWidth];
      end
    end
  end

  assign status_o.busy = busy;
  assign status_o.ready = result_q;
  assign status_o.done = done_q;
  assign status_o.next_digit = next_digit;
  assign status_o.valid = delivering_q;
  assign status_o.index = WordIndexWidth'(result_index_q);
  assign status_o.feed_index = WordIndexWidth'(feed_next);
  assign status_o.parity     = ^{take_q, feed_q, feed_last_q, ring_first, ring_last, token_q,
                                 begin_q, digit_q, last_digit_q};

  // Observation: the element at which a start now begins.
  logic [PositionWidth-1:0] position;
  always_comb begin
    position = '0;
    for (int e = 0; e < Elements; e++) begin
      if (begin_at[e]) position = position | PositionWidth'(e);
    end
  end

  // Observe only three elements, element 0 after the queue and the next two: together they see
  // every kind of digit, and the simulation is faster.
  localparam int Observed = (Elements < 3) ? Elements : 3;
  logic [DigitWidth-1:0] report_quotient;
  logic [1:0] report_class;
  logic report_carry;
  logic [TableAddrBits-1:0] table_addr;

  always_comb begin
    report_quotient = '0;
    for (int e = 0; e < Observed; e++) begin
      if (classify[e]) report_quotient = report_quotient | quotient[e*DigitWidth+:DigitWidth];
    end
  end

  assign report_class = (report_quotient == '0) ? 2'd0 : (&report_quotient) ? 2'd1
                      : {1'b1, report_quotient[0]};
  assign report_carry = |(report[Observed-1:0] & carry[Observed-1:0]);

  // The bench sets the lowest bit: the digit came through the queue.
  if (Kind == ElementMwr2mm) begin : gen_bit
    assign table_addr = TableAddrBits'({report_carry, report_class[0], 1'b0});
  end else if (Kind == ElementMwrkmm) begin : gen_digit
    assign table_addr = TableAddrBits'({report_carry, report_class, 1'b0});
  end else begin : gen_digit_alone
    assign table_addr = TableAddrBits'({report_class, 1'b0});
  end

  assign observation_o.state = state_q;
  assign observation_o.table_valid = TablePositions'(|report[Observed-1:0]);
  assign observation_o.table_addr = table_addr;
  assign observation_o.position = position;
  assign observation_o.top_carry = report_carry;
  assign observation_o.digit_first = (start_i && begin_at[0]) || token_q[0];
  assign observation_o.digit_queued = !feed[0];
  assign observation_o.digit_report = report[0];
  assign observation_o.carry_first = adds_first[0];
  assign observation_o.carry_valid = carry[0];
  assign {observation_o.carry_word, observation_o.sum_nonzero, observation_o.pass_done} = '0;
  assign {observation_o.subtracted, observation_o.sum_done, observation_o.result_done} = '0;

  // Not every kind of element uses a constant or these signals.
  logic unused_bits;
  assign unused_bits = ^{
    m_prime_i, ring_q, ring_next_s, unused_q, adds_first, report, carry, quotient, classify,
    report_class
  };

  `ASSERT(StartAfterReady, !start_i || (state_q != StateRunning))
  `ASSERT(OtherLengthAfterDone, !start_i || (state_q == StateStarting) || (short_i == short_q))
  `ASSERT(DigitsExist, !start_i || (digits_i != '0))

endmodule
