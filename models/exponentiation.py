"""The exponentiation core: what it does step by step, and how many clocks each step takes."""

from __future__ import annotations

from functools import cached_property

from models.architecture import DEFAULT_ADD_WIDTH, Architecture, Reduction
from models.status import Status

# More squarings instead of doublings do not pay: each costs a whole product.
MAX_SQUARINGS = 4
DOUBLING_HEADROOM = 3


class Exponentiation:
    """Right-to-left exponentiation (source 002, Algorithm 4) on two multipliers of one entry.

    A <- A*S if the exponent's bit is 1, S <- S*S, from the lowest bit on. Entry into the Montgomery
    domain is one more product of each multiplier (1*R**2 and base*R**2), the exit one of the first
    (A*1), so that a full-length exponentiation takes m + 2 products one after the other, 2 fewer
    without a domain.

    R**2 on chip: 2**(r+a) mod M by doublings, where r are the bits of R, then as many squarings
    MM(t, t), each of which doubles a, until a = r. Every value is below M. Cores whose products
    chain without final subtractions have another way, see ``ring_exponentiation.py``.

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
        self.m_prime_width = entry.m_prime_width(width)
        self.radix_bits = entry.chain_radix_bits(width)

    @property
    def wipe_clocks(self) -> int:
        """Clocks after ZEROISE or a reset until nothing is left; no register takes any."""
        return 0

    def r_squared(self, m: int) -> int:
        """R**2 mod M as a host supplies it; 0 outside the Montgomery domain."""
        return pow(2, 2 * self.radix_bits, m) if self.montgomery else 0

    def m_prime(self, m: int) -> int:
        """m', or the constant that a core has in its place; 0 if it needs none."""
        return self.entry.constant_values(0, m, self.width)[0] if self.m_prime_width else 0

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

    @cached_property
    def squarings(self) -> int:
        """Squarings at the end of R**2: as often as r can be halved, at most MAX_SQUARINGS."""
        if not self.montgomery:
            return 0
        trailing_zeros = (self.radix_bits & -self.radix_bits).bit_length() - 1
        return min(trailing_zeros, MAX_SQUARINGS)

    @cached_property
    def doublings(self) -> int:
        """Doublings at the beginning of R**2."""
        if not self.montgomery:
            return 0
        return self.radix_bits + (self.radix_bits >> self.squarings)

    def computed_r_squared(self, m: int) -> int:
        """R**2 as the core computes it: congruent to R**2, here below M."""
        return self.r_squared(m)

    def products(
        self, base: int, exponent: int, m: int, length: int, r_squared: int | None = None
    ) -> list[tuple[int, int]]:
        """(A, S) after the entry into the Montgomery domain, if any, and after each bit.

        Bit-true: values of a chain may be congruent to A and S and not below M.

        Args:
            base: below m.
            exponent: below 2**length.
            m: modulus.
            length: exponent bits to work off.
            r_squared: as supplied by the host; None if the core computed it.
        """
        width, step = self.width, self.entry.chain_product
        a, s = 1, base
        values = []
        if self.montgomery:
            square = self.computed_r_squared(m) if r_squared is None else r_squared
            a, s = step(1, square, m, width), step(base, square, m, width)
            values.append((a, s))
        for i in range(length):
            product, s = step(a, s, m, width), step(s, s, m, width)
            a = product if exponent >> i & 1 else a
            values.append((a, s))
        return values

    def positions(self) -> frozenset[int]:
        """Where in the core the loop's products can start."""
        return frozenset({0})

    def product_starts(self, length: int) -> list[int]:
        """Where in the core each of the loop's products starts."""
        return [0] * length

    def _product_clocks(self, m: int) -> int:
        """A whole product, its result reduced: from its start to where the next may start."""
        entry, width = self.entry, self.width
        clocks = 1
        for constant in entry.constants:
            clocks += 1
            if not constant.per_modulus:
                clocks += entry.constant_clocks(constant, m, width, self.add_width)
        clocks += 1 + entry.done_clocks(width)
        result = entry.addition_clocks(entry.final_reduction, m, width, self.add_width, False)
        return clocks + 1 + result + 1 + 1

    def _prepare_clocks(self, m: int, status: Status) -> int:
        """Checks of the operands and the constants that depend on the modulus alone."""
        entry, width = self.entry, self.width
        check = entry.addition_clocks(Reduction.ONCE, m, width, self.add_width, False)
        clocks = 1 + 2 * (1 + check)
        refused = (Status.OPERAND_RANGE, Status.MODULUS_EVEN, Status.MODULUS_ZERO_OR_ONE)
        if status not in refused:
            for constant in entry.constants:
                clocks += 1
                if constant.per_modulus:
                    clocks += entry.constant_clocks(constant, m, width, self.add_width)
            clocks += 1
        return clocks + 2

    def r_squared_clocks(self) -> int:
        """Clocks that computing R**2 on chip adds to an operation."""
        if not self.montgomery:
            return 0
        # The doublings have an adder of their own, for values below 2M.
        words = -(-(self.width + DOUBLING_HEADROOM) // self.add_width)
        clocks = 1 + self.doublings * (words + 3)
        # Of full length: only the interleaved multiplier's products depend on the modulus.
        return clocks + self.squarings * self._product_clocks((1 << self.width) - 1)

    def _check_clocks(self, m: int) -> int:
        """Clocks in which a supplied R**2 is checked: MM(MM(1, R**2), 1) must be 1."""
        return 2 * self._product_clocks(m)

    def operation_clocks(
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
        if status in (Status.OPERAND_INCOMPLETE, Status.LENGTH_RANGE, Status.EXPONENT_RANGE):
            return 1
        clocks = self._prepare_clocks(m, status) + 1
        if status in (Status.OPERAND_RANGE, Status.MODULUS_EVEN, Status.MODULUS_ZERO_OR_ONE):
            return clocks
        if not self.montgomery:
            return clocks + length * self._product_clocks(m)
        if check_r_squared:
            clocks += self._check_clocks(m)
        elif compute_r_squared:
            clocks += self.r_squared_clocks()
        if status is Status.CONSTANT_INCONSISTENT:
            return clocks
        return clocks + (length + 2) * self._product_clocks(m)
