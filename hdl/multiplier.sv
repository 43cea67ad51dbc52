// SPDX-License-Identifier: Apache-2.0
//
// Modular multiplier behind a bus: operand loader and multiplier unit.
//
//   P = X*Y*2**-Width mod M (Montgomery cores) or X*Y mod M (interleaved cores), 0 <= P < M,
//   and the core's redundant result S, C
//
// sel_i: 0 writes X and reads P, 1 writes Y and reads S, 2 writes M and reads C, 3 is command and
// status. P can be read while the status is Ok, S and C while it is Ok or Raw.
// Everything that a host can see: hdl/docs/interface.md; codes: multiplier_pkg.
// No path is longer than AddWidth bits of carry.
// Latency: see multiplier_control; the registry entry of the architecture has the formula.
//
// Source: Amanor (2005), ch. 5.3 (registers in front of the multiplier) and step P of each
// algorithm.

module multiplier
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int BusWidth = 32,
  parameter int SelWidth = 2,
  parameter int AddWidth = 32,
  parameter int Guard = 2
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                req_i,
  input  logic                write_i,
  input  logic [SelWidth-1:0] sel_i,
  input  logic [BusWidth-1:0] wdata_i,
  input  logic                wait_i,
  output logic                ack_o,
  output logic                err_o,
  output logic [BusWidth-1:0] rdata_o,
  output logic                busy_o,
  output logic                done_o
);

  localparam int Selects = MultiplierSelects;
  localparam int WriteSlot = (Width + BusWidth - 1) / BusWidth * BusWidth;
  localparam int ReadSlot = (Width + Guard + BusWidth - 1) / BusWidth * BusWidth;

  localparam int IndexWidth = $clog2(ReadSlot / BusWidth + 1);
  localparam logic [Selects*16-1:0] WriteBits = multiplier_write_bits(16'(Width));
  localparam logic [Selects*16-1:0] ReadBits = multiplier_read_bits(16'(Width), 16'(Guard));

  logic [Selects-1:0] write, read;
  logic [IndexWidth-1:0] index;
  logic [BusWidth-1:0] data, word;
  logic [Selects*WriteSlot-1:0] operands;
  logic [Selects-1:0] partial, overwide, written;
  logic [Width-1:0] x, y, m, p;
  logic [Width+Guard-1:0] s, c, product, productc;
  logic start, raw, field, binary, zeroise;
  logic [3:0] status;
  logic unit_ready, chainable, m_prime_used;
  logic [15:0] radix_bits;
  logic [Width-1:0] m_prime;
  // Observed by the test bench.
  logic [2:0] control_state;
  logic [1:0] core_state;
  logic core_start, core_ready, core_done, core_busy;
  logic result_done, add_subtracted, add_exact, top_carry, carry_valid;
  logic [TablePositions-1:0] table_valid;
  logic [ TableAddrBits-1:0] table_addr;
  logic [PositionWidth-1:0] position, carry_word;

  operand_loader #(
    .BusWidth  (BusWidth),
    .SelWidth  (SelWidth),
    .Selects   (Selects),
    .WriteBits (WriteBits),
    .ReadBits  (ReadBits),
    .ReadOk    (MultiplierReadOk),
    .ReadRaw   (MultiplierReadRaw),
    .IndexWidth(IndexWidth)
  ) u_loader (
    .clk_i,
    .rst_ni,
    .req_i,
    .write_i,
    .sel_i,
    .wdata_i,
    .wait_i,
    .ack_o,
    .err_o,
    .rdata_o,
    .write_o   (write),
    .read_o    (read),
    .index_o   (index),
    .data_o    (data),
    .word_i    (word),
    .partial_o (partial),
    .overwide_o(overwide),
    .written_o (written),
    .start_o   (start),
    .raw_o     (raw),
    .binary_o  (field),
    .binary_i  (binary),
    .zeroise_o (zeroise),
    .busy_i    (busy_o),
    .status_i  (status)
  );

  operand_registers #(
    .BusWidth    (BusWidth),
    .Selects     (Selects),
    .IndexWidth  (IndexWidth),
    .MaxWriteBits(Width),
    .MaxReadBits (Width + Guard),
    .WriteBits   (WriteBits),
    .ReadBits    (ReadBits)
  ) u_registers (
    .clk_i,
    .rst_ni,
    .write_i   (write),
    .read_i    (read),
    .index_i   (index),
    .data_i    (data),
    .word_o    (word),
    .operands_o(operands),
    .results_i ({ReadSlot'(c), ReadSlot'(s), ReadSlot'(p)})
  );

  assign x = operands[SelectXP*WriteSlot+:Width];
  assign y = operands[SelectYS*WriteSlot+:Width];
  assign m = operands[SelectMC*WriteSlot+:Width];

  logic [1:0] mode;
  assign mode = ModeOperation;

  multiplier_unit #(
    .Width   (Width),
    .AddWidth(AddWidth),
    .Guard   (Guard)
  ) u_unit (
    .clk_i,
    .rst_ni,
    .start_i         (start),
    .mode_i          (mode),
    .raw_i           (raw),
    .field_i         (field),
    .keep_i          (1'b0),
    .incomplete_i    (|partial),
    .overwide_i      (|overwide),
    .m_written_i     (write[SelectMC]),
    .x_i             ((Width + Guard)'(x)),
    .xc_i            ('0),
    .y_i             ((Width + Guard)'(y)),
    .yc_i            ('0),
    .m_i             (m),
    .busy_o,
    .ready_o         (unit_ready),
    .done_o,
    .status_o        (status),
    .s_o             (s),
    .c_o             (c),
    .result_o        (p),
    .product_o       (product),
    .productc_o      (productc),
    .binary_o        (binary),
    .chainable_o     (chainable),
    .radix_bits_o    (radix_bits),
    .m_prime_o       (m_prime),
    .m_prime_used_o  (m_prime_used),
    .control_state_o (control_state),
    .core_start_o    (core_start),
    .core_ready_o    (core_ready),
    .core_done_o     (core_done),
    .core_busy_o     (core_busy),
    .core_state_o    (core_state),
    .table_valid_o   (table_valid),
    .table_addr_o    (table_addr),
    .position_o      (position),
    .top_carry_o     (top_carry),
    .carry_valid_o   (carry_valid),
    .carry_word_o    (carry_word),
    .result_done_o   (result_done),
    .add_subtracted_o(add_subtracted),
    .add_exact_o     (add_exact)
  );

  logic unused_observation;
  assign unused_observation = ^{
    operands, written, write, zeroise, product, productc, unit_ready, chainable, radix_bits,
    m_prime, m_prime_used, control_state, core_state, core_start, core_ready, core_done,
    core_busy, result_done, add_subtracted, add_exact, table_valid, top_carry, carry_valid,
    carry_word, table_addr, position
  };

endmodule
