// SPDX-License-Identifier: Apache-2.0
//
// Control of the exponentiation core: domain entry, one pair of products for each exponent bit from
// the lowest on, domain exit.
//
//   A = 1*R**2/R, S = Base*R**2/R                                            (entry)
//   for each of length_i bits:  if bit = 1 then A = A*S/R;  S = S*S/R        (loop)
//   Result = A*1/R                                                           (exit)
//
// Both products of a step start and end together. A's product is computed for a zero bit, too, and
// thrown away (keep_o), so that nothing but length_i tells how long the loop takes.
// Every product is reduced; multipliers outside the Montgomery domain have neither entry nor exit.
// R**2: the host's, checked by MM(MM(1, R**2), 1) = 1; or the one of the operation before, if M was
// not written; or computed: powers of two by doublings (montgomery_power), then squarings of S,
// each of which doubles the exponent above R.
//
// State -> work: Prepare both units check their operands and compute the constants of M; Seed
// doublings; Square; Check the supplied R**2; Entry; Loop; Exit; End one clock.
// Latency: models/exponentiation.py.
//
// Source: Michalski & Buell, Algorithm 4 and ch. 5.5; Amanor (2005), ch. 6.5.

module exponentiation_control
  import multiplier_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  // Loader
  input  logic        start_i,
  input  logic        incomplete_i,
  input  logic        length_legal_i,
  input  logic        exponent_legal_i,
  input  logic [15:0] length_i,
  input  logic        m_written_i,
  input  logic        r_squared_supplied_i,
  input  logic        m_prime_wrong_i,
  output logic        busy_o,
  output logic        done_o,
  output logic [ 3:0] status_o,
  // Units: the first computes A, the second S
  input  logic [15:0] radix_bits_i,
  input  logic        unit_ready_i,
  input  logic [ 3:0] unit_status_i,
  input  logic        result_is_one_i,
  output logic        start_a_o,
  output logic        start_s_o,
  output logic [ 1:0] mode_o,
  output logic        keep_o,
  output logic        first_o,
  output logic        second_o,
  output logic        supplied_o,
  // Exponent
  output logic [15:0] index_o,
  input  logic        bit_i,
  // R**2
  output logic        power_start_o,
  output logic [15:0] power_doublings_o,
  input  logic        power_done_i,
  output logic        take_supplied_o,
  output logic        take_power_o,
  output logic        take_square_o,
  output logic [ 3:0] state_o
);

  localparam int MaxSquarings = 4;

  logic [3:0] state_d, state_q;
  logic [3:0] status_d, status_q, outcome_d, outcome_q;
  logic issue_d, issue_q;  // start what the state does
  logic second_d, second_q;  // of two steps in a state
  logic [15:0] index_d, index_q, index_next;
  logic r_squared_valid_d, r_squared_valid_q, supplied_d, supplied_q;
  logic [15:0] length_d, length_q;

  assign index_next = index_q + 1'b1;

  // How R**2 is computed: constants of the core.
  logic [2:0] squarings;
  logic montgomery;
  assign montgomery = (radix_bits_i != '0);

  // As often as radix_bits_i can be halved.
  assign squarings = radix_bits_i[0] ? 3'd0
                   : radix_bits_i[1] ? 3'd1
                   : radix_bits_i[2] ? 3'd2
                   : radix_bits_i[3] ? 3'd3 : 3'(MaxSquarings);

  logic squared;  // for the last time
  assign squared = unit_ready_i && (index_next == 16'(squarings));

  assign power_doublings_o = radix_bits_i + (radix_bits_i >> squarings);

  always_comb begin
    state_d           = state_q;
    status_d          = status_q;
    outcome_d         = outcome_q;
    issue_d           = 1'b0;
    second_d          = second_q;
    index_d           = index_q;
    length_d          = length_q;
    supplied_d        = supplied_q;
    r_squared_valid_d = r_squared_valid_q && !m_written_i;

    case (state_q)
      PowerIdle: begin
        if (start_i) begin
          status_d   = StatusBusy;
          outcome_d  = StatusOk;
          length_d   = length_i;
          supplied_d = r_squared_supplied_i && montgomery;
          index_d    = '0;
          second_d   = 1'b0;
          issue_d    = 1'b1;
          state_d    = PowerPrepare;
          if (!exponent_legal_i) outcome_d = StatusExponentRange;
          if (!length_legal_i) outcome_d = StatusLengthRange;
          if (incomplete_i) outcome_d = StatusOperandIncomplete;
          if (incomplete_i || !length_legal_i || !exponent_legal_i) state_d = PowerEnd;
        end
      end
      PowerPrepare: begin
        second_d = unit_ready_i;  // the unit's status is there one clock later
        if (second_q) begin
          second_d = 1'b0;
          issue_d  = 1'b1;
          if (unit_status_i != StatusOk) begin
            outcome_d = unit_status_i;
            state_d   = PowerEnd;
          end else if (!montgomery) begin
            state_d = PowerLoop;
          end else if (supplied_q) begin
            r_squared_valid_d = 1'b0;
            state_d           = PowerCheckConstant;
          end else if (r_squared_valid_q) begin
            state_d = m_prime_wrong_i ? PowerEnd : PowerEntry;
          end else begin
            state_d = PowerSeed;
          end
          // Found out now, told when R**2 is there: both constants are judged at the same time.
          if ((unit_status_i == StatusOk) && m_prime_wrong_i) begin
            outcome_d = StatusConstantInconsistent;
          end
        end
      end
      PowerSeed: begin
        if (power_done_i) begin
          issue_d = 1'b1;
          state_d = (squarings != '0) ? PowerSquare
                  : (outcome_q == StatusOk) ? PowerEntry : PowerEnd;
        end
      end
      PowerSquare: begin
        if (unit_ready_i) begin
          index_d = index_next;
          issue_d = (index_next != 16'(squarings));
        end
        if (squared) begin
          index_d = '0;
          issue_d = 1'b1;
          state_d = (outcome_q == StatusOk) ? PowerEntry : PowerEnd;
        end
      end
      PowerCheckConstant: begin
        if (unit_ready_i) begin
          second_d = 1'b1;
          issue_d  = 1'b1;
          if (second_q) begin
            second_d = 1'b0;
            state_d  = PowerEntry;
            if (!result_is_one_i) outcome_d = StatusConstantInconsistent;
            if (!result_is_one_i || (outcome_q != StatusOk)) state_d = PowerEnd;
          end
        end
      end
      PowerEntry: begin
        r_squared_valid_d = !m_written_i;
        if (unit_ready_i) begin
          issue_d = 1'b1;
          state_d = PowerLoop;
        end
      end
      PowerLoop: begin
        if (unit_ready_i) begin
          index_d = index_next;
          issue_d = 1'b1;
          if (index_next == length_q) state_d = montgomery ? PowerExit : PowerEnd;
        end
      end
      PowerExit: begin
        if (unit_ready_i) state_d = PowerEnd;
      end
      default: begin
        status_d = outcome_q;
        state_d  = PowerIdle;
      end
    endcase
  end

  // Outputs apart from the block above: one that changed them on the way to their value would make
  // Icarus run it and the units' controls in turns for ever.
  assign start_a_o = issue_q && ((state_q == PowerPrepare) || (state_q == PowerCheckConstant)
                  || (state_q == PowerEntry) || (state_q == PowerLoop) || (state_q == PowerExit));
  assign start_s_o = issue_q && ((state_q == PowerPrepare) || (state_q == PowerSquare)
                  || (state_q == PowerEntry) || (state_q == PowerLoop));
  assign mode_o = (state_q == PowerPrepare) ? ModePrepare : ModeProduct;
  // Without a domain entry the first step also makes A = 1.
  assign keep_o = (state_q == PowerLoop) && !bit_i && (montgomery || (index_q != '0));
  assign first_o = (index_q == '0);
  assign power_start_o = issue_q && (state_q == PowerSeed);
  assign take_supplied_o = (state_q == PowerPrepare) && second_q && (unit_status_i == StatusOk)
                        && supplied_q;
  assign take_power_o = (state_q == PowerSeed) && power_done_i;
  assign take_square_o = (state_q == PowerSquare) && squared;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q           <= PowerIdle;
      status_q          <= StatusIdle;
      outcome_q         <= StatusIdle;
      issue_q           <= 1'b0;
      second_q          <= 1'b0;
      index_q           <= '0;
      length_q          <= '0;
      supplied_q        <= 1'b0;
      r_squared_valid_q <= 1'b0;
    end else begin
      state_q           <= state_d;
      status_q          <= status_d;
      outcome_q         <= outcome_d;
      issue_q           <= issue_d;
      second_q          <= second_d;
      index_q           <= index_d;
      length_q          <= length_d;
      supplied_q        <= supplied_d;
      r_squared_valid_q <= r_squared_valid_d;
    end
  end

  assign busy_o = (state_q != PowerIdle);
  assign done_o = (state_q == PowerIdle) && (status_q != StatusIdle);
  assign status_o = status_q;
  assign second_o = second_q;
  assign supplied_o = supplied_q;
  assign index_o = index_q;
  assign state_o = state_q;

endmodule
