"""Products of polynomials over GF(2), for a core that works in both fields."""

from __future__ import annotations

from abc import ABC, abstractmethod

from models.capability import Capability
from models.status import Status


def carryless_product(a: int, b: int) -> int:
    """Return the product of two polynomials over GF(2); bit i is the coefficient of x**i."""
    product = 0
    while b:
        if b & 1:
            product ^= a
        a <<= 1
        b >>= 1
    return product


class BinaryField(Capability, ABC):
    """Model of the core in GF(2**n); bit i of an operand is the coefficient of x**i."""

    @abstractmethod
    def product(self, x: int, y: int, m: int, width: int) -> int:
        """Return the bit-true X*Y/R mod M."""

    @abstractmethod
    def radix_bits(self, width: int) -> int:
        """Return the degree of R = x**bits."""

    @abstractmethod
    def loop_cycles(self, width: int) -> int:
        """Return the cycles from the core's start to the first word of its result."""

    @abstractmethod
    def addresses(self, width: int) -> frozenset[int]:
        """Return the table addresses that operations in this field reach."""

    @abstractmethod
    def m_prime_width(self, width: int) -> int:
        """Return how many bits of 1/M the core uses."""

    def status(self, x: int, y: int, m: int, width: int) -> Status:
        """Return the status of a polynomial operation; reduced means of lower degree than M."""
        if max(x, y, m) >> width:
            return Status.OPERAND_RANGE
        if m <= 1:
            return Status.MODULUS_ZERO_OR_ONE
        if m % 2 == 0:
            return Status.MODULUS_EVEN
        if max(x.bit_length(), y.bit_length()) >= m.bit_length():
            return Status.OPERAND_RANGE
        return Status.OK
