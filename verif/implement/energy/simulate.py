"""Simulates a mapped netlist with zero delay and counts the toggles of each net."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verif.implement.energy.cells import MAX_INPUTS, Cell
from verif.implement.energy.liberty import variable
from verif.library.netlist.process import ToolError

LANES = 64
SOURCE = Path(__file__).with_name("toggles.c")
LIBRARY = "toggles.so"
# Nets of constants; an unknown value is 0.
ZERO, ONE = 0, 1
CONSTANTS: Mapping[str, int] = {"0": ZERO, "1": ONE, "x": ZERO, "z": ZERO}
# The same layout as in toggles.c.
_PLACES = [("count", "<i4"), ("out", "<i4"), ("in", "<i4", (MAX_INPUTS,))]
GATE = np.dtype([("table", "<u8"), *_PLACES])
FLIP_FLOP = np.dtype([("next_state", "<u8"), ("clear", "<u8"), ("preset", "<u8"), *_PLACES])
Row = tuple[Any, ...]


class _Design(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_void_p) for name in ("gates", "flip_flops", "net", "next")),
        *((name, ctypes.c_void_p) for name in ("changed", "toggles")),
        *((name, ctypes.c_int32) for name in ("gate_count", "flip_flop_count", "net_count")),
        ("counting", ctypes.c_int32),
    ]


@dataclass(frozen=True)
class Instance:
    """A cell of the netlist.

    Attributes:
        cell: the library's cell.
        nets: net of each connected pin.
        state: net of the state of a flip-flop; -1 for a gate.
    """

    cell: Cell
    nets: Mapping[str, int]
    state: int = -1


@dataclass
class Mapped:
    """A netlist of a library's cells.

    Attributes:
        ports: nets of each port, the lowest bit first.
        instances: the cells.
        nets: number of nets.
    """

    ports: dict[str, list[int]] = field(default_factory=dict)
    instances: list[Instance] = field(default_factory=list)
    nets: int = 0


def used_cells(module: Mapping[str, Any]) -> set[str]:
    """Return the types of the cells of a module that Yosys wrote as JSON."""
    return {cell["type"] for cell in module["cells"].values()}


def read_mapped(module: Mapping[str, Any], clock: str, cells: Mapping[str, Cell]) -> Mapped:
    """Return the netlist of a module that Yosys wrote as JSON.

    Raises:
        ToolError: a flip-flop is not clocked by the only clock; the message names it.
    """
    mapped = Mapped()
    numbers: dict[int | str, int] = {**CONSTANTS}
    mapped.nets = 2

    def net(bit: int | str) -> int:
        if bit not in numbers:
            numbers[bit] = mapped.nets
            mapped.nets += 1
        return numbers[bit]

    for name, port in module["ports"].items():
        mapped.ports[name] = [net(bit) for bit in port["bits"]]
    (clock_net,) = mapped.ports[clock]
    for name, entry in module["cells"].items():
        cell = cells[entry["type"]]
        nets = {pin: net(bits[0]) for pin, bits in entry["connections"].items() if bits}
        state = -1
        if cell.state:
            if nets.get(cell.state.clock) != clock_net:
                raise ToolError(f"the flip-flop {name} is not clocked by {clock}")
            state = mapped.nets
            mapped.nets += 1
        missing = [pin for pin in cell.inputs if pin not in nets]
        if missing:
            raise ToolError(f"nothing drives the input {missing[0]} of {name}")
        mapped.instances.append(Instance(cell, nets, state))
    return mapped


def _rows(mapped: Mapped) -> tuple[list[Row], list[Row]]:
    """Return gates and flip-flops. The outputs of a flip-flop are gates that read its state."""
    gates, flip_flops = [], []
    for instance in mapped.instances:
        cell = instance.cell
        inputs = [instance.nets[pin] for pin in cell.inputs]
        if cell.state:
            inputs.append(instance.state)
        padded = inputs + [ZERO] * (MAX_INPUTS - len(inputs))
        if cell.state:
            tables = (cell.state.next_state, cell.state.clear, cell.state.preset)
            flip_flops.append((*tables, len(inputs), instance.state, padded))
        for pin, table in cell.outputs.items():
            if pin not in instance.nets:
                continue
            if cell.state:
                count = len(inputs)
                state = variable(count - 1, count)
                if table not in (state, ~state & ((1 << (1 << count)) - 1)):
                    raise ToolError(f"the output {pin} of {cell.name} is not its state")
                one = [instance.state] + [ZERO] * (MAX_INPUTS - 1)
                gates.append((2 if table == state else 1, 1, instance.nets[pin], one))
            else:
                gates.append((table, len(inputs), instance.nets[pin], padded))
    return _ordered(gates), flip_flops


def _ordered(gates: Sequence[Row]) -> list[Row]:
    """Return the gates, each after those that drive its inputs.

    Raises:
        ToolError: the netlist has a combinational loop, or two gates drive a net.
    """
    driver = {out: index for index, (_, _, out, _) in enumerate(gates)}
    if len(driver) != len(gates):
        raise ToolError("two outputs drive one net of the netlist")
    sources = {
        index: {driver[net] for net in nets[:count] if net in driver}
        for index, (_, count, _, nets) in enumerate(gates)
    }
    try:
        return [gates[index] for index in TopologicalSorter(sources).static_order()]
    except CycleError:
        raise ToolError("the netlist has a combinational loop") from None


class Simulator:
    """A netlist that runs in 64 lanes.

    Attributes:
        toggles: of each net over all lanes, while they are counted.
        cycles: cycles that were counted.

    Args:
        mapped: the netlist.
        library: compiled :data:`SOURCE`.
    """

    def __init__(self, mapped: Mapped, library: Path) -> None:
        """Every net is 0, and every gate is still to be evaluated."""
        gates, flip_flops = _rows(mapped)
        self._native = ctypes.CDLL(str(library))
        self._native.drive.restype = None
        self._ports = mapped.ports
        self._gates, self._flip_flops = np.array(gates, GATE), np.array(flip_flops, FLIP_FLOP)
        self._net = np.zeros(mapped.nets, np.uint64)
        self._net[ONE] = ~np.uint64(0)
        self._next = np.zeros(len(flip_flops) + 1, np.uint64)
        self._changed = np.ones(mapped.nets, np.uint8)
        self.toggles = np.zeros(mapped.nets, np.int64)
        self.cycles = 0
        arrays = (self._gates, self._flip_flops, self._net, self._next, self._changed, self.toggles)
        pointers = (ctypes.c_void_p(array.ctypes.data) for array in arrays)
        self._design = _Design(*pointers, len(gates), len(flip_flops), mapped.nets, 0)
        # A gate without inputs is a constant and has no input that changes.
        for table, count, out, _ in gates:
            if not count:
                self._net[out] = ~np.uint64(0) if table & 1 else np.uint64(0)

    @property
    def counting(self) -> bool:
        """Whether toggles and cycles are counted."""
        return bool(self._design.counting)

    @counting.setter
    def counting(self, value: bool) -> None:
        self._design.counting = int(value)

    def bits(self, port: str) -> int:
        """Return the width of a port."""
        return len(self._ports[port])

    def drive(self, port: str, lanes: NDArray[np.uint64]) -> None:
        """Drive a port: a word of 64 lanes for each bit."""
        for net, value in zip(self._ports[port], lanes, strict=True):
            self._native.drive(self._here, ctypes.c_int32(net), ctypes.c_uint64(int(value)))

    def read(self, port: str) -> NDArray[np.uint64]:
        """Settle and return a port; the clock does not rise."""
        self._settled(self._native.settle(self._here))
        return self._net[self._ports[port]]

    def run(self, cycles: int) -> None:
        """Settle and let the clock rise, some times."""
        if self.counting:
            self.cycles += cycles
        self._settled(self._native.cycles(self._here, ctypes.c_int32(cycles)))

    @property
    def _here(self) -> Any:
        return ctypes.byref(self._design)

    def _settled(self, settled: int) -> None:
        if not settled:
            raise ToolError("asynchronous resets of the netlist do not settle")
