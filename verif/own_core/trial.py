"""Run operations on the user's own core, and collect what concerns its claims."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cocotb.triggers import Timer
from pyuvm import uvm_sequence

from verif.bench.configuration.config import CLOCK_PERIOD_NS
from verif.own_core.bench import (
    BlackBoxChecker,
    BlackBoxItem,
    CutItem,
    Outcome,
)
from verif.own_core.config import LIMIT_STEP, BlackBoxConfig
from verif.own_core.draw import Draw, Operation
from verif.own_core.explain import Explanations, Seen
from verif.own_core.smallest import Attempt, Smallest

# Lengths of the pause before an operation, in cycles: 0 to 63, drawn at random. Without it every
# start has the same phase of a divided clock: the words before it always take the same time.
GAPS = 64
# An operation may take this many times as long as the longest one before it.
LONGEST_FACTOR = 4
# Number of operations to find out whether a k other than the claimed one is right.
K_SAMPLES, NO_OTHER = 16, -1
# Exceptions of a mistake in the search for the smallest operation, and the words for it.
MISTAKES = (ArithmeticError, LookupError, TypeError, ValueError)
NO_SEARCH = "no search for a smaller one"
# An operation and its problem.
Problem = tuple[Operation, str]


class Trial:
    """Runs operations one after the other.

    Attributes:
        config: configuration of the job.
        costly: operations are so long that each case has only one.
        cycles: fewest and most cycles of the operations since :meth:`begin`; None before the first.
        all_cycles: fewest and most cycles over all cases.
        hung: number of operations that did not end.
        timed: True if operations that may differ in time have run.
        limit: cycles after which an operation counts as hung.
        shown: operations that show the problem of the present case on their own.
        unreported: first wrong operation that the test of a property met by the way.

    Args:
        config: configuration of the job.
        checker: checker with the outcome of each operation.
        sequence: sequence whose items are driven.
    """

    def __init__(
        self, config: BlackBoxConfig, checker: BlackBoxChecker, sequence: uvm_sequence
    ) -> None:
        self.config = config
        self.costly = config.job.operations == 1
        self.hung = 0
        self.cycles: tuple[int, int] | None = None
        self.all_cycles: tuple[int, int] | None = None
        self.shown: list[Operation] = []
        self._checker, self._sequence = checker, sequence
        self._gaps = config.random("gaps")
        self.limit = config.cycle_limit
        self._waited = False
        self._k: int | None = None
        self._first: dict[int, tuple[Operation, int]] = {}
        self.timed = False
        # The first problem of each kind, in any class.
        self.late: Problem | None = None
        self.unreduced: Problem | None = None
        self.leak: tuple[Operation, Operation] | None = None
        self.unreported: Problem | None = None

    def begin(self) -> None:
        """Begin a case."""
        self.cycles, self.shown = None, []

    async def run(
        self,
        operation: Operation,
        *,
        scramble: bool = False,
        restart: int = 0,
        before: int | None = None,
    ) -> Outcome:
        """Run one operation; see :class:`~verif.own_core.bench.BlackBoxItem` for the rest."""
        while True:
            item = BlackBoxItem(
                self.config, operation, scramble=scramble, restart=restart, before=before,
                limit=self.limit,
            )  # fmt: skip
            await self._pause(self._gaps.randrange(GAPS))
            self._checker.expect()
            await self._send(item)
            outcome = await self._checker.outcome(item)
            if not outcome.hung or not self._raise_limit():
                break
        self.hung += outcome.hung
        if outcome.record and not outcome.rejected and not restart:
            self._note(operation, outcome)
        return outcome

    async def right_k(self, draw: Draw) -> int | None:
        """Return the k with which results are right, if they are wrong with the claimed k."""
        description, width = self.config.description, self.config.width
        if not description.is_product:
            return None
        if self._k is None:
            await self.fresh()
            some = [draw.any() for _ in range(K_SAMPLES)]
            some = [one for one in some if one.m % 2]
            seen = [Seen(one, (await self.run(one)).result, 0) for one in some]
            explanations = Explanations({width: seen})
            claimed, found = description.k_at(width), explanations.choices.get(width, set())
            known = bool(found) and claimed not in found
            self._k = min(found) if known else NO_OTHER
        return None if self._k == NO_OTHER else self._k

    def _raise_limit(self) -> bool:
        """Raise a guessed limit for an operation; only once if no operation ends."""
        longest = (self.all_cycles or (0, 0))[1]
        if self._waited or self.limit >= self.config.last_limit:
            self._waited = True
            self.limit = max(self.config.cycle_limit, LONGEST_FACTOR * longest)
            return False
        self.limit = min(LIMIT_STEP * self.limit, self.config.last_limit)
        return True

    async def cut(self, operation: Operation, after: int) -> None:
        """Begin an operation and reset the core ``after`` cycles after its start."""
        self._checker.expect()
        await self._send(CutItem(BlackBoxItem(self.config, operation), after))

    async def fresh(self) -> None:
        """Reset the core, so that the next operation does not depend on earlier ones."""
        self._checker.expect()
        await self._send(CutItem())

    async def _pause(self, cycles: int) -> None:
        if cycles:
            await Timer(cycles * CLOCK_PERIOD_NS, "ns")

    async def smallest(
        self,
        found: Problem,
        attempt: Attempt,
        draws: Callable[[Draw], Operation] = Draw.any,
        belongs: Callable[[Operation], bool] | None = None,
    ) -> Problem:
        """Return the smallest operation with the same failure.

        A mistake in the search must not hide the failure, so the failure's own message stays.

        Args:
            found: an operation and its problem.
            attempt: runs an operation; returns its failure, or "".
            draws: see :class:`~verif.own_core.smallest.Smallest`.
            belongs: see ``Smallest``; default: every legal operation belongs.
        """
        draw = Draw(self.config.description, self.config.width, self.config.random("smallest"))

        async def alone(operation: Operation) -> str:
            await self.fresh()
            return await attempt(operation)

        search = Smallest(self.config, draws, belongs or draw.legal, alone)
        try:
            return await search.search(*found)
        except MISTAKES as error:
            operation, problem = found
            return operation, f"{problem} ({NO_SEARCH}: {type(error).__name__}: {error})"

    def text(self, found: Problem) -> str:
        """Return an operation and its problem in words; note it as the one to show in waves."""
        operation, problem = found
        self.shown = [operation]
        return f"{operation.text(self.config.description)}: {problem}"

    def _note(self, operation: Operation, outcome: Outcome) -> None:
        cycles = outcome.cycles
        self.cycles = _widened(self.cycles, cycles)
        self.all_cycles = _widened(self.all_cycles, cycles)
        if outcome.late and not self.late:
            self.late = operation, outcome.late
        if outcome.unreduced and not self.unreduced:
            self.unreduced = operation, outcome.unreduced
        first, known = self._first.setdefault(operation.length, (operation, cycles))
        if known != cycles and not self.leak:
            self.leak = first, operation

    async def _send(self, item: Any) -> None:
        await self._sequence.start_item(item)
        await self._sequence.finish_item(item)


def _widened(known: tuple[int, int] | None, number: int) -> tuple[int, int]:
    """Return a range extended by one number."""
    least, most = known or (number, number)
    return min(least, number), max(most, number)
