"""Blinding by the host: other exponents and bases for the same power, as the RSA page describes."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from flint import fmpz
from numpy.typing import NDArray

Values = NDArray[np.uint64]

# Below, a modulus of half the width has too few powers: their relations show in the means.
MIN_WIDTH = 24
# phi(M) is a multiple of 4: the lowest two bits of an exponent are never blinded.
UNBLINDED = 4


@dataclass(frozen=True)
class Blinding:
    """Exponent + r*phi(M) with a random r, and base*v with a random invertible v.

    The modulus has half the bits of the core; r has the other half. Both prime factors are 3 modulo
    4, so that only the lowest two bits of an exponent stay. All exponents have the same lowest two
    bits: a test finds what the others show.

    Attributes:
        width: bits of the core, :data:`MIN_WIDTH` to 64.
        modulus: M, a product of two primes.
        totient: phi(M).
        lowest: the lowest two bits of every exponent.
    """

    width: int
    modulus: int
    totient: int
    lowest: int

    @classmethod
    def draw(cls, width: int, rng: random.Random) -> Blinding:
        """Draw a modulus of half of ``width`` bits, and the lowest two bits of the exponents."""
        bits = width // 2
        while True:
            p, q = (_prime(size, rng) for size in (bits // 2, bits - bits // 2))
            if p != q and (p * q).bit_length() == bits:
                return cls(width, p * q, (p - 1) * (q - 1), rng.choice((1, 3)))

    def exponents(self, rng: np.random.Generator, count: int) -> Values:
        """Return random exponents below phi(M) and without a common divisor."""

        def draw(size: int) -> Values:
            found = rng.integers(0, self.totient // UNBLINDED, size, np.uint64)
            return found * np.uint64(UNBLINDED) + np.uint64(self.lowest)

        return _coprime(draw, self.totient, count)

    def units(self, rng: np.random.Generator, count: int) -> Values:
        """Return random invertible numbers below M."""

        def draw(size: int) -> Values:
            return rng.integers(1, self.modulus, size, np.uint64)

        return _coprime(draw, self.modulus, count)

    def exponent(self, values: Values, rng: np.random.Generator) -> Values:
        """Return other exponents of at most ``width`` bits that give the same powers."""
        multiples = (1 << self.width) // self.totient - 1
        return values + rng.integers(0, multiples, len(values), np.uint64) * np.uint64(self.totient)

    def base(self, values: Values, rng: np.random.Generator) -> Values:
        """Return bases with a random factor, whose power the host can remove."""
        return values * self.units(rng, len(values)) % np.uint64(self.modulus)


def _prime(bits: int, rng: random.Random) -> int:
    while True:
        candidate = rng.getrandbits(bits) | 1 << (bits - 1) | 3
        if fmpz(candidate).is_prime():
            return candidate


def _coprime(draw: Callable[[int], Values], other: int, count: int) -> Values:
    found = draw(count)
    while (bad := np.flatnonzero(np.gcd(found, np.uint64(other)) != 1)).size:
        found[bad] = draw(bad.size)
    return found
