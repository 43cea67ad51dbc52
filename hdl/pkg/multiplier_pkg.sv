// SPDX-License-Identifier: Apache-2.0
//
// What several modules share: macros of assertions; codes and bits of the bus; the program of a
// core, which states what the control adds before and after the core's loop; states and steps;
// records that go from one module to another; bounds of cycles; how a core computes R**2.

// Assertions. All tools compile this file before the modules, in one unit with them. The clock of a
// module with assertions is clk_i, its reset rst_ni.
//   ASSERT(name, holds)               holds is true at each clock edge outside a reset
//   ASSERT_ALWAYS(name, holds)        as ASSERT, in a module without a reset
//   ASSERT_NEXT(name, before, holds)  holds is true in the cycle after each cycle with before
//   ASSUME(name, holds)               the other side of a port keeps its rule: as ASSERT, but a
//                                     proof assumes it
//   ASSERT_PARAMETER(name, holds, message)  the parameters are legal, checked at elaboration
// A simulation stops at a violation. With FORMAL the prover checks the assertions. With SYNTHESIS
// they are empty: only ASSERT_PARAMETER stays, and the register of ASSERT_NEXT, which drives
// nothing.
`ifdef FORMAL
`define ASSERT(name, holds) \
  always @(posedge clk_i) if (rst_ni) assert (holds);
`define ASSERT_ALWAYS(name, holds) \
  always @(posedge clk_i) assert (holds);
`define ASSUME(name, holds) \
  always @(posedge clk_i) if (rst_ni) assume (holds);
`elsif SYNTHESIS
`define ASSERT(name, holds)
`define ASSERT_ALWAYS(name, holds)
`define ASSUME(name, holds)
`else
`define ASSERT(name, holds) \
  always @(posedge clk_i or negedge rst_ni) \
    if (rst_ni && !(holds)) $fatal(1, `"%m: name`");
`define ASSERT_ALWAYS(name, holds) \
  always @(posedge clk_i) if (!(holds)) $fatal(1, `"%m: name`");
`define ASSUME(name, holds) `ASSERT(name, holds)
`endif  // FORMAL
`define ASSERT_NEXT(name, before, holds) \
  logic name``_q; \
  always @(posedge clk_i or negedge rst_ni) \
    if (!rst_ni) name``_q <= 1'b0; else name``_q <= before; \
  `ASSERT(name, !name``_q || (holds))
`ifdef __ICARUS__
`define ASSERT_PARAMETER(name, holds, message) \
  initial if (!(holds)) $fatal(1, message);
`else
`define ASSERT_PARAMETER(name, holds, message) \
  if (!(holds)) begin : gen_``name \
    $error(message); \
  end
`endif  // __ICARUS__

`ifndef SEGMENT_WIDTH
`define SEGMENT_WIDTH 64
`endif  // SEGMENT_WIDTH

package multiplier_pkg;

  // Generated from hdl/registers.yaml by python -m ci.codes --write.
  // Outcome of the last operation: bits 3:0 of the status word.
  localparam logic [3:0] StatusIdle = 4'd0;
  localparam logic [3:0] StatusBusy = 4'd1;
  localparam logic [3:0] StatusOk = 4'd2;
  localparam logic [3:0] StatusRaw = 4'd3;
  localparam logic [3:0] StatusModulusZeroOrOne = 4'd4;
  localparam logic [3:0] StatusModulusEven = 4'd5;
  localparam logic [3:0] StatusOperandRange = 4'd6;
  localparam logic [3:0] StatusOperandIncomplete = 4'd7;
  localparam logic [3:0] StatusLengthRange = 4'd8;
  localparam logic [3:0] StatusExponentRange = 4'd9;
  localparam logic [3:0] StatusConstantInconsistent = 4'd10;
  localparam logic [3:0] StatusUpset = 4'd11;
  localparam logic [3:0] StatusIntegrity = 4'd12;
  localparam logic [3:0] StatusIncoherent = 4'd13;

  // Why a transfer was rejected: the answer's data word, and bits 7:4 of the status word.
  localparam logic [3:0] BusErrorNone = 4'd0;
  localparam logic [3:0] BusErrorUnknownAddress = 4'd1;
  localparam logic [3:0] BusErrorUnknownCommand = 4'd2;
  localparam logic [3:0] BusErrorBusy = 4'd3;
  localparam logic [3:0] BusErrorStartWhileBusy = 4'd4;
  localparam logic [3:0] BusErrorNoResult = 4'd5;

  // Commands, written to AddressControl.
  localparam int CommandStart = 1;
  localparam int CommandStartRaw = 2;
  localparam int CommandClear = 3;
  localparam int CommandZeroise = 4;
  localparam int CommandStartBinary = 5;

  localparam int LengthWidth = 16;  // bits of the register Length

  // Operand address of the multiplier: written / read.
  localparam int AddressXP = 0;
  localparam int AddressYS = 1;
  localparam int AddressMC = 2;
  localparam int AddressControl = 3;
  localparam int MultiplierAddresses = 3;  // up to the highest operand
  // One bit for each address: it can be read in this status.
  localparam logic [2:0] MultiplierReadOk = 3'b111;
  localparam logic [2:0] MultiplierReadRaw = 3'b110;

  // 16 bits for each address: the number of bits that a write transfers.
  function automatic logic [47:0] multiplier_write_bits(input logic [15:0] width);
    multiplier_write_bits = {width, width, width};
  endfunction

  // 16 bits for each address: the number of bits that a read transfers.
  function automatic logic [47:0] multiplier_read_bits(input logic [15:0] width,
                                                       input logic [15:0] guard);
    multiplier_read_bits = {width + guard, width + guard, width};
  endfunction

  // Operand address of the exponentiation: written / read.
  localparam int ExponentiationAddressDataResult = 0;
  localparam int ExponentiationAddressExponent = 1;
  localparam int ExponentiationAddressModulus = 2;
  localparam int ExponentiationAddressControl = 3;
  localparam int ExponentiationAddressRSquared = 4;
  localparam int ExponentiationAddressMPrime = 5;
  localparam int ExponentiationAddressLength = 6;
  localparam int ExponentiationAddresses = 7;  // up to the highest operand
  // One bit for each address: it can be read in this status.
  localparam logic [6:0] ExponentiationReadOk = 7'b0000001;
  localparam logic [6:0] ExponentiationReadRaw = 7'b0000000;

  // 16 bits for each address: the number of bits that a write transfers.
  function automatic logic [111:0] exponentiation_write_bits(input logic [15:0] width,
                                                             input logic [15:0] m_prime_width);
    exponentiation_write_bits = {
      16'(LengthWidth), m_prime_width, width, 16'd0, width, width, width
    };
  endfunction

  // 16 bits for each address: the number of bits that a read transfers.
  function automatic logic [111:0] exponentiation_read_bits(input logic [15:0] width);
    exponentiation_read_bits = {16'd0, 16'd0, 16'd0, 16'd0, 16'd0, 16'd0, width};
  endfunction
  // End of the generated part.

  // Program: up to ProgramSteps steps, step 0 in the lowest bits.
  typedef enum logic [1:0] {
    StepEnd = 2'd0,
    StepAdd = 2'd1,
    StepRun = 2'd2
  } step_operation_e;

  typedef enum logic [1:0] {
    ReduceNone = 2'd0,  // plain sum
    ReduceOnce = 2'd1,  // sum < 2*M
    ReduceFull = 2'd2,  // sum < 2**(Width+3)
    ReduceOperand = 2'd3  // as ReduceOnce; in a raw operation as ReduceFull
  } step_reduction_e;

  typedef enum logic [3:0] {
    SourceZero = 4'd0,
    SourceX = 4'd1,
    SourceY = 4'd2,
    SourceM = 4'd3,
    SourceS = 4'd4,
    SourceC = 4'd5,
    SourcePower = 4'd6,  // 2**(Width+1)
    SourceValue = 4'd7,  // in no program: the value that the adder kept
    SourceConst0 = 4'd8,
    SourceConst1 = 4'd9,
    SourceConst2 = 4'd10,
    SourceConst3 = 4'd11,
    SourceConst4 = 4'd12,
    SourceConst5 = 4'd13
  } step_source_e;

  typedef enum logic [2:0] {
    ToConst0 = 3'd0,
    ToConst1 = 3'd1,
    ToConst2 = 3'd2,
    ToConst3 = 3'd3,
    ToConst4 = 3'd4,
    ToConst5 = 3'd5,
    ToResult = 3'd7
  } step_destination_e;

  typedef struct packed {
    step_operation_e operation;
    step_reduction_e reduction;
    logic per_modulus;  // skipped while its result still belongs to the loaded modulus
    logic [3:0] source_a;  // step_source_e
    logic [3:0] source_b;
    logic [2:0] destination;  // step_destination_e
  } step_t;

  localparam int StepBits = $bits(step_t);
  localparam int ProgramSteps = 8;
  localparam int ProgramBits = StepBits * ProgramSteps;
  localparam int ConstSlots = 6;
  localparam int Sources = 16;

  // Positions of a wide register that share one copy of a control bit. More copies shorten wires
  // and change no value; fewer copies simulate faster.
  localparam int SegmentWidth = `SEGMENT_WIDTH;
  // The same where an iteration waits for the bit: neighbouring positions of a word, and words.
  localparam int BlockWidth = (SegmentWidth + 15) / 16;
  localparam int BlockWords = (SegmentWidth + 15) / 16;
  // The same where an addition follows the copy: positions of a word.
  localparam int WordSegment = (SegmentWidth + 7) / 8;

  function automatic int common_divisor(input int a, input int b);
    int larger, smaller, rest;
    larger  = a;
    smaller = b;
    while (smaller != 0) begin
      rest    = larger % smaller;
      larger  = smaller;
      smaller = rest;
    end
    common_divisor = larger;
  endfunction

  function automatic step_t add_step(input step_reduction_e reduction, input step_source_e a,
                                     input step_source_e b, input step_destination_e destination);
    add_step.operation   = StepAdd;
    add_step.reduction   = reduction;
    add_step.per_modulus = 1'b0;
    add_step.source_a    = a;
    add_step.source_b    = b;
    add_step.destination = destination;
  endfunction

  function automatic step_t of_modulus(input step_t step);
    of_modulus             = step;
    of_modulus.per_modulus = 1'b1;
  endfunction

  // The core's loop, and the end of a program. (Icarus cannot call a function without arguments.)
  function automatic step_t bare_step(input step_operation_e operation);
    bare_step           = '0;
    bare_step.operation = operation;
  endfunction
  localparam logic [StepBits-1:0] RunStep = bare_step(StepRun);
  localparam logic [StepBits-1:0] EndStep = bare_step(StepEnd);

  // States of a core (Amanor 2005, figure 16).
  typedef enum logic [1:0] {
    StateStarting = 2'd0,
    StateRunning  = 2'd1,
    StateFinished = 2'd2
  } core_state_e;

  // States of the exponentiation's control.
  typedef enum logic [3:0] {
    ExpIdle = 4'd0,
    ExpPrepare = 4'd1,
    ExpSeed = 4'd2,
    ExpSquare = 4'd3,
    ExpCheckConstant = 4'd4,
    ExpEntry = 4'd5,
    ExpLoop = 4'd6,
    ExpExit = 4'd7,
    ExpEnd = 4'd8
  } exp_state_e;

  // Steps within a state of the exponentiation's control, the same for every core. "Words of the
  // ring" are words of WordWidth bits.
  typedef enum logic [3:0] {
    ExpStepNothing = 4'd0,
    ExpStepLoad = 4'd1,  // Data and M in words of the ring, Data < M?
    ExpStepCheck = 4'd2,  // a supplied R**2 < M?
    ExpStepJudge = 4'd3,
    ExpStepInverse = 4'd4,  // m' or u
    ExpStepTake = 4'd5,  // the supplied R**2
    ExpStepMeasure = 4'd6,  // find the shift of M for the doublings
    ExpStepAddress = 4'd7,
    ExpStepAlign = 4'd8,
    ExpStepDouble = 4'd9,
    ExpStepCopy = 4'd10,
    ExpStepProduct = 4'd11,
    ExpStepResult = 4'd12,  // in words of the bus
    // Cores with a scale
    ExpStepScale = 4'd13,  // u*M
    ExpStepMatch = 4'd14,  // compare Mhat with that of the host
    ExpStepSubtract = 4'd15
  } exp_step_e;

  // Elements of a systolic ring.
  localparam int ElementMwrkmm = 0;
  localparam int ElementMwr2mm = 1;
  localparam int ElementParallel = 2;  // quotient digit used at once
  localparam int ElementPipelined = 3;  // quotient digit used one element later

  // Widths of the observation ports: lookup-table addresses of a core, and the position in the core
  // at which a product starts.
  // A core that does several iterations per cycle shows one address for each.
  localparam int TablePositions = 4;
  localparam int TableAddressWidth = 4;
  localparam int TableAddrBits = TablePositions * TableAddressWidth;
  localparam int PositionWidth = 8;

  // Word streams (ring cores): the lowest word of an operand or result has number 0.
  localparam int WordIndexWidth = 13;

  // Products of a ring core.
  localparam logic [2:0] ProductSingle = 3'd0;  // operands below M
  localparam logic [2:0] ProductChain = 3'd1;  // operands may be results of chained products
  localparam logic [2:0] ProductShort = 3'd2;  // Single without the zero digits at the end
  localparam logic [2:0] ProductScale = 3'd3;  // X has as many digits as the scale
  localparam logic [2:0] ProductBinary = 3'd4;  // Single of polynomials over GF(2)

  // Inputs of a ring core.
  typedef struct packed {
    logic start;
    logic [2:0] kind;
  } stream_control_t;

  // Outputs of a ring core. ready: the next chained product may start in the next cycle.
  // next_digit: the core takes the digit on its input in this cycle.
  typedef struct packed {
    logic busy;
    logic ready;
    logic done;
    logic next_digit;
    logic valid;  // the core outputs a word of the result; index is its number
    logic [WordIndexWidth-1:0] index;
    logic [WordIndexWidth-1:0] feed_index;  // words of Y and M that the next cycle needs
    logic parity;  // of control registers that the other members do not show
  } stream_status_t;

  // Signals of a ring core for the test bench.
  typedef struct packed {
    logic [1:0] state;
    logic [TablePositions-1:0] table_valid;
    logic [TableAddrBits-1:0] table_addr;
    logic [PositionWidth-1:0] position;
    logic top_carry;
    // Of element 0: a digit begins; the digit came through the queue; the element reports a digit;
    // it adds word 0 (then one word per cycle); a carry goes into the word that it adds.
    logic digit_first;
    logic digit_queued;
    logic digit_report;
    logic carry_first;
    logic carry_valid;
    logic [PositionWidth-1:0] carry_word;  // its number, unless the core adds a word per cycle
    // Of the adder of a core that reduces each product: a word of the difference is not 0; a pass
    // has ended; it kept the difference; it was the last pass of a sum; this sum is a product.
    logic sum_nonzero;
    logic pass_done;
    logic subtracted;
    logic sum_done;
    logic result_done;
  } stream_observation_t;

  // Tag of a word of a stream: the word is valid, it is the last one, and its number.
  typedef struct packed {
    logic valid;
    logic last;
    logic [WordIndexWidth-1:0] index;
  } word_tag_t;

  // From the host side of the exponentiation: a start, and what the control needs to judge it.
  typedef struct packed {
    logic start;
    logic incomplete;  // an operand is partly written
    logic length_legal;  // 0 < Length <= Width
    logic exponent_legal;  // Exponent < 2**Length
    logic overwide;  // an operand has bits above its width
    logic [15:0] length;
    logic m_written;  // a word of M is written in this cycle; valid in every cycle
    logic supplied;  // R**2 was written since the preceding start
    logic m_prime_wrong;  // a constant that the host supplied is wrong
    logic [15:0] position;  // number of the present exponent bit
    logic withheld;  // the host reads a word of the result with a wrong parity bit
  } exp_request_t;

  // From the passes of the exponentiation to its control.
  typedef struct packed {
    // Of a pass of stream_adder
    logic done;  // one cycle; the next three are valid from then on
    logic negative;  // A + B < M
    logic above_one;  // M > 1
    logic one;  // the residue is 1
    // Of M, of the constants, of the coherence check
    logic odd;  // M is odd
    logic inverse_done;  // m' or u is known
    logic compared;  // one cycle: both products have been compared
    logic coherent;  // they agree
  } exp_outcome_t;

  // A pass of the exponentiation over words.
  typedef struct packed {
    logic [WordIndexWidth-1:0] read_index;  // word to read for the next cycle
    logic [WordIndexWidth-1:0] index;  // word of this cycle
    logic add_last;  // the adder takes its last word
    logic hold;  // all words are in the adder or compared, the outcome is pending
    logic last;  // the activity that the control requested has ended
    logic fault;  // a word that is used has a wrong parity bit
  } exp_pass_t;

  // The products of the exponentiation, besides stream_status_t.
  typedef struct packed {
    logic a_final;  // the product of A that leaves is the last one
    logic fault;    // a word that is used has a wrong parity bit
    logic apart;    // Coherent: the multipliers are not in step
  } exp_products_t;

  // The wipe of the memories after Zeroise and after a reset.
  typedef struct packed {
    logic runs;
    logic [WordIndexWidth-1:0] index;  // word that is wiped
  } exp_wipe_t;

  // Exponent bits.
  typedef struct packed {
    logic present;    // of the present step
    logic preceding;  // of the step before
  } exp_bits_t;

  // Control signals from the exponentiation's control to its datapath. exponentiation_control has
  // the table of states and signals.
  typedef struct packed {
    logic running;  // low while idle: holds the datapath in reset
    // Products
    logic start_a;  // a product of A begins in this cycle
    logic start_s;  // a product of S begins in this cycle
    logic product;  // products run; the adder takes the last product of A
    logic scale;  // the multiplier of A computes u*M; the adder takes its words above the scale
    logic entry;  // first products with Data, whose words are X of S
    logic bit_step;  // products of the loop: one exponent bit each
    logic final_product;  // the residue of the most recently started product of A is needed
    logic write_r;  // the most recently started product of S is R**2
    logic y_r;  // Y is R**2
    // Coherence check, products after the exit
    logic verify;  // X of A is the second accumulator
    logic y_residue;  // Y is the residue
    logic y_base;  // Y is Data
    logic y_one;  // Y is 1
    logic compare;  // the products of A and S that leave must agree
    logic discard_s;  // the product of S is discarded
    // Constants
    logic inverse_start;  // one cycle: compute m' or u
    logic constant;  // compute u for 1, not for V
    // Exponent
    logic rewind;  // the next bit is bit 0
    // Passes over words
    logic load;  // Data and M from the host, and Data - M
    logic check;  // R**2 of the host - M
    logic take;  // R**2 of the host becomes R**2
    logic match;  // Mhat of the host is compared with Mhat
    logic address;  // word 0 of the shifted M is read
    logic align;  // the shifted M becomes S
    logic doubling;  // residue + residue
    logic first_doubling;  // 2**(Width-1) instead of the residue
    logic copy;  // the residue becomes S
    logic subtract;  // residue - M
    logic deliver;  // the residue becomes Result
  } exp_control_t;

  // Within these cycles an exponentiation makes progress: an upper bound of the cycles of a
  // product, of a pass and of a constant, for every core, even with one digit a bit. An
  // interleaved core divides after the product: two passes over the words for each bit.
  function automatic int stall_cycles(input int width, input int words, input int radix_bits,
                                      input int elements, input int latency);
    stall_cycles = (((radix_bits > width) ? radix_bits : width) + elements + 4) *
        (words + latency + 6) * ((radix_bits == 0) ? 2 : 1);
  endfunction

  // Limits of operation_watchdog for a multiplier with a ring core and for one with a core of
  // parallel operands: more cycles than the longest operation, and less than twice as many.
  // digits: with the zero digit. A core of units (unit_width > 1) has no ring: it takes all words
  // for each digit.
  function automatic int ring_limit(input int result_bits, input int bus_width, input int words,
                                    input int digits, input int constant_bits, input bit scaled,
                                    input int elements, input int latency, input int unit_width);
    int queue, product;
    queue   = (words > latency * elements) ? words - latency * elements : 0;
    product = words + digits * ((latency > 2) ? latency : 2) + queue * (digits / elements + 1);
    if (unit_width > 1) product = words + digits * (2 * words + 3);
    if (scaled) product = 2 * product + 6 * words + 5 * latency + constant_bits + 2;
    ring_limit = product + constant_bits + 2 * (result_bits / bus_width + words) + 14;
  endfunction
  function automatic int parallel_limit(input int width, input int words, input int value_width,
                                        input int unfolding, input bit full_reduction);
    parallel_limit = (2 + (full_reduction ? 5 * value_width + 4 : 0)) * (words + 2) +
        width / unfolding + 6;
  endfunction

  // R**2 = 2**(2*r) of an exponentiation, r = radix_bits, comes in three phases. Doublings reach
  // 2**(r + above); if operands may be longer than M, a shift by whole words replaces the last.
  // Squarings then reach 2**(r + above * 2**squarings); a product with 2**missing completes it.
  function automatic int seed_squarings(input int width, input int scale_bits);
    int width_log;
    width_log = $clog2(width + 1) - 1;
    seed_squarings = (scale_bits > 0) ? 6 : 7;
    if (width_log < seed_squarings) seed_squarings = width_log;
  endfunction
  function automatic int seed_above(input int width, input int radix_bits, input int scale_bits);
    int squarings;
    squarings  = seed_squarings(width, scale_bits);
    seed_above = (2 * radix_bits - width + (1 << squarings) - 1) >> squarings;
    if (radix_bits == 0) seed_above = 0;
  endfunction
  function automatic int seed_missing(input int width, input int radix_bits, input int scale_bits);
    seed_missing = 2 * radix_bits -
        (seed_above(width, radix_bits, scale_bits) << seed_squarings(width, scale_bits));
  endfunction
  function automatic int seed_doublings(input int width, input int radix_bits, input int scale_bits,
                                        input int word_width);
    seed_doublings = (radix_bits > 0) ? radix_bits + seed_above(width, radix_bits, scale_bits) -
        (scale_bits / word_width) * word_width - (width - 1) : 0;
  endfunction

  // Cycles from a word of M to the same word of the shifted M.
  localparam logic [WordIndexWidth-1:0] AlignCycles = WordIndexWidth'(2);

  // ---------------------------- Cores with parallel operands (bit-serial cores), see parallel_unit
  // To the core.
  typedef struct packed {
    logic start;   // the loop begins; S and C are 0
    logic unload;  // in the next cycle S and C shift down by a word, with zeros from the top
  } parallel_control_t;

  // From the core, in every cycle.
  typedef struct packed {
    logic busy;  // from the cycle after the start to done
    logic done;  // one cycle: S and C are the product
    logic next;  // the core takes the bits of X on its input in this cycle
  } parallel_status_t;

  // Core description: constants.
  typedef struct packed {
    logic [ProgramBits-1:0] steps;  // program: sums before and after the loop
    logic [15:0] radix_bits;  // R = 2**radix_bits; 0 outside the Montgomery domain
    logic [2:0] slots;  // number of constants
    logic full_reduction;  // a step may reduce any sum, not only a sum below 2*M
    logic [2:0] x_bits;  // bits of X that the core takes per cycle: 1 to TablePositions
    logic x_downwards;  // the core takes X from the highest bit on, else from the lowest
  } parallel_description_t;

  // For the test bench.
  typedef struct packed {
    logic [TablePositions-1:0] table_valid;
    logic [TableAddrBits-1:0] table_addr;
    logic [1:0] state;
  } parallel_view_t;

  // Signals of a unit with a ring core; digits and carries as in stream_observation_t.
  typedef struct packed {
    logic digit_first;
    logic digit_queued;
    logic digit_report;
    logic carry_first;
    logic again;  // every pass of a sum subtracts M itself
  } ring_view_t;

  // Signals of a multiplier for the test bench, the same for every unit.
  typedef struct packed {
    logic [2:0] state;  // state of the control
    logic core_start;
    logic core_ready;
    logic core_done;
    logic core_busy;
    logic [1:0] core_state;
    logic [TablePositions-1:0] table_valid;
    logic [TableAddrBits-1:0] table_addr;
    logic carry_valid;  // a carry goes into word carry_word (in a ring: counted from carry_first)
    logic [PositionWidth-1:0] carry_word;
    // Of the adder: a pass has ended; it kept the difference; it was the last pass of a sum.
    logic pass_done;
    logic subtracted;
    logic sum_done;
    logic result_done;  // the sum that has ended is the result
    ring_view_t ring;  // 0 in other units
  } multiplier_view_t;

endpackage
