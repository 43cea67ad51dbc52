"""Proofs about control: it ends, reaches every state, and does not reveal the exponent."""

from __future__ import annotations

from collections.abc import Callable

from models.architecture import Architecture
from models.constant import Reduction
from models.registry import hardware_architectures
from verif.bench.configuration.design import EXPONENTIATION
from verif.formal.core_proofs import PRODUCT_UNIT, operation_cycles
from verif.formal.proof import Injected, Mode, Proof, Settings
from verif.library.edits.operators import Drop, Replace


def control_proofs() -> tuple[Proof, ...]:
    """Return the proofs in the order of the list."""
    entries = hardware_architectures()
    # A full reduction makes an operation too long for a search of all runs.
    short = tuple(n for n, e in entries.items() if e.final_reduction is not Reduction.FULL)
    return (
        Proof(
            name="parallel_progress",
            says="the control in front of parallel operands ends every start in bounded time",
            source="",
            module="parallel_progress",
            mode=Mode.PROVE,
            settings=lambda entry, width: Settings(3),
            architectures=(),
            widths=(8,),
            injected=(
                Injected(
                    Replace(
                        module="parallel_control", signal="waiting_d", at="StAdd", to="!result"
                    ),
                    depth=20,
                ),
                Injected(
                    Replace(
                        module="parallel_control",
                        signal="outcome_d",
                        reading="StatusRaw",
                        to="StatusOk",
                    ),
                    depth=20,
                ),
            ),
        ),
        Proof(
            name="parallel_states",
            says="every state of the control with parallel operands, and every status, is reached",
            source="",
            module="parallel_progress",
            mode=Mode.COVER,
            settings=lambda entry, width: Settings(24),
            architectures=(),
            widths=(8,),
            injected=(
                Injected(
                    Replace(
                        module="parallel_control",
                        guard="outcome_d",
                        at="StLoad",
                        reading="odd_modulus_only_i",
                        to="@ && odd_i",
                    )
                ),
            ),
        ),
        Proof(
            name="loader_protocol",
            says="no word lost, doubled, reordered, acknowledge bounded, rejections change nothing",
            source="",
            module="loader_protocol",
            mode=Mode.PROVE,
            settings=lambda entry, width: Settings(3),
            architectures=(),
            widths=(12,),
            injected=(
                Injected(Drop(module="operand_loader", signal="accept", term="ack_q"), depth=8),
                Injected(
                    Replace(
                        module="operand_loader", signal="rejection", at="if full", to="BusErrorNone"
                    ),
                    depth=14,
                ),
                Injected(
                    Drop(
                        module="operand_loader",
                        guard="pointer_q",
                        at="gen_result",
                        reading="restart",
                        term="clear",
                    ),
                    depth=10,
                ),
                # The rejection while busy is coded a second time where the words are fetched.
                Injected(Drop(module="operand_loader", signal="fetch", term="busy_i"), depth=10),
            ),
        ),
        Proof(
            name="exponentiation_progress",
            says="an exponentiation's control ends every start in bounded time",
            source="",
            module="exponentiation_progress",
            mode=Mode.PROVE,
            settings=_exponentiation_control(3),
            architectures=("optimized_interleaved", "mwrkmm"),
            widths=(32,),
            injected=(
                Injected(
                    Replace(
                        module="exponentiation_control",
                        guard="state_d",
                        at="ExpLoop",
                        reading="index_next",
                        term="length_q",
                        to="request_i.length",
                    ),
                    "mwrkmm",
                    depth=36,
                ),
                Injected(
                    Replace(module="exponentiation_control", signal="residue", to="1'b0"),
                    "mwrkmm",
                    depth=36,
                ),
            ),
        ),
        Proof(
            name="exponentiation_ladder",
            says="the control starts the products of the theorem about exponentiations, in order",
            source="",
            module="exponentiation_ladder",
            mode=Mode.PROVE,
            settings=lambda entry, width: Settings(2),
            architectures=(
                "fast_montgomery",
                "optimized_interleaved",
                "quotient_pipelined",
                "mwrkmm",
            ),
            widths=(1024, 2048),
            injected=(
                Injected(
                    Replace(
                        module="exponentiation_control",
                        guard="state_d",
                        at="ExpLoop",
                        reading="index_next",
                        term="length_q",
                        to="(length_q - 1'b1)",
                    ),
                    "optimized_interleaved",
                    depth=12,
                ),
                Injected(
                    Replace(
                        module="exponentiation_control",
                        signal="start_s_d",
                        to="issue_d && ((state_d == ExpSquare) || (state_d == ExpEntry))",
                    ),
                    "optimized_interleaved",
                    depth=12,
                ),
            ),
            design=EXPONENTIATION,
        ),
        Proof(
            name="exponent_secrecy",
            says="whatever the exponent: the same answers in every cycle, same data but the result",
            source="",
            module="exponent_secrecy",
            mode=Mode.BMC,
            settings=lambda entry, width: Settings(12, {"BusWidth": 8}),
            architectures=("fast_montgomery",),
            widths=(8,),
            injected=(
                Injected(
                    Replace(
                        module="exponentiation_host",
                        signal="length",
                        reading="length_q",
                        term="Width",
                        to="exponent_length",
                    ),
                    "fast_montgomery",
                ),
                Injected(
                    Replace(
                        module="exponentiation_host",
                        signal="request_o",
                        reading="partial",
                        to="@ || exponent_length[0]",
                    ),
                    "fast_montgomery",
                ),
            ),
            design=EXPONENTIATION,
        ),
        Proof(
            name="exponentiation_states",
            says="every state of the exponentiation's control is reached by some run",
            source="",
            module="exponentiation_progress",
            mode=Mode.COVER,
            settings=_exponentiation_control(40),
            architectures=("optimized_interleaved", "mwrkmm"),
            widths=(32,),
            injected=(
                Injected(
                    Replace(
                        module="exponentiation_control",
                        signal="next_state",
                        at="if valid_q",
                        to="ExpEntry",
                    ),
                    "mwrkmm",
                ),
            ),
        ),
        Proof(
            name="unit_states",
            says="every core state, table address and outcome is reached by some operation",
            source="",
            module="unit_states",
            uses=PRODUCT_UNIT,
            mode=Mode.COVER,
            settings=_unit_states,
            architectures=short,
            widths=(5,),
            injected=(
                Injected(
                    Replace(
                        module="parallel_control",
                        signal="outcome_d",
                        reading="StatusRaw",
                        to="StatusOk",
                    ),
                    "fast_montgomery",
                ),
            ),
        ),
    )


def _exponentiation_control(depth: int) -> Callable[[Architecture, int], Settings]:
    return lambda entry, width: Settings(depth, {"Domain": int(entry.montgomery)})


def _unit_states(entry: Architecture, width: int) -> Settings:
    reachable = entry.coverage.addresses_of_all_fields(width)
    parameters = {
        "Addresses": 1 << entry.coverage.address_bits,
        "Reachable": sum(1 << address for address in reachable),
    }
    return Settings(operation_cycles(entry, width, width) + 6, parameters)
