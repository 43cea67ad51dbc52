// SPDX-License-Identifier: Apache-2.0
//
// Property: the lemmas about the control of an exponentiation, from which Ladder.v in
// verif/formal/theorems/theories derives Result = Data**Exponent mod M.
//
// `python -m regress prove` translates every labelled assertion below into a hypothesis of the
// theorem, see verif/formal/theorems/lemmas.py. NAME_q is the value of NAME in the preceding cycle.
// Numbers have 20 bits, their values 16: no sum wraps.
//
// Products, passes and memories are opaque: each ends in any cycle after its start, and may give
// any flags. Nothing is assumed of the watchdog: an operation may end as an upset in any cycle.
// Assumed of the datapath: a product is final only after one with final_product began; m' is not
// wrong in a core without m'. Assumed of the host: a start only while the core is idle; a legal
// Length is 1 to Width.

module exponentiation_ladder
  import multiplier_pkg::*;
#(
  parameter int Width = 1024,
  parameter int WordWidth = 32,
  parameter int RadixBits = 1026,
  parameter int MPrimeBits = 0,
  parameter int ScaleBits = 0
) (
  input logic           clk_i,
  input logic           rst_ni,
  input exp_request_t   request_i,
  input exp_pass_t      pass_i,
  input exp_outcome_t   outcome_i,
  input stream_status_t a_status_i,
  input stream_status_t s_status_i,
  input logic           split_last_i
);

  typedef logic [19:0] number_t;
  localparam bit Scaled = (ScaleBits > 0);
  localparam bit HasInverse = Scaled || (MPrimeBits > 0);
  localparam int SeedDoublings = seed_doublings(Width, RadixBits, ScaleBits, WordWidth);
  localparam int SeedSquarings = seed_squarings(Width, ScaleBits);

  localparam int Above = seed_above(Width, RadixBits, ScaleBits);
  localparam int Missing = seed_missing(Width, RadixBits, ScaleBits);
  localparam int Raised = (ScaleBits / WordWidth) * WordWidth;

  logic busy_out, done_out;
  logic [3:0] status_out, state_out;
  exp_control_t control;
  assign state_out = u_dut.state_q;

  exponentiation_control #(
    .Doublings  (SeedDoublings),
    .Squarings  (SeedSquarings),
    .MaxLength  (Width),
    .StallCycles(1024),
    .Inverse    (HasInverse),
    .Scaled     (Scaled),
    .Domain     (RadixBits > 0)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .request_i,
    .busy_o   (busy_out),
    .done_o   (done_out),
    .status_o (status_out),
    .pass_i,
    .outcome_i,
    .a_status_i,
    .s_status_i,
    .products_i('0),
    .split_last_i,
    .fault_i   (1'b0),
    .control_o (control)
  );

  // ------------------------------------------------------------------------ Numbers of the lemmas
  localparam number_t Idle = 0;  // states
  localparam number_t Prepare = 1;
  localparam number_t Seed = 2;
  localparam number_t Square = 3;
  localparam number_t CheckConstant = 4;
  localparam number_t Entry = 5;
  localparam number_t Loop = 6;
  localparam number_t Exit = 7;
  localparam number_t End = 8;
  localparam number_t Zero = 0;
  localparam number_t One = 1;
  localparam number_t Ok = 2;  // status
  localparam number_t Doublings = number_t'(SeedDoublings);
  localparam number_t Squarings = number_t'(SeedSquarings);
  localparam number_t Domain = number_t'(RadixBits > 0);

  logic begun_final_q;  // the latest product of A began with final_product
  logic judged_now_q;  // M was odd when the operands were checked

  // ------------------------------------------------------------------------ Signals of the lemmas
  // signals
  logic start_a;  // the first cycle of a product of A, of S
  logic start_s;
  logic y_r;  // operands of the products, see exponentiation_operands
  logic entry;
  logic bit_step;
  logic final_product;
  logic write_r;
  logic take;  // words of the supplied R**2 arrive
  logic doubled;  // a doubling ends
  logic copied;  // the copy of the residue to S ends
  logic copy;
  logic one;  // CheckConstant continues: the residue of its last product is 1
  logic ready;
  logic second;
  logic final_begun;  // the present product of A began before this cycle, with final_product
  logic m_written;
  logic valid;  // R**2 is kept
  logic judges;  // the check of the operands ends
  logic odd;
  logic judged;  // M was odd in that cycle
  number_t state;
  number_t index;
  number_t length;
  number_t outcome;
  number_t status;
  // end signals

  // A product u*M is a part of the residue of its core.
  assign start_a       = control.start_a && !control.scale;
  assign start_s       = control.start_s;
  assign y_r           = control.y_r;
  assign entry         = control.entry;
  assign bit_step      = control.bit_step;
  assign final_product = control.final_product;
  assign write_r       = control.write_r;
  assign take          = control.take;
  assign doubled       = control.doubling && pass_i.last;
  assign copied        = control.copy && pass_i.last;
  assign copy          = control.copy;
  assign one           = (state_out == ExpCheckConstant) && u_dut.residue && outcome_i.one;
  assign ready         = u_dut.ready;
  assign second        = u_dut.second_q;
  assign final_begun   = begun_final_q;
  assign m_written     = request_i.m_written;
  assign valid         = u_dut.valid_q;
  assign judges        = (state_out == ExpPrepare) && (u_dut.step_q == ExpStepJudge);
  assign odd           = outcome_i.odd;
  assign judged        = judged_now_q;
  assign state         = number_t'(state_out);
  assign index         = number_t'(u_dut.index_q);
  assign length        = number_t'(u_dut.length_q);
  assign outcome       = number_t'(u_dut.outcome_q);
  assign status        = number_t'(status_out);

  // ------------------------------------------------------------------------------ Ghost registers
  logic begun_q = 1'b0;
  logic live_q = 1'b0;  // no reset in the preceding cycle
  logic start_a_q, start_s_q, write_r_q, take_q, doubled_q, copied_q, copy_q, one_q, ready_q;
  logic second_q, final_begun_q, m_written_q, valid_q, judges_q, odd_q, judged_q;
  number_t state_q, index_q, length_q, outcome_q;

  always_ff @(posedge clk_i) begin
    begun_q       <= 1'b1;
    live_q        <= rst_ni;
    start_a_q     <= start_a;
    start_s_q     <= start_s;
    write_r_q     <= write_r;
    take_q        <= take;
    doubled_q     <= doubled;
    copied_q      <= copied;
    copy_q        <= copy;
    one_q         <= one;
    ready_q       <= ready;
    second_q      <= second;
    final_begun_q <= final_begun;
    m_written_q   <= m_written;
    valid_q       <= valid;
    judges_q      <= judges;
    odd_q         <= odd;
    judged_q      <= judged;
    state_q       <= state;
    index_q       <= index;
    length_q      <= length;
    outcome_q     <= outcome;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {begun_final_q, judged_now_q} <= '0;
    end else begin
      if (start_a) begun_final_q <= final_product;
      else if ((state == End) || (state == Idle)) begun_final_q <= 1'b0;
      if (judges) judged_now_q <= outcome_i.odd;
      else if ((state == End) || (state == Idle)) judged_now_q <= 1'b0;
    end
  end

  // -------------------------------------------------------------------------------------- Lemmas
  always_comb begin
    if (live_q && rst_ni) begin
      // lemmas
      // The end: a status of Ok comes from Exit alone, after its product.
      ends_well :
      assert (!((state == End) && (outcome == Ok)) || ((state_q == Exit) && final_begun_q));
      idle_after_end : assert (!(state_q == End) || ((state == Idle) && (status == outcome_q)));
      idle_goes :
      assert (!(state_q == Idle) || (state == Idle) || (state == Prepare) || (state == End));
      length_stays : assert ((state_q == Idle) || (length == length_q));
      // M is odd.
      judged_idle : assert (!(state == Idle) || !judged);
      judged_from : assert (!judged || (!(state_q == Idle) && (judged_q || (judges_q && odd_q))));
      judged_is_odd :
      assert ((state == Idle) || (state == Prepare) || (state == End) || judged
          || (Domain == Zero));
      // R**2 is kept.
      valid_from : assert (!valid || (valid_q && !m_written_q && !take_q) || (state_q == Entry));
      valid_none : assert (!((state == Seed) || (state == Square)) || !valid);
      take_in_prepare : assert (!take || (state == Prepare));
      write_r_in_square : assert (!(start_s && write_r) || (state == Square));
      prepare_goes :
      assert (!(state_q == Prepare) || (state == Prepare) || (state == End) || (state == Seed)
          || ((state == CheckConstant) && start_a && !second)
          || ((state == Entry) && start_a && start_s && (valid_q || (Domain == Zero))));
      seed_domain : assert (!((state == Seed) || (state == Square)) || !(Domain == Zero));
      take_goes : assert (!take_q || !(state == Entry));
      // Seed.
      seed_begins :
      assert (!((state_q == Prepare) && (state == Seed)) || ((index == Zero) && !copy));
      seed_goes :
      assert (!(state_q == Seed) || (state == Seed) || (state == End)
          || ((state == Square) && copied_q && start_s && !second && (index == Zero)));
      seed_copies : assert (!((state_q == Seed) && copied_q) || !(state == Seed));
      seed_doubles :
      assert (!((state_q == Seed) && (state == Seed) && doubled_q && !copy)
          || (index == index_q + One));
      seed_ends :
      assert (!((state_q == Seed) && (state == Seed) && doubled_q && copy)
          || (index_q + One == Doublings));
      seed_waits :
      assert (!((state_q == Seed) && (state == Seed) && !doubled_q)
          || ((index == index_q) && (copy == copy_q)));
      seed_either : assert (!doubled || ((state == Seed) && !copy && !copied));
      copied_copies : assert (!copied || (copy && (state == Seed)));
      // Square.
      square_goes :
      assert (!(state_q == Square) || (state == Square) || (state == End)
          || ((state == Entry) && second_q && start_a && start_s));
      square_next :
      assert (!((state_q == Square) && (state == Square) && ready_q && !second_q)
          || ((index == index_q + One) && (start_s == !(index_q == Squarings))
              && (second == (index_q == Squarings))));
      square_waits :
      assert (!((state_q == Square) && (state == Square) && !(ready_q && !second_q))
          || ((index == index_q) && !start_s && (second == second_q)));
      square_index : assert (!(state == Square) || second || (index <= Squarings));
      square_second : assert (!((state == Square) && second) || !start_s);
      square_write : assert (!((state == Square) && start_s) || (write_r == (index == Squarings)));
      square_operands :
      assert (!(state == Square) || (!start_a && !entry && !bit_step && !doubled && !copied));
      // CheckConstant.
      check_goes :
      assert (!(state_q == CheckConstant) || (state == CheckConstant) || (state == End)
          || ((state == Entry) && one_q && start_a && start_s));
      check_next :
      assert (!((state_q == CheckConstant) && (state == CheckConstant))
          || (start_a == (ready_q && !second_q)));
      check_second :
      assert (!((state_q == CheckConstant) && (state == CheckConstant))
          || (second == (second_q || ready_q)));
      check_one : assert (!one || ((state == CheckConstant) && second && !start_a));
      check_operands :
      assert (!(state == CheckConstant) || (y_r && (final_product == second) && !start_s
          && !entry && !bit_step && !doubled && !copied));
      // Entry.
      entry_goes :
      assert (!(state_q == Entry) || (state == Entry) || (state == End)
          || ((state == Loop) && ready_q && start_a && start_s && (index == Zero)));
      entry_waits : assert (!((state_q == Entry) && (state == Entry)) || (!start_a && !start_s));
      entry_operands :
      assert (!(state == Entry) || (y_r && entry && !final_product && !bit_step && !write_r
          && !doubled && !copied));
      // Loop: a product of A and one of S for each bit of the exponent.
      loop_goes :
      assert (!(state_q == Loop) || (state == Loop) || (state == End)
          || ((state == Exit) && ready_q && (index_q + One == length) && start_a && !start_s));
      loop_next :
      assert (!((state_q == Loop) && (state == Loop) && ready_q)
          || ((index == index_q + One) && start_a && start_s));
      loop_waits :
      assert (!((state_q == Loop) && (state == Loop) && !ready_q)
          || ((index == index_q) && !start_a && !start_s));
      loop_operands :
      assert (!(state == Loop) || (bit_step && !entry && !y_r && !final_product && !write_r
          && !doubled && !copied));
      // Exit.
      exit_goes : assert (!(state_q == Exit) || (state == Exit) || (state == End));
      exit_waits : assert (!((state_q == Exit) && (state == Exit)) || (!start_a && !start_s));
      exit_start : assert (!(state == Exit) || (start_a == !final_begun));
      exit_operands :
      assert (!(state == Exit) || (final_product && !y_r && !entry && !bit_step && !write_r
          && !start_s && !doubled && !copied));
      rest_operands :
      assert (!((state == Idle) || (state == Prepare) || (state == Seed) || (state == End))
          || (!start_a && !start_s));
      // end lemmas
    end
  end

  always_comb begin
    if (!begun_q) assume (!rst_ni);
    if (busy_out) assume (!request_i.start);
    if (request_i.length_legal) begin
      assume ((request_i.length != '0) && (request_i.length <= 16'(Width)));
    end
    if (u_dut.product_end) begin
      assume (begun_final_q && !start_a
              && ((state_out == ExpExit) || (state_out == ExpCheckConstant)));
    end
    if (!HasInverse) assume (!request_i.m_prime_wrong);
    assume (!request_i.withheld);
  end

  // --------------------------------------------------------------------------- For the induction
  exp_step_e step;
  logic finishes;  // steps of a core with a scale after its last product
  assign step = u_dut.step_q;
  assign finishes = (step == ExpStepInverse) || (step == ExpStepScale) || (step == ExpStepSubtract);

  always_comb begin
    if (begun_q && rst_ni) begin
      // Record numbers of Ladder.v.
      if (RadixBits > 0) begin
        assert (Width - 1 + SeedDoublings + Raised == RadixBits + Above);
        assert (Missing + (Above << SeedSquarings) == 2 * RadixBits);
      end
      assert ((Above >= 0) && (Missing >= 0) && (SeedDoublings >= 0) && (SeedSquarings >= 0));
      // The codes of the package.
      assert ((Prepare == number_t'(ExpPrepare)) && (Seed == number_t'(ExpSeed)));
      assert ((Square == number_t'(ExpSquare)) && (Entry == number_t'(ExpEntry)));
      assert ((CheckConstant == number_t'(ExpCheckConstant)) && (Loop == number_t'(ExpLoop)));
      assert ((Exit == number_t'(ExpExit)) && (End == number_t'(ExpEnd)));
      assert (Ok == number_t'(StatusOk));
      assert (state <= End);
      if ((state != Idle) && (state != End)) begin
        assert ((Zero < length) && (length <= number_t'(Width)));
      end
      case (state_out)
        ExpIdle: begin
          assert (!start_a && !start_s && !begun_final_q && !judged);
          assert (step == ExpStepNothing);
        end
        ExpPrepare: begin
          assert (!start_a && !start_s && !begun_final_q && !second && (index == Zero));
          assert ((step == ExpStepLoad) || (step == ExpStepCheck) || (step == ExpStepJudge)
                  || (step == ExpStepInverse) || (step == ExpStepScale) || (step == ExpStepMatch)
                  || (step == ExpStepTake));
          if (step == ExpStepTake) assert (RadixBits > 0);
          if ((step != ExpStepLoad) && (step != ExpStepCheck) && (step != ExpStepJudge)) begin
            assert (judged || (Domain == Zero));
          end
        end
        ExpSeed: begin
          assert (RadixBits > 0);
          assert (!start_a && !start_s && !second && !begun_final_q);
          assert ((step == ExpStepMeasure) || (step == ExpStepAddress) || (step == ExpStepAlign)
                  || (step == ExpStepDouble) || (step == ExpStepCopy));
          assert (index < Doublings);
          if (step != ExpStepDouble) assert (index == Zero);
        end
        ExpSquare: begin
          assert (RadixBits > 0);
          assert (second ? (index == Squarings + One) : (index <= Squarings));
          assert (u_dut.final_q == (index == Squarings));
          assert ((step == ExpStepProduct) && !begun_final_q);
        end
        ExpCheckConstant: begin
          assert ((index == Zero) && ((step == ExpStepProduct) || (Scaled && finishes)));
          if (!second) assert (!begun_final_q);
          if (second) assert (start_a || begun_final_q);
          if (finishes) assert (second && begun_final_q && !start_a);
        end
        ExpEntry: begin
          assert ((index == Zero) && (step == ExpStepProduct) && (!begun_final_q || start_a));
        end
        ExpLoop: assert ((step == ExpStepProduct) && !begun_final_q && (index < length));
        ExpExit: begin
          assert ((step == ExpStepProduct) || (step == ExpStepResult) || (Scaled && finishes));
          if (step != ExpStepProduct) assert (begun_final_q && !start_a);
        end
        default: assert (!start_a && !start_s);
      endcase
    end
  end

endmodule
