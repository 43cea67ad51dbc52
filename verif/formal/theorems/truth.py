"""Fast check: compare the next value of each register by truth table; weaker than the Coq proof.

It shows that every register of the netlist takes the same next value as in ``machine.py``. It does
not prove that this machine is the machine of the theorem, or that this program is correct.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from verif.formal.theorems.labels import Label, Labelled
from verif.formal.theorems.machine import Machine, Read, Shape
from verif.formal.theorems.netlist import FALSE, TRUE, Gate, NetlistError

# The cones of these cores have at most 14 inputs (the counter at 4096 bits).
MAX_INPUTS = 20
# Methods of a machine.
REGISTER, WIRE, OUTPUT = "register_next", "wire", "output"
MakeMachine = Callable[[Shape, Read, int], Machine]


@dataclass(frozen=True)
class Difference:
    """A bit that the netlist and the machine compute differently.

    Attributes:
        bit: register, named wire or output.
        netlist, machine: value in each; None if only one of them has the register.
        inputs: input values for which they differ.
    """

    bit: Label
    netlist: int | None
    machine: int | None
    inputs: Mapping[Label, int]

    def __str__(self) -> str:
        if self.netlist is None:
            return f"{self.bit}: the netlist does not have this register"
        if self.machine is None:
            return f"{self.bit}: the machine does not have this register"
        values = " ".join(
            f"{label.signal}[{label.bit}]={value}" for label, value in self.inputs.items()
        )
        return (
            f"{self.bit}: the netlist gives {self.netlist}, the machine {self.machine} at {values}"
        )


def differences(labelled: Labelled, make: MakeMachine, shape: Shape) -> list[Difference]:
    """Return every bit that differs; if empty, the netlist equals the machine.

    Raises:
        NetlistError: a bit depends on more than :data:`MAX_INPUTS` other bits.
    """
    cones = _Cones(labelled)
    roots = [(label, wire, REGISTER) for label, wire in labelled.registers]
    roots += [(label, wire, WIRE) for label, wire in labelled.wires]
    # Only Coq compares the constants of the core description.
    roots += [
        (label, wire, OUTPUT) for label, wire in labelled.outputs if label.signal != "Description"
    ]
    expected = make(shape, lambda label: 0, 1).registers()
    there = {label for label, _ in labelled.registers}
    found = [Difference(label, None, 1, {}) for label in expected if label not in there]
    extra = there - set(expected)
    for label, wire, kind in roots:
        if label in extra:
            found.append(Difference(label, 1, None, {}))
            continue

        def reference(read: Read, ones: int, label: Label = label, kind: str = kind) -> int:
            value: Callable[[Label], int] = getattr(make(shape, read, ones), kind)
            return value(label)

        if difference := _compare(label, wire, cones, reference):
            found.append(difference)
    return found


def _compare(
    label: Label, wire: int, cones: _Cones, reference: Callable[[Read, int], int]
) -> Difference | None:
    inputs = list(cones.inputs(wire))
    read_too: dict[Label, None] = dict.fromkeys(inputs)
    reference(lambda bit: read_too.setdefault(bit) or 0, 1)
    inputs = list(read_too)
    if len(inputs) > MAX_INPUTS:
        raise NetlistError(
            f"{label} depends on {len(inputs)} bits; at most {MAX_INPUTS} are accepted"
        )
    columns = dict(zip(inputs, _columns(len(inputs)), strict=True))
    ones = (1 << (1 << len(inputs))) - 1
    ours, theirs = cones.value(wire, columns, ones), reference(columns.__getitem__, ones)
    if ours == theirs:
        return None
    row = ((ours ^ theirs) & -(ours ^ theirs)).bit_length() - 1
    values = {bit: column >> row & 1 for bit, column in columns.items()}
    return Difference(label, ours >> row & 1, theirs >> row & 1, values)


def _columns(count: int) -> list[int]:
    """Return the columns of a truth table: bit r of column k is bit k of r."""
    rows = 1 << count
    columns = []
    for k in range(count):
        block = ((1 << (1 << k)) - 1) << (1 << k)
        size = 2 << k
        while size < rows:
            block |= block << size
            size *= 2
        columns.append(block)
    return columns


class _Cones:
    """Computes the inputs of a wire's cone, and the wire's value."""

    def __init__(self, labelled: Labelled) -> None:
        self._driver = {gate.output: gate for gate in labelled.netlist.gates}
        # A named wire is cut: cones end there.
        self._source = {**dict(labelled.sources), **labelled.names}

    def inputs(self, wire: int) -> dict[Label, None]:
        """Return the bits that a wire depends on."""
        found: dict[Label, None] = {}
        seen: set[int] = set()
        stack = [wire]
        while stack:
            wire = stack.pop()
            if wire in seen or wire in (FALSE, TRUE):
                continue
            seen.add(wire)
            if wire in self._source:
                found[self._source[wire]] = None
            elif wire in self._driver:
                stack += self._driver[wire].inputs
            else:
                raise NetlistError(f"wire {wire} has no driver")
        return found

    def value(self, wire: int, columns: Mapping[Label, int], ones: int) -> int:
        """Return the truth table of a wire."""
        known = {FALSE: 0, TRUE: ones}

        def of(wire: int) -> int:
            if wire not in known:
                if wire in self._source:
                    known[wire] = columns[self._source[wire]]
                else:
                    gate = self._driver[wire]
                    known[wire] = evaluate(gate, [of(pin) for pin in gate.inputs], ones)
            return known[wire]

        return of(wire)


def evaluate(gate: Gate, values: list[int], ones: int) -> int:
    """Return a gate's output for vectors of values."""
    a = values[0]
    if gate.kind == "NAME":
        return a
    if gate.kind == "NOT":
        return a ^ ones
    b = values[1]
    if gate.kind == "AND":
        return a & b
    if gate.kind == "OR":
        return a | b
    if gate.kind == "XOR":
        return a ^ b
    return (a & (values[2] ^ ones)) | (b & values[2])
