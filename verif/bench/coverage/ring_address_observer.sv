// SPDX-License-Identifier: Apache-2.0
//
// Ring address observer (test bench): completes the table address of a ring, because the hardware
// has only parts of it. Bit 0 indicates whether the digit that the first element reports came
// through the queue. The observer stores this bit, because the next digit may have begun in an
// element before it reports the previous one. The class of the digit, bits 1 and 2, may come
// ClassLead cycles before the other bits, see systolic_ring.
//
// clear_i: the ring is idle. digit_first_i: a digit begins; digit_queued_i: it comes from the
// queue. digit_report_i: a digit is reported. Latency: 0 cycles from digit_report_i to
// table_addr_o.

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
  logic [2:0] waiting_q;  // number of digits that have begun and are not yet reported, at most 4
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
