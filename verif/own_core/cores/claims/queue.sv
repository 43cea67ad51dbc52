// X*Y mod M in three cycles, a pipeline: a second start has a done of its own, after the first one.
module queue_shim #(parameter int Width = 8) (
  input  logic clk_i, rst_ni, start_i,
  input  logic [Width-1:0] x_i, y_i, m_i,
  output logic done_o,
  output logic [Width-1:0] result_o
);
  logic [1:0] valid_q;
  logic [Width-1:0] first_q, second_q;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) {done_o, valid_q} <= '0;
    else begin
      {done_o, valid_q} <= {valid_q, start_i};
      first_q <= Width'(((2*Width)'(x_i) * y_i) % m_i);
      {result_o, second_q} <= {second_q, first_q};
    end
endmodule
