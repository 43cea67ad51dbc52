// SPDX-License-Identifier: Apache-2.0
//
// Control of the exponentiation over ring cores: domain entry, one pair of products for each
// exponent bit from the lowest on, domain exit.
//
//   A = 1*R**2/R, S = Base*R**2/R                                            (entry)
//   for each of length_i bits:  if bit = 1 then A = A*S/R;  S = S*S/R        (loop)
//   Result = A*1/R                                                           (exit)
//
// Both products of a step start and end together. A's product is computed for a zero bit, too, and
// thrown away, so that nothing but length_i tells how long the loop takes. R**2: the host's,
// checked by MM(MM(1, R**2), 1) = 1; or the one of the operation before, if M was not written; or
// computed: Doublings passes of the adder lead from 2**(Width-1) to 2**(r+a) modulo M*2**k with its
// top bit in place, Squarings products MM(S, S) from there to 2**(r+a*2**Squarings), and one
// product with 2**(r - a*2**Squarings) to 2**(2*r) = R**2, r = bits of R.
//
// Cores with a scale (exponentiation_ring) take Mhat = 2**-s mod M, which is made before anything
// else, u = -1/M and then u*M, and compared with the host's, if there is one or not. The exit is
// A*2**s/R, and u, u*M, and one subtraction make the result of it.
//
// Without a Montgomery domain (Domain = 0) R and R**2 are 1, there is nothing to be made or checked
// of them, and M may be even.
//
// state_o is what it does (PowerIdle ...), step_o how (RingLoad ...): products, and passes over
// memories, whose ends the datapath tells. square_done_i: the words of a product of S are there;
// done_i: those of the last product of A are, the one whose residue is wanted.
// Latency: models/ring_exponentiation.py.
//
// Source: Michalski & Buell, Algorithm 4 and ch. 5.5.

module ring_control
  import multiplier_pkg::*;
#(
  parameter int Doublings = 1,
  parameter int Squarings = 1,
  parameter bit Inverse   = 1'b1,
  parameter bit Scaled    = 1'b0,
  parameter bit Domain    = 1'b1
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  // Loader
  input  logic        start_i,
  input  logic        incomplete_i,
  input  logic        length_legal_i,
  input  logic        exponent_legal_i,
  input  logic        overwide_i,
  input  logic [15:0] length_i,
  input  logic        m_written_i,
  input  logic        supplied_i,
  output logic        busy_o,
  output logic        done_o,
  output logic [ 3:0] status_o,
  // Passes: last_i ends one, with what the adder found
  input  logic        last_i,
  input  logic        negative_i,
  input  logic        above_one_i,
  input  logic        odd_i,
  input  logic        inverse_done_i,
  input  logic        m_prime_wrong_i,
  // Products
  input  logic        ready_i,
  input  logic        square_done_i,
  input  logic        done_i,
  input  logic        result_is_one_i,
  output logic        start_a_o,
  output logic        start_s_o,
  output logic        inverse_start_o,
  output logic        second_o,
  output logic        last_square_o,
  output logic        first_doubling_o,
  output logic [ 3:0] step_o,
  output logic [ 3:0] state_o
);

  logic [3:0] state_d, state_q, step_d, step_q;
  logic [3:0] status_d, status_q, outcome_d, outcome_q;
  logic final_q;  // the last square is made: the words of operands wait for it
  // First clock of a product, and of A's, S's: the rings wait for it.
  logic issue_d, start_a_d, start_a_q, start_s_d, start_s_q;
  logic second_d, second_q;  // of two products in a state
  logic [15:0] index_d, index_q, index_next;
  logic valid_d, valid_q;  // R**2 is there
  logic supplied_d, supplied_q;
  logic overwide_d, overwide_q;
  logic above_one_d, above_one_q, range_d, range_q;
  logic [15:0] length_d, length_q;

  assign index_next = index_q + 1'b1;

  // Not in blocks of their own: one that changes a value on its way to another would make Icarus
  // run it and the block below in turns for ever.
  logic [3:0] verdict, checked;  // of the operands, of m'
  assign verdict = overwide_q ? StatusOperandRange
                 : !above_one_q ? StatusModulusZeroOrOne
                 : (Domain && !odd_i) ? StatusModulusEven
                 : range_q ? StatusOperandRange : StatusOk;
  assign checked = m_prime_wrong_i ? StatusConstantInconsistent : StatusOk;

  // What comes then depends on where R**2 is to come from.
  logic [3:0] next_state, next_step;
  assign next_state = !Domain ? PowerEntry
                    : supplied_q ? PowerPrepare
                    : !valid_q ? PowerSeed
                    : m_prime_wrong_i ? PowerEnd : PowerEntry;
  assign next_step = !Domain ? RingProduct
                   : supplied_q ? RingTake
                   : !valid_q ? RingMeasure
                   : m_prime_wrong_i ? RingNothing : RingProduct;

  // The last product of A has ended, and its residue is known.
  logic last_done, residue;
  assign last_done = (step_q == RingProduct) && done_i;
  assign residue   = Scaled ? ((step_q == RingSubtract) && last_i) : last_done;

  always_comb begin
    state_d     = state_q;
    step_d      = step_q;
    status_d    = status_q;
    outcome_d   = outcome_q;
    issue_d     = 1'b0;
    second_d    = second_q;
    index_d     = index_q;
    length_d    = length_q;
    supplied_d  = supplied_q;
    overwide_d  = overwide_q;
    above_one_d = above_one_q;
    range_d     = range_q;
    valid_d     = valid_q && !m_written_i;

    if (Scaled) begin
      case (step_q)
        RingProduct: begin
          if (last_done) step_d = RingInverse;
        end
        RingInverse: begin
          if (inverse_done_i) begin
            step_d  = RingScale;
            issue_d = 1'b1;
          end
        end
        RingScale: begin
          if (last_i) step_d = RingSubtract;
        end
        default: ;
      endcase
    end

    case (state_q)
      PowerIdle: begin
        if (start_i) begin
          status_d   = StatusBusy;
          outcome_d  = StatusExponentRange;
          length_d   = length_i;
          supplied_d = Domain && supplied_i;
          overwide_d = overwide_i;
          range_d    = 1'b0;
          second_d   = 1'b0;
          state_d    = PowerEnd;
          if (incomplete_i) begin
            outcome_d = StatusOperandIncomplete;
          end else if (!length_legal_i) begin
            outcome_d = StatusLengthRange;
          end else if (exponent_legal_i) begin
            step_d  = RingLoad;
            state_d = PowerPrepare;
          end
        end
      end
      PowerPrepare: begin
        case (step_q)
          RingLoad, RingCheck: begin
            if (last_i) begin
              range_d = range_q || !negative_i;
              above_one_d = above_one_i;
              step_d = ((step_q == RingLoad) && supplied_q) ? RingCheck : RingJudge;
            end
          end
          RingJudge: begin
            outcome_d = verdict;
            if (verdict != StatusOk) begin
              state_d = PowerEnd;
            end else if (Inverse) begin
              step_d = RingInverse;
            end else begin
              step_d  = next_step;
              state_d = next_state;
              issue_d = (next_step == RingProduct);
            end
          end
          RingScale: begin
            if (last_i) step_d = RingMatch;
          end
          RingInverse, RingMatch: begin
            if (Scaled ? ((step_q == RingMatch) && last_i) : inverse_done_i) begin
              // Found out now, told when R**2 is there: both constants are judged together.
              outcome_d = checked;
              step_d    = next_step;
              state_d   = next_state;
              issue_d   = (next_step == RingProduct);
            end
          end
          default: begin
            valid_d = 1'b0;
            if (last_i) begin
              step_d  = RingProduct;
              state_d = PowerCheckConstant;
              issue_d = 1'b1;
            end
          end
        endcase
      end
      PowerSeed: begin
        case (step_q)
          RingMeasure: step_d = RingAddress;
          RingAddress: step_d = RingAlign;
          RingAlign: begin
            if (last_i) step_d = RingDouble;
          end
          RingDouble: begin
            if (last_i) begin
              index_d = index_next;
              if (index_next == 16'(Doublings)) begin
                index_d = '0;
                step_d  = RingCopy;
              end
            end
          end
          default: begin
            if (last_i) begin
              step_d  = RingProduct;
              state_d = PowerSquare;
              issue_d = 1'b1;
            end
          end
        endcase
      end
      PowerSquare: begin
        if (ready_i && !second_q) begin
          index_d  = index_next;
          issue_d  = (index_q != 16'(Squarings));
          second_d = (index_q == 16'(Squarings));  // all are started, and the last one is ready
        end
        if (square_done_i && second_q) begin
          index_d = '0;
          issue_d = (outcome_q == StatusOk);
          state_d = (outcome_q == StatusOk) ? PowerEntry : PowerEnd;
        end
      end
      PowerCheckConstant: begin
        if (ready_i && !second_q) begin
          second_d = 1'b1;
          issue_d  = 1'b1;
        end
        if (residue) begin
          if (result_is_one_i && (outcome_q == StatusOk)) begin
            issue_d = 1'b1;
            step_d  = RingProduct;
            state_d = PowerEntry;
          end else begin
            outcome_d = StatusConstantInconsistent;
            step_d    = RingNothing;  // at once: another pass would begin
            state_d   = PowerEnd;
          end
        end
      end
      PowerEntry: begin
        valid_d = !m_written_i;
        if (ready_i) begin
          issue_d = 1'b1;
          state_d = PowerLoop;
        end
      end
      PowerLoop: begin
        if (ready_i) begin
          index_d = index_next;
          issue_d = 1'b1;
          if (index_next == length_q) begin
            index_d = '0;
            state_d = PowerExit;
          end
        end
      end
      PowerExit: begin
        if (residue) step_d = RingResult;
        if ((step_q == RingResult) && last_i) begin
          step_d  = RingNothing;
          state_d = PowerEnd;
        end
      end
      default: begin
        step_d   = RingNothing;
        status_d = outcome_q;
        state_d  = PowerIdle;
      end
    endcase
  end

  assign start_a_d = issue_d && (state_d != PowerSquare);
  assign start_s_d = issue_d && ((state_d == PowerSquare) || (state_d == PowerEntry)
                              || (state_d == PowerLoop));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q     <= PowerIdle;
      step_q      <= RingNothing;
      status_q    <= StatusIdle;
      outcome_q   <= StatusIdle;
      start_a_q   <= 1'b0;
      start_s_q   <= 1'b0;
      second_q    <= 1'b0;
      index_q     <= '0;
      final_q     <= 1'b0;
      length_q    <= '0;
      supplied_q  <= 1'b0;
      overwide_q  <= 1'b0;
      above_one_q <= 1'b0;
      range_q     <= 1'b0;
      valid_q     <= 1'b0;
    end else begin
      state_q     <= state_d;
      step_q      <= step_d;
      status_q    <= status_d;
      outcome_q   <= outcome_d;
      start_a_q   <= start_a_d;
      start_s_q   <= start_s_d;
      second_q    <= second_d;
      index_q     <= index_d;
      final_q     <= (index_d == 16'(Squarings));
      length_q    <= length_d;
      supplied_q  <= supplied_d;
      overwide_q  <= overwide_d;
      above_one_q <= above_one_d;
      range_q     <= range_d;
      valid_q     <= valid_d;
    end
  end

  assign start_a_o = start_a_q;
  assign start_s_o = start_s_q;
  assign inverse_start_o = (step_q == RingJudge) || (Scaled && last_done);
  assign second_o = second_q;
  assign last_square_o = final_q;
  assign first_doubling_o = (index_q == '0);
  assign busy_o = (state_q != PowerIdle);
  assign done_o = (state_q == PowerIdle) && (status_q != StatusIdle);
  assign status_o = status_q;
  assign step_o = step_q;
  assign state_o = state_q;

endmodule
