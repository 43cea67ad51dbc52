// SPDX-License-Identifier: Apache-2.0
//
// Property: the control of the exponentiation core never hangs, and the exponent has no say in it.
//
//   while busy_o a rank falls in every clock, so that each start ends within the rank's range
//   two controls that are given the same but for the exponent's bits do the same in every clock,
//     all outputs alike but keep_o, which throws a product away; no other state than those of the
//   package every state is reached by some run
//
// The rank, highest part first: the state, the steps left in it (exponent bits, squarings, the two
// of Check), the clocks left to the answer that is waited for. The assumptions: units and power
// answer a start within Answer clocks; R is steady while busy_o, Length at least 1. Every Length of
// 16 bits, every R. Reset at any time.

module exponentiation_progress
  import multiplier_pkg::*;
#(
  parameter int Answer = 4
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        start_i,
  input logic        incomplete_i,
  input logic        length_legal_i,
  input logic        exponent_legal_i,
  input logic [15:0] length_i,
  input logic        m_written_i,
  input logic        r_squared_supplied_i,
  input logic        m_prime_wrong_i,
  input logic [15:0] radix_bits_i,
  input logic        unit_ready_i,
  input logic [ 3:0] unit_status_i,
  input logic        result_is_one_i,
  input logic        power_done_i,
  input logic [ 1:0] bits_i
);

  // Outputs of a control, all but keep_o.
  localparam int OutputWidth = 1 + 1 + 4 + 1 + 1 + 2 + 1 + 1 + 1 + 16 + 1 + 16 + 1 + 1 + 1 + 4;

  logic [1:0] busy, done, start_a, start_s, keep, first, second, supplied, power_start;
  logic [1:0] take_supplied, take_power, take_square;
  logic [1:0][3:0] status, state;
  logic [1:0][1:0] mode;
  logic [1:0][15:0] index, doublings;
  logic [1:0][OutputWidth-1:0] outputs;

  for (genvar i = 0; i < 2; i++) begin : gen_copy
    exponentiation_control u_control (
      .clk_i,
      .rst_ni,
      .start_i,
      .incomplete_i,
      .length_legal_i,
      .exponent_legal_i,
      .length_i,
      .m_written_i,
      .r_squared_supplied_i,
      .m_prime_wrong_i,
      .busy_o           (busy[i]),
      .done_o           (done[i]),
      .status_o         (status[i]),
      .radix_bits_i,
      .unit_ready_i,
      .unit_status_i,
      .result_is_one_i,
      .start_a_o        (start_a[i]),
      .start_s_o        (start_s[i]),
      .mode_o           (mode[i]),
      .keep_o           (keep[i]),
      .first_o          (first[i]),
      .second_o         (second[i]),
      .supplied_o       (supplied[i]),
      .index_o          (index[i]),
      .bit_i            (bits_i[i]),
      .power_start_o    (power_start[i]),
      .power_doublings_o(doublings[i]),
      .power_done_i,
      .take_supplied_o  (take_supplied[i]),
      .take_power_o     (take_power[i]),
      .take_square_o    (take_square[i]),
      .state_o          (state[i])
    );
    assign outputs[i] = {
      busy[i],
      done[i],
      status[i],
      start_a[i],
      start_s[i],
      mode[i],
      first[i],
      second[i],
      supplied[i],
      index[i],
      power_start[i],
      doublings[i],
      take_supplied[i],
      take_power[i],
      take_square[i],
      state[i]
    };
  end

  localparam int WaitWidth = $clog2(Answer + 2);

  logic begun_q = 1'b0;
  logic [WaitWidth-1:0] wait_q, power_wait_q;
  logic [15:0] radix_bits_q;
  logic [ 2:0] squarings;
  assign squarings = gen_copy[0].u_control.squarings;
  logic [15:0] length;
  assign length = gen_copy[0].u_control.length_q;

  always_ff @(posedge clk_i) begin
    begun_q      <= 1'b1;
    radix_bits_q <= radix_bits_i;
  end

  // Clocks since a start that has not been answered.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wait_q       <= '0;
      power_wait_q <= '0;
    end else begin
      if (start_a[0] || start_s[0]) wait_q <= WaitWidth'(1);
      else if (unit_ready_i) wait_q <= '0;
      else if (wait_q != '0) wait_q <= wait_q + 1'b1;
      if (power_start[0]) power_wait_q <= WaitWidth'(1);
      else if (power_done_i) power_wait_q <= '0;
      else if (power_wait_q != '0) power_wait_q <= power_wait_q + 1'b1;
    end
  end

  // Rank.
  localparam int RankWidth = 4 + 16 + 1 + 1 + WaitWidth;
  logic [15:0] steps;
  logic [WaitWidth-1:0] waits;
  logic phase, issue;
  logic [RankWidth-1:0] rank, rank_q;
  logic busy_q;

  assign issue = gen_copy[0].u_control.issue_q;

  always_comb begin
    steps = '0;
    waits = wait_q;
    phase = 1'b0;
    case (state[0])
      PowerPrepare: phase = !second[0];
      PowerSeed: waits = power_wait_q;
      PowerSquare: steps = 16'(squarings) - index[0];
      PowerCheckConstant: phase = !second[0];
      PowerLoop: steps = length - index[0];
      default: ;
    endcase
    rank = {4'd15 - state[0], steps, phase, issue, WaitWidth'(Answer + 1) - waits};
  end

  always_ff @(posedge clk_i) begin
    rank_q <= rank;
    busy_q <= rst_ni && busy[0];
  end

  // No state is unreachable.
  for (genvar i = 0; i <= 32'(PowerEnd); i++) begin : gen_state
    always_comb cover (begun_q && (state[0] == 4'(i)));
  end
  always_comb cover (done[0] && (status[0] == StatusOk));
  always_comb cover (done[0] && (status[0] == StatusConstantInconsistent));

  always_comb begin
    if (!begun_q) assume (!rst_ni);
    if (begun_q && busy[0]) assume (radix_bits_i == radix_bits_q);
    assume (!length_legal_i || (length_i != '0));
    if (busy[0]) assume (!start_i);
    assume (wait_q <= WaitWidth'(Answer));
    assume (power_wait_q <= WaitWidth'(Answer));
    assume (!unit_ready_i || (wait_q != '0));
    assume (unit_status_i != StatusBusy);
    assume (!power_done_i || (power_wait_q != '0));
    if (begun_q && rst_ni) begin
      assert (outputs[0] == outputs[1]);
      if (busy[0] && busy_q) assert (rank < rank_q);
      if (busy[0])
        assert (status[0] == StatusBusy);
        else assert (status[0] != StatusBusy);
      // For the induction: both are in the same state.
      assert (gen_copy[0].u_control.issue_q == gen_copy[1].u_control.issue_q);
      assert (gen_copy[0].u_control.outcome_q == gen_copy[1].u_control.outcome_q);
      assert (gen_copy[0].u_control.length_q == gen_copy[1].u_control.length_q);
      assert (gen_copy[0].u_control.r_squared_valid_q == gen_copy[1].u_control.r_squared_valid_q);
      // Who is waited for in which state, and how far it has come.
      if (busy[0]) assert (gen_copy[0].u_control.outcome_q != StatusBusy);
      case (state[0])
        PowerIdle, PowerEnd: assert ((wait_q == '0) && (power_wait_q == '0));
        PowerPrepare: begin
          assert ((index[0] == '0) && (length != '0) && (power_wait_q == '0));
          assert (issue ? (wait_q == '0) && !second[0] : ((wait_q != '0) == !second[0]));
        end
        PowerSeed: begin
          assert ((index[0] == '0) && (length != '0) && (wait_q == '0));
          assert (issue == (power_wait_q == '0));
        end
        PowerSquare: begin
          assert ((index[0] < 16'(squarings)) && (length != '0) && (power_wait_q == '0));
          assert (issue == (wait_q == '0));
        end
        PowerLoop: begin
          assert ((index[0] < length) && (power_wait_q == '0));
          assert (issue == (wait_q == '0));
        end
        PowerExit: assert ((power_wait_q == '0) && (issue == (wait_q == '0)));
        default: begin
          assert ((index[0] == '0) && (length != '0) && (power_wait_q == '0));
          assert (issue == (wait_q == '0));
          assert ((state[0] == PowerCheckConstant) || (state[0] == PowerEntry));
        end
      endcase
    end
  end

endmodule
