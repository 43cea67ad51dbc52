"""Workload of the benchmark: the operations of one design, the same for every test bench."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

from models.architecture import Architecture
from models.reference import modular_power, modular_product
from verif.bench.configuration.design import EXPONENTIATION, MULTIPLIER, Design

HERE = Path(__file__).parent


class Workload(ABC):
    """Operations of one design at one width."""

    design: ClassVar[Design]
    test: ClassVar[str]
    harness: ClassVar[Path]

    @abstractmethod
    def operation(
        self, entry: Architecture, width: int, rng: random.Random
    ) -> tuple[int, int, int, int]:
        """Three random operands of full width, in the order of their addresses, and the result."""

    def write(self, entry: Architecture, width: int, count: int, path: Path) -> Path:
        """Write ``count`` operations as lines of four hexadecimal numbers; returns ``path``."""
        rng = random.Random(1)
        lines = (self.operation(entry, width, rng) for _ in range(count))
        path.write_text("".join(" ".join(f"{n:x}" for n in line) + "\n" for line in lines))
        return path


class Products(Workload):
    """x, y, m and P."""

    design = MULTIPLIER
    test = "throughput"
    harness = HERE / "multiplier_harness.cpp"

    def operation(
        self, entry: Architecture, width: int, rng: random.Random
    ) -> tuple[int, int, int, int]:
        """See :class:`Workload`."""
        m = _modulus(width, rng)
        x, y = rng.randrange(m), rng.randrange(m)
        return x, y, m, modular_product(x, y, m, entry.model.radix(width))


class Exponentiations(Workload):
    """base, exponent, modulus and base**exponent mod modulus."""

    design = EXPONENTIATION
    test = "exp_throughput"
    harness = HERE / "exponentiation_harness.cpp"

    def operation(
        self, entry: Architecture, width: int, rng: random.Random
    ) -> tuple[int, int, int, int]:
        """See :class:`Workload`."""
        m = _modulus(width, rng)
        base, exponent = rng.randrange(m), rng.getrandbits(width)
        return base, exponent, m, modular_power(base, exponent, m)


def _modulus(width: int, rng: random.Random) -> int:
    """An odd modulus of ``width`` bits."""
    return rng.getrandbits(width) | 1 << (width - 1) | 1
