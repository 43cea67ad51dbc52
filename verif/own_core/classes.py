"""Operand classes with which the user's own core is tested; the verdict uses their names.

Each class draws operations, which may be illegal for a core. Operations that are illegal by the
core description are skipped. A class without legal operations is not claimed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import isqrt

from verif.bench.sequences.fips_vectors import published_signatures
from verif.bench.sequences.rsa_jobs import fips_job, signature_job
from verif.bench.sequences.rsa_keys import MIN_HASHED_BITS, RsaKey
from verif.own_core.description import CoreDescription
from verif.own_core.draw import NEAR, NEAREST, Draw, OperandClass, Operation, is_border
from verif.own_core.museum import power_traps, product_traps

# Distances of a modulus from the nearest power of two.
ABOVE = (1, 2, 3, 5)
BELOW = (-1, -2, -3, -5)
PUBLISHED = "published RSA signatures (FIPS 186-2)"


def _near_power(offsets: tuple[int, ...]) -> Callable[[Draw], Operation]:
    def draw(draw: Draw) -> Operation:
        power = 1 << draw.rng.randrange(2, draw.bits + 1)
        return draw.with_modulus(max(1, power + draw.rng.choice(offsets)))

    return draw


def _top(draw: Draw) -> Operation:
    """Draw operands near their maximum, for carries out of the highest word."""
    rng, n = draw.rng, draw.width
    m = (1 << n) - 1 - rng.randrange(min(8, 1 << (n - 2)))
    bound = draw.description.operand_bound(m, n)
    first = max(0, bound - 1 - rng.randrange(4))
    if draw.description.is_product:
        return Operation(first, max(0, bound - 1 - rng.randrange(4)), m, n)
    return Operation(first, (1 << n) - 1 - rng.randrange(2), m, n)


def _short(draw: Draw) -> Operation:
    bits = draw.rng.randrange(1, min(draw.width, draw.bits + 1))
    return draw.with_modulus(draw.fitting(draw.rng.getrandbits(bits) | 1 | 1 << (bits - 1)))


def _even(draw: Draw) -> Operation:
    m = draw.modulus() & ~1
    return draw.with_modulus(draw.rng.choice((m or 2, 1 << draw.rng.randrange(1, draw.width))))


def _operand_too_large(draw: Draw) -> Operation:
    m = draw.modulus()
    bound = draw.description.operand_bound(m, draw.width)
    first = draw.rng.randrange(bound, 1 << draw.width)  # empty if every value is legal
    return Operation(first, draw.second(m, draw.width), m, draw.width)


def _published(draw: Draw) -> Operation:
    return draw.signing(fips_job(draw.rng.choice(published_signatures(draw.width))))


def _signature(draw: Draw) -> Operation:
    if draw.width < MIN_HASHED_BITS:
        raise ValueError("too short for a padded digest")
    key = RsaKey.generate(draw.width, draw.rng)
    return draw.signing(signature_job(key, draw.rng.randbytes(32)))


COMMON = (
    OperandClass(
        "random operands, M of full width",
        lambda d: d.with_modulus(d.fitting(d.modulus() | 1 << (d.full - 1))),
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
    OperandClass("M = 0", lambda d: Operation(0, 0, 0, d.width), belongs=lambda o, n: o.m == 0),
    OperandClass(
        "M = 1",
        lambda d: Operation(0, 0 if d.description.is_product else d.exponent(d.width), 1, d.width),
        belongs=lambda o, n: o.m == 1,
    ),
    OperandClass(
        "operands at the top of the range, carries out of the top word",
        _top,
        belongs=lambda o, n: o.m >= (1 << n) - 8 and o.first >= o.m - 4,
    ),
    OperandClass(
        "M = p^2 and multiples of p",
        Draw.square,
        belongs=lambda o, n: isqrt(o.m) ** 2 == o.m and o.first % isqrt(o.m) == 0,
    ),
    # No belongs: any operation with the same failure may be the smallest example.
    OperandClass("words all ones or all zeros", Draw.plain_words),
    OperandClass("result just below M or just above 0", Draw.edge_result),
    OperandClass(
        "operands M-1 to M-16, M just above a power of two",
        Draw.just_below,
        belongs=lambda o, n: (
            o.m - (1 << (o.m.bit_length() - 1)) <= NEAR and o.m - NEAREST <= o.first < o.m
        ),
    ),
    OperandClass(
        "M = 1 modulo words",
        Draw.one_modulo_words,
        belongs=lambda o, n: o.m > 1 and (o.m - 1) % (1 << min(8, n // 2)) == 0,
    ),
    OperandClass("M of runs of ff and 00", Draw.runs_of_bytes),
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
    OperandClass("X = Y", Draw.squaring, belongs=lambda o, n: o.first == o.second),
    OperandClass(
        "X*Y = 0 mod M, exactly M before the correction",
        Draw.zero_divisors,
        belongs=lambda o, n: o.first * o.second % o.m == 0 and 0 not in o[:2],
    ),
    *product_traps(),
    OperandClass("lowest or highest word of X*Y near 0 or all ones", Draw.product_in_window),
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
                if d.description.length
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
    OperandClass(
        "exponent with its top bit at a word border",
        Draw.border_exponent,
        belongs=lambda o, n: o.second > 1 and is_border(o.second.bit_length() - 1),
    ),
    OperandClass(PUBLISHED, _published),
    OperandClass("RSA signatures, judged by OpenSSL", _signature),
    *power_traps(),
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

REJECTED = (
    OperandClass(
        "M = 0 is rejected",
        lambda d: Operation(0, 0, 0, d.width),
        belongs=lambda o, n: o.m == 0,
        legal=False,
    ),
    OperandClass(
        "M = 1 is rejected",
        lambda d: Operation(0, 0, 1, d.width),
        belongs=lambda o, n: o.m == 1,
        legal=False,
    ),
    OperandClass(
        "M even is rejected",
        _even,
        belongs=lambda o, n: o.m > 0 and o.m % 2 == 0,
        legal=False,
    ),
    OperandClass("operand too large is rejected", _operand_too_large, legal=False),
)


def classes_of(description: CoreDescription) -> Iterator[OperandClass]:
    """Yield every class that applies to a core of this kind."""
    yield from PRODUCTS if description.is_product else POWERS
    if description.length:
        yield from LENGTHS
    if description.status and description.status.rejected:
        yield from REJECTED
