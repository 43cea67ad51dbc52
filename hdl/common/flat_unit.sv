// SPDX-License-Identifier: Apache-2.0
//
// Unit of a multiplier whose core takes whole operands as vectors: registers of all their words,
// and multiplier_unit behind them.
//
// Ports as parallel_unit. Latency: see multiplier_control.
//
// Source: Amanor (2005), ch. 5.3.

module flat_unit
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int BusWidth = 32,
  parameter int AddWidth = 32,
  parameter int Guard = 2,
  parameter int IndexWidth = 8
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  // Bus words
  input  logic             [           2:0] write_i,
  input  logic             [           2:0] read_i,
  input  logic             [IndexWidth-1:0] index_i,
  input  logic             [  BusWidth-1:0] data_i,
  output logic             [  BusWidth-1:0] word_o,
  // Operation
  input  logic                              start_i,
  input  logic                              raw_i,
  input  logic                              field_i,
  input  logic                              incomplete_i,
  input  logic                              overwide_i,
  output logic                              busy_o,
  output logic                              done_o,
  output logic             [           3:0] status_o,
  output logic                              binary_o,
  // Observation
  output multiplier_view_t                  view_o
);

  localparam int Selects = MultiplierSelects;
  localparam int WriteSlot = (Width + BusWidth - 1) / BusWidth * BusWidth;
  localparam int ReadSlot = (Width + Guard + BusWidth - 1) / BusWidth * BusWidth;

  logic [Selects*WriteSlot-1:0] operands;
  logic [Width-1:0] x, y, m, p, m_prime;
  logic [Width+Guard-1:0] s, c;
  logic unit_ready, m_prime_used, top_carry;
  logic [15:0] radix_bits;
  // Observed.
  logic core_start, core_done, core_busy, carry_valid, result_done, subtracted, exact;
  logic [2:0] control_state;
  logic [1:0] core_state;
  logic [TablePositions-1:0] table_valid;
  logic [TableAddrBits-1:0] table_addr;
  logic [PositionWidth-1:0] carry_word;

  operand_registers #(
    .BusWidth    (BusWidth),
    .Selects     (Selects),
    .IndexWidth  (IndexWidth),
    .MaxWriteBits(Width),
    .MaxReadBits (Width + Guard),
    .WriteBits   (multiplier_write_bits(16'(Width))),
    .ReadBits    (multiplier_read_bits(16'(Width), 16'(Guard)))
  ) u_registers (
    .clk_i,
    .rst_ni,
    .write_i,
    .read_i,
    .index_i,
    .data_i,
    .word_o,
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
    .start_i,
    .mode_i          (mode),
    .raw_i,
    .field_i,
    .keep_i          (1'b0),
    .incomplete_i,
    .overwide_i,
    .m_written_i     (write_i[SelectMC]),
    .x_i             (x),
    .y_i             (y),
    .m_i             (m),
    .busy_o,
    .ready_o         (unit_ready),
    .done_o,
    .status_o,
    .s_o             (s),
    .c_o             (c),
    .result_o        (p),
    .binary_o,
    .radix_bits_o    (radix_bits),
    .m_prime_o       (m_prime),
    .m_prime_used_o  (m_prime_used),
    .control_state_o (control_state),
    .core_start_o    (core_start),
    .core_done_o     (core_done),
    .core_busy_o     (core_busy),
    .core_state_o    (core_state),
    .table_valid_o   (table_valid),
    .table_addr_o    (table_addr),
    .top_carry_o     (top_carry),
    .carry_valid_o   (carry_valid),
    .carry_word_o    (carry_word),
    .result_done_o   (result_done),
    .add_subtracted_o(subtracted),
    .add_exact_o     (exact)
  );

  // Of its sums it tells the result alone.
  flat_view_t flat;
  assign flat.carry_word    = carry_word;
  assign flat.exact         = exact;
  assign view_o.state       = control_state;
  assign view_o.core_start  = core_start;
  assign view_o.core_ready  = core_done;
  assign view_o.core_done   = core_done;
  assign view_o.core_busy   = core_busy;
  assign view_o.core_state  = core_state;
  assign view_o.table_valid = table_valid;
  assign view_o.table_addr  = table_addr;
  assign view_o.carry_valid = carry_valid;
  assign view_o.pass_done   = result_done;
  assign view_o.subtracted  = subtracted;
  assign view_o.sum_done    = 1'b1;
  assign view_o.result_done = result_done;
  assign view_o.ring        = '0;
  assign view_o.flat        = flat;

  logic unused_bits;
  assign unused_bits = ^{operands, unit_ready, radix_bits, m_prime, m_prime_used, top_carry};

endmodule
