"""Chains of products of a bit-serial Montgomery core, two bits wider than the operands."""

from __future__ import annotations

from models.chaining import Chaining

MORE_BITS = 2


class BitSerialChaining(Chaining):
    """Products are operands of the next ones after two more iterations (Walter 1999).

    R = 2**(n+2) > 4*M keeps them below 2*M, so that only the last one is reduced.
    """

    def radix_bits(self, width: int) -> int:
        """n + 2."""
        return width + MORE_BITS

    def product(self, x: int, y: int, m: int, width: int) -> int:
        """S + C, words of which leave the core."""
        return sum(self.entry.model.product(x, y, m, width + MORE_BITS))

    def next_start(self, width: int, position: int) -> tuple[int, int]:
        """From the core's start to the first word of the result, and a cycle."""
        return self.entry.timing.done_cycles(width + MORE_BITS) + 1, 0
