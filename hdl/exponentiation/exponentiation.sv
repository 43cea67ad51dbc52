// SPDX-License-Identifier: Apache-2.0
//
// Exponentiation core for RSA on a bus. It has two multipliers: one for A and one for S.
//
//   Result = Data**Exponent mod M, 0 <= Result < M
//
// Operands are never held in full-width registers: words live in memories and move one a cycle.
//   u_host         bus, resets and wipe, operands in bus words, exponent, result; converts words
//   u_control      drives every other module (exp_control_t)
//   u_residue      passes over words: the adder and the residue that it leaves, M and constants
//   u_operands     words of R**2, A and S; in its u_multipliers the two multipliers
//
// Core names the core (core_pkg): a ring core, instantiated twice, or one dual-multiplier datapath
// of bit-serial cores (bit_serial_dual, interleaved_dual). RadixBits is 0 for an interleaved core:
// no factor 1/R, X from the top bit down. MPrimeBits is the width of m', ScaleBits that of the
// scale; 0: the core has none. Words: words of WordWidth bits in an operand of a multiplier. Guard:
// bits of S and C of a bit-serial core above Width. The header of the core has the other
// parameters.
//
// req_i to rdata_o: bus, see operand_loader. busy_o: an operation runs. done_o: the status is that
// of an operation which has ended.
//
// Security: the time depends on Width, on Length, and on whether R**2 is supplied, kept or
// computed. It does not depend on any value, with one exception: for an interleaved core it depends
// on the number of leading zeros of M. Zeroise clears all operands, intermediate values and
// results, also during an operation: it resets the registers in the cycle of its acknowledge, then
// wipes the memories word by word. So does a reset. The host can read only the status word, and
// Result while the status is Ok. An idle core holds its datapath in reset, unless it wipes.
//
// Bus: hdl/docs/interface.md; codes: multiplier_pkg. Latency: models/ring_exponentiation.py,
// models/dual_exponentiation.py.
//
// Source: Michalski & Buell, Algorithm 4, ch. 5.4, 5.5 and figure 7; Amanor (2005), ch. 6.5.

module exponentiation
  import multiplier_pkg::*;
  import core_pkg::*;
#(
  parameter int Width = 32,
  parameter int BusWidth = 32,
  parameter int AddressWidth = 3,
  parameter int Guard = 2,
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
  parameter int Balanced = 0,  // hardening, see hdl/docs/rsa.md
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

  `ASSERT_PARAMETER(CoherentWithBalanced,
                    (Coherent == 0) || ((Balanced != 0) && (ScaleBits == 0) && (RadixBits > 0)),
                    "Coherent needs Balanced and a Montgomery core without a scale")

  localparam int ConstantBits = (ScaleBits > 0) ? ScaleBits : (MPrimeBits > 0) ? MPrimeBits : 1;
  localparam int StallCycles = stall_cycles(Width, Words, RadixBits, Elements, Latency);
  // From u_host: resets, wipe; what a start asks for; words of operands; bits of the exponent
  logic core_rst_n, datapath_rst_n, wipe;
  logic [WordIndexWidth-1:0] wipe_index;
  exp_request_t request;
  word_tag_t operand, m;
  logic [WordWidth-1:0] operand_word, m_word;
  logic exponent_bit, bit_before;  // of the present step and of the preceding one
  logic [15:0] position;  // of exponent_bit
  logic m_prime_wrong;  // a constant that the host supplied is wrong
  logic host_fault, withheld;  // wrong parity: of a word in use, of a word of the result
  logic [WordIndexWidth-1:0] result_read;  // word of the result that u_host takes
  logic result_last;
  // From u_control
  exp_control_t control;
  logic [3:0] status, control_state;
  // From u_residue: the pass of the adder (last: it has ended, hold: it waits); M, also shifted up
  // (aligned); constants; words that u_operands reads for the next cycle and gives in this one
  logic last, add_last, hold, odd;
  sum_flags_t flags;
  logic [WordIndexWidth-1:0] read_index, pass_index;
  logic [WordWidth-1:0] modulus, aligned, residue, mhat, u_word, split_word;
  word_tag_t split;
  logic inverse_done, mhat_same;
  logic [ConstantBits-1:0] inverse;
  logic [DigitWidth-1:0] m_prime;
  logic residue_fault;  // wrong parity of a word in use
  logic compared, coherent;  // coherence check
  logic sum_nonzero;  // for the test bench: a word of the adder's difference is not 0
  // From u_operands: the products of A and S
  stream_status_t a_status, s_status;
  logic [WordIndexWidth-1:0] a_index;  // word of u that is X of A
  logic [WordWidth-1:0] a_word, s_word, a_result, s_result;
  logic a_final, a_write;  // of the product of A that leaves: it is the last one; it becomes A
  logic operand_fault, apart;  // wrong parity of a word in use; the multipliers are not in step
  stream_observation_t a_observation, s_observation;

  // The next product may start. Only one multiplier works in Square and CheckConstant; otherwise
  // both products end together.
  logic ready, fault;
  assign ready = a_status.ready || s_status.ready;
  // After the wipe every word of a memory has its parity bit.
  assign fault = host_fault || (!wipe && (residue_fault || operand_fault));

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
    .wipe_index_o   (wipe_index),
    .request_o      (request),
    .control_i      (control),
    .busy_i         (busy_o),
    .status_i       (status),
    .hold_i         (hold),
    .operand_o      (operand),
    .operand_word_o (operand_word),
    .m_o            (m),
    .m_word_o       (m_word),
    .a_ready_i      (a_status.ready),
    .exponent_bit_o (exponent_bit),
    .bit_before_o   (bit_before),
    .fault_o        (host_fault),
    .withheld_o     (withheld),
    .position_o     (position),
    .inverse_i      (inverse),
    .mhat_same_i    (mhat_same),
    .m_prime_wrong_o(m_prime_wrong),
    .result_read_o  (result_read),
    .result_word_i  (residue),
    .result_last_o  (result_last)
  );

  exponentiation_control #(
    .Doublings  (seed_doublings(Width, RadixBits, ScaleBits, WordWidth)),
    .Squarings  (seed_squarings(Width, ScaleBits)),
    .MaxLength  (Width),
    .StallCycles(StallCycles),
    .Inverse    ((ScaleBits > 0) || (MPrimeBits > 0)),
    .Scaled     (ScaleBits > 0),
    .Domain     (RadixBits > 0),
    .Parity     (Parity != 0),
    .Coherent   (Coherent != 0)
  ) u_control (
    .clk_i,
    .rst_ni         (core_rst_n),
    .request_i      (request),
    .busy_o,
    .done_o,
    .status_o       (status),
    .last_i         (last),
    .flags_i        (flags),
    .odd_i          (odd),
    .inverse_done_i (inverse_done),
    .m_prime_wrong_i(m_prime_wrong),
    .ready_i        (ready),
    .square_done_i  (s_status.done),
    .split_last_i   (split.last),
    .fault_i        (fault),
    .apart_i        (apart),
    .withheld_i     (withheld),
    .position_i     (position),
    .compared_i     (compared),
    .coherent_i     (coherent),
    .control_o      (control),
    .state_o        (control_state)
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
    .wipe_index_i  (wipe_index),
    .control_i     (control),
    .operand_i     (operand),
    .operand_word_i(operand_word),
    .m_i           (m),
    .m_word_i      (m_word),
    .odd_o         (odd),
    .result_read_i (result_read),
    .result_last_i (result_last),
    .a_status_i    (a_status),
    .s_status_i    (s_status),
    .a_final_i     (a_final),
    .a_result_i    (a_result),
    .s_result_i    (s_result),
    .a_word_i      (a_word),
    .s_word_i      (s_word),
    .modulus_o     (modulus),
    .aligned_o     (aligned),
    .inverse_done_o(inverse_done),
    .inverse_o     (inverse),
    .m_prime_o     (m_prime),
    .split_o       (split),
    .split_word_o  (split_word),
    .u_index_i     (a_index),
    .u_word_o      (u_word),
    .mhat_o        (mhat),
    .mhat_same_o   (mhat_same),
    .read_index_o  (read_index),
    .pass_index_o  (pass_index),
    .add_last_o    (add_last),
    .hold_o        (hold),
    .last_o        (last),
    .flags_o       (flags),
    .residue_o     (residue),
    .fault_o       (residue_fault),
    .compared_o    (compared),
    .coherent_o    (coherent),
    .nonzero_o     (sum_nonzero)
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
    .rst_ni         (datapath_rst_n),
    .wipe_i         (wipe),
    .wipe_index_i   (wipe_index),
    .control_i      (control),
    .operand_i      (operand),
    .operand_word_i (operand_word),
    .m_i            (m),
    .read_index_i   (read_index),
    .pass_index_i   (pass_index),
    .add_last_i     (add_last),
    .modulus_i      (modulus),
    .aligned_i      (aligned),
    .residue_i      (residue),
    .a_word_o       (a_word),
    .s_word_o       (s_word),
    .mhat_i         (mhat),
    .u_word_i       (u_word),
    .split_i        (split),
    .split_word_i   (split_word),
    .a_index_o      (a_index),
    .exponent_bit_i (exponent_bit),
    .bit_before_i   (bit_before),
    .m_prime_i      (m_prime),
    .a_status_o     (a_status),
    .s_status_o     (s_status),
    .a_result_o     (a_result),
    .s_result_o     (s_result),
    .a_final_o      (a_final),
    .a_write_o      (a_write),
    .fault_o        (operand_fault),
    .apart_o        (apart),
    .a_observation_o(a_observation),
    .s_observation_o(s_observation)
  );

  logic unused_observation;  // the test bench observes these signals by name
  assign unused_observation = ^{a_observation, s_observation, control_state, sum_nonzero,
                                a_write, s_result};
endmodule
