"""Proofs about cores: protocol, product, and each step of the algorithm."""

from __future__ import annotations

from models.architecture import Architecture
from models.constant import Reduction
from models.registry import hardware_architectures
from models.timing import DEFAULT_ADD_WIDTH
from verif.bench.configuration.design import SEGMENT
from verif.formal.proof import Injected, Mode, Proof, Settings
from verif.library.edits.operators import Replace, Swap

# Additional files of the proofs about a product in a unit.
PRODUCT_UNIT = ("formal/product_unit.sv", "bench/coverage/ring_address_observer.sv")


def core_proofs() -> tuple[Proof, ...]:
    """Return the proofs in the order of the list."""
    entries = hardware_architectures()
    bit_serial = tuple(name for name, entry in entries.items() if not entry.streams)
    word_streams = tuple(name for name, entry in entries.items() if entry.streams)
    montgomery = ("fast_montgomery", "faster_montgomery", "mm42")
    unfolded = tuple(f"unfolded_{name}" for name in montgomery)
    return (
        Proof(
            name="core_protocol",
            says="ready and done come exactly when the registry entry says, busy up to done",
            source="",
            module="core_protocol",
            mode=Mode.PROVE,
            settings=_core_protocol,
            architectures=bit_serial,
            widths=(8,),
            core=_segments(bit_serial, 4),
            injected=(
                Injected(
                    Replace(
                        module="bit_serial_control",
                        parameter="LastCount",
                        to="CountWidth'(Iterations - 2)",
                    ),
                    "fast_montgomery",
                ),
                Injected(
                    Replace(module="mm42", port="u_iterations.Early", to="1'b0"),
                    "mm42",
                ),
                Injected(
                    Replace(module="bit_serial_iterations", port="u_moves.bit_i", to="next_o"),
                    "faster_montgomery",
                ),
            ),
            uses=("formal/flat_core.sv",),
        ),
        Proof(
            name="ring_protocol",
            says="as core_protocol, for a ring core: in every run as long as two products",
            source="",
            module="ring_protocol",
            mode=Mode.BMC,
            settings=_ring_protocol,
            architectures=word_streams,
            widths=(8,),
            injected=(
                Injected(
                    Replace(module="systolic_ring", signal="done_q", to="1'b0"),
                    "mwrkmm",
                ),
                Injected(
                    Replace(
                        module="systolic_ring",
                        signal="digit_q",
                        at="if start_i",
                        to="(state_q == StateStarting) ? digit_q + 1'b1 : digit_q",
                    ),
                    "mwr2mm",
                ),
                Injected(
                    Swap(module="dual_radix", signal="ends", operator="==", to=">"),
                    "dual_radix",
                ),
            ),
        ),
        Proof(
            name="unit_product",
            says="status and result of every operand triple: P < M, P*R = X*Y (mod M)",
            source="",
            module="unit_product",
            uses=PRODUCT_UNIT,
            mode=Mode.BMC,
            settings=_unit_product,
            architectures=tuple(entries),
            widths=(4,),
            injected=(
                Injected(
                    Replace(
                        module="word_stream_adder",
                        signal="kept",
                        term="borrow_q",
                        to="1'b1",
                    ),
                    "fast_montgomery",
                ),
                Injected(
                    Replace(module="mm42_iteration", signal="v2", term="d2_i", to="'0"),
                    "mm42",
                ),
                Injected(
                    Replace(module="dual_radix", signal="top_q", at="if store_m", to="'0"),
                    "dual_radix",
                ),
                Injected(
                    Replace(module="mwr2mm_element", signal="sum", term="carry_q", to="@[0]"),
                    "mwr2mm",
                ),
            ),
        ),
        Proof(
            name="montgomery_step",
            says="S' + C' = (S + C + x_i*Y + q*M)/2 exactly, x_i in turn the bits of X; S+C < Y+M",
            source="Amanor 2005, Algorithms 1b and 3; Gajbhiye & Joshi 2018, figure 3",
            module="montgomery_step",
            mode=Mode.PROVE,
            settings=_montgomery_step,
            architectures=montgomery,
            widths=(8, 32),
            core=_segments(montgomery, 8),
            uses=("formal/flat_core.sv",),
            injected=(
                Injected(
                    Replace(
                        module="faster_montgomery_table",
                        signal="entry_o",
                        to="(addr_i == 4'b0011) ? 2'b10 : @",
                    ),
                    "faster_montgomery",
                    depth=6,
                ),
                Injected(
                    Replace(
                        module="bit_serial_iterations",
                        parameter="Positions",
                        to="(Width - i <= SegmentWidth) ? Width - i - 1 : SegmentWidth",
                    ),
                    "faster_montgomery",
                    depth=6,
                ),
                Injected(
                    Replace(module="fast_montgomery", signal="odd", term="y_i", to="y_i[1]"),
                    "fast_montgomery",
                    depth=6,
                ),
                Injected(
                    Replace(module="mm42_iteration", signal="v2", term="d2_i", to="'0"),
                    "mm42",
                    depth=6,
                ),
            ),
        ),
        Proof(
            name="unfolded_step",
            says="as montgomery_step, iteration by iteration of a cycle",
            source="Gajbhiye & Joshi 2018, figures 4 to 8",
            module="montgomery_step",
            mode=Mode.PROVE,
            settings=_montgomery_step,
            architectures=unfolded,
            widths=(8, 13),
            core=_segments(unfolded, 4),
            uses=("formal/flat_core.sv",),
            injected=(
                Injected(
                    Replace(
                        module="bit_serial_iterations",
                        signal="iterated_s",
                        to="s_i[(Unfolding-1)*Width+:Width]",
                    ),
                    "unfolded_fast_montgomery",
                    depth=6,
                    width=5,
                ),
            ),
        ),
        Proof(
            name="mwr2mm_element_words",
            says="an element of MWR2MM has the lemmas of the theorem about rings",
            source="Tenca & Koc, as Algorithm 1 of Michalski & Buell",
            module="mwr2mm_element_words",
            mode=Mode.PROVE,
            settings=_element_words,
            architectures=(),
            widths=(8, 16, 32, 64),
            injected=(
                Injected(
                    Replace(module="mwr2mm_element", signal="sum", term="carry_q", to="@[0]"),
                    depth=8,
                ),
                Injected(
                    Replace(
                        module="mwr2mm_element", signal="from_above", term="carry_q", to="1'b0"
                    ),
                    depth=8,
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
            core=_segments(("optimized_interleaved",), 32),
            uses=("formal/flat_core.sv",),
            injected=(
                Injected(
                    Replace(
                        module="optimized_interleaved_table",
                        signal="value_o",
                        term="entry_5",
                        to="entry_4",
                    ),
                    "optimized_interleaved",
                    depth=10,
                ),
                Injected(
                    Swap(module="optimized_interleaved", signal="next_k_1", operator="^", to="|"),
                    "optimized_interleaved",
                    depth=10,
                ),
            ),
        ),
    )


def _segments(names: tuple[str, ...], positions: int) -> dict[str, dict[str, int]]:
    """Return settings with copied registers, as wide operands have, also at a proof's widths."""
    return {name: {SEGMENT: positions} for name in names}


def _core_protocol(entry: Architecture, width: int) -> Settings:
    done = entry.timing.done_cycles(width)
    return Settings(done + 3, {"DoneCycles": done})


def _ring_protocol(entry: Architecture, width: int) -> Settings:
    ready, done = entry.timing.loop_cycles(width), entry.timing.done_cycles(width)
    streams = entry.streams.parameters(width)
    parameters = {name: streams[name] for name in ("WordWidth", "DigitWidth")}
    return Settings(2 * (done + 3), {**parameters, "ReadyCycles": ready, "DoneCycles": done})


def _unit_product(entry: Architecture, width: int) -> Settings:
    # A full reduction takes longer with a shorter modulus.
    full = entry.final_reduction is Reduction.FULL and not entry.streams
    bus_width, add_width = 3, 4
    cycles = operation_cycles(entry, width, bus_width, add_width)
    parameters = {
        "BusWidth": bus_width,
        "AddWidth": add_width,
        "MaxCycles": cycles,
        "RadixBits": entry.model.radix(width).bit_length() - 1,
        "BinaryRadixBits": entry.binary.radix_bits(width) if entry.binary else 0,
        "OddModulusOnly": int(entry.montgomery),
        "FullLength": int(full),
    }
    return Settings(cycles + 4, parameters)


def operation_cycles(
    entry: Architecture, width: int, bus_width: int, add_width: int = DEFAULT_ADD_WIDTH
) -> int:
    """Return the cycles of the longest operation with a full-length modulus, transfers included."""
    longest = (1 << width) - 1
    fields = {False, entry.binary is not None}
    cycles = max(
        entry.timing.operation_cycles(
            longest, width, binary=binary, add_width=add_width, bus_width=bus_width
        )
        for binary in fields
    )
    # X, Y, M, the start, and P.
    return cycles + 4 * -(-width // bus_width) + 3


def _montgomery_step(entry: Architecture, width: int) -> Settings:
    compressors = entry.module == "mm42"
    parameters = {
        "TableAdded": int(compressors or bool(entry.constants)),
        "MoreBits": entry.model.guard_bits(width) if compressors else 0,
        "Early": int(compressors or entry.timing.iterations_per_cycle(width) > 1),
    }
    return Settings(2, parameters)


def _element_words(entry: Architecture | None, width: int) -> Settings:
    """The width is that of a word."""
    return Settings(2, {"WordWidth": width})
