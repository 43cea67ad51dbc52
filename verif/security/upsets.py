"""Faults in registers: one register, one cycle, and what becomes of the operation and the next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from enum import IntEnum
from itertools import pairwise
from queue import SimpleQueue
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.independent import STATUS_CODES
from verif.library.lanes.bench import LaneBench, Operation, Planned, Planner
from verif.library.lanes.host import ERR
from verif.library.lanes.machine import (
    BITS,
    FLIP,
    HOLD,
    STUCK0,
    STUCK1,
    UPSET,
    Machine,
    Prepared,
    Ran,
)
from verif.library.lanes.uniform import DifferenceError

# Batches of experiments that a thread runs before it evaluates their results, to save memory.
BATCHES = 8
# The host gives up after this many times the duration of the longest operation.
PATIENCE = 2
STATUS_MASK = 15
NEVER = np.iinfo(np.int32).max


class Effect(IntEnum):
    """Effect of a fault."""

    NONE = 0
    LATENT = 1
    SILENT = 2
    HANG = 3
    DURATION = 4
    DETECTED = 5


TITLES = {
    Effect.NONE: "no effect",
    Effect.LATENT: "latent: this result right, a later operation wrong",
    Effect.SILENT: "silent wrong result",
    Effect.HANG: "hang: no end in twice the longest time",
    Effect.DURATION: "right, other duration",
    Effect.DETECTED: "detected: another status, or a rejected read of the result",
}
# Statuses that report an upset.
REPORTS = ("UPSET", "INTEGRITY", "INCOHERENT")
# By name on the command line: the kind, and whether it hits a register as a whole.
FAULTS = {
    "flip": (FLIP, False),
    "skip": (HOLD, True),
    "stuck0": (STUCK0, False),
    "stuck1": (STUCK1, False),
}


@dataclass(frozen=True)
class Point:
    """Where and when: registers by index, and the cycle of the program."""

    registers: tuple[int, ...]
    cycle: int


@dataclass(frozen=True)
class Found:
    """Effect of the fault at each point.

    Attributes:
        effects: values of :class:`Effect`, [points].
        next_wrong: the next operation was wrong although all operands were written anew, and its
            status did not report it, [points]. While idle, the rejection of a write reports it,
            too: the fault can begin an operation, which keeps the core busy for a while.
        right: this result was right, with the status of success, [points].
        other_status: the operation ended with a status that is neither the expected one nor one
            that reports an upset, [points].
        statuses: status of each operation when the host reads it, [operations][points].
    """

    effects: NDArray[np.int8]
    next_wrong: NDArray[np.bool_]
    right: NDArray[np.bool_]
    other_status: NDArray[np.bool_]
    statuses: NDArray[np.int64]


class UpsetCampaign:
    """Faults in the first of several operations.

    Every experiment begins in the same state: the state after an operation without a fault. All
    operands are written for each of the operations.

    Args:
        bench: the design.
        operations: operations with one lane each; only a second operation can show a latent fault.
        fault: a name of :data:`FAULTS`.
        seed: seed of the state of registers without a reset.
        jobs: threads.
        idle: inject the faults while the core is idle, after the first operation.

    Raises:
        DifferenceError: without a fault an operation does not end as predicted.
    """

    def __init__(
        self,
        bench: LaneBench,
        operations: Sequence[Operation],
        fault: str = "flip",
        seed: int = 1,
        jobs: int = 1,
        idle: bool = False,
    ) -> None:
        self._kind, self._whole = FAULTS[fault]
        self._bench, self._idle = bench, idle
        planner = Planner(bench.bus_model(), 1)
        first = planner.plan(operations[-1])
        self.planned = planner.plan(*operations, patience=PATIENCE * bench.longest_operation)
        machine = bench.machine
        # The same on every machine, however many lanes it has.
        bits = np.random.default_rng(seed).integers(0, 2, len(machine.registers), np.uint64)
        machine.state = _in_all_lanes(bits, machine.lanes)
        machine.run(self._prepare(first), first.words[:, :, np.newaxis])
        self._initial = machine.state
        self._prepared = self._prepare(self.planned)
        self._machines: SimpleQueue[Machine] = SimpleQueue()
        for index in range(jobs):
            self._machines.put(machine if not index else machine.another())
        self._jobs = jobs
        if self.run([Point((), self.window.start)]).effects.any():
            raise DifferenceError(f"{bench.recipe.top}: without a fault it is not as predicted")

    def _prepare(self, planned: Planned) -> Prepared:
        return self._bench.machine.prepare(planned.program, planned.prediction.edges)

    @property
    def window(self) -> range:
        """Cycles in which faults are injected.

        Not idle: from the start to the end of busy. Idle: from there to the first write of the
        second operation. After it, a fault can change an operand, which no core can report.
        """
        phase = self.planned.phases[0]
        if not self._idle:
            return range(phase.start + 1, phase.last + 1)
        transfers = self.planned.program.transfers
        writes = [each.cycle for each in transfers if each.write and each.cycle > phase.last]
        return range(phase.last + 1, min(writes))

    def targets(self) -> list[tuple[int, ...]]:
        """Target of a fault: each flip-flop, or all bits of a register together."""
        registers = self._bench.machine.registers
        if not self._whole:
            return [(index,) for index in range(len(registers))]
        found: dict[str, list[int]] = {}
        for index, register in enumerate(registers):
            found.setdefault(register.name, []).append(index)
        return [tuple(indices) for indices in found.values()]

    def points(self) -> list[Point]:
        """Every target in every cycle; a stuck bit is stuck from the first cycle on."""
        window = self.window
        cycles = window[:1] if self._kind in (STUCK0, STUCK1) else window
        return [Point(target, cycle) for cycle in cycles for target in self.targets()]

    def run(self, points: Sequence[Point]) -> Found:
        """Inject a fault at each point."""
        size = BATCHES * self._bench.machine.lanes
        parts = [points[i : i + size] for i in range(0, len(points), size)]
        with ThreadPoolExecutor(self._jobs) as pool:
            found = list(pool.map(self._part, parts))
        parts = ([getattr(each, field.name) for each in found] for field in fields(Found))
        return Found(*(np.concatenate(part, axis=-1) for part in parts))

    def _part(self, points: Sequence[Point]) -> Found:
        machine = self._machines.get()
        try:
            lanes = machine.lanes
            groups = [points[i : i + lanes] for i in range(0, len(points), lanes)]
            upsets = [self._records(group) for group in groups]
            words = np.broadcast_to(
                self.planned.words[:, :, np.newaxis],
                (*self.planned.words.shape[:2], len(groups), lanes),
            )
            ran = machine.run(self._prepared, words, upsets, initial=self._initial)
        finally:
            self._machines.put(machine)
        return self._judge(ran, len(points))

    def _records(self, points: Sequence[Point]) -> NDArray[Any]:
        """Return records of :data:`UPSET`, one lane for each point."""
        hits = [
            (point.cycle, register, lane)
            for lane, point in enumerate(points)
            for register in point.registers
        ]
        records = np.zeros(len(hits), UPSET)
        columns = np.array(hits, np.int32).reshape(-1, 3).T
        records["cycle"], records["reg"], records["lane"] = columns
        records["until"], records["kind"] = NEVER, self._kind
        return records

    def _judge(self, ran: Ran, count: int) -> Found:
        first = self.planned.phases[0]
        expected = self.planned.prediction.answers[:, :, np.newaxis]
        differs = (ran.answers != expected).any(axis=1)
        pins = ran.wrong.any(axis=2)

        def flat(lanes: NDArray[np.bool_]) -> NDArray[np.bool_]:
            return lanes.reshape(-1)[:count]

        rows = [phase.status for phase in self.planned.phases]
        statuses = ran.answers[rows, 0].reshape(len(rows), -1)[:, :count].astype(np.int64)
        statuses &= STATUS_MASK
        hang = statuses[0] == STATUS_CODES["BUSY"]
        other = flat(differs[first.status]) & ~hang
        reports = np.isin(statuses[0], [STATUS_CODES[name] for name in REPORTS])
        results = [differs[rows].any(axis=0) for rows in first.results.values()]
        wrong = flat(np.any(results, axis=0))
        ends = [max(row.stop for row in phase.results.values()) for phase in self.planned.phases]
        later = [
            flat(differs[begin:end].any(axis=0) | pins[:, index])
            for index, (begin, end) in enumerate(pairwise(ends), 1)
        ]
        effects = np.full(count, Effect.NONE, np.int8)
        for wrong_later in later:
            effects[wrong_later] = Effect.LATENT
        effects[flat(pins[:, 0])] = Effect.DURATION
        effects[wrong] = Effect.SILENT
        # The core rejects the read of a result word with a wrong parity bit.
        rejected = flat(ran.wrong[:, 0, ERR])
        effects[other | (wrong & rejected)] = Effect.DETECTED
        effects[hang] = Effect.HANG
        next_wrong = later[0] & ~self._reported(ran, flat) if later else np.zeros(count, np.bool_)
        right = ~(wrong | other | hang)
        return Found(effects, next_wrong, right, other & ~reports, statuses)

    def _reported(
        self, ran: Ran, flat: Callable[[NDArray[np.bool_]], NDArray[np.bool_]]
    ) -> NDArray[np.bool_]:
        """Return the lanes in which the host sees that the second operation is wrong."""
        first, second = self.planned.phases[:2]
        status = ran.answers[second.status, 0] & STATUS_MASK
        expected = self.planned.prediction.answers[second.status, 0] & STATUS_MASK
        writes = [
            each.answer
            for each in self.planned.program.transfers
            if each.write and first.last < each.cycle <= second.start
        ]
        reported = (status != expected) & (status != STATUS_CODES["BUSY"])
        if self._idle:
            reported |= ran.answers[writes].any(axis=(0, 1))
        return flat(reported)


def _in_all_lanes(bits: NDArray[np.uint64], lanes: int) -> NDArray[np.uint64]:
    """A state that is the same in all lanes."""
    ones = np.uint64(np.iinfo(np.uint64).max)
    return np.repeat((bits * ones)[:, np.newaxis], lanes // BITS, axis=1)
