"""Disturbances of a core that is no simulation: its cycles are drawn, or change when disturbed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import cast

import pytest

from verif.own_core.bench import BlackBoxRecord, Outcome
from verif.own_core.disturbances import UNDISTURBED, Disturbance, Restart, Scramble
from verif.own_core.draw import Draw, Operation
from verif.own_core.tests.styles import PRODUCT
from verif.own_core.trial import Trial

WIDTH, CYCLES, MOMENTS, SEEDS = 8, 9, 32, 200
# Cycles of an operation, from whether it is disturbed.
Time = Callable[[bool], int]


class FakeTrial:
    """Runs operations of a core whose results are right."""

    def __init__(self, time: Time, operations: int) -> None:
        self.config = SimpleNamespace(random=lambda purpose: Random(purpose))
        self.costly = operations == 1
        self._time = time

    async def run(
        self,
        operation: Operation,
        *,
        scramble: bool = False,
        restart: int = 0,
        before: int | None = None,
    ) -> Outcome:
        """Run one operation."""
        cycles = self._time(scramble or restart > 0)
        record = SimpleNamespace(busy_cycles=cycles, restarted=restart > 0)
        return Outcome(cast(BlackBoxRecord, record))

    async def pause(self, cycles: int) -> None:
        """Let the core rest."""

    async def fresh(self) -> None:
        """Reset the core."""


def alarms(time: Callable[[Random], Time], kind: type[Disturbance], operations: int) -> int:
    """Return the number of seeds with a message about other cycles."""

    async def attempt(seed: int) -> str:
        trial = cast(Trial, FakeTrial(time(Random(seed)), operations))
        disturbance = kind(trial, Draw(PRODUCT, WIDTH, Random(seed)))
        await disturbance.prepare()
        for moment in range(1, MOMENTS):
            if problem := await disturbance.tried(moment % CYCLES or 1):
                return problem
        return ""

    said = [asyncio.run(attempt(seed)) for seed in range(SEEDS)]
    assert all(UNDISTURBED in problem for problem in said if problem)
    return sum(map(bool, said))


def drawn(share: int) -> Callable[[Random], Time]:
    """One operation in ``share`` takes a cycle more."""
    return lambda rng: lambda disturbed: CYCLES + (rng.randrange(share) == 0)


def restarted(rng: Random) -> Time:
    """A disturbed operation takes longer."""
    return lambda disturbed: CYCLES + 3 * disturbed


@pytest.mark.parametrize("kind", [Restart, Scramble])
@pytest.mark.parametrize("share", [2, 3, 8, 30])
def test_cycles_that_a_core_draws_are_not_attributed_to_a_disturbance(
    kind: type[Disturbance], share: int
) -> None:
    assert alarms(drawn(share), kind, 20) == 0


@pytest.mark.parametrize("operations", [1, 20])
@pytest.mark.parametrize("kind", [Restart, Scramble])
def test_cycles_that_a_disturbance_changes_each_time_are_reported(
    kind: type[Disturbance], operations: int
) -> None:
    assert alarms(restarted, kind, operations) == SEEDS
