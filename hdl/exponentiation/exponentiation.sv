// SPDX-License-Identifier: Apache-2.0
//
// Exponentiation core for RSA on a bus. It has two multipliers: one for A and one for S.
//
//   Result = Data**Exponent mod M, 0 <= Result < M
//
// Operands are never held in full-width registers: words live in memories and move one a cycle.
//   u_host      bus, resets and wipe, operands in bus words, exponent, result; converts words
//   u_control   drives every other module (exp_control_t)
//   u_residue   passes over words: the adder and the residue that it leaves, M and constants
//   u_operands  words of R**2, A and S; in its u_multipliers the two multipliers
//
// Core names the core (core_pkg): a ring core, instantiated twice, or one dual-multiplier datapath
// of bit-serial cores. RadixBits is 0 for an interleaved core: no factor 1/R. MPrimeBits is the
// width of m', ScaleBits that of the scale; 0: the core has none. Words: words of WordWidth bits in
// an operand of a multiplier. The header of the core has the other parameters.
//
// req_i to rdata_o: bus, see operand_loader and hdl/docs/interface.md. busy_o: an operation runs.
// done_o: one has ended. An idle core holds its datapath in reset, unless it wipes.
//
// Security, and the options Balanced, Parity and Coherent: hdl/docs/rsa.md.
// Latency: models/ring_exponentiation.py, models/dual_exponentiation.py.
//
// Source: Michalski & Buell, Algorithm 4, ch. 5.4, 5.5 and figure 7; Amanor (2005), ch. 6.5.

module exponentiation
  import multiplier_pkg::*;
  import core_pkg::*;
#(
  parameter int Width = 32,
  parameter int BusWidth = 32,
  parameter int AddressWidth = 3,
  parameter int Guard = 2,  // bits of S and C of a bit-serial core above Width
  parameter int Core = CoreMwrkmm,  // this one and the following: values of its registry entry
  parameter int WordWidth = 17,
  parameter int DigitWidth = 16,
  parameter int Words = 3,
  parameter int RadixBits = 48,
  parameter int MPrimeBits = 16,
  parameter int ScaleBits = 0,
  parameter int Unfolding = 1,
  parameter int Elements = 1,
  parameter int Stages = 1,
  parameter int Latency = 3,
  parameter int UnitWidth = 1,
  parameter int Units = 1,
  parameter int Balanced = 0,
  parameter int Parity = 0,
  parameter int Coherent = 0  // only with Balanced, in a Montgomery core without a scale
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    req_i,
  input  logic                    write_i,
  input  logic [AddressWidth-1:0] addr_i,
  input  logic [    BusWidth-1:0] wdata_i,
  input  logic                    wait_i,
  output logic                    ack_o,
  output logic                    err_o,
  output logic [    BusWidth-1:0] rdata_o,
  output logic                    busy_o,
  output logic                    done_o
);

  localparam int ConstantBits = (ScaleBits > 0) ? ScaleBits : (MPrimeBits > 0) ? MPrimeBits : 1;
  // From u_host: words of operands, and those of the result that u_host takes
  logic core_rst_n, datapath_rst_n;
  exp_wipe_t wipe;
  exp_request_t request;
  exp_bits_t exponent;
  word_tag_t operand, m, result;
  logic [WordWidth-1:0] operand_word, m_word;
  exp_control_t control;  // from u_control, as status
  logic [3:0] status;
  // From u_residue: words of M, also shifted up (aligned); constants
  exp_pass_t pass;
  exp_outcome_t outcome;
  logic mhat_same;
  logic [WordWidth-1:0] modulus, aligned, residue, mhat, u_word, split_word;
  word_tag_t split;
  logic [ConstantBits-1:0] inverse;
  logic [DigitWidth-1:0] m_prime;
  // From u_operands: the products of A and S
  stream_status_t a_status, s_status;
  logic [WordIndexWidth-1:0] a_index;  // word of u that is X of A
  logic [WordWidth-1:0] a_word, s_word, a_result, s_result;
  exp_products_t products;

  // A word that is used has a wrong parity bit. Words have none before the wipe ends.
  logic host_fault, fault;
  assign fault = host_fault || (!wipe.runs && (pass.fault || products.fault));

  exponentiation_host #(
    .Width       (Width),
    .BusWidth    (BusWidth),
    .AddressWidth(AddressWidth),
    .WordWidth   (WordWidth),
    .Words       (Words),
    .MPrimeBits  (MPrimeBits),
    .ScaleBits   (ScaleBits),
    .Balanced    (Balanced != 0),
    .Parity      (Parity != 0)
  ) u_host (
    .clk_i,
    .rst_ni,
    .req_i,
    .write_i,
    .addr_i         (addr_i),
    .wdata_i,
    .wait_i,
    .ack_o,
    .err_o,
    .rdata_o,
    .core_rst_no    (core_rst_n),
    .datapath_rst_no(datapath_rst_n),
    .wipe_o         (wipe),
    .request_o      (request),
    .control_i      (control),
    .busy_i         (busy_o),
    .status_i       (status),
    .pass_i         (pass),
    .operand_o      (operand),
    .operand_word_o (operand_word),
    .m_o            (m),
    .m_word_o       (m_word),
    .a_ready_i      (a_status.ready),
    .exponent_o     (exponent),
    .fault_o        (host_fault),
    .inverse_i      (inverse),
    .mhat_same_i    (mhat_same),
    .result_o       (result),
    .result_word_i  (residue)
  );

  exponentiation_control #(
    .Doublings  (seed_doublings(Width, RadixBits, ScaleBits, WordWidth)),
    .Squarings  (seed_squarings(Width, ScaleBits)),
    .MaxLength  (Width),
    .StallCycles(stall_cycles(Width, Words, RadixBits, Elements, Latency)),
    .Inverse    ((ScaleBits > 0) || (MPrimeBits > 0)),
    .Scaled     (ScaleBits > 0),
    .Domain     (RadixBits > 0),
    .Parity     (Parity != 0),
    .Coherent   (Coherent != 0)
  ) u_control (
    .clk_i,
    .rst_ni      (core_rst_n),
    .request_i   (request),
    .busy_o,
    .done_o,
    .status_o    (status),
    .pass_i      (pass),
    .outcome_i   (outcome),
    .a_status_i  (a_status),
    .s_status_i  (s_status),
    .products_i  (products),
    .split_last_i(split.last),
    .fault_i     (fault),
    .control_o   (control)
  );

  exponentiation_residue #(
    .Width     (Width),
    .WordWidth (WordWidth),
    .DigitWidth(DigitWidth),
    .Words     (Words),
    .MPrimeBits(MPrimeBits),
    .ScaleBits (ScaleBits),
    .Domain    (RadixBits > 0),
    .Parity    (Parity != 0),
    .Coherent  (Coherent != 0)
  ) u_residue (
    .clk_i,
    .rst_ni        (datapath_rst_n),
    .wipe_i        (wipe),
    .control_i     (control),
    .operand_i     (operand),
    .operand_word_i(operand_word),
    .m_i           (m),
    .m_word_i      (m_word),
    .result_i      (result),
    .a_status_i    (a_status),
    .s_status_i    (s_status),
    .products_i    (products),
    .a_result_i    (a_result),
    .s_result_i    (s_result),
    .a_word_i      (a_word),
    .s_word_i      (s_word),
    .modulus_o     (modulus),
    .aligned_o     (aligned),
    .inverse_o     (inverse),
    .m_prime_o     (m_prime),
    .split_o       (split),
    .split_word_o  (split_word),
    .u_index_i     (a_index),
    .u_word_o      (u_word),
    .mhat_o        (mhat),
    .mhat_same_o   (mhat_same),
    .pass_o        (pass),
    .outcome_o     (outcome),
    .residue_o     (residue)
  );

  exponentiation_operands #(
    .Width     (Width),
    .Guard     (Guard),
    .WordWidth (WordWidth),
    .DigitWidth(DigitWidth),
    .Words     (Words),
    .RadixBits (RadixBits),
    .ScaleBits (ScaleBits),
    .Core      (Core),
    .Unfolding (Unfolding),
    .Elements  (Elements),
    .Stages    (Stages),
    .Latency   (Latency),
    .UnitWidth (UnitWidth),
    .Units     (Units),
    .Balanced  (Balanced != 0),
    .Parity    (Parity != 0),
    .Coherent  (Coherent != 0)
  ) u_operands (
    .clk_i,
    .rst_ni        (datapath_rst_n),
    .wipe_i        (wipe),
    .control_i     (control),
    .operand_i     (operand),
    .operand_word_i(operand_word),
    .m_i           (m),
    .pass_i        (pass),
    .modulus_i     (modulus),
    .aligned_i     (aligned),
    .residue_i     (residue),
    .a_word_o      (a_word),
    .s_word_o      (s_word),
    .mhat_i        (mhat),
    .u_word_i      (u_word),
    .split_i       (split),
    .split_word_i  (split_word),
    .a_index_o     (a_index),
    .exponent_i    (exponent),
    .m_prime_i     (m_prime),
    .a_status_o    (a_status),
    .s_status_o    (s_status),
    .a_result_o    (a_result),
    .s_result_o    (s_result),
    .products_o    (products)
  );

endmodule
