// SPDX-License-Identifier: Apache-2.0
//
// Property: the response of a core to a start, and its timing, for all operands.
//
//   done_o is high exactly DoneCycles cycles after a start
//   busy_o is high from the cycle after the start to done_o, and in no other cycle
//   s_o and c_o are stable from done_o to the cycle after the first unload, and 0 after that cycle
//   state_o is one of the three states
//
// Assumption: no start while busy_o (parallel_control guarantees it) or before S and C are
// unloaded. Operands and constants may change in every cycle, so no timing depends on them. Unloads
// may come in any cycle, a reset at any time.

module core_protocol
  import multiplier_pkg::*;
#(
  parameter int Width = 8,
  parameter int Guard = 2,
  parameter int DoneCycles = 9
) (
  input logic                            clk_i,
  input logic                            rst_ni,
  input logic                            start_i,
  input logic                            unload_i,
  input logic [               Width-1:0] x_i,
  input logic [               Width-1:0] y_i,
  input logic [               Width-1:0] m_i,
  input logic [ConstSlots*(Width+1)-1:0] const_i
);

  localparam int AgeWidth = $clog2(DoneCycles + 2);

  logic busy, done, empty, unload;
  logic [1:0] state;
  logic [Width+Guard-1:0] s, c, s_q, c_q;

  logic steady_q, left_q;
  logic begun_q = 1'b0;
  logic [AgeWidth-1:0] age_q;  // cycles since the start, 0 while idle
  logic [AgeWidth-1:0] done_age;

  flat_core #(
    .Width(Width),
    .Guard(Guard)
  ) u_core (
    .clk_i,
    .rst_ni,
    .start_i,
    .unload_i,
    .x_i,
    .y_i,
    .m_i,
    .const_i,
    .busy_o (busy),
    .done_o (done),
    .empty_o(empty),
    .s_o    (s),
    .c_o    (c),
    .state_o(state)
  );

  assign done_age = AgeWidth'(DoneCycles);
  assign unload   = u_core.unload_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      age_q <= '0;
    end else if (start_i) begin
      age_q <= AgeWidth'(1);
    end else if (age_q != '0) begin
      age_q <= (age_q == done_age) ? '0 : age_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    begun_q  <= 1'b1;
    s_q      <= s;
    c_q      <= c;
    steady_q <= rst_ni && !start_i && !unload && ((age_q == '0) || (age_q == done_age));
    left_q   <= rst_ni && !start_i && unload && ((age_q == '0) || (age_q == done_age));
  end

  always_comb begin
    if (!begun_q) begin
      assume (!rst_ni);
    end
    assume (!start_i || empty);
    if (begun_q && rst_ni) begin
      // For the induction: age_q stops counting.
      assert (age_q <= done_age);
      assert (busy == (age_q != '0));
      assert (done == ((age_q != '0) && (age_q == done_age)));
      assert ((state == StateStarting) || (state == StateRunning) || (state == StateFinished));
      if (steady_q) begin
        assert (s == s_q);
        assert (c == c_q);
      end
      if (left_q || empty) assert ((s == '0) && (c == '0));
      if (empty) assert (!busy);
    end
  end

endmodule
