`timescale 1ns / 1ps
module register #(
    parameter DATA_WIDTH = 8,
    parameter REG_TYPE = 1
) (
    input  wire                  clk,
    input  wire [DATA_WIDTH-1:0] s_data,
    output wire [DATA_WIDTH-1:0] m_data
);
  generate
    if (REG_TYPE == 0) begin
      assign m_data = s_data;
    end else begin
      reg [DATA_WIDTH-1:0] held;
      always @(posedge clk) held <= s_data;
      assign m_data = held;
    end
  endgenerate
endmodule
