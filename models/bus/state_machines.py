"""State transitions of the controls and cores, as observers report them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from models.architecture import Architecture
from models.constant import Reduction
from models.exponentiation import Exponentiation

CORE_STATES = ("starting", "running", "finished")
CORE_STRIDE = 4

# Control of a multiplier with parallel operands.
PARALLEL_STATES = ("idle", "load", "step", "add", "core", "end")
# Control of a word-stream multiplier.
RING_STATES = ("idle", "load", "judge", "inverse", "core", "subtract", "result", "end")
MULTIPLIER_STRIDE = 8

PARALLEL_ARCS = (
    "idle>idle", "idle>load", "idle>end", "load>load", "load>step", "load>end", "step>add",
    "add>add", "add>end", "step>core", "core>core", "core>step", "end>idle",
    "load>idle", "step>idle", "add>idle", "core>idle",
)  # fmt: skip
RING_ARCS = (
    "idle>idle", "idle>load", "idle>end", "load>load", "load>judge", "judge>core", "judge>end",
    "core>core", "core>result", "result>result", "result>end", "end>idle",
    "load>idle", "judge>idle", "core>idle", "result>idle",
)  # fmt: skip
RING_CONSTANT_ARCS = ("judge>inverse", "inverse>inverse", "inverse>core", "inverse>idle")
RING_SCALE_ARCS = (
    "core>inverse", "core>judge", "core>subtract", "subtract>subtract", "subtract>result",
    "subtract>idle",
)  # fmt: skip
INCOMPLETE_ARC = "idle>end"  # an operand is partly written
SKIP_ARC = "step>step"  # skips a per-modulus constant that is still valid
ADD_ARC = "add>step"  # a constant that needs an adder pass of its own

# Control of an exponentiation.
EXPONENTIATION_STATES = (
    "idle", "prepare", "seed", "square", "check_constant", "entry", "loop", "exit", "end",
)  # fmt: skip
EXPONENTIATION_STEPS = (
    "nothing", "load", "check", "judge", "inverse", "take", "measure", "address", "align",
    "double", "copy", "product", "result", "scale", "match", "subtract",
)  # fmt: skip
ENTRY_STATE, LOOP_STATE = (EXPONENTIATION_STATES.index(state) for state in ("entry", "loop"))
EXPONENTIATION_STRIDE = 16
REJECTED_ARC = "idle>end"  # a partly written operand, an illegal length or exponent


class StateMachine:
    """State transitions of a machine in the design, as an observer reports them.

    Attributes:
        arcs: maps a bit position of the observer's arc vector to "from>to".

    Args:
        name: name in messages.
        states: state names in the order of their encoding.
        stride: bit ``stride * from + to`` of the vector is the transition from -> to.
        legal: transitions that correct hardware makes.
    """

    def __init__(self, name: str, states: Sequence[str], stride: int, legal: Iterable[str]) -> None:
        """Create the transition names and the mask of legal transitions."""
        self.name = name
        self.arcs = {
            stride * i + j: f"{a}>{b}" for i, a in enumerate(states) for j, b in enumerate(states)
        }
        allowed = set(legal)
        self._legal = sum(1 << bit for bit, arc in self.arcs.items() if arc in allowed)

    def illegal(self, vector: int) -> list[str]:
        """Return the names of the illegal transitions in ``vector``."""
        wrong = vector & ~self._legal
        return [
            f"{self.name} {self.arcs.get(bit, f'of no state, bit {bit}')}"
            for bit in range(wrong.bit_length())
            if wrong >> bit & 1
        ]


def core_machine(entry: Architecture, name: str = "core", *, chained: bool = False) -> StateMachine:
    """Return the state machine of an entry's core.

    Args:
        entry: registry entry.
        name: name in messages.
        chained: True in an exponentiation, which chains products if the core can.
    """
    return StateMachine(name, CORE_STATES, CORE_STRIDE, entry.coverage.arcs(chained=chained))


def multiplier_arcs(entry: Architecture) -> set[str]:
    """Return the legal transitions of a multiplier's control, resets included."""
    if entry.streams:
        arcs = {*RING_ARCS, *(RING_CONSTANT_ARCS if entry.constants else ())}
        if entry.scaling:
            arcs = (arcs | set(RING_SCALE_ARCS)) - {"core>result"}
        return arcs
    arcs = set(PARALLEL_ARCS)
    if any(constant.reduction is not Reduction.NONE for constant in entry.constants):
        arcs.add(ADD_ARC)
    if any(constant.per_modulus for constant in entry.constants):
        arcs.add(SKIP_ARC)
    return arcs


def multiplier_states(entry: Architecture) -> tuple[str, ...]:
    """Return the state names of a multiplier's control."""
    return RING_STATES if entry.streams else PARALLEL_STATES


def multiplier_machine(entry: Architecture) -> StateMachine:
    """Return the state machine of a multiplier's control."""
    states, arcs = multiplier_states(entry), multiplier_arcs(entry)
    return StateMachine("control", states, MULTIPLIER_STRIDE, arcs)


def exponentiation_arcs(core: Exponentiation) -> set[str]:
    """Return the legal transitions of the control, resets and ZEROISE included."""
    path = ["idle", "prepare", "entry", "loop", "exit", "end", "idle"]
    arcs = {REJECTED_ARC, "prepare>end"}
    if core.montgomery:
        seeding = ["seed", "square"]
        path = ["idle", "prepare", *seeding, "entry", "loop", "exit", "end", "idle"]
        arcs |= {"prepare>entry", "prepare>check_constant", "check_constant>entry"}
        arcs |= {"check_constant>end"}
        if core.m_prime_width:  # a wrong m' while the core computes R**2
            arcs.add(f"{seeding[-1]}>end")
    arcs |= {f"{a}>{b}" for a, b in pairwise(path)}
    working = {arc.split(">")[0] for arc in arcs} - {"idle"}
    return arcs | {f"{state}>idle" for state in working}


def exponentiation_machine(core: Exponentiation) -> StateMachine:
    """Return the state machine of an exponentiation's control."""
    arcs = exponentiation_arcs(core)
    return StateMachine("control", EXPONENTIATION_STATES, EXPONENTIATION_STRIDE, arcs)
