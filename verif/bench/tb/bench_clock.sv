// SPDX-License-Identifier: Apache-2.0
//
// Bench clock: clock of a test bench, period 10.
//
// Each tick makes one clock edge. With burst_i, each tick makes the edges of BurstCycles cycles in
// zero time, and ticks are as far apart as these cycles are long. Bursts make simulation faster,
// because a time slot costs a simulator more than a clock edge. The hardware behaves the same in
// each cycle. Only tests in which the transactor makes every transfer may use bursts, and jobs with
// waveforms switch them off.
//
// Between two edges of a burst, the simulator updates non-blocking assignments once. No time passes
// for a delay, and a second level of non-blocking assignments comes too late. So bursts are only
// for the project's own design; verif/bench/configuration/burst.py rejects code that does not work
// with bursts.

module bench_clock #(
  parameter int BurstCycles = 32
) (
  input  logic burst_i,
  output logic clk_o
);

  logic tick, tick_q;
  int edges_q;

  initial begin
    clk_o   = 1'b0;
    tick    = 1'b0;
    tick_q  = 1'b0;
    edges_q = 0;
  end

  always begin
    if (burst_i) #(BurstCycles * 10) tick = !tick;
    else #5 tick = !tick;
  end

  always @(tick or clk_o) begin
    if (tick != tick_q) begin
      tick_q  <= tick;
      edges_q <= burst_i ? (2 * BurstCycles - 1) : 0;
      clk_o   <= !clk_o;
    end else if (edges_q != 0) begin
      edges_q <= edges_q - 1;
      clk_o   <= !clk_o;
    end
  end

endmodule
