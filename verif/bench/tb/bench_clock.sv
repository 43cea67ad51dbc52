// SPDX-License-Identifier: Apache-2.0
//
// Clock of a test bench, period 10. Each tick makes one clock edge, or, with burst_i, the edges of
// BurstClocks clocks in zero time after waiting for as long as they take: a simulator spends more
// on a time slot than on a clock edge. Cycle for cycle the hardware does the same; only tests whose
// every transfer is made by the transactor may ask for it, and waveforms want it off.
//
// Between two edges of a burst non-blocking assignments are updated once: no time passes for a
// delay, and a second level of non-blocking assignments comes too late. So bursts are for the
// project's own design alone, and verif/bench/configuration/burst.py rejects a design with code that they do not serve.

module bench_clock #(
  parameter int BurstClocks = 32
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
    if (burst_i) #(BurstClocks * 10) tick = !tick;
    else #5 tick = !tick;
  end

  always @(tick or clk_o) begin
    if (tick != tick_q) begin
      tick_q  <= tick;
      edges_q <= burst_i ? (2 * BurstClocks - 1) : 0;
      clk_o   <= !clk_o;
    end else if (edges_q != 0) begin
      edges_q <= edges_q - 1;
      clk_o   <= !clk_o;
    end
  end

endmodule
