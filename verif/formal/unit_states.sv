// SPDX-License-Identifier: Apache-2.0
//
// Property: some operation of a multiplier unit reaches each state of its core, each lookup-table
// address of the set Reachable (bit a for address a), and each outcome.
//
// One operation, the first one after reset, with any operands; X, Y, M are stable.

module unit_states
  import multiplier_pkg::*;
#(
  parameter int Width = 5,
  parameter int AddWidth = 32,
  parameter int Guard = 2,
  parameter int Addresses = 16,
  parameter int Reachable = 16
) (
  input logic             clk_i,
  input logic             raw_i,
  input logic             field_i,
  input logic             incomplete_i,
  input logic             overwide_i,
  input logic [Width-1:0] x_i,
  input logic [Width-1:0] y_i,
  input logic [Width-1:0] m_i
);

  logic busy, done, binary;
  logic [1:0] core_state;
  logic [3:0] status;
  logic [TablePositions-1:0] valid;
  logic [TableAddrBits-1:0] addr;
  logic [Width-1:0] x_q, y_q, m_q;
  logic begun_q = 1'b0;
  logic started_q = 1'b0;

  product_unit #(
    .Width   (Width),
    .BusWidth(Width),
    .AddWidth(AddWidth),
    .Guard   (Guard)
  ) u_unit (
    .clk_i,
    .rst_ni       (begun_q),
    .start_i      (begun_q && !started_q),
    .raw_i,
    .field_i      (field_i && binary),
    .incomplete_i,
    .overwide_i,
    .x_i,
    .y_i,
    .m_i,
    .busy_o       (busy),
    .done_o       (done),
    .status_o     (status),
    .binary_o     (binary),
    .core_state_o (core_state),
    .table_valid_o(valid),
    .table_addr_o (addr)
  );

  always_ff @(posedge clk_i) begin
    begun_q   <= 1'b1;
    started_q <= begun_q;
    x_q       <= x_i;
    y_q       <= y_i;
    m_q       <= m_i;
  end

  always_comb begin
    if (started_q) assume ((x_i == x_q) && (y_i == y_q) && (m_i == m_q));
  end

  always_comb cover (begun_q && (core_state == StateStarting));
  always_comb cover (begun_q && (core_state == StateRunning));
  always_comb cover (begun_q && (core_state == StateFinished));

  for (genvar i = 0; i < Addresses; i++) begin : gen_address
    if (((Reachable >> i) & 1) == 1) begin : gen_reachable
      logic [TablePositions-1:0] hit;
      for (genvar j = 0; j < TablePositions; j++) begin : gen_position
        assign hit[j] = valid[j]
                     && (addr[j*TableAddressWidth+:TableAddressWidth] == TableAddressWidth'(i));
      end
      always_comb cover (|hit);
    end
  end

  for (genvar i = 32'(StatusOk); i <= 32'(StatusOperandIncomplete); i++) begin : gen_status
    // A modulus may be even outside the Montgomery domain.
    if (i != 32'(StatusModulusEven)) begin : gen_outcome
      always_comb cover (done && (status == 4'(i)));
    end
  end

endmodule
