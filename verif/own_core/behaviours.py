"""Properties that a core description claims besides correct results, and how each is tested."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from verif.own_core.bench import Outcome
from verif.own_core.classes import classes_of
from verif.own_core.disturbances import Disturbance, Reset, Restart, Scramble
from verif.own_core.draw import Draw, Operation
from verif.own_core.time_leak import TimeLeak
from verif.own_core.trial import Problem, Trial

# Cycles of an operation at which it is disturbed: all cycles of operations up to ALL_MOMENTS, else
# the first and last EDGE_MOMENTS and as many in between. SHARED_BY operations share the cycles.
ALL_MOMENTS = 48
EDGE_MOMENTS = 8
SHARED_BY = 4
# As ALL_MOMENTS and EDGE_MOMENTS, if operations are so long that a class has only one of them.
FEW_MOMENTS, FEW_EDGES = 3, 1
FEWEST = 4
# Up to this many bits exponents of every Hamming weight are tried.
EVERY_WEIGHT = 20
# Runs of one operation whose time must be the same before an operand is named as the reason.
REPEATS = 6


class Behaviours:
    """Tests the claimed properties of a core; each method returns what is wrong, or "".

    Args:
        trial: runs operations.
        draw: draws operations.
        known: operations that may show a violation on their own.
    """

    def __init__(self, trial: Trial, draw: Draw, known: Sequence[Operation] = ()) -> None:
        self._trial, self._draw, self._known = trial, draw, known
        self._description = draw.description
        self._count = 1 if trial.costly else max(FEWEST, trial.config.job.operations)

    # Properties that every operation checks

    async def latency(self) -> str:
        """All operations so far and some more take the claimed number of cycles."""
        return await self._noted(lambda: self._trial.late, lambda outcome: outcome.late)

    async def reduced(self) -> str:
        """The results of all operations so far and of some more are below M."""
        return await self._noted(lambda: self._trial.unreduced, lambda outcome: outcome.unreduced)

    async def _noted(
        self, noted: Callable[[], Problem | None], about: Callable[[Outcome], str]
    ) -> str:
        await self._run_until(noted)
        found = noted()
        if not found:
            return ""
        if found[0] in self._known:  # already small, and the waves must end with it
            return self._trial.text(found)

        async def attempt(operation: Operation) -> str:
            return about(await self._trial.run(operation))

        return self._trial.text(await self._trial.smallest(found, attempt))

    async def constant_time(self) -> str:
        """All operations of one length take the same time; a leak is reported with two of them."""
        trial, description = self._trial, self._description
        await self._run_until(lambda: trial.leak)
        if not trial.leak:
            return ""
        first, second = trial.leak
        leak = TimeLeak(trial, self._draw)
        if first in self._known and second in self._known:
            decides = leak.decides(first, second)
        else:
            await trial.fresh()
            times = [{(await trial.run(one)).cycles for _ in range(REPEATS)} for one in trial.leak]
            if times[0] == times[1] or any(len(some) > 1 for some in times):
                return (
                    f"the number of cycles of {first.text(description)} or of "
                    f"{second.text(description)} depends on the operation before it or on the "
                    "cycle of its start"
                )
            first, second, decides = await leak.narrowed(first, second)
        trial.shown = [first, second]
        one, other = (await trial.run(first)).cycles, (await trial.run(second)).cycles
        return (
            f"{first.text(description)} took {one} cycles, "
            f"{second.text(description)} took {other}: {decides}"
        )

    async def _run_until(self, noted: Callable[[], object]) -> None:
        """Run operations of all classes and exponent weights until a violation is noted."""
        hung = self._trial.hung
        for operation in chain(self._known, () if self._trial.timed else self._timed()):
            if noted() or self._trial.hung > hung:
                return
            outcome = await self._trial.run(operation)
            if outcome.hung or (outcome.wrong and not self._trial.unreported):
                self._trial.unreported = operation, outcome.wrong
        self._trial.timed = True
        self._trial.cycles = self._trial.all_cycles

    def _timed(self) -> Iterator[Operation]:
        """Yield operations that differ in properties for which a core may need another cycle."""
        draw, n = self._draw, self._draw.width
        if not self._trial.config.has_classes:  # otherwise the classes have run already
            some = (one.operations(draw, 1) for one in classes_of(self._description) if one.legal)
            yield from chain.from_iterable(some)
        m = draw.modulus()
        for _ in range(self._count):
            yield draw.with_modulus(m)
        if not self._description.is_product:
            base = draw.operand(m)
            for weight in self._weights():
                ones = (1 << weight) - 1
                both = (Operation(base, ones << at, m, n) for at in (0, n - weight))
                yield from filter(draw.legal, both)

    def _weights(self) -> Sequence[int]:
        """Return the exponent weights: all of them if that takes few operations."""
        n = self._draw.width
        if self._trial.costly:
            return sorted({0, 1, n // 2, n})
        return range(n + 1) if n <= EVERY_WEIGHT else sorted({0, 1, 2, n // 2, n - 1, n})

    # Disturbances of an operation

    async def back_to_back(self) -> str:
        """An operation is right after another one, also if started in the cycle after its done."""
        before = self._draw.any()
        await self._trial.run(before)  # the message names it as the one before
        for index in range(2 * self._count):
            now = self._draw.any()
            if index % 4 == 2:
                now = self._draw.with_modulus(self._draw.next_to(before.m))
            elif index % 4 == 3:
                now = self._draw.with_modulus(before.m)
            at_once = self._draw.second(now.m, now.length) if index % 2 else None
            outcome = await self._trial.run(now, before=at_once)
            problem = outcome.wrong or await self._late_by_context(now, outcome)
            if problem:
                how = before.text(self._description)
                if at_once is not None:
                    what = "y" if self._description.is_product else "exponent"
                    how = f"the same with {what}={at_once:#x}, in the cycle after its done"
                return f"{now.text(self._description)} after {how}: {problem}"
            before = now
        return ""

    async def _late_by_context(self, operation: Operation, outcome: Outcome) -> str:
        """Return how an operation missed its claimed cycles; "" if it also misses them alone."""
        if not outcome.late:
            return ""
        await self._trial.fresh()
        return "" if (await self._trial.run(operation)).late else outcome.late

    async def reset(self) -> str:
        """After a reset in any cycle of an operation the next operation is right."""
        return await self._each_moment(Reset(self._trial, self._draw))

    async def restart(self) -> str:
        """A second start during an operation changes nothing."""
        return await self._each_moment(Restart(self._trial, self._draw))

    async def scramble(self) -> str:
        """Operands that change after the start change nothing."""
        disturbance = Scramble(self._trial, self._draw)
        for _ in range(1 if self._trial.costly else max(2, self._count // 4)):
            problem = await disturbance.prepare() or await disturbance.tried(0)
            if problem:
                return problem
        return ""

    async def _each_moment(self, disturbance: Disturbance) -> str:
        """Disturb operations in cycles of their own duration.

        Several operations share these cycles, and each has the first and the last one.
        """
        share = 1 if self._trial.costly else SHARED_BY
        for index in range(share):
            problem = await disturbance.prepare()
            moments = [] if problem else self._moments(disturbance.cycles)
            for moment in sorted({*moments[index::share], *moments[:1], *moments[-1:]}):
                problem = problem or await disturbance.tried(moment)
            if problem:
                return problem
        return ""

    def _moments(self, cycles: int) -> list[int]:
        """Return the cycles after the start and before done at which to disturb an operation."""
        most, edge = (FEW_MOMENTS, FEW_EDGES) if self._trial.costly else (ALL_MOMENTS, EDGE_MOMENTS)
        if cycles <= max(most, 3 * edge):
            return list(range(1, cycles))
        edges = [*range(1, edge + 1), *range(cycles - edge, cycles)]
        between = self._draw.rng.sample(range(edge + 1, cycles - edge), edge)
        return sorted({*edges, *between})
