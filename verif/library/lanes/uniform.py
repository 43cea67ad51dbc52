"""Many operations of one shape: the lanes differ in their values alone."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from verif.library.lanes.bench import LaneBench, Operation, Planned, Planner
from verif.library.lanes.host import Prediction, differing
from verif.library.lanes.machine import Lanes, Observers, Prepared, Ran, Words
from verif.library.lanes.program import Values, rows_of


class DifferenceError(Exception):
    """A lane answered otherwise than predicted, before anything was measured."""


class UniformOperations:
    """Operations that all have the outcome of a leader, but for their results.

    Attributes:
        planned: one of them.

    Args:
        bench: the design.
        leader: one lane's operands.

    Raises:
        DifferenceError: the leader's operation does not end as predicted.
    """

    def __init__(self, bench: LaneBench, leader: Operation) -> None:
        self._bench = bench
        planner = Planner(bench.bus_model(), 1)
        # The first one follows a reset; from the second on each follows one of its kind.
        first = planner.plan(leader)
        self.planned = planner.plan(leader)
        ran = bench.machine.run(self._prepare(first), first.words[:, :, np.newaxis])
        if differing(ran, first.prediction.answers[:, :, np.newaxis]).any():
            raise DifferenceError(f"{bench.recipe.top}: not as predicted with {leader.operands}")
        self._prepared = self._prepare(self.planned)

    @property
    def _bits(self) -> int:
        return self._bench.bus_width

    def _prepare(self, planned: Planned) -> Prepared:
        return self._bench.machine.prepare(planned.program, planned.prediction.edges)

    def words(self, operands: Mapping[int, Values]) -> Words:
        """What is written, [words][limbs][batches][lanes].

        Args:
            operands: by select, in the leader's order; a value for each lane of each batch.
        """
        (phase,) = self.planned.phases
        lanes = len(next(iter(operands.values())))
        words = np.repeat(self.planned.words, lanes, axis=2)
        for select, values in operands.items():
            rows = phase.loads[select]
            words[rows] = rows_of(values, rows.stop - rows.start, self._bits)
        return self._batched(words)

    def answers(self, results: Mapping[int, Values]) -> Words:
        """What must be read, [answers][limbs][batches][lanes].

        Args:
            results: by select, those that the leader reads; a value for each lane of each batch.
        """
        return self._batched(with_results(self.planned.prediction, results, self._bits))

    def run(self, words: Words, answers: Words, observers: Observers | None = None) -> Lanes:
        """Run batches; returns the lanes that differ, [batches][lanes]."""
        return differing(self.run_unchecked(words, observers), answers)

    def run_unchecked(self, words: Words, observers: Observers | None = None) -> Ran:
        """Run batches; nothing is compared but the pins."""
        return self._bench.machine.run(self._prepared, words, observers=observers)

    def _batched(self, rows: Words) -> Words:
        return rows.reshape(*rows.shape[:-1], -1, self._bench.machine.lanes)


def with_results(prediction: Prediction, results: Mapping[int, Values], bus_width: int) -> Words:
    """The answers of a prediction of one lane with each lane's own results.

    Args:
        prediction: of a host with one lane.
        results: of every lane by select.
        bus_width: bits of a word.
    """
    lanes = len(next(iter(results.values())))
    found = np.repeat(prediction.answers, lanes, axis=2)
    rows: dict[int, Words] = {}
    for place in prediction.results:
        if place.select not in rows:
            words = 1 + max(p.word for p in prediction.results if p.select == place.select)
            rows[place.select] = rows_of(results[place.select], words, bus_width)
        found[place.answer] = rows[place.select][place.word]
    return found
