"""Functional coverage, measured in the hardware and sampled once an operation.

cocotb-coverage would evaluate every bin in Python for every sample; the 256 address transitions of
one operation arrive here as one integer and are merged with one OR.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from pyuvm import uvm_subscriber

from models.architecture import Architecture
from models.status import Status
from verif.bus.item import OperationRecord
from verif.config import BenchConfig

CORE_STATES = ("starting", "running", "finished")
CONTROL_STATES = ("idle", "check_x", "check_y", "step", "add", "core", "end")

# Arcs of the core's state machine that must be seen; the last is a reset.
CORE_ARCS = (
    "starting>starting", "starting>running", "running>running", "running>finished",
    "finished>starting", "running>starting",
)  # fmt: skip
CONTROL_ARCS = (
    "idle>idle", "idle>check_x", "idle>end", "check_x>check_x", "check_x>check_y",
    "check_y>check_y", "check_y>step", "check_y>end", "step>add", "add>add", "add>step",
    "step>core", "core>core", "core>step", "core>end", "step>end", "end>idle",
    "check_x>idle", "check_y>idle", "step>idle", "add>idle", "core>idle",
)  # fmt: skip
INCOMPLETE_ARC = "idle>end"  # an operand was rewritten in part
SKIP_ARC = "step>step"  # a per-modulus constant that is still valid


class Covergroup:
    """Named bins with hit counts and the bins that must be hit.

    Args:
        goal: bins that count for the group's percentage; others are only reported.
    """

    def __init__(self, goal: Iterable[str] = ()) -> None:
        """A group with no hits."""
        self.goal = tuple(goal)
        self.hits: Counter[str] = Counter()

    def sample(self, bin_name: str) -> None:
        """Count one hit."""
        self.hits[bin_name] += 1

    def as_dict(self) -> dict[str, Any]:
        """The form in which results are stored: ``{"bins": {name: hits}, "goal": [names]}``."""
        return {"bins": dict(sorted(self.hits.items())), "goal": list(self.goal)}


class HitVector:
    """A covergroup whose samples are bit vectors from the hardware; bins count as hit or not."""

    def __init__(self, names: dict[int, str], goal: Iterable[str]) -> None:
        """Name the bits.

        Args:
            names: bin name of each bit position; other bits get a name that says so.
            goal: bins that must be hit.
        """
        self._names = names
        self._goal = tuple(goal)
        self._seen = 0

    def sample(self, vector: int) -> None:
        """Merge one operation's hits."""
        self._seen |= vector

    def as_dict(self) -> dict[str, Any]:
        """As :meth:`Covergroup.as_dict`, with one hit for every bit seen."""
        bits = (i for i in range(self._seen.bit_length()) if self._seen >> i & 1)
        return {
            "bins": {self._names.get(i, f"unexpected bit {i}"): 1 for i in bits},
            "goal": list(self._goal),
        }


def modulus_class(m: int, width: int) -> str:
    """Class of a modulus of an n-bit multiplier, for crosses and stimulus."""
    if m <= 1:
        return "zero_or_one"
    if m == 3:
        return "three"
    if m == (1 << width) - 1:
        return "all_ones"
    if m == (1 << (width - 1)) + 1:
        return "top_bit_plus_one"
    if m % 2 == 0:
        return "even"
    return "full" if m >> (width - 1) else "leading_zeros"


def operand_class(value: int, m: int) -> str:
    """Class of an operand relative to the modulus."""
    if value == 0:
        return "zero"
    if value == 1:
        return "one"
    if value >= m:
        return "not_reduced"
    if value == m - 1:
        return "m_minus_1"
    if value & (value - 1) == 0:
        return "one_hot"
    if value & (value + 1) == 0:
        return "all_ones"
    return "odd" if value & 1 else "even"


def arc_names(states: tuple[str, ...], stride: int) -> dict[int, str]:
    """Bit position -> "from>to" for an arc vector of the observer."""
    return {stride * i + j: f"{a}>{b}" for i, a in enumerate(states) for j, b in enumerate(states)}


def legal_control_arcs(entry: Architecture) -> set[str]:
    """State changes of the control that some operation or reset makes."""
    skips = any(constant.per_modulus for constant in entry.constants)
    return {*CONTROL_ARCS, SKIP_ARC} if skips else set(CONTROL_ARCS)


def illegal_arcs(record: OperationRecord, entry: Architecture) -> list[str]:
    """Names of the state changes in a record that no correct hardware makes."""
    found = []
    for machine, vector, states, stride, legal in (
        ("core", record.core_arcs, CORE_STATES, 4, set(CORE_ARCS)),
        ("control", record.control_arcs, CONTROL_STATES, 8, legal_control_arcs(entry)),
    ):
        names = arc_names(states, stride)
        allowed = sum(1 << bit for bit, name in names.items() if name in legal)
        wrong = vector & ~allowed
        found += [
            f"{machine} {names.get(bit, f'of no state, bit {bit}')}"
            for bit in range(wrong.bit_length())
            if wrong >> bit & 1
        ]
    return found


class CoverageModel:
    """All covergroups of one multiplier; free of any simulator."""

    def __init__(self, entry: Architecture, width: int, operand_words: int) -> None:
        """Derive groups and goals from the registry entry.

        Args:
            entry: registry entry.
            width: n in bits.
            operand_words: bus words of an operand; one word cannot be loaded in part.
        """
        self._width = width
        bits = entry.table_address_bits
        addresses = {a: f"{a:0{bits}b}" for a in range(1 << bits)} if bits else {}
        transitions = {
            a << bits | b: f"{addresses[a]}>{addresses[b]}" for a in addresses for b in addresses
        }
        control_goal = legal_control_arcs(entry)
        if operand_words == 1:
            control_goal.remove(INCOMPLETE_ARC)
        self._vectors = {
            "table_address": HitVector(
                addresses, [addresses[a] for a in sorted(entry.reachable_addresses(width))]
            ),
            "table_transition": HitVector(
                transitions,
                [transitions[a << bits | b] for a, b in sorted(entry.table_transitions(width))],
            ),
            "core_state_arc": HitVector(arc_names(CORE_STATES, 4), CORE_ARCS),
            "control_state_arc": HitVector(arc_names(CONTROL_STATES, 8), sorted(control_goal)),
        }
        statuses = [Status.OK, Status.RAW, Status.MODULUS_ZERO_OR_ONE, Status.OPERAND_RANGE]
        if operand_words > 1:
            statuses.append(Status.OPERAND_INCOMPLETE)
        if entry.montgomery:
            statuses.append(Status.MODULUS_EVEN)
        self._groups = {
            "final_subtraction": Covergroup(("not_taken", "taken", "exact")),
            "status": Covergroup(status.name for status in statuses),
            "operand": Covergroup(),
            "modulus": Covergroup(),
            "final_subtraction_x_operands": Covergroup(),
            "final_subtraction_x_modulus": Covergroup(),
        }

    def sample(self, record: OperationRecord) -> None:
        """Sample one operation's record."""
        groups, vectors = self._groups, self._vectors
        vectors["table_address"].sample(record.table_hit)
        vectors["table_transition"].sample(record.table_transition)
        vectors["core_state_arc"].sample(record.core_arcs)
        vectors["control_state_arc"].sample(record.control_arcs)
        groups["status"].sample(record.status_name)
        modulus = modulus_class(record.m, self._width)
        operands = f"{operand_class(record.x, record.m)} * {operand_class(record.y, record.m)}"
        groups["modulus"].sample(modulus)
        groups["operand"].sample(operands)
        if record.result_added:
            taken = "exact" if record.exact else "taken" if record.subtracted else "not_taken"
            groups["final_subtraction"].sample(taken)
            groups["final_subtraction_x_operands"].sample(f"{taken}: {operands}")
            groups["final_subtraction_x_modulus"].sample(f"{taken}: {modulus}")

    def as_dict(self) -> dict[str, dict[str, Any]]:
        """Every group in the form in which results are stored."""
        return {
            name: group.as_dict()
            for name, group in sorted({**self._vectors, **self._groups}.items())
        }


class CoverageSubscriber(uvm_subscriber):
    """Samples the coverage model with every record of the monitor."""

    def build_phase(self) -> None:
        """Create the model."""
        super().build_phase()
        config: BenchConfig = self.cdb_get("CONFIG")
        self.model = CoverageModel(config.entry, config.width, config.operand_words)

    def write(self, record: OperationRecord) -> None:
        """Sample one record."""
        self.model.sample(record)
