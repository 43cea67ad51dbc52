module mux (
    input  wire select,
    input  wire a,
    input  wire b,
    output wire y
);
  assign y = select ? b : a;
endmodule
