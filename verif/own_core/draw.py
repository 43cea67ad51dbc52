"""Operations for the user's own core: their type, their classes, and how they are drawn."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from verif.bench.sequences.operands import zero_product
from verif.bench.sequences.rsa_jobs import RsaJob
from verif.own_core.description import CoreDescription
from verif.own_core.reference import expected, is_defined

MANY = 1 << 16
# Most moduli to draw until one is legal. Each one is slow if constants have formulas.
MODULI = 1 << 11
# Largest distances: of operands from M, of M from a power of two, of a word from 0 or all ones.
NEAREST, NEAR, WINDOW = 16, 64, 8
# Number of candidates: the one with the largest quotient error is taken, or the first with a result
# that is not special.
CANDIDATES = 16
# Word sizes of word-based cores, in bits.
WORDS = (8, 16, 17, 32)


class Operation(NamedTuple):
    """One operation: X, Y, M of a product; or base, exponent, modulus and used exponent bits."""

    first: int
    second: int
    m: int
    length: int = 0

    @classmethod
    def read(cls, values: Sequence[str]) -> Operation:
        """Parse the output of :attr:`plain`."""
        return cls(*(int(value, 0) for value in values))

    @property
    def plain(self) -> list[str]:
        """Values as strings for JSON, because not all JSON readers support large numbers."""
        return [hex(value) for value in self]

    def text(self, description: CoreDescription) -> str:
        """Return the operation in words."""
        if description.is_product:
            return f"x={self.first:#x} y={self.second:#x} m={self.m:#x}"
        length = f" length={self.length}" if description.length else ""
        return f"base={self.first:#x} exponent={self.second:#x} modulus={self.m:#x}{length}"


def is_border(at: int, words: Sequence[int] = WORDS) -> bool:
    """Return True if a bit is the first or the last one of a word."""
    return any(at % word in (0, word - 1) for word in words)


def quotient_error(operation: Operation) -> int:
    """Return by how much Barrett's estimate of X·Y/M is too low."""
    product, m = operation.first * operation.second, operation.m
    bits = m.bit_length()
    estimate = (product >> (bits - 1)) * ((1 << 2 * bits) // m) >> (bits + 1)
    return product // m - estimate


class Draw:
    """Draws operations for one core and width.

    Args:
        description: description of the core.
        width: n in bits.
        rng: random generator for every choice.
        most_bits: maximum bits of freely chosen moduli; 0 for n.
    """

    def __init__(
        self, description: CoreDescription, width: int, rng: random.Random, most_bits: int = 0
    ) -> None:
        self.description, self.width, self.rng = description, width, rng
        self.full = description.most_modulus(width).bit_length()
        self.bits = min(self.full, most_bits or width)
        self._jobs: dict[Operation, RsaJob] = {}

    def fitting(self, m: int) -> int:
        """Return a modulus near ``m`` that has the bound and the residue of legal moduli."""
        m = min(m, self.description.most_modulus(self.width))
        return m - (m - 1) % self.description.modulus_step(self.width)

    def legal(self, operation: Operation) -> bool:
        """Return True if the operation is legal by the core description."""
        description, n = self.description, self.width
        if not description.legal_modulus(operation.m, n):
            return False
        bound = description.operand_bound(operation.m, n)
        if not description.is_product:
            top = 1 << operation.length if description.length else 1 << n
            return (
                operation.first < bound
                and description.exponent_minimum <= operation.second < top
                and 1 <= operation.length <= n
            )
        return operation.first < bound and operation.second < bound

    def modulus(self) -> int:
        """Draw a legal modulus, mostly of full width."""
        n, rng = self.width, self.rng
        for _ in range(MODULI):
            short = rng.randrange(4) == 0 and not self.description.modulus.top_bit
            bits = rng.randrange(1, self.bits + 1) if short else self.bits
            m = rng.getrandbits(bits) | 1 << (bits - 1)
            if self.description.modulus.parity == "odd" or rng.randrange(2):
                m |= 1
            m = self.fitting(m)
            if self.description.legal_modulus(m, n):
                return m
        for m in (self.description.most_modulus(n), self.description.modulus.minimum):
            if self.description.legal_modulus(m, n):  # a rule may leave only this one
                return m
        raise ValueError(f"no legal modulus of {self.bits} bits was found")

    def next_to(self, m: int) -> int:
        """Draw a legal modulus that differs from ``m`` in one bit, or any modulus."""
        every = [m ^ 1 << at for at in range(self.width)]
        legal = [other for other in every if self.description.legal_modulus(other, self.width)]
        return self.rng.choice(legal) if legal else self.modulus()

    def operand(self, m: int) -> int:
        """Draw a legal X or Y, or base."""
        rng, bound = self.rng, self.description.operand_bound(m, self.width)
        kind = rng.randrange(8)
        special = (0, 1, bound - 1, max(0, bound - 2), bound // 2)
        return min(special[kind], bound - 1) if kind < len(special) else rng.randrange(bound)

    def length(self) -> int:
        """Draw a legal number of exponent bits, mostly all bits."""
        if not self.description.length or self.rng.randrange(2):
            return self.width
        return self.rng.randrange(
            max(1, self.description.exponent_minimum.bit_length()), self.width + 1
        )

    def exponent(self, length: int) -> int:
        """Draw an exponent below 2**length."""
        rng = self.rng
        value = rng.getrandbits(length)
        if rng.randrange(4) == 0:
            value &= rng.getrandbits(length)
        return max(value, self.description.exponent_minimum)

    def second(self, m: int, length: int) -> int:
        """Draw Y of a product, or the exponent of an exponentiation."""
        return self.operand(m) if self.description.is_product else self.exponent(length)

    def with_modulus(self, m: int) -> Operation:
        """Draw an operation with this modulus."""
        length = self.length()
        return Operation(self.operand(m), self.second(m, length), m, length)

    def any(self) -> Operation:
        """Draw any legal operation."""
        return self.with_modulus(self.modulus())

    def without_special_result(self) -> Operation:
        """Draw a legal operation whose result is neither 0 nor 1, if there is one."""
        for _ in range(CANDIDATES):
            one = self.any()
            first, second, m, _ = one
            if not is_defined(self.description, self.width, m):
                continue
            if expected(self.description, self.width, first, second, m) > 1:
                break
        return one

    def with_first(self, value: Callable[[int], int]) -> Operation:
        """Draw an operation whose X or Y, or base, is a function of M."""
        _, second, m, length = self.any()
        first = value(m)
        if self.description.is_product and self.rng.randrange(2):
            return Operation(self.operand(m), first, m, length)
        return Operation(first, second, m, length)

    def with_exponent(self, exponent: int, length: int | None = None) -> Operation:
        """Draw an exponentiation with this exponent."""
        m = self.modulus()
        if length is None:
            length = self.width
        return Operation(self.operand(m), exponent, m, length)

    def squaring(self) -> Operation:
        """Draw X = Y of full length."""
        m = self.modulus()
        x = self.rng.randrange(self.description.operand_bound(m, self.width))
        return Operation(x, x, m, self.width)

    def plain_words(self) -> Operation:
        """Draw words that are (nearly) all ones or all zeros, for long carries and borrows."""
        description, rng, n = self.description, self.rng, self.bits
        word = rng.choice([bits for bits in WORDS if bits < n] or [max(1, n // 2)])

        def value() -> int:
            kinds = (0, 0, (1 << word) - 1, (1 << word) - 1, 1, 1 << (word - 1))
            words = [rng.choice(kinds) << at for at in range(0, n, word)]
            return sum(words) & (1 << n) - 1

        m = value() | (1 << (n - 1) if description.modulus.top_bit or rng.randrange(2) else 0)
        m = self.fitting(m | (description.modulus.parity == "odd"))
        bound = max(1, description.operand_bound(m, self.width))
        second = (
            value() % bound
            if description.is_product
            else max(value(), description.exponent_minimum)
        )
        return Operation(value() % bound, second, m, self.width)

    def just_below(self) -> Operation:
        """Draw X and Y (or the base) just below M, and M just above a power of two.

        Of several candidates it takes the one with the largest error of the quotient estimate, for
        which a Barrett core needs all of its corrections.
        """
        rng, found = self.rng, []
        for _ in range(CANDIDATES):
            m = self.fitting(
                (1 << (self.bits - 1)) + rng.randrange(1, rng.choice((8, 16, NEAR))) | 1
            )
            first = m - 1 - rng.randrange(min(m, NEAREST))
            second = m - 1 - rng.randrange(min(m, NEAREST))
            found.append(Operation(first, second, m, self.width))
        if not self.description.is_product:
            return found[0]._replace(second=self.exponent(self.width))
        return max(found, key=quotient_error)

    def one_modulo_words(self) -> Operation:
        """Draw M = 1 modulo a power of two of one or more words, in which -1/M is all ones."""
        word = self.rng.choice([bits for bits in WORDS if bits < self.bits] or [self.bits // 2])
        low = word * self.rng.randrange(1, max(2, -(-self.bits // word)))
        return self.with_modulus(self.fitting(max(1, self.modulus() >> low) << low | 1))

    def runs_of_bytes(self) -> Operation:
        """Draw M of runs of bytes ff and 00 with random lengths."""
        rng, m, at = self.rng, 0, 0
        size = 8 if self.bits > 16 else 2
        while at < self.bits:
            length = size * rng.randrange(1, max(2, self.bits // size // 2))
            m |= (((1 << length) - 1) << at) * rng.randrange(2)
            at += length
        m &= (1 << self.bits) - 1
        return self.with_modulus(self.fitting(m | 1 | rng.randrange(2) << (self.bits - 1)))

    def product_in_window(self) -> Operation:
        """Draw X*Y whose lowest or highest word is near 0 or near all ones."""
        rng, m = self.rng, self.modulus()
        bits = m.bit_length()
        word = rng.choice([size for size in WORDS if size < bits] or [max(1, bits // 2)])
        wanted = rng.randrange(-WINDOW, WINDOW) % (1 << word)
        x = (rng.randrange(m) | 1) % m
        if x % 2 == 0:  # M is too short for both
            return self.with_modulus(m)
        if rng.randrange(2):
            low = wanted * pow(x, -1, 1 << word) % (1 << word)
            y = low + (rng.randrange(max(1, (m - 1 - low >> word) + 1)) << word)
        else:
            top = max(0, x.bit_length() + bits - 1 - word)
            y = (wanted << top) // x + 1
        return Operation(x, y % m, m, self.width)

    def edge_result(self) -> Operation:
        """Draw a result just below M or just above 0, where the last subtraction barely decides."""
        description, rng, n = self.description, self.rng, self.width
        m = self.modulus()
        distance = rng.getrandbits(rng.randrange(1, max(2, self.bits // 2)))
        result = (distance if rng.randrange(2) else m - 1 - distance) % m
        if not description.is_product:
            exponent = max(1, description.exponent_minimum)
            return Operation(result if exponent % 2 else 1, exponent, m, n)
        for _ in range(MANY):
            x = rng.randrange(1, max(2, m))
            if math.gcd(x, m) == 1:
                y = result * pow(2, description.k_at(n), m) * pow(x, -1, m) % m
                return Operation(x % m, y, m, n)
        raise ValueError("no operand is prime to the modulus")

    def border_exponent(self) -> Operation:
        """Draw an exponent whose top bit is the first or last one of a word."""
        rng, n = self.rng, self.width
        word = rng.choice([bits for bits in WORDS if bits <= n])
        top = rng.choice([at for at in range(1, n) if is_border(at, [word])])
        length = rng.choice((top + 1, n)) if self.description.length else n
        return self.with_exponent(1 << top | rng.getrandbits(top), length)

    def signing(self, job: RsaJob) -> Operation:
        """Return an operation with an RSA key."""
        operation = Operation(job.base, job.exponent, job.modulus, job.modulus.bit_length())
        self._jobs[operation] = job
        return operation

    def judged(self, operation: Operation, result: int | None) -> str:
        """Compare a result with a published value or with OpenSSL; return what differs."""
        if result is None or operation not in self._jobs:
            return ""
        return self._jobs[operation].verdict(result) or ""

    def zero_divisors(self) -> Operation:
        """Draw x*y = 0 mod M with x and y not 0, or a base with a power that is 0."""
        rng, n = self.rng, self.bits
        for _ in range(MODULI):
            a = rng.randrange(2, 1 << max(2, n // 2))
            b = rng.randrange(2, max(3, (1 << n) // a))
            m = a * b if self.description.is_product else a * a
            if not self.description.legal_modulus(m, self.width):
                continue
            if not self.description.is_product:
                length = self.length()
                return Operation(a, self.exponent(length) | 2 & (1 << length) - 1, m, length)
            x, y = zero_product(m) or (a, b)
            return Operation(*rng.choice([(a, b), (b, a), (x, y), (m - x, y)]), m, self.width)
        raise ValueError("no zero divisors")

    def square(self) -> Operation:
        """Draw M = p**2 with operands that are multiples of p."""
        rng, n = self.rng, self.bits
        for _ in range(MODULI):
            p = rng.randrange(3, max(4, 1 << (n // 2))) | 1
            m = p * p
            if not self.description.legal_modulus(m, self.width):
                continue
            length = self.length()
            first = p * rng.randrange(1, p)
            second = p * rng.randrange(p) if self.description.is_product else self.exponent(length)
            return Operation(first, second, m, length)
        raise ValueError("no square")


@dataclass(frozen=True)
class OperandClass:
    """A class of operands.

    Attributes:
        name: name in the verdict.
        draw: draws an operation of the class; it may be illegal for the core.
        belongs: returns True if an operation at a width belongs to the class; a smaller failing
            example must belong to it, too.
        legal: False for illegal operands, which a core with a status must reject.
    """

    name: str
    draw: Callable[[Draw], Operation]
    belongs: Callable[[Operation, int], bool] = lambda operation, width: True
    legal: bool = True

    def operations(self, draw: Draw, count: int) -> list[Operation]:
        """Return up to ``count`` operations, legal for the core unless ``legal`` is False."""
        found: list[Operation] = []
        for _ in range(4 * count):
            try:
                operation = self.draw(draw)
            except (ValueError, IndexError):
                break
            if draw.legal(operation) == self.legal and operation.m < 1 << draw.width:
                found.append(operation)
            if len(found) == count:
                break
        return found
