"""Words and digits of a core that takes and gives words, in the contract of ``ring_unit.sv``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from models.capability import Capability


class WordStreams(Capability, ABC):
    """How a word-stream core cuts its operands.

    Attributes:
        word_serial: the first words of a result appear before the core knows the last ones.
    """

    word_serial: ClassVar[bool] = True

    def m_prime_width(self, width: int) -> int:
        """Bits of m' = -1/M, or of the constant in its place; 0 if the core needs none."""
        return 0

    @abstractmethod
    def words(self, width: int) -> int:
        """Words of an operand in the ring."""

    def word_width(self, width: int) -> int:
        """Bits of a word."""
        return self.entry.parameter("WordWidth", width)

    @abstractmethod
    def digits(self, width: int, *, chain: bool = False) -> int:
        """Digits of X in one product, those included that are always zero."""

    def digit_width(self, width: int) -> int:
        """Bits of a digit of X."""
        return self.entry.parameter("DigitWidth", width)

    def parameters(self, width: int) -> dict[str, int]:
        """Facts about the core, for the hardware that gives it its words and digits.

        Bits of m' that the core takes beside them, and bits of a scale if it takes 2**-scale mod M
        in the place of M.
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
