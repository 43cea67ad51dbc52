// SPDX-License-Identifier: Apache-2.0
//
// Ring address observer (test bench): the table address of a ring, of which the hardware has parts
// alone. Bit 0 says whether the digit that the first element reports came through the queue: an
// element reports a digit when the next one may have begun in it. The class of the digit, bits 1
// and 2, may come ClassLead clocks before the rest, see systolic_ring.
//
// clear_i: the ring is at rest. digit_first_i: a digit begins, and digit_queued_i whence it comes.
// digit_report_i: it is reported; table_addr_o in the same clock.

module ring_address_observer
  import multiplier_pkg::*;
#(
  parameter int ClassLead = 0
) (
  input logic clk_i,
  input logic rst_ni,
  input logic clear_i,
  input logic digit_first_i,
  input logic digit_queued_i,
  input logic digit_report_i,
  input logic [TableAddrBits-1:0] table_addr_i,
  output logic [TableAddrBits-1:0] table_addr_o
);

  logic [3:0] queued_q;
  logic [2:0] waiting_q;  // digits that have begun and are not reported yet, at most 4
  logic [1:0] oldest;
  logic queued;

  assign oldest = 2'(waiting_q - 3'd1);
  assign queued = digit_report_i && ((waiting_q == '0) ? digit_queued_i : queued_q[oldest]);

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

  if (ClassLead == 0) begin : gen_at_once
    assign table_addr_o = table_addr_i | TableAddrBits'(queued);
  end else begin : gen_later
    logic [2*ClassLead-1:0] class_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) class_q <= '0;
      else class_q <= (2 * ClassLead)'({class_q, table_addr_i[2:1]});
    end

    assign table_addr_o = {
      table_addr_i[TableAddrBits-1:3], class_q[2*ClassLead-1-:2], table_addr_i[0] | queued
    };
  end

endmodule
