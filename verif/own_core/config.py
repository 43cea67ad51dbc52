"""One job on the user's own core: core, width, bus, and limits of an operation."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from random import Random

from models.status import LENGTH_WIDTH, Status
from regress.core.jobfile import Job
from verif.bench.agent.bus_map import BusMap, Operand, Result, bus_map
from verif.bench.configuration.config import seeded
from verif.own_core.core_module import constant_bits
from verif.own_core.description import DESCRIPTION_VARIABLE, MAX_LATENCY, CoreDescription
from verif.own_core.plan import BEHAVIOURS

BUS_WIDTH = 32
ADDRESSES = {
    "first": 0, "second": 1, "modulus": 2, "constants": 4, "length": 6, "before": 7
}  # fmt: skip
# Maximum cycles of an operation if the core description claims no latency.
MOST_CYCLES = 20_000_000
# Without a claim the first guess may be too low by this factor; it is raised in two steps.
LIMIT_STEP = 8
LIMIT_RAISES = LIMIT_STEP**2


@dataclass(frozen=True)
class BlackBoxConfig:
    """One job on the user's own core.

    Attributes:
        job: the job.
        description: description of the core.
        width: n in bits.
    """

    job: Job
    description: CoreDescription
    width: int

    @classmethod
    def from_job(cls, job: Job) -> BlackBoxConfig:
        """Create the configuration; an environment variable has the core description.

        The folder of the core need not be on this machine.
        """
        description = CoreDescription.model_validate_json(os.environ[DESCRIPTION_VARIABLE])
        return cls(job, description, job.point["width"])

    def random(self, purpose: str, *indices: int) -> Random:
        """Return a random generator for one purpose, derived from the job's seed."""
        return seeded(self.job.seed, purpose, *indices)

    @cached_property
    def bus(self) -> BusMap:
        """Addresses and slots of ``black_box_tb``."""
        n, description = self.width, self.description
        bits = dict.fromkeys(ADDRESSES, n)
        bits |= {"constants": constant_bits(description, n), "length": LENGTH_WIDTH}
        operands = tuple(
            Operand(name, address, bits[name], -(-bits[name] // BUS_WIDTH))
            for name, address in ADDRESSES.items()
        )
        words = operands[0].words
        return BusMap(
            bus_width=BUS_WIDTH,
            operands=operands,
            results=(Result("result", 0, words, frozenset((Status.OK,))),),
            slot_words=max(operand.words for operand in operands),
            cycle_limit=self.cycle_limit,
        )

    @property
    def front(self) -> str:
        """Return the bus of a front between bench and core; a core of the user has none."""
        return ""

    @property
    def has_classes(self) -> bool:
        """True if operand classes are among the job's cases."""
        return any(case["name"] not in BEHAVIOURS for case in self.job.cases)

    @property
    def cycle_limit(self) -> int:
        """Cycles after which an operation counts as hung; a guess if no maximum is claimed."""
        n = self.width
        claimed = self.description.longest(n)
        guess = n * n + 1000 if self.description.is_product else 3 * n * (n + 100) + 1000
        return 2 * guess if claimed is None else min(MAX_LATENCY - 1, 2 * claimed + 1000)

    @property
    def last_limit(self) -> int:
        """Largest limit; the limit is raised to it step by step while no operation ends."""
        if self.description.longest(self.width) is not None:
            return self.cycle_limit
        return min(MOST_CYCLES, LIMIT_RAISES * self.cycle_limit)


@bus_map.register
def _black_box_bus(config: BlackBoxConfig) -> BusMap:
    return config.bus
