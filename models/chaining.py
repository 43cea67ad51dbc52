"""Chains of products without a final subtraction between them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from models.capability import Capability


class Chaining(Capability, ABC):
    """A chain of Montgomery products: each result is an operand of the next product.

    Attributes:
        arcs: state transitions of the core that only chained products make.
    """

    arcs: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def radix_bits(self, width: int) -> int:
        """Return the bits of R in a chain."""

    @abstractmethod
    def product(self, x: int, y: int, m: int, width: int) -> int:
        """Return a product of a chain: congruent to X*Y/R, not necessarily below M.

        Args:
            x: multiplier, may be a product of the chain.
            y: multiplicand, may be a product of the chain.
            m: modulus.
            width: n.
        """

    @abstractmethod
    def next_start(self, width: int, position: int) -> tuple[int, int]:
        """Return the cycles between the starts of two products and the second one's position."""

    def positions(self, width: int) -> frozenset[int]:
        """Return the positions at which the products of a chain start."""
        return frozenset({0})
