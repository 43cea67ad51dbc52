// SPDX-License-Identifier: Apache-2.0
//
// Simulation model of the ECP5's block memory, which Yosys has as a black box only, as Yosys uses
// it: no output registers, no chip select; 1024 x 18 bits with ports of 1 to 18 bits, or 512 x 36
// bits written by port A and read by port B. What one port reads while the other writes it is
// undefined in hardware; here it comes out inverted, so that no design relies on it.

module DP16KD (
  input  DIA0, DIA1, DIA2, DIA3, DIA4, DIA5, DIA6, DIA7, DIA8,
  input  DIA9, DIA10, DIA11, DIA12, DIA13, DIA14, DIA15, DIA16, DIA17,
  input  ADA0, ADA1, ADA2, ADA3, ADA4, ADA5, ADA6,
  input  ADA7, ADA8, ADA9, ADA10, ADA11, ADA12, ADA13,
  input  CEA, OCEA, CLKA, WEA, RSTA, CSA0, CSA1, CSA2,
  output DOA0, DOA1, DOA2, DOA3, DOA4, DOA5, DOA6, DOA7, DOA8,
  output DOA9, DOA10, DOA11, DOA12, DOA13, DOA14, DOA15, DOA16, DOA17,
  input  DIB0, DIB1, DIB2, DIB3, DIB4, DIB5, DIB6, DIB7, DIB8,
  input  DIB9, DIB10, DIB11, DIB12, DIB13, DIB14, DIB15, DIB16, DIB17,
  input  ADB0, ADB1, ADB2, ADB3, ADB4, ADB5, ADB6,
  input  ADB7, ADB8, ADB9, ADB10, ADB11, ADB12, ADB13,
  input  CEB, OCEB, CLKB, WEB, RSTB, CSB0, CSB1, CSB2,
  output DOB0, DOB1, DOB2, DOB3, DOB4, DOB5, DOB6, DOB7, DOB8,
  output DOB9, DOB10, DOB11, DOB12, DOB13, DOB14, DOB15, DOB16, DOB17
);

  parameter DATA_WIDTH_A = 18;
  parameter DATA_WIDTH_B = 18;
  parameter REGMODE_A = "NOREG";
  parameter REGMODE_B = "NOREG";
  parameter RESETMODE = "SYNC";
  parameter ASYNC_RESET_RELEASE = "SYNC";
  parameter CSDECODE_A = "0b000";
  parameter CSDECODE_B = "0b000";
  parameter WRITEMODE_A = "NORMAL";
  parameter WRITEMODE_B = "NORMAL";
  parameter CLKAMUX = "CLKA";
  parameter CLKBMUX = "CLKB";
  parameter GSR = "ENABLED";
  parameter [319:0] INITVAL_00 = 0, INITVAL_01 = 0, INITVAL_02 = 0, INITVAL_03 = 0;
  parameter [319:0] INITVAL_04 = 0, INITVAL_05 = 0, INITVAL_06 = 0, INITVAL_07 = 0;
  parameter [319:0] INITVAL_08 = 0, INITVAL_09 = 0, INITVAL_0A = 0, INITVAL_0B = 0;
  parameter [319:0] INITVAL_0C = 0, INITVAL_0D = 0, INITVAL_0E = 0, INITVAL_0F = 0;
  parameter [319:0] INITVAL_10 = 0, INITVAL_11 = 0, INITVAL_12 = 0, INITVAL_13 = 0;
  parameter [319:0] INITVAL_14 = 0, INITVAL_15 = 0, INITVAL_16 = 0, INITVAL_17 = 0;
  parameter [319:0] INITVAL_18 = 0, INITVAL_19 = 0, INITVAL_1A = 0, INITVAL_1B = 0;
  parameter [319:0] INITVAL_1C = 0, INITVAL_1D = 0, INITVAL_1E = 0, INITVAL_1F = 0;
  parameter [319:0] INITVAL_20 = 0, INITVAL_21 = 0, INITVAL_22 = 0, INITVAL_23 = 0;
  parameter [319:0] INITVAL_24 = 0, INITVAL_25 = 0, INITVAL_26 = 0, INITVAL_27 = 0;
  parameter [319:0] INITVAL_28 = 0, INITVAL_29 = 0, INITVAL_2A = 0, INITVAL_2B = 0;
  parameter [319:0] INITVAL_2C = 0, INITVAL_2D = 0, INITVAL_2E = 0, INITVAL_2F = 0;
  parameter [319:0] INITVAL_30 = 0, INITVAL_31 = 0, INITVAL_32 = 0, INITVAL_33 = 0;
  parameter [319:0] INITVAL_34 = 0, INITVAL_35 = 0, INITVAL_36 = 0, INITVAL_37 = 0;
  parameter [319:0] INITVAL_38 = 0, INITVAL_39 = 0, INITVAL_3A = 0, INITVAL_3B = 0;
  parameter [319:0] INITVAL_3C = 0, INITVAL_3D = 0, INITVAL_3E = 0, INITVAL_3F = 0;

  localparam [20479:0] Init = {
    INITVAL_3F, INITVAL_3E, INITVAL_3D, INITVAL_3C, INITVAL_3B, INITVAL_3A, INITVAL_39, INITVAL_38,
    INITVAL_37, INITVAL_36, INITVAL_35, INITVAL_34, INITVAL_33, INITVAL_32, INITVAL_31, INITVAL_30,
    INITVAL_2F, INITVAL_2E, INITVAL_2D, INITVAL_2C, INITVAL_2B, INITVAL_2A, INITVAL_29, INITVAL_28,
    INITVAL_27, INITVAL_26, INITVAL_25, INITVAL_24, INITVAL_23, INITVAL_22, INITVAL_21, INITVAL_20,
    INITVAL_1F, INITVAL_1E, INITVAL_1D, INITVAL_1C, INITVAL_1B, INITVAL_1A, INITVAL_19, INITVAL_18,
    INITVAL_17, INITVAL_16, INITVAL_15, INITVAL_14, INITVAL_13, INITVAL_12, INITVAL_11, INITVAL_10,
    INITVAL_0F, INITVAL_0E, INITVAL_0D, INITVAL_0C, INITVAL_0B, INITVAL_0A, INITVAL_09, INITVAL_08,
    INITVAL_07, INITVAL_06, INITVAL_05, INITVAL_04, INITVAL_03, INITVAL_02, INITVAL_01, INITVAL_00
  };

  // Nine bits each. Both ports write them, each in a block of its own, as the block RAM does.
  /* verilator lint_off MULTIDRIVEN */
  reg [8:0] mem [0:2047];
  integer i;

  initial begin
    for (i = 0; i < 2048; i = i + 1) mem[i] = Init[20*(i/2) + 9*(i%2) +: 9];
    if (REGMODE_A != "NOREG" || REGMODE_B != "NOREG") begin
      $display("DP16KD: output registers are not modelled");
      $finish;
    end
  end

  wire clk_a = (CLKAMUX == "INV") ? ~CLKA : CLKA;
  wire clk_b = (CLKBMUX == "INV") ? ~CLKB : CLKB;
  wire [13:0] ad_a = {
    ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0
  };
  wire [13:0] ad_b = {
    ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0
  };
  wire [17:0] di_a = {
    DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9,
    DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0
  };
  wire [17:0] di_b = {
    DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9,
    DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0
  };
  // A word of 36 bits is written by both sides at once, and read by both.
  wire [35:0] word_a = (DATA_WIDTH_A == 36) ? {di_b, di_a} : {18'b0, di_a};
  wire [35:0] word_b = {18'b0, di_b};

  // The four parts of nine bits that a port sees, and those of them that it writes.
  function [10:0] part(input integer width, input [13:0] ad, input integer k);
    case (width)
      36: part = {ad[13:5], 2'b00} + k;
      18: part = {ad[13:4], 1'b0} + (k & 1);
      default: part = ad[13:3];
    endcase
  endfunction

  function [3:0] written(input integer width, input [13:0] ad);
    case (width)
      36: written = ad[3:0];
      18: written = {2'b00, ad[1:0]};
      default: written = 4'b0001;
    endcase
  endfunction

  // The bits of a part that a port has, at their place in it.
  function [8:0] mask(input integer width, input [13:0] ad);
    case (width)
      1: mask = 9'h001 << ad[2:0];
      2: mask = 9'h003 << {ad[2:1], 1'b0};
      4: mask = 9'h00F << {ad[2], 2'b00};
      default: mask = 9'h1FF;
    endcase
  endfunction

  function [3:0] shift(input integer width, input [13:0] ad);
    case (width)
      1: shift = {1'b0, ad[2:0]};
      2: shift = {1'b0, ad[2:1], 1'b0};
      4: shift = {1'b0, ad[2], 2'b00};
      default: shift = 4'd0;
    endcase
  endfunction

  wire write_a = CEA & WEA & ~RSTA;
  wire write_b = CEB & WEB & ~RSTB;
  wire [8:0] mask_a = mask(DATA_WIDTH_A, ad_a);
  wire [8:0] mask_b = mask(DATA_WIDTH_B, ad_b);
  wire [3:0] lanes_a = write_a ? written(DATA_WIDTH_A, ad_a) : 4'b0000;
  wire [3:0] lanes_b = write_b ? written(DATA_WIDTH_B, ad_b) : 4'b0000;

  reg [35:0] old_a, new_a, clash_a, do_a;
  integer k_a, l_a;

  always @(posedge clk_a) begin
    clash_a = 36'b0;
    for (k_a = 0; k_a < 4; k_a = k_a + 1) begin
      old_a[9*k_a +: 9] = mem[part(DATA_WIDTH_A, ad_a, k_a)];
      new_a[9*k_a +: 9] = (old_a[9*k_a +: 9] & ~mask_a)
          | ((word_a[9*k_a +: 9] << shift(DATA_WIDTH_A, ad_a)) & mask_a);
      if (lanes_a[k_a]) mem[part(DATA_WIDTH_A, ad_a, k_a)] <= new_a[9*k_a +: 9];
      else new_a[9*k_a +: 9] = old_a[9*k_a +: 9];
      for (l_a = 0; l_a < 4; l_a = l_a + 1) begin
        if (lanes_b[l_a]
            && part(DATA_WIDTH_B, ad_b, l_a) == part(DATA_WIDTH_A, ad_a, k_a))
          clash_a[9*k_a +: 9] = mask_b;
      end
    end
    if (RSTA) do_a <= 36'b0;
    else if (CEA && !WEA) do_a <= (old_a ^ clash_a) >> shift(DATA_WIDTH_A, ad_a);
    else if (CEA && WRITEMODE_A == "WRITETHROUGH") do_a <= new_a >> shift(DATA_WIDTH_A, ad_a);
    else if (CEA && WRITEMODE_A == "READBEFOREWRITE") do_a <= old_a >> shift(DATA_WIDTH_A, ad_a);
  end

  reg [35:0] old_b, new_b, clash_b, do_b;
  integer k_b, l_b;

  always @(posedge clk_b) begin
    clash_b = 36'b0;
    for (k_b = 0; k_b < 4; k_b = k_b + 1) begin
      old_b[9*k_b +: 9] = mem[part(DATA_WIDTH_B, ad_b, k_b)];
      new_b[9*k_b +: 9] = (old_b[9*k_b +: 9] & ~mask_b)
          | ((word_b[9*k_b +: 9] << shift(DATA_WIDTH_B, ad_b)) & mask_b);
      if (lanes_b[k_b]) mem[part(DATA_WIDTH_B, ad_b, k_b)] <= new_b[9*k_b +: 9];
      else new_b[9*k_b +: 9] = old_b[9*k_b +: 9];
      for (l_b = 0; l_b < 4; l_b = l_b + 1) begin
        if (lanes_a[l_b]
            && part(DATA_WIDTH_A, ad_a, l_b) == part(DATA_WIDTH_B, ad_b, k_b))
          clash_b[9*k_b +: 9] = mask_a;
      end
    end
    if (RSTB) do_b <= 36'b0;
    else if (CEB && !WEB) do_b <= (old_b ^ clash_b) >> shift(DATA_WIDTH_B, ad_b);
    else if (CEB && WRITEMODE_B == "WRITETHROUGH") do_b <= new_b >> shift(DATA_WIDTH_B, ad_b);
    else if (CEB && WRITEMODE_B == "READBEFOREWRITE") do_b <= old_b >> shift(DATA_WIDTH_B, ad_b);
  end

  wire wide = (DATA_WIDTH_B == 36);
  wire clear_a = (RESETMODE == "ASYNC") & RSTA;
  wire clear_b = (RESETMODE == "ASYNC") & RSTB;
  wire [17:0] out_a = wide ? (clear_b ? 18'b0 : do_b[17:0]) : (clear_a ? 18'b0 : do_a[17:0]);
  wire [17:0] out_b = clear_b ? 18'b0 : wide ? do_b[35:18] : do_b[17:0];

  assign {
    DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9,
    DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1, DOA0
  } = out_a;
  assign {
    DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9,
    DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1, DOB0
  } = out_b;

endmodule
