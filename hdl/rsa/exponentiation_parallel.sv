// SPDX-License-Identifier: Apache-2.0
//
// Exponentiation core for RSA behind a bus, of multipliers with parallel operands: loader, control,
// and two multiplier units of the core named by the macro MULTIPLIER_CORE, one for A and one for S.
// What it computes and what a host sees of it: exponentiation.
//
// Latency: exponentiation_control; models/exponentiation.py has the formula.
//
// Source: Michalski & Buell, Algorithm 4, ch. 5.5 and figure 7; Amanor (2005), ch. 6.5.

module exponentiation_parallel
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int BusWidth = 32,
  parameter int SelWidth = 3,
  parameter int AddWidth = 32,
  parameter int MPrimeWidth = 16,
  parameter int Guard = 2
) (
  input  logic                                          clk_i,
  input  logic                                          rst_ni,
  input  logic                                          req_i,
  input  logic                                          write_i,
  input  logic                        [   SelWidth-1:0] sel_i,
  input  logic                        [   BusWidth-1:0] wdata_i,
  input  logic                                          wait_i,
  output logic                                          ack_o,
  output logic                                          err_o,
  output logic                        [   BusWidth-1:0] rdata_o,
  output logic                                          busy_o,
  output logic                                          done_o,
  // Observation
  output exponentiation_observation_t                   observation_o,
  output logic                        [Width+Guard-1:0] a_product_o,
  output logic                        [Width+Guard-1:0] s_product_o
);

  localparam int Selects = ExponentiationSelects;
  localparam int SmallWidth = (MPrimeWidth > LengthWidth) ? MPrimeWidth : LengthWidth;
  localparam int MaxWriteBits = (Width > SmallWidth) ? Width : SmallWidth;
  localparam int WriteSlot = (MaxWriteBits + BusWidth - 1) / BusWidth * BusWidth;
  localparam int ReadSlot = (Width + BusWidth - 1) / BusWidth * BusWidth;

  logic [Selects*WriteSlot-1:0] operands;
  logic [Selects-1:0] partial, overwide, written, write;
  logic start, raw, binary, zeroise, core_rst_n;
  logic [3:0] status;
  logic [Width-1:0] data, modulus, r_squared_operand, result;
  logic [  WriteSlot-1:0] exponent;
  logic [MPrimeWidth-1:0] m_prime_operand;
  logic [LengthWidth-1:0] length_operand;

  register_loader #(
    .BusWidth(BusWidth),
    .SelWidth(SelWidth),
    .Selects(Selects),
    .MaxWriteBits(MaxWriteBits),
    .MaxReadBits(Width),
    .WriteBits(exponentiation_write_bits(16'(Width), 16'(MPrimeWidth))),
    .ReadBits(exponentiation_read_bits(16'(Width))),
    .ReadOk(ExponentiationReadOk),
    .ReadRaw(ExponentiationReadRaw),
    .RawStart(1'b0),
    .Zeroise(1'b1)
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
    .operands_o(operands),
    .partial_o (partial),
    .overwide_o(overwide),
    .written_o (written),
    .write_o   (write),
    .start_o   (start),
    .raw_o     (raw),
    .binary_o  (binary),
    .binary_i  (1'b0),
    .zeroise_o (zeroise),
    .busy_i    (busy_o),
    .status_i  (status),
    .results_i ((Selects * ReadSlot)'(result))
  );

  assign data              = operands[ExponentiationSelectDataResult*WriteSlot+:Width];
  assign exponent          = operands[ExponentiationSelectExponent*WriteSlot+:WriteSlot];
  assign modulus           = operands[ExponentiationSelectModulus*WriteSlot+:Width];
  assign r_squared_operand = operands[ExponentiationSelectRSquared*WriteSlot+:Width];
  assign m_prime_operand   = operands[ExponentiationSelectMPrime*WriteSlot+:MPrimeWidth];
  assign length_operand    = operands[ExponentiationSelectLength*WriteSlot+:LengthWidth];

  // Zeroise resets everything behind the bus.
  assign core_rst_n        = rst_ni && !zeroise;

  // What the host said with this start.
  logic length_set_q, m_prime_supplied_q, overwide_q;
  logic [LengthWidth-1:0] length;
  logic length_legal, exponent_legal, overwide_any;

  assign length = length_set_q ? length_operand : LengthWidth'(Width);
  assign length_legal = !overwide[ExponentiationSelectLength] && (length != '0)
                     && (length <= LengthWidth'(Width));
  assign exponent_legal = ((exponent >> length) == '0);
  assign overwide_any = overwide[ExponentiationSelectDataResult]
                     || overwide[ExponentiationSelectModulus]
                     || (|(overwide & written & ((7'd1 << ExponentiationSelectRSquared)
                                               | (7'd1 << ExponentiationSelectMPrime))));

  always_ff @(posedge clk_i or negedge core_rst_n) begin
    if (!core_rst_n) begin
      length_set_q       <= 1'b0;
      m_prime_supplied_q <= 1'b0;
      overwide_q         <= 1'b0;
    end else begin
      if (write[ExponentiationSelectLength]) length_set_q <= 1'b1;
      if (start) begin
        m_prime_supplied_q <= written[ExponentiationSelectMPrime];
        overwide_q         <= overwide_any;
      end
    end
  end

  // Control.
  logic start_a, start_s, keep, first, second, supplied, exponent_bit;
  logic [ 1:0] mode;
  logic [15:0] index;
  logic power_start, power_done, take_supplied, take_power, take_square;
  logic [15:0] power_doublings;
  logic [Width-1:0] power;
  logic a_ready, s_ready, a_core_done, s_core_done, m_prime_used;
  logic [15:0] radix_bits;
  logic [3:0] unit_status;
  logic [Width-1:0] m_prime;
  logic [3:0] control_state;

  assign exponent_bit = exponent[index[$clog2(WriteSlot)-1:0]];

  exponentiation_control u_control (
    .clk_i,
    .rst_ni(core_rst_n),
    .start_i(start),
    .incomplete_i(|partial),
    .length_legal_i(length_legal),
    .exponent_legal_i(exponent_legal),
    .length_i(length),
    .m_written_i(write[ExponentiationSelectModulus]),
    .r_squared_supplied_i(written[ExponentiationSelectRSquared]),
    .m_prime_wrong_i(m_prime_supplied_q && m_prime_used && (m_prime != Width'(m_prime_operand))),
    .busy_o,
    .done_o,
    .status_o(status),
    .radix_bits_i(radix_bits),
    .unit_ready_i(a_ready || s_ready),
    .unit_status_i(unit_status),
    .result_is_one_i(result == Width'(1)),
    .start_a_o(start_a),
    .start_s_o(start_s),
    .mode_o(mode),
    .keep_o(keep),
    .first_o(first),
    .second_o(second),
    .supplied_o(supplied),
    .index_o(index),
    .bit_i(exponent_bit),
    .power_start_o(power_start),
    .power_doublings_o(power_doublings),
    .power_done_i(power_done),
    .take_supplied_o(take_supplied),
    .take_power_o(take_power),
    .take_square_o(take_square),
    .state_o(control_state)
  );

  // R**2 mod M
  logic [Width-1:0] s_result, r_squared_q;

  montgomery_power #(
    .Width   (Width),
    .AddWidth(AddWidth)
  ) u_power (
    .clk_i,
    .rst_ni     (core_rst_n),
    .start_i    (power_start),
    .doublings_i(power_doublings),
    .m_i        (modulus),
    .done_o     (power_done),
    .value_o    (power)
  );

  always_ff @(posedge clk_i or negedge core_rst_n) begin
    if (!core_rst_n) r_squared_q <= '0;
    else if (take_supplied || take_power) r_squared_q <= take_power ? power : r_squared_operand;
    else if (take_square) r_squared_q <= s_result;
  end

  // Operands. Without a Montgomery domain the first step of the loop makes A = 1 or Data from 1
  // and finds S = Data.
  logic plain_first, prepare, check, entry, square_first, ends;
  logic [Width-1:0] a_x, a_y, s_x, s_y, one, supplied_r_squared;

  assign one = Width'(1);
  assign supplied_r_squared = supplied ? r_squared_operand : '0;
  assign plain_first = (control_state == PowerLoop) && first && (radix_bits == '0);
  assign prepare = (control_state == PowerPrepare);
  assign entry = (control_state == PowerEntry);
  assign check = (control_state == PowerCheckConstant) && !second;
  assign ends = (control_state == PowerExit) || ((control_state == PowerCheckConstant) && second);
  assign square_first = (control_state == PowerSquare) && first;

  assign a_x = prepare ? data : (entry || check || plain_first) ? one : result;
  assign a_y = prepare ? supplied_r_squared
             : (entry || check) ? r_squared_q
             : (ends || (plain_first && !exponent_bit)) ? one
             : plain_first ? data : s_result;
  assign s_x = (prepare || entry || plain_first) ? data : square_first ? r_squared_q : s_result;
  assign s_y = prepare ? supplied_r_squared
             : (entry || square_first) ? r_squared_q
             : plain_first ? data : s_result;

  // Observed by the test bench.
  logic product_start, product_ready, top_carry;
  logic a_top_carry, s_top_carry, a_carry_valid, s_carry_valid;
  logic [PositionWidth-1:0] a_carry_word, s_carry_word;
  logic [TablePositions-1:0] a_table_valid, s_table_valid;
  logic [TableAddrBits-1:0] a_table_addr, s_table_addr;
  logic [1:0] a_core_state, s_core_state;
  logic result_done, add_subtracted, add_exact;
  logic a_binary, s_binary;
  logic a_busy, a_done, a_core_start, a_core_busy;
  logic s_busy, s_done, s_core_start, s_core_busy;
  logic s_m_prime_used, s_result_done, s_add_subtracted, s_add_exact;
  logic [2:0] a_unit_state, s_unit_state;
  logic [3:0] s_unit_status;
  logic [15:0] s_radix_bits;
  logic [Width-1:0] s_m_prime;
  logic [Width+Guard-1:0] a_s, a_c, s_s, s_c;

  multiplier_unit #(
    .Width   (Width),
    .AddWidth(AddWidth),
    .Guard   (Guard)
  ) u_unit_a (
    .clk_i,
    .rst_ni          (core_rst_n),
    .start_i         (start_a),
    .mode_i          (mode),
    .raw_i           (1'b0),
    .field_i         (1'b0),
    .keep_i          (keep),
    .incomplete_i    (1'b0),
    .overwide_i      (overwide_q),
    .m_written_i     (write[ExponentiationSelectModulus]),
    .x_i             (a_x),
    .y_i             (a_y),
    .m_i             (modulus),
    .busy_o          (a_busy),
    .ready_o         (a_ready),
    .done_o          (a_done),
    .status_o        (unit_status),
    .s_o             (a_s),
    .c_o             (a_c),
    .result_o        (result),
    .binary_o        (a_binary),
    .radix_bits_o    (radix_bits),
    .m_prime_o       (m_prime),
    .m_prime_used_o  (m_prime_used),
    .control_state_o (a_unit_state),
    .core_start_o    (a_core_start),
    .core_done_o     (a_core_done),
    .core_busy_o     (a_core_busy),
    .core_state_o    (a_core_state),
    .table_valid_o   (a_table_valid),
    .table_addr_o    (a_table_addr),
    .top_carry_o     (a_top_carry),
    .carry_valid_o   (a_carry_valid),
    .carry_word_o    (a_carry_word),
    .result_done_o   (result_done),
    .add_subtracted_o(add_subtracted),
    .add_exact_o     (add_exact)
  );

  multiplier_unit #(
    .Width   (Width),
    .AddWidth(AddWidth),
    .Guard   (Guard)
  ) u_unit_s (
    .clk_i,
    .rst_ni          (core_rst_n),
    .start_i         (start_s),
    .mode_i          (mode),
    .raw_i           (1'b0),
    .field_i         (1'b0),
    .keep_i          (1'b0),
    .incomplete_i    (1'b0),
    .overwide_i      (overwide_q),
    .m_written_i     (write[ExponentiationSelectModulus]),
    .x_i             (s_x),
    .y_i             (s_y),
    .m_i             (modulus),
    .busy_o          (s_busy),
    .ready_o         (s_ready),
    .done_o          (s_done),
    .status_o        (s_unit_status),
    .s_o             (s_s),
    .c_o             (s_c),
    .result_o        (s_result),
    .binary_o        (s_binary),
    .radix_bits_o    (s_radix_bits),
    .m_prime_o       (s_m_prime),
    .m_prime_used_o  (s_m_prime_used),
    .control_state_o (s_unit_state),
    .core_start_o    (s_core_start),
    .core_done_o     (s_core_done),
    .core_busy_o     (s_core_busy),
    .core_state_o    (s_core_state),
    .table_valid_o   (s_table_valid),
    .table_addr_o    (s_table_addr),
    .top_carry_o     (s_top_carry),
    .carry_valid_o   (s_carry_valid),
    .carry_word_o    (s_carry_word),
    .result_done_o   (s_result_done),
    .add_subtracted_o(s_add_subtracted),
    .add_exact_o     (s_add_exact)
  );

  assign product_start                  = start_a && (control_state != PowerPrepare);
  assign product_ready                  = a_ready && (control_state != PowerPrepare);
  assign top_carry                      = a_top_carry || s_top_carry;

  assign observation_o.start            = start;
  assign observation_o.control_state    = control_state;
  assign observation_o.exponent_bit     = exponent_bit;
  assign observation_o.product_start    = product_start;
  assign observation_o.product_done     = product_ready;
  assign observation_o.product_ready    = 1'b1;
  assign observation_o.product_position = '0;
  assign observation_o.a_table_valid    = a_table_valid;
  assign observation_o.s_table_valid    = s_table_valid;
  assign observation_o.a_table_addr     = a_table_addr;
  assign observation_o.s_table_addr     = s_table_addr;
  assign observation_o.a_digit_first    = 1'b0;
  assign observation_o.a_digit_queued   = 1'b0;
  assign observation_o.a_digit_report   = 1'b0;
  assign observation_o.s_digit_first    = 1'b0;
  assign observation_o.s_digit_queued   = 1'b0;
  assign observation_o.s_digit_report   = 1'b0;
  assign observation_o.a_core_state     = a_core_state;
  assign observation_o.s_core_state     = s_core_state;
  assign observation_o.result_done      = result_done;
  assign observation_o.add_nonzero      = 1'b1;
  assign observation_o.add_pass_done    = result_done;
  assign observation_o.add_subtracted   = add_subtracted;
  assign observation_o.add_exact        = add_exact;
  assign observation_o.top_carry        = top_carry;
  assign a_product_o                    = (Width + Guard)'(result);
  assign s_product_o                    = (Width + Guard)'(s_result);

  logic unused_observation;
  assign unused_observation = ^{
    operands, written, raw, binary, a_binary, s_binary, index, a_carry_valid, s_carry_valid,
    a_carry_word, s_carry_word, a_busy, a_done, a_core_start, a_core_done, a_core_busy, s_busy,
    s_done, s_core_start, s_core_done, s_core_busy, s_m_prime_used, s_result_done,
    s_add_subtracted, s_add_exact, a_unit_state, s_unit_state, s_unit_status, s_radix_bits,
    s_m_prime, a_s, a_c, s_s, s_c
  };

endmodule
