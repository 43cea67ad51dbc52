// SPDX-License-Identifier: Apache-2.0
//
// Fast Montgomery multiplier: two carry-save adders, result in redundant form.
//
//   s_o + c_o = X*Y*2**-Width (mod M),   s_o + c_o < 2*M for X, Y < M
//
//   for i in 0 ... Width-1:  S, C := S + C + x_i*Y;  S, C := S + C + s_0*M;  S, C := S/2, C/2
//
// The second step tests only s_0, because c_0 is 0 directly after a carry-save adder.
//
// Operands: M odd; X, Y any values of Width bits. S and C stay below 2**Width, even if X and Y are
// not reduced: the carry into bit Width of the second adder meets two zeros there.
// y_i and m_i must not change while the loop runs. No constants.
// Unfolding (J, 1 to 4): iterations per cycle. The last cycle does the remaining ones.
// Latency: start to done Width + 1 cycles for J = 1; ceil(Width/J) cycles for J > 1, where the
// cycle of the start does the first J iterations.
// view_o.table_addr (observation only), for each iteration of the cycle: {x_i, s_0 after the first
// adder}.
//
// Source: Amanor (2005), Algorithm 1b; "two-CSA" of Gajbhiye & Joshi (2018), and its unfolding.

module fast_montgomery
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int Guard = 2,
  parameter int WordWidth = 32,
  parameter int Unfolding = 1
) (
  input  logic                                             clk_i,
  input  logic                                             rst_ni,
  input  parallel_control_t                                control_i,
  input  logic                  [      TablePositions-1:0] x_i,
  input  logic                  [               Width-1:0] y_i,
  input  logic                  [               Width-1:0] m_i,
  input  logic                  [ConstSlots*(Width+1)-1:0] const_i,
  output parallel_status_t                                 status_o,
  output parallel_description_t                            description_o,
  output parallel_view_t                                   view_o,
  output logic                  [         Width+Guard-1:0] s_o,
  output logic                  [         Width+Guard-1:0] c_o
);

  assign description_o.steps = ProgramBits'({
    EndStep, add_step(ReduceOnce, SourceS, SourceC, ToResult), RunStep
  });
  assign description_o.radix_bits = 16'(Width);
  assign description_o.slots = 3'd0;
  assign description_o.full_reduction = 1'b0;
  assign description_o.x_bits = 3'(Unfolding);
  assign description_o.x_downwards = 1'b0;

  // S and C before the first iteration of the cycle (first_*) and after each one (behind_*).
  // Each iteration passes S and C on in separate signals, because Verilator takes a vector of all
  // of them for a combinational loop.
  logic [Width-1:0] first_s, first_c;
  logic [Unfolding*Width-1:0] behind_s, behind_c;
  logic [Unfolding*TableAddressWidth-1:0] table_addr;
  logic [Unfolding-1:0] unused_stage;
  logic [1:0] state;
  logic next;

  bit_serial_iterations #(
    .Iterations(Width),
    .Width     (Width),
    .WordWidth (WordWidth),
    .Unfolding (Unfolding)
  ) u_iterations (
    .clk_i,
    .rst_ni,
    .control_i,
    .s_o          (first_s),
    .c_o          (first_c),
    .s_i          (behind_s),
    .c_i          (behind_c),
    .next_o       (next),
    .table_valid_o(view_o.table_valid),
    .done_o       (status_o.done),
    .state_o      (state)
  );

  for (genvar i = 0; i < Unfolding; i++) begin : gen_iteration
    logic [Width-1:0] s, c, next_s, next_c;
    logic s_0, c_0, odd;
    logic [Width-1:0] with_y, with_m, sum_y, addend_y;
    logic [Width:0] carry_y, sum_m, addend_m;
    logic [Width+1:0] carry_m;

    if (i == 0) begin : gen_first
      assign s = first_s;
      assign c = first_c;
    end else begin : gen_later
      assign s = gen_iteration[i-1].next_s;
      assign c = gen_iteration[i-1].next_c;
    end

    // s_0 after the first adder. If it is 1, the second adder adds M to make it 0.
    assign odd = s_0 ^ c_0 ^ (x_i[i] & y_i[0]);

    if (Unfolding == 1) begin : gen_ahead
      // Timing: choose the addends of the next iteration one cycle ahead, as soon as its S and C
      // are known. Those of the first iteration are 0.
      segment_registers #(
        .Width(Width)
      ) u_with_y (
        .clk_i,
        .rst_ni,
        .bit_i (next && x_i[0]),
        .bits_o(with_y)
      );

      segment_registers #(
        .Width(Width)
      ) u_with_m (
        .clk_i,
        .rst_ni,
        .bit_i (next && odd),
        .bits_o(with_m)
      );

      assign {s_0, c_0} = (state == StateStarting) ? 2'b00 : {next_s[0], next_c[0]};
    end else begin : gen_now
      assign with_y = {Width{x_i[i]}};
      assign with_m = {Width{odd}};
      assign s_0 = s[0];
      assign c_0 = c[0];
    end

    assign addend_y = y_i & with_y;
    assign addend_m = {1'b0, m_i & with_m};

    carry_save_adder #(
      .Width(Width)
    ) u_add_y (
      .a_i    (s),
      .b_i    (c),
      .c_i    (addend_y),
      .sum_o  (sum_y),
      .carry_o(carry_y)
    );

    carry_save_adder #(
      .Width(Width + 1)
    ) u_add_m (
      .a_i    ({1'b0, sum_y}),
      .b_i    (carry_y),
      .c_i    (addend_m),
      .sum_o  (sum_m),
      .carry_o(carry_m)
    );

    assign next_s = sum_m[Width:1];
    assign next_c = carry_m[Width:1];

    assign behind_s[i*Width+:Width] = next_s;
    assign behind_c[i*Width+:Width] = next_c;

    assign table_addr[i*TableAddressWidth+:TableAddressWidth] = {2'b00, with_y[0], sum_y[0]};

    // S + C is even before the halving, and the top carry is 0.
    assign unused_stage[i] = ^{sum_m[0], carry_m[0], carry_m[Width+1]};
  end

  assign status_o.busy = (state != StateStarting);
  assign status_o.next = next;
  assign view_o.table_addr = TableAddrBits'(table_addr);
  assign view_o.state = state;
  assign s_o = (Width + Guard)'(first_s);
  assign c_o = (Width + Guard)'(first_c);

  // This core uses no constants, and not all bits of X that the interface offers.
  logic unused_bits;
  assign unused_bits = ^{x_i, const_i, unused_stage};

endmodule
