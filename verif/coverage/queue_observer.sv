// SPDX-License-Identifier: Apache-2.0
//
// Queue observer (test bench): whether the digit that the first element of a ring reports came
// through the queue. An element reports a digit when the next one may have begun in it.
//
// clear_i: the ring is at rest. digit_first_i: a digit begins, and digit_queued_i whence it comes.
// digit_report_i: it is reported; queued_o in the same clock.

module queue_observer (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic clear_i,
  input  logic digit_first_i,
  input  logic digit_queued_i,
  input  logic digit_report_i,
  output logic queued_o
);

  logic [3:0] queued_q;
  logic [2:0] waiting_q;  // digits that have begun and are not reported yet, at most 4
  logic [1:0] oldest;

  assign oldest   = 2'(waiting_q - 3'd1);
  assign queued_o = digit_report_i && ((waiting_q == '0) ? digit_queued_i : queued_q[oldest]);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      queued_q  <= '0;
      waiting_q <= '0;
    end else if (clear_i) begin
      waiting_q <= '0;
    end else begin
      if (digit_first_i) queued_q <= {queued_q[2:0], digit_queued_i};
      waiting_q <= waiting_q + 3'(digit_first_i) - 3'(digit_report_i);
    end
  end

endmodule
