`timescale 1ps/1ps
`default_nettype none
`define Width this_name_is_taken
`define CLK clk_i
package packages_pkg;
  typedef enum logic [1:0] {Rest, Work} state_e;
  localparam int CountBits = 16;
  function automatic logic [CountBits-1:0] less(input logic [CountBits-1:0] n);
    less = n - 16'(`STEP_BITS);
  endfunction
endpackage
