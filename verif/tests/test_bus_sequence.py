"""What must find an operation busy ends before it does, however many wait states it meets."""

from __future__ import annotations

import asyncio

import pytest

from models.registry import hardware_architectures
from verif.bench.agent.item import LoaderItem, MultiplierItem, ResetItem, TransferItem, ZeroiseItem
from verif.bench.configuration.config import BenchConfig
from verif.bench.configuration.job import job_of
from verif.bench.sequences import multiplier
from verif.bench.sequences.sequence import longest_transfer


class BusSequence(multiplier.BusSequence):
    """Records the transfers instead of sending them."""

    def __init__(self, config: BenchConfig) -> None:
        super().__init__(config)
        self.found: list[MultiplierItem] = []

    async def send(self, item: LoaderItem | TransferItem | ResetItem | ZeroiseItem) -> None:
        assert isinstance(item, MultiplierItem)
        self.found.append(item)


def sent(name: str, width: int) -> tuple[BenchConfig, list[MultiplierItem]]:
    """The configuration, and the operations with something in their way."""
    parameters = {"BusWidth": 8}
    job = job_of("bus", name, width, "verilator", 1, 200, parameters)
    config = BenchConfig.from_job(job)
    sequence = BusSequence(config)
    asyncio.run(sequence.body())
    return config, [item for item in sequence.found if item.disturbances]


@pytest.mark.parametrize("name", hardware_architectures())
@pytest.mark.parametrize("width", [18, 20, 64])
def test_what_must_find_it_busy_ends_before_it(name: str, width: int) -> None:
    config, items = sent(name, width)
    assert items
    for item in items:
        busy = config.entry.timing.operation_cycles(
            item.m, width, fresh_modulus=False,
            add_width=config.add_width, bus_width=config.bus_width,
        )  # fmt: skip
        assert len(item.disturbances) * longest_transfer(item.stall) <= busy


def test_a_long_operation_keeps_its_many_wait_states() -> None:
    _, items = sent("fast_montgomery", 128)
    assert {item.stall for item in items} == {0, 64, 192}
