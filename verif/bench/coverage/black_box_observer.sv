// SPDX-License-Identifier: Apache-2.0
//
// Black-box observer (test bench): replaces a design's observer where the signals inside the design
// are not visible, as in a synthesised netlist. The vector has the same layout, but all fields
// except the busy cycles are 0.
//
// The count of busy cycles begins at the rising edge of busy, because the start signal is inside
// the design.

module black_box_observer #(
  parameter int ObservedBits = 64,
  // Lowest bit of the 32-bit count of busy cycles.
  parameter int BusyCyclesAt = 0
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    publish_i,
  input  logic                    busy_i,
  output logic [ObservedBits-1:0] observed_o
);

  logic [31:0] cycles_q;
  logic busy_q;

  initial observed_o = '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cycles_q <= '0;
      busy_q   <= 1'b0;
    end else begin
      busy_q <= busy_i;
      if (busy_i) cycles_q <= busy_q ? cycles_q + 1 : 32'd1;
      else if (publish_i) cycles_q <= '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (publish_i) observed_o[BusyCyclesAt+:32] <= cycles_q;
  end

endmodule
