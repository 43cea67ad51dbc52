"""Every proof, by name."""

from __future__ import annotations

from models.architecture import Architecture, Reduction
from models.registry import hardware_architectures
from verif.design import EXPONENTIATION
from verif.formal.proof import Edit, Mode, Proof, Settings


def proofs() -> dict[str, Proof]:
    """All proofs by name, in the order in which they are listed."""
    entries = hardware_architectures()
    every = tuple(entries)
    # A full reduction makes an operation too long for a search of every run.
    short = tuple(n for n, e in entries.items() if e.final_reduction is not Reduction.FULL)
    bit_serial = tuple(name for name, entry in entries.items() if not entry.word_serial)
    word_serial = tuple(name for name, entry in entries.items() if entry.word_serial)
    found = (
        Proof(
            name="core_protocol",
            says="ready and done come exactly when the registry entry says, busy up to done",
            source="",
            module="core_protocol",
            mode=Mode.PROVE,
            settings=_core_protocol,
            architectures=bit_serial,
            widths=(8,),
            planted=(
                Edit(
                    "common/bit_serial_control.sv",
                    "CountWidth'(Iterations - 1)",
                    "CountWidth'(Iterations - 2)",
                    "fast_montgomery",
                ),
                Edit(
                    "multipliers/mm42.sv",
                    "if (last) running_q <= 1'b0;",
                    "if (last && !keep_q) running_q <= 1'b0;",
                    "mm42",
                ),
                Edit(
                    "multipliers/dual_radix.sv",
                    "if (digit_q == last_digit) state_q",
                    "if (digit_q > last_digit) state_q",
                    "dual_radix",
                ),
            ),
        ),
        Proof(
            name="ring_protocol",
            says="as core_protocol, for a word-serial core: in every run as long as two products",
            source="",
            module="core_protocol",
            mode=Mode.BMC,
            settings=_ring_protocol,
            architectures=word_serial,
            widths=(8,),
            planted=(
                Edit(
                    "common/systolic_ring.sv",
                    "done_q <= delivering && result_last;",
                    "done_q <= delivering && result_last && !result_keep;",
                    "mwrkmm",
                ),
                Edit(
                    "common/systolic_ring.sv",
                    "digit_q <= DigitIndexWidth'(1);",
                    "if (state_q == StateStarting) digit_q <= digit_q + 1'b1;",
                    "mwr2mm",
                ),
            ),
        ),
        Proof(
            name="unit_product",
            says="status and result of every operand triple: P < M, P*R = X*Y (mod M)",
            source="",
            module="unit_product",
            mode=Mode.BMC,
            settings=_unit_product,
            architectures=every,
            widths=(4,),
            planted=(
                Edit(
                    "common/word_serial_modular_adder.sv",
                    "if (reduce_q && !borrow_q) begin",
                    "if (reduce_q && !borrow_q && !zero_q) begin",
                    "fast_montgomery",
                ),
                Edit(
                    "multipliers/mm42.sv",
                    "assign v2 = x ? (q ? d2 : y2) : '0;",
                    "assign v2 = x ? y2 : '0;",
                    "mm42",
                ),
                Edit(
                    "multipliers/dual_radix.sv",
                    "top_q <= top_sum[UnitWidth];",
                    "top_q <= 1'b0;",
                    "dual_radix",
                ),
                Edit(
                    "multipliers/mwr2mm_element.sv",
                    "(first_i ? '0 : SumWidth'(carry_q))",
                    "(first_i ? '0 : SumWidth'(carry_q[0]))",
                    "mwr2mm",
                ),
            ),
        ),
        Proof(
            name="montgomery_step",
            says="S' + C' = (S + C + x_i*Y + q*M)/2 exactly, x_i in turn the bits of X; S+C < Y+M",
            source="Amanor 2005, Algorithms 1b and 3",
            module="montgomery_step",
            mode=Mode.PROVE,
            settings=_montgomery_step,
            architectures=(
                "fast_montgomery",
                "faster_montgomery",
            ),
            widths=(8, 32),
            planted=(
                Edit(
                    "multipliers/faster_montgomery_table.sv",
                    "4'b0011: value_o = '0;",
                    "4'b0011: value_o = {1'b0, y_i};",
                    "faster_montgomery",
                    depth=6,
                ),
                Edit(
                    "multipliers/fast_montgomery.sv",
                    "sum_y[0] ? {1'b0, m_i} : '0",
                    "sum_y[1] ? {1'b0, m_i} : '0",
                    "fast_montgomery",
                    depth=6,
                ),
            ),
        ),
        Proof(
            name="unfolded_step",
            says="as montgomery_step, iteration by iteration of a clock",
            source="Gajbhiye & Joshi 2018, figures 4 to 7",
            module="montgomery_step",
            mode=Mode.PROVE,
            settings=_montgomery_step,
            architectures=("unfolded_fast_montgomery", "unfolded_faster_montgomery"),
            widths=(8, 13),
            planted=(
                Edit(
                    "common/bit_serial_iterations.sv",
                    "x_q <= x >> Unfolding;",
                    "x_q <= x >> 1;",
                    "unfolded_fast_montgomery",
                    depth=6,
                ),
            ),
        ),
        Proof(
            name="mm42_step",
            says="S1' + S2' = (S1 + S2 + x*Y + q*M)/2 exactly, x the low bit of what is left of X",
            source="Gajbhiye & Joshi 2018, figures 3 and 8",
            module="mm42_step",
            mode=Mode.PROVE,
            settings=lambda entry, width: Settings(2),
            architectures=("mm42",),
            widths=(8, 13),
            planted=(
                Edit(
                    "multipliers/mm42.sv",
                    "assign q = s1[i*Bits] ^ s2[i*Bits] ^",
                    "assign q = s1[i*Bits] ^",
                    "mm42",
                    depth=8,
                ),
                Edit(
                    "multipliers/mm42.sv",
                    "(x1[i] & x2[i]) | (x1[i] & x_carry[i]) | (x2[i] & x_carry[i])",
                    "(x1[i] & x2[i])",
                    "mm42",
                    depth=8,
                ),
            ),
        ),
        Proof(
            name="unfolded_mm42_step",
            says="as mm42_step, iteration by iteration of a clock",
            source="Gajbhiye & Joshi 2018, figure 8",
            module="mm42_step",
            mode=Mode.PROVE,
            settings=lambda entry, width: Settings(2),
            architectures=("unfolded_mm42",),
            widths=(5,),
            planted=(
                Edit(
                    "multipliers/mm42.sv",
                    "x_carry_q <= x_carry[Unfolding];",
                    "x_carry_q <= x_carry[Unfolding-1];",
                    "unfolded_mm42",
                    depth=6,
                ),
            ),
        ),
        Proof(
            name="mwr2mm_element_step",
            says="an element's words: S' = (S + x*Y + q*M)/2, whatever passed before",
            source="Tenca & Koc, as Algorithm 1 of Michalski & Buell",
            module="mwr2mm_element_step",
            mode=Mode.BMC,
            settings=_element_step,
            architectures=(),
            widths=(12, 32),
            planted=(
                Edit(
                    "multipliers/mwr2mm_element.sv",
                    "(first_i ? '0 : SumWidth'(carry_q))",
                    "(first_i ? '0 : SumWidth'(carry_q[0]))",
                ),
                Edit(
                    "multipliers/mwr2mm_element.sv",
                    "last_q[0] ? carry_q[0] : sum[0]",
                    "last_q[0] ? 1'b0 : sum[0]",
                ),
            ),
        ),
        Proof(
            name="interleaved_step",
            says="S' + C' + k*2**(n+1) = 2(S + C) + Table(2k + x_i) and k <= 3, x_i the bits of X",
            source="Amanor 2005, Algorithm 5",
            module="interleaved_step",
            mode=Mode.PROVE,
            settings=lambda entry, width: Settings(2),
            architectures=("optimized_interleaved",),
            widths=(8, 32, 64),
            planted=(
                Edit(
                    "multipliers/optimized_interleaved_table.sv",
                    "3'd5: value_o = entry_5;",
                    "3'd5: value_o = entry_4;",
                    "optimized_interleaved",
                    depth=10,
                ),
                Edit(
                    "multipliers/optimized_interleaved.sv",
                    "s_q[Width] ^ c_q[Width]",
                    "s_q[Width] | c_q[Width]",
                    "optimized_interleaved",
                    depth=10,
                ),
            ),
        ),
        Proof(
            name="modular_adder",
            says="value, flags and clocks of every reduction for every A, B, M",
            source="",
            module="modular_adder",
            mode=Mode.BMC,
            settings=_modular_adder,
            architectures=(),
            widths=(4,),
            planted=(
                Edit(
                    "common/word_serial_modular_adder.sv",
                    "carry_q <= sum_word[AddWidth];",
                    "carry_q <= 1'b0;",
                ),
                Edit(
                    "common/word_serial_modular_adder.sv",
                    "if (full_q && (shift_q != '0)) begin",
                    "if (full_q && (shift_q > ShiftWidth'(1))) begin",
                ),
            ),
        ),
        Proof(
            name="control_progress",
            says="a multiplier's control ends every start in bounded time, for any program",
            source="",
            module="control_progress",
            mode=Mode.PROVE,
            settings=lambda entry, width: Settings(3),
            architectures=(),
            widths=(8,),
            planted=(
                Edit(
                    "common/multiplier_control.sv",
                    "if (halvings_q == '0) begin",
                    "if (halvings_q == 8'd255) begin",
                    depth=12,
                ),
                Edit(
                    "common/multiplier_control.sv",
                    "if (core_ready_i) state_d = StIdle;",
                    "if (core_ready_i && core_done_i) state_d = StIdle;",
                    depth=10,
                ),
            ),
        ),
        Proof(
            name="loader_protocol",
            says="no word lost, doubled or reordered, acknowledge bounded, refusals change nothing",
            source="",
            module="loader_protocol",
            mode=Mode.PROVE,
            settings=lambda entry, width: Settings(3),
            architectures=(),
            widths=(12,),
            planted=(
                Edit(
                    "bus/operand_loader.sv",
                    "assign accept = req_i && !ack_q && !wait_i;",
                    "assign accept = req_i && !wait_i;",
                    depth=8,
                ),
                Edit(
                    "bus/operand_loader.sv",
                    "if (full[sel_i]) refusal = BusErrorUnknownAddress;",
                    "if (full[sel_i]) refusal = BusErrorNone;",
                    depth=14,
                ),
                Edit(
                    "bus/operand_loader.sv",
                    "end else if (start || clear || zeroise) begin",
                    "end else if (start || zeroise) begin",
                    depth=10,
                ),
            ),
        ),
        Proof(
            name="exponentiation_progress",
            says="an exponentiation's control ends, and does the same for any exponent bits",
            source="",
            module="exponentiation_progress",
            mode=Mode.PROVE,
            settings=lambda entry, width: Settings(3),
            architectures=(),
            widths=(32,),
            planted=(
                Edit(
                    "rsa/exponentiation_control.sv",
                    "if (index_next == length_q) state_d",
                    "if (index_next == length_i) state_d",
                    depth=24,
                ),
                Edit(
                    "rsa/exponentiation_control.sv",
                    "assign start_a_o = issue_q &&",
                    "assign start_a_o = issue_q && (bit_i || (state_q != PowerLoop)) &&",
                    depth=24,
                ),
            ),
        ),
        Proof(
            name="exponent_secrecy",
            says="whatever the exponent: the same answers in every clock, same data but the result",
            source="",
            module="exponent_secrecy",
            mode=Mode.PROVE,
            settings=lambda entry, width: Settings(2, {"BusWidth": 8, "AddWidth": 8}),
            architectures=("fast_montgomery",),
            widths=(8,),
            planted=(
                Edit(
                    "rsa/exponentiation.sv",
                    "length_set_q ? length_operand : LengthWidth'(Width)",
                    "length_set_q ? length_operand : LengthWidth'(exponent)",
                    "fast_montgomery",
                    depth=14,
                ),
                Edit(
                    "rsa/exponentiation.sv",
                    ".incomplete_i(|partial)",
                    ".incomplete_i((|partial) || exponent[0])",
                    "fast_montgomery",
                    depth=14,
                ),
            ),
            design=EXPONENTIATION,
        ),
        Proof(
            name="control_states",
            says="every state of a multiplier's control and every status is reached by some run",
            source="",
            module="control_progress",
            mode=Mode.COVER,
            settings=lambda entry, width: Settings(24),
            architectures=(),
            widths=(8,),
            planted=(
                Edit(
                    "common/multiplier_control.sv",
                    "(!m_odd_i && odd_modulus_only_i)",
                    "(!m_odd_i && !m_odd_i && m_odd_i)",
                ),
            ),
        ),
        Proof(
            name="exponentiation_states",
            says="every state of the exponentiation's control is reached by some run",
            source="",
            module="exponentiation_progress",
            mode=Mode.COVER,
            settings=lambda entry, width: Settings(32),
            architectures=(),
            widths=(32,),
            planted=(
                Edit(
                    "rsa/exponentiation_control.sv",
                    "state_d = (squarings != '0) ? PowerSquare :",
                    "state_d =",
                ),
            ),
        ),
        Proof(
            name="unit_states",
            says="every core state, table address and outcome is reached by some operation",
            source="",
            module="unit_states",
            mode=Mode.COVER,
            settings=_unit_states,
            architectures=short,
            widths=(5,),
            planted=(
                Edit(
                    "common/multiplier_control.sv",
                    "outcome_d = StatusRaw;",
                    "outcome_d = StatusOk;",
                    "fast_montgomery",
                ),
            ),
        ),
    )
    return {proof.name: proof for proof in found}


def _core_protocol(entry: Architecture, width: int) -> Settings:
    done = entry.done_clocks(width)
    binary = entry.binary_loop_clocks(width) if entry.binary else done
    clocks = {
        "ReadyClocks": entry.loop_clocks(width),
        "DoneClocks": done,
        "BinaryClocks": binary,
    }
    return Settings(max(done, binary) + 3, clocks)


def _ring_protocol(entry: Architecture, width: int) -> Settings:
    single = _core_protocol(entry, width)
    return Settings(2 * single.depth, single.parameters)


def _unit_product(entry: Architecture, width: int) -> Settings:
    # A full reduction takes longer the shorter the modulus is.
    full = entry.final_reduction is Reduction.FULL
    clocks = _operation_clocks(entry, width)
    parameters = {
        "MaxClocks": clocks,
        "RadixBits": entry.radix(width).bit_length() - 1,
        "BinaryRadixBits": entry.binary_radix_bits(width),
        "OddModulusOnly": int(entry.montgomery),
        "FullLength": int(full),
    }
    return Settings(clocks + 4, parameters)


def _modular_adder(entry: Architecture | None, width: int) -> Settings:
    add_width, guard = 4, 2
    words = (width + guard + add_width) // add_width
    passes = width + guard + 1
    clocks = passes + passes * (words + 1) + 1
    return Settings(clocks + 4, {"AddWidth": add_width, "Guard": guard, "MaxClocks": clocks})


def _unit_states(entry: Architecture, width: int) -> Settings:
    reachable = entry.reachable_addresses(width) | entry.binary_addresses(width)
    parameters = {
        "Addresses": 1 << entry.table_address_bits,
        "Reachable": sum(1 << address for address in reachable),
    }
    return Settings(_operation_clocks(entry, width) + 6, parameters)


def _operation_clocks(entry: Architecture, width: int) -> int:
    """Clocks of the longest operation with a modulus of full length."""
    longest = (1 << width) - 1
    fields = {False, entry.binary}
    return max(entry.operation_clocks(longest, width, binary=binary) for binary in fields)


def _montgomery_step(entry: Architecture, width: int) -> Settings:
    return Settings(2, {"TableAdded": len(entry.constants)})


def _element_step(entry: Architecture | None, width: int) -> Settings:
    word_width = 4
    return Settings(width // word_width + 4, {"WordWidth": word_width})
