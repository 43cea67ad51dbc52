// SPDX-License-Identifier: Apache-2.0
//
// Property: operands, status and the use of R**2 of every exponentiation are those that
// hdl/docs/interface.md gives to the words that were written, for every sequence of transfers.
//
//   an operand is what was written of it, word by word, over what it was before; 0 after ZEROISE
//   Length is Width until it was written since reset or ZEROISE
//   the status at the end is the first that applies: OperandIncomplete, LengthRange, ExponentRange,
//     OperandRange for bits above an operand's width, what the unit says of M and Data,
//     ConstantInconsistent
//   R**2 is checked if it was supplied for this start, kept if it is there, else computed: kept
//   from an
//     operation that ended Ok, until M is written or a supplied one is found wrong
//
// The units are those of verif/formal/multiplier_unit.sv, as for exponentiation_pins. Which
// transfer is refused, and the word counters, are those of interface_checks, which
// exponentiation_pins shows. Reset at any time.

module exponentiation_reference
  import multiplier_pkg::*;
#(
  parameter int Width = 12,
  parameter int BusWidth = 8,
  parameter int SelWidth = 3,
  parameter int AddWidth = 32,
  parameter int MPrimeWidth = 9,
  parameter int Guard = 2,
  // Derived, do not set.
  parameter int Rules = 14
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic                req_i,
  input logic                write_i,
  input logic [SelWidth-1:0] sel_i,
  input logic [BusWidth-1:0] wdata_i,
  input logic                wait_i,
  // The units
  input logic                ready_i,
  input logic [         3:0] outcome_i,
  input logic [   Width-1:0] result_i,
  input logic [   Width-1:0] m_prime_i
);

  localparam int Selects = 7;
  localparam int MaxBits = 32;  // of an operand's words

  logic ack, err, busy, done;
  logic [BusWidth-1:0] rdata, expected;
  logic [Rules-1:0] wrong;
  logic begun_q = 1'b0;

  exponentiation_parallel #(
    .Width   (Width),
    .BusWidth(BusWidth),
    .SelWidth(SelWidth),
    .AddWidth(AddWidth),
    .MPrimeWidth(MPrimeWidth),
    .Guard   (Guard)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .req_i,
    .write_i,
    .sel_i,
    .wdata_i,
    .wait_i,
    .ack_o  (ack),
    .err_o  (err),
    .rdata_o(rdata),
    .busy_o (busy),
    .done_o (done)
  );

  interface_checks #(
    .Exponentiation(1'b1),
    .Width         (Width),
    .BusWidth      (BusWidth),
    .SelWidth      (SelWidth),
    .Guard         (Guard),
    .MPrimeWidth   (MPrimeWidth)
  ) u_checks (
    .clk_i,
    .rst_ni,
    .req_i,
    .write_i,
    .sel_i,
    .wdata_i,
    .wait_i,
    .ack_i     (ack),
    .err_i     (err),
    .rdata_i   (rdata),
    .busy_i    (busy),
    .done_i    (done),
    .wrong_o   (wrong),
    .expected_o(expected)
  );

  // What is not known of the units.
  if (1) begin : gen_units
    logic ready, m_prime_used_q;
    logic [15:0] radix_bits_q;
    logic [ 3:0] outcome;
    logic [Width-1:0] result, m_prime;
    assign ready   = ready_i;
    assign outcome = outcome_i;
    assign result  = result_i;
    assign m_prime = m_prime_i;
    // Any kind of core, the same in every clock.
    always_ff @(posedge clk_i) begin
      m_prime_used_q <= m_prime_used_q;
      radix_bits_q   <= radix_bits_q;
    end
    always_comb begin
      assume (!m_prime_used_q || (radix_bits_q != '0));
      assume ((outcome == StatusOk) || (outcome == StatusModulusZeroOrOne)
              || (outcome == StatusModulusEven) || (outcome == StatusOperandRange));
    end
  end

  always_ff @(posedge clk_i) begun_q <= 1'b1;

  // ----------------------------------------------------------------------------------------------
  // The reference
  // ----------------------------------------------------------------------------------------------
  logic [Selects-1:0][MaxBits-1:0] operand_q;
  logic [Selects-1:0][7:0] word;  // the next to be written
  assign word[0] = 8'(u_checks.gen_select[0].gen_operand.word_q);
  assign word[1] = 8'(u_checks.gen_select[1].gen_operand.word_q);
  assign word[2] = 8'(u_checks.gen_select[2].gen_operand.word_q);
  assign word[3] = '0;
  assign word[4] = 8'(u_checks.gen_select[4].gen_operand.word_q);
  assign word[5] = 8'(u_checks.gen_select[5].gen_operand.word_q);
  assign word[6] = 8'(u_checks.gen_select[6].gen_operand.word_q);

  logic length_set_q, kept_q;
  logic [Selects-1:0] supplied_q;  // written since the start before

  logic write;
  assign write = u_checks.granted && write_i && !u_checks.control;

  // At a start.
  logic [MaxBits-1:0] length;
  logic overwide;
  logic [3:0] refusal;  // before anything is computed; Ok: none
  always_comb begin
    length = length_set_q ? operand_q[ExponentiationSelectLength] : MaxBits'(Width);
    overwide = ((operand_q[ExponentiationSelectDataResult] >> Width) != '0)
            || ((operand_q[ExponentiationSelectModulus] >> Width) != '0)
            || (supplied_q[ExponentiationSelectRSquared]
                && ((operand_q[ExponentiationSelectRSquared] >> Width) != '0))
            || (supplied_q[ExponentiationSelectMPrime]
                && ((operand_q[ExponentiationSelectMPrime] >> MPrimeWidth) != '0));
    refusal = StatusOk;
    if ((operand_q[ExponentiationSelectExponent] >> length) != '0) refusal = StatusExponentRange;
    if ((length == '0) || (length > MaxBits'(Width))) refusal = StatusLengthRange;
    if (u_checks.partial != '0) refusal = StatusOperandIncomplete;
  end

  // How far the control has come.
  logic [3:0] state;
  logic second, power_start;
  assign state       = u_dut.u_control.state_q;
  assign second      = u_dut.u_control.second_q;
  assign power_start = u_dut.u_control.power_start_o;

  // The operation.
  logic [3:0] refusal_q;
  logic overwide_q, r_squared_q, m_prime_q;  // the latter two: supplied
  logic computes_q, wrong_q;  // R**2 was computed; the host's was found wrong

  // What the units said: of the modulus, m' and, in the second step of its check, R**2.
  logic montgomery, found_wrong, m_prime_wrong_q;
  logic [3:0] prepared_q, outcome;
  assign montgomery = (gen_units.radix_bits_q != '0);
  assign found_wrong = (state == PowerCheckConstant) && second && u_dut.u_unit_a.ready_o
                    && (result_i != Width'(1));

  always_comb begin
    outcome = StatusOk;
    if (m_prime_wrong_q || wrong_q) outcome = StatusConstantInconsistent;
    if (prepared_q != StatusOk) outcome = prepared_q;
    if (overwide_q) outcome = StatusOperandRange;
    if (refusal_q != StatusOk) outcome = refusal_q;
  end

  logic checked, kept;  // R**2 was supplied and used; it is there after the operation
  assign checked = montgomery && r_squared_q && (refusal_q == StatusOk) && (prepared_q == StatusOk);
  always_comb begin
    kept = kept_q;
    if ((outcome == StatusOk) && montgomery) kept = 1'b1;
    if (checked && (outcome == StatusConstantInconsistent)) kept = 1'b0;
  end

  logic busy_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      operand_q       <= '0;
      length_set_q    <= 1'b0;
      kept_q          <= 1'b0;
      supplied_q      <= '0;
      refusal_q       <= StatusOk;
      overwide_q      <= 1'b0;
      r_squared_q     <= 1'b0;
      m_prime_q       <= 1'b0;
      computes_q      <= 1'b0;
      wrong_q         <= 1'b0;
      prepared_q      <= StatusOk;
      m_prime_wrong_q <= 1'b0;
      busy_q          <= 1'b0;
    end else begin
      busy_q <= busy && !u_checks.zeroise;
      if (write) begin
        operand_q[sel_i][word[sel_i]*BusWidth+:BusWidth] <= wdata_i;
        supplied_q[sel_i] <= 1'b1;
        if (sel_i == SelWidth'(ExponentiationSelectLength)) length_set_q <= 1'b1;
        if (sel_i == SelWidth'(ExponentiationSelectModulus)) kept_q <= 1'b0;
      end
      if (u_checks.start) begin
        refusal_q       <= refusal;
        overwide_q      <= overwide;
        r_squared_q     <= supplied_q[ExponentiationSelectRSquared];
        m_prime_q       <= supplied_q[ExponentiationSelectMPrime];
        supplied_q      <= '0;
        computes_q      <= 1'b0;
        wrong_q         <= 1'b0;
        prepared_q      <= StatusOk;
        m_prime_wrong_q <= 1'b0;
      end
      if (power_start) computes_q <= 1'b1;
      if (found_wrong) wrong_q <= 1'b1;
      if ((state == PowerPrepare) && second) begin
        prepared_q <= u_dut.u_unit_a.status_q;
        m_prime_wrong_q <= m_prime_q && gen_units.m_prime_used_q
            && (u_dut.u_unit_a.m_prime_q != Width'(operand_q[ExponentiationSelectMPrime]));
      end
      if (state == PowerEnd) kept_q <= kept;
      if (u_checks.zeroise) begin
        operand_q    <= '0;
        length_set_q <= 1'b0;
        kept_q       <= 1'b0;
        supplied_q   <= '0;
      end
    end
  end

  // ----------------------------------------------------------------------------------------------
  // The comparison
  // ----------------------------------------------------------------------------------------------
  always_comb begin
    if (begun_q && rst_ni) begin
      if (u_checks.accept_q && u_checks.is_outcome) assert (rdata[3:0] == outcome);
      // Computed just if there is nothing else, checked just if it was supplied.
      if (power_start) assert (montgomery && !r_squared_q && !kept_q && (refusal_q == StatusOk));
      if (state == PowerCheckConstant) assert (checked);
      if (!busy && busy_q && checked) assert (!computes_q);
      if (!busy && busy_q && (outcome == StatusOk) && montgomery) assert (kept_q);
    end
  end

  // ----------------------------------------------------------------------------------------------
  // For the induction
  // ----------------------------------------------------------------------------------------------
  // A word goes into its operand in the clock of the acknowledge.
  logic [Selects-1:0] under_way;
  logic [Selects-1:0][MaxBits-1:0] there;
  for (genvar i = 0; i < Selects; i++) begin : gen_there
    if (i != SelectControl) begin : gen_operand
      assign under_way[i] = u_dut.u_loader.u_bus.gen_select[i].gen_operand.write_q;
      always_comb begin
        there[i] = MaxBits'(u_dut.u_loader.u_registers.gen_select[i].gen_operand.value_q);
        if (under_way[i]) begin
          there[i][u_dut.u_loader.u_bus.write_index_q*BusWidth+:BusWidth]
              = u_dut.u_loader.u_bus.data_q;
        end
      end
    end else begin : gen_nothing
      assign under_way[i] = 1'b0;
      assign there[i]     = '0;
    end
  end

  logic in_work;  // behind the Prepare
  assign in_work = (state != PowerIdle) && (state != PowerPrepare) && (state != PowerEnd);

  always_comb begin
    if (begun_q && rst_ni) begin
      for (int i = 0; i < Selects; i++) begin
        if (i != 32'(SelectControl)) assert (there[i] == operand_q[i]);
        if (under_way[i]) assert (8'(u_dut.u_loader.u_bus.write_index_q) + 8'd1 == word[i]);
      end
      assert ((under_way == '0) || ack);
      assert (u_dut.u_loader.u_bus.gen_select[4].gen_operand.written_q == supplied_q[4]);
      assert (u_dut.u_loader.u_bus.gen_select[5].gen_operand.written_q == supplied_q[5]);
      assert (u_dut.u_loader.u_bus.gen_select[0].gen_operand.overwide_q
              == ((operand_q[0] >> Width) != '0));
      assert (u_dut.u_loader.u_bus.gen_select[2].gen_operand.overwide_q
              == ((operand_q[2] >> Width) != '0));
      assert (u_dut.u_loader.u_bus.gen_select[4].gen_operand.overwide_q
              == ((operand_q[4] >> Width) != '0));
      assert (u_dut.u_loader.u_bus.gen_select[5].gen_operand.overwide_q
              == ((operand_q[5] >> MPrimeWidth) != '0));
      assert (u_dut.u_loader.u_bus.gen_select[6].gen_operand.overwide_q
              == ((operand_q[6] >> 16) != '0));
      assert ((u_dut.length_set_q || under_way[ExponentiationSelectLength]) == length_set_q);
      if (busy) begin
        assert (u_dut.m_prime_supplied_q == m_prime_q);
        assert (u_dut.overwide_q == overwide_q);
        if (m_prime_q && !overwide_q) begin
          assert ((operand_q[ExponentiationSelectMPrime] >> MPrimeWidth) == '0);
        end
        assert (u_dut.u_control.supplied_q == (r_squared_q && montgomery));
      end
      // R**2 that is there.
      assert (!computes_q || !r_squared_q);
      if ((state == PowerIdle) || (state == PowerPrepare)) begin
        assert ((u_dut.u_control.r_squared_valid_q && !under_way[ExponentiationSelectModulus])
                == kept_q);
      end
      if ((state == PowerSeed) || (state == PowerSquare)) begin
        assert (!u_dut.u_control.r_squared_valid_q && !kept_q && !r_squared_q && montgomery);
      end
      if (state == PowerCheckConstant) begin
        assert (!u_dut.u_control.r_squared_valid_q && r_squared_q && montgomery);
      end
      if ((state == PowerEntry) || (state == PowerExit)) assert (montgomery);
      if (((state == PowerEntry) && !u_dut.u_control.issue_q) || (state == PowerExit)
       || ((state == PowerLoop) && montgomery)) begin
        assert (u_dut.u_control.r_squared_valid_q);
      end
      if (!montgomery) assert (!u_dut.u_control.r_squared_valid_q && !kept_q);
      // How it ends.
      if ((state == PowerPrepare) || in_work) begin
        assert ((refusal_q == StatusOk) && (prepared_q == StatusOk));
        assert (!wrong_q);
        if (state == PowerPrepare) assert (!m_prime_wrong_q);
      end
      if (in_work) begin
        assert (!overwide_q);
        assert (u_dut.u_control.outcome_q == outcome);
      end
      if (state == PowerPrepare) begin
        assert (u_dut.u_control.outcome_q == StatusOk);
        if (!u_dut.u_control.issue_q) assert (u_dut.u_unit_a.overwide_q == overwide_q);
        if (second && overwide_q) assert (u_dut.u_unit_a.status_q == StatusOperandRange);
      end
      if ((state == PowerEntry) || (state == PowerLoop) || (state == PowerExit)) begin
        assert (outcome == StatusOk);
      end
      if (state == PowerEnd) begin
        assert (u_dut.u_control.outcome_q == outcome);
        assert (u_dut.u_control.r_squared_valid_q == kept);
      end
      if (!busy && u_checks.started_q) assert (u_dut.u_control.status_q == outcome);
    end
  end

  always_comb if (!begun_q) assume (!rst_ni);

  exponentiation_invariants #(
    .Width      (Width),
    .BusWidth   (BusWidth),
    .MPrimeWidth(MPrimeWidth)
  ) u_invariants (
    .check_i(begun_q && rst_ni)
  );

endmodule
