// SPDX-License-Identifier: Apache-2.0
//
// Control of an exponentiation: entry into the Montgomery domain, two products (one of A, one of S)
// for each exponent bit from the lowest up, exit from the domain.
//
//   A = 1*R**2/R, S = Data*R**2/R                                            (entry)
//   for each of Length bits:  if bit = 1 then A = A*S/R;  S = S*S/R          (loop)
//   Result = A*1/R                                                           (exit)
//
// Both products of a step start and end together. If the bit is 0, the core also computes the
// product of A and discards it. The time of the loop therefore depends on Length alone.
//
// R**2 comes from one of three sources:
//   supplied  by the host; the check is MM(MM(1, R**2), 1) = 1
//   kept      from the previous operation, if no word of M was written since
//   computed  Doublings passes of the adder lead from 2**(Width-1) to 2**(r+a), modulo M*2**k (M
//             shifted up until its top bit is bit Width - 1). Squarings products MM(S, S) lead
//             from there to 2**(r+a*2**Squarings). One product with 2**(2*r - a*2**Squarings)
//             makes 2**(2*r) = R**2. MM(X, Y) = X*Y/R mod M, R = 2**r; a: seed_above in
//             multiplier_pkg. In a core with a scale the doublings end c bits lower, c: the bits
//             of the scale's whole words; Copy moves the value up by c bits.
//
// A core with a scale (Scaled) needs Mhat = 2**-s mod M. The control computes Mhat first: u = -1/M,
// then u*M. A value of Mhat that the host supplied must equal it. The exit of such a core is
// A*2**s/R; then u, u*M and one subtraction make the result.
// Without a Montgomery domain (Domain = 0) R and R**2 are 1: the control neither computes nor
// checks R**2, and M may be even.
//
// The state is the purpose of the present activity; the step is the active part of the datapath.
// The datapath sees neither: control_o carries all that it needs.
//
//   state          step      leaves the step with           signals of control_o
//   Idle           Nothing   a start                        -
//   Prepare        Load      last                           load
//                  Check     last (R**2 supplied)           check
//                  Judge     at once                        inverse_start
//                  Inverse   inverse_done                   -
//                  Scale     last                           scale
//                  Match     last                           match
//                  Take      last (R**2 supplied)           take
//   Seed           Measure   at once                        -
//                  Address   at once                        address
//                  Align     last                           align
//                  Double    Doublings times last           doubling, first_doubling
//                  Copy      last                           copy
//   Square         Product   S done of the last one         product, start_s, write_r at last
//   CheckConstant  Product   two products                   product, start_a, y_r; the second one
//                                                           with final_product
//   Entry          Product   ready                          product, start_a, start_s, entry, y_r
//   Loop           Product   Length times ready             product, start_a, start_s, bit_step
//   Exit           Product   the adder, or split_last_i     product, start_a, final_product
//                  Result    last                           deliver
//   End            Nothing   at once                        rewind, also in Idle
//
// constant is high in Prepare. first_doubling has a meaning with doubling alone, final_product with
// product alone. With Coherent, start_a and start_s are always high together. In CheckConstant and
// Exit, a core with a scale continues from Product with Inverse (inverse_start in the last cycle of
// Product), Scale (scale) and Subtract (subtract, until last).
//
//   Idle -> Prepare; End: an operand is incomplete, or Length or Exponent is out of range
//   Prepare -> CheckConstant: R**2 supplied; Seed: R**2 unknown; Entry: R**2 kept, or no domain;
//              End: an operand or a constant is wrong
//   Seed -> Square -> Entry; End: the host's m' or Mhat is wrong
//   CheckConstant -> Entry; End: the host's R**2, m' or Mhat is wrong
//   Entry -> Loop -> Exit -> End -> Idle
//
// Upsets of registers: exponentiation_upset_detector reports them; the operation then ends with
// StatusUpset, or with StatusIntegrity if a word had a wrong parity bit. running is low while the
// control is idle. It holds the datapath in reset, so that each operation begins in the same state.
// withheld in Idle: the host reads a word of the result with a wrong parity bit. Then the status
// becomes StatusIntegrity, and no result can be read.
//
// Coherent: with a second accumulator R0 for the bits that are 0, Result*R0*Data = S after the last
// step. In Exit, index counts the products that check it; y names their Y:
//
//   index   product of A          product of S       signals of control_o
//   0       V = A*1/R             Q1 = S*1/R         final_product; the adder makes Result of V
//           step Result           -                  deliver
//   1       R0 = R0*Result/R      (discarded)        verify, y_residue, discard_s
//   2       R0 = R0*Data/R        (discarded)        verify, y_base, discard_s
//   3       (not used)            Q2 = Q1*1/R        verify, y_one
//   4       R0*1/R                Q3 = Q2*1/R        verify, y_one, compare
//   5       B = 1*R**2/R          (discarded)        y_r
//   6       B*1/R                 (discarded)        final_product; one at its end
//
// Both products 4 must agree, and product 6 must be 1, else the status is StatusIncoherent and no
// result can be read. Product 6 finds a wrong R**2, and a wrong constant that all products used.
//
// In the tables last is a member of pass_i, and inverse_done and one are members of outcome_i. S
// done: all words of a product of S are written. ready: the next product may start.
// split_last_i, in a core with a scale: the adder takes the last word of the product of A.
// fault_i: see exponentiation_upset_detector.
// status_o: code Status… of multiplier_pkg. done_o: the operation has ended.
//
// Latency: models/ring_exponentiation.py.
//
// Source: Michalski & Buell, Algorithm 4 and ch. 5.5.

module exponentiation_control
  import multiplier_pkg::*;
#(
  parameter int Doublings = 1,
  parameter int Squarings = 1,
  parameter int MaxLength = 32,
  parameter int StallCycles = 1024,
  parameter bit Inverse   = 1'b1,
  parameter bit Scaled    = 1'b0,
  parameter bit Domain    = 1'b1,
  parameter bit Parity    = 1'b0,
  parameter bit Coherent  = 1'b0
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // Host
  input  exp_request_t         request_i,
  output logic                 busy_o,
  output logic                 done_o,
  output logic           [3:0] status_o,
  // Passes
  input  exp_pass_t            pass_i,
  input  exp_outcome_t         outcome_i,
  // Products
  input  stream_status_t       a_status_i,
  input  stream_status_t       s_status_i,
  input  exp_products_t        products_i,
  input  logic                 split_last_i,
  input  logic                 fault_i,
  // Datapath
  output exp_control_t         control_o
);

  exp_state_e state_d, state_q;
  exp_step_e step_d, step_q;
  logic [3:0] status_d, status_q;  // as the host reads it
  logic [3:0] outcome_d, outcome_q;  // status once the operation ends
  // From the start: Length; R**2 was supplied; an operand has bits above its width
  logic [15:0] length_d, length_q;
  logic supplied_d, supplied_q, overwide_d, overwide_q;
  // From the check of the operands: M > 1; Data or R**2 is not below M
  logic above_one_d, above_one_q, range_d, range_q;
  // R**2 is kept for this M: 1 from Entry on, 0 if the operation then does not end with Ok
  logic valid_d, valid_q;
  // Exponent bits, doublings, squarings or products that have ended in the present state
  logic [15:0] index_d, index_q, index_next;
  // CheckConstant: the second product has started. Square: all products have started, the last one
  // is ready.
  logic second_d, second_q;
  logic final_d, final_q;  // Square: its last product has started; registered for timing
  // First cycle of a product (issue), of A, of S. Timing: register the starts, the rings wait.
  logic issue_d, start_a_d, start_a_q, start_s_d, start_s_q;
  logic running_q;  // the state is not Idle
  logic upset, integrity, parity_d, parity;  // see exponentiation_upset_detector
  // Index in Exit of the last product of the coherence check, and of the check of R**2
  localparam int ComparedProduct = 4;
  localparam int LastProduct = 6;
  // In Exit (see the table): any product after the first one; products 1 to 4; product 4; product 6
  logic exit_product, verify, compare, last_product;

  assign index_next = index_q + 1'b1;

  // The next product may start. Only one multiplier works in Square and CheckConstant; otherwise
  // both products end together.
  logic ready;
  assign ready = a_status_i.ready || s_status_i.ready;

  // Icarus: signals of their own, because these records change in every cycle.
  logic last, square_done;
  assign last        = pass_i.last;
  assign square_done = s_status_i.done;

  // Icarus: use assign here. A separate always block changes its output on the way to the
  // final value; Icarus would then run it and the block below in turns without end.
  logic [3:0] verdict, checked;  // status after the check of the operands; of m' or Mhat
  assign verdict = overwide_q ? StatusOperandRange
                 : !above_one_q ? StatusModulusZeroOrOne
                 : (Domain && !outcome_i.odd) ? StatusModulusEven
                 : range_q ? StatusOperandRange : StatusOk;
  assign checked = request_i.m_prime_wrong ? StatusConstantInconsistent : StatusOk;

  // State and step after the constants (after Judge in a core without any). They depend on the
  // source of R**2.
  exp_state_e next_state;
  exp_step_e next_step;
  logic domain;  // Icarus: the process below needs a signal
  assign domain = Domain;
  always_comb begin
    if (!domain) begin
      next_state = ExpEntry;
      next_step  = ExpStepProduct;
    end else if (supplied_q) begin
      next_state = ExpPrepare;
      next_step  = ExpStepTake;
    end else if (!valid_q) begin
      next_state = ExpSeed;
      next_step  = ExpStepMeasure;
    end else if (request_i.m_prime_wrong) begin
      next_state = ExpEnd;
      next_step  = ExpStepNothing;
    end else begin
      next_state = ExpEntry;
      next_step  = ExpStepProduct;
    end
  end

  // product_end: the present product of A leaves its multiplier. last_done: it is the last one of
  // CheckConstant or Exit. residue: its residue below M is known.
  logic product_end, last_done, residue;
  assign product_end = Scaled ? split_last_i : outcome_i.done;
  assign last_done   = (step_q == ExpStepProduct) && product_end;
  assign residue     = Scaled ? ((step_q == ExpStepSubtract) && last) : last_done;

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
    valid_d     = valid_q && !request_i.m_written;

    if (Scaled) begin
      case (step_q)
        ExpStepProduct: begin
          if (last_done) step_d = ExpStepInverse;
        end
        ExpStepInverse: begin
          if (outcome_i.inverse_done) begin
            step_d  = ExpStepScale;
            issue_d = 1'b1;
          end
        end
        ExpStepScale: begin
          if (last) step_d = ExpStepSubtract;
        end
        default: ;
      endcase
    end

    case (state_q)
      ExpIdle: begin
        index_d = '0;
        // An upset of the state ended the operation without ExpEnd.
        if (status_q == StatusBusy) begin
          status_d = StatusUpset;
          valid_d  = 1'b0;
        end
        if (request_i.withheld) status_d = StatusIntegrity;
        if (request_i.start) begin
          status_d   = StatusBusy;
          outcome_d  = StatusExponentRange;  // of an exponent that is not legal
          length_d   = request_i.length;
          supplied_d = Domain && request_i.supplied;
          overwide_d = request_i.overwide;
          range_d    = 1'b0;
          second_d   = 1'b0;
          state_d    = ExpEnd;
          if (request_i.incomplete) begin
            outcome_d = StatusOperandIncomplete;
          end else if (!request_i.length_legal) begin
            outcome_d = StatusLengthRange;
          end else if (request_i.exponent_legal) begin
            step_d  = ExpStepLoad;
            state_d = ExpPrepare;
          end
        end
      end
      ExpPrepare: begin
        case (step_q)
          ExpStepLoad, ExpStepCheck: begin
            if (last) begin
              range_d = range_q || !outcome_i.negative;
              above_one_d = outcome_i.above_one;
              step_d = ExpStepJudge;
              if ((step_q == ExpStepLoad) && supplied_q) step_d = ExpStepCheck;
            end
          end
          ExpStepJudge: begin
            outcome_d = verdict;
            if (verdict != StatusOk) begin
              step_d  = ExpStepNothing;
              state_d = ExpEnd;
            end else if (Inverse) begin
              step_d = ExpStepInverse;
            end else begin
              step_d  = next_step;
              state_d = next_state;
              issue_d = (next_step == ExpStepProduct);
            end
          end
          ExpStepScale: begin
            if (last) step_d = ExpStepMatch;
          end
          ExpStepInverse, ExpStepMatch: begin
            if (Scaled ? ((step_q == ExpStepMatch) && last) : outcome_i.inverse_done) begin
              // Record now that m' or Mhat is wrong, report it once R**2 is known: the status
              // covers both constants.
              outcome_d = checked;
              step_d    = next_step;
              state_d   = next_state;
              issue_d   = (next_step == ExpStepProduct);
            end
          end
          default: begin  // ExpStepTake
            valid_d = 1'b0;
            if (last) begin
              step_d  = ExpStepProduct;
              state_d = ExpCheckConstant;
              issue_d = 1'b1;
            end
          end
        endcase
      end
      ExpSeed: begin
        case (step_q)
          ExpStepMeasure: step_d = ExpStepAddress;
          ExpStepAddress: step_d = ExpStepAlign;
          ExpStepAlign: begin
            if (last) step_d = ExpStepDouble;
          end
          ExpStepDouble: begin
            if (last) begin
              index_d = index_next;
              if (index_next == 16'(Doublings)) begin
                index_d = '0;
                step_d  = ExpStepCopy;
              end
            end
          end
          default: begin  // ExpStepCopy
            if (last) begin
              step_d  = ExpStepProduct;
              state_d = ExpSquare;
              issue_d = 1'b1;
            end
          end
        endcase
      end
      ExpSquare: begin
        if (ready && !second_q) begin
          index_d  = index_next;
          issue_d  = (index_q != 16'(Squarings));
          second_d = (index_q == 16'(Squarings));  // all have started, the last one is ready
        end
        if (square_done && second_q) begin
          index_d = '0;
          issue_d = (outcome_q == StatusOk);
          if (outcome_q == StatusOk) begin
            state_d = ExpEntry;
          end else begin
            step_d  = ExpStepNothing;
            state_d = ExpEnd;
          end
        end
      end
      ExpCheckConstant: begin
        if (ready && !second_q) begin
          second_d = 1'b1;
          issue_d  = 1'b1;
        end
        if (residue) begin
          if (outcome_i.one && (outcome_q == StatusOk)) begin
            issue_d = 1'b1;
            step_d  = ExpStepProduct;
            state_d = ExpEntry;
          end else begin
            outcome_d = StatusConstantInconsistent;
            step_d    = ExpStepNothing;  // in this cycle, or another pass would begin
            state_d   = ExpEnd;
          end
        end
      end
      ExpEntry: begin
        valid_d = !request_i.m_written;
        if (ready) begin
          issue_d = 1'b1;
          state_d = ExpLoop;
        end
      end
      ExpLoop: begin
        if (ready) begin
          index_d = index_next;
          issue_d = 1'b1;
          if (index_next == length_q) begin
            index_d = '0;
            state_d = ExpExit;
          end
        end
      end
      ExpExit: begin
        if (residue) step_d = ExpStepResult;
        if ((step_q == ExpStepResult) && last) begin
          step_d  = ExpStepNothing;
          state_d = ExpEnd;
        end
        if (Coherent) begin
          // The comparison reads M: product 5 waits for its end.
          if (((step_q == ExpStepResult) && last)
              || (exit_product && !last_product && (compare ? outcome_i.compared : ready))) begin
            index_d = index_next;
            issue_d = 1'b1;
            step_d  = ExpStepProduct;
            state_d = ExpExit;
          end
          if ((outcome_i.compared && !outcome_i.coherent) || (residue && (index_q != '0))) begin
            index_d = '0;
            issue_d = 1'b0;
            step_d  = ExpStepNothing;
            state_d = ExpEnd;
            if (outcome_i.compared || !outcome_i.one) begin
              outcome_d = StatusIncoherent;
              valid_d   = 1'b0;
            end
          end
        end
      end
      ExpEnd: begin
        step_d   = ExpStepNothing;
        status_d = outcome_q;
        state_d  = ExpIdle;
      end
      default: begin
        outcome_d = StatusUpset;
        valid_d   = 1'b0;
        step_d    = ExpStepNothing;
        state_d   = ExpEnd;
      end
    endcase

    if (upset) begin
      outcome_d = integrity ? StatusIntegrity : StatusUpset;
      valid_d   = 1'b0;
      index_d   = '0;
      issue_d   = 1'b0;
      step_d    = ExpStepNothing;
      state_d   = ExpEnd;
    end
  end

  exponentiation_upset_detector #(
    .Doublings  (Doublings),
    .Squarings  (Squarings),
    .LastProduct(LastProduct),
    .MaxLength  (MaxLength),
    .StallCycles(StallCycles),
    .Scaled     (Scaled),
    .Parity     (Parity),
    .Coherent   (Coherent)
  ) u_upset_detector (
    .clk_i,
    .rst_ni,
    .state_i        (state_q),
    .step_i         (step_q),
    .index_i        (index_q),
    .length_i       (length_q),
    .running_i      (running_q),
    .parity_d_i     (parity_d),
    .parity_i       (parity),
    .host_length_i  (request_i.length),
    .position_i     (request_i.position),
    .product_start_i(start_a_q || start_s_q),
    .last_i         (last),
    .fault_i,
    .apart_i        (products_i.apart),
    .upset_o        (upset),
    .integrity_o    (integrity)
  );

  // Parity of all registers that the state machine writes
  assign parity_d = ^{state_d, step_d, status_d, outcome_d, start_a_d, second_d, index_d, final_d,
                      length_d, supplied_d, overwide_d, above_one_d, range_d, valid_d,
                      state_d != ExpIdle};
  assign parity = ^{state_q, step_q, status_q, outcome_q, start_a_q, second_q, index_q, final_q,
                    length_q, supplied_q, overwide_q, above_one_q, range_q, valid_q, running_q};

  assign final_d = (index_d == 16'(Squarings));
  assign start_a_d = issue_d && (Coherent || (state_d != ExpSquare));
  assign start_s_d = !Coherent && issue_d && ((state_d == ExpSquare) || (state_d == ExpEntry)
                                           || (state_d == ExpLoop));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= ExpIdle;
      step_q <= ExpStepNothing;
      status_q <= StatusIdle;
      outcome_q <= StatusIdle;
      {start_a_q, start_s_q, second_q, index_q, final_q, length_q, supplied_q, overwide_q} <= '0;
      {above_one_q, range_q, valid_q, running_q} <= '0;
    end else begin
      state_q     <= state_d;
      step_q      <= step_d;
      status_q    <= status_d;
      outcome_q   <= outcome_d;
      start_a_q   <= start_a_d;
      start_s_q   <= start_s_d;
      second_q    <= second_d;
      index_q     <= index_d;
      final_q     <= final_d;
      length_q    <= length_d;
      supplied_q  <= supplied_d;
      overwide_q  <= overwide_d;
      above_one_q <= above_one_d;
      range_q     <= range_d;
      valid_q     <= valid_d;
      running_q   <= (state_d != ExpIdle);
    end
  end

  assign control_o.running = running_q;
  // Products
  assign control_o.start_a = start_a_q;
  assign control_o.start_s = Coherent ? start_a_q : start_s_q;
  assign control_o.product = (step_q == ExpStepProduct);
  assign control_o.scale = Scaled && (step_q == ExpStepScale);
  assign control_o.entry = (state_q == ExpEntry);
  assign control_o.bit_step = (state_q == ExpLoop);
  assign control_o.final_product  = ((state_q == ExpExit) && (!exit_product || last_product))
                                 || ((state_q == ExpCheckConstant) && second_q);
  assign control_o.write_r = (state_q == ExpSquare) && final_q;
  assign control_o.y_r = (state_q == ExpEntry) || (state_q == ExpCheckConstant)
                      || (exit_product && (index_q == 16'(ComparedProduct + 1)));
  // Coherence check
  assign exit_product = Coherent && (state_q == ExpExit) && (index_q != '0);
  assign last_product = (index_q == 16'(LastProduct));
  assign verify = exit_product && (index_q <= 16'(ComparedProduct));
  assign control_o.verify = verify;
  assign control_o.discard_s = verify && (index_q <= 16'd2);
  assign control_o.y_residue = verify && (index_q == 16'd1);
  assign control_o.y_base = verify && (index_q == 16'd2);
  assign control_o.y_one = verify && (index_q > 16'd2);
  assign compare = verify && (index_q == 16'(ComparedProduct));
  assign control_o.compare = compare;
  // Constants
  assign control_o.inverse_start = (step_q == ExpStepJudge) || (Scaled && last_done);
  assign control_o.constant = (state_q == ExpPrepare);
  // Exponent
  assign control_o.rewind = (state_q == ExpEnd) || (state_q == ExpIdle);
  // Passes
  assign control_o.load = (step_q == ExpStepLoad);
  assign control_o.check = (step_q == ExpStepCheck);
  assign control_o.take = (step_q == ExpStepTake);
  assign control_o.match = Scaled && (step_q == ExpStepMatch);
  assign control_o.address = (step_q == ExpStepAddress);
  assign control_o.align = (step_q == ExpStepAlign);
  assign control_o.doubling = (step_q == ExpStepDouble);
  assign control_o.first_doubling = (index_q == '0);
  assign control_o.copy = (step_q == ExpStepCopy);
  assign control_o.subtract = Scaled && (step_q == ExpStepSubtract);
  assign control_o.deliver = (step_q == ExpStepResult);

  assign busy_o = (state_q != ExpIdle);
  assign done_o = (state_q == ExpIdle) && (status_q != StatusIdle);
  assign status_o = status_q;

  `ASSERT(StartWhileIdle, !request_i.start || (state_q == ExpIdle))
  `ASSERT(PassWithStep, !last || (step_q != ExpStepNothing))

  logic unused_bits;
  assign unused_bits = ^{pass_i, a_status_i, s_status_i, products_i};

endmodule
