module queue (
  input  logic       clk,
  input  logic       rst_n,
  input  logic       push,
  input  logic       pop,
  input  logic [7:0] wdata,
  output logic [7:0] rdata,
  output logic       empty,
  output logic       full
);
  logic [7:0] memory [0:3];
  logic [2:0] head, tail;
  assign empty = head == tail;
  assign full = (head ^ tail) == 3'b100;
  assign rdata = memory[head[1:0]];
  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      head <= '0;
      tail <= '0;
    end else begin
      if (push && !full) begin
        memory[tail[1:0]] <= wdata;
        tail <= tail + 1'b1;
      end
      if (pop && !empty) head <= head + 1'b1;
    end
  end
endmodule
