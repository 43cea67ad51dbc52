// SPDX-License-Identifier: Apache-2.0
//
// Multiplier observer (test bench): collects coverage data of an operation in the simulated
// hardware, so that Python reads them once per operation.
//
// The observer accumulates all hits from one publish_i to the next, over resets too, and copies
// them to observed_o at publish_i. Fields of observed_o, the most significant first, with their
// widths:
//   state changes of the core, bit 4*from + to (16)
//   state changes of the control, bit 8*from + to (64)
//   cycles from the core's start to its ready, and to its done (32 + 32)
//   busy cycles (32)
//   addition of the result: it took place; its last conditional subtraction was taken; a
//     subtraction gave exactly zero (1 + 1 + 1)
//   the core's busy did not last from its start to its done (1)
//   table transitions, bit b*2**TableAddressBits + a: address b in one iteration, a in the next
//   table hits for each of the Positions iterations of a cycle, the last iteration at the top,
//     bit a: the lookup table was read at address a
//   bit k: a carry went into word k (CarryWords); the word number is carry_word_i, or counted from
//     carry_first_i on

module multiplier_observer
  import bench_pkg::*;
  import multiplier_pkg::*;
#(
  parameter int TableAddressBits = 4,
  parameter int Positions = 1,
  parameter int CarryWords = 1,
  // Derived, do not set.
  parameter int TableBits = 1 << TableAddressBits,
  parameter int ObservedBits = multiplier_observed_bits(TableBits, Positions, CarryWords)
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      publish_i,
  input  logic                      start_i,
  input  logic                      busy_i,
  input  logic [               2:0] control_state_i,
  input  logic                      core_start_i,
  input  logic                      core_ready_i,
  input  logic                      core_done_i,
  input  logic                      core_busy_i,
  input  logic [               1:0] core_state_i,
  input  logic [TablePositions-1:0] table_valid_i,
  input  logic [ TableAddrBits-1:0] table_addr_i,
  input  logic                      carry_first_i,
  input  logic                      carry_valid_i,
  input  logic [ PositionWidth-1:0] carry_word_i,
  input  logic                      result_done_i,
  input  logic                      result_subtracted_i,
  input  logic                      result_exact_i,
  output logic [  ObservedBits-1:0] observed_o
);

  // Iterations of a cycle. Position 0 is the last iteration of the previous cycle.
  logic [(Positions+1)*TableAddressBits-1:0] addr;
  logic [Positions:0] valid;
  logic [TableAddressBits-1:0] last_addr_q;
  logic last_valid_q;
  logic [CarryWords-1:0] carry_hit_q;
  logic [31:0] word_q, carry_word;  // word_q: words since carry_first_i, 0 after the last
  logic [Positions*TableBits-1:0] table_hit_q;
  logic [TableBits*TableBits-1:0] table_transition_q;
  logic [1:0] last_core_state_q;
  logic [2:0] last_control_state_q;
  logic [15:0] core_arc_q;
  logic [63:0] control_arc_q;
  logic [31:0] loop_cycles_q, done_cycles_q, busy_cycles_q;
  logic in_loop_q, busy_wrong_q, result_q, subtracted_q, exact_q;

  assign carry_word                = 32'(carry_word_i) + word_q;
  assign addr[0+:TableAddressBits] = last_addr_q;
  assign valid                     = {table_valid_i[Positions-1:0], last_valid_q};
  for (genvar i = 0; i < Positions; i++) begin : gen_position
    assign addr[(i+1)*TableAddressBits+:TableAddressBits] =
        table_addr_i[i*TableAddressWidth+:TableAddressBits];
  end

  initial begin
    carry_hit_q          = '0;
    table_hit_q          = '0;
    table_transition_q   = '0;
    core_arc_q           = '0;
    control_arc_q        = '0;
    last_core_state_q    = '0;
    last_control_state_q = '0;
    last_valid_q         = 1'b0;
  end

  // No reset: state changes that a reset causes must be collected, too.
  always @(posedge clk_i) begin
    last_core_state_q    <= core_state_i;
    last_control_state_q <= control_state_i;
    last_valid_q         <= table_valid_i[Positions-1];
    last_addr_q          <= addr[Positions*TableAddressBits+:TableAddressBits];
    if (publish_i) begin
      observed_o <= {
        core_arc_q,
        control_arc_q,
        loop_cycles_q,
        done_cycles_q,
        busy_cycles_q,
        result_q,
        subtracted_q,
        exact_q,
        busy_wrong_q,
        table_transition_q,
        table_hit_q,
        carry_hit_q
      };
      carry_hit_q <= '0;
      table_hit_q <= '0;
      table_transition_q <= '0;
      core_arc_q <= '0;
      control_arc_q <= '0;
    end else begin
      core_arc_q[{last_core_state_q, core_state_i}]          <= 1'b1;
      control_arc_q[{last_control_state_q, control_state_i}] <= 1'b1;
      for (int k = 0; k < CarryWords; k++) begin
        if (carry_valid_i && !carry_first_i && (k != 0) && (carry_word == k)) begin
          carry_hit_q[k] <= 1'b1;
        end
      end
      for (int k = 0; k < Positions; k++) begin
        if (valid[k+1]) begin
          table_hit_q[(k*TableBits)+32'(addr[(k+1)*TableAddressBits+:TableAddressBits])] <= 1'b1;
        end
        if (valid[k+1] && valid[k]) begin
          table_transition_q[{
            addr[k*TableAddressBits+:TableAddressBits],
            addr[(k+1)*TableAddressBits+:TableAddressBits]
          }] <= 1'b1;
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      word_q        <= '0;
      loop_cycles_q <= '0;
      done_cycles_q <= '0;
      busy_cycles_q <= '0;
      in_loop_q     <= 1'b0;
      busy_wrong_q  <= 1'b0;
      result_q      <= 1'b0;
      subtracted_q  <= 1'b0;
      exact_q       <= 1'b0;
    end else begin
      if (carry_first_i) word_q <= 1;
      else if (word_q != 0) word_q <= (word_q + 1 == CarryWords) ? 0 : word_q + 1;
      if (start_i) begin
        busy_cycles_q <= '0;
        loop_cycles_q <= '0;
        done_cycles_q <= '0;
        result_q      <= 1'b0;
        subtracted_q  <= 1'b0;
        exact_q       <= 1'b0;
      end else if (busy_i) begin
        busy_cycles_q <= busy_cycles_q + 1;
      end
      if (core_busy_i != in_loop_q) busy_wrong_q <= 1'b1;
      else if (publish_i) busy_wrong_q <= 1'b0;
      if (core_start_i) begin
        loop_cycles_q <= '0;
        done_cycles_q <= '0;
        in_loop_q     <= 1'b1;
      end else if (in_loop_q) begin
        done_cycles_q <= done_cycles_q + 1;
        if (core_ready_i) loop_cycles_q <= done_cycles_q + 1;
        in_loop_q <= !core_done_i;
      end
      if (result_done_i) begin
        result_q     <= 1'b1;
        subtracted_q <= result_subtracted_i;
        exact_q      <= result_exact_i;
      end
    end
  end

  logic unused_bits;
  assign unused_bits = ^{table_addr_i, table_valid_i};

endmodule
