"""Chains of products of a bit-serial Montgomery core, two bits wider than the operands."""

from __future__ import annotations

from typing import ClassVar

from models.architecture import Architecture

MORE_BITS = 2


class BitSerialChain(Architecture):
    """Base of the entries whose products can be operands after two iterations more (Walter 1999).

    R = 2**(n+2) > 4*M keeps them below 2*M, so that none is reduced before the last.
    """

    chainable: ClassVar[bool] = True

    def chain_radix_bits(self, width: int) -> int:
        """n + 2."""
        return width + MORE_BITS

    def chain_product(self, x: int, y: int, m: int, width: int) -> int:
        """S + C, words of which leave the core."""
        return sum(self.product(x, y, m, width + MORE_BITS))

    def chain_next(self, width: int, position: int) -> tuple[int, int]:
        """From the core's start to the first word of the result, and a clock."""
        return self.done_clocks(width + MORE_BITS) + 1, 0
