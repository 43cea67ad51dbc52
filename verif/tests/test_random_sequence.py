"""Random runs reach every table address, exhaustive ones every operand triple of each field."""

from __future__ import annotations

import asyncio
from itertools import product

import pytest

from models.registry import hardware_architectures
from models.status import Status
from verif.bench.agent.item import MultiplierItem
from verif.bench.configuration.config import BenchConfig
from verif.bench.configuration.job import job_of
from verif.bench.sequences import multiplier
from verif.bench.sequences.operands import Triple

WIDTH, OPERATIONS = 32, 100  # as in the list quick


class RandomSequence(multiplier.RandomSequence):
    """Records the operations instead of sending them; the stimulus depends on the name."""

    def __init__(self, config: BenchConfig) -> None:
        super().__init__(config)
        self.found: list[tuple[Triple, bool]] = []

    async def multiply(
        self, triple: Triple, *, load: int = 7, raw: bool = False, binary: bool = False
    ) -> None:
        self.found.append((triple, binary))


def sent(name: str, seed: int = 1) -> list[tuple[Triple, bool]]:
    """What the sequence multiplies, each with whether it is in GF(2**n)."""
    job = job_of("random", name, WIDTH, "verilator", seed=seed, operations=OPERATIONS)
    sequence = RandomSequence(BenchConfig.from_job(job))
    asyncio.run(sequence.body())
    return sequence.found


def addresses(name: str, products: list[tuple[Triple, bool]]) -> set[int]:
    """Table addresses that the products in GF(P) read, by the model."""
    entry = hardware_architectures()[name]
    return {
        address
        for triple, binary in products
        if not binary
        for address in entry.coverage.addresses(*triple, WIDTH)
    }


@pytest.mark.parametrize("name", hardware_architectures())
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_table_address_is_reached(name: str, seed: int) -> None:
    reachable = hardware_architectures()[name].coverage.reachable_addresses(WIDTH)
    assert reachable <= addresses(name, sent(name, seed))


@pytest.mark.parametrize("name", ["mwrkmm", "quotient_pipelined"])
def test_random_operands_alone_do_not_reach_them(name: str) -> None:
    reachable = hardware_architectures()[name].coverage.reachable_addresses(WIDTH)
    assert not reachable <= addresses(name, sent(name)[-OPERATIONS:])


@pytest.mark.parametrize("name", hardware_architectures())
def test_rare_operands_come_first_in_each_field_and_do_not_count(name: str) -> None:
    entry = hardware_architectures()[name]
    expected: list[tuple[Triple, bool]] = []
    for triple in entry.coverage.rare_operands(WIDTH):
        expected.append((triple, False))
        if entry.binary and entry.binary.status(*triple, WIDTH) is Status.OK:
            expected.append((triple, True))
    products = sent(name)
    assert products[: len(expected)] == expected
    assert len(products) == len(expected) + OPERATIONS


@pytest.mark.parametrize("name", ["dual_radix", "mm42"])
def test_exhaustive_means_each_field(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[tuple[Triple, bool]] = []

    async def record(_: multiplier.ExhaustiveSequence, item: MultiplierItem) -> None:
        found.append(((item.x, item.y, item.m), item.binary))

    monkeypatch.setattr(multiplier.ExhaustiveSequence, "send", record)
    config = BenchConfig.from_job(job_of("exhaustive", name, 4, "verilator", seed=1))
    asyncio.run(multiplier.ExhaustiveSequence(config).body())
    entry, every = config.entry, range(16)
    legal = {
        ((x, y, m), binary)
        for x, y, m in product(every, repeat=3)
        for binary, status in (
            (False, entry.operand_status(x, y, m, 4, raw=False)),
            (True, entry.binary and entry.binary.status(x, y, m, 4)),
        )
        if status is Status.OK
    }
    assert set(found) == legal and len(found) == len(legal)
