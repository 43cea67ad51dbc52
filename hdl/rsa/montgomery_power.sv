// SPDX-License-Identifier: Apache-2.0
//
// Power of two modulo M by doublings, word by word: the first part of R**2 mod M.
//
//   value_o = 2**doublings_i mod M
//
// Operands: M odd and above 1, steady while it works.
// value_o keeps its value until the next start.
// Latency: 1 clock, and W + 3 for each doubling, with W = ceil((Width+3)/AddWidth) words; done_o is
// high in the clock of the last doubling's end.
//
// Source: R**2 is an input of Michalski & Buell's core (ch. 5.5); doubling is the usual way to it.

module montgomery_power
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int AddWidth = 32
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             start_i,
  input  logic [     15:0] doublings_i,
  input  logic [Width-1:0] m_i,
  output logic             done_o,
  output logic [Width-1:0] value_o
);

  localparam int Words = (Width + 2 + AddWidth) / AddWidth;
  localparam int IndexWidth = (Words > 1) ? $clog2(Words) : 1;
  localparam int PaddedWidth = Words * AddWidth;

  localparam logic [1:0] StIdle = 2'd0;
  localparam logic [1:0] StDouble = 2'd1;
  localparam logic [1:0] StWait = 2'd2;

  logic [1:0] state_q;
  logic [15:0] left_q;
  logic first_q;

  logic add_start, add_done;
  logic [IndexWidth-1:0] index;
  logic [AddWidth-1:0] word;
  logic [Width+2:0] value;
  logic [PaddedWidth-1:0] value_padded;

  assign add_start = (state_q == StDouble);
  assign value_padded = first_q ? PaddedWidth'(1) : PaddedWidth'(value);
  assign word = value_padded[index*AddWidth+:AddWidth];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      left_q  <= '0;
      first_q <= 1'b0;
    end else begin
      case (state_q)
        StIdle: begin
          if (start_i) begin
            state_q <= StDouble;
            left_q  <= doublings_i;
            first_q <= 1'b1;
          end
        end
        StDouble: begin
          left_q  <= left_q - 1'b1;
          state_q <= StWait;
        end
        default: begin
          if (add_done) begin
            first_q <= 1'b0;
            state_q <= (left_q == '0) ? StIdle : StDouble;
          end
        end
      endcase
    end
  end

  logic subtracted, exact, above_one;
  logic [1:0] reduction;
  assign reduction = ReduceOnce;

  word_serial_modular_adder #(
    .Width   (Width),
    .AddWidth(AddWidth)
  ) u_adder (
    .clk_i,
    .rst_ni,
    .start_i     (add_start),
    .reduction_i (reduction),
    .m_i,
    .word_index_o(index),
    .a_i         (word),
    .b_i         (word),
    .done_o      (add_done),
    .value_o     (value),
    .subtracted_o(subtracted),
    .exact_o     (exact),
    .above_one_o (above_one)
  );

  assign done_o  = (state_q == StWait) && add_done && (left_q == '0);
  assign value_o = value[Width-1:0];

  logic unused_flags;
  assign unused_flags = ^{subtracted, exact, above_one};

endmodule
