module edge_detect (
    input  wire clk,
    input  wire level,
    output wire rise
);
  reg last;
  always @(posedge clk) last <= level;
  assign rise = level & ~last;
endmodule
