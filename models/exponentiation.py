"""The exponentiation core: what it does step by step; its clocks: ``ring_exponentiation.py``."""

from __future__ import annotations

from abc import ABC, abstractmethod

from models.architecture import Architecture
from models.status import Status
from models.timing import DEFAULT_ADD_WIDTH


class Exponentiation(ABC):
    """Right-to-left exponentiation (source 002, Algorithm 4) on two multipliers of one entry.

    A <- A*S if the exponent's bit is 1, S <- S*S, from the lowest bit on. Entry into the Montgomery
    domain is one more product of each multiplier (1*R**2 and base*R**2), the exit one of the first
    (A*1), so that a full-length exponentiation takes m + 2 products one after the other. Without a
    domain R is 1.

    Args:
        entry: configured registry entry.
        width: m, bits of base, exponent and modulus.
        add_width: bits the word-serial modular adder handles in a clock.
    """

    def __init__(self, entry: Architecture, width: int, add_width: int = DEFAULT_ADD_WIDTH) -> None:
        """Describe the core built with ``entry``."""
        self.entry = entry
        self.width = width
        self.add_width = add_width
        self.montgomery = entry.montgomery
        self.m_prime_width = entry.streams.m_prime_width(width) if entry.streams else 0
        self.radix_bits = entry.chaining.radix_bits(width) if entry.chaining else 0

    @property
    @abstractmethod
    def wipe_cycles(self) -> int:
        """Clocks after ZEROISE or a reset until nothing is left."""

    def r_squared(self, m: int) -> int:
        """R**2 mod M as a host supplies it; 0 outside the Montgomery domain."""
        return pow(2, 2 * self.radix_bits, m) if self.montgomery else 0

    def m_prime(self, m: int) -> int:
        """m', or the constant that a core has in its place; 0 if it needs none."""
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
        """Status of an operation with these values, all as loaded.

        Args:
            base: data.
            exponent: exponent.
            m: modulus.
            length: exponent bits to work off.
            r_squared: R**2 mod M if it was supplied with this operation.
            m_prime: m' likewise.
        """
        width = self.width
        if not 1 <= length <= width:
            return Status.LENGTH_RANGE
        # A bit above the width is one above the length, too, and checked with it.
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
        """R**2 as the core computes it: congruent to R**2, as any value of a chain."""

    def product(self, x: int, y: int, m: int) -> int:
        """The value that a multiplier makes of two others: one of a chain."""
        return self.entry.chaining.product(x, y, m, self.width)

    def products(
        self, base: int, exponent: int, m: int, length: int, r_squared: int | None = None
    ) -> list[tuple[int, int]]:
        """(A, S) after the entry into the Montgomery domain, and after each bit.

        Bit-true: values of a chain may be congruent to A and S and not below M.

        Args:
            base: below m.
            exponent: below 2**length.
            m: modulus.
            length: exponent bits to work off.
            r_squared: as supplied by the host; None if the core computed it.
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
        """Where in the core the loop's products can start."""
        return frozenset({0})

    def product_starts(self, length: int) -> list[int]:
        """Where in the core each of the loop's products starts."""
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
        """Clocks that ``busy`` is high for one start. No operand but the modulus has a say in it.

        Args:
            m: modulus; only its length matters, and only to the interleaved multiplier.
            length: exponent bits to work off.
            status: how the operation ends.
            compute_r_squared: R**2 is computed on chip.
            check_r_squared: R**2 was supplied with this operation.
        """
