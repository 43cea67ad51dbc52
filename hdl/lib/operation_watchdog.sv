// SPDX-License-Identifier: Apache-2.0
//
// Watchdog of an operation: ends an operation that a register upset would keep running for ever.
//
// upset_o: lost_i is high, or running_i is high and was high in the Cycles - 1 cycles before. The
// control then ends the operation with StatusUpset.
// running_i: the control is not idle; in an exponentiation, it also makes no progress in this
// cycle. lost_i: the control is in a state that no operation has. Without Enable, upset_o is 0.
//
// Range: Cycles, at least 2, is above the longest time that running_i is high: ring_limit,
// parallel_limit or stall_cycles of multiplier_pkg. upset_o is then 0 without an upset.
// Latency: none. Each idle cycle sets the count anew: an upset of the count affects one operation.
//
// Source: none.

module operation_watchdog #(
  parameter bit Enable = 1'b1,
  parameter int Cycles = 64
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic running_i,
  input  logic lost_i,
  output logic upset_o
);

  if (Enable) begin : gen_watchdog
    // Cycles that remain, less one. Timing: a sign bit, not a comparison.
    localparam int CountWidth = $clog2(Cycles) + 1;
    logic [CountWidth-1:0] left_q;
    logic expired;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) left_q <= '0;
      else left_q <= running_i ? left_q - 1'b1 : CountWidth'(Cycles - 2);
    end

    assign expired = running_i && left_q[CountWidth-1];
    assign upset_o = expired || lost_i;

    `ASSERT(InTime, !expired)
    `ASSERT(NotLost, !lost_i)
  end else begin : gen_no_watchdog
    logic unused_inputs;
    assign unused_inputs = ^{clk_i, rst_ni, running_i, lost_i};
    assign upset_o = 1'b0;
  end

endmodule
