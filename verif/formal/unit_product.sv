// SPDX-License-Identifier: Apache-2.0
//
// Property: the whole product of a multiplier unit, from the start to its status and result.
//
//   done_o comes at most MaxCycles cycles after the start, with the right status for the operands;
//   if it is Ok:  result_o < M  and  result_o*2**RadixBits = X*Y (mod M), in GF(2**n) without
//   carries
//
// Covers every X, Y, M of Width bits, reduced or not (FullLength: M has its top bit set). The unit
// computes the constants. One operation, the first one after reset.

module unit_product
  import multiplier_pkg::*;
#(
  parameter int Width = 4,
  parameter int BusWidth = 4,
  parameter int AddWidth = 32,
  parameter int Guard = 2,
  parameter int MaxCycles = 32,
  parameter int RadixBits = 4,
  parameter int BinaryRadixBits = 4,
  parameter int OddModulusOnly = 1,
  parameter int FullLength = 0
) (
  input logic             clk_i,
  input logic             field_i,
  input logic [Width-1:0] x_i,
  input logic [Width-1:0] y_i,
  input logic [Width-1:0] m_i
);

  localparam int CycleWidth = $clog2(MaxCycles + 4);
  localparam int Bits = (2 * Width > Width + RadixBits) ? 2 * Width : Width + RadixBits;
  localparam int BinaryBits = (2 * Width > Width + BinaryRadixBits) ? 2 * Width
                                                                    : Width + BinaryRadixBits;

  logic busy, done, binary, field, unreduced;
  logic [3:0] status, expected;
  logic [Width-1:0] result, x_q, y_q, m_q;
  logic field_q;
  logic [CycleWidth-1:0] cycle_q = '0;

  product_unit #(
    .Width   (Width),
    .BusWidth(BusWidth),
    .AddWidth(AddWidth),
    .Guard   (Guard)
  ) u_unit (
    .clk_i,
    .rst_ni      (cycle_q != '0),
    .start_i     (cycle_q == CycleWidth'(1)),
    .raw_i       (1'b0),
    .field_i     (field),
    .incomplete_i(1'b0),
    .overwide_i  (1'b0),
    .x_i,
    .y_i,
    .m_i,
    .busy_o      (busy),
    .done_o      (done),
    .status_o    (status),
    .result_o    (result),
    .binary_o    (binary)
  );

  assign field = binary && field_i;

  // Remainder of a polynomial over GF(2).
  function automatic logic [Width-1:0] polynomial_remainder(logic [BinaryBits-1:0] value,
                                                            logic [Width-1:0] modulus);
    logic [BinaryBits-1:0] rest;
    rest = value;
    for (int top = BinaryBits - 1; top >= 0; top--) begin
      for (int degree = 0; degree < Width; degree++) begin
        if ((top >= degree) && rest[top] && ((modulus >> degree) == Width'(1))) begin
          rest = rest ^ (BinaryBits'(modulus) << (top - degree));
        end
      end
    end
    return rest[Width-1:0];
  endfunction

  function automatic logic [BinaryBits-1:0] polynomial_product(logic [Width-1:0] a,
                                                               logic [Width-1:0] b);
    logic [BinaryBits-1:0] product;
    product = '0;
    for (int i = 0; i < Width; i++) begin
      if (a[i]) product = product ^ (BinaryBits'(b) << i);
    end
    return product;
  endfunction

  always_comb begin
    unreduced = field ?
        ((polynomial_remainder(BinaryBits'(x_i), m_i) != x_i) ||
         (polynomial_remainder(BinaryBits'(y_i), m_i) != y_i)) : ((x_i >= m_i) || (y_i >= m_i));
    expected = StatusOk;
    if (unreduced) expected = StatusOperandRange;
    if (!m_i[0] && (OddModulusOnly != 0)) expected = StatusModulusEven;
    if (m_i <= Width'(1)) expected = StatusModulusZeroOrOne;
  end

  always_ff @(posedge clk_i) begin
    if (cycle_q != '1) cycle_q <= cycle_q + 1'b1;
    x_q     <= x_i;
    y_q     <= y_i;
    m_q     <= m_i;
    field_q <= field_i;
  end

  always_comb begin
    if (cycle_q != '0) begin
      assume ((x_i == x_q) && (y_i == y_q) && (m_i == m_q) && (field_i == field_q));
    end
    assume (m_i[Width-1] || (FullLength == 0));
    if (cycle_q == CycleWidth'(MaxCycles + 2)) begin
      assert (done && !busy);
    end
    if (done) begin
      assert (status == expected);
      if (status == StatusOk) begin
        if (field) begin
          assert (polynomial_remainder(
              BinaryBits'(result) << BinaryRadixBits, m_i
          ) == polynomial_remainder(
              polynomial_product(x_i, y_i), m_i
          ));
          assert (polynomial_remainder(BinaryBits'(result), m_i) == result);
        end else begin
          assert (result < m_i);
          assert (((Bits'(result) << RadixBits) % Bits'(m_i))
                  == ((Bits'(x_i) * Bits'(y_i)) % Bits'(m_i)));
        end
      end
    end
  end

endmodule
