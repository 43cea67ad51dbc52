"""Exponentiation core, step by step; ``ring_exponentiation.py`` has its cycles."""

from __future__ import annotations

from abc import ABC, abstractmethod

from models.architecture import Architecture
from models.status import Status
from models.timing import DEFAULT_ADD_WIDTH


class Exponentiation(ABC):
    """Right-to-left exponentiation (source 002, Algorithm 4) on two multipliers of one entry.

    From the lowest exponent bit on: A <- A*S if the bit is 1, and S <- S*S. Entry into the
    Montgomery domain takes one more product on each multiplier (1*R**2 and base*R**2). The exit
    takes one product on the first multiplier (A*1). So a full-length exponentiation takes m + 2
    consecutive products. Outside the Montgomery domain R is 1.

    Args:
        entry: configured registry entry.
        width: m, bits of base, exponent and modulus.
        add_width: bits that the word-serial modular adder adds per cycle.
        coherent: the core checks the coherence of two accumulators.
    """

    def __init__(
        self,
        entry: Architecture,
        width: int,
        add_width: int = DEFAULT_ADD_WIDTH,
        *,
        coherent: bool = False,
    ) -> None:
        """Describe the core built with ``entry``."""
        self.coherent = coherent
        self.entry = entry
        self.width = width
        self.add_width = add_width
        self.montgomery = entry.montgomery
        self.m_prime_width = entry.streams.m_prime_width(width) if entry.streams else 0
        self.radix_bits = entry.chaining.radix_bits(width) if entry.chaining else 0

    @property
    @abstractmethod
    def wipe_cycles(self) -> int:
        """Cycles from ZEROISE or a reset until all memories are 0."""

    def r_squared(self, m: int) -> int:
        """Return R**2 mod M as a host supplies it; 0 outside the Montgomery domain."""
        return pow(2, 2 * self.radix_bits, m) if self.montgomery else 0

    def m_prime(self, m: int) -> int:
        """Return m', or the constant that replaces it in a core; 0 if the core needs none."""
        return self.entry.model.constant_values(0, m, self.width)[0] if self.m_prime_width else 0

    def status(
        self,
        base: int,
        exponent: int,
        m: int,
        length: int,
        *,
        r_squared: int | None = None,
        m_prime: int | None = None,
    ) -> Status:
        """Return the status of an operation with these values, as loaded.

        Args:
            base: data.
            exponent: exponent.
            m: modulus.
            length: number of exponent bits to process.
            r_squared: R**2 as supplied with this operation; None if not supplied.
            m_prime: m' as supplied with this operation; None if not supplied.
        """
        width = self.width
        if not 1 <= length <= width:
            return Status.LENGTH_RANGE
        # This also covers bits above the width, because length <= width.
        if exponent >> length:
            return Status.EXPONENT_RANGE
        used = r_squared if self.montgomery and r_squared is not None else 0
        overwide = max(base, m, r_squared or 0) >> width
        if overwide or (m_prime or 0) >> max(1, self.m_prime_width):
            return Status.OPERAND_RANGE
        status = self.entry.operand_status(base, used, m, width)
        if status is not Status.OK:
            return status
        if self.m_prime_width and m_prime is not None and m_prime != self.m_prime(m):
            return Status.CONSTANT_INCONSISTENT
        if self.montgomery and r_squared is not None and r_squared != self.r_squared(m):
            return Status.CONSTANT_INCONSISTENT
        return Status.OK

    @abstractmethod
    def computed_r_squared(self, m: int) -> int:
        """Return R**2 as the core computes it: congruent to R**2, like any value of a chain."""

    def product(self, x: int, y: int, m: int) -> int:
        """Return the product of two values of a chain, as a multiplier computes it."""
        return self.entry.chaining.product(x, y, m, self.width)

    def products(
        self, base: int, exponent: int, m: int, length: int, r_squared: int | None = None
    ) -> list[tuple[int, int]]:
        """Return (A, S) after the entry into the Montgomery domain, and after each bit.

        The values are bit-true: a value of a chain is congruent to A or S, but may be M or more.

        Args:
            base: data, below m.
            exponent: exponent, below 2**length.
            m: modulus.
            length: number of exponent bits to process.
            r_squared: R**2 as supplied by the host; None if the core computed it.
        """
        step = self.product
        given = r_squared is not None and self.montgomery
        square = r_squared if given else self.computed_r_squared(m)
        a, s = step(1, square, m), step(base, square, m)
        values = [(a, s)]
        for i in range(length):
            product, s = step(a, s, m), step(s, s, m)
            a = product if exponent >> i & 1 else a
            values.append((a, s))
        return values

    def positions(self) -> frozenset[int]:
        """Return the positions at which the loop's products can start."""
        return frozenset({0})

    def product_starts(self, length: int) -> list[int]:
        """Return the start position of each product of the loop."""
        return [0] * length

    @abstractmethod
    def operation_cycles(
        self,
        m: int,
        length: int,
        status: Status = Status.OK,
        *,
        compute_r_squared: bool = True,
        check_r_squared: bool = False,
    ) -> int:
        """Return the busy cycles of one start; of the operands only the modulus changes them.

        Args:
            m: modulus; only its length matters, and only in the interleaved multiplier.
            length: number of exponent bits to process.
            status: status at the end of the operation.
            compute_r_squared: True if the core computes R**2.
            check_r_squared: True if the host supplied R**2 with this operation.
        """
