"""The resolved job, which every component of the bench uses."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping
from dataclasses import dataclass

from models.architecture import Architecture
from models.registry import architecture
from regress.core.jobfile import Job
from verif.bench.configuration.design import (
    FRONT,
    FRONTS,
    NETLIST,
    Design,
    at_of,
    check_width,
    configured,
    resolved_parameters,
)
from verif.bench.configuration.tests_by_name import design_of
from verif.bench.configuration.tops import Configured

CLOCK_PERIOD_NS = 10  # of the simulated clock


@dataclass(frozen=True)
class BenchConfig:
    """One job, resolved.

    Attributes:
        job: the job as given.
        design: the top that the job simulates.
        entry: registry entry of the job's architecture, with the job's core parameters.
        width: operand width n in bits.
        bus_width: bits of a bus word.
        address_width: bits of a bus address.
        add_width: bits that the word-serial modular adder processes per cycle.
        parameters: all parameters of the top and of the core.
    """

    job: Job
    design: Design
    entry: Architecture
    width: int
    bus_width: int
    address_width: int
    add_width: int
    parameters: Mapping[str, int]

    @classmethod
    def from_job(cls, job: Job) -> BenchConfig:
        """Resolve a job.

        Raises:
            KeyError: unknown architecture.
            DesignError: illegal width or parameter.
        """
        point = job.point
        design, entry = design_of(job.test), architecture(point["architecture"])
        width, given = point["width"], point["parameters"]
        check_width(entry, width)
        parameters = resolved_parameters(design, entry, width, given)
        return cls(
            job=job,
            design=design,
            entry=configured(entry, design, width, given),
            width=width,
            bus_width=parameters["BusWidth"],
            address_width=parameters["AddressWidth"],
            add_width=parameters["AddWidth"],
            parameters=parameters,
        )

    @property
    def at(self) -> Configured:
        """The core with the widths around it."""
        return at_of(self.entry, self.width, self.parameters)

    @property
    def window(self) -> bool:
        """Whether the bench observes signals inside the design; of a netlist it sees only pins."""
        return NETLIST not in self.parameters

    @property
    def front(self) -> str:
        """The bus of the front between bench and design; empty without one."""
        return FRONTS.get(self.parameters.get(FRONT, 0), "")

    def random(self, purpose: str, *indices: int) -> random.Random:
        """Return a separate random generator for each purpose, derived from the job's seed.

        So the stimulus depends neither on the order in which components draw nor on the simulator.
        """
        return seeded(self.job.seed, purpose, *indices)


def seeded(seed: int, purpose: str, *indices: int) -> random.Random:
    """Return a generator that depends only on a job's seed, a purpose and the indices."""
    text = f"{seed}/{purpose}/{indices}"
    return random.Random(hashlib.sha256(text.encode()).digest())
