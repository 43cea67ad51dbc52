"""Products of polynomials over GF(2), of a core that works in both fields."""

from __future__ import annotations

from abc import ABC, abstractmethod

from models.capability import Capability
from models.status import Status


def carryless_product(a: int, b: int) -> int:
    """Product of two polynomials over GF(2), bit i the coefficient of x**i."""
    product = 0
    while b:
        if b & 1:
            product ^= a
        a <<= 1
        b >>= 1
    return product


class BinaryField(Capability, ABC):
    """What the core does in GF(2**n); bit i of an operand is the coefficient of x**i."""

    @abstractmethod
    def product(self, x: int, y: int, m: int, width: int) -> int:
        """X*Y/R mod M, bit-true."""

    @abstractmethod
    def radix_bits(self, width: int) -> int:
        """R = x**bits."""

    @abstractmethod
    def loop_cycles(self, width: int) -> int:
        """Cycles from the core's start to the first word of its result."""

    @abstractmethod
    def addresses(self, width: int) -> frozenset[int]:
        """Table addresses that operations in this field reach."""

    @abstractmethod
    def m_prime_width(self, width: int) -> int:
        """Bits of 1/M that the core works with."""

    def status(self, x: int, y: int, m: int, width: int) -> Status:
        """Status of an operation on polynomials: reduced means of lower degree than M."""
        if max(x, y, m) >> width:
            return Status.OPERAND_RANGE
        if m <= 1:
            return Status.MODULUS_ZERO_OR_ONE
        if m % 2 == 0:
            return Status.MODULUS_EVEN
        if max(x.bit_length(), y.bit_length()) >= m.bit_length():
            return Status.OPERAND_RANGE
        return Status.OK
