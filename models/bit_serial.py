"""Chains of products of a bit-serial Montgomery core, two bits wider than the operands."""

from __future__ import annotations

from models.chaining import Chaining

MORE_BITS = 2


class BitSerialChaining(Chaining):
    """Two extra iterations make a product a legal operand of the next product (Walter 1999).

    R = 2**(n+2) > 4*M keeps products below 2*M, so only the last one is reduced.
    """

    def radix_bits(self, width: int) -> int:
        """Return n + 2."""
        return width + MORE_BITS

    def product(self, x: int, y: int, m: int, width: int) -> int:
        """Return S + C; the core delivers it word by word."""
        return sum(self.entry.model.product(x, y, m, width + MORE_BITS))

    def next_start(self, width: int, position: int) -> tuple[int, int]:
        """Return the cycles from the start to the first result word plus one, and position 0."""
        return self.entry.timing.done_cycles(width + MORE_BITS) + 1, 0
