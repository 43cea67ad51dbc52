"""An operand that the sequence of bad input rewrites in part differs from the operand before."""

from __future__ import annotations

import asyncio

import pytest

from models.status import BusError
from verif.bench.agent.item import LoaderItem, TransferItem
from verif.bench.configuration.config import BenchConfig
from verif.bench.configuration.job import job_of
from verif.bench.sequences import multiplier
from verif.bench.sequences.operands import Triple


class BadInputSequence(multiplier.BadInputSequence):
    """Records the products instead of sending them; the stimulus depends on the name."""

    def __init__(self, config: BenchConfig) -> None:
        super().__init__(config)
        self.found: list[tuple[Triple, int]] = []

    async def send(self, item: LoaderItem | TransferItem) -> None:
        """There is no bus."""

    async def expect_bus_error(self, error: BusError) -> None:
        """Nothing was rejected."""

    async def multiply(
        self, triple: Triple, *, load: int = 7, raw: bool = False, binary: bool = False
    ) -> None:
        self.found.append((triple, load))


@pytest.mark.parametrize(
    ("name", "seed"), [("mwr2mm", 17), ("mwr2mm", 22), ("optimized_interleaved", 21)]
)
def test_low_words_of_m_are_others_than_before(name: str, seed: int) -> None:
    """With these seeds M had them already, and hardware that took no notice of them was right."""
    job = job_of("bad_input", name, 27, "icarus", seed=seed, parameters={"BusWidth": 8})
    sequence = BadInputSequence(BenchConfig.from_job(job))
    asyncio.run(sequence.body())
    pairs = zip(sequence.found, sequence.found[1:], strict=False)
    changed = [(a[2], b[2]) for (a, _), (b, load) in pairs if load == 0 and a[2] != b[2] > 0]
    assert len(changed) == 1
