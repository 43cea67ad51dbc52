// SPDX-License-Identifier: Apache-2.0
//
// Wrapper for proofs about a core with parallel operands (macro PARALLEL_CORE, contract:
// parallel_unit): it takes whole operands with the start, and gives all of S and C in one word.
//
// A shift register feeds X. unload_i may come in any cycle: S and C are 0 two cycles later, unless
// an iteration comes between. empty_o: S and C are 0 and the core is idle, so it may be started.
// After a product this needs an unload in the cycle before done_o or later.
// Latency: the core's.
//
// Source: none.

`ifndef PARALLEL_CORE
`define PARALLEL_CORE fast_montgomery
`endif  // PARALLEL_CORE
`ifndef PARALLEL_CORE_PARAMETERS
`define PARALLEL_CORE_PARAMETERS
`endif  // PARALLEL_CORE_PARAMETERS

module flat_core
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int Guard = 2
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic                            start_i,
  input  logic                            unload_i,
  input  logic [               Width-1:0] x_i,
  input  logic [               Width-1:0] y_i,
  input  logic [               Width-1:0] m_i,
  input  logic [ConstSlots*(Width+1)-1:0] const_i,
  output logic                            busy_o,
  output logic                            done_o,
  output logic                            empty_o,
  output logic [         Width+Guard-1:0] s_o,
  output logic [         Width+Guard-1:0] c_o,
  output logic [      TablePositions-1:0] table_valid_o,
  output logic [       TableAddrBits-1:0] table_addr_o,
  output logic [                     1:0] state_o
);

  parallel_control_t control;
  parallel_status_t status;
  parallel_description_t description;
  parallel_view_t view;

  // Bits of X; the lowest bit is the one that the core takes first.
  logic [Width-1:0] turned, first, x, x_q;
  logic [TablePositions-1:0] bits;

  for (genvar i = 0; i < Width; i++) begin : gen_turned
    assign turned[i] = x_i[Width-1-i];
  end
  assign first = description.x_downwards ? turned : x_i;
  assign x     = start_i ? first : x_q;
  assign bits  = TablePositions'(x);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) x_q <= '0;
    else if (status.next) x_q <= x >> description.x_bits;
    else x_q <= x;
  end

  assign control.start  = start_i;
  assign control.unload = unload_i;

  logic unload_q, empty_q;  // unload_q: S and C move in this cycle, unless an iteration runs in it

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      unload_q <= 1'b0;
      empty_q  <= 1'b1;
    end else begin
      unload_q <= unload_i;
      if (start_i) empty_q <= 1'b0;
      else if (unload_q && (status.done || !status.busy)) empty_q <= 1'b1;
    end
  end

  `PARALLEL_CORE #(
    .Width(Width),
    .Guard(Guard),
    .WordWidth(Width + Guard)
    `PARALLEL_CORE_PARAMETERS
  ) u_core (
    .clk_i,
    .rst_ni,
    .control_i(control),
    .x_i      (bits),
    .y_i,
    .m_i,
    .const_i,
    .status_o (status),
    .description_o  (description),
    .view_o   (view),
    .s_o,
    .c_o
  );

  assign busy_o        = status.busy;
  assign done_o        = status.done;
  assign empty_o       = empty_q;
  assign table_valid_o = view.table_valid;
  assign table_addr_o  = view.table_addr;
  assign state_o       = view.state;

  logic unused_bits;
  assign unused_bits = ^{
    description
  };

endmodule
