"""What is done to an operation of a core from outside, and whether that changes anything.

Every moment comes from the operation that is disturbed: it runs undisturbed first, with the same
operation before it. What a disturbance seems to change is tried once more after a reset, so that
nothing is blamed on it that shows without it, too.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from verif.own_core.bench import Outcome
from verif.own_core.draw import Draw, Operation
from verif.own_core.trial import Trial

# So often the operations run undisturbed: before the disturbances, and before one that is doubted.
ROUNDS, DOUBTED_ROUNDS = 2, 4
UNDISTURBED = "undisturbed it takes"


@dataclass
class Undisturbed:
    """An operation that runs without a disturbance.

    Attributes:
        operation: what is computed.
        cycles: from its start to done, the last time.
        steady: it took the same cycles each time.
        wrong: what is wrong with it already; empty if nothing is.
        late: likewise of its claimed cycles.
    """

    operation: Operation
    cycles: int = 0
    steady: bool = True
    wrong: str = ""
    late: str = ""

    async def run(self, trial: Trial) -> None:
        """Run it once."""
        outcome = await trial.run(self.operation)
        self.wrong = self.wrong or outcome.wrong
        self.late = self.late or outcome.late
        self.steady = self.steady and self.cycles in (0, outcome.clocks)
        self.cycles = outcome.clocks


class Disturbance(ABC):
    """Disturbs one operation, and looks at it and at the next one.

    Args:
        trial: runs operations.
        draw: draws them.
    """

    def __init__(self, trial: Trial, draw: Draw) -> None:
        self._trial, self._draw = trial, draw
        self._facts = draw.facts
        self._before: list[int] = []

    @property
    def cycles(self) -> int:
        """Of the operation that is disturbed, undisturbed."""
        return self._first.cycles

    async def prepare(self) -> str:
        """Choose two operations, run them undisturbed; says what is wrong already."""
        self._operations = (self._draw.any(), self._draw.any())
        self._before = []
        await self._run_undisturbed(ROUNDS)
        for one in (self._first, self._next):
            if one.wrong:
                return f"{one.operation.text(self._facts)}: already without it: {one.wrong}"
        return ""

    async def tried(self, moment: int) -> str:
        """Disturb the first operation so many cycles after its start; says what changed."""
        problem = await self._once(moment)
        if not problem:
            self._before.append(moment)
            return ""
        # It, or the one before it, is the cause; a core whose time varies by itself is neither.
        for suspect in (moment, *self._before[-1:]):
            await self._trial.fresh()
            await self._run_undisturbed(DOUBTED_ROUNDS)
            confirmed = await self._once(suspect)
            if confirmed:
                return confirmed
        await self._trial.fresh()
        # A wrong result is wrong, whatever led to it.
        return "" if UNDISTURBED in problem else f"after others like it, {problem}"

    async def _run_undisturbed(self, rounds: int) -> None:
        """Run the two in turn, so that each has the other before it as later."""
        self._first, self._next = (Undisturbed(one) for one in self._operations)
        costly = self._trial.config.job.operations == 1
        for _ in range(1 if costly else rounds):
            await self._first.run(self._trial)
            await self._next.run(self._trial)

    async def _once(self, moment: int) -> str:
        """One attempt: the disturbed operation, then the next one."""
        problem = await self._disturb(self._first, moment)
        if problem:
            return f"{self._how(moment)} {self._first.operation.text(self._facts)}: {problem}"
        problem = self._changed(self._next, await self._trial.run(self._next.operation))
        if problem:
            return (
                f"{self._how(moment)} {self._first.operation.text(self._facts)}: the next "
                f"operation, {self._next.operation.text(self._facts)}: {problem}"
            )
        return ""

    def _changed(self, one: Undisturbed, outcome: Outcome) -> str:
        """What differs from an operation that nothing disturbs."""
        if outcome.wrong or not one.steady or outcome.clocks == one.cycles:
            return outcome.wrong
        return f"took {outcome.clocks} cycles, {UNDISTURBED} {one.cycles}"

    @abstractmethod
    async def _disturb(self, one: Undisturbed, moment: int) -> str:
        """Run an operation disturbed; says what changed."""

    @abstractmethod
    def _how(self, moment: int) -> str:
        """What is done, in words that an operation follows."""


class Restart(Disturbance):
    """A second start; it carries other operands where the core is said to sample them."""

    @property
    def _others(self) -> bool:
        return self._facts.claims.operands == "sampled"

    async def _disturb(self, one: Undisturbed, moment: int) -> str:
        outcome = await self._trial.run(one.operation, restart=moment, scramble=self._others)
        if outcome.record and not outcome.record.restarted:
            # It was over by then, so the core may work on the second start.
            await self._trial.fresh()
            return ""
        return self._changed(one, outcome)

    def _how(self, moment: int) -> str:
        others = " with other operands" if self._others else ""
        return f"started again{others} {_cycles(moment)} into"


class Scramble(Disturbance):
    """Operands that change in the cycle after the start."""

    async def _disturb(self, one: Undisturbed, moment: int) -> str:
        return self._changed(one, await self._trial.run(one.operation, scramble=True))

    def _how(self, moment: int) -> str:
        return "operands changed after the start of"


class Reset(Disturbance):
    """A reset between two clock edges."""

    async def _disturb(self, one: Undisturbed, moment: int) -> str:
        await self._trial.cut(one.operation, moment)
        return ""

    def _changed(self, one: Undisturbed, outcome: Outcome) -> str:
        # What a core keeps from one operation to the next may be lost.
        if self._facts.claims.constant_time:
            return super()._changed(one, outcome)
        return outcome.wrong or ("" if one.late else outcome.late)

    def _how(self, moment: int) -> str:
        return f"after a reset {_cycles(moment)} into"


def _cycles(number: int) -> str:
    return f"{number} cycle{'' if number == 1 else 's'}"
