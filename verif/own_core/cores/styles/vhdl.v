// Made of vhdl.vhd by ghdl --synth --std=08 --out=verilog -gN=8 modmul
module modmul
  (input  clk,
   input  rst,
   input  start,
   input  [7:0] x,
   input  [7:0] y,
   input  [7:0] m,
   output done,
   output [7:0] r);
  wire [7:0] xq;
  wire [7:0] yq;
  wire [7:0] mq;
  wire [7:0] p;
  wire [3:0] count;
  wire [9:0] s;
  wire [1:0] choice;
  wire [8:0] n3_o;
  wire [9:0] n5_o;
  wire [9:0] n6_o;
  wire [9:0] n7_o;
  wire n8_o;
  wire [9:0] n9_o;
  wire [8:0] n11_o;
  wire [9:0] n13_o;
  wire [8:0] n16_o;
  wire [9:0] n18_o;
  wire n19_o;
  wire n20_o;
  wire [9:0] n23_o;
  wire n24_o;
  wire n25_o;
  wire [31:0] n30_o;
  wire n32_o;
  wire [7:0] n33_o;
  wire [7:0] n37_o;
  wire [3:0] n39_o;
  wire [8:0] n41_o;
  wire [9:0] n43_o;
  wire [9:0] n44_o;
  wire [7:0] n45_o;
  wire n47_o;
  wire [9:0] n48_o;
  wire [9:0] n49_o;
  wire [7:0] n50_o;
  wire n52_o;
  wire [7:0] n53_o;
  wire n55_o;
  wire [2:0] n56_o;
  reg [7:0] n58_o;
  wire [6:0] n59_o;
  wire [7:0] n61_o;
  wire [31:0] n62_o;
  wire [31:0] n64_o;
  wire [3:0] n65_o;
  wire [31:0] n66_o;
  wire n68_o;
  wire n71_o;
  wire n73_o;
  wire [7:0] n75_o;
  wire n76_o;
  wire n77_o;
  wire [7:0] n78_o;
  wire [3:0] n79_o;
  reg n95_q;
  wire n96_o;
  wire [7:0] n97_o;
  reg [7:0] n98_q;
  wire n99_o;
  wire n100_o;
  wire [7:0] n101_o;
  reg [7:0] n102_q;
  wire n103_o;
  wire n104_o;
  wire [7:0] n105_o;
  reg [7:0] n106_q;
  wire n107_o;
  wire [7:0] n108_o;
  reg [7:0] n109_q;
  reg [3:0] n110_q;
  wire [1:0] n111_o;
  assign done = n95_q;
  assign r = p;
  /* modmul.vhd:15:10  */
  assign xq = n98_q; // (signal)
  /* modmul.vhd:15:14  */
  assign yq = n102_q; // (signal)
  /* modmul.vhd:15:18  */
  assign mq = n106_q; // (signal)
  /* modmul.vhd:15:22  */
  assign p = n109_q; // (signal)
  /* modmul.vhd:16:10  */
  assign count = n110_q; // (signal)
  /* modmul.vhd:17:10  */
  assign s = n9_o; // (signal)
  /* modmul.vhd:18:10  */
  assign choice = n111_o; // (signal)
  /* modmul.vhd:20:13  */
  assign n3_o = {1'b0, p};
  /* modmul.vhd:20:17  */
  assign n5_o = {n3_o, 1'b0};
  /* modmul.vhd:20:24  */
  assign n6_o = {2'b0, yq};  //  uext
  /* modmul.vhd:20:24  */
  assign n7_o = n5_o + n6_o;
  /* modmul.vhd:20:36  */
  assign n8_o = xq[7];
  /* modmul.vhd:20:29  */
  assign n9_o = n8_o ? n7_o : n13_o;
  /* modmul.vhd:20:57  */
  assign n11_o = {1'b0, p};
  /* modmul.vhd:20:61  */
  assign n13_o = {n11_o, 1'b0};
  /* modmul.vhd:21:35  */
  assign n16_o = {1'b0, mq};
  /* modmul.vhd:21:40  */
  assign n18_o = {n16_o, 1'b0};
  /* modmul.vhd:21:27  */
  assign n19_o = $unsigned(s) >= $unsigned(n18_o);
  /* modmul.vhd:21:20  */
  assign n20_o = n19_o ? 1'b1 : 1'b0;
  /* modmul.vhd:22:27  */
  assign n23_o = {2'b0, mq};  //  uext
  /* modmul.vhd:22:27  */
  assign n24_o = $unsigned(s) >= $unsigned(n23_o);
  /* modmul.vhd:22:20  */
  assign n25_o = n24_o ? 1'b1 : 1'b0;
  /* modmul.vhd:30:16  */
  assign n30_o = {28'b0, count};  //  uext
  /* modmul.vhd:30:16  */
  assign n32_o = n30_o == 32'b00000000000000000000000000000000;
  /* modmul.vhd:31:9  */
  assign n33_o = start ? x : xq;
  /* modmul.vhd:31:9  */
  assign n37_o = start ? 8'b00000000 : p;
  /* modmul.vhd:31:9  */
  assign n39_o = start ? 4'b1000 : count;
  /* modmul.vhd:36:45  */
  assign n41_o = {1'b0, mq};
  /* modmul.vhd:36:50  */
  assign n43_o = {n41_o, 1'b0};
  /* modmul.vhd:36:38  */
  assign n44_o = s - n43_o;
  /* modmul.vhd:36:29  */
  assign n45_o = n44_o[7:0];  // trunc
  /* modmul.vhd:36:11  */
  assign n47_o = choice == 2'b11;
  /* modmul.vhd:37:38  */
  assign n48_o = {2'b0, mq};  //  uext
  /* modmul.vhd:37:38  */
  assign n49_o = s - n48_o;
  /* modmul.vhd:37:29  */
  assign n50_o = n49_o[7:0];  // trunc
  /* modmul.vhd:37:11  */
  assign n52_o = choice == 2'b01;
  /* modmul.vhd:38:30  */
  assign n53_o = s[7:0];
  /* modmul.vhd:38:11  */
  assign n55_o = choice == 2'b00;
  assign n56_o = {n55_o, n52_o, n47_o};
  /* modmul.vhd:35:9  */
  always @*
    case (n56_o)
      3'b100: n58_o <= n53_o;
      3'b010: n58_o <= n50_o;
      3'b001: n58_o <= n45_o;
    endcase
  /* modmul.vhd:41:17  */
  assign n59_o = xq[6:0];
  /* modmul.vhd:41:32  */
  assign n61_o = {n59_o, 1'b0};
  /* modmul.vhd:42:24  */
  assign n62_o = {28'b0, count};  //  uext
  /* modmul.vhd:42:24  */
  assign n64_o = n62_o - 32'b00000000000000000000000000000001;
  /* modmul.vhd:42:18  */
  assign n65_o = n64_o[3:0];  // trunc
  /* modmul.vhd:43:18  */
  assign n66_o = {28'b0, count};  //  uext
  /* modmul.vhd:43:18  */
  assign n68_o = n66_o == 32'b00000000000000000000000000000001;
  /* modmul.vhd:43:9  */
  assign n71_o = n68_o ? 1'b1 : 1'b0;
  /* modmul.vhd:30:7  */
  assign n73_o = n32_o ? 1'b0 : n71_o;
  /* modmul.vhd:30:7  */
  assign n75_o = n32_o ? n33_o : n61_o;
  /* modmul.vhd:30:7  */
  assign n76_o = n32_o & start;
  /* modmul.vhd:30:7  */
  assign n77_o = n32_o & start;
  /* modmul.vhd:30:7  */
  assign n78_o = n32_o ? n37_o : n58_o;
  /* modmul.vhd:30:7  */
  assign n79_o = n32_o ? n39_o : n65_o;
  /* modmul.vhd:28:5  */
  always @(posedge clk or posedge rst)
    if (rst)
      n95_q <= 1'b0;
    else
      n95_q <= n73_o;
  /* modmul.vhd:24:3  */
  assign n96_o = ~rst;
  /* modmul.vhd:28:5  */
  assign n97_o = n96_o ? n75_o : xq;
  /* modmul.vhd:28:5  */
  always @(posedge clk)
    n98_q <= n97_o;
  /* modmul.vhd:24:3  */
  assign n99_o = ~rst;
  /* modmul.vhd:24:3  */
  assign n100_o = n76_o & n99_o;
  /* modmul.vhd:28:5  */
  assign n101_o = n100_o ? y : yq;
  /* modmul.vhd:28:5  */
  always @(posedge clk)
    n102_q <= n101_o;
  /* modmul.vhd:24:3  */
  assign n103_o = ~rst;
  /* modmul.vhd:24:3  */
  assign n104_o = n77_o & n103_o;
  /* modmul.vhd:28:5  */
  assign n105_o = n104_o ? m : mq;
  /* modmul.vhd:28:5  */
  always @(posedge clk)
    n106_q <= n105_o;
  /* modmul.vhd:24:3  */
  assign n107_o = ~rst;
  /* modmul.vhd:28:5  */
  assign n108_o = n107_o ? n78_o : p;
  /* modmul.vhd:28:5  */
  always @(posedge clk)
    n109_q <= n108_o;
  /* modmul.vhd:28:5  */
  always @(posedge clk or posedge rst)
    if (rst)
      n110_q <= 4'b0000;
    else
      n110_q <= n79_o;
  /* modmul.vhd:25:5  */
  assign n111_o = {n20_o, n25_o};
endmodule

module vhdl_shim #(parameter Width = 8) (
  input clk_i, rst_ni, start_i,
  input [Width-1:0] x_i, y_i, m_i,
  output done_o,
  output [Width-1:0] result_o
);
  modmul core (clk_i, ~rst_ni, start_i, x_i, y_i, m_i, done_o, result_o);
endmodule
