"""Classes of operands: what a core from outside is tried with, by the names its verdict has.

Each class knows operations that belong to it and may be legal or not for a core; what is not legal
by the facts is left out, and a class of which nothing is left is not claimed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isqrt
from typing import NamedTuple

from verif.blackbox.facts import Facts
from verif.sequences.fips_vectors import published_signatures
from verif.sequences.operands import zero_product

MANY = 1 << 16
# Distances of a modulus from the power of two next to it.
ABOVE = (1, 2, 3, 5)
BELOW = (-1, -2, -3, -5)


class Operation(NamedTuple):
    """One operation: X, Y, M of a product, or base, exponent, modulus, exponent bits that count."""

    first: int
    second: int
    m: int
    length: int = 0

    def text(self, facts: Facts) -> str:
        """In words."""
        if facts.is_product:
            return f"x={self.first:#x} y={self.second:#x} m={self.m:#x}"
        length = f" length={self.length}" if facts.length else ""
        return f"base={self.first:#x} exponent={self.second:#x} modulus={self.m:#x}{length}"


class Draw:
    """Draws operations for one core and width.

    Args:
        facts: of the core.
        width: n in bits.
        rng: source of every choice.
    """

    def __init__(self, facts: Facts, width: int, rng: random.Random) -> None:
        self.facts, self.width, self.rng = facts, width, rng

    def legal(self, operation: Operation) -> bool:
        """Whether the core is said to be right for it."""
        facts, n = self.facts, self.width
        if not facts.legal_modulus(operation.m, n):
            return False
        bound = facts.operand_bound(operation.m, n)
        if not facts.is_product:
            top = 1 << operation.length if facts.length else 1 << n
            return (
                operation.first < bound
                and facts.exponent_minimum <= operation.second < top
                and 1 <= operation.length <= n
            )
        return operation.first < bound and operation.second < bound

    def modulus(self) -> int:
        """A legal modulus, mostly of full width."""
        n, rng = self.width, self.rng
        for _ in range(MANY):
            short = rng.randrange(4) == 0 and not self.facts.modulus.top_bit
            bits = rng.randrange(1, n + 1) if short else n
            m = rng.getrandbits(bits) | 1 << (bits - 1)
            if self.facts.modulus.parity == "odd" or rng.randrange(2):
                m |= 1
            if self.facts.legal_modulus(m, n):
                return m
        raise ValueError(f"no legal modulus of {n} bits was found")

    def operand(self, m: int) -> int:
        """A legal X or Y, or base."""
        rng, bound = self.rng, self.facts.operand_bound(m, self.width)
        kind = rng.randrange(8)
        special = (0, 1, bound - 1, max(0, bound - 2), bound // 2)
        return min(special[kind], bound - 1) if kind < len(special) else rng.randrange(bound)

    def length(self) -> int:
        """A legal number of exponent bits: mostly all of them."""
        if not self.facts.length or self.rng.randrange(2):
            return self.width
        return self.rng.randrange(1, self.width + 1)

    def exponent(self, length: int) -> int:
        """An exponent below 2**length."""
        rng = self.rng
        value = rng.getrandbits(length)
        if rng.randrange(4) == 0:
            value &= rng.getrandbits(length)
        return max(value, self.facts.exponent_minimum)

    def second(self, m: int, length: int) -> int:
        """Y of a product, the exponent of an exponentiation."""
        return self.operand(m) if self.facts.is_product else self.exponent(length)

    def with_modulus(self, m: int) -> Operation:
        """Any operation with this modulus."""
        length = self.length()
        return Operation(self.operand(m), self.second(m, length), m, length)

    def any(self) -> Operation:
        """Any legal operation."""
        return self.with_modulus(self.modulus())

    def with_first(self, value: Callable[[int], int]) -> Operation:
        """An operation of which X or Y, or the base, is a function of M."""
        _, second, m, length = self.any()
        first = value(m)
        if self.facts.is_product and self.rng.randrange(2):
            return Operation(self.operand(m), first, m, length)
        return Operation(first, second, m, length)

    def with_exponent(self, exponent: int, length: int | None = None) -> Operation:
        """An exponentiation with this exponent."""
        m = self.modulus()
        if length is None:
            length = self.width
        return Operation(self.operand(m), exponent, m, length)

    def zero_divisors(self) -> Operation:
        """x*y = 0 mod M, x and y not 0; or a base of which a power is 0."""
        rng, n = self.rng, self.width
        for _ in range(MANY):
            a = rng.randrange(2, 1 << max(2, n // 2))
            b = rng.randrange(2, max(3, (1 << n) // a))
            m = a * b if self.facts.is_product else a * a
            if not self.facts.legal_modulus(m, n):
                continue
            if not self.facts.is_product:
                length = self.length()
                return Operation(a, self.exponent(length) | 2 & (1 << length) - 1, m, length)
            x, y = zero_product(m) or (a, b)
            return Operation(*rng.choice([(a, b), (b, a), (x, y), (m - x, y)]), m, n)
        raise ValueError("no zero divisors")

    def square(self) -> Operation:
        """M = p**2 with operands that are multiples of p."""
        rng, n = self.rng, self.width
        for _ in range(MANY):
            p = rng.randrange(3, max(4, 1 << (n // 2))) | 1
            m = p * p
            if not self.facts.legal_modulus(m, n):
                continue
            length = self.length()
            first = p * rng.randrange(1, p)
            second = p * rng.randrange(p) if self.facts.is_product else self.exponent(length)
            return Operation(first, second, m, length)
        raise ValueError("no square")


@dataclass(frozen=True)
class OperandClass:
    """A class of operands.

    Attributes:
        name: in the verdict.
        draw: makes an operation that belongs to it; it may not be legal for the core.
        belongs: whether an operation at a width is of the class: a smaller example must be, too.
        legal: False for a class that no core has to be right for, but one with a status must
            refuse.
    """

    name: str
    draw: Callable[[Draw], Operation]
    belongs: Callable[[Operation, int], bool] = lambda operation, width: True
    legal: bool = True

    def operations(self, draw: Draw, count: int) -> list[Operation]:
        """Up to ``count`` operations that are legal for the core, or none."""
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


def _near_power(offsets: tuple[int, ...]) -> Callable[[Draw], Operation]:
    def draw(draw: Draw) -> Operation:
        power = 1 << draw.rng.randrange(2, draw.width + 1)
        return draw.with_modulus(max(1, power + draw.rng.choice(offsets)))

    return draw


def _top(draw: Draw) -> Operation:
    """All operands as large as they can be: carries out of the highest word."""
    rng, n = draw.rng, draw.width
    m = (1 << n) - 1 - rng.randrange(min(8, 1 << (n - 2)))
    bound = draw.facts.operand_bound(m, n)
    first = max(0, bound - 1 - rng.randrange(4))
    if draw.facts.is_product:
        return Operation(first, max(0, bound - 1 - rng.randrange(4)), m, n)
    return Operation(first, (1 << n) - 1 - rng.randrange(2), m, n)


def _short(draw: Draw) -> Operation:
    bits = draw.rng.randrange(1, draw.width)
    return draw.with_modulus(draw.rng.getrandbits(bits) | 1 | 1 << (bits - 1))


def _even(draw: Draw) -> Operation:
    m = draw.modulus() & ~1
    return draw.with_modulus(draw.rng.choice((m or 2, 1 << draw.rng.randrange(1, draw.width))))


def _operand_too_large(draw: Draw) -> Operation:
    m = draw.modulus()
    bound = draw.facts.operand_bound(m, draw.width)
    first = draw.rng.randrange(bound, 1 << draw.width)  # empty if every value is legal
    return Operation(first, draw.second(m, draw.width), m, draw.width)


def _published(draw: Draw) -> Operation:
    vectors = [v for v in published_signatures(draw.width) if v.modulus.bit_length() == draw.width]
    vector = draw.rng.choice(vectors)
    base = pow(vector.signature, 65537, vector.modulus)
    return Operation(base, vector.d, vector.modulus, draw.width)


COMMON = (
    OperandClass(
        "random operands, M of full width",
        lambda d: d.with_modulus(d.modulus() | 1 << (d.width - 1)),
        belongs=lambda o, n: o.m >> (n - 1) == 1,
    ),
    OperandClass(
        "M = 2^n - 1",
        lambda d: d.with_modulus((1 << d.width) - 1),
        belongs=lambda o, n: o.m == (1 << n) - 1,
    ),
    OperandClass(
        "M = 2^(n-1) + 1",
        lambda d: d.with_modulus((1 << (d.width - 1)) + 1),
        belongs=lambda o, n: o.m == (1 << (n - 1)) + 1,
    ),
    OperandClass(
        "M just above a power of two",
        _near_power(ABOVE),
        belongs=lambda o, n: o.m - (1 << (o.m.bit_length() - 1)) in ABOVE,
    ),
    OperandClass(
        "M just below a power of two",
        _near_power(BELOW),
        belongs=lambda o, n: o.m - (1 << o.m.bit_length()) in BELOW,
    ),
    OperandClass("M short, with leading zeros", _short, belongs=lambda o, n: o.m < 1 << (n - 1)),
    OperandClass("M = 3", lambda d: d.with_modulus(3), belongs=lambda o, n: o.m == 3),
    OperandClass("M even", _even, belongs=lambda o, n: o.m % 2 == 0),
    OperandClass(
        "M = 1",
        lambda d: Operation(0, 0 if d.facts.is_product else d.exponent(d.width), 1, d.width),
        belongs=lambda o, n: o.m == 1,
    ),
    OperandClass(
        "operands at the top of the range",
        _top,
        belongs=lambda o, n: o.m >= (1 << n) - 8 and o.first >= o.m - 4,
    ),
    OperandClass(
        "M = p^2 and multiples of p",
        Draw.square,
        belongs=lambda o, n: isqrt(o.m) ** 2 == o.m and o.first % isqrt(o.m) == 0,
    ),
)

PRODUCTS = (
    *COMMON,
    OperandClass(
        "X or Y = 0", lambda d: d.with_first(lambda m: 0), belongs=lambda o, n: 0 in o[:2]
    ),
    OperandClass(
        "X or Y = 1", lambda d: d.with_first(lambda m: 1), belongs=lambda o, n: 1 in o[:2]
    ),
    OperandClass(
        "X or Y = M - 1",
        lambda d: d.with_first(lambda m: m - 1),
        belongs=lambda o, n: o.m - 1 in o[:2],
    ),
    OperandClass("X or Y = M", lambda d: d.with_first(lambda m: m)),
    OperandClass(
        "X*Y = 0 mod M, exactly M before the correction",
        Draw.zero_divisors,
        belongs=lambda o, n: o.first * o.second % o.m == 0 and 0 not in o[:2],
    ),
)

POWERS = (
    *COMMON,
    OperandClass("base 0", lambda d: d.with_first(lambda m: 0), belongs=lambda o, n: o.first == 0),
    OperandClass("base 1", lambda d: d.with_first(lambda m: 1), belongs=lambda o, n: o.first == 1),
    OperandClass(
        "base M - 1",
        lambda d: d.with_first(lambda m: m - 1),
        belongs=lambda o, n: o.first == o.m - 1,
    ),
    OperandClass("base M", lambda d: d.with_first(lambda m: m)),
    OperandClass(
        "nilpotent base",
        Draw.zero_divisors,
        belongs=lambda o, n: o.first > 1 and isqrt(o.m) == o.first and o.first**2 == o.m,
    ),
    *(
        OperandClass(
            f"exponent {value}",
            lambda d, value=value: d.with_exponent(
                value,
                d.rng.randrange(max(1, value.bit_length()), d.width + 1)
                if d.facts.length
                else d.width,
            ),
            belongs=lambda o, n, value=value: o.second == value,
        )
        for value in (0, 1, 2, 3, 65537)
    ),
    OperandClass(
        "exponent one-hot at the top",
        lambda d: d.with_exponent(1 << (d.width - 1)),
        belongs=lambda o, n: o.second == 1 << (n - 1),
    ),
    OperandClass("exponent one-hot", lambda d: d.with_exponent(1 << d.rng.randrange(d.width))),
    OperandClass(
        "exponent all ones",
        lambda d: d.with_exponent((1 << d.width) - 1),
        belongs=lambda o, n: o.second == (1 << n) - 1,
    ),
    OperandClass(
        "exponent much shorter than M",
        lambda d: d.with_exponent(d.rng.getrandbits(max(1, d.width // 4)) | 1),
        belongs=lambda o, n: o.second >> max(1, n // 4) == 0,
    ),
    OperandClass(
        "exponent with its top bit clear",
        lambda d: d.with_exponent(d.rng.getrandbits(d.width - 1)),
        belongs=lambda o, n: o.second < 1 << (n - 1),
    ),
    OperandClass("published RSA signatures (FIPS 186-2)", _published),
)

LENGTHS = (
    OperandClass(
        "exponent length below n",
        lambda d: (lambda length: d.with_exponent(d.exponent(length), length))(
            d.rng.randrange(1, d.width)
        ),
        belongs=lambda o, n: o.length < n,
    ),
    OperandClass(
        "exponent length 1",
        lambda d: d.with_exponent(d.rng.randrange(2), 1),
        belongs=lambda o, n: o.length == 1,
    ),
)

REFUSED = (
    OperandClass("M = 0 is refused", lambda d: Operation(0, 0, 0, d.width), legal=False),
    OperandClass("M even is refused", _even, legal=False),
    OperandClass("operand too large is refused", _operand_too_large, legal=False),
)


def classes_of(facts: Facts) -> Iterator[OperandClass]:
    """Every class that says something about a core of this kind."""
    yield from PRODUCTS if facts.is_product else POWERS
    if facts.length:
        yield from LENGTHS
    if facts.status:
        yield from REFUSED
