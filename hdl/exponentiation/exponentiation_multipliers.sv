// SPDX-License-Identifier: Apache-2.0
//
// The two multipliers of an exponentiation: one makes the products of A, the other those of S. Both
// have the same Y and M. They are two ring cores, or a dual-multiplier datapath of bit-serial cores
// with the same contract (bit_serial_dual, interleaved_dual).
//
// Each multiplier takes digits of X (a_digit_i, s_digit_i) and words of Y and M, and gives words of
// its product. Its status names the index of the words of Y and M a cycle before. x_begins_o, bit 0
// of A, bit 1 of S: this cycle takes the first digit of X; of an interleaved core: X is not valid
// yet, its bits begin after this cycle. m_prime_i: m', of cores that need it. exponent_i: exponent
// bits (preceding: Balanced alone). wipe_index_i: see interleaved_dual.
//
// The words of a product leave while the next product already runs. These flags go with the words:
//   a_final_o      the product of A is the last one, and its residue is required
//   a_write_o      the product of A becomes the new A
//   a_other_o      the product of A becomes the new value of the other accumulator (Balanced)
//   s_write_r_o    the product of S becomes R**2
//   s_discard_o    the product of S is discarded (Coherent)
// tags_wrong_o: an upset changed a register of these flags (Coherent).
//
// Core names the core (core_pkg): a ring core or a bit-serial core. Without a Montgomery domain
// (RadixBits = 0) it is an interleaved core.
//
// Latency: that of the core, see its registry entry.
//
// Source: Michalski & Buell, figure 7: two multipliers side by side.

module exponentiation_multipliers
  import multiplier_pkg::*;
  import core_pkg::*;
#(
  parameter int Width = 32,
  parameter int Guard = 2,
  parameter int WordWidth = 17,
  parameter int DigitWidth = 16,
  parameter int Words = 3,
  parameter int RadixBits = 48,
  parameter int Core = CoreMwrkmm,
  parameter int Unfolding = 1,
  parameter int Elements = 1,
  parameter int Stages = 1,
  parameter int Latency = 3,
  parameter int UnitWidth = 1,
  parameter int Units = 1,
  parameter bit Balanced = 1'b0,
  parameter bit Coherent = 1'b0
) (
  input  logic                                     clk_i,
  input  logic                                     rst_ni,
  input  logic                [WordIndexWidth-1:0] wipe_index_i,
  input  exp_control_t                             control_i,
  input  exp_bits_t                                exponent_i,
  // Operands
  input  logic                [    DigitWidth-1:0] a_digit_i,
  input  logic                [    DigitWidth-1:0] s_digit_i,
  input  logic                [     WordWidth-1:0] y_i,
  input  logic                [     WordWidth-1:0] m_i,
  input  logic                [    DigitWidth-1:0] m_prime_i,
  output logic                [               1:0] x_begins_o,
  // Products
  output stream_status_t                           a_status_o,
  output stream_status_t                           s_status_o,
  output logic                [     WordWidth-1:0] a_word_o,
  output logic                [     WordWidth-1:0] s_word_o,
  output logic                                     a_final_o,
  output logic                                     a_write_o,
  output logic                                     a_other_o,
  output logic                                     s_write_r_o,
  output logic                                     s_discard_o,
  output logic                                     tags_wrong_o,
  // Observation
  output stream_observation_t                      a_observation_o,
  output stream_observation_t                      s_observation_o
);

  // If the exponent bit is 0, A keeps its value. u*M never becomes A.
  logic write_a;  // the product of the present step becomes A
  logic a_final_q, a_write_q, s_write_r_q, s_discard_q;

  assign write_a = !control_i.scale && !(control_i.bit_step && !exponent_i.present);
  assign a_final_o = a_status_o.ready ? control_i.final_product : a_final_q;
  assign s_write_r_o = s_status_o.ready ? control_i.write_r : s_write_r_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {a_final_q, a_write_q, s_write_r_q} <= '0;
    end else begin
      a_final_q   <= a_final_o;
      a_write_q   <= !Balanced && a_write_o;
      s_write_r_q <= s_write_r_o;
    end
  end

  logic [5:0] tags, tags_q;  // of the products whose words leave
  if (Balanced) begin : gen_both
    // No register holds the decision: the bit is that of the product whose words leave.
    // Of this product: it is not u*M (taken); its exponent bit selects the accumulator (chosen);
    // it becomes the second accumulator in any case (other); its exponent bit (leaving).
    logic taken, taken_q, chosen, chosen_q, other, other_q, leaving;
    assign taken = a_status_o.ready ? !control_i.scale : taken_q;
    assign chosen = a_status_o.ready ? control_i.bit_step : chosen_q;
    assign leaving = a_status_o.ready ? exponent_i.present : exponent_i.preceding;
    assign a_write_o = taken && (!chosen || leaving);
    assign other     = a_status_o.ready
                     ? (control_i.entry || control_i.write_r || control_i.y_residue
                        || control_i.y_base) : other_q;
    assign a_other_o = other || (chosen && !leaving);
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) {taken_q, chosen_q, other_q} <= '0;
      else {taken_q, chosen_q, other_q} <= {taken, chosen, other};
    end
    assign tags   = {a_final_o, s_write_r_o, s_discard_o, taken, chosen, other};
    assign tags_q = {a_final_q, s_write_r_q, s_discard_q, taken_q, chosen_q, other_q};
    logic unused_plain;
    assign unused_plain = ^{write_a, a_write_q};
  end else begin : gen_one
    assign a_write_o = a_status_o.ready ? write_a : a_write_q;
    assign a_other_o = 1'b0;
    assign {tags, tags_q} = '0;
    logic unused_before;
    assign unused_before = ^{exponent_i, s_discard_q};
  end

  if (Coherent) begin : gen_tags
    logic parity_q;
    assign s_discard_o  = s_status_o.ready ? control_i.discard_s : s_discard_q;
    assign tags_wrong_o = (parity_q != ^tags_q);
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) {s_discard_q, parity_q} <= '0;
      else {s_discard_q, parity_q} <= {s_discard_o, ^tags};
    end
  end else begin : gen_no_tags
    assign {s_discard_o, s_discard_q, tags_wrong_o} = '0;
    logic unused_tags;
    assign unused_tags = ^{tags, tags_q, s_discard_q};
  end

  if (is_ring_core(Core)) begin : gen_rings
    stream_control_t a_control, s_control;

    assign a_control.start = control_i.start_a;
    assign a_control.kind = control_i.scale ? ProductScale : ProductChain;
    assign s_control.start = control_i.start_s;
    assign s_control.kind = ProductChain;
    assign x_begins_o = {control_i.start_s, control_i.start_a};

    ring_core_select #(
      .Core(Core),
      .Width(Width),
      .WordWidth(WordWidth),
      .DigitWidth(DigitWidth),
      .Elements(Elements),
      .Stages(Stages),
      .Latency(Latency),
      .UnitWidth(UnitWidth),
      .Units(Units)
    ) u_ring_a (
      .clk_i,
      .rst_ni,
      .control_i    (a_control),
      .status_o     (a_status_o),
      .digit_i      (a_digit_i),
      .y_i,
      .m_i,
      .m_prime_i,
      .word_o       (a_word_o),
      .observation_o(a_observation_o)
    );

    ring_core_select #(
      .Core(Core),
      .Width(Width),
      .WordWidth(WordWidth),
      .DigitWidth(DigitWidth),
      .Elements(Elements),
      .Stages(Stages),
      .Latency(Latency),
      .UnitWidth(UnitWidth),
      .Units(Units)
    ) u_ring_s (
      .clk_i,
      .rst_ni,
      .control_i    (s_control),
      .status_o     (s_status_o),
      .digit_i      (s_digit_i),
      .y_i          (y_i),
      .m_i,
      .m_prime_i,
      .word_o       (s_word_o),
      .observation_o(s_observation_o)
    );
  end else if (RadixBits > 0) begin : gen_bit_serial
    bit_serial_dual #(
      .Width     (Width),
      .Guard     (Guard),
      .WordWidth (WordWidth),
      .DigitWidth(DigitWidth),
      .Words     (Words),
      .Core      (Core),
      .Unfolding (Unfolding)
    ) u_dual (
      .clk_i,
      .rst_ni,
      .start_i({control_i.start_s, control_i.start_a}),
      .a_digit_i,
      .s_digit_i,
      .y_i,
      .m_i,
      .x_begins_o,
      .a_status_o,
      .s_status_o,
      .a_word_o,
      .s_word_o,
      .a_observation_o,
      .s_observation_o
    );
  end else begin : gen_interleaved
    interleaved_dual #(
      .Width     (Width),
      .Guard     (Guard),
      .WordWidth (WordWidth),
      .DigitWidth(DigitWidth),
      .Words     (Words),
      .Core      (Core),
      .Unfolding (Unfolding)
    ) u_dual (
      .clk_i,
      .rst_ni,
      .wipe_index_i,
      .start_i({control_i.start_s, control_i.start_a}),
      .renew_i(control_i.entry),
      .a_digit_i,
      .s_digit_i,
      .y_i,
      .m_i,
      .x_begins_o,
      .a_status_o,
      .s_status_o,
      .a_word_o,
      .s_word_o,
      .a_observation_o,
      .s_observation_o
    );
  end

  localparam int UnusedParameters = Guard + Words + Unfolding
      + Elements + Stages + Latency + UnitWidth + Units;
  logic unused_bits;
  assign unused_bits = ^{control_i, m_prime_i, wipe_index_i, UnusedParameters};

endmodule
