"""Cycles of each multiplier compared with the published figures of its source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from models.architecture import Architecture
from models.exponentiation_core import exponentiation

WIDTH = 1024
BEGIN = "<!-- table: cycles -->"
# RSA: bits of the modulus, bits of e = 65537, points of mwrkmm: WordWidth, DigitWidth, Elements,
# Latency.
RSA_BITS = (2048, 3072, 4096)
PUBLIC_LENGTH = 17
RSA_POINTS = ((17, 16, 20, 3), (36, 36, 5, 6), (54, 54, 4, 5))
RSA_NAMES = ("WordWidth", "DigitWidth", "Elements", "Latency")
RSA_HEADINGS = ("`mwrkmm`", "RSA", "Private, CRT", "Private, no CRT", "Public", "Public, R² kept")
HEADINGS = ("Multiplier", "Loop", "Product", "Exponentiation", "Figures from")


def cycle_table(entries: Iterable[Architecture], width: int = WIDTH) -> str:
    """Return a Markdown table, one row per published configuration, cells "ours / published".

    Our figures come from the registry's formulas. The environment checks these formulas on every
    operation.

    Args:
        entries: registry entries with a module.
        width: operand and exponent bits.
    """
    rows = [HEADINGS, ("---", *("---:" for _ in HEADINGS[1:-1]), "---")]
    for entry in entries:
        for point in entry.published.points():
            rows.append(tuple(_cells(entry.with_parameters(point), point, width)))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"


def rsa_table(entry: Architecture) -> str:
    """Return a Markdown table of the cycles of RSA operations, without those of the bus.

    The core with CRT has half of the bits and does two exponentiations, for each of which it
    computes R². The others have all bits.

    Args:
        entry: registry entry with the parameters ``RSA_NAMES``.
    """
    rows = [RSA_HEADINGS, ("---", *("---:" for _ in RSA_HEADINGS[1:]))]
    for point in RSA_POINTS:
        values = dict(zip(RSA_NAMES, point, strict=True))
        made = entry.with_parameters(values)
        text = ", ".join(f"{name} {value}" for name, value in values.items())
        rows += [(text, str(bits), *_rsa_cells(made, bits)) for bits in RSA_BITS]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"


def _rsa_cells(entry: Architecture, bits: int) -> Iterator[str]:
    half = bits // 2
    whole, modulus = exponentiation(entry, bits), (1 << bits) - 1
    yield _number(2 * exponentiation(entry, half).operation_cycles((1 << half) - 1, half))
    yield _number(whole.operation_cycles(modulus, bits))
    for computed in (True, False):
        cycles = whole.operation_cycles(modulus, PUBLIC_LENGTH, compute_r_squared=computed)
        yield _number(cycles)


def _cells(entry: Architecture, point: dict[str, int], width: int) -> Iterator[str]:
    model = exponentiation(entry, width)
    # Only the length of the modulus matters, and only for one architecture.
    modulus = (1 << width) - 1
    long, short = (model.operation_cycles(modulus, length) for length in (width, 1))
    values = ", ".join(f"{name} {value}" for name, value in point.items())
    yield f"`{entry.name}`: {entry.title}" + (f"<br>{values}" if values else "")
    yield "<br>".join(
        f"{condition}: {_compared(ours, published)}" if condition else _compared(ours, published)
        for condition, ours, published in entry.published.loops()
    )
    # Cycles per additional exponent bit: a product and everything between two products.
    yield _compared((long - short) / (width - 1), entry.published.product_cycles(width))
    yield _compared(long, entry.published.exponentiation_cycles(width))
    yield entry.published.source


def _compared(ours: float, published: int | None) -> str:
    if published is None:
        return f"{_number(ours)} / –"
    return f"{_number(ours)} / {_number(published)} = {ours / published:.2f}"


def _number(value: float) -> str:
    """Return a rounded number in groups of three digits."""
    return f"{round(value):,}".replace(",", " ")
