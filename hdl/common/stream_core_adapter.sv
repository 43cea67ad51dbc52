// SPDX-License-Identifier: Apache-2.0
//
// Stands in the place of a core with parallel operands (multiplier_unit has that contract) and
// works with the ring core named by the macro MULTIPLIER_STREAM_CORE: gives it words of Y and M and
// digits of X, and collects the words of its result.
//
// Contract of a ring core, word streams, all numbered from the lowest word or digit on:
//   control_i.start with word 0 of Y and M and digit 0 of X; then word feed_index of Y and M in the
//   clock after the one in which status_o.feed_index says so, and the next digit of X in each clock
//   of next_digit. Digits behind the top of X are 0. m_prime_i, for cores that have it, steady
//   -> status_o.valid: word_o is word index of the result; ready with word 0, and in the next clock
//      the next chained product may start, whose operands are this result: its word j is asked for
//      a clock after it was given or later; done in the clock after the last word
//
// Parameters say what the core is like; the registry entry has them. RadixBits: R of a chain is
// 2**RadixBits. MPrimeBits: of m' = -1/M; 0: none. ScaleBits: not 0 for a core that takes Mhat =
// 2**-ScaleBits mod M in the place of M, and whose results are below M*2**(ScaleBits+1).
// Latency: the core's.
//
// Source: none; the ring's operands were registers once.

`ifndef MULTIPLIER_STREAM_CORE
`define MULTIPLIER_STREAM_CORE mwrkmm
`endif  // MULTIPLIER_STREAM_CORE
`ifndef MULTIPLIER_STREAM_CORE_PARAMETERS
`define MULTIPLIER_STREAM_CORE_PARAMETERS
`endif  // MULTIPLIER_STREAM_CORE_PARAMETERS

module stream_core_adapter
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int Guard = 2,
  parameter int WordWidth = 17,
  parameter int DigitWidth = 16,
  parameter int Words = 3,
  parameter int RadixBits = 48,
  parameter int MPrimeBits = 16,
  parameter int ScaleBits = 0
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic                            start_i,
  input  logic                            field_i,
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
  output logic                            binary_o,
  output logic                            unreduced_o,
  output logic                            chainable_o,
  output logic [                    15:0] radix_bits_o,
  output logic [      TablePositions-1:0] table_valid_o,
  output logic [       TableAddrBits-1:0] table_addr_o,
  output logic [                     1:0] state_o,
  output logic [       PositionWidth-1:0] position_o,
  output logic                            top_carry_o,
  output logic                            carry_valid_o,
  output logic [       PositionWidth-1:0] carry_word_o
);

  localparam int PaddedWidth = Words * WordWidth;
  localparam int Digits = (Width + Guard + DigitWidth - 1) / DigitWidth + 1;  // the last one is 0
  localparam int DigitIndexWidth = $clog2(Digits);

  localparam logic [StepBits-1:0] ConstantStep = {
    StepInverse,
    (ScaleBits > 0) ? ReduceOnce : ReduceNone,
    1'b1,
    8'((ScaleBits > 0) ? ScaleBits - 1 : MPrimeBits - 1),
    3'd0
  };
  localparam logic [StepBits-1:0] ResultStep = {
    StepAdd, (ScaleBits > 0) ? ReduceFull : ReduceOnce, 1'b0, SourceS, SourceZero, ToResult
  };
  assign program_o = ((ScaleBits > 0) || (MPrimeBits > 0))
                   ? ProgramBits'({EndStep, ResultStep, RunStep, ConstantStep})
                   : ProgramBits'({EndStep, ResultStep, RunStep});
  assign binary_o = 1'b0;
  assign unreduced_o = 1'b0;
  assign chainable_o = 1'b1;
  assign radix_bits_o = 16'(RadixBits);

  stream_control_t control;
  stream_status_t status;
  stream_observation_t observation;
  logic [WordWidth-1:0] word;

  assign control.start = start_i;
  assign control.kind  = chain_i ? ProductChain : ProductSingle;

  // Words and digits out of the operands.
  logic [WordIndexWidth-1:0] feed_index_q;
  logic [DigitIndexWidth-1:0] digit_index_q, digit_index;
  logic [PaddedWidth-1:0] y_padded, m_padded;
  logic [Digits*DigitWidth-1:0] x_padded;
  logic [WordWidth-1:0] feed_y, feed_m;
  logic [DigitWidth-1:0] digit, m_prime;

  assign x_padded = (Digits * DigitWidth)'(x_i);
  assign y_padded = PaddedWidth'(y_i);
  assign m_padded = (ScaleBits > 0) ? PaddedWidth'(const_i[Width:0]) : PaddedWidth'(m_i);
  assign feed_y = y_padded[feed_index_q*WordWidth+:WordWidth];
  assign feed_m = m_padded[feed_index_q*WordWidth+:WordWidth];
  assign digit_index = start_i ? '0 : digit_index_q;
  assign digit = x_padded[digit_index*DigitWidth+:DigitWidth];
  assign m_prime = (MPrimeBits > 0) ? const_i[DigitWidth-1:0] : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      feed_index_q  <= '0;
      digit_index_q <= '0;
    end else begin
      feed_index_q <= status.feed_index;
      // It stays at the zero behind the top.
      if (status.next_digit && (digit_index != DigitIndexWidth'(Digits - 1))) begin
        digit_index_q <= digit_index + 1'b1;
      end else if (start_i) begin
        digit_index_q <= '0;
      end
    end
  end

  `MULTIPLIER_STREAM_CORE #(
    .Width(Width)
    `MULTIPLIER_STREAM_CORE_PARAMETERS
  ) u_core (
    .clk_i,
    .rst_ni,
    .control_i    (control),
    .status_o     (status),
    .digit_i      (digit),
    .y_i          (feed_y),
    .m_i          (feed_m),
    .m_prime_i    (m_prime),
    .word_o       (word),
    .observation_o(observation)
  );

  // The result. A product that is thrown away is not collected.
  logic keep_q, result_keep_q, result_keep;
  logic [PaddedWidth-1:0] words_q;

  assign result_keep = status.ready ? keep_q : result_keep_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      keep_q        <= 1'b0;
      result_keep_q <= 1'b0;
      words_q       <= '0;
    end else begin
      if (start_i) keep_q <= keep_i;
      result_keep_q <= result_keep;
      if (status.valid && !result_keep) words_q[status.index*WordWidth+:WordWidth] <= word;
    end
  end

  assign s_o           = (Width + Guard)'(words_q);
  assign c_o           = '0;

  assign busy_o        = status.busy;
  assign ready_o       = status.ready;
  assign done_o        = status.done;
  assign state_o       = observation.state;
  assign table_valid_o = observation.table_valid;
  assign table_addr_o  = observation.table_addr;
  assign position_o    = observation.position;
  assign top_carry_o   = observation.top_carry;
  assign carry_valid_o = observation.carry_valid;
  assign carry_word_o  = observation.carry_word;

  // The words may hold more than the result; constants have one slot.
  logic unused_bits;
  assign unused_bits = ^{field_i, xc_i, yc_i, m_i, const_i, words_q};

endmodule
