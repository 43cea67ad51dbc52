module accumulator #(
    parameter WIDTH = 8
) (
    input  logic             clk,
    input  logic             clear,
    input  logic [WIDTH-1:0] add,
    output logic [WIDTH-1:0] sum
);
  initial if (WIDTH < 2) $fatal(1, "too narrow");
  always_ff @(posedge clk) sum <= clear ? {WIDTH{`RESET_VALUE}} : sum + add;
endmodule
