"""A netlist that runs in all lanes: state, pins and calls of the runtime."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verif.library.lanes.build import LaneBuilder
from verif.library.lanes.program import Program, limbs_of
from verif.library.netlist.gates import FlipFlop, GateNetlist
from verif.library.netlist.process import ToolError
from verif.library.netlist.recipe import Recipe

PINS = ("ack_o", "err_o", "busy_o", "done_o")
# The same layout as in runtime.c.
EDGE = np.dtype([("cycle", "<i4"), ("pin", "<i4"), ("mask", "<i4")])
UPSET = np.dtype([(name, "<i4") for name in ("cycle", "until", "reg", "lane", "kind")])
FLIP, HOLD, STUCK0, STUCK1 = range(4)
BITS = 64
Lanes = NDArray[np.bool_]
Words = NDArray[np.uint32]


class _Ports(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_int32) for name in ("rst", "req", "write", "address", "address_bits")),
        *((name, ctypes.c_int32) for name in ("data", "data_bits")),
        ("pins", ctypes.c_int32 * len(PINS)),
        ("answer", ctypes.c_int32),
    ]


_POINTERS = (
    "steps", "words", "answers", "edges", "masks", "upsets", "upset_begin", "wrong", "first",
    "trace", "outputs", "toggles", "differing", "distances", "weights",
    "members", "group_ends", "classes", "initial",
)  # fmt: skip
_COUNTS = ("batches", "step_count", "edge_count", "phases", "groups")


class _Run(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_void_p) for name in _POINTERS),
        *((name, ctypes.c_int32) for name in _COUNTS),
    ]


@dataclass(frozen=True)
class Edges:
    """Expected changes of the pins: from a cycle on, a pin changes in some lanes.

    Attributes:
        table: records of :data:`EDGE`, by cycle.
        masks: lanes of each row that ``table`` names; a single column applies to all lanes.
    """

    table: NDArray[Any]
    masks: Lanes


@dataclass(frozen=True)
class Prepared:
    """A program in the form of the runtime.

    Attributes:
        program: transfers on the bus.
        steps: cycles of the program.
        table: changes of the pins, by cycle.
        masks: lanes of these changes.
    """

    program: Program
    steps: NDArray[Any]
    table: NDArray[Any]
    masks: NDArray[np.uint64]


@dataclass
class Observers:
    """Counts that a run collects; a run adds to each array, and does not count None.

    Attributes:
        trace: state of every cycle, [batches][cycles][registers][words of 64 lanes].
        outputs: output pins of every cycle, [batches][cycles][output bits][words of 64 lanes], in
            the order of the netlist.
        toggles: toggles by class of the lane, cycle and register, [2][cycles][registers].
        differing: number of lanes whose register differs from lane 0, [cycles][registers].
        groups: registers of each group; a register may be in several.
        distances: sum over the lanes of the group's toggles into the cycle, and sum of their
            squares, by class, group and cycle, [2][groups][cycles][2].
        weights: these sums for the group's bits that are 1.
        classes: lanes of the second class, [batches][lanes].
    """

    trace: NDArray[np.uint64] | None = None
    outputs: NDArray[np.uint64] | None = None
    toggles: NDArray[np.uint32] | None = None
    differing: NDArray[np.uint32] | None = None
    groups: Sequence[Sequence[int]] = ()
    distances: NDArray[np.int64] | None = None
    weights: NDArray[np.int64] | None = None
    classes: Lanes | None = None


@dataclass(frozen=True)
class Ran:
    """Results of the batches of a program.

    Attributes:
        answers: the words read, [answers][limbs][batches][lanes].
        wrong: lanes in which a pin was wrong in some cycle of a phase,
            [batches][phases][PINS][lanes].
        first: the first cycle with a wrong pin, or -1, [batches][PINS].
    """

    answers: Words
    wrong: Lanes
    first: NDArray[np.int32]


@dataclass
class _Native:
    """The library's functions."""

    library: ctypes.CDLL
    handle: int = field(init=False)

    def __post_init__(self) -> None:
        self.library.machine_new.restype = ctypes.c_void_p
        for name in ("machine_free", "machine_read", "machine_write", "machine_run"):
            getattr(self.library, name).restype = None
        self.handle = self.library.machine_new()
        if not self.handle:
            raise MemoryError("no memory for the lanes")

    def call(self, name: str, *arguments: Any) -> None:
        """Call a function on the machine."""
        getattr(self.library, name)(ctypes.c_void_p(self.handle), *arguments)


class Machine:
    """A design in all lanes.

    Attributes:
        lanes: number of lanes.
        registers: the flip-flops, in the order of all arrays with one entry per register.
        outputs: name of the port and number of the bit of each output pin.

    Args:
        library: shared library made by :class:`LaneBuilder`.
        netlist: netlist of the library.
    """

    def __init__(self, library: Path, netlist: GateNetlist) -> None:
        self._source = (library, netlist)
        self._native = _Native(ctypes.CDLL(str(library)))
        self.registers: Sequence[FlipFlop] = netlist.registers
        self.outputs = [(n, i) for n, nets in netlist.outputs.items() for i in range(len(nets))]
        self.lanes = int(self._native.library.lane_count())
        self._ports = _ports(netlist)
        self.bus_width = self._ports.data_bits

    @classmethod
    def of(cls, recipe: Recipe, builder: LaneBuilder) -> Machine:
        """Return the machine of a recipe; build it if it is not in the cache.

        Raises:
            ToolError: the machine cannot be built.
        """
        netlist = builder.netlist(recipe)
        return cls(builder.library(recipe, netlist), netlist)

    def another(self) -> Machine:
        """Return a second machine of the same design, for another thread."""
        return Machine(*self._source)

    def __del__(self) -> None:
        native = getattr(self, "_native", None)
        if native:
            native.call("machine_free")

    @property
    def state(self) -> NDArray[np.uint64]:
        """The registers, [registers][words of 64 lanes]."""
        found = _aligned((len(self.registers), self.lanes // BITS), np.uint64)
        self._native.call("machine_read", _pointer(found))
        return found

    @state.setter
    def state(self, values: NDArray[np.uint64]) -> None:
        self._native.call("machine_write", _pointer(self._vectors(values)))

    def _vectors(self, values: NDArray[np.uint64]) -> NDArray[np.uint64]:
        found = _aligned((len(self.registers), self.lanes // BITS), np.uint64)
        found[:] = values
        return found

    def randomise(self, rng: np.random.Generator) -> None:
        """Set every register of every lane to a random value, as after power-up."""
        shape = (len(self.registers), self.lanes // BITS)
        self.state = rng.integers(0, 1 << BITS, shape, np.uint64, endpoint=False)

    def prepare(self, program: Program, edges: Edges) -> Prepared:
        """Prepare a program for the runtime."""
        masks = np.broadcast_to(edges.masks, (len(edges.masks), self.lanes))
        table = np.ascontiguousarray(edges.table, EDGE)
        return Prepared(program, program.steps(), table, self.packed(masks))

    def run(
        self,
        prepared: Prepared,
        words: Words,
        upsets: Sequence[NDArray[Any]] = (),
        observers: Observers | None = None,
        initial: NDArray[np.uint64] | None = None,
    ) -> Ran:
        """Run a program in all lanes, once for each batch of words, one after the other.

        Args:
            prepared: the prepared program.
            words: written words, [words][limbs][batches][lanes].
            upsets: records of :data:`UPSET` for each batch; empty without faults.
            observers: counts to collect.
            initial: state at the begin of each batch; None continues with the previous state.
        """
        program, batches = prepared.program, words.shape[2]
        shape = (limbs_of(self.bus_width), batches, self.lanes)
        words = np.broadcast_to(words, (program.words, *shape))
        answers = np.empty((program.answers, *shape), np.uint32)
        faults = [batch[np.argsort(batch["cycle"], kind="stable")] for batch in upsets]
        begin = np.zeros(batches + 1, np.int32)
        begin[1:] = np.cumsum([len(batch) for batch in faults] or [0] * batches)
        wrong = _aligned((batches, program.phases, len(PINS), self.lanes // BITS), np.uint64)
        first = np.full((batches, len(PINS)), -1, np.int32)
        seen = observers or Observers()
        classes = seen.classes
        if classes is None:
            classes = np.zeros((batches, self.lanes), np.bool_)
        initial = None if initial is None else self._vectors(initial)
        arrays = (
            prepared.steps,
            np.ascontiguousarray(words, np.uint32),
            answers,
            prepared.table,
            prepared.masks,
            np.concatenate(faults) if faults else np.zeros(0, UPSET),
            begin,
            wrong,
            first,
            seen.trace,
            seen.outputs,
            seen.toggles,
            seen.differing,
            seen.distances,
            seen.weights,
            np.array([member for group in seen.groups for member in group], np.int32),
            np.cumsum([len(group) for group in seen.groups], dtype=np.int32),
            self.packed(classes),
            initial,
        )
        counts = (batches, len(prepared.steps), len(prepared.table), program.phases)
        request = _Run(*map(_pointer, arrays), *counts, len(seen.groups))
        self._native.call("machine_run", ctypes.byref(self._ports), ctypes.byref(request))
        return Ran(answers, unpacked(wrong, self.lanes), first)

    def packed(self, lanes: Lanes) -> NDArray[np.uint64]:
        """Return rows of lanes in the form of the runtime."""
        found = _aligned((len(lanes), self.lanes // BITS), np.uint64)
        found[:] = np.packbits(lanes, axis=1, bitorder="little").view(np.uint64)
        return found

    def trace_of(self, batches: int, cycles: int) -> NDArray[np.uint64]:
        """Return an array for :attr:`Observers.trace`."""
        return _aligned((batches, cycles, len(self.registers), self.lanes // BITS), np.uint64)

    def outputs_of(self, batches: int, cycles: int) -> NDArray[np.uint64]:
        """Return an array for :attr:`Observers.outputs`."""
        return _aligned((batches, cycles, len(self.outputs), self.lanes // BITS), np.uint64)


def unpacked(rows: NDArray[np.uint64], lanes: int) -> Lanes:
    """Unpack rows of words of 64 lanes into one value per lane."""
    bits = np.unpackbits(np.ascontiguousarray(rows).view(np.uint8), axis=-1, bitorder="little")
    return bits.reshape(*rows.shape[:-1], lanes).astype(np.bool_)


def _aligned(shape: tuple[int, ...], kind: Any) -> NDArray[Any]:
    """Return an array of zeros, aligned for the machine's vectors."""
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    raw = np.zeros(size + BITS, np.uint8)
    start = -raw.ctypes.data % BITS
    return raw[start : start + size].view(kind).reshape(shape)


def _pointer(array: NDArray[Any] | None) -> ctypes.c_void_p:
    return ctypes.c_void_p(None if array is None else array.ctypes.data)


def _ports(netlist: GateNetlist) -> _Ports:
    inputs, outputs = _places(netlist.inputs), _places(netlist.outputs)
    try:
        return _Ports(
            inputs["rst_ni"],
            inputs["req_i"],
            inputs["write_i"],
            inputs["addr_i"],
            len(netlist.inputs["addr_i"]),
            inputs["wdata_i"],
            len(netlist.inputs["wdata_i"]),
            (ctypes.c_int32 * len(PINS))(*(outputs[pin] for pin in PINS)),
            outputs["rdata_o"],
        )
    except KeyError as error:
        raise ToolError(f"the design has no port {error.args[0]} of the loader bus") from None


def _places(ports: Any) -> dict[str, int]:
    """Return the first index of each port in the runtime's arrays."""
    found, place = {}, 0
    for name, nets in ports.items():
        found[name] = place
        place += len(nets)
    return found
