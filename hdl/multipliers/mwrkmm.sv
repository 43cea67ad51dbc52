// SPDX-License-Identifier: Apache-2.0
//
// MWRkMM: Montgomery multiplier of word-by-digit processing elements in a systolic ring.
//
//   S = 0;  for each digit x of X, lowest first, and one zero digit:
//     u = m'*S mod 2**w;   S := (S + u*M)/2**w + x*Y                (w = DigitWidth)
//
//   s_o = X*Y*2**-Width (mod M), s_o < 2*M for X, Y < M;   c_o = 0
//   chain_i: s_o = X*Y*2**-(Width + w*Extra) (mod M), s_o < 2*M for X, Y < 2*M
//
// The second form takes Extra more digits, so that R > 4*M and results can be operands of the next
// product without a final subtraction (Walter 1999).
//
// Words of WordWidth (v) bits follow each other through the ring of Elements (p) elements and a
// delay of Words - Latency*Elements clocks: S, Y and M alike, so that the ring holds an operand
// just once. Digit i enters an element as word 0 of digit i - 1 leaves the one before. Into the
// element in which a product begins, the words of y_i and m_i are fed, and S = 0; when the token
// that counts the digits has come round to the digit after the last one, the words that arrive
// with it are the result. ready_o is high in that clock, and in the next one a product may start
// there whose operands are this result: word j of it is read after it has been written to s_o. Any
// other start begins at element 0.
//
// Operands: M odd; X, Y below 2**Width, or with chain_i below 2**(Width+1). m_i, x_i, y_i and const_i
// must not change while a product runs but for word j of an operand before it is read.
// keep_i, with start_i: the product is computed and thrown away, s_o stays.
// Constant 0: m' = -1/M mod 2**DigitWidth.
// Parameters: DigitWidth <= WordWidth, DigitWidth divides Width, Latency 3 or 4 (a stage after the
// multipliers), Elements <= Words/Latency, WordWidth >= 2; Words = floor(Width/v) + 2.
// Latency, start_i to ready_o: Latency*d + (Words - Latency*p)*floor(d/p) with d = Width/w + 1
// digits, which is eq. (14); from another element i the last term is floor((i + d)/p). To done_o:
// Words more.
// table_addr_o (observation only), once a digit: {carry into the top word of S + u*M, u odd / even,
// with u = all ones and 0 apart (2 bits), came through the ring delay}.
//
// Source: Michalski & Buell, Algorithm 2, ch. 4 to 5.3, eq. (13) to (15); docs/source_002.md.

module mwrkmm
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int Guard = 2,
  parameter int WordWidth = 17,
  parameter int DigitWidth = 16,
  parameter int Elements = 1,
  parameter int Latency = 3
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic                            start_i,
  input  logic                            chain_i,
  input  logic                            keep_i,
  input  logic [         Width+Guard-1:0] x_i,
  input  logic [         Width+Guard-1:0] xc_i,
  input  logic [         Width+Guard-1:0] y_i,
  input  logic [         Width+Guard-1:0] yc_i,
  input  logic [               Width-1:0] m_i,
  input  logic [ConstSlots*(Width+1)-1:0] const_i,
  output logic                            busy_o,
  output logic                            ready_o,
  output logic                            done_o,
  output logic [         Width+Guard-1:0] s_o,
  output logic [         Width+Guard-1:0] c_o,
  output logic [         ProgramBits-1:0] program_o,
  output logic                            chainable_o,
  output logic [                    15:0] radix_bits_o,
  output logic [      TablePositions-1:0] table_valid_o,
  output logic [       TableAddrBits-1:0] table_addr_o,
  output logic [                     1:0] state_o,
  output logic [       PositionWidth-1:0] position_o,
  output logic                            top_carry_o
);

  localparam int Extra = (DigitWidth > 1) ? 1 : 2;
  localparam int Digits = Width / DigitWidth + 1;
  localparam int ChainDigits = Digits + Extra;
  // Width + DigitWidth + 2 bits fit, and the highest word of Y and M is zero.
  localparam int Words = Width / WordWidth + 2;
  localparam int Delay = Words - Latency * Elements;
  localparam int DigitIndexWidth = $clog2(ChainDigits + 1);
  localparam int WordIndexWidth = $clog2(Words + 1);
  localparam int ElementWidth = (Elements > 1) ? $clog2(Elements) : 1;
  localparam int OperandBits = Words * WordWidth;
  localparam int DigitBits = ChainDigits * DigitWidth;

  // Icarus 11 has no elaboration tasks.
`ifdef __ICARUS__
  initial begin
    if ((DigitWidth < 1) || (DigitWidth > WordWidth)) begin
      $fatal(1, "mwrkmm: DigitWidth must be 1 to WordWidth");
    end
    if ((Width % DigitWidth) != 0) $fatal(1, "mwrkmm: DigitWidth must divide Width");
    if ((Latency != 3) && (Latency != 4)) $fatal(1, "mwrkmm: Latency must be 3 or 4");
    if ((Elements < 1) || (Delay < 0)) begin
      $fatal(1, "mwrkmm: Elements must be 1 to Words / Latency");
    end
  end
`else
  if ((DigitWidth < 1) || (DigitWidth > WordWidth)) begin : gen_check_digit
    $error("mwrkmm: DigitWidth must be 1 to WordWidth");
  end
  if ((Width % DigitWidth) != 0) begin : gen_check_divides
    $error("mwrkmm: DigitWidth must divide Width");
  end
  if ((Latency != 3) && (Latency != 4)) begin : gen_check_latency
    $error("mwrkmm: Latency must be 3 or 4");
  end
  if ((Elements < 1) || (Delay < 0)) begin : gen_check_elements
    $error("mwrkmm: Elements must be 1 to Words / Latency");
  end
`endif  // __ICARUS__

  assign program_o = ProgramBits'({
    EndStep,
    {StepAdd, ReduceOnce, 1'b0, SourceS, SourceZero, ToResult},
    RunStep,
    {StepInverse, ReduceNone, 1'b1, 8'(DigitWidth - 1), 3'd0}
  });
  assign chainable_o = 1'b1;
  assign radix_bits_o = 16'(DigitWidth * (ChainDigits - 1));

  // The token: where and when the next digit begins.
  logic [1:0] state_d, state_q;
  logic [DigitIndexWidth-1:0] digit_q, last_digit_q;
  logic [Elements-1:0] arrival;  // the token reaches this element through the ring
  logic [Elements-1:0] arrived;  // one-hot: the element at which the result appears or appeared
  logic [ElementWidth-1:0] result_element_q, feed_element;
  logic token, result;

  assign token  = |arrival;
  assign result = token && (digit_q == last_digit_q);

  // Result: words from the ring in front of the element that the token reached last.
  logic [WordIndexWidth-1:0] result_index_q, result_index;
  logic delivering_q, keep_q, result_keep_q, result_keep;
  logic delivering;

  assign delivering   = result || delivering_q;
  assign result_index = result ? '0 : result_index_q;
  assign result_keep  = result ? keep_q : result_keep_q;

  // Feed: words of the operands into the element in which a product begins.
  logic [WordIndexWidth-1:0] feed_index_q, feed_index;
  logic [ElementWidth-1:0] feed_element_q;
  logic feeding_q, feeding, feed_last;

  assign feeding = start_i || feeding_q;
  assign feed_index = start_i ? '0 : feed_index_q;
  assign feed_element = !start_i ? feed_element_q
                      : (state_q == StateFinished) ? result_element_q : '0;
  assign feed_last = feeding && (feed_index == WordIndexWidth'(Words - 1));

  always_comb begin
    state_d = state_q;
    if (start_i) state_d = StateRunning;
    else if (result) state_d = StateFinished;
    else if ((state_q == StateFinished) && done_o) state_d = StateStarting;
  end

  logic [ElementWidth-1:0] arrival_element;
  always_comb begin
    arrival_element = '0;
    for (int e = 0; e < Elements; e++) begin
      if (arrival[e]) arrival_element = arrival_element | ElementWidth'(e);
    end
  end

  logic done_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q          <= StateStarting;
      digit_q          <= '0;
      last_digit_q     <= '0;
      result_element_q <= '0;
      result_index_q   <= '0;
      delivering_q     <= 1'b0;
      keep_q           <= 1'b0;
      result_keep_q    <= 1'b0;
      feed_index_q     <= '0;
      feed_element_q   <= '0;
      feeding_q        <= 1'b0;
      done_q           <= 1'b0;
    end else begin
      state_q <= state_d;
      if (start_i) begin
        digit_q      <= DigitIndexWidth'(1);
        last_digit_q <= chain_i ? DigitIndexWidth'(ChainDigits) : DigitIndexWidth'(Digits);
        keep_q       <= keep_i;
      end else if (token) begin
        digit_q <= digit_q + 1'b1;
      end
      if (result) begin
        result_element_q <= arrival_element;
        result_keep_q    <= keep_q;
      end
      result_index_q <= result_index + 1'b1;
      delivering_q   <= delivering && (result_index != WordIndexWidth'(Words - 1));
      done_q         <= delivering && (result_index == WordIndexWidth'(Words - 1));
      feed_index_q   <= feed_index + 1'b1;
      feed_element_q <= feed_element;
      feeding_q      <= feeding && !feed_last;
    end
  end

  // Operand words and digits.
  logic [OperandBits-1:0] y_padded, m_padded;
  logic [DigitBits-1:0] x_padded;
  logic [WordWidth-1:0] feed_y, feed_m;
  logic [DigitWidth-1:0] digit, m_prime;
  logic [DigitIndexWidth-1:0] digit_index;

  assign y_padded    = OperandBits'(y_i);
  assign m_padded    = OperandBits'(m_i);
  assign x_padded    = DigitBits'(x_i);
  assign feed_y      = y_padded[feed_index*WordWidth+:WordWidth];
  assign feed_m      = m_padded[feed_index*WordWidth+:WordWidth];
  assign digit_index = start_i ? '0 : digit_q;
  assign digit       = x_padded[digit_index*DigitWidth+:DigitWidth];
  assign m_prime     = const_i[DigitWidth-1:0];

  // The ring: outputs of element i go to i + 1, of the last one through the delay to 0.
  logic [Elements*WordWidth-1:0] ring_s, ring_y, ring_m;  // what arrives in front of each element
  logic [Elements-1:0] ring_first, ring_last;
  logic [Elements-1:0] report, carry, wrapped;
  logic [Elements*DigitWidth-1:0] quotient;
  logic [WordWidth-1:0] end_s, end_y, end_m;
  logic end_first, end_last;

  for (genvar i = 0; i < Elements; i++) begin : gen_element
    localparam bit AfterDelay = (i == 0);
    logic feed, take, first, last, wrap;
    logic [WordWidth-1:0] s, y, m, out_s, out_y, out_m;
    logic out_first, out_last;

    assign arrival[i] = ring_first[i];
    assign arrived[i] = result ? arrival[i] : (result_element_q == ElementWidth'(i));

    assign feed       = feeding && (feed_element == ElementWidth'(i));
    assign take       = delivering && arrived[i];  // the result leaves the ring here
    assign first      = feed ? start_i : (ring_first[i] && !take);
    assign last       = feed ? feed_last : (ring_last[i] && !take);
    assign wrap       = AfterDelay && !feed;
    assign s          = feed ? '0 : ring_s[i*WordWidth+:WordWidth];
    assign y          = feed ? feed_y : ring_y[i*WordWidth+:WordWidth];
    assign m          = feed ? feed_m : ring_m[i*WordWidth+:WordWidth];

    mwrkmm_element #(
      .WordWidth (WordWidth),
      .DigitWidth(DigitWidth),
      .Latency   (Latency)
    ) u_element (
      .clk_i,
      .rst_ni,
      .m_prime_i (m_prime),
      .digit_i   (digit),
      .first_i   (first),
      .last_i    (last),
      .wrap_i    (wrap),
      .s_i       (s),
      .y_i       (y),
      .m_i       (m),
      .first_o   (out_first),
      .last_o    (out_last),
      .s_o       (out_s),
      .y_o       (out_y),
      .m_o       (out_m),
      .report_o  (report[i]),
      .quotient_o(quotient[i*DigitWidth+:DigitWidth]),
      .wrap_o    (wrapped[i]),
      .carry_o   (carry[i])
    );

    if (i < Elements - 1) begin : gen_next
      assign ring_s[(i+1)*WordWidth+:WordWidth] = out_s;
      assign ring_y[(i+1)*WordWidth+:WordWidth] = out_y;
      assign ring_m[(i+1)*WordWidth+:WordWidth] = out_m;
      assign ring_first[i+1]                    = out_first;
      assign ring_last[i+1]                     = out_last;
    end else begin : gen_end
      assign end_s     = out_s;
      assign end_y     = out_y;
      assign end_m     = out_m;
      assign end_first = out_first;
      assign end_last  = out_last;
    end
  end

  if (Delay > 0) begin : gen_delay
    logic [Delay*WordWidth-1:0] s_q, y_q, m_q;
    logic [Delay-1:0] first_q, last_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        s_q     <= '0;
        y_q     <= '0;
        m_q     <= '0;
        first_q <= '0;
        last_q  <= '0;
      end else begin
        s_q     <= (Delay * WordWidth)'({s_q, end_s});
        y_q     <= (Delay * WordWidth)'({y_q, end_y});
        m_q     <= (Delay * WordWidth)'({m_q, end_m});
        first_q <= Delay'({first_q, end_first});
        last_q  <= Delay'({last_q, end_last});
      end
    end
    assign ring_s[0+:WordWidth] = s_q[(Delay-1)*WordWidth+:WordWidth];
    assign ring_y[0+:WordWidth] = y_q[(Delay-1)*WordWidth+:WordWidth];
    assign ring_m[0+:WordWidth] = m_q[(Delay-1)*WordWidth+:WordWidth];
    assign ring_first[0]        = first_q[Delay-1];
    assign ring_last[0]         = last_q[Delay-1];
  end else begin : gen_no_delay
    assign ring_s[0+:WordWidth] = end_s;
    assign ring_y[0+:WordWidth] = end_y;
    assign ring_m[0+:WordWidth] = end_m;
    assign ring_first[0]        = end_first;
    assign ring_last[0]         = end_last;
  end

  // Result register.
  logic [  WordWidth-1:0] result_word;
  logic [OperandBits-1:0] s_q;

  always_comb begin
    result_word = '0;
    for (int e = 0; e < Elements; e++) begin
      if (arrived[e]) result_word = result_word | ring_s[e*WordWidth+:WordWidth];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) s_q <= '0;
    else if (delivering && !result_keep) s_q[result_index*WordWidth+:WordWidth] <= result_word;
  end

  assign ready_o    = result;
  assign done_o     = done_q;
  assign busy_o     = (state_q != StateStarting);
  assign s_o        = s_q[Width+Guard-1:0];
  assign c_o        = '0;
  assign state_o    = state_q;
  assign position_o = PositionWidth'(feed_element);

  // Observation.
  logic [DigitWidth-1:0] seen_quotient;
  always_comb begin
    seen_quotient = '0;
    for (int e = 0; e < Elements; e++) begin
      if (report[e]) seen_quotient = seen_quotient | quotient[e*DigitWidth+:DigitWidth];
    end
  end

  logic [1:0] quotient_class;
  assign quotient_class = (seen_quotient == '0) ? 2'd0 : (&seen_quotient) ? 2'd1
                        : {1'b1, seen_quotient[0]};
  logic reported, report_wrapped;
  assign reported       = |report;
  assign report_wrapped = |(report & wrapped);
  assign top_carry_o    = |(report & carry);
  assign table_valid_o  = TablePositions'(reported);
  assign table_addr_o   = TableAddrBits'({top_carry_o, quotient_class, report_wrapped});

  // m' has one slot; the result has no bits above Width + 1.
  logic unused_bits;
  assign unused_bits = ^{xc_i, yc_i, const_i[ConstSlots*(Width+1)-1:DigitWidth],
                         s_q[OperandBits-1:Width+Guard]};

endmodule
