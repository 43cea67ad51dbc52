// SPDX-License-Identifier: Apache-2.0
//
// Optimized Interleaved multiplier: one carry-save adder and an 8-entry table.
//
//   s_o + c_o = X*Y (mod M),   s_o + c_o < 5*2**Width
//
//   for i in Width-1 ... 0:
//     S, C := 2*(S mod 2**n) + 2*(C mod 2**n) + Table(2*k + x_i),  k = s_n + 2*c_(n+1) + c_n
//
// The source reads the table one iteration ahead into a register A. This core reads the entry in
// the iteration that adds it. S and C are the same, and no register A is needed.
//
// Operands: M > 1, even or odd; X, Y any values of Width bits. y_i and const_i must not change
// while the loop runs. Constants: table entries 2, 4, 6 (from M alone), 3, 5, 7.
// Latency: start to done Width + 1 cycles.
// view_o.table_addr (observation only): 2*k + x_i.
//
// Source: Amanor (2005), Algorithm 5 and figure 4; k <= 3 by the proof in its reference [1].

module optimized_interleaved
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int Guard = 2,
  parameter int WordWidth = 32
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

  assign description_o.steps = {
    add_step(ReduceFull, SourceS, SourceC, ToResult),
    RunStep,
    add_step(ReduceOperand, SourceConst2, SourceY, ToConst5),
    add_step(ReduceOperand, SourceConst1, SourceY, ToConst4),
    add_step(ReduceOperand, SourceConst0, SourceY, ToConst3),
    of_modulus(add_step(ReduceOnce, SourceConst1, SourceConst0, ToConst2)),
    of_modulus(add_step(ReduceOnce, SourceConst0, SourceConst0, ToConst1)),
    of_modulus(add_step(ReduceFull, SourcePower, SourceZero, ToConst0))
  };
  assign description_o.radix_bits = 16'd0;
  assign description_o.slots = 3'd6;
  assign description_o.full_reduction = 1'b1;
  assign description_o.x_bits = 3'd1;
  assign description_o.x_downwards = 1'b1;

  logic load, step, last, done;
  logic [1:0] state;
  logic [Width-1:0] entry;
  logic [Width+1:0] s_q;  // bit Width + 1 is 0
  logic [Width:0] s_doubled, c_doubled, addend, sum;
  logic [Width+1:0] c_q, carry;
  logic [2:0] table_addr;
  logic odd_next;
  logic [3:0] choose;
  logic [Width-1:0] odd;
  logic [4*Width-1:0] pair;
  logic again, next, s_n, c_above, late_d, late_q;
  logic [1:0] s_top, c_top, c_n, next_k_0, next_k_1;

  bit_serial_control #(
    .Iterations(Width)
  ) u_control (
    .clk_i,
    .rst_ni,
    .start_i(control_i.start),
    .load_o (load),
    .step_o (step),
    .last_o (last),
    .done_o (done),
    .state_o(state)
  );

  // Timing: choose the entry of the next iteration one cycle ahead, as soon as the top bits of its
  // S and C are known. Before the first iteration S and C are 0: no doubling is needed, and k is 0.
  assign again = step && !last;
  assign next = load || again;

  // The top bits of 2S and 2C. S and C are 0 before the first iteration, so no mask is needed.
  assign s_top = 2'({s_q, 1'b0} >> (Width - 1));
  assign c_top = 2'({c_q, 1'b0} >> (Width - 1));

  // Timing: the top bit of the added entry affects k only through the carry out of its position. So
  // compute k for both values of this bit (next_k_0, next_k_1), and select with late_q.
  assign s_n = s_top[1] ^ c_top[1];
  assign c_above = s_top[1] & c_top[1];
  assign c_n[0] = s_top[0] & c_top[0];
  assign c_n[1] = s_top[0] | c_top[0];

  // k <= 3: with c_(n+1) set, s_n and c_n are not both set, and the OR is the sum.
  assign next_k_0 = {c_above | (s_n & c_n[0]), s_n ^ c_n[0]};
  assign next_k_1 = {c_above | (s_n & c_n[1]), s_n ^ c_n[1]};

  assign odd_next = next && x_i[0];

  for (genvar i = 0; i < 4; i++) begin : gen_choose
    assign choose[i] = ((i == 0) ? odd_next : again)
                    && (late_q ? (next_k_1 == 2'(i)) : (next_k_0 == 2'(i)));
  end

  // Timing: separate one-bit tables, one for each k, give the top bit of the entry that the
  // registers below choose. So this bit and the wires to all positions do not wait for each other.
  logic [11:0] top_const;
  logic [ 3:0] tops;
  for (genvar i = 0; i < 6; i++) begin : gen_top
    assign top_const[2*i+:2] = const_i[i*(Width+1)+Width-1+:2];
  end

  for (genvar i = 0; i < 4; i++) begin : gen_tops
    logic [3:0] only;
    logic top;
    assign only = (i == 0) ? 4'(x_i[0]) : 4'(1 << i);

    optimized_interleaved_table #(
      .Width(1)
    ) u_top (
      .odd_i  (x_i[0]),
      .pair_i (only),
      .y_i    (y_i[Width-1]),
      .const_i(top_const),
      .value_o(top)
    );
    assign tops[i] = top;
  end

  assign late_d = next && (late_q ? tops[next_k_1] : tops[next_k_0]);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) late_q <= 1'b0;
    else late_q <= late_d;
  end

  segment_registers #(
    .Width    (Width),
    .Segment  (BlockWidth),
    .WordWidth(WordWidth),
    .Words    (BlockWords)
  ) u_odd (
    .clk_i,
    .rst_ni,
    .bit_i (odd_next),
    .bits_o(odd)
  );

  logic [3:0] first_pair;
  for (genvar i = 0; i < 4; i++) begin : gen_pair
    logic [Width-1:0] positions;

    segment_registers #(
      .Width    (Width),
      .Segment  (BlockWidth),
      .WordWidth(WordWidth),
      .Words    (BlockWords)
    ) u_pair (
      .clk_i,
      .rst_ni,
      .bit_i (choose[i]),
      .bits_o(positions)
    );
    assign pair[i*Width+:Width] = positions;
    // A signal of its own: Verilator would assemble all of pair for one of its bits.
    assign first_pair[i] = positions[0];
  end

  optimized_interleaved_table #(
    .Width(Width)
  ) u_table (
    .odd_i  (odd),
    .pair_i (pair),
    .y_i,
    .const_i,
    .value_o(entry)
  );

  // moves: segments that load in this cycle. iterates: positions whose S and C go through an
  // iteration; the others take the word shift. In the first iteration S and C are 0 either way.
  localparam int Segments = (Width + 2 + SegmentWidth - 1) / SegmentWidth;
  logic [Segments-1:0] moves;
  logic [Width+1:0] iterates;

  segment_registers #(
    .Width  (Segments),
    .Segment(1)
  ) u_moves (
    .clk_i,
    .rst_ni,
    .bit_i (next || control_i.unload),
    .bits_o(moves)
  );

  segment_registers #(
    .Width    (Width + 2),
    .Segment  (BlockWidth),
    .WordWidth(WordWidth),
    .Words    (BlockWords)
  ) u_iterates (
    .clk_i,
    .rst_ni,
    .bit_i (again),
    .bits_o(iterates)
  );

  // While S and C are shifted out by words, the table entry and both doubled addends are 0. So the
  // shifted S can pass through the adder, in the place of the entry. This takes less logic than a
  // multiplexer after the adder.
  logic [Width+1:0] s_moved;
  assign s_moved   = (s_q >> WordWidth) & ~iterates;
  assign s_doubled = {s_q[Width-1:0], 1'b0} & iterates[Width:0];
  assign c_doubled = {c_q[Width-1:0], 1'b0} & iterates[Width:0];
  assign addend    = {1'b0, entry} | s_moved[Width:0];

  carry_save_adder #(
    .Width(Width + 1)
  ) u_add (
    .a_i    (s_doubled),
    .b_i    (c_doubled),
    .c_i    (addend),
    .sum_o  (sum),
    .carry_o(carry)
  );

  logic [Width+1:0] s_d, c_d;
  assign s_d = {1'b0, sum};
  assign c_d = (carry & iterates) | ((c_q >> WordWidth) & ~iterates);

  for (genvar i = 0; i < Width + 2; i = i + SegmentWidth) begin : gen_segment
    localparam int Positions = (Width + 2 - i < SegmentWidth) ? Width + 2 - i : SegmentWidth;

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

  // Code of the added entry. Each entry has one code: entry 0 sets no pair and has code 0.
  always_comb begin
    table_addr = '0;
    for (int i = 0; i < 4; i++) begin
      if (first_pair[i]) table_addr = {2'(i), odd[0]};
    end
  end

  assign status_o.busy = (state != StateStarting);
  assign status_o.done = done;
  assign status_o.next = next;
  assign view_o.table_valid = TablePositions'(step);
  assign view_o.table_addr = TableAddrBits'(table_addr);
  assign view_o.state = state;
  assign s_o = (Width + Guard)'(s_q);
  assign c_o = (Width + Guard)'(c_q);

  // The modulus reaches the loop only through the table. S has one bit less than C.
  logic unused_bits;
  assign unused_bits = ^{m_i, x_i[TablePositions-1:1], s_moved[Width+1]};

endmodule
