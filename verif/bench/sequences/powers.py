"""Operands of exponentiations: random ones by class, and directed corners."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass

from gmpy2 import next_prime

from models.architecture import Architecture
from models.status import Status
from verif.bench.sequences.operands import OperandGenerator, corner_moduli

PUBLIC_EXPONENT = 65537
PUBLIC_LENGTH = PUBLIC_EXPONENT.bit_length()
# Usual maximum length of random exponents: many short operations cover more than a few long ones.
SHORT_LENGTH = 24
# Narrower operands have no useful products of primes.
MIN_PRIME_WIDTH = 6
# Number of exponentiations from which the one with the largest values is taken, and their length.
LARGE_OF, LARGE_LENGTH = 64, 14


@dataclass(frozen=True)
class Power:
    """base**exponent mod modulus; the core processes ``length`` bits of the exponent."""

    base: int
    exponent: int
    modulus: int
    length: int


class ExponentiationGenerator:
    """Draws legal exponentiations for one architecture and width.

    Args:
        entry: registry entry; Montgomery entries get odd moduli only.
        width: operand width in bits.
        rng: source of every random choice.
    """

    def __init__(self, entry: Architecture, width: int, rng: random.Random) -> None:
        """Create a generator for ``entry`` at ``width`` bits."""
        self._width = width
        self._rng = rng
        self._radix_bits = entry.chaining.radix_bits(width) if entry.chaining else 0
        self._operands = OperandGenerator(entry, width, rng)

    def modulus(self) -> int:
        """Return a modulus of any class for multipliers, a product of two primes or a square."""
        rng, half = self._rng, self._width // 2
        kind = rng.randrange(8)
        if kind > 1 or self._width < MIN_PRIME_WIDTH:
            return self._operands.modulus()
        p = odd_prime(rng, half)
        return p * p if kind else p * odd_prime(rng, half)

    def base(self, m: int) -> int:
        """Return a value below ``m``; for a square often a multiple of its root: zero products."""
        root = square_root(m)
        if root and self._rng.randrange(2):
            return root * self._rng.randrange(1, root)
        return self._operands.operand(m)

    def length(self, *, short: bool = False) -> int:
        """Return a length: mostly short, sometimes that of the public exponent or the full one.

        Args:
            short: return only short lengths, for sequences of many operations.
        """
        rng, width = self._rng, self._width
        kind = rng.randrange(16)
        if kind == 0:
            return 1
        if kind == 1:
            return 2
        if kind in (2, 3) and width >= PUBLIC_LENGTH:
            return PUBLIC_LENGTH
        if kind == 4 and not short:
            return width
        return rng.randrange(1, min(width, SHORT_LENGTH) + 1)

    def exponent(self, length: int) -> int:
        """Return an exponent of at most ``length`` bits."""
        rng = self._rng
        kind = rng.randrange(16)
        corners = corner_exponents(length)
        if kind < 6:
            return rng.choice(corners)
        if kind == 6:
            return 1 << rng.randrange(length)
        if kind == 7:
            return rng.getrandbits(rng.randrange(1, length + 1))
        return rng.getrandbits(length) | 1 << (length - 1)

    def power(self, *, short: bool = False) -> Power:
        """Return a legal exponentiation with a new key."""
        m, length = self.modulus(), self.length(short=short)
        return Power(self.base(m), self.exponent(length), m, length)

    def large(self) -> Power:
        """Return, of many exponentiations, the one with the largest product.

        In a chain without final subtractions, products can reach 2*M and intermediate sums 4*M.
        Only one random exponentiation in hundreds sets these bits above M.
        """
        rng, n, r = self._rng, self._width, self._radix_bits
        m = (1 << n) - 1 - (rng.getrandbits(n // 2) & ~1)
        length = min(n, LARGE_LENGTH)
        powers = [Power(rng.randrange(m), rng.getrandbits(length), m, length)
                  for _ in range(LARGE_OF if r else 1)]  # fmt: skip
        return max(powers, key=lambda power: largest_sum(power, r))


def largest_sum(power: Power, radix_bits: int) -> int:
    """Return the largest product plus its multiplicand, without subtractions of M.

    Args:
        power: the exponentiation; M odd.
        radix_bits: bits of R; 0 outside the Montgomery domain, where no value is above M.
    """
    m, radix = power.modulus, 1 << radix_bits
    if not radix_bits:
        return 0
    m_prime = -pow(m, -1, radix)

    def product(x: int, y: int) -> int:
        return (x * y + (x * y * m_prime % radix) * m) >> radix_bits

    r_squared = radix * radix % m
    square, result = product(power.base, r_squared), product(1, r_squared)
    found = 0
    for position in range(power.length):
        steps = [result, square] if power.exponent >> position & 1 else [square]
        products = [product(x, square) for x in steps]
        found = max(found, *(value + square for value in products))
        result, square = products[0] if len(steps) > 1 else result, products[-1]
    return found


def odd_prime(rng: random.Random, bits: int) -> int:
    """Return a prime of ``bits`` bits, at least 3."""
    while True:
        found = int(next_prime(rng.getrandbits(bits) | 1 << (bits - 1)))
        if found >> bits == 0 and found > 2:
            return found


def square_root(m: int) -> int | None:
    """Return the root of a square above 1; ``None`` for other numbers."""
    root = math.isqrt(m)
    return root if root > 1 and root * root == m else None


def cube_root(width: int) -> int:
    """Return the prime whose cube is a corner modulus; ``width`` is at least MIN_PRIME_WIDTH."""
    return int(next_prime(1 << (width // 3 - 1)))


def corner_exponents(length: int) -> list[int]:
    """Return 0, 1, 2, 3, 65537, all ones, one-hot at each end; of at most ``length`` bits."""
    values = {0, 1, 2, 3, PUBLIC_EXPONENT, (1 << length) - 1, 1 << (length - 1)}
    return sorted(value for value in values if value >> length == 0)


def power_moduli(entry: Architecture, width: int) -> list[int]:
    """Return all ones, 2**(m-1)+1, moduli with leading zero words, a product of primes, p**2."""
    moduli = set(corner_moduli(entry, width))
    half = width // 2
    if width >= MIN_PRIME_WIDTH:
        p, q = int(next_prime(1 << (half - 1))), int(next_prime(3 << (half - 2)))
        moduli |= {p * p, p * q, cube_root(width) ** 3}
    moduli |= {(1 << bits) - 1 for bits in (2, width // 4, width // 2) if bits > 1}
    return sorted(m for m in moduli if entry.operand_status(0, 0, m, width) is Status.OK)


def corner_powers(entry: Architecture, width: int, rng: random.Random) -> Iterator[Power]:
    """Yield corner exponents with bases 0, 1, M-1 for every corner modulus, and zero products.

    The length is the one that the exponent needs, or a random larger one. Each full-width modulus
    also gets one full-length exponent.
    """
    for m in power_moduli(entry, width):
        top = min(width, rng.randrange(PUBLIC_LENGTH, SHORT_LENGTH + 1))
        for exponent in corner_exponents(top):
            for base in sorted({0, 1, m - 1}):
                yield Power(base, exponent, m, top)
        root = square_root(m)
        if root:
            for exponent in (1, 2, 3):
                yield Power(root, exponent, m, top)
                yield Power(m - root, exponent, m, top)
        if width >= MIN_PRIME_WIDTH and m == cube_root(width) ** 3:
            # The last product is congruent to 0, although neither of its operands is.
            yield Power(cube_root(width), 3, m, 2)
    for m in ((1 << width) - 1, (1 << (width - 1)) + 1):
        for exponent in ((1 << width) - 1, 1 << (width - 1), 1):
            yield Power(rng.randrange(m), exponent, m, width)
