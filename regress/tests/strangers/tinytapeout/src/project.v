`default_nettype none

module tt_um_counter (
    input  wire [7:0] ui_in,
    output wire [7:0] uo_out,
    input  wire [7:0] uio_in,
    output wire [7:0] uio_out,
    output wire [7:0] uio_oe,
    input  wire       ena,
    input  wire       clk,
    input  wire       rst_n
);
  reg [7:0] count;
  assign uo_out  = count;
  assign uio_out = 0;
  assign uio_oe  = 0;
  always @(posedge clk) count <= !rst_n ? 0 : count + ui_in;
  wire _unused = &{ena, uio_in, 1'b0};
endmodule
