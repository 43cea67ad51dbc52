"""Figures that the source of an architecture prints."""

from __future__ import annotations

from typing import Any

from models.capability import Capability

PUBLISHED_WIDTH = 1024


class Published(Capability):
    """What a source says about time; nothing more than a formula in words unless a subclass does.

    Attributes:
        formula: cycles of a product, in words.
        source: where the document prints it.
    """

    def __init__(self, entry: Any, formula: str, source: str) -> None:
        super().__init__(entry)
        self.formula = formula
        self.source = source

    def loop_cycles(self, width: int) -> int:
        """What the source says the cycles of the loop are: the ceiling."""
        return width + 1

    def loops(self) -> tuple[tuple[str, int, int], ...]:
        """What the source publishes of one product: (condition, ours, published), in cycles."""
        width = PUBLISHED_WIDTH
        return (("", self.entry.timing.loop_cycles(width), self.loop_cycles(width)),)

    def product_cycles(self, width: int) -> int | None:
        """Cycles of a whole product, if the source states them for this configuration."""
        return None

    def exponentiation_cycles(self, width: int) -> int | None:
        """Cycles of a full-length exponentiation, likewise."""
        return None

    def points(self) -> tuple[dict[str, int], ...]:
        """The parameter sets for which the source publishes figures."""
        return ({},)


class PublishedByAmanor(Published):
    """Figures of the thesis, source 000: the products of an exponentiation follow each other.

    Args:
        entry: registry entry.
        formula: cycles of a product, in words.
        source: where the document prints it.
        more_products: products of an exponentiation beside 3n/2.
    """

    def __init__(self, entry: Any, formula: str, source: str, more_products: int) -> None:
        super().__init__(entry, formula, source)
        self._more_products = more_products

    def exponentiation_cycles(self, width: int) -> int | None:
        """Products of n + 1 cycles: 1536 and those that enter and leave the Montgomery domain."""
        return (3 * width // 2 + self._more_products) * (width + 1)
