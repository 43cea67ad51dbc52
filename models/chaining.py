"""Products that follow each other without a final subtraction between them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from models.capability import Capability


class Chaining(Capability, ABC):
    """A chain of Montgomery products: each result is an operand of the next product.

    Attributes:
        arcs: changes of the core's state that chained products make beside those of single ones.
    """

    arcs: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def radix_bits(self, width: int) -> int:
        """Bits of R in a chain."""

    @abstractmethod
    def product(self, x: int, y: int, m: int, width: int) -> int:
        """The value that takes a product's place in a chain.

        Args:
            x: multiplier, itself such a value.
            y: multiplicand, likewise.
            m: modulus.
            width: n.
        """

    @abstractmethod
    def next_start(self, width: int, position: int) -> tuple[int, int]:
        """Cycles between the starts of two products, and the position of the second one."""

    def positions(self, width: int) -> frozenset[int]:
        """Positions at which the products of a chain start."""
        return frozenset({0})
