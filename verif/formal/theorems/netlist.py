"""Netlists of gates and flip-flops, from the JSON of Yosys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# Wires 1 and 2 are the constants; Yosys counts from 2.
FALSE, TRUE, FIRST = 1, 2, 3
CONSTANTS = {"0": FALSE, "1": TRUE}
PINS = {
    "$_AND_": ("AND", "A", "B"),
    "$_OR_": ("OR", "A", "B"),
    "$_XOR_": ("XOR", "A", "B"),
    "$_NOT_": ("NOT", "A"),
    "$_MUX_": ("MUX", "A", "B", "S"),
}
# Data, clock, reset (low), and what the reset loads.
FLIP_FLOP = "$_ALDFF_PN_"


class NetlistError(ValueError):
    """A netlist has something that the proof does not support; the message names it."""


@dataclass(frozen=True)
class Gate:
    """One gate.

    Attributes:
        kind: AND, OR, XOR, NOT, MUX (the last input selects between the first two), or NAME (the
            same wire under a name of the machine).
        output: wire.
        inputs: wires.
    """

    kind: str
    output: int
    inputs: tuple[int, ...]


@dataclass(frozen=True)
class Netlist:
    """A flat module with one cycle and one asynchronous reset that clears every register.

    Attributes:
        inputs: wires by port, lowest bit first; without clock and reset.
        outputs: wires by port, lowest bit first.
        gates: each after the gates that drive its inputs.
        registers: wire of the next value by the wire of the register.
        nets: wires of each net of the top module, lowest bit first.
        names: hierarchical path and bit number by the wire of a register.
        unknown: wires that are don't-cares in the source; each may have any value in any cycle.
    """

    inputs: Mapping[str, tuple[int, ...]]
    outputs: Mapping[str, tuple[int, ...]]
    nets: Mapping[str, tuple[int, ...]]
    gates: Sequence[Gate]
    registers: Mapping[int, int]
    names: Mapping[int, tuple[str, int]]
    unknown: tuple[int, ...]


def read_netlist(module: Mapping[str, Any], clock: str, reset: str) -> Netlist:
    """Return the netlist of a module from the JSON of Yosys.

    Raises:
        NetlistError: the module has another clock or reset, a reset to 1, a loop, or a cell other
            than :data:`PINS` and :data:`FLIP_FLOP`.
    """
    reader = _Wires(module)
    ports = {name: reader.wires(port["bits"]) for name, port in module["ports"].items()}
    inputs = {name for name, port in module["ports"].items() if port["direction"] == "input"}
    gates, registers = [], {}
    for name, cell in module["cells"].items():
        pins = {pin: reader.wire(bits[0]) for pin, bits in cell["connections"].items() if bits}
        if cell["type"] == FLIP_FLOP:
            if (pins["C"], pins["L"]) != (ports[clock][0], ports[reset][0]):
                raise NetlistError(
                    f"register {name}: another clock than {clock} or reset than {reset}"
                )
            if pins["AD"] != FALSE:
                raise NetlistError(f"register {name}: the reset does not clear it")
            registers[pins["Q"]] = pins["D"]
        elif cell["type"] in PINS:
            kind, *order = PINS[cell["type"]]
            gates.append(Gate(kind, pins["Y"], tuple(pins[pin] for pin in order)))
        else:
            raise NetlistError(f"cell {name}: {cell['type']} is a type that the proof cannot read")
    return Netlist(
        inputs={name: ports[name] for name in ports if name in inputs - {clock, reset}},
        outputs={name: ports[name] for name in ports if name not in inputs},
        nets={
            name: reader.wires(net["bits"])
            for name, net in module["netnames"].items()
            if not net["hide_name"] and "." not in name
        },
        gates=in_order(gates),
        registers=registers,
        names=_names(module["netnames"], reader, registers),
        unknown=tuple(reader.unknown),
    )


class _Wires:
    """Assigns wire numbers: the constants, those of Yosys, and a new one per don't-care."""

    def __init__(self, module: Mapping[str, Any]) -> None:
        nets = [*module["ports"].values(), *module["netnames"].values()]
        bits = [bit for net in nets for bit in net["bits"] if isinstance(bit, int)]
        self._next = max(bits, default=0) + FIRST
        self.unknown: list[int] = []

    def wires(self, bits: Sequence[int | str]) -> tuple[int, ...]:
        return tuple(self.wire(bit) for bit in bits)

    def wire(self, bit: int | str) -> int:
        if isinstance(bit, int):
            return bit + FIRST - 2
        if bit in CONSTANTS:
            return CONSTANTS[bit]
        self.unknown.append(self._next + len(self.unknown))
        return self.unknown[-1]


def _names(
    nets: Mapping[str, Any], reader: _Wires, registers: Mapping[int, int]
) -> dict[int, tuple[str, int]]:
    """Return the name of each register in the module that declares it: the longest path."""
    names: dict[int, tuple[str, int]] = {}
    for path, net in sorted(nets.items(), key=lambda item: item[0].count(".")):
        if net["hide_name"] or not path.endswith("_q"):
            continue
        for number, bit in enumerate(net["bits"]):
            if isinstance(bit, int) and (wire := reader.wire(bit)) in registers:
                names[wire] = (path, number)
    return names


def in_order(gates: Sequence[Gate]) -> list[Gate]:
    """Return gates with each after the gates that drive its inputs, else in the given order.

    Raises:
        NetlistError: the gates have a loop.
    """
    driver = {gate.output: gate for gate in gates}
    order: list[Gate] = []
    done: set[int] = set()
    for root in gates:
        stack = [(root, False)]
        open_: set[int] = set()
        while stack:
            gate, visited = stack.pop()
            if visited:
                open_.discard(gate.output)
                done.add(gate.output)
                order.append(gate)
                continue
            if gate.output in done:
                continue
            if gate.output in open_:
                raise NetlistError("the gates have a loop")
            open_.add(gate.output)
            stack.append((gate, True))
            for wire in gate.inputs:
                if wire in driver and wire not in done:
                    if wire in open_:
                        raise NetlistError("the gates have a loop")
                    stack.append((driver[wire], False))
    return order
