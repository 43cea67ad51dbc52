module alu (
    input  logic       clk,
    input  logic [7:0] a,
    input  logic [7:0] b,
    input  logic       subtract,
    output logic [7:0] y
);
  always_ff @(posedge clk) y <= subtract ? a - b : a + b;
endmodule
