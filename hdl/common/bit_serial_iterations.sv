// SPDX-License-Identifier: Apache-2.0
//
// Registers and control of a bit-serial Montgomery multiplier, around the iterations of a clock
// that a core makes in between.
//
//   for i in 0 ... Width-1, Unfolding of them a clock:  S, C := iteration(S, C, x_i)
//
// Unfolding (J, 1 to 4, at most Width/2) iterations a clock, in the last clock those that are left.
// s_o, c_o: S and C in front of the first iteration of the clock; x_o: the bit of X of each. s_i,
// c_i: S and C behind each, from the first one on. valid_o: this iteration is made in this clock.
// result_s_o, result_c_o: S and C as they are kept, the result from done_o to the next start or
// unload.
//
// X is shifted in by words of WordWidth bits, and out by the bits that a clock takes; S and C are
// shifted out by words, which leaves them 0 for the next product.
// Operands: X any of Width bits.
// Latency: start_i to done_o Width + 1 clocks for J = 1; ceil(Width/J) for J > 1, where the first J
// iterations are done in the clock of the start.
//
// Source: Amanor (2005), ch. 5.4 and figure 16; J > 1: Gajbhiye & Joshi (2018), figure 7.

module bit_serial_iterations
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int WordWidth = 32,
  parameter int Unfolding = 1
) (
  input  logic                                    clk_i,
  input  logic                                    rst_ni,
  input  parallel_control_t                       control_i,
  input  logic              [      WordWidth-1:0] x_i,
  output logic              [      Unfolding-1:0] x_o,
  output logic              [          Width-1:0] s_o,
  output logic              [          Width-1:0] c_o,
  input  logic              [Unfolding*Width-1:0] s_i,
  input  logic              [Unfolding*Width-1:0] c_i,
  output logic              [ TablePositions-1:0] valid_o,
  output logic                                    done_o,
  output logic              [                1:0] state_o,
  output logic              [          Width-1:0] result_s_o,
  output logic              [          Width-1:0] result_c_o
);

  // Icarus 11 has no elaboration tasks.
`ifdef __ICARUS__
  initial begin
    if ((Unfolding < 1) || (Unfolding > TablePositions) || (2 * Unfolding > Width)) begin
      $fatal(1, "bit_serial_iterations: Unfolding must be 1 to 4 and at most Width / 2");
    end
  end
`else
  if ((Unfolding < 1) || (Unfolding > TablePositions)
   || (2 * Unfolding > Width)) begin : gen_check_unfolding
    $error("bit_serial_iterations: Unfolding must be 1 to 4 and at most Width / 2");
  end
`endif  // __ICARUS__

  localparam int Clocks = (Width + Unfolding - 1) / Unfolding;
  localparam int Rest = Width - (Clocks - 1) * Unfolding;  // iterations in the last clock
  // An unfolded core iterates in the clock of the start already.
  localparam bit Early = (Unfolding > 1);

  localparam int Words = (Width + WordWidth - 1) / WordWidth;
  localparam int XBits = Words * WordWidth;

  logic load, step, last, first, iterate, ends, clear;
  logic [XBits-1:0] x, x_q, x_loaded;
  logic [Width-1:0] s_q, c_q;

  bit_serial_control #(
    .Iterations(Early ? (Clocks - 1) : Clocks)
  ) u_control (
    .clk_i,
    .rst_ni,
    .start_i(control_i.start),
    .load_o (load),
    .step_o (step),
    .last_o (last),
    .done_o,
    .state_o
  );

  assign first   = Early && load;
  assign iterate = step || first;
  assign ends    = step && last;

  assign clear   = load && control_i.clear;

  if (Words == 1) begin : gen_one_word
    // It may come with the start.
    assign x_loaded = x_i;
    assign x        = (first && control_i.load) ? x_loaded : x_q;
  end else begin : gen_words
    assign x_loaded = {x_i, x_q[XBits-1:WordWidth]};
    assign x        = x_q;
  end
  assign x_o = x[Unfolding-1:0];
  assign s_o = (Early && clear) ? '0 : s_q;
  assign c_o = (Early && clear) ? '0 : c_q;

  for (genvar i = 0; i < TablePositions; i++) begin : gen_valid
    assign valid_o[i] = iterate && (i < Unfolding) && (!ends || (i < Rest));
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      x_q <= '0;
      s_q <= '0;
      c_q <= '0;
    end else begin
      if (iterate) begin
        x_q <= x >> Unfolding;
      end else if (control_i.load) begin
        x_q <= x_loaded;
      end
      if (iterate) begin
        s_q <= ends ? s_i[(Rest-1)*Width+:Width] : s_i[(Unfolding-1)*Width+:Width];
        c_q <= ends ? c_i[(Rest-1)*Width+:Width] : c_i[(Unfolding-1)*Width+:Width];
      end else if (control_i.unload) begin
        s_q <= s_q >> WordWidth;
        c_q <= c_q >> WordWidth;
      end else if (clear) begin
        s_q <= '0;
        c_q <= '0;
      end
    end
  end

  assign result_s_o = s_q;
  assign result_c_o = c_q;

  // Of S and C in between, those behind the last iteration that is left are taken, if any.
  logic unused_bits;
  assign unused_bits = ^{s_i, c_i};

endmodule
