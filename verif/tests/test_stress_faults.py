"""Faults that only illegal bus transfers detect: each is found and shrunk to a short sequence."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from verif.faults.catalogue import faults
from verif.library.edits.operators import Drop, Remove, Replace, ResetBy
from verif.tests.injected import (
    SIMULATOR,
    InjectedFault,
    dashed,
    representatives,
    tried,
)

WIDTH = 12
SHORTEST = re.compile(r"; in the fewest steps: (.*)")
PARAMETERS = {"stress": "{BusWidth: 8}", "exp_stress": "{BusWidth: 8, AddressWidth: 4}"}


@dataclass(frozen=True)
class Case:
    """A bug that sequences meet, and how short a sequence must be in the end that shows it.

    Attributes:
        injected: the bug.
        steps: at most.
        operations: steps of sequences in which it is met.
        simulator: Verilator where its build takes less time than Icarus needs to find and shrink.
    """

    injected: InjectedFault
    steps: int
    operations: int = 3000
    simulator: str = SIMULATOR


def from_catalogue(name: str, message: str, test: str) -> InjectedFault:
    """A fault of the catalogue."""
    fault = faults()[name]
    return InjectedFault(name, fault.on, fault.changes, message, test)


CASES = [
    Case(
        InjectedFault(
            "done a cycle early",
            "dual_radix",
            (
                Replace(
                    module="ring_unit_control", signal="done_o",
                    to="(busy_o == (state_q == StEnd)) && (status_q != StatusIdle)",
                ),
            ),
            r"done is 1 in cycle \d+, must be 0",
            "stress",
        ),
        1,
    ),
    Case(
        InjectedFault(
            "CLEAR keeps the word counters",
            "fast_montgomery",
            (
                Drop(
                    module="operand_loader", at="gen_operand", guard="pointer_q",
                    reading="clear", term="clear",
                ),
            ),
            r"rejected with UNKNOWN_ADDRESS, must be accepted"
            r"|busy (and done do not change|is 0) in",
            "stress",
        ),
        4,
    ),
    Case(
        InjectedFault(
            "CLEAR keeps the error field",
            "faster_montgomery",
            (
                Drop(
                    module="operand_loader", guard="bus_error_q", reading="clear", term="clear",
                ),
            ),
            r"read status: is IDLE with error field \w+, must be IDLE",
            "stress",
        ),
        3,
    ),
    Case(
        from_catalogue(
            "start-in-the-last-cycle",
            r"(write|read) .* must be rejected with BUSY|START\w*: accepted",
            "stress",
        ),
        3,
    ),
    Case(
        InjectedFault(
            "constants of the old modulus kept",
            "optimized_interleaved",
            (
                Drop(
                    module="parallel_control", signal="constants_valid_d",
                    reading="constants_valid_q", term="m_written_i",
                ),
            ),
            r"busy is 0 in cycle \d+, must be 1",
            "stress",
        ),
        9,
        simulator="verilator",
    ),
    Case(
        InjectedFault(
            "P read after a raw operation",
            "fast_montgomery",
            (Replace(module="multiplier", port="u_loader.ReadRaw", to="3'b111"),),
            r"read P\[0\]: accepted, must be rejected with NO_RESULT",
            "stress",
        ),
        8,
    ),
    Case(
        InjectedFault(
            "Length survives ZEROISE",
            "dual_radix",
            (ResetBy(module="exponentiation_host", signal="length_set_q", to="rst_ni"),),
            r"(busy|done) is \d in cycle \d+, must be \d|read status: is",
            "exp_stress",
        ),
        4,
    ),
    Case(
        InjectedFault(
            "R**2 kept after a wrong one was checked",
            "mwrkmm",
            (
                Remove(
                    module="exponentiation_control", signal="valid_d", at="ExpPrepare",
                ),
            ),
            r"(busy|done) is \d in cycle \d+, must be \d|read Result\[\d\]: is",
            "exp_stress",
        ),
        16,
        8000,
        "verilator",
    ),
    Case(
        InjectedFault(
            "done a cycle early in an exponentiation",
            "optimized_interleaved",
            (
                Replace(
                    module="exponentiation_control", signal="done_o",
                    to="(busy_o == (state_q == ExpEnd)) && (status_q != StatusIdle)",
                ),
            ),
            r"done is 1 in cycle \d+, must be 0",
            "exp_stress",
        ),
        1,
    ),
    Case(
        InjectedFault(
            "a rejected start leaves the word counters",
            "mwrkmm",
            (
                Replace(
                    module="operand_loader", at="gen_operand", guard="pointer_q",
                    reading="clear", to="(start && !(|partial_o)) || clear",
                ),
            ),
            r"busy is \d in cycle \d+, must be \d|do not change in cycle"
            r"|rejected with UNKNOWN_ADDRESS|read status",
            "exp_stress",
        ),
        5,
    ),
    # From the catalogue, one of each class of starts on operands with something wrong.
    Case(
        from_catalogue(
            "overwide-constant-sticks", r"is (OPERAND_RANGE|\d in cycle \d+), must", "exp_stress"
        ),
        12,
    ),
    Case(
        from_catalogue("partial-constant-accepted", r"busy and done do not change", "exp_stress"),
        2,
    ),
    Case(
        from_catalogue(
            "two-mistakes-hide-the-length",
            r"is LENGTH_RANGE, must be OPERAND_INCOMPLETE",
            "exp_stress",
        ),
        3,
    ),
    Case(
        from_catalogue(
            "nearly-right-square",
            r"busy is 1 in cycle \d+, must be 0|do not change in cycle",
            "exp_stress",
        ),
        6,
    ),
    Case(
        from_catalogue("top-spare-bit-of-an-operand", r"busy|is \w+, must be OPERAND", "stress"),
        14,
    ),
    # Of the sequences at the end of a job: nearly all that so few operations leave.
    Case(
        from_catalogue(
            "m-prime-compared-once",
            r"busy and done do not change|busy is 1 in cycle \d+, must be 0",
            "exp_stress",
        ),
        8,
        operations=60,
        simulator="verilator",
    ),
    Case(
        from_catalogue("prefix-counts-rewritten-words", r"is \w+, must be|busy|done", "stress"),
        20,
        operations=60,
    ),
]  # fmt: skip


@pytest.mark.simulation
@pytest.mark.parametrize(
    "case",
    representatives(
        CASES,
        lambda case: case.injected.test,
        lambda case: dashed(case.injected),
    ),
)
def test_a_walk_finds_it_and_is_shrunk(case: Case, tmp_path: Path) -> None:
    injected = case.injected
    sequences = tmp_path / "sequences.yaml"
    sequences.write_text(
        "description: one sequence\n"
        f"jobs: [{{test: {injected.test}, architectures: [{injected.architecture}],"
        f" widths: [{WIDTH}], simulators: [{case.simulator}], operations: {case.operations},"
        f" parameters: {PARAMETERS[injected.test]}}}]\n"
    )
    first = tried(injected, sequences, tmp_path)[0]
    assert re.search(injected.message, first), first
    shortest = SHORTEST.search(first)
    assert shortest, first
    assert len(shortest[1].split(", ")) <= case.steps, first
