module fifo #(
    parameter WIDTH = 4,
    parameter DEPTH = 2
) (
    input  logic             clk,
    input  logic             rst_n,
    input  logic             push,
    input  logic             pop,
    input  logic [WIDTH-1:0] wdata,
    output logic [WIDTH-1:0] rdata,
    output logic             full,
    output logic             empty
);
  logic [WIDTH-1:0] memory[0:DEPTH-1];
  integer count, head, tail;
  assign full  = count == DEPTH;
  assign empty = count == 0;
  assign rdata = memory[head];
  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) begin
      count <= 0;
      head  <= 0;
      tail  <= 0;
    end else begin
      if (push && !full) begin
        memory[tail] <= wdata;
        tail <= (tail + 1) % DEPTH;
      end
      if (pop && !empty) head <= (head + 1) % DEPTH;
      count <= count + ((push && !full) ? 1 : 0) - ((pop && !empty) ? 1 : 0);
    end
endmodule
