"""A bus host in all lanes: predicts every answer with ``models/bus`` and compares it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field

import numpy as np

from models.bus.loader_bus import CONTROL, BusModel, Request
from verif.library.lanes.machine import EDGE, PINS, Edges, Lanes, Ran, Words
from verif.library.lanes.program import Program, Transfer, limbs_of, numbers_of, rows_of

ACK, ERR, BUSY, DONE = range(len(PINS))


@dataclass
class Group:
    """Lanes that differ only in their values.

    Attributes:
        lanes: numbers of the lanes.
        model: bus model of the first lane.
        results: results of every lane, by address, if available.
        rejected: ``err_o``.
        levels: pins in the previous cycle.
    """

    lanes: list[int]
    model: BusModel
    results: Mapping[int, Sequence[int]] = field(default_factory=dict)
    rejected: bool = False
    levels: list[bool] = field(default_factory=lambda: [False] * len(PINS))


@dataclass(frozen=True)
class ResultWord:
    """An answer that is a word of a result."""

    answer: int
    address: int
    word: int


@dataclass(frozen=True)
class Prediction:
    """Expected behaviour of a program.

    Attributes:
        edges: changes of the pins.
        answers: answer words, [answers][limbs][lanes].
        results: the answers that are words of results.
        last: last cycle of the longest operation; -1 without an operation.
    """

    edges: Edges
    answers: Words
    results: Sequence[ResultWord]
    last: int


class Host:
    """Predicts the behaviour of programs, one after the other.

    If the operations of all lanes differ only in their values, one lane predicts the common part;
    ``uniform.py`` inserts each lane's results.

    Args:
        model: bus model in its reset state.
        lanes: number of lanes.
    """

    def __init__(self, model: BusModel, lanes: int) -> None:
        self._lanes = lanes
        self._width = model.bus_width
        self._origin = 0
        self._acknowledging = -1
        self._groups = [Group(list(range(lanes)), model)]
        self._values: dict[int, list[int]] = {address: [0] * lanes for address in model.operands}

    def predict(self, program: Program, words: Words) -> Prediction:
        """Grant a program's transfers and return the prediction.

        Args:
            program: transfers on the bus.
            words: written words, [words][limbs][lanes]; may omit commands.
        """
        self._edges: list[tuple[int, int, Lanes]] = []
        self._answers = np.zeros((program.answers, limbs_of(self._width), self._lanes), np.uint32)
        self._results: dict[ResultWord, None] = {}
        self._last = self._acknowledging = -1
        words = with_commands(program, words, self._width)
        granted = {transfer.cycle: transfer for transfer in program.transfers}
        resets = set(program.resets)
        for cycle in range(program.cycles):
            if cycle in resets:
                self._reset()
            self._watch(cycle)
            if cycle in granted:
                self._grant(granted[cycle], words)
        for group in self._groups:
            group.levels = [False] * len(PINS)
        self._origin += program.cycles
        table = np.array([(cycle, pin, i) for i, (cycle, pin, _) in enumerate(self._edges)], EDGE)
        masks = np.array([lanes for *_, lanes in self._edges], np.bool_)
        edges = Edges(table, masks.reshape(-1, self._lanes))
        return Prediction(edges, self._answers, tuple(self._results), self._last)

    def _reset(self) -> None:
        for group in self._groups:
            group.model.reset()
            group.rejected = False
        self._values = {address: [0] * self._lanes for address in self._values}

    def _watch(self, cycle: int) -> None:
        clock = self._origin + cycle
        for group in self._groups:
            levels = [
                self._acknowledging == cycle,
                group.rejected,
                group.model.busy(clock),
                group.model.done(clock),
            ]
            lanes = np.zeros(self._lanes, np.bool_)
            lanes[group.lanes] = True
            for pin, (old, new) in enumerate(zip(group.levels, levels, strict=True)):
                if old != new:
                    self._edges.append((cycle, pin, lanes))
            group.levels = levels

    def _grant(self, transfer: Transfer, words: Words) -> None:
        self._acknowledging = transfer.cycle + 1
        clock = self._origin + transfer.cycle
        data: list[int] = [0] * self._lanes
        if transfer.write:
            data = numbers_of(words[transfer.word : transfer.word + 1], self._width)
        groups: list[Group] = []
        for group in self._groups:
            request = Request(transfer.write, transfer.address, data[group.lanes[0]])
            rejected = group.model.rejection(request, clock) != "NONE"
            if transfer.write and transfer.address in group.model.operands and not rejected:
                counter = group.model.operands[transfer.address].counter
                self._write(transfer.address, counter, group.lanes, data)
            groups += self._granted(group, request, clock, transfer, rejected)
        self._groups = groups

    def _write(self, address: int, counter: int, lanes: Sequence[int], data: Sequence[int]) -> None:
        shift = counter * self._width
        keep = ~(((1 << self._width) - 1) << shift)
        values = self._values[address]
        for lane in lanes:
            values[lane] = values[lane] & keep | data[lane] << shift

    def _granted(
        self, group: Group, request: Request, clock: int, transfer: Transfer, rejected: bool
    ) -> list[Group]:
        model = group.model
        name = model.commands.get(request.data, "") if request.address == CONTROL else ""
        if request.write and not rejected and name.startswith("START"):
            children = self._start(group, request, clock)
            for child in children:
                child.rejected = False
            return children
        word = -1
        if not request.write and not rejected and request.address in model.results:
            word = model.results[request.address].counter
        answer = model.grant(request, clock)
        group.rejected = answer.rejected
        if word >= 0:
            self._results[ResultWord(transfer.answer, request.address, word)] = None
            mask = (1 << self._width) - 1
            values = group.results[request.address]
            found = [values[i] >> word * self._width & mask for i in range(len(group.lanes))]
        else:
            found = [answer.data] * len(group.lanes)
        self._answers[transfer.answer][:, group.lanes] = rows_of(found, 1, self._width)[0]
        return [group]

    def _start(self, group: Group, request: Request, clock: int) -> list[Group]:
        """Compute each lane's outcome; lanes with equal status and duration stay together."""
        found: dict[tuple[str, int], tuple[BusModel, list[int], list[Mapping[int, int]]]] = {}
        for lane in group.lanes:
            model = copy(group.model)
            model.operands = {key: copy(operand) for key, operand in model.operands.items()}
            model.results = {key: copy(result) for key, result in model.results.items()}
            for address, values in self._values.items():
                model.operands[address].value = values[lane]
            model.grant(request, clock)
            assert model.operation is not None  # it was just started
            outcome = model.operation.outcome
            key = (outcome.status, outcome.cycles)
            _, lanes, results = found.setdefault(key, (model, [], []))
            lanes.append(lane)
            results.append(outcome.values)
            self._last = max(self._last, clock - self._origin + outcome.cycles)
        return [
            Group(
                lanes,
                model,
                {address: [values[address] for values in results] for address in results[0]},
                levels=list(group.levels),
            )
            for model, lanes, results in found.values()
        ]


def with_commands(program: Program, words: Words, bus_width: int) -> Words:
    """Return the words of a program including its commands."""
    found = np.array(words, np.uint32)
    for row, code in program.fixed.items():
        found[row].T[:] = rows_of([code], 1, bus_width)[0].T
    return found


def differing(ran: Ran, answers: Words) -> Lanes:
    """Return the lanes of each batch in which a pin or an answer differs from the prediction.

    Args:
        ran: results of the run.
        answers: predicted answers, [answers][limbs][batches or 1][lanes].
    """
    return ran.wrong.any(axis=(1, 2)) | (ran.answers != answers).any(axis=(0, 1))
