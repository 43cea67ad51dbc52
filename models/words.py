"""Word types of the bit-true models: plain integers, or many operations at once.

A model is written once, with ``^ & | << >>``, :func:`bit` and :func:`choose`. With ``int`` operands
it computes one product. With :class:`BitSlices` it computes one product per lane in the same number
of Python steps, so the scoreboard can check (S, C) of every operation without slowing down the
simulation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

import numpy as np
import numpy.typing as npt

Slices = npt.NDArray[np.uint64]
# Integers below 2**63, one per lane.
Column = npt.NDArray[np.int64]
# Buffer size of numpy, in elements, when it broadcasts a condition to the width of a word. The
# default of 8192 exceeds a word: numpy then first copies the condition to every bit, which takes
# longer than the operation itself.
BUFFER = 256


class BitSlices:
    """A vector of integers, stored bit by bit (bit-slicing: one machine bit per lane).

    ``bits`` has shape (ceil(lanes / 64), width). Column i holds bit i of every lane, 64 lanes per
    machine word. Left shifts lengthen the word and right shifts shorten it. Operations zero-extend
    the shorter operand.
    """

    __slots__ = ("bits",)

    def __init__(self, bits: Slices) -> None:
        """Wrap an array of shape (ceil(lanes / 64), width), dtype uint64."""
        self.bits = bits

    @classmethod
    def pack(cls, values: Sequence[int] | Column, width: int) -> BitSlices:
        """Pack non-negative integers, one per lane.

        Args:
            values: the integers, each below 2**width; an array is faster.
            width: bits per lane, at least 1.

        Raises:
            OverflowError: a value is negative or does not fit.
        """
        size = (width + 7) // 8
        if isinstance(values, np.ndarray):
            size = values.itemsize
            raw = np.ascontiguousarray(values).view(np.uint8)
        else:
            raw = np.frombuffer(b"".join(v.to_bytes(size, "little") for v in values), np.uint8)
        matrix = np.unpackbits(raw.reshape(len(values), size), axis=1, bitorder="little")
        if matrix[:, width:].any():
            raise OverflowError(f"a lane value does not fit in {width} bits")
        lanes = np.zeros((width, -(-len(values) // 64) * 64), dtype=np.uint8)
        lanes[:, : len(values)] = matrix[:, :width].T
        packed = np.packbits(lanes, axis=1, bitorder="little").view(np.uint64)
        return cls(np.ascontiguousarray(packed.T))

    def unpack(self, lanes: int) -> list[int]:
        """Return the integers of the first ``lanes`` lanes."""
        return [int.from_bytes(row.tobytes(), "little") for row in self._bytes(lanes)]

    def column(self, lanes: int) -> Column:
        """Return the integers, below 2**63, of the first ``lanes`` lanes as an array."""
        packed = self._bytes(lanes)
        whole = np.zeros((lanes, 8), np.uint8)
        whole[:, : packed.shape[1]] = packed
        return whole.view(np.int64)[:, 0]

    def _bytes(self, lanes: int) -> npt.NDArray[np.uint8]:
        """Return the bytes of each integer, the lowest first, [lanes][bytes]."""
        by_bit = np.ascontiguousarray(self.bits.T).view(np.uint8)
        matrix = np.unpackbits(by_bit, axis=1, bitorder="little")[:, :lanes]
        return np.packbits(np.ascontiguousarray(matrix.T), axis=1, bitorder="little")

    def _merge(self, other: BitSlices | int, operation: Callable[..., Slices]) -> BitSlices:
        """XOR or OR with zero extension of the shorter word."""
        if isinstance(other, int):
            if other:
                raise TypeError("the only integer that mixes with lanes is 0")
            return self
        a, b = self.bits, other.bits
        if a.shape[1] == b.shape[1]:
            return BitSlices(operation(a, b))
        if a.shape[1] < b.shape[1]:
            a, b = b, a
        width = b.shape[1]
        out = np.empty_like(a, order="C")
        operation(a[:, :width], b, out=out[:, :width])
        out[:, width:] = a[:, width:]
        return BitSlices(out)

    def __xor__(self, other: BitSlices | int) -> BitSlices:
        return self._merge(other, np.bitwise_xor)

    def __or__(self, other: BitSlices | int) -> BitSlices:
        return self._merge(other, np.bitwise_or)

    def __and__(self, other: BitSlices | int) -> BitSlices:
        if isinstance(other, int):
            return BitSlices(self.bits[:, :0]) if other == 0 else self
        width = min(self.bits.shape[1], other.bits.shape[1])
        return BitSlices(self.bits[:, :width] & other.bits[:, :width])

    __rxor__ = __xor__
    __ror__ = __or__
    __rand__ = __and__

    def __lshift__(self, amount: int) -> BitSlices:
        pad = np.zeros((self.bits.shape[0], amount), dtype=np.uint64)
        return BitSlices(np.concatenate((pad, self.bits), axis=1))

    def __rshift__(self, amount: int) -> BitSlices:
        return BitSlices(self.bits[:, amount:])


Word = TypeVar("Word", int, BitSlices)


def bit(word: Word, index: int) -> Word:
    """Return bit ``index`` of a word as 0 or 1; for slices, of every lane."""
    if isinstance(word, int):
        return (word >> index) & 1
    bits = word.bits[:, index : index + 1]
    return BitSlices(bits if bits.shape[1] else np.zeros((len(bits), 1), dtype=np.uint64))


def low_bits(word: Word, width: int) -> Word:
    """Return the word modulo 2**width."""
    if isinstance(word, int):
        return word & ((1 << width) - 1)
    return BitSlices(word.bits[:, :width])


def complement(condition: Word) -> Word:
    """Return the complement of the one-bit word ``condition``."""
    return condition ^ 1 if isinstance(condition, int) else BitSlices(~condition.bits)


def choose(*choices: tuple[Word, Word]) -> Word:
    """Return the word whose one-bit condition is 1, or 0; at most one condition may be 1.

    Args:
        choices: pairs (condition, word), like the entries of a table.
    """
    if isinstance(choices[0][0], int):
        return sum(word for condition, word in choices if condition)
    (condition, word), *others = choices
    chosen = word.bits & condition.bits
    for condition, word in others:
        # All words have the width with which the operands were packed.
        np.bitwise_or(chosen, word.bits & condition.bits, out=chosen)
    return BitSlices(chosen)


def carry_save_add(a: Word, b: Word, c: Word) -> tuple[Word, Word]:
    """Return (S, C) with S + C = a + b + c and bit 0 of C zero (thesis, ch. 2.1)."""
    t = a ^ b
    return t ^ c, ((a & b) | (t & c)) << 1


@contextmanager
def quick_conditions() -> Iterator[None]:
    """Halve the time of :func:`choose` on :class:`BitSlices` within the block."""
    usual = np.setbufsize(BUFFER)
    try:
        yield
    finally:
        np.setbufsize(usual)
