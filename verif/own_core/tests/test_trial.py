"""A mistake of the check itself does not hide what the check found."""

from __future__ import annotations

import asyncio
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from verif.own_core import smallest
from verif.own_core.behaviours import Behaviours
from verif.own_core.bench import Outcome
from verif.own_core.draw import Draw, Operation
from verif.own_core.tests.styles import PRODUCT
from verif.own_core.trial import Trial


def test_a_mistake_in_the_search_keeps_the_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smallest, "get_sim_time", lambda unit: 0.0)
    config = SimpleNamespace(
        job=SimpleNamespace(operations=20, simulator="icarus"),
        description=PRODUCT,
        width=8,
        cycle_limit=1000,
        random=lambda purpose: Random(purpose),
    )
    trial = Trial(cast(Any, config), cast(Any, None), cast(Any, None))
    found = Operation(3, 4, 9, 8), "result = 0x0, gmpy2 says 0x3"

    async def attempt(operation: Operation) -> str:
        raise AssertionError("no operation belongs")

    def belongs(operation: Operation) -> bool:
        raise ValueError("negative shift count")

    kept, problem = asyncio.run(trial.smallest(found, attempt, belongs=belongs))
    assert kept == found[0]
    assert problem == f"{found[1]} (no search for a smaller one: ValueError: negative shift count)"


def test_the_operation_before_is_the_one_that_ran() -> None:
    ran: list[Operation] = []

    async def run(operation: Operation, *, before: int | None = None) -> Outcome:
        ran.append(operation)
        return Outcome(wrong="wrong" * (len(ran) == 2))

    config = SimpleNamespace(job=SimpleNamespace(operations=1))
    trial = cast(Trial, SimpleNamespace(costly=True, config=config, run=run))
    said = asyncio.run(Behaviours(trial, Draw(PRODUCT, 8, Random(1))).back_to_back())
    first, second = (one.text(PRODUCT) for one in ran)
    assert said == f"{second} after {first}: wrong"


def test_the_search_ends_if_operands_may_have_any_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """No operation belongs, so no simulated time passes."""
    monkeypatch.setattr(smallest, "get_sim_time", lambda unit: 0.0)
    description = PRODUCT.model_copy(update={"operands_below": "2**n"})
    job = SimpleNamespace(operations=20, simulator="icarus")
    config = SimpleNamespace(job=job, description=description, width=64, cycle_limit=1000)

    async def attempt(operation: Operation) -> str:
        raise AssertionError("no operation belongs")

    def belongs(operation: Operation) -> bool:
        return False

    search = smallest.Smallest(cast(Any, config), lambda draw: draw.any(), belongs, attempt)
    assert sum(1 for _ in search._every_one(Operation(1, 1, 1 << 63 | 1, 64))) < 50_000
