"""Check every operand triple of a small width: each model against gmpy2, or FLINT in GF(2**n).

``python -m regress exhaustive`` takes every odd M (every M > 1 outside the Montgomery domain) and
all X, Y < M, and checks the product and the bound of S + C. Up to 5 bits it also checks every
product of a chain, whose operands are below twice the bounding modulus. If the core has GF(2**n),
it checks every reduced pair of polynomials.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NoReturn

from models.architecture import Architecture
from models.constant import Reduction
from models.reference import is_binary_product, modular_product

MIN_WIDTH = 4
MAX_WIDTH = 8
# Operands of a chain are longer than M: by 5 bits with the default digits at n = 5.
MAX_CHAIN_WIDTH = 5


class MismatchError(Exception):
    """A model and its reference differ; the message states the operands."""


def moduli(entry: Architecture, width: int) -> range:
    """Return every legal modulus of up to ``width`` bits."""
    return range(3, 1 << width, 2) if entry.montgomery else range(2, 1 << width)


def bounding_modulus(entry: Architecture, m: int, width: int) -> int:
    """Return the modulus B such that results stay below 2*B: M, or Mtilde if the core adds it."""
    scale = entry.scaling.bits(width) if entry.scaling else 0
    return (entry.model.constant_values(0, m, width)[0] << scale) - 1 if scale else m


def result_bound(entry: Architecture, m: int, width: int) -> int:
    """Return the bound of S + C for X, Y < M: twice a modulus, or the limit of FULL reduction."""
    if entry.montgomery or entry.final_reduction is Reduction.ONCE:
        return 2 * bounding_modulus(entry, m, width)
    return 1 << width + entry.model.guard_bits(width) + 1


def _fail(entry: Architecture, width: int, operands: Sequence[int], finding: str) -> NoReturn:
    x, y, m = operands
    raise MismatchError(f"{entry.name} at {width} bits, X = {x}, Y = {y}, M = {m}: {finding}")


def check_products(entry: Architecture, width: int, m: int) -> int:
    """Check all products modulo ``m`` of X, Y < m; return their number.

    Raises:
        MismatchError: a product is not X*Y/R mod M, or is too long.
    """
    radix, bound = entry.model.radix(width), result_bound(entry, m, width)
    port = 1 << width + entry.model.guard_bits(width)
    triples = [(x, y, m) for x in range(m) for y in range(m)]
    for triple, (s, c) in zip(triples, entry.model.products(triples, width), strict=True):
        x, y, _ = triple
        expected = modular_product(x, y, m, radix)
        if (s + c) % m != expected:
            _fail(entry, width, triple, f"(S + C) mod M = {(s + c) % m}, expected {expected}")
        if s + c >= bound or s >= port or c >= port:
            _fail(entry, width, triple, f"S = {s}, C = {c}: S + C must be below {bound}")
    return len(triples)


def check_chain(entry: Architecture, width: int, m: int, step: int = 1) -> int:
    """Check all chained products for X, Y below twice the bounding modulus; return their number.

    Args:
        entry: an entry that can chain products.
        width: n.
        m: modulus.
        step: check every ``step``-th X and the largest X.

    Raises:
        MismatchError: a product is not X*Y/R mod M, or is too long for an operand of the next.
    """
    radix = 1 << entry.chaining.radix_bits(width)
    bound = 2 * bounding_modulus(entry, m, width)
    factors = [*range(0, bound - 1, step), bound - 1]
    for x in factors:
        for y in range(bound):
            value = entry.chaining.product(x, y, m, width)
            expected = modular_product(x, y, m, radix)
            if value % m != expected:
                _fail(entry, width, (x, y, m), f"chain: {value % m} mod M, expected {expected}")
            if value >= bound:
                _fail(entry, width, (x, y, m), f"chain: {value} must be below {bound}")
    return len(factors) * bound


def check_binary(entry: Architecture, width: int, m: int) -> int:
    """Check all products modulo the polynomial ``m`` of reduced X, Y; return their number.

    Raises:
        MismatchError: a product is not X*Y/R mod M in GF(2)[x], or is not reduced.
    """
    radix_bits = entry.binary.radix_bits(width)
    reduced = range(1 << m.bit_length() - 1)
    for x in reduced:
        for y in reduced:
            value = entry.binary.product(x, y, m, width)
            if not is_binary_product(value, x, y, m, radix_bits):
                _fail(entry, width, (x, y, m), f"GF(2^n): {value} is not X*Y/x^{radix_bits} mod M")
    return len(reduced) ** 2


Check = Callable[[Architecture, int, int], int]


def checks(entry: Architecture, width: int) -> dict[str, Check]:
    """Return the checks that apply to an entry, by name."""
    found: dict[str, Check] = {"products": check_products}
    if entry.chaining and width <= MAX_CHAIN_WIDTH:
        found["chained"] = check_chain
    if entry.binary:
        found["GF(2^n)"] = check_binary
    return found


@dataclass(frozen=True)
class Outcome:
    """Result of one entry's checks.

    Attributes:
        name: name of the entry.
        operations: number of checked operations by check.
        seconds: wall-clock time.
    """

    name: str
    operations: dict[str, int]
    seconds: float


def check_entry(entry: Architecture, width: int, progress: Callable[[str], None]) -> Outcome:
    """Run every check of one entry.

    Args:
        entry: registry entry.
        width: n.
        progress: called with each progress line, which replaces the previous line.

    Raises:
        MismatchError: at the first difference.
    """
    begin = time.perf_counter()
    operations: dict[str, int] = {}
    for name, check in checks(entry, width).items():
        operations[name] = 0
        for m in moduli(entry, width):
            progress(f"{entry.name}: {name}, M = {m} of {(1 << width) - 1}")
            operations[name] += check(entry, width, m)
    return Outcome(entry.name, operations, time.perf_counter() - begin)


def table(outcomes: Sequence[Outcome], width: int) -> str:
    """Return a table of the operations and seconds of each entry."""
    columns = list(dict.fromkeys(name for o in outcomes for name in o.operations))
    rows = [[f"{width} bits", *columns, "seconds"]]
    for outcome in outcomes:
        counts = (f"{outcome.operations[c]:,}" if c in outcome.operations else "-" for c in columns)
        rows.append([outcome.name, *counts, f"{outcome.seconds:.1f}"])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for first, *rest in rows:
        cells = (cell.rjust(size) for cell, size in zip(rest, widths[1:], strict=True))
        lines.append("  ".join((first.ljust(widths[0]), *cells)))
    return "\n".join(lines)
