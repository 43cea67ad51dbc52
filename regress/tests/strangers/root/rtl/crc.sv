`include "defs.svh"

module crc
  import types_pkg::*;
(
    input  logic  clk,
    input  logic  start,
    input  byte_t data,
    output byte_t value
);
  byte_t next;
  crc_step u_step (
      .state(start ? 8'h00 : value),
      .data (data),
      .next (next)
  );
  always_ff @(posedge clk) value <= next;
endmodule
