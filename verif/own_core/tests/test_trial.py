"""A mistake of the check itself does not hide what the check found."""

from __future__ import annotations

import asyncio
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from verif.own_core import smallest
from verif.own_core.description import CoreDescription
from verif.own_core.draw import Operation
from verif.own_core.trial import Trial


def test_a_mistake_in_the_search_keeps_the_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smallest, "get_sim_time", lambda unit: 0.0)
    description = CoreDescription.model_validate(
        {"name": "fake", "sources": ("f.sv",), "shim": "f", "computes": "product"}
    )
    config = SimpleNamespace(
        job=SimpleNamespace(operations=20, simulator="icarus"),
        description=description,
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
