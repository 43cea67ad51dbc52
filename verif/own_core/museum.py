"""Operand classes from public bug reports of big-integer code, scaled to the core's width.

Their names are labels of the museum, the collected operands of these reports
(``verif/library/vectors/museum.jsonl``). Each class draws exhibits (museum operands) of its label
that fit the core, and operands of the same kind at the core's width.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import groupby

from verif.library.vectors.museum import exhibits
from verif.own_core.draw import WORDS, Draw, OperandClass, Operation

# One operation in EXHIBITS is from the museum, on average, if an entry of the museum fits the core.
EXHIBITS = 3
# Maximum draws until an operation belongs to the class; a short modulus leaves few choices.
ATTEMPTS = 64
# Bits of the words and reduced limbs in the reports.
LIMBS = (*WORDS, 26, 29, 31, 51, 52, 60, 64)
# A sparse modulus has at most this many runs of equal bits.
MOST_RUNS = 9


def product_traps() -> Iterator[OperandClass]:
    """Yield the classes of products."""
    yield from _common(is_product=True)
    for name, draw, belongs in (
        ("squares that carry", _square, lambda o, n: o.first == o.second),
        ("quotient estimate too large", _estimate, lambda o, n: _rare_divisor(o.m)),
        ("quotient digit at its maximum", _digit, lambda o, n: _leads_alike(o)),
        ("M just above 2^(n-1), operands near M", _above, lambda o, n: _is_above(o)),
        (
            "words of zeros in the operands",
            _zeros,
            lambda o, n: any(_zero_run(v) >= _part(o.m) for v in o[:2]),
        ),
        (
            "operand lengths at a word border",
            _lengths,
            lambda o, n: any(_ends_at_border(v) and v < o.m >> _part(o.m) - 1 for v in o[:2]),
        ),
        ("equal halves", _halves, lambda o, n: any(map(_has_equal_halves, o[:2]))),
        (
            "X and Y powers of two",
            lambda d: _product(d, 1 << d.rng.randrange(d.bits), 1 << d.rng.randrange(d.bits)),
            lambda o, n: all(v.bit_count() == 1 for v in o[:2]),
        ),
    ):
        yield _trap(name, draw, belongs, is_product=True)


def power_traps() -> Iterator[OperandClass]:
    """Yield the classes of exponentiations."""
    yield from _common(is_product=False)
    for name, draw, belongs in (
        ("base^exponent below M", _unreduced, lambda o, n: _is_below(o)),
        ("exponent M - 1 or M", _fermat, lambda o, n: o.second in (o.m - 1, o.m)),
        (
            "base a power of two",
            lambda d: _power(d, 1 << d.rng.randrange(1, max(2, d.bits - 1))),
            lambda o, n: o.first > 1 and o.first.bit_count() == 1,
        ),
    ):
        yield _trap(name, draw, belongs, is_product=False)


def _common(is_product: bool) -> Iterator[OperandClass]:
    for name, draw, belongs in (
        (
            "words of ones, long carries",
            _ones,
            lambda o, n: any(_one_run(v) >= _part(o.m) for v in o[:3]),
        ),
        ("M fills its words", lambda d: d.with_modulus(_full(d)), lambda o, n: _is_full(o.m)),
        ("sparse M", lambda d: d.with_modulus(_sparse(d)), lambda o, n: _is_sparse(o.m)),
        (
            "M = 1 or -1 modulo a word",
            lambda d: d.with_modulus(_unit(d)),
            lambda o, n: min(o.m % (1 << _part(o.m)), -o.m % (1 << _part(o.m))) == 1,
        ),
    ):
        yield _trap(name, draw, belongs, is_product)


@cache
def _exhibits(label: str, is_product: bool) -> tuple[Operation, ...]:
    return tuple(
        Operation(one.first, one.second, one.m)
        for one in exhibits()
        if (one.label, one.is_product) == (label, is_product)
    )


def _trap(
    name: str,
    scaled: Callable[[Draw], Operation],
    belongs: Callable[[Operation, int], bool],
    is_product: bool,
) -> OperandClass:
    """Return a class that draws exhibits of its name sometimes, otherwise from ``scaled``."""

    def draw(draw: Draw) -> Operation:
        fitting = [
            operation
            for operation in (_at(draw, one, is_product) for one in _exhibits(name, is_product))
            if max(operation[:3]) < 1 << draw.bits and draw.legal(operation)
        ]
        if fitting and draw.rng.randrange(EXHIBITS) == 0:
            return draw.rng.choice(fitting)
        for _ in range(ATTEMPTS):
            operation = scaled(draw)
            if belongs(operation, draw.width):
                return operation
        raise ValueError(f"no operation of class {name!r} was found")

    return OperandClass(name, draw, belongs)


def _at(draw: Draw, exhibit: Operation, is_product: bool) -> Operation:
    """Return the exhibit with the exponent length of the core."""
    own = not is_product and draw.description.length
    return exhibit._replace(length=max(1, exhibit.second.bit_length()) if own else draw.width)


# Draw operands of a kind


def _part(m: int) -> int:
    """Return the minimum length of a long run of equal bits, for moduli of this size."""
    return max(2, min(16, m.bit_length() // 4))


def _odd(draw: Draw, m: int) -> int:
    """Return a modulus with the parity that the core needs."""
    return m | 1 if draw.description.modulus.parity == "odd" else m


def _product(draw: Draw, x: int, y: int, m: int = 0) -> Operation:
    """Return X*Y modulo ``m``, or modulo a drawn modulus above both."""
    if not m:
        m = _odd(draw, max(x, y, 2) + 1 | 1 << (draw.bits - 1))
    bound = draw.description.operand_bound(m, draw.width)
    return Operation(x % bound, y % bound, m, draw.width)


def _power(draw: Draw, base: int) -> Operation:
    """Return an exponentiation of a base modulo a drawn modulus above it."""
    length = draw.length()
    m = _odd(draw, base + 1 | 1 << (draw.bits - 1) | draw.rng.getrandbits(draw.bits))
    return Operation(base, draw.exponent(length), m, length)


def _words(draw: Draw, bits: int) -> int:
    """Draw words of mostly ones, below 2**bits."""
    rng = draw.rng
    limb = rng.choice([limb for limb in LIMBS if limb < bits] or [bits])
    ones = (1 << limb) - 1
    kinds = (ones, ones, ones, ones - 1, ones >> 1, ones ^ ones >> 1, 0, rng.getrandbits(limb))
    value = sum(rng.choice(kinds) << at for at in range(0, bits, limb))
    top = max(2, bits // 4 + 1)  # at least one run of ones is long
    return (value | ((1 << top) - 1) << max(0, bits - 1 - top)) & (1 << bits) - 1


def _square(draw: Draw) -> Operation:
    m = draw.modulus()
    x = _words(draw, max(2, m.bit_length() - 1)) % draw.description.operand_bound(m, draw.width)
    return Operation(x, x, m, draw.width)


def _ones(draw: Draw) -> Operation:
    m = _odd(
        draw, _words(draw, draw.bits) | 1 << (draw.bits - 1) | (1 << max(2, draw.bits // 4)) - 1
    )
    operation = draw.with_modulus(m)
    x = _words(draw, draw.bits) % draw.description.operand_bound(m, draw.width)
    return operation._replace(first=x)


def _full(draw: Draw) -> int:
    n = draw.bits
    free = n - max(2, n // 4)
    return _odd(draw, (1 << n) - 1 - draw.rng.getrandbits(draw.rng.randrange(free + 1) or 1))


def _sparse(draw: Draw) -> int:
    rng, n = draw.rng, draw.bits
    m = 1 << (n - 1) if rng.randrange(2) else (1 << n) - 1
    for _ in range(rng.randrange(1, 3)):
        m ^= 1 << rng.randrange(n - 1)
    return _odd(draw, m)


def _unit(draw: Draw) -> int:
    n = draw.bits
    word = min(n - 1, draw.rng.choice((16, n // 2, 3 * n // 4)))
    word = max(word, _part(1 << (n - 1)))
    top = (draw.rng.getrandbits(n) | 1 << (n - 1)) >> word << word
    return top | (1 if draw.rng.randrange(2) else (1 << word) - 1)


def _estimate(draw: Draw) -> Operation:
    """Draw a divisor whose first word is minimal and second word maximal (Knuth's step D6)."""
    rng, n = draw.rng, draw.bits
    word = rng.choice(_divisor_words(n))
    m = 1 << (n - 1) | ((1 << word) - 1 - rng.randrange(2)) << max(0, n - 2 * word)
    m |= rng.getrandbits(max(1, n - 2 * word))
    m = _odd(draw, m)
    y = (1 << n // 2) + rng.randrange(2)
    return _product(draw, ((m << n // 2) - 1 - rng.getrandbits(2)) // y, y, m)


def _digit(draw: Draw) -> Operation:
    """Draw a product with the leading words of M, so every quotient digit is at its maximum."""
    m = draw.modulus()
    y = draw.rng.randrange(2, max(3, draw.description.operand_bound(m, draw.width)))
    below = draw.rng.getrandbits(max(1, m.bit_length() // 2))
    return _product(draw, ((m << y.bit_length() - 2) - 1 - below) // y, y, m)


def _above(draw: Draw) -> Operation:
    rng, n = draw.rng, draw.bits
    near = 1 << max(1, n // 4)
    m = (1 << (n - 1)) + (rng.randrange(near) | 1)
    x, y = (max(0, m - 1 - rng.randrange(near)) for _ in range(2))
    return _product(draw, x, y, m)


def _zeros(draw: Draw) -> Operation:
    rng, m = draw.rng, draw.modulus()
    bits = m.bit_length()
    run = rng.randrange(_part(m), max(_part(m) + 1, bits - 1))
    low = rng.randrange(max(1, bits - run - 1))
    x = (rng.getrandbits(bits) >> low + run | 1) << low + run | (1 << low >> 1)
    bound = draw.description.operand_bound(m, draw.width)
    y = draw.operand(m)
    return Operation(x if x < bound else 1 << run, y, m, draw.width)


def _lengths(draw: Draw) -> Operation:
    rng, m = draw.rng, draw.modulus()
    few = max(1, m.bit_length() - _part(m))
    lengths = [at for at in range(1, few + 1) if _ends_at_border(1 << at - 1)] or [1]
    at = rng.choice(lengths)
    x, y = 1 << at - 1 | rng.getrandbits(at) >> 1, draw.operand(m)
    return _product(draw, *((x, y) if rng.randrange(2) else (y, x)), m)


def _halves(draw: Draw) -> Operation:
    """Draw operands with equal halves, so a difference of Karatsuba's method is 0."""
    rng, m = draw.rng, draw.modulus()
    half = max(1, (m.bit_length() - 1) // 2)
    part = rng.getrandbits(half) | 1 << (half - 1)
    x = part << half | part
    return _product(draw, x, x if rng.randrange(2) else draw.operand(m), m)


def _unreduced(draw: Draw) -> Operation:
    rng, m = draw.rng, draw.modulus()
    exponent = rng.randrange(2, max(3, min(17, m.bit_length() // 2)))
    base = rng.randrange(2, max(3, 1 << (m.bit_length() - 1) // exponent))
    length = exponent.bit_length() if draw.description.length else draw.width
    return Operation(base, exponent, m, length)


def _fermat(draw: Draw) -> Operation:
    m = draw.modulus()
    return Operation(draw.operand(m), m - draw.rng.randrange(2), m, draw.width)


# Tests whether operands belong to a kind


def _one_run(value: int) -> int:
    """Return the length of the longest run of ones."""
    return max((len(run) for run in f"{value:b}".split("0")), default=0)


def _zero_run(value: int) -> int:
    """Return the length of the longest run of zeros below the first one bit."""
    return max((len(run) for run in f"{value:b}".split("1")), default=0) if value else 0


def _is_full(m: int) -> bool:
    top = max(2, m.bit_length() // 4)
    return m.bit_length() > top and m >> m.bit_length() - top == (1 << top) - 1


def _is_sparse(m: int) -> bool:
    return sum(1 for _ in groupby(f"{m:b}")) <= MOST_RUNS


def _rare_divisor(m: int) -> bool:
    n = m.bit_length()
    return n > 1 and any(
        m >> n - word == 1 << word - 1 and (m >> n - 2 * word) % (1 << word) >= (1 << word) - 2
        for word in _divisor_words(n)
    )


def _divisor_words(bits: int) -> list[int]:
    """Return the word sizes of which a modulus has at least two words."""
    return [limb for limb in LIMBS if 2 * limb <= bits] or [max(1, bits // 2)]


def _leads_alike(operation: Operation) -> bool:
    product, m = operation.first * operation.second, operation.m
    part = _part(m)
    if product < m or m.bit_length() < part:
        return False
    return product >> product.bit_length() - part == m >> m.bit_length() - part


def _ends_at_border(value: int) -> bool:
    return any((value.bit_length() + by) % limb == 0 for by in (-1, 0, 1) for limb in LIMBS)


def _is_above(operation: Operation) -> bool:
    n = operation.m.bit_length()
    near = 1 << max(1, n // 4)
    return operation.m - (1 << n - 1) <= near and min(operation[:2]) >= operation.m - 1 - near


def _has_equal_halves(value: int) -> bool:
    """Return True if two halves are equal: of half the value's length, or of a power of two."""
    bits = value.bit_length()
    halves = {(bits + 1) // 2, 1 << max(0, (bits - 1).bit_length() - 1)}
    return any(value >> half == value % (1 << half) for half in halves if 0 < half < bits)


def _is_below(operation: Operation) -> bool:
    base, exponent, m = operation.first, operation.second, operation.m
    few = base.bit_length() * exponent <= 2 * m.bit_length() + exponent
    return exponent > 1 and base > 1 and few and base**exponent < m
