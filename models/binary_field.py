"""Products of polynomials over GF(2), for a core that works in both fields."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TypeVar

from models.capability import Capability
from models.status import Status
from models.words import Column

# One operand, or many at small widths.
Number = TypeVar("Number", int, Column)


def carryless_product(a: Number, b: Number, bits: int) -> Number:
    """Return the product of a and the lowest ``bits`` bits of b, as polynomials over GF(2)."""
    product = a & 0
    for i in range(bits):
        product ^= (b >> i & 1) * (a << i)
    return product


class BinaryField(Capability, ABC):
    """Model of the core in GF(2**n); bit i of an operand is the coefficient of x**i."""

    @abstractmethod
    def product(self, x: Number, y: Number, m: int, width: int) -> Number:
        """Return the bit-true X*Y/R mod M; arrays have many X and Y of at most 16 bits."""

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
