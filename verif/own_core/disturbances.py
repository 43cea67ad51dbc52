"""Disturb an operation of the user's own core and check whether anything changes.

The operation first runs undisturbed, with the same operation before it; this gives the cycles at
which it can be disturbed. If a disturbance seems to change something, it runs once more after a
reset, so that a problem without a disturbance is not attributed to it. If it seems to change the
cycles alone, it repeats several times, each time after a pause of random length: a core may draw
its time, or its time may depend on the phase of a clock that it divides.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from verif.own_core.bench import Outcome
from verif.own_core.draw import Draw, Operation
from verif.own_core.trial import Trial

# Runs of the operations without a disturbance, before all disturbances.
ROUNDS = 2
# Times that a change of cycles must repeat, each time next to undisturbed runs of equal cycles. If
# cycles are random, a repetition does so with a probability of about 1/4. The second number is for
# costly operations.
REPEATED, FEW_REPEATED = 16, 6
UNDISTURBED = "undisturbed it takes"


@dataclass
class Undisturbed:
    """An operation that runs without a disturbance.

    Attributes:
        operation: the operation.
        cycles: cycles from its start to done in the last run.
        steady: True if it took the same cycles in each run.
        wrong: message if it is wrong without a disturbance; otherwise empty.
        late: message if it misses its claimed cycles; otherwise empty.
    """

    operation: Operation
    cycles: int = 0
    steady: bool = True
    wrong: str = ""
    late: str = ""

    async def run(self, trial: Trial) -> None:
        """Run the operation once."""
        outcome = await trial.run(self.operation)
        self.wrong = self.wrong or outcome.wrong
        self.late = self.late or outcome.late
        self.steady = self.steady and self.cycles in (0, outcome.cycles)
        self.cycles = outcome.cycles


class Disturbance(ABC):
    """Disturbs one operation, and checks it and the next one.

    Args:
        trial: runs operations.
        draw: draws operations.
    """

    def __init__(self, trial: Trial, draw: Draw) -> None:
        self._trial, self._draw = trial, draw
        self._description = draw.description
        self._before: list[int] = []

    @property
    def cycles(self) -> int:
        """Cycles of the undisturbed operation."""
        return self._first.cycles

    async def prepare(self) -> str:
        """Choose two operations and run them without a disturbance; return their failure, or "".

        A core that loses the operands or the sum must not be right by chance.
        """
        self._operations = (self._draw.without_special_result(), self._draw.any())
        self._before = []
        await self._run_undisturbed(ROUNDS)
        for one in (self._first, self._next):
            if one.wrong:
                return f"{one.operation.text(self._description)}: already without it: {one.wrong}"
        return ""

    async def tried(self, moment: int) -> str:
        """Disturb the first operation ``moment`` cycles after its start; return what changed."""
        problem = await self._once(moment)
        if not problem:
            self._before.append(moment)
            return ""
        # This disturbance or the one before it is the cause, unless the core's time varies anyway.
        for suspect in (moment, *self._before[-1:]):
            confirmed = await self._repeated(suspect)
            if confirmed:
                return confirmed
        await self._trial.fresh()
        # Report every wrong result, also without a disturbance.
        return "" if UNDISTURBED in problem else f"after others like it, {problem}"

    async def _repeated(self, moment: int) -> str:
        """Repeat an attempt after a reset; return what it changes.

        A wrong result counts if it occurs once; other cycles count if they occur each time.
        """
        await self._trial.fresh()
        await self._run_undisturbed(1)  # the first operation after a reset may take longer
        self._first, self._next = (Undisturbed(one) for one in self._operations)
        problem = ""
        for _ in range(FEW_REPEATED if self._trial.costly else REPEATED):
            await self._first.run(self._trial)
            await self._next.run(self._trial)
            problem = await self._once(moment)
            if UNDISTURBED not in problem:
                break
        return problem

    async def _run_undisturbed(self, rounds: int) -> None:
        """Run the two operations in turn, so that each follows the other, as it does later."""
        self._first, self._next = (Undisturbed(one) for one in self._operations)
        for _ in range(1 if self._trial.costly else rounds):
            await self._first.run(self._trial)
            await self._next.run(self._trial)

    async def _once(self, moment: int) -> str:
        """Run one attempt: the disturbed operation, then the next operation."""
        problem = await self._disturb(self._first, moment)
        if problem:
            return f"{self._how(moment)} {self._first.operation.text(self._description)}: {problem}"
        problem = self._changed(self._next, await self._trial.run(self._next.operation))
        if problem:
            return (
                f"{self._how(moment)} {self._first.operation.text(self._description)}: the next "
                f"operation, {self._next.operation.text(self._description)}: {problem}"
            )
        return ""

    def _changed(self, one: Undisturbed, outcome: Outcome) -> str:
        """Return what differs from the undisturbed operation."""
        if outcome.wrong or not one.steady or outcome.cycles == one.cycles:
            return outcome.wrong
        return f"took {outcome.cycles} cycles, {UNDISTURBED} {one.cycles}"

    @abstractmethod
    async def _disturb(self, one: Undisturbed, moment: int) -> str:
        """Run an operation with the disturbance; return what changed."""

    @abstractmethod
    def _how(self, moment: int) -> str:
        """Return the disturbance in words; the operation follows in the message."""


class Restart(Disturbance):
    """A second start, with other operands if the core is claimed to sample its operands.

    The core may keep the second start until its done, and work it off before the bench comes with
    the next operation. Therefore one more operation begins in the cycle after the done.
    """

    @property
    def _others(self) -> bool:
        return self._description.claims.operands == "sampled"

    async def _disturb(self, one: Undisturbed, moment: int) -> str:
        outcome = await self._trial.run(one.operation, restart=moment, scramble=self._others)
        if outcome.record and not outcome.record.restarted:
            # The operation had ended, so the core may process the second start.
            await self._trial.fresh()
            await one.run(self._trial)  # the next operation follows it, as it does undisturbed
            return ""
        return self._changed(one, outcome) or await self._kept(one, moment)

    async def _kept(self, one: Undisturbed, moment: int) -> str:
        """Return what is wrong with an operation in the cycle after the done of a disturbed one."""
        trial, now = self._trial, one.operation
        before = self._draw.second(now.m, now.length)
        said = await trial.run(now, restart=moment, scramble=self._others, before=before)
        # An operation that was over before its second start may have left the core free to take it.
        if said.wrong and said.record and said.record.restarted:
            await trial.fresh()
            if not (await trial.run(now, scramble=self._others, before=before)).wrong:
                return f"the next one, in the cycle after its done: {said.wrong}"
        return ""

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
        # The reset may clear values that the core keeps from one operation to the next.
        if self._description.claims.constant_time:
            return super()._changed(one, outcome)
        return outcome.wrong or ("" if one.late else outcome.late)

    def _how(self, moment: int) -> str:
        return f"after a reset {_cycles(moment)} into"


def _cycles(number: int) -> str:
    return f"{number} cycle{'' if number == 1 else 's'}"
