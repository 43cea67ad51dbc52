"""The names that coverage, checkers and benches give states and steps are the hardware's."""

from __future__ import annotations

import re

import pytest

from models.bus.state_machines import (
    CORE_STATES,
    EXPONENTIATION_STATES,
    EXPONENTIATION_STEPS,
    PARALLEL_STATES,
    RING_STATES,
)
from verif.bench.configuration.design import ROOT

PACKAGE = "hdl/pkg/multiplier_pkg.sv"
# Names in the order of their codes, the file with the codes, pattern of the prefix in it.
MACHINES = {
    "core": (CORE_STATES, PACKAGE, "State"),
    "parallel": (PARALLEL_STATES, "hdl/parallel/parallel_control.sv", "St"),
    "ring": (RING_STATES, "hdl/ring/ring_unit_control.sv", "St"),
    "exponentiation": (EXPONENTIATION_STATES, PACKAGE, "Exp(?!Step)"),
    "exponentiation_step": (EXPONENTIATION_STEPS, PACKAGE, "ExpStep"),
}


def hardware_states(text: str, prefix: str) -> dict[str, int]:
    """Codes of the state constants in a SystemVerilog text, by name in snake case."""
    found = re.findall(rf"\b{prefix}([A-Z]\w+) += \d'd(\d+)[;,]?(?: +//.*)?$", text, re.MULTILINE)
    return {re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower(): int(code) for name, code in found}


def agree(names: tuple[str, ...], text: str, prefix: str) -> bool:
    """Whether the constants in the text are the names, each with its place as the code."""
    return hardware_states(text, prefix) == {name: code for code, name in enumerate(names)}


@pytest.mark.parametrize("machine", MACHINES)
def test_names_and_codes_are_those_of_the_hardware(machine: str) -> None:
    names, file, prefix = MACHINES[machine]
    assert agree(names, (ROOT / file).read_text(), prefix)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r"(\w+ += \d'd)1\b", r"\g<1>2"),  # another code
        (r"\w+ += \d'd1\b", ""),  # a state less
        (r"(\w+)( += \d'd1\b)", r"\1Again\2"),  # another name
        (r".* = \d'd1\b[;,]?", r"\g<0>\nPREFIXMore = 4'd15"),
    ],
    ids=["code", "missing", "name", "more"],
)
def test_a_difference_is_seen(machine: str, old: str, new: str) -> None:
    names, file, prefix = MACHINES[machine]
    lines = (ROOT / file).read_text().splitlines()
    constants = [line for line in lines if re.search(rf" {prefix}[A-Z]\w+ += \d'd\d+", line)]
    text = "\n".join(constants)
    assert agree(names, text, prefix)
    changed, count = re.subn(old, new.replace("PREFIX", prefix.partition("(")[0]), text)
    assert count == 1
    assert not agree(names, changed, prefix)
