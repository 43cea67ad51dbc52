// SPDX-License-Identifier: Apache-2.0
//
// Property: the control of the exponentiation core never hangs; it has no exponent bit as input.
//
//   while busy_o a rank decreases in every cycle, so each start ends within the rank's range
//   some run reaches every state of the package, and no run reaches another state
//
// The rank, highest part first: the state, the steps left in it (exponent bits, squarings,
// doublings), the pass or product in it, the cycles left until the awaited answer. Assumptions:
// passes, products and m' end within Answer cycles after their start; only a started product
// becomes ready; Length is at least 1. Covers every Length of 16 bits and every operand. Reset at
// any time.

module exponentiation_progress
  import multiplier_pkg::*;
#(
  parameter int Answer = 4,
  parameter int Doublings = 3,
  parameter int Squarings = 2,
  parameter int Domain = 1
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        start_i,
  input logic        incomplete_i,
  input logic        length_legal_i,
  input logic        exponent_legal_i,
  input logic        overwide_i,
  input logic [15:0] length_i,
  input logic        m_written_i,
  input logic        supplied_i,
  input logic        last_i,
  input logic        negative_i,
  input logic        above_one_i,
  input logic        odd_i,
  input logic        inverse_done_i,
  input logic        m_prime_wrong_i,
  input logic        ready_i,
  input logic        square_done_i,
  input logic        done_i,
  input logic        result_is_one_i
);

  logic busy, done;
  logic [3:0] status, step, state;
  exp_request_t request;
  exp_control_t control;
  exp_pass_t pass;
  exp_outcome_t outcome;
  stream_status_t a_status, s_status;

  assign request.start          = start_i;
  assign request.incomplete     = incomplete_i;
  assign request.length_legal   = length_legal_i;
  assign request.exponent_legal = exponent_legal_i;
  assign request.overwide       = overwide_i;
  assign request.length         = length_i;
  assign request.m_written      = m_written_i;
  assign request.supplied       = supplied_i;
  assign request.m_prime_wrong  = m_prime_wrong_i;
  assign request.position       = '0;
  assign request.withheld       = 1'b0;
  assign outcome.done           = done_i;
  assign outcome.negative       = negative_i;
  assign outcome.above_one      = above_one_i;
  assign outcome.one            = result_is_one_i;
  assign outcome.odd            = odd_i;
  assign outcome.inverse_done   = inverse_done_i;
  assign outcome.compared       = 1'b0;
  assign outcome.coherent       = 1'b0;

  always_comb begin
    pass           = '0;
    pass.last      = last_i;
    a_status       = '0;
    a_status.ready = ready_i;
    s_status       = '0;
    s_status.done  = square_done_i;
  end

  exponentiation_control #(
    .Doublings(Doublings),
    .Squarings(Squarings),
    .Inverse  (Domain != 0),
    .Scaled   (1'b0),
    .Domain   (Domain != 0)
  ) u_control (
    .clk_i,
    .rst_ni,
    .request_i   (request),
    .busy_o      (busy),
    .done_o      (done),
    .status_o    (status),
    .pass_i      (pass),
    .outcome_i   (outcome),
    .a_status_i  (a_status),
    .s_status_i  (s_status),
    .products_i  ('0),
    .split_last_i(1'b0),
    .fault_i     (1'b0),
    .control_o   (control)
  );

  logic second;
  assign second = u_control.second_q;
  assign step   = u_control.step_q;
  assign state  = u_control.state_q;

  localparam int WaitWidth = $clog2(Answer + 2);
  logic [15:0] length, index;
  assign length = u_control.length_q;
  assign index  = u_control.index_q;

  // Cycles since the state, the step, the product or the index last changed.
  logic begun_q = 1'b0;
  logic [24:0] place, place_q;
  logic [WaitWidth-1:0] wait_q, waits;
  assign place = {state, step, second, index};
  assign waits = (place == place_q) ? wait_q + 1'b1 : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wait_q  <= '0;
      place_q <= '0;
    end else begin
      wait_q  <= busy ? waits : '0;
      place_q <= place;
    end
  end

  // Rank.
  localparam int RankWidth = 4 + 16 + 4 + WaitWidth;
  logic [15:0] steps;
  logic [ 3:0] part;
  logic [RankWidth-1:0] rank, rank_q;
  logic busy_q;

  always_comb begin
    steps = '0;
    part  = '0;
    case (state)
      ExpPrepare: begin
        case (step)
          ExpStepLoad:    part = 4'd5;
          ExpStepCheck:   part = 4'd4;
          ExpStepJudge:   part = 4'd3;
          ExpStepInverse: part = 4'd2;
          default:        part = 4'd1;
        endcase
      end
      ExpSeed: begin
        steps = (step == ExpStepCopy) ? '0 : 16'(Doublings) - index;
        case (step)
          ExpStepMeasure: part = 4'd5;
          ExpStepAddress: part = 4'd4;
          ExpStepAlign:   part = 4'd3;
          ExpStepDouble:  part = 4'd2;
          default:        part = 4'd1;
        endcase
      end
      ExpSquare: begin
        steps = 16'(Squarings + 1) - index;
        part  = second ? 4'd0 : 4'd1;
      end
      ExpCheckConstant, ExpExit: begin
        part = {2'b00, step != ExpStepResult, !second};
      end
      ExpLoop: steps = length - index;
      default: ;
    endcase
    rank = {4'd15 - state, steps, part, WaitWidth'(Answer + 1) - waits};
  end

  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    rank_q  <= rank;
    busy_q  <= rst_ni && busy;
  end

  for (genvar i = 0; i <= 32'(ExpEnd); i++) begin : gen_state
    if ((Domain != 0) || (i < 32'(ExpSeed)) || (i > 32'(ExpCheckConstant))) begin : gen_cover
      always_comb cover (begun_q && (state == 4'(i)));
    end
  end
  always_comb cover (done && (status == StatusOk));
  if (Domain != 0) begin : gen_wrong
    always_comb cover (done && (status == StatusConstantInconsistent));
  end

  // All products of a state are ready; the control only waits for the end of a pass.
  logic ended;
  assign ended = ((state == ExpSquare) && second)
              || ((state == ExpCheckConstant) && second) || (state == ExpExit);

  always_comb begin
    if (!begun_q) assume (!rst_ni);
    assume (!length_legal_i || (length_i != '0));
    if (busy) assume (!start_i);
    if ((state == ExpSquare) && second) assume (!ready_i);
    if (waits == WaitWidth'(Answer)) begin
      assume (last_i && square_done_i && done_i && inverse_done_i && (ready_i || ended));
    end
    if (begun_q && rst_ni) begin
      if (busy && busy_q) assert (rank < rank_q);
      assert (busy ? (status == StatusBusy) : (status != StatusBusy));
      // For the induction.
      assert (state <= ExpEnd);
      assert (waits <= WaitWidth'(Answer));
      if (busy) assert (u_control.outcome_q != StatusBusy);
      if (Domain == 0) begin
        assert ((state != ExpSeed) && (state != ExpSquare) && (state != ExpCheckConstant));
        assert (!u_control.supplied_q && (step != ExpStepInverse));
      end
      case (state)
        ExpIdle, ExpEnd: assert (index == '0);
        ExpPrepare: begin
          assert ((index == '0) && !second && (length != '0));
          assert ((step == ExpStepLoad) || (step == ExpStepCheck) || (step == ExpStepJudge)
                  || (step == ExpStepInverse) || (step == ExpStepTake));
          if (Domain == 0) assert ((step != ExpStepCheck) && (step != ExpStepTake));
          if (step == ExpStepTake) assert (u_control.supplied_q);
        end
        ExpSeed: begin
          assert (!second && (length != '0) && (index < 16'(Doublings)));
          assert ((step == ExpStepMeasure) || (step == ExpStepAddress) || (step == ExpStepAlign)
                  || (step == ExpStepDouble) || (step == ExpStepCopy));
          if (step != ExpStepDouble) assert (index == '0);
        end
        ExpSquare: begin
          assert ((step == ExpStepProduct) && (length != '0));
          assert (second ? (index == 16'(Squarings + 1)) : (index <= 16'(Squarings)));
        end
        ExpCheckConstant: begin
          assert ((step == ExpStepProduct) && (length != '0) && (index == '0));
        end
        ExpEntry: assert ((step == ExpStepProduct) && (index == '0) && (length != '0));
        ExpLoop: assert ((step == ExpStepProduct) && (index < length));
        default: begin
          assert (((step == ExpStepProduct) || (step == ExpStepResult)) && (index == '0));
        end
      endcase
    end
  end

endmodule
