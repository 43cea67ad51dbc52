"""What must find an operation busy ends before it does, however many wait states it meets."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from models.registry import hardware_architectures
from verif.bench.agent.front_masters import pauses
from verif.bench.agent.front_model import MOST_IDLE_CYCLES
from verif.bench.agent.item import BusItem, LoaderItem
from verif.bench.configuration.config import BenchConfig
from verif.bench.configuration.job import job_of
from verif.bench.configuration.tops import EXPONENTIATION
from verif.bench.sequences import exponentiation, multiplier
from verif.bench.sequences.sequence import LoaderSequence, longest_transfer

SEQUENCES = {"bus": multiplier.BusSequence, "exp_bus": exponentiation.BusSequence}
FRONTS = (1, 2, 3)


def disturbed(
    test: str, name: str, width: int, monkeypatch: pytest.MonkeyPatch, **parameters: int
) -> tuple[BenchConfig, list[LoaderItem]]:
    """The configuration, and the operations with something in their way."""
    found: list[LoaderItem] = []

    async def record(_: LoaderSequence, item: BusItem) -> None:
        assert isinstance(item, LoaderItem)
        found.append(item)

    monkeypatch.setattr(LoaderSequence, "send", record)
    config = BenchConfig.from_job(job_of(test, name, width, "verilator", 1, 200, parameters))
    asyncio.run(SEQUENCES[test](config).body())
    return config, [item for item in found if item.disturbances]


def product_cycles(config: BenchConfig, item: LoaderItem) -> int:
    return config.entry.timing.operation_cycles(
        item.m, config.width, fresh_modulus=False,
        add_width=config.add_width, bus_width=config.bus_width,
    )  # fmt: skip


def power_cycles(config: BenchConfig, item: LoaderItem) -> int:
    core = EXPONENTIATION.model(config.at)
    return core.operation_cycles(item.modulus, item.length, compute_r_squared=False)


@pytest.mark.parametrize("name", hardware_architectures())
@pytest.mark.parametrize("width", [18, 20, 64])
def test_what_must_find_it_busy_ends_before_it(
    name: str, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    config, items = disturbed("bus", name, width, monkeypatch, BusWidth=8)
    assert items
    for item in items:
        longest = longest_transfer(item.stall, front=False)
        assert len(item.disturbances) * longest <= product_cycles(config, item)


@pytest.mark.parametrize("name", ["unfolded_mm42", "fast_montgomery", "mwrkmm"])
def test_what_must_find_a_power_busy_ends_before_it(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    config, items = disturbed("exp_bus", name, 4, monkeypatch)
    assert items
    for item in items:
        longest = longest_transfer(item.stall, front=False)
        assert len(item.disturbances) * longest <= power_cycles(config, item)


@pytest.mark.parametrize("front", FRONTS)
@pytest.mark.parametrize("width", [8, 33])
def test_through_a_front_a_rejection_takes_two_accesses_and_their_pauses(
    width: int, front: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    config, items = disturbed("bus", "fast_montgomery", width, monkeypatch, Front=front)
    assert items
    for item in items:
        longest = 2 * (4 + 2 * MOST_IDLE_CYCLES) if item.stall else 2 * 4
        assert len(item.disturbances) * longest <= product_cycles(config, item)


def test_a_pause_of_a_master_has_an_end() -> None:
    generator = pauses(Random(1))
    cycles = "".join(str(int(next(generator))) for _ in range(10000))
    assert max(map(len, cycles.split("0"))) == MOST_IDLE_CYCLES


def test_a_long_operation_keeps_its_many_wait_states(monkeypatch: pytest.MonkeyPatch) -> None:
    _, items = disturbed("bus", "fast_montgomery", 128, monkeypatch, BusWidth=8)
    assert {item.stall for item in items} == {0, 64, 192}
