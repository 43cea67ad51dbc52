"""Bit-true models of a product: they compute every bit of the core's S and C."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np

from models.capability import Capability
from models.words import BitSlices, Column, Word, quick_conditions

# Up to this width no value of a loop has more than 63 bits.
MAX_COLUMN_WIDTH = 16
# S and C after an iteration, and the bits of its table address, highest first.
Iteration = tuple[Word, Word, tuple[Word, ...]]


class Model(Capability, ABC):
    """Model of one product; ``width`` is n, the operand width of the hardware in bits.

    Attributes:
        bit_sliced: True if :meth:`loop` uses the operations of :mod:`models.words`. It then also
            runs on bit-sliced lanes, which is much faster.
    """

    bit_sliced: ClassVar[bool] = False

    @abstractmethod
    def loop(self, x: Word, y: Word, m: Word, constants: Sequence[Word], width: int) -> tuple:
        """Return (S, C) after the last iteration.

        Args:
            x: multiplier, n bits; need not be below m.
            y: multiplicand, n bits; need not be below m.
            m: modulus of at most n bits.
            constants: values of :meth:`constant_values`, in order.
            width: n.
        """

    def constant_values(self, y: int, m: int, width: int) -> tuple[int, ...]:
        """Return the values of the entry's constants for one multiplicand and modulus."""
        return ()

    def radix(self, width: int) -> int:
        """Return R of P = X*Y/R mod M; 1 for an architecture outside the Montgomery domain."""
        return 1 << width if self.entry.montgomery else 1

    def guard_bits(self, width: int) -> int:
        """Return how many bits S and C have above the n bits of an operand."""
        return 2

    def product(self, x: int, y: int, m: int, width: int) -> tuple[int, int]:
        """Return the redundant product (S, C) of one operand triple."""
        return self.loop(x, y, m, self.constant_values(y, m, width), width)

    def final_sum(self, x: int, y: int, m: int, product: tuple[int, int], width: int) -> int:
        """Return the sum that the final conditional subtractions reduce, given (S, C)."""
        return sum(product)

    def products(self, triples: Sequence[tuple[int, int, int]], width: int) -> list[tuple]:
        """Return (S, C) of many operand triples (x, y, m), bit-sliced if the model allows it."""
        if not self.bit_sliced:
            return [self.product(*triple, width) for triple in triples]
        with quick_conditions():
            s, c = self.loop(*self.packed(triples, width), width)
        return list(zip(s.unpack(len(triples)), c.unpack(len(triples)), strict=True))

    def columns(self, x: Column, y: Column, m: int, width: int) -> tuple[Column, Column]:
        """Return S and C of many X and Y with one modulus: :meth:`products`, but faster.

        Args:
            x: multipliers, one per product.
            y: multiplicands, as many.
            m: modulus.
            width: n, at most :data:`MAX_COLUMN_WIDTH`.
        """
        assert width <= MAX_COLUMN_WIDTH
        values, place = np.unique(y, return_inverse=True)
        table = [self.constant_values(int(value), m, width) for value in values]
        constants = np.array(table, np.int64)[place].T
        if not self.bit_sliced:
            # These loops only add, multiply, mask and shift (in place), as arrays of integers do.
            s, c = self.loop(x.copy(), y, m, constants, width)
            return s, np.broadcast_to(np.int64(c), s.shape)
        words = [
            BitSlices.pack(column, self._pack_width(width))
            for column in (x, y, np.full_like(x, m), *constants)
        ]
        with quick_conditions():
            s, c = self.loop(*words[:3], words[3:], width)
        return s.column(len(x)), c.column(len(x))

    @staticmethod
    def _pack_width(width: int) -> int:
        # One bit more than the largest constant (Y + M), so that all words have the same width.
        return width + 2

    def packed(
        self, triples: Sequence[tuple[int, int, int]], width: int
    ) -> tuple[BitSlices, BitSlices, BitSlices, list[BitSlices]]:
        """Return X, Y, M and the constants as bit slices, one lane per triple."""
        pack_width = self._pack_width(width)
        x, y, m = (BitSlices.pack(column, pack_width) for column in zip(*triples, strict=True))
        values = [self.constant_values(t[1], t[2], width) for t in triples]
        constants = [BitSlices.pack(column, pack_width) for column in zip(*values, strict=True)]
        return x, y, m, constants


class IteratedModel(Model):
    """Model of a core that registers S and C after each iteration."""

    @abstractmethod
    def iterations(
        self, x: Word, y: Word, m: Word, constants: Sequence[Word], width: int
    ) -> Iterator[Iteration[Word]]:
        """Yield each iteration of the loop; the core's table_valid_o counts the iterations."""

    def loop(self, x: Word, y: Word, m: Word, constants: Sequence[Word], width: int) -> tuple:
        """Return (S, C) of the last iteration."""
        (last,) = deque(self.iterations(x, y, m, constants, width), maxlen=1)
        return last[:2]
