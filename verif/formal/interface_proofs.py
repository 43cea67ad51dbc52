"""Proofs about the host interface of both tops, see ``hdl/docs/interface.md``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from models.architecture import Architecture
from verif.bench.configuration.design import EXPONENTIATION
from verif.formal.proof import Injected, Mode, Proof, Settings
from verif.library.edits.operators import Drop, Insert, Operator, Remove, Replace, ResetBy

LOADER, PARALLEL = "operand_loader", "parallel_control"
REFERENCE = ("bench/agent/interface_checks.sv", "formal/parallel_core_select.sv")
CLOCKED = "else rst_ni"  # where the loader's registers change
CONTROLS = MappingProxyType(
    {"multiplier": "parallel_control", "exponentiation": "exponentiation_control"}
)

# For each rule of interface_checks a fault that breaks it, given the control module of the top.
RULE_FAULTS: Mapping[str, Callable[[str], Operator]] = MappingProxyType(
    {
        "Unknown": lambda _: Remove(module=LOADER, signal="rdata_q", at="reset"),
        "InReset": lambda _: Insert(
            module=LOADER, signal="ack_q", at="reset", text="ack_q <= 1'b1;"
        ),
        "AckMissing": lambda _: Replace(
            module=LOADER, signal="ack_q", at=CLOCKED, to="@ && !clear"
        ),
        "AckUnasked": lambda _: Replace(
            module=LOADER, signal="ack_q", at=CLOCKED, to="@ || (busy_i && !req_i && !ack_q)"
        ),
        "Err": lambda _: Replace(
            module=LOADER,
            signal="rejection",
            at="if control / if is_start busy_i",
            to="BusErrorNone",
        ),
        "Delivery": lambda _: Replace(
            module=LOADER,
            signal="delivered",
            at="gen_result",
            term="status_i StatusOk",
            to="status_i != StatusBusy",
        ),
        "Answer": lambda _: Remove(module=LOADER, signal="answer", at="if write_i"),
        "Status": lambda _: Replace(
            module=LOADER, guard="bus_error_q", at="else start", to="(@) && !busy_i"
        ),
        "Outcome": lambda control: Replace(
            module=control,
            signal="outcome_d",
            reading="StatusOperandIncomplete",
            to="StatusOperandRange",
        ),
        "Unused": lambda control: (
            Replace(
                module="parallel_results",
                signal="word_o",
                to="@ | (BusWidth'(1) << (BusWidth - 1))",
            )
            if control == "parallel_control"
            else Replace(
                module="exponentiation_host",
                port="u_loader.word_i",
                to="@ | (BusWidth'(1) << (BusWidth - 1))",
            )
        ),
        "ErrSteady": lambda _: Insert(
            module=LOADER, signal="zeroise_q", at=CLOCKED, text="if (!accept) err_q <= 1'b0;"
        ),
        "DataSteady": lambda _: Insert(
            module=LOADER, signal="zeroise_q", at=CLOCKED, text="if (!accept) rdata_q <= '0;"
        ),
        "Busy": lambda control: Replace(module=control, signal="busy_o", to="@ && (state_q != 1)"),
        "Done": lambda control: Replace(
            module=control, signal="done_o", to="@ && (status_q != StatusOperandIncomplete)"
        ),
    }
)


def interface_proofs() -> tuple[Proof, ...]:
    """Return the proofs in the order of the list."""
    return (
        Proof(
            name="multiplier_pins",
            says="every rule of interface_checks, in every cycle, whatever a host does",
            source="",
            module="multiplier_pins",
            mode=Mode.PROVE,
            settings=_pins,
            architectures=("fast_montgomery", "dual_radix"),
            widths=(12, 33),
            # The simulation shows the one of the result's unused bits, which is too deep here.
            injected=_rule_faults("multiplier", "fast_montgomery", 16, but=("Unknown", "Unused")),
            uses=("bench/agent/interface_checks.sv", "formal/multiplier_invariants.sv"),
        ),
        Proof(
            name="exponentiation_pins",
            says="as multiplier_pins, at those of an exponentiation",
            source="",
            module="exponentiation_pins",
            mode=Mode.PROVE,
            # The result has two full words; the bits above it are in a memory.
            settings=lambda entry, width: Settings(2, {"BusWidth": width // 2}),
            architectures=("fast_montgomery", "optimized_interleaved"),
            widths=(16, 32),
            injected=(
                *_rule_faults(
                    "exponentiation", "fast_montgomery", 20, only=("Outcome", "Busy", "Done")
                ),
                Injected(
                    Replace(
                        module="exponentiation_control",
                        signal="outcome_d",
                        at="ExpStepJudge",
                        to="StatusRaw",
                    ),
                    "fast_montgomery",
                    depth=36,
                ),
            ),
            uses=("bench/agent/interface_checks.sv", "formal/exponentiation_invariants.sv"),
            design=EXPONENTIATION,
        ),
        Proof(
            name="multiplier_reference",
            says="status and cycles of each rejected operation are those of the words written, for "
            "every host",
            source="",
            module="multiplier_reference",
            mode=Mode.BMC,
            settings=lambda entry, width: Settings(13),
            architectures=(),
            widths=(4,),
            injected=(
                # A rejected word is written anyway.
                Injected(
                    Replace(
                        module=LOADER, signal="write", at="gen_operand", term="granted", to="accept"
                    )
                ),
                # CLEAR discards the written words.
                Injected(
                    Replace(
                        module="multiplier",
                        at="gen_parallel",
                        port="u_unit.rst_ni",
                        to="@ && !(ack_o && write_i && (wdata_i == BusWidth'(CommandClear)))",
                    )
                ),
                # Bits above M are not checked.
                Injected(
                    Replace(
                        module="multiplier",
                        at="gen_parallel",
                        port="u_unit.overwide_i",
                        to="|overwide[1:0]",
                    )
                ),
            ),
            uses=REFERENCE,
        ),
        Proof(
            name="multiplier_reference_operations",
            says="status, results and cycles of an operation, and of a second one with or without "
            "the constants of the first, are those of the words written",
            source="",
            module="multiplier_reference",
            mode=Mode.BMC,
            # The second operation ends in cycle 35, and its first result word is read in cycle 37.
            settings=lambda entry, width: Settings(38, {"Steady": 1}),
            architectures=(),
            widths=(3,),
            injected=(
                # The constants of the first M are used for the second.
                Injected(
                    Replace(
                        module=PARALLEL,
                        signal="constants_valid_d",
                        reading="m_written_i",
                        to="constants_valid_q",
                    )
                ),
                # The constants are computed again for the same M.
                Injected(
                    Replace(module=PARALLEL, signal="constants_valid_d", at="StCore", to="1'b0"),
                ),
                # START_RAW ends with Ok.
                Injected(
                    Replace(module=PARALLEL, signal="outcome_d", reading="StatusRaw", to="StatusOk")
                ),
            ),
            uses=REFERENCE,
        ),
        Proof(
            name="exponentiation_reference",
            says="the status of an operation that is rejected at once is that of the words "
            "written, for every host",
            source="",
            module="exponentiation_reference",
            mode=Mode.BMC,
            settings=lambda entry, width: Settings(13, {"BusWidth": 8}),
            architectures=("mwrkmm",),
            widths=(8,),
            injected=(
                # Length is not checked.
                Injected(
                    Drop(module="exponentiation_host", signal="length_legal", term="length Width"),
                    "mwrkmm",
                ),
                # ZEROISE keeps Length.
                Injected(
                    ResetBy(module="exponentiation_host", signal="length_set_q", to="rst_ni"),
                    "mwrkmm",
                ),
            ),
            uses=("bench/agent/interface_checks.sv",),
            design=EXPONENTIATION,
        ),
        Proof(
            name="exponentiation_reference_checks",
            says="the status after the checks of the operands, and whether R**2 is supplied or "
            "computed, are those of the words written",
            source="",
            module="exponentiation_reference",
            mode=Mode.BMC,
            settings=lambda entry, width: Settings(28, {"BusWidth": 8, "Steady": 1}),
            architectures=("fast_montgomery",),
            widths=(8,),
            injected=(
                # M is not checked.
                Injected(
                    Replace(
                        module="exponentiation_control",
                        signal="verdict",
                        term="outcome_i odd",
                        to="1'b1",
                    ),
                    "fast_montgomery",
                ),
                # R**2 is computed although it is supplied.
                Injected(
                    Replace(
                        module="exponentiation_control",
                        signal="next_state",
                        reading="ExpPrepare",
                        to="ExpSeed",
                    ),
                    "fast_montgomery",
                ),
            ),
            uses=("bench/agent/interface_checks.sv",),
            design=EXPONENTIATION,
        ),
        Proof(
            name="exponent_secrecy_wide",
            says="as exponent_secrecy, on a bus wider than the status byte and than an operand",
            source="",
            module="exponent_secrecy",
            mode=Mode.BMC,
            settings=lambda entry, width: Settings(10, {"BusWidth": 20}),
            architectures=("fast_montgomery",),
            widths=(8,),
            injected=(
                Injected(
                    Replace(
                        module="exponentiation_host",
                        port="u_loader.status_i",
                        to="status_i ^ u_exponent.bits_q[3:0]",
                    ),
                    "fast_montgomery",
                    depth=8,
                ),
            ),
            design=EXPONENTIATION,
        ),
    )


def _pins(entry: Architecture | None, width: int) -> Settings:
    """Operands of two or three words; the wider bus has bits above the status byte."""
    return Settings(2, {"BusWidth": 8 if width < 16 else 16})


def _rule_faults(
    top: str,
    architecture: str,
    depth: int,
    only: tuple[str, ...] = tuple(RULE_FAULTS),
    but: tuple[str, ...] = (),
) -> tuple[Injected, ...]:
    return tuple(
        Injected(RULE_FAULTS[rule](CONTROLS[top]), architecture, depth=depth)
        for rule in only
        if rule not in but
    )
