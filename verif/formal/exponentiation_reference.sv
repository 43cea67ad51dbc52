// SPDX-License-Identifier: Apache-2.0
//
// Property: operands, status and the use of R**2 of every exponentiation are those of
// hdl/docs/interface.md for the written words, for every sequence of transfers.
//
//   each written word replaces the word of the operand's old value; 0 after ZEROISE
//   Length is Width until it is written after reset or ZEROISE
//   the status at the end is the first that applies: OperandIncomplete, LengthRange, ExponentRange,
//     OperandRange for bits above an operand's width, errors of M, Data or a supplied R**2,
//     ConstantInconsistent if m' or R**2 is found wrong
//   R**2 is checked if it was supplied for this start; otherwise a kept R**2 is used, or R**2 is
//     computed. It is kept from an operation that ended Ok until M is written or a supplied R**2 is
//     found wrong
//
// Covers every run within the depth, which does not reach the end of an exponentiation. Rejections
// and word counters are those of interface_checks, which exponentiation_pins proves. Reset at any
// time.
//
// Steady restricts the host, so that a proof can reach the checks of the operands. 0: any host. 1:
// no reset, pause or wait state; Data, Exponent and M are written first, and nothing is requested
// while the core is busy.

`ifndef TOP_PARAMETERS
`define TOP_PARAMETERS
`endif  // TOP_PARAMETERS

module exponentiation_reference
  import multiplier_pkg::*;
#(
  parameter int Width = 12,
  parameter int BusWidth = 8,
  parameter int AddressWidth = 3,
  parameter int WordWidth = 17,
  parameter int DigitWidth = 16,
  parameter int Words = 3,
  parameter int RadixBits = 48,
  parameter int MPrimeBits = 16,
  parameter int ScaleBits = 0,
  parameter int Guard = 2,
  parameter int Steady = 0,  // see above
  // Derived, do not set.
  parameter int Rules = 14
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic                req_i,
  input logic                write_i,
  input logic [AddressWidth-1:0] addr_i,
  input logic [BusWidth-1:0] wdata_i,
  input logic                wait_i
);

  localparam int MPrimeWidth = (ScaleBits > 0) ? Width : (MPrimeBits > 0) ? MPrimeBits : 1;
  localparam int Addresses = 7;
  localparam int MaxBits = 32;  // bits of an operand's words

  logic ack, err, busy, done;
  logic [BusWidth-1:0] rdata, expected;
  logic [Rules-1:0] wrong;
  logic begun_q = 1'b0;

  exponentiation #(
    .Width     (Width),
    .BusWidth  (BusWidth),
    .AddressWidth  (AddressWidth),
    .WordWidth (WordWidth),
    .DigitWidth(DigitWidth),
    .Words     (Words),
    .RadixBits (RadixBits),
    .MPrimeBits(MPrimeBits),
    .ScaleBits (ScaleBits),
    .Guard     (Guard)
    `TOP_PARAMETERS
  ) u_dut (
    .clk_i,
    .rst_ni,
    .req_i,
    .write_i,
    .addr_i,
    .wdata_i,
    .wait_i,
    .ack_o  (ack),
    .err_o  (err),
    .rdata_o(rdata),
    .busy_o (busy),
    .done_o (done)
  );

  interface_checks #(
    .Exponentiation(1'b1),
    .Width         (Width),
    .BusWidth      (BusWidth),
    .AddressWidth      (AddressWidth),
    .Guard         (Guard),
    .MPrimeWidth   (MPrimeWidth)
  ) u_checks (
    .clk_i,
    .rst_ni,
    .req_i,
    .write_i,
    .addr_i,
    .wdata_i,
    .wait_i,
    .ack_i     (ack),
    .err_i     (err),
    .rdata_i   (rdata),
    .busy_i    (busy),
    .done_i    (done),
    .wrong_o   (wrong),
    .expected_o(expected)
  );

  always_ff @(posedge clk_i) begun_q <= 1'b1;

  // ----------------------------------------------------------------------------------------------
  // The reference
  // ----------------------------------------------------------------------------------------------
  logic [Addresses-1:0][MaxBits-1:0] operand_q;
  logic [Addresses-1:0][7:0] word;  // the next word to be written
  assign word[0] = 8'(u_checks.gen_address[0].gen_operand.word_q);
  assign word[1] = 8'(u_checks.gen_address[1].gen_operand.word_q);
  assign word[2] = 8'(u_checks.gen_address[2].gen_operand.word_q);
  assign word[3] = '0;
  assign word[4] = 8'(u_checks.gen_address[4].gen_operand.word_q);
  assign word[5] = 8'(u_checks.gen_address[5].gen_operand.word_q);
  assign word[6] = 8'(u_checks.gen_address[6].gen_operand.word_q);

  logic length_set_q, kept_q;
  logic [Addresses-1:0] supplied_q;  // written after the previous start

  logic write;
  assign write = u_checks.granted && write_i && !u_checks.control;

  // At a start.
  logic [MaxBits-1:0] length;
  logic overwide;
  logic [3:0] rejection;  // status before any computation; Ok: no error
  always_comb begin
    length = length_set_q ? operand_q[ExponentiationAddressLength] : MaxBits'(Width);
    overwide = ((operand_q[ExponentiationAddressDataResult] >> Width) != '0)
            || ((operand_q[ExponentiationAddressModulus] >> Width) != '0)
            || (supplied_q[ExponentiationAddressRSquared]
                && ((operand_q[ExponentiationAddressRSquared] >> Width) != '0))
            || (supplied_q[ExponentiationAddressMPrime]
                && ((operand_q[ExponentiationAddressMPrime] >> MPrimeWidth) != '0));
    rejection = StatusOk;
    if ((operand_q[ExponentiationAddressExponent] >> length) != '0) rejection = StatusExponentRange;
    if ((length == '0) || (length > MaxBits'(Width))) rejection = StatusLengthRange;
    if (u_checks.partial != '0) rejection = StatusOperandIncomplete;
  end

  // Status of the values of Data, M and a supplied R**2.
  logic [Width-1:0] data, modulus, r_squared;
  logic [3:0] judged;
  assign data      = operand_q[ExponentiationAddressDataResult][Width-1:0];
  assign modulus   = operand_q[ExponentiationAddressModulus][Width-1:0];
  assign r_squared = operand_q[ExponentiationAddressRSquared][Width-1:0];
  always_comb begin
    judged = StatusOk;
    if (data >= modulus) judged = StatusOperandRange;
    if (supplied_q[ExponentiationAddressRSquared] && (r_squared >= modulus)) begin
      judged = StatusOperandRange;
    end
    if (!modulus[0]) judged = StatusModulusEven;
    if (modulus <= Width'(1)) judged = StatusModulusZeroOrOne;
    if (overwide) judged = StatusOperandRange;
  end

  // Progress of the control.
  logic [3:0] state;
  assign state = u_dut.u_control.state_q;

  // The operation.
  logic [3:0] rejection_q, judged_q;
  logic r_squared_q, m_prime_q;  // supplied
  logic computes_q, wrong_q;  // R**2 was computed; the host's R**2 was found wrong

  // m' of this start's M, and, in the second step of its check, R**2.
  logic found_wrong, m_prime_wrong_q, checked_q;
  logic [3:0] outcome;
  assign found_wrong = (state == ExpCheckConstant) && u_dut.u_control.residue
                    && !u_dut.outcome.one;

  always_comb begin
    outcome = StatusOk;
    if (m_prime_wrong_q || wrong_q) outcome = StatusConstantInconsistent;
    if (judged_q != StatusOk) outcome = judged_q;
    if (rejection_q != StatusOk) outcome = rejection_q;
  end

  logic checked, kept;  // R**2 was supplied and used; it is kept after the operation
  assign checked = r_squared_q && (rejection_q == StatusOk) && (judged_q == StatusOk);
  always_comb begin
    kept = kept_q;
    if (outcome == StatusOk) kept = 1'b1;
    if (checked && (outcome == StatusConstantInconsistent)) kept = 1'b0;
  end

  logic busy_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      operand_q       <= '0;
      length_set_q    <= 1'b0;
      kept_q          <= 1'b0;
      supplied_q      <= '0;
      rejection_q       <= StatusOk;
      judged_q        <= StatusOk;
      checked_q       <= 1'b0;
      r_squared_q     <= 1'b0;
      m_prime_q       <= 1'b0;
      computes_q      <= 1'b0;
      wrong_q         <= 1'b0;
      m_prime_wrong_q <= 1'b0;
      busy_q          <= 1'b0;
    end else begin
      busy_q <= busy && !u_checks.zeroise;
      if (write) begin
        operand_q[addr_i][word[addr_i]*BusWidth+:BusWidth] <= wdata_i;
        supplied_q[addr_i] <= 1'b1;
        if (addr_i == AddressWidth'(ExponentiationAddressLength)) length_set_q <= 1'b1;
        if (addr_i == AddressWidth'(ExponentiationAddressModulus)) kept_q <= 1'b0;
      end
      if (u_checks.start) begin
        rejection_q <= rejection;
        judged_q <= judged;
        checked_q <= 1'b0;
        r_squared_q <= supplied_q[ExponentiationAddressRSquared];
        m_prime_q <= supplied_q[ExponentiationAddressMPrime];
        supplied_q <= '0;
        computes_q <= 1'b0;
        wrong_q <= 1'b0;
        m_prime_wrong_q <= supplied_q[ExponentiationAddressMPrime]
                           && (MPrimeWidth'(operand_q[ExponentiationAddressMPrime] * modulus)
                               != '1);
      end
      if (state == ExpSeed) computes_q <= 1'b1;
      if (state == ExpCheckConstant) checked_q <= 1'b1;
      if (found_wrong) wrong_q <= 1'b1;
      if (state == ExpEnd) kept_q <= kept;
      if (u_checks.zeroise) begin
        operand_q    <= '0;
        length_set_q <= 1'b0;
        kept_q       <= 1'b0;
        supplied_q   <= '0;
      end
    end
  end

  // ----------------------------------------------------------------------------------------------
  // The comparison
  // ----------------------------------------------------------------------------------------------
  always_comb begin
    if (begun_q && rst_ni) begin
      if (u_checks.accept_q && u_checks.is_outcome) assert (rdata[3:0] == outcome);
      // Computed only if neither supplied nor kept, checked only if it was supplied.
      if (state == ExpSeed) assert (!r_squared_q && !kept_q && (rejection_q == StatusOk));
      if (state == ExpEntry) assert (checked_q == r_squared_q);
      if (state == ExpCheckConstant) assert (checked);
      if (!busy && busy_q && checked) assert (!computes_q);
      if (!busy && busy_q && (outcome == StatusOk)) assert (kept_q);
    end
  end

  logic [1:0] transfer_q;  // number of the transfer, up to 3
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) transfer_q <= '0;
    else if (ack && (transfer_q != 2'd3)) transfer_q <= transfer_q + 1'b1;
  end

  always_comb begin
    if (!begun_q) assume (!rst_ni);
    if (begun_q && (Steady != 0)) begin
      assume (rst_ni && !wait_i && (req_i == !busy));
      if (transfer_q != 2'd3) assume (write_i && (addr_i == AddressWidth'(transfer_q)));
    end
  end

endmodule
