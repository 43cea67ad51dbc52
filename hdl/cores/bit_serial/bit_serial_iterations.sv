// SPDX-License-Identifier: Apache-2.0
//
// Registers and control of a bit-serial Montgomery multiplier. The core supplies the iterations of
// a cycle, as logic between s_o, c_o and s_i, c_i.
//
//   for i in 0 ... Iterations-1, Unfolding of them per cycle:  S, C := iteration(S, C, x_i)
//
// Unfolding (J, 1 to 4, at most Iterations/2): iterations per cycle. The last cycle does the
// remaining ones.
// s_o, c_o: S and C before the first iteration of the cycle. From done_o to the cycle after the
// first unload they are the result.
// s_i, c_i: S and C after each iteration of the cycle, the first one lowest.
// next_o: this cycle takes bits of X, with Early for the iterations of this cycle, otherwise for
// those of the next one.
// table_valid_o: iterations that this cycle does.
//
// S and C are shifted out by words. This leaves them 0 for the next product.
// Width: bits of S and C. Early: the cycle of the start does the first J iterations.
// Latency: start_i to done_o ceil(Iterations/J) cycles, without Early one more.
//
// Source: Amanor (2005), ch. 5.4 and figure 16; J > 1: Gajbhiye & Joshi (2018), figure 7.

module bit_serial_iterations
  import multiplier_pkg::*;
#(
  parameter int Iterations = 32,
  parameter int Width = 32,
  parameter int WordWidth = 32,
  parameter int Unfolding = 1,
  // The cycle of the start does the first iterations.
  parameter bit Early = (Unfolding > 1)
) (
  input  logic                                    clk_i,
  input  logic                                    rst_ni,
  input  parallel_control_t                       control_i,
  output logic              [          Width-1:0] s_o,
  output logic              [          Width-1:0] c_o,
  input  logic              [Unfolding*Width-1:0] s_i,
  input  logic              [Unfolding*Width-1:0] c_i,
  output logic                                    next_o,
  output logic              [ TablePositions-1:0] table_valid_o,
  output logic                                    done_o,
  output logic              [                1:0] state_o
);

  `ASSERT_PARAMETER(
      unfolding, (Unfolding >= 1) && (Unfolding <= TablePositions) && (2 * Unfolding <= Iterations),
      "bit_serial_iterations: Unfolding must be 1 to 4 and at most Iterations / 2")

  localparam int Cycles = (Iterations + Unfolding - 1) / Unfolding;
  localparam int Rest = Iterations - (Cycles - 1) * Unfolding;  // iterations in the last cycle

  logic load, step, last, first, iterate, ends;
  logic [Width-1:0] s_q, c_q;

  bit_serial_control #(
    .Iterations(Early ? (Cycles - 1) : Cycles)
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

  assign next_o = Early ? iterate : (load || (step && !last));
  assign s_o    = s_q;
  assign c_o    = c_q;

  for (genvar i = 0; i < TablePositions; i++) begin : gen_valid
    assign table_valid_o[i] = iterate && (i < Unfolding) && (!ends || (i < Rest));
  end

  // moves: segments that load in this cycle. iterates: positions that load the result of an
  // iteration; the others load the word shift.
  localparam int Segments = (Width + SegmentWidth - 1) / SegmentWidth;
  logic [Segments-1:0] moves;
  logic [Width-1:0] iterates;

  if (Early) begin : gen_now
    logic unload_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) unload_q <= 1'b0;
      else unload_q <= control_i.unload;
    end
    assign moves    = {Segments{iterate || unload_q}};
    assign iterates = {Width{iterate}};
  end else begin : gen_ahead
    segment_registers #(
      .Width  (Segments),
      .Segment(1)
    ) u_moves (
      .clk_i,
      .rst_ni,
      .bit_i (next_o || control_i.unload),
      .bits_o(moves)
    );

    segment_registers #(
      .Width(Width)
    ) u_iterates (
      .clk_i,
      .rst_ni,
      .bit_i (next_o),
      .bits_o(iterates)
    );
  end

  logic [Width-1:0] iterated_s, iterated_c, s_d, c_d;

  assign iterated_s = ends ? s_i[(Rest-1)*Width+:Width] : s_i[(Unfolding-1)*Width+:Width];
  assign iterated_c = ends ? c_i[(Rest-1)*Width+:Width] : c_i[(Unfolding-1)*Width+:Width];
  assign s_d = (iterated_s & iterates) | ((s_q >> WordWidth) & ~iterates);
  assign c_d = (iterated_c & iterates) | ((c_q >> WordWidth) & ~iterates);

  for (genvar i = 0; i < Width; i = i + SegmentWidth) begin : gen_segment
    localparam int Positions = (Width - i < SegmentWidth) ? Width - i : SegmentWidth;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        s_q[i+:Positions] <= '0;
        c_q[i+:Positions] <= '0;
      end else if (moves[i/SegmentWidth]) begin
        s_q[i+:Positions] <= s_d[i+:Positions];
        c_q[i+:Positions] <= c_d[i+:Positions];
      end
    end
  end

  // S and C between the iterations of a cycle: only those after iteration Rest are used.
  logic unused_bits;
  assign unused_bits = ^{s_i, c_i};

endmodule
