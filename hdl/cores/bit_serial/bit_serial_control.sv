// SPDX-License-Identifier: Apache-2.0
//
// State machine and iteration counter of a bit-serial multiplier: STARTING, RUNNING, FINISHED.
//
// In STARTING, start_i raises load_o in the same cycle. Then step_o is high for Iterations cycles;
// last_o is high in the last of them. done_o is high for the one cycle of FINISHED: S and C are
// valid Iterations + 1 cycles after the start.
//
// Source: Amanor (2005), ch. 5.4 and figure 16; "number of clock cycles = n + 1", ch. 6.3.

module bit_serial_control
  import multiplier_pkg::*;
#(
  parameter int Iterations = 32
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       start_i,
  output logic       load_o,
  output logic       step_o,
  output logic       last_o,
  output logic       done_o,
  output logic [1:0] state_o
);

  localparam int CountWidth = (Iterations > 1) ? $clog2(Iterations) : 1;
  localparam logic [CountWidth-1:0] LastCount = CountWidth'(Iterations - 1);

  core_state_e state_d;
  // Keep: the core has equal registers in its segments, and synthesis would use one of those
  // instead.
  (* keep *)core_state_e state_q;
  logic [CountWidth-1:0] count_d, count_q;
  logic last_d, last_q;

  assign load_o  = (state_q == StateStarting) && start_i;
  assign step_o  = (state_q == StateRunning);
  assign last_o  = (Iterations == 1) || last_q;
  assign done_o  = (state_q == StateFinished);
  assign state_o = state_q;

  always_comb begin
    state_d = state_q;
    count_d = count_q;
    case (state_q)
      StateStarting: begin
        count_d = '0;
        if (start_i) state_d = StateRunning;
      end
      StateRunning: begin
        count_d = count_q + 1'b1;
        if (last_o) state_d = StateFinished;
      end
      default: state_d = StateStarting;
    endcase
    // Timing: compute last one cycle ahead, so that the logic before an iteration does not wait for
    // the count.
    last_d = (count_d == LastCount);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StateStarting;
      {count_q, last_q} <= '0;
    end else begin
      state_q <= state_d;
      count_q <= count_d;
      last_q  <= last_d;
    end
  end

  `ASSERT(StartWhileStarting, !start_i || (state_q == StateStarting))

endmodule
