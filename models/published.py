"""Figures that the source of an architecture prints."""

from __future__ import annotations

from typing import Any

from models.capability import Capability

PUBLISHED_WIDTH = 1024


class Published(Capability):
    """Timing figures of a source; this base class has the formula of a product as text.

    Attributes:
        formula: cycles of a product, as text.
        source: place of the formula in the document.
    """

    def __init__(self, entry: Any, formula: str, source: str) -> None:
        super().__init__(entry)
        self.formula = formula
        self.source = source

    def loop_cycles(self, width: int) -> int:
        """Return the loop cycles that the source states; they are the upper limit."""
        return width + 1

    def loops(self) -> tuple[tuple[str, int, int], ...]:
        """Return (condition, our cycles, published cycles) of one product."""
        width = PUBLISHED_WIDTH
        return (("", self.entry.timing.loop_cycles(width), self.loop_cycles(width)),)

    def product_cycles(self, width: int) -> int | None:
        """Return the cycles of a product if the source states them for this configuration."""
        return None

    def exponentiation_cycles(self, width: int) -> int | None:
        """Return the cycles of a full-length exponentiation if the source states them."""
        return None

    def points(self) -> tuple[dict[str, int], ...]:
        """Return the parameter sets for which the source publishes figures."""
        return ({},)


class PublishedByAmanor(Published):
    """Figures of the thesis (source 000), which computes the products one after the other.

    Args:
        entry: registry entry.
        formula: cycles of a product, as text.
        source: place of the formula in the document.
        more_products: products of an exponentiation in addition to 3n/2.
    """

    def __init__(self, entry: Any, formula: str, source: str, more_products: int) -> None:
        super().__init__(entry, formula, source)
        self._more_products = more_products

    def exponentiation_cycles(self, width: int) -> int | None:
        """Return the cycles of 3n/2 products and of both conversions of the Montgomery domain.

        A product takes n + 1 cycles; 3n/2 is 1536 at 1024 bits.
        """
        return (3 * width // 2 + self._more_products) * (width + 1)
