"""Many operations of the same form: the lanes differ only in their values."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from verif.library.lanes.bench import LaneBench, Operation, Planned, Planner
from verif.library.lanes.host import Prediction, differing
from verif.library.lanes.machine import Lanes, Observers, Prepared, Ran, Words
from verif.library.lanes.program import Values, rows_of


class DifferenceError(Exception):
    """An answer of a lane differs from its prediction; nothing was measured."""


class UniformOperations:
    """Operations with the same outcome as a leader, except for their results.

    Attributes:
        planned: one of these operations.

    Args:
        bench: the design.
        leader: the leader: an operation with the operands of one lane.
        first: the operation after the reset; default: the leader. Registers of a result that no
            operation reads would keep their initial values, which differ from lane to lane.

    Raises:
        DifferenceError: the leader's operation does not end as predicted.
    """

    def __init__(self, bench: LaneBench, leader: Operation, first: Operation | None = None) -> None:
        self._bench = bench
        planner = Planner(bench.bus_model(), 1)
        # The first operation follows a reset. All others follow an operation of the same form.
        before = planner.plan(first or leader)
        self.planned = planner.plan(leader)
        ran = bench.machine.run(self._prepare(before), before.words[:, :, np.newaxis])
        if differing(ran, before.prediction.answers[:, :, np.newaxis]).any():
            raise DifferenceError(f"{bench.recipe.top}: not as predicted with {leader.operands}")
        self._prepared = self._prepare(self.planned)

    @property
    def _bits(self) -> int:
        return self._bench.bus_width

    def _prepare(self, planned: Planned) -> Prepared:
        return self._bench.machine.prepare(planned.program, planned.prediction.edges)

    def words(self, operands: Mapping[int, Values]) -> Words:
        """Return the written words, [words][limbs][batches][lanes].

        Args:
            operands: values by address, in the leader's order; one for each lane of each batch.
        """
        (phase,) = self.planned.phases
        lanes = len(next(iter(operands.values())))
        words = np.repeat(self.planned.words, lanes, axis=2)
        for address, values in operands.items():
            rows = phase.loads[address]
            words[rows] = rows_of(values, rows.stop - rows.start, self._bits)
        return self._batched(words)

    def answers(self, results: Mapping[int, Values]) -> Words:
        """Return the expected answers, [answers][limbs][batches][lanes].

        Args:
            results: values by address that the leader reads; one value for each lane of each batch.
        """
        return self._batched(with_results(self.planned.prediction, results, self._bits))

    def run(self, words: Words, answers: Words, observers: Observers | None = None) -> Lanes:
        """Run batches; return the lanes that differ, [batches][lanes]."""
        return differing(self.run_unchecked(words, observers), answers)

    def run_unchecked(self, words: Words, observers: Observers | None = None) -> Ran:
        """Run batches; compare only the pins."""
        return self._bench.machine.run(self._prepared, words, observers=observers)

    def _batched(self, rows: Words) -> Words:
        return rows.reshape(*rows.shape[:-1], -1, self._bench.machine.lanes)


def with_results(prediction: Prediction, results: Mapping[int, Values], bus_width: int) -> Words:
    """Return the answers of a one-lane prediction, with each lane's own results.

    Args:
        prediction: prediction of a host with one lane.
        results: results of every lane, by address.
        bus_width: bits of a bus word.
    """
    lanes = len(next(iter(results.values())))
    found = np.repeat(prediction.answers, lanes, axis=2)
    rows: dict[int, Words] = {}
    for place in prediction.results:
        if place.address not in rows:
            words = 1 + max(p.word for p in prediction.results if p.address == place.address)
            rows[place.address] = rows_of(results[place.address], words, bus_width)
        found[place.answer] = rows[place.address][place.word]
    return found
