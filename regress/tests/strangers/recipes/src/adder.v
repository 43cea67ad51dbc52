module adder (
    input  wire [3:0] a,
    input  wire [3:0] b,
    output wire [4:0] y
);
  assign y = a + b;
endmodule
