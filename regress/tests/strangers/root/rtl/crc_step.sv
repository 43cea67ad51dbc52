`include "defs.svh"

module crc_step
  import types_pkg::*;
(
    input  byte_t state,
    input  byte_t data,
    output byte_t next
);
  integer bit_index;
  always_comb begin
    next = state ^ data;
    for (bit_index = 0; bit_index < 8; bit_index = bit_index + 1)
      next = next[7] ? (next << 1) ^ `POLYNOMIAL : next << 1;
  end
endmodule
