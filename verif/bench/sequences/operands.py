"""Operands of products: random ones by class, and directed corners."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

from models.architecture import Architecture
from models.exhaustive import moduli

Triple = tuple[int, int, int]


class OperandGenerator:
    """Draws legal operand triples (x, y, m) for one architecture and width.

    Args:
        entry: registry entry; Montgomery entries get odd moduli only.
        width: operand width n in bits.
        rng: source of every random choice.
    """

    def __init__(self, entry: Architecture, width: int, rng: random.Random) -> None:
        """Create a generator for ``entry`` at ``width`` bits."""
        self._odd = entry.montgomery
        self._width = width
        self._special = entry.coverage.special_moduli(width)
        self._rng = rng

    def modulus(self) -> int:
        """Return a modulus above 1: mostly of full width, otherwise of a special class."""
        rng, n = self._rng, self._width
        kind = rng.randrange(16)
        if kind == 0:
            m = (1 << n) - 1
        elif kind == 1:
            m = (1 << (n - 1)) + 1
        elif kind == 2:
            m = 3
        elif kind in (3, 4):  # leading zeros
            m = rng.getrandbits(rng.randrange(2, n)) | 2
        elif kind == 5 and self._special:
            m = rng.choice(self._special)
        elif kind == 6:  # a product, for zero divisors
            a = rng.randrange(2, 1 << (n // 2))
            m = (a | 1) * (rng.randrange(2, 1 << (n - n // 2)) | 1)
        else:
            m = rng.getrandbits(n) | 1 << (n - 1)
        if self._odd or rng.randrange(2):
            m |= 1
        return max(m, 3 if self._odd else 2)

    def operand(self, m: int) -> int:
        """Return a value below ``m``: mostly random, or 0, 1, m - 1, one-hot, all ones, near m."""
        rng = self._rng
        kind = rng.randrange(16)
        if kind == 0:
            return 0
        if kind == 1:
            return 1
        if kind == 2:
            return m - 1
        if kind == 3:
            return min(1 << rng.randrange(m.bit_length()), m - 1)
        if kind == 4:
            return min((1 << rng.randrange(1, m.bit_length() + 1)) - 1, m - 1)
        if kind == 5:
            return max(0, m - 1 - rng.randrange(16))
        return rng.randrange(m)

    def triple(self) -> Triple:
        """Return a legal operand triple; sometimes with x*y = 0 mod m and x, y not 0."""
        m = self.modulus()
        if self._rng.randrange(16) == 0:
            zero = zero_product(m)
            if zero:
                return (*zero, m)
        return self.operand(m), self.operand(m), m

    def binary_triple(self) -> Triple:
        """Return polynomials over GF(2), X and Y of lower degree than M: random or special."""
        rng, n = self._rng, self._width
        kind = rng.randrange(8)
        degree = n - 1 if kind < 5 else rng.randrange(1, n)
        m = 1 << degree | rng.getrandbits(degree) | 1
        if kind == 0:
            m = (1 << n) - 1
        elif kind == 1:
            m = 1 << n - 1 | 1
        degree = m.bit_length() - 1
        x, y = (
            rng.choice((0, 1, (1 << degree) - 1, 1 << rng.randrange(degree)))
            if rng.randrange(4) == 0
            else rng.getrandbits(degree)
            for _ in range(2)
        )
        return x, y, m

    def raw_triple(self) -> Triple:
        """Return n-bit operands that are not reduced, with a legal modulus."""
        rng, n = self._rng, self._width
        m = self.modulus()
        x, y = (rng.getrandbits(n) | rng.randrange(2) << (n - 1) for _ in range(2))
        return x, y, m


def zero_product(m: int) -> tuple[int, int] | None:
    """Return x, y in 1 ... m-1 with x*y = 0 mod m, from a small factor of m; None if not found."""
    for factor in (2, 3, 5, 7, 11, 13):
        if m % factor == 0 and m != factor:
            return factor, m // factor
    root = math.isqrt(m)
    if root * root == m and root > 1:
        return root, root
    return None


def corner_moduli(entry: Architecture, width: int) -> list[int]:
    """Return M = 3, all ones, 2**(n-1)+1, leading zeros, products, squares; even ones if legal."""
    n = width
    square = (1 << (n // 2)) - 1
    moduli = [
        3, (1 << n) - 1, (1 << (n - 1)) + 1, 5, 15,
        (1 << (n // 2)) + 1, (1 << (n // 2 + 1)) - 1,
        square * square,
        ((1 << n) - 1) // 15 * 15,
        *entry.coverage.special_moduli(n),
    ]  # fmt: skip
    if entry.montgomery:
        moduli = [m | 1 for m in moduli]
    else:
        moduli += [2, 4, (1 << n) - 2, 1 << (n - 1), (1 << (n - 1)) + 2]
    return sorted({m for m in moduli if 1 < m < 1 << n})


def corner_operands(m: int, width: int) -> list[int]:
    """Return 0, 1, 2, 3, M-1, M-2, one-hot, all-ones, alternating bits; each below m."""
    n = m.bit_length()
    alternating = int("10" * ((width + 1) // 2), 2) & ((1 << n) - 1)
    values = [
        0, 1, 2, 3, m - 1, m - 2, m // 2, m // 2 + 1,
        1 << (n - 1), 1 << (n // 2), (1 << (n - 1)) - 1, (1 << n) - 1,
        alternating, alternating >> 1,
    ]  # fmt: skip
    return sorted({v for v in values if 0 <= v < m})


def essential_triples(entry: Architecture, width: int) -> Iterator[Triple]:
    """Yield the corners that every job must have.

    These are the entry's rare operands and, for every corner modulus, x, y in {0, 1, M-1} and zero
    products (x*y = 0 mod M, x and y not 0).
    """
    yield from entry.coverage.rare_operands(width)
    for m in corner_moduli(entry, width):
        for x in sorted({0, 1, m - 1}):
            for y in sorted({0, 1, m - 1}):
                yield x, y, m
        zero = zero_product(m)
        if zero:
            x, y = zero
            yield x, y, m
            yield y, x, m
            yield m - x, y, m


def corner_triples(entry: Architecture, width: int) -> Iterator[Triple]:
    """Yield every pair of corner operands of every corner modulus."""
    for m in corner_moduli(entry, width):
        operands = corner_operands(m, width)
        for x in operands:
            for y in operands:
                yield x, y, m


def walking_triples(entry: Architecture, width: int) -> Iterator[Triple]:
    """Yield one-hot x or y at every bit position with a dense partner, for a full-width modulus."""
    m = (1 << width) - 1
    dense = m - 2
    for i in range(width):
        yield 1 << i, dense, m
        yield dense, 1 << i, m


# The fields of the standard curves (SEC 2 and FIPS 186-4).
PRIME_FIELDS = {
    "secp160r1": (1 << 160) - (1 << 31) - 1,
    "P-192": (1 << 192) - (1 << 64) - 1,
    "P-224": (1 << 224) - (1 << 96) + 1,
    "P-256": (1 << 256) - (1 << 224) + (1 << 192) + (1 << 96) - 1,
    "P-384": (1 << 384) - (1 << 128) - (1 << 96) + (1 << 32) - 1,
    "P-521": (1 << 521) - 1,
}
BINARY_FIELDS = {
    "B-163": 1 << 163 | 1 << 7 | 1 << 6 | 1 << 3 | 1,
    "B-233": 1 << 233 | 1 << 74 | 1,
    "B-283": 1 << 283 | 1 << 12 | 1 << 7 | 1 << 5 | 1,
    "B-409": 1 << 409 | 1 << 87 | 1,
    "B-571": 1 << 571 | 1 << 10 | 1 << 5 | 1 << 2 | 1,
}


def standard_fields(width: int, *, binary: bool) -> dict[str, int]:
    """Return primes or polynomials of the standard curves, of at most ``width`` bits, by name."""
    fields = BINARY_FIELDS if binary else PRIME_FIELDS
    return {name: m for name, m in fields.items() if m.bit_length() <= width}


def exhaustive_triples(entry: Architecture, width: int, *, binary: bool) -> Iterator[Triple]:
    """Yield every legal modulus of up to ``width`` bits with every pair of reduced operands."""
    for m in moduli(entry, width):
        reduced = range(1 << m.bit_length() - 1 if binary else m)
        for x in reduced:
            for y in reduced:
                yield x, y, m
