// SPDX-License-Identifier: Apache-2.0
//
// Property: the lemmas about a whole unit with parallel operands, its core and its memories, from
// which Whole.v in verif/formal/theorems/theories derives the product of the unit.
//
// `python -m regress prove` translates every labelled assertion below into a hypothesis of the
// theorem, see verif/formal/theorems/lemmas.py; nothing else states these hypotheses. NAME_q is the
// value of NAME in the preceding cycle. j is any bit position; signals "of j" depend on it. No
// arithmetic below wraps: numbers are 16 bits wider than a word.
//
// Assumed of the loader: a start only while the unit is idle, no write while it is busy or in the
// cycle of a start; the words of an operand are written from the lowest on.
// Assumed of the watchdog: it ends no operation. The status of an operation that it ends is Upset.

module unit_lemmas
  import multiplier_pkg::*;
  import core_pkg::*;
#(
  parameter int Width = 16,
  parameter int BusWidth = 8,
  parameter int AddWidth = 8,
  parameter int Guard = 2,
  parameter int Core = CoreFastMontgomery,
  parameter int Unfolding = 1,
  parameter bit Watchdog = 1'b0
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic [        15:0] j_i,
  input logic [         2:0] write_i,
  input logic [         2:0] read_i,
  input logic [        15:0] write_index_i,
  input logic [        15:0] read_index_i,
  input logic [BusWidth-1:0] data_i,
  input logic                start_i,
  input logic                raw_i,
  input logic                incomplete_i,
  input logic                overwide_i
);

  typedef logic [AddWidth+15:0] number_t;
  localparam int Operands = 3;
  localparam int Words = (Width + Guard + AddWidth) / AddWidth;
  localparam int IndexWidth = ((Words > 1) ? $clog2(Words) : 1) + 1;
  localparam int ReadWords = (Width + AddWidth - 1) / AddWidth;

  logic busy_out, done_out, binary;
  logic [3:0] status_out;
  logic [BusWidth-1:0] word;
  multiplier_view_t view;

  parallel_unit #(
    .Width     (Width),
    .BusWidth  (BusWidth),
    .AddWidth  (AddWidth),
    .Guard     (Guard),
    .IndexWidth(16),
    .Core      (Core),
    .Unfolding (Unfolding),
    .Watchdog  (Watchdog)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .write_i,
    .read_i,
    .write_index_i,
    .read_index_i,
    .data_i,
    .word_o  (word),
    .start_i,
    .raw_i,
    .field_i (1'b0),
    .incomplete_i,
    .overwide_i,
    .busy_o  (busy_out),
    .done_o  (done_out),
    .status_o(status_out),
    .binary_o(binary),
    .view_o  (view)
  );

  // ------------------------------------------------------------------------ Numbers of the lemmas
  localparam number_t Idle = 0;  // states of parallel_control
  localparam number_t Load = 1;
  localparam number_t Step = 2;
  localparam number_t Add = 3;
  localparam number_t Running = 4;
  localparam number_t End = 5;
  localparam number_t Zero = 0;
  localparam number_t One = 1;
  localparam number_t Two = 2;
  localparam number_t Three = 3;
  localparam number_t Ok = 2;  // status
  localparam number_t ZeroOrOne = 4;
  localparam number_t Even = 5;
  localparam number_t OutOfRange = 6;
  localparam number_t Positions = number_t'(Width);
  localparam number_t BusBits = number_t'(BusWidth);
  localparam number_t WordBits = number_t'(AddWidth);
  localparam number_t PassWords = number_t'(Words);
  localparam number_t Taken = number_t'(Unfolding);
  localparam number_t Sums = number_t'(Core == CoreFasterMontgomery);

  function automatic logic bit_of(number_t value, number_t position);
    return value[position];
  endfunction
  function automatic number_t above(number_t value);  // 2**AddWidth * value
    return value << AddWidth;
  endfunction
  function automatic number_t inverse(number_t value);  // 2**AddWidth - 1 - value
    return number_t'(AddWidth'(~value));
  endfunction

  // ------------------------------------------------------------------------ Signals of the lemmas
  // signals
  logic begins;  // any start
  logic start;  // a start that is neither raw, incomplete nor of operands that are too wide
  logic busy;
  logic done;
  logic core_start;
  logic core_done;
  logic core_next;
  logic unload;
  logic result_start;  // the control starts the pass of the result
  logic sums_first;  // constant: the load adds Y and M
  logic step;
  logic pass_done;
  logic x_below;
  logic y_below;
  logic above_one;
  logic odd;
  logic good;  // the operation began with such a start
  logic kept;  // the last pass kept the difference
  logic valid;  // the unit holds the result of a good operation that was not rejected
  logic read_result;  // the host reads a word of P, and nothing else
  logic x_0;  // bits of X at the core
  logic x_1;
  logic x_2;
  logic x_3;
  number_t state;
  number_t outcome;
  number_t status;
  number_t pass;  // cycles since the start of a pass, 0 without one
  number_t index;
  number_t taken;  // bits of X that the core has taken
  number_t x_word;
  number_t y_word;
  number_t m_word;
  number_t a;
  number_t b;
  number_t s_word;
  number_t c_word;
  number_t sum;
  number_t difference;
  number_t carry;
  number_t saved;
  number_t x_difference;
  number_t y_difference;
  number_t x_carry;
  number_t y_carry;
  number_t read_index;
  logic x_content;  // of j: bits of the operands, as the host wrote them
  logic y_content;  // of j
  logic m_content;  // of j
  logic y_core;  // of j: bits of the operands at the core
  logic m_core;  // of j
  logic constant;  // of j: bit of constant 0 at the core
  logic result_bit;  // of j: bit of the word that the host reads
  number_t sum_kept;  // of j: word of the last pass that has bit j
  number_t difference_kept;  // of j
  // end signals
  number_t j;

  assign begins       = start_i;
  assign start        = start_i && !raw_i && !incomplete_i && !overwide_i;
  assign busy         = busy_out;
  assign done         = done_out;
  assign core_start   = u_dut.core_control.start;
  assign unload       = u_dut.core_control.unload;
  assign core_done    = u_dut.core_status.done;
  assign core_next    = u_dut.core_status.next;
  assign step         = u_dut.step;
  assign pass_done    = u_dut.add_done;
  assign x_below      = u_dut.x_below;
  assign y_below      = u_dut.y_below;
  assign above_one    = u_dut.above_one;
  assign odd          = u_dut.odd;
  assign read_result  = (read_i == 3'b001) && !busy;
  assign x_0          = u_dut.x_bits[0];
  assign x_1          = u_dut.x_bits[1];
  assign x_2          = u_dut.x_bits[2];
  assign x_3          = u_dut.x_bits[3];
  assign state        = number_t'(u_dut.state);
  assign outcome      = number_t'(u_dut.u_control.outcome_q);
  assign status       = number_t'(status_out);
  assign index        = number_t'(u_dut.word_index);
  assign x_word       = number_t'(u_dut.x_word);
  assign y_word       = number_t'(u_dut.y_word);
  assign m_word       = number_t'(u_dut.m_word);
  assign a            = number_t'(u_dut.add_a);
  assign b            = number_t'(u_dut.add_b);
  assign s_word       = number_t'(AddWidth'(u_dut.s));
  assign c_word       = number_t'(AddWidth'(u_dut.c));
  assign sum          = number_t'(u_dut.u_adder.sum_word[AddWidth:1]);
  assign difference   = number_t'(u_dut.difference_word);
  assign carry        = number_t'(u_dut.u_adder.carry_q);
  assign saved        = number_t'(u_dut.u_adder.saved_q) + number_t'(!u_dut.u_adder.borrow_q);
  assign x_difference = number_t'(u_dut.u_operands.u_check.x_difference[AddWidth:1]);
  assign y_difference = number_t'(u_dut.u_operands.u_check.y_difference[AddWidth:1]);
  assign x_carry      = number_t'(!x_below);
  assign y_carry      = number_t'(!y_below);
  assign read_index   = number_t'(read_index_i);
  assign j            = number_t'(j_i);
  assign y_core       = (j_i < 16'(Width)) && u_dut.y[j_i];
  assign m_core       = (j_i < 16'(Width)) && u_dut.m[j_i];
  assign constant     = (j_i <= 16'(Width)) && u_dut.constants[j_i];
  assign result_bit   = word[j_i%16'(BusWidth)];

  // The number of the core's step, and of the current one.
  step_t [ProgramSteps-1:0] steps;
  logic [2:0] run;
  logic [3:0] at;
  assign steps = u_dut.description.steps;
  assign at    = 4'(u_dut.u_control.step_q);
  always_comb begin
    run = '0;
    for (int i = ProgramSteps - 2; i >= 0; i--) begin
      if (steps[i].operation == StepRun) run = 3'(i);
    end
  end
  assign sums_first   = (run != 3'd0);
  assign result_start = (state == Step) && (at == 4'(run) + 4'd1);

  // Contents of the operand memories: bit j as it was written, and the word that was read last.
  localparam int InLane = common_divisor(BusWidth, AddWidth);
  localparam int InRow = BusWidth / InLane * AddWidth;
  localparam int InLanes = InRow / InLane;
  localparam int InRows = (Width + InRow - 1) / InRow;
  logic [Operands-1:0] content_q, answer_q, any_q, read, stored, parted, lasts, data_bit;
  logic [15:0] read_q[Operands];
  logic [15:0] asked [Operands];
  logic [15:0] filled[Operands];
  assign x_content = content_q[AddressXP];
  assign y_content = content_q[AddressYS];
  assign m_content = content_q[AddressMC];

  for (genvar i = 0; i < Operands; i++) begin : gen_operand
    logic [InLanes-1:0] lanes;
    assign read[i] = u_dut.u_operands.gen_operand[i].u_memory.read_i && !write_i[i];
    assign asked[i] = 16'(u_dut.u_operands.gen_operand[i].u_memory.read_index_i);
    assign filled[i] = 16'(u_dut.u_operands.gen_operand[i].u_memory.gen_prefix.filled_q);
    assign lasts[i] = u_dut.u_operands.gen_operand[i].u_memory.last_q;
    assign parted[i] = (u_dut.u_operands.gen_operand[i].u_memory.read_part_q
                        == 32'(read_q[i]) % (InRow / AddWidth));
    assign data_bit[i] = u_dut.u_operands.gen_operand[i].u_memory.data_o[j_i%16'(AddWidth)];
    for (genvar l = 0; l < InLanes; l++) begin : gen_lane
      if ((InRows > 1) || (l * InLane < Width)) begin : gen_ram
        logic [InLane-1:0] lane;
        assign lane = u_dut.u_operands.gen_operand[i].u_memory.gen_lane[l].gen_ram.words[
            j_i/16'(InRow)];
        assign lanes[l] = lane[j_i%16'(InLane)];
      end else begin : gen_nothing
        assign lanes[l] = 1'b0;
      end
    end
    assign stored[i] = lanes[(j_i%16'(InRow))/16'(InLane)];
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        content_q[i] <= 1'b0;
        any_q[i]     <= 1'b0;
      end else begin
        if (write_i[i] && (j_i < 16'(Width)) && (write_index_i == j_i / 16'(BusWidth))) begin
          content_q[i] <= data_i[j_i%16'(BusWidth)];
        end
        if (read[i]) any_q[i] <= 1'b1;
      end
    end
    always_ff @(posedge clk_i) begin
      if (read[i]) begin
        read_q[i]   <= asked[i];
        answer_q[i] <= content_q[i];
      end
    end
  end

  // Contents of the two banks for P.
  localparam int OutRow = InRow;
  localparam int OutRows = (Width + OutRow - 1) / OutRow;
  logic [1:0] banked;
  for (genvar i = 0; i < 2; i++) begin : gen_bank
    logic [InLanes-1:0] lanes;
    for (genvar l = 0; l < InLanes; l++) begin : gen_lane
      if ((OutRows > 1) || (l * InLane < Width)) begin : gen_ram
        logic [InLane-1:0] lane;
        assign lane = u_dut.u_results.gen_result[i].u_memory.gen_lane[l].gen_ram.words[
            j_i/16'(OutRow)];
        assign lanes[l] = lane[j_i%16'(InLane)];
      end else begin : gen_nothing
        assign lanes[l] = 1'b0;
      end
    end
    assign banked[i] = lanes[(j_i%16'(OutRow))/16'(InLane)];
  end

  // The counter of the core. Iterations that it counts: all, or those after the cycle of the start.
  localparam bit Early = (Core == CoreMm42) || (Unfolding > 1);
  localparam int Iterations = Early ? (Width + Unfolding - 1) / Unfolding - 1 : Width;
  logic [15:0] count;
  logic last_count;
  if (Core == CoreFastMontgomery) begin : gen_fast
    assign count = 16'(u_dut.u_core.gen_fast_montgomery.u_core.u_iterations.u_control.count_q);
    assign last_count = u_dut.u_core.gen_fast_montgomery.u_core.u_iterations.u_control.last_q;
  end else if (Core == CoreFasterMontgomery) begin : gen_faster
    assign count = 16'(u_dut.u_core.gen_faster_montgomery.u_core.u_iterations.u_control.count_q);
    assign last_count = u_dut.u_core.gen_faster_montgomery.u_core.u_iterations.u_control.last_q;
  end else if (Core == CoreMm42) begin : gen_mm42
    assign count = 16'(u_dut.u_core.gen_mm42.u_core.u_iterations.u_control.count_q);
    assign last_count = u_dut.u_core.gen_mm42.u_core.u_iterations.u_control.last_q;
  end else begin : gen_other
    $error("unit_lemmas.sv has no counter of this core: add a branch");
  end

  // ------------------------------------------------------------------------------ Ghost registers
  logic begun_q = 1'b0;
  logic live_q = 1'b0;  // no reset in the preceding cycle
  logic loads_q;
  logic [15:0] j_q, loaded_q;
  logic above_one_q, begins_q, core_done_q, core_next_q, core_start_q, good_q, kept_q;
  logic m_content_q, odd_q, pass_done_q, read_result_q, result_start_q, start_q, step_q, valid_q;
  logic x_below_q, x_content_q, y_below_q, y_content_q;
  number_t a_q, b_q, carry_q, difference_q, difference_kept_q, index_q, m_word_q, outcome_q;
  number_t pass_q, read_index_q, saved_q, state_q, sum_q, sum_kept_q, taken_q, x_carry_q;
  number_t x_difference_q, x_word_q, y_carry_q, y_difference_q, y_word_q;

  always_ff @(posedge clk_i) begin
    begun_q           <= 1'b1;
    live_q            <= rst_ni;
    j_q               <= j_i;
    a_q               <= a;
    above_one_q       <= above_one;
    b_q               <= b;
    begins_q          <= begins;
    carry_q           <= carry;
    core_done_q       <= core_done;
    core_next_q       <= core_next;
    core_start_q      <= core_start;
    difference_q      <= difference;
    difference_kept_q <= difference_kept;
    good_q            <= good;
    index_q           <= index;
    kept_q            <= kept;
    m_content_q       <= m_content;
    m_word_q          <= m_word;
    odd_q             <= odd;
    outcome_q         <= outcome;
    pass_q            <= pass;
    pass_done_q       <= pass_done;
    read_index_q      <= read_index;
    read_result_q     <= read_result;
    result_start_q    <= result_start;
    saved_q           <= saved;
    start_q           <= start;
    state_q           <= state;
    step_q            <= step;
    sum_q             <= sum;
    sum_kept_q        <= sum_kept;
    taken_q           <= taken;
    valid_q           <= valid;
    x_below_q         <= x_below;
    x_carry_q         <= x_carry;
    x_content_q       <= x_content;
    x_difference_q    <= x_difference;
    x_word_q          <= x_word;
    y_below_q         <= y_below;
    y_carry_q         <= y_carry;
    y_content_q       <= y_content;
    y_difference_q    <= y_difference;
    y_word_q          <= y_word;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {good, kept, valid, loads_q} <= '0;
      {pass, taken, sum_kept, difference_kept, loaded_q} <= '0;
    end else begin
      loads_q <= u_dut.u_operands.load_word;
      if (start_i) good <= start;
      if (start_i) valid <= 1'b0;
      else if ((state == End) && good && (outcome == Ok)) valid <= 1'b1;
      if (pass_done) kept <= u_dut.subtracted;
      if (u_dut.add_start) pass <= One;
      else if (pass > PassWords) pass <= '0;
      else if (pass != '0) pass <= pass + One;
      if (u_dut.x_read) taken <= '0;
      else if (core_next) taken <= taken + Taken;
      if (step && (index == j / WordBits)) begin
        sum_kept        <= sum;
        difference_kept <= difference;
      end
      if (start_i) loaded_q <= '0;
      else if (loads_q) loaded_q <= loaded_q + 16'd1;
    end
  end

  // -------------------------------------------------------------------------------------- Lemmas
  always_comb begin
    if (live_q && rst_ni) begin
      // lemmas
      begins_start : assert (!start || begins);
      begins_idle : assert (!begins || (state == Idle));
      starts : assert (!start_q || ((state == Load) && (pass == One) && good));
      good_stays : assert ((state_q == Idle) || (good == good_q));
      idle_stays : assert (!((state_q == Idle) && !begins_q) || (state == Idle));
      is_busy : assert (busy == !(state == Idle));
      load_goes_on : assert (!((state_q == Load) && !pass_done_q) || (state == Load));
      load_passes :
      assert (!((state_q == Load) && pass_done_q && good_q && x_below_q
          && y_below_q && above_one_q && odd_q) || (core_start && (state == Step)));
      load_rejects :
      assert (!((state_q == Load) && pass_done_q && good_q && !(x_below_q
          && y_below_q && above_one_q && odd_q)) || (state == End));
      rejects_modulus :
      assert (!((state_q == Load) && pass_done_q && good_q && !above_one_q)
          || (outcome == ZeroOrOne));
      rejects_even :
      assert (!((state_q == Load) && pass_done_q && good_q && above_one_q
          && !odd_q) || (outcome == Even));
      rejects_range :
      assert (!((state_q == Load) && pass_done_q && good_q && above_one_q
          && odd_q && !(x_below_q && y_below_q)) || (outcome == OutOfRange));
      core_start_step : assert (!core_start || ((state == Step) && !result_start));
      result_start_step : assert (!result_start || (state == Step));
      adds_first : assert (sums_first == (Sums == One));
      core_runs : assert (!core_start_q || (state == Running));
      core_goes_on : assert (!((state_q == Running) && !core_done_q) || (state == Running));
      core_ends :
      assert (!((state_q == Running) && core_done_q) || (result_start && (state == Step)));
      result_starts : assert (!result_start_q || ((state == Add) && (pass == One)));
      result_goes_on : assert (!((state_q == Add) && !pass_done_q) || (state == Add));
      result_ends :
      assert (!((state_q == Add) && pass_done_q && good_q) || ((state == End) && (outcome == Ok)));
      ends : assert (!(state_q == End) || ((state == Idle) && done && (status == outcome_q)));
      becomes_valid : assert (!((state_q == End) && good_q && (outcome_q == Ok)) || valid);
      valid_stays : assert (!(valid_q && !begins_q) || valid);
      pass_runs : assert (!(!(pass_q == Zero) && (pass_q <= PassWords)) || (pass == pass_q + One));
      steps_of_pass : assert (step == (!(pass == Zero) && (pass <= PassWords)));
      done_of_pass : assert (pass_done == (pass == PassWords + One));
      step_idle : assert (!(state == Idle) || !step);
      pass_done_idle : assert (!(pass_done) || ((state == Load) || (state == Add)));
      step_states : assert (!step || ((state == Load) || (state == Add)));
      index_of_pass : assert (!step || (index + One == pass));
      carry_first : assert (!(pass == One) || ((carry == Zero) && (saved == One)));
      carry_small : assert ((carry <= One) && (saved <= Two));
      sums : assert (!step_q || (sum_q + above(carry) == a_q + b_q + carry_q));
      differences :
      assert (!step_q || (difference_q + above(saved) == a_q + b_q + inverse(m_word_q) + saved_q));
      words_small :
      assert ((sum < above(
          One
      )) && (difference < above(
          One
      )) && (x_word < above(
          One
      )) && (y_word < above(
          One
      )) && (m_word < above(
          One
      )));
      keeps : assert (!((state_q == Add) && pass_done_q && good_q) || (kept == !(saved_q == Zero)));
      kept_stays : assert (pass_done_q || (kept == kept_q));
      sum_taken :
      assert (!(step_q && (index_q == j / WordBits)) || ((sum_kept == sum_q)
          && (difference_kept == difference_q)));
      sum_stays :
      assert (step_q && (index_q == j / WordBits) || ((sum_kept == sum_kept_q)
          && (difference_kept == difference_kept_q)));
      content_stays :
      assert (((state_q == Idle) && !begins_q) || ((x_content == x_content_q)
          && (y_content == y_content_q) && (m_content == m_content_q)));
      content_bits : assert ((j < Positions) || (!x_content && !y_content && !m_content));
      load_x :
      assert (!(step && (state == Load) && (index == j / WordBits)) || (bit_of(
          x_word, j % WordBits
      ) == x_content));
      load_y :
      assert (!(step && (state == Load) && (index == j / WordBits)) || (bit_of(
          y_word, j % WordBits
      ) == y_content));
      load_m :
      assert (!(step && (index == j / WordBits)) || (bit_of(m_word, j % WordBits) == m_content));
      load_sum :
      assert (!(step && (state == Load) && sums_first) || ((a == y_word) && (b == m_word)));
      x_first :
      assert (!(step_q && (state_q == Load) && (index_q == Zero)) || (x_difference_q + above(
          x_carry
      ) == x_word_q + inverse(
          m_word_q
      ) + One));
      x_step :
      assert (!(step_q && (state_q == Load) && !(index_q == Zero)) || (x_difference_q + above(
          x_carry
      ) == x_word_q + inverse(
          m_word_q
      ) + x_carry_q));
      y_first :
      assert (!(step_q && (state_q == Load) && (index_q == Zero)) || (y_difference_q + above(
          y_carry
      ) == y_word_q + inverse(
          m_word_q
      ) + One));
      y_step :
      assert (!(step_q && (state_q == Load) && !(index_q == Zero)) || (y_difference_q + above(
          y_carry
      ) == y_word_q + inverse(
          m_word_q
      ) + y_carry_q));
      below : assert ((x_below == (x_carry == Zero)) && (y_below == (y_carry == Zero)));
      below_small :
      assert ((x_carry <= One) && (y_carry <= One) && (x_difference < above(
          One
      )) && (y_difference < above(
          One
      )));
      above_first :
      assert (!(step_q && (state_q == Load) && (index_q == Zero)) || (above_one
          == (One < m_word_q)));
      above_step :
      assert (!(step_q && (state_q == Load) && !(index_q == Zero)) || (above_one
          == (above_one_q || !(m_word_q == Zero))));
      odd_first :
      assert (!(step_q && (state_q == Load) && (index_q == Zero)) || (odd == bit_of(
          m_word_q, Zero
      )));
      odd_step : assert (!(step_q && (state_q == Load) && !(index_q == Zero)) || (odd == odd_q));
      core_y :
      assert (!((core_start || (state == Running)) && (j < Positions)) || (y_core == y_content));
      core_m :
      assert (!((core_start || (state == Running)) && (j < Positions)) || (m_core == m_content));
      core_constant :
      assert (!((core_start || (state == Running)) && sums_first
          && (j <= Positions)) || (constant == bit_of(
          sum_kept, j % WordBits
      )));
      taken_first : assert (!core_start || (taken == Zero));
      taken_runs : assert (!core_next_q || (taken == taken_q + Taken));
      core_x_0 : assert (!(core_next && (taken == j) && (j < Positions)) || (x_0 == x_content));
      core_x_1 :
      assert (!(core_next && (taken + One == j) && (j < Positions) && (One < Taken))
          || (x_1 == x_content));
      core_x_2 :
      assert (!(core_next && (taken + Two == j) && (j < Positions) && (Two < Taken))
          || (x_2 == x_content));
      core_x_3 :
      assert (!(core_next && (taken + Three == j) && (j < Positions)
          && (Three < Taken)) || (x_3 == x_content));
      unloads :
      assert (unload == (result_start || ((state == Add) && !(pass == Zero)
          && (pass < PassWords))));
      result_words : assert (!(step && (state == Add)) || ((a == s_word) && (b == c_word)));
      reads_kept :
      assert (!(read_result_q && valid_q && kept_q && (read_index_q == j / BusBits)
          && (j < Positions)) || (result_bit == bit_of(
          difference_kept_q, j % WordBits
      )));
      reads_sum :
      assert (!(read_result_q && valid_q && !kept_q && (read_index_q == j / BusBits)
          && (j < Positions)) || (result_bit == bit_of(
          sum_kept_q, j % WordBits
      )));
      read_idle : assert (!read_result || (state == Idle));
      // end lemmas
    end
  end

  always_comb begin
    if (!begun_q) assume (!rst_ni);
    assume (j_i < 16'(Words * AddWidth));
    if (begun_q) assume (j_i == j_q);
    if (begun_q) assume (!u_dut.u_control.upset);
    if (busy) assume (!start_i && (write_i == '0));
    if (start_i) assume (write_i == '0);
    for (int i = 0; i < Operands; i++) begin
      if (write_i[i]) assume (write_index_i <= filled[i]);
    end
  end

  // --------------------------------------------------------------------------- For the induction
  logic active;  // the load is over
  assign active = (state == Step) || (state == Running) || (state == Add);

  always_comb begin
    if (begun_q && rst_ni) begin
      // No sum of four of these numbers wraps.
      assert (((pass | index | taken | a | b | sum | difference | x_word | y_word | m_word | j
                | x_difference | y_difference | read_index) >> (AddWidth + 13)) == '0);

      // Control.
      assert (!u_dut.clear);
      assert (state <= End);
      assert (u_dut.u_control.busy_q == (state != Idle));
      assert ((view.core_state != StateStarting) == (state == Running));
      assert (view.core_state <= StateFinished);
      if (busy && (state != End)) begin
        assert (u_dut.u_control.step_fields_q == steps[u_dut.u_control.step_q[2:0]]);
        assert (at <= 4'(run) + 4'd1);
      end
      if (!busy || (state == Load)) assert (at == '0);
      if (state == Running) assert (at == 4'(run));
      assert (core_start == ((state == Step) && (at == 4'(run)) && !u_dut.u_control.waiting_q));
      assert (!u_dut.u_control.waiting_q);
      if (active) assert (at >= 4'(run));
      if (state == Add) assert (at == 4'(run) + 4'd1);
      if (good && busy) assert (!u_dut.u_control.raw_q && !u_dut.u_control.overwide_q);
      if (good && active) assert (!u_dut.u_control.out_of_range_q);
      if (valid) assert (!busy);
      if (state == Idle) assert (u_dut.add_reduction == ReduceNone);
      if (result_start && good) assert (u_dut.add_reduction == ReduceOnce);
      if (state == Load) assert (!u_dut.u_adder.reduce_q);
      if ((state == Add) && good) assert (u_dut.u_adder.reduce_q);
      if (!busy) assert (status_out != StatusBusy);

      // Passes.
      assert (pass <= PassWords + One);
      assert ((pass != '0) == ((state == Load) || (state == Add)));
      assert (step == (u_dut.u_adder.state_q == 2'd2));
      assert (pass_done == (u_dut.u_adder.state_q == 2'd3));
      assert ((pass == '0) == (u_dut.u_adder.state_q == 2'd0));
      assert (!u_dut.u_adder.division_q && !u_dut.u_adder.again_q);
      if (pass_done) assert (u_dut.u_adder.last_q);
      if (step) begin
        if (Words > 1) assert (u_dut.u_adder.at_last_q == (pass == PassWords));
        if (pass != PassWords) assert (number_t'(u_dut.word_read_index) == pass);
        assert (number_t'(u_dut.u_adder.m_read_q) == pass);
      end else begin
        assert ((u_dut.word_index == '0) && !u_dut.u_adder.at_last_q);
        if (pass == '0) assert (u_dut.word_read_index == '0);
      end
      if (pass <= One) assert ((carry == '0) && (saved == One));
      assert (u_dut.bank_write == (pass >= Two));
      if (u_dut.bank_write) assert (number_t'(u_dut.bank_index) + Two == pass);
      if (u_dut.bank_write && (pass == j / WordBits + Two)) begin
        assert ((u_dut.u_adder.sum_q == AddWidth'(sum_kept))
             && (u_dut.u_adder.difference_q == AddWidth'(difference_kept)));
      end
      assert (u_dut.result_q == ((state == Add) ? (pass >= Two) : 1'b0) || (state == End));

      // Operand memories: contents, and the word that was read last.
      for (int i = 0; i < Operands; i++) begin
        assert (filled[i] <= 16'((Width + BusWidth - 1) / BusWidth));
        if (j_i / 16'(BusWidth) < filled[i]) begin
          if (j_i < 16'(Width)) assert (stored[i] == content_q[i]);
        end else begin
          assert (!content_q[i]);
        end
        if (any_q[i]) begin
          assert (parted[i]);
          assert (lasts[i] == (read_q[i] == 16'(ReadWords - 1)));
          if (read_q[i] == j_i / 16'(AddWidth)) assert (data_bit[i] == answer_q[i]);
        end
        if (busy && (i != 32'(AddressXP))) assert (any_q[i]);
        if (busy) assert (any_q[i] && (answer_q[i] == content_q[i]));
      end
      if (step) begin
        assert (number_t'(read_q[AddressYS]) == index);
        assert (number_t'(read_q[AddressMC]) == index);
        if (state == Load) assert (number_t'(read_q[AddressXP]) == index);
      end

      // Registers of Y and M. The word of step i moves in two cycles later.
      if (state == Load) begin
        assert (loads_q == ((pass >= Two) && (pass <= number_t'(ReadWords + 1))));
        assert (number_t'(loaded_q) == ((pass <= Two) ? Zero
          : (pass <= number_t'(ReadWords + 2)) ? pass - Two : number_t'(ReadWords)));
        if (loads_q && (pass == j / WordBits + Two)) begin
          assert (u_dut.u_operands.y_in_q[j_i%16'(AddWidth)] == y_content);
          assert (u_dut.u_operands.m_in_q[j_i%16'(AddWidth)] == m_content);
        end
      end else begin
        assert (!loads_q);
        if (busy && (state != End)) assert (loaded_q == 16'(ReadWords));
      end
      assert (u_dut.u_operands.load_words == {ReadWords{loads_q}});
      if (busy && (state != End) && (j_i < 16'(Width)) && (loaded_q > j_i / 16'(AddWidth))) begin
        register_has_y :
        assert (u_dut.u_operands.y_q[16'(ReadWords*AddWidth)-loaded_q*16'(AddWidth)+j_i]
                == y_content);
        register_has_m :
        assert (u_dut.u_operands.m_q[16'(ReadWords*AddWidth)-loaded_q*16'(AddWidth)+j_i]
                == m_content);
      end

      // Constant 0 takes the words of the load's sum from the top, one cycle after their steps.
      if (u_dut.description.slots != '0) begin
        assert (u_dut.u_constants.moves == {(Words * AddWidth) {(state == Load) ? step_q : step}});
      end
      if (sums_first) begin
        if ((state == Load) && (pass > j / WordBits + Two)) begin
          assert (u_dut.u_constants.gen_constant[0].const_q[
              16'(Words*AddWidth)-(16'(pass)-16'd2)*16'(AddWidth)+j_i]
              == bit_of(sum_kept, j % WordBits));
        end
        if (core_start || (state == Running)) begin
          assert (u_dut.u_constants.gen_constant[0].const_q[j_i] == bit_of(sum_kept, j % WordBits));
        end
      end

      // Bits of X.
      if (core_next) begin
        assert ((u_dut.u_operands.u_bits.state_q == 2'd2) && !u_dut.x_read);
      end
      if ((state == Load) || core_start) assert (taken == '0);
      if (!busy) assert (!u_dut.core_status.next);
      if (view.core_state == StateRunning) begin
        assert (number_t'(taken) == Taken * (number_t'(count) + One));
        assert (count < 16'(Iterations));
        assert (last_count == (count == 16'(Iterations - 1)));
      end
      assert (taken <= number_t'(Width + 3));
      if (state == Load) assert (u_dut.u_operands.u_bits.state_q == (step ? 2'd0 : 2'd1));
      if (active) begin
        assert (u_dut.u_operands.u_bits.state_q == 2'd2);
        assert (taken + number_t'(u_dut.u_operands.u_bits.count_q)
                == number_t'(read_q[AddressXP]) * WordBits);
        assert (u_dut.u_operands.u_bits.index_q == IndexWidth'(read_q[AddressXP] + 16'd1));
        assert ((number_t'(u_dut.u_operands.u_bits.count_q) >= Taken)
             && (number_t'(u_dut.u_operands.u_bits.count_q) < WordBits + Taken));
        assert (u_dut.u_operands.u_bits.short_q
                == (number_t'(u_dut.u_operands.u_bits.count_q) < Two * Taken));
        assert (read_q[AddressXP] <= 16'(ReadWords + 1));
        if ((j >= taken) && (j - taken < number_t'(u_dut.u_operands.u_bits.count_q))) begin
          buffer_has_x : assert (u_dut.u_operands.u_bits.buffer_q[16'(j-taken)] == x_content);
        end
        for (int i = 0; i < AddWidth + 3; i++) begin
          if (number_t'(i) >= number_t'(u_dut.u_operands.u_bits.count_q)) begin
            assert (!u_dut.u_operands.u_bits.buffer_q[i]);
          end
        end
      end
      if ((state == Load) && !step) begin
        assert ((read_q[AddressXP] == '0) && (u_dut.u_operands.u_bits.index_q == 1));
      end

      // Banks.
      if (j_i < 16'(Width)) begin
        if ((state == Add) && (pass >= j / WordBits + Three)) begin
          assert (banked[u_dut.bank] == bit_of(sum_kept, j % WordBits));
          assert (banked[!u_dut.bank] == bit_of(difference_kept, j % WordBits));
        end
        if (((state == End) && good && (outcome == Ok)) || valid) begin
          assert (banked[u_dut.bank] ==
                  (kept ? bit_of(difference_kept, j % WordBits) : bit_of(sum_kept, j % WordBits)));
        end
      end
    end
  end

endmodule
