// SPDX-License-Identifier: Apache-2.0
//
// Exponentiation observer (test bench): collects coverage data of an operation in the simulated
// hardware, so that Python reads them once per operation.
//
// The observer accumulates all hits from one publish_i to the next, over resets too, and copies
// them to observed_o at publish_i. Counts and flags of one operation start anew with each
// operation. Fields of observed_o, the most significant first, with their widths:
//   state changes of the control, bit 16*from + to (256)
//   state changes of the core that computes A, bit 4*from + to (16)
//   state changes of the core that computes S, likewise (16)
//   busy cycles (32)
//   products finished in the loop (16)
//   A's final adder: it added; its last conditional subtraction was taken; a subtraction gave
//     exactly zero (1 + 1 + 1)
//   a carry went into a top word of a core (1)
//   values of A's and of S's observation port, for each of the Positions iterations of a cycle, the
//     last iteration at the top (Positions*TableBits each)
//   exponent bit and position at which a loop product started, bit 256*exponent bit + position
//     (512)
//   exponent bit, its place in its bus word, and state of A's core at the start of a loop product,
//     bit 16*exponent bit + 4*place + state (32); place: 0 inside, 1 first, 2 last

module exponentiation_observer
  import bench_pkg::*;
  import multiplier_pkg::*;
#(
  parameter int BusWidth = 32,
  parameter int TableAddressBits = 4,
  parameter int Positions = 1,
  // Derived, do not set.
  parameter int TableBits = 1 << TableAddressBits,
  parameter int ObservedBits = exponentiation_observed_bits(Positions, TableBits)
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      publish_i,
  input  logic                      start_i,
  input  logic                      busy_i,
  input  logic [               3:0] control_state_i,
  input  logic                      product_start_i,
  input  logic                      product_done_i,
  input  logic [               3:0] product_phase_i,
  input  logic                      exponent_bit_i,
  input  logic [               7:0] product_position_i,
  input  logic [TablePositions-1:0] a_table_valid_i,
  input  logic [ TableAddrBits-1:0] a_table_addr_i,
  input  logic [TablePositions-1:0] s_table_valid_i,
  input  logic [ TableAddrBits-1:0] s_table_addr_i,
  input  logic [               1:0] a_core_state_i,
  input  logic [               1:0] s_core_state_i,
  input  logic                      result_done_i,
  input  logic                      result_subtracted_i,
  input  logic                      result_exact_i,
  input  logic                      top_carry_i,
  output logic [  ObservedBits-1:0] observed_o
);

  localparam logic [1:0] PlaceInside = 2'd0;
  localparam logic [1:0] PlaceFirst = 2'd1;
  localparam logic [1:0] PlaceLast = 2'd2;

  logic [Positions*TableAddressBits-1:0] a_addr, s_addr;
  for (genvar i = 0; i < Positions; i++) begin : gen_position
    assign a_addr[i*TableAddressBits+:TableAddressBits] =
        a_table_addr_i[i*TableAddressWidth+:TableAddressBits];
    assign s_addr[i*TableAddressBits+:TableAddressBits] =
        s_table_addr_i[i*TableAddressWidth+:TableAddressBits];
  end

  // Place of the exponent's bit in its bus word.
  logic [15:0] place_q;
  logic [ 1:0] place;
  assign place = (place_q == '0) ? PlaceFirst
               : (place_q == 16'(BusWidth - 1)) ? PlaceLast : PlaceInside;

  logic loop_start;
  assign loop_start = product_start_i && (control_state_i == ExpLoop);

  logic [3:0] last_control_state_q;
  logic [1:0] last_a_state_q, last_s_state_q;
  logic [255:0] control_arc_q;
  logic [15:0] a_core_arc_q, s_core_arc_q;
  logic [Positions*TableBits-1:0] a_table_hit_q, s_table_hit_q;
  logic [511:0] bit_position_q;
  logic [ 31:0] bit_state_q;
  logic [ 31:0] busy_cycles_q;
  logic [ 15:0] loop_products_q;
  logic result_q, subtracted_q, exact_q, top_carry_q;

  initial begin
    last_control_state_q = '0;
    last_a_state_q       = '0;
    last_s_state_q       = '0;
    control_arc_q        = '0;
    a_core_arc_q         = '0;
    s_core_arc_q         = '0;
    a_table_hit_q        = '0;
    s_table_hit_q        = '0;
    bit_position_q       = '0;
    bit_state_q          = '0;
    top_carry_q          = 1'b0;
  end

  // No reset: state changes that a reset causes must be collected, too.
  always @(posedge clk_i) begin
    last_control_state_q <= control_state_i;
    last_a_state_q       <= a_core_state_i;
    last_s_state_q       <= s_core_state_i;
    if (publish_i) begin
      observed_o <= {
        control_arc_q,
        a_core_arc_q,
        s_core_arc_q,
        busy_cycles_q,
        loop_products_q,
        result_q,
        subtracted_q,
        exact_q,
        top_carry_q,
        a_table_hit_q,
        s_table_hit_q,
        bit_position_q,
        bit_state_q
      };
      control_arc_q <= '0;
      a_core_arc_q <= '0;
      s_core_arc_q <= '0;
      a_table_hit_q <= '0;
      s_table_hit_q <= '0;
      bit_position_q <= '0;
      bit_state_q <= '0;
      top_carry_q <= 1'b0;
    end else begin
      if (last_control_state_q != control_state_i) begin
        control_arc_q[{last_control_state_q, control_state_i}] <= 1'b1;
      end
      a_core_arc_q[{last_a_state_q, a_core_state_i}] <= 1'b1;
      s_core_arc_q[{last_s_state_q, s_core_state_i}] <= 1'b1;
      for (int k = 0; k < Positions; k++) begin
        if (a_table_valid_i[k]) begin
          a_table_hit_q[(k*TableBits)+32'(a_addr[k*TableAddressBits+:TableAddressBits])] <= 1'b1;
        end
        if (s_table_valid_i[k]) begin
          s_table_hit_q[(k*TableBits)+32'(s_addr[k*TableAddressBits+:TableAddressBits])] <= 1'b1;
        end
      end
      if (loop_start) begin
        bit_position_q[{exponent_bit_i, product_position_i}] <= 1'b1;
        bit_state_q[{exponent_bit_i, place, a_core_state_i}] <= 1'b1;
      end
      if (top_carry_i) top_carry_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_cycles_q   <= '0;
      loop_products_q <= '0;
      place_q         <= '0;
      result_q        <= 1'b0;
      subtracted_q    <= 1'b0;
      exact_q         <= 1'b0;
    end else if (start_i) begin
      busy_cycles_q   <= '0;
      loop_products_q <= '0;
      place_q         <= '0;
      result_q        <= 1'b0;
      subtracted_q    <= 1'b0;
      exact_q         <= 1'b0;
    end else begin
      if (busy_i) busy_cycles_q <= busy_cycles_q + 1;
      if (product_done_i && (product_phase_i == ExpLoop)) begin
        loop_products_q <= loop_products_q + 1'b1;
      end
      if (loop_start) place_q <= (place == PlaceLast) ? '0 : (place_q + 1'b1);
      if (result_done_i) begin
        result_q     <= 1'b1;
        subtracted_q <= result_subtracted_i;
        exact_q      <= result_exact_i;
      end
    end
  end

  logic unused_bits;
  assign unused_bits = ^{a_table_addr_i, s_table_addr_i, a_table_valid_i, s_table_valid_i};

endmodule
