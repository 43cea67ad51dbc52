module counter #(parameter int Width = 4) (
  input  logic             clk,
  input  logic             rst_n,
  input  logic             enable,
  output logic [Width-1:0] count
);
  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) count <= '0;
    else if (enable) count <= count + 1'b1;
  end
endmodule
