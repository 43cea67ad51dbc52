`timescale 1ns / 1ps
module delay (
    input  logic clk,
    input  logic d,
    output logic q
);
  integer cycles;
  logic [15:0] line;
  initial if (!$value$plusargs("cycles=%d", cycles)) $fatal(1, "+cycles=N is missing");
  always_ff @(posedge clk) line <= {line[14:0], d};
  assign q = line[cycles-1];
endmodule
