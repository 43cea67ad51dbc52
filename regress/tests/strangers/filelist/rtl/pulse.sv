`timescale 1ns / 1ps
`include "pulse_defines.vh"

module pulse
  import pulse_pkg::*;
(
    input  logic trigger,
    output logic out,
    output logic [7:0] count
);
  initial begin
    out   = 1'b0;
    count = 8'd0;
  end
  always @(posedge trigger)
    repeat (Steps) begin
      out = 1'b1;
      #`WIDTH_NS out = 1'b0;
      count = count + 1;
      #1;
    end
endmodule
