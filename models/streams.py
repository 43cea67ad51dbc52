"""Words and digits of a word-stream core, as ``ring_unit.sv`` specifies its interface."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from models.capability import Capability


class WordStreams(Capability, ABC):
    """Words and digits into which a word-stream core splits its operands.

    Attributes:
        word_serial: True if the first words of a result appear before the last ones are computed.
    """

    word_serial: ClassVar[bool] = True

    def m_prime_width(self, width: int) -> int:
        """Return the bits of m' = -1/M, or of the constant that replaces it; 0 if not needed."""
        return 0

    @abstractmethod
    def words(self, width: int) -> int:
        """Return the words of an operand in the ring."""

    def word_width(self, width: int) -> int:
        """Return the bits of a word."""
        return self.entry.parameter("WordWidth", width)

    @abstractmethod
    def digits(self, width: int, *, chain: bool = False) -> int:
        """Return the digits of X in one product, including the digits that are always zero."""

    def digit_width(self, width: int) -> int:
        """Return the bits of a digit of X."""
        return self.entry.parameter("DigitWidth", width)

    def parameters(self, width: int) -> dict[str, int]:
        """Return the parameters of the hardware that feeds words and digits to the core.

        MPrimeBits: bits of m' if the core needs m'. ScaleBits: bits of the scale if the core takes
        2**-scale mod M in place of M.
        """
        scale = self.entry.scaling.bits(width) if self.entry.scaling else 0
        return {
            "WordWidth": self.word_width(width),
            "DigitWidth": self.digit_width(width),
            "Words": self.words(width),
            "RadixBits": self.entry.chaining.radix_bits(width),
            "MPrimeBits": 0 if scale else self.m_prime_width(width),
            "ScaleBits": scale,
            "BinaryBits": self.entry.binary.m_prime_width(width) if self.entry.binary else 0,
        }
