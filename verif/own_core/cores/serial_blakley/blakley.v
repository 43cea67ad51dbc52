// SPDX-License-Identifier: Apache-2.0
// X*Y mod M after Blakley, one bit of X a cycle, highest bit first. Verilog 2001, valid/ready on both
// sides, synchronous active-high reset. Any M from 1 on, X and Y below M.
// Latency: N cycles from the cycle in which the operands are taken to out_valid.
module blakley #(
  parameter N = 32
) (
  input  wire         clk,
  input  wire         rst,
  input  wire         in_valid,
  output wire         in_ready,
  input  wire [N-1:0] in_x,
  input  wire [N-1:0] in_y,
  input  wire [N-1:0] in_m,
  output wire         out_valid,
  input  wire         out_ready,
  output wire [N-1:0] out_p
);

  localparam integer COUNT = 16;

  reg [N-1:0] x, y, m, p;
  reg [COUNT-1:0] count;
  reg busy, full;

  // Twice the sum so far, and Y if the bit of X says so: below 3*M.
  wire [N+1:0] modulus, sum, once, twice;
  assign modulus = {2'b00, m};
  assign sum = {1'b0, p, 1'b0} + (x[N-1] ? {2'b00, y} : {(N + 2){1'b0}});
  assign once = (sum >= modulus) ? sum - modulus : sum;
  assign twice = (once >= modulus) ? once - modulus : once;

  assign in_ready = !busy && (!full || out_ready);
  assign out_valid = full;
  assign out_p = p;

  always @(posedge clk) begin
    if (rst) begin
      x     <= {N{1'b0}};
      y     <= {N{1'b0}};
      m     <= {N{1'b0}};
      p     <= {N{1'b0}};
      count <= {COUNT{1'b0}};
      busy  <= 1'b0;
      full  <= 1'b0;
    end else begin
      if (full && out_ready) full <= 1'b0;
      if (in_valid && in_ready) begin
        x     <= in_x;
        y     <= in_y;
        m     <= in_m;
        p     <= {N{1'b0}};
        count <= 1;
        busy  <= 1'b1;
      end else if (busy) begin
        x     <= x << 1;
        p     <= twice[N-1:0];
        count <= count + 1'b1;
        if (count == N) begin
          busy <= 1'b0;
          full <= 1'b1;
        end
      end
    end
  end

endmodule
