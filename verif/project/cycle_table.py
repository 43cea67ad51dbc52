"""Cycles of each multiplier compared with the published figures of its source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import astuple

from models.architecture import Architecture
from models.exponentiation_core import exponentiation
from models.registry import architecture
from models.rsa_cycles import RSA_ARCHITECTURE, RSA_BITS, RSA_POINTS, in_words, rsa_cycles

# Operand and exponent bits of the table.
WIDTH = 1024
BEGIN = "<!-- table: cycles -->"
RSA_HEADINGS = (
    f"`{RSA_ARCHITECTURE}`", "RSA", "Private, CRT", "Private, no CRT", "Private, no CRT, R² kept",
    "Public", "Public, R² kept",
)  # fmt: skip
HEADINGS = ("Multiplier", "Loop", "Product", "Exponentiation", "Figures from")


def cycle_table(entries: Iterable[Architecture]) -> str:
    """Return a Markdown table, one row per published configuration, cells "ours / published".

    Our figures come from the registry's formulas. The environment checks these formulas on every
    operation.

    Args:
        entries: registry entries with a module.
    """
    rows = [HEADINGS, ("---", *("---:" for _ in HEADINGS[1:-1]), "---")]
    for entry in entries:
        for point in entry.published.points():
            rows.append(tuple(_cells(entry.with_parameters(point), point)))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"


def rsa_table() -> str:
    """Return a Markdown table of the cycles of RSA operations, see :class:`RsaCycles`."""
    entry = architecture(RSA_ARCHITECTURE)
    rows = [RSA_HEADINGS, ("---", *("---:" for _ in RSA_HEADINGS[1:]))]
    for values in RSA_POINTS:
        made = entry.with_parameters(values)
        for bits in RSA_BITS:
            cycles = map(_number, astuple(rsa_cycles(made, bits)))
            rows.append((in_words(values), str(bits), *cycles))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"


def _cells(entry: Architecture, point: dict[str, int]) -> Iterator[str]:
    model = exponentiation(entry, WIDTH)
    # Only the length of the modulus matters, and only for one architecture.
    modulus = (1 << WIDTH) - 1
    long, short = (model.operation_cycles(modulus, length) for length in (WIDTH, 1))
    values = in_words(point)
    yield f"`{entry.name}`: {entry.title}" + (f"<br>{values}" if values else "")
    yield "<br>".join(
        f"{condition}: {_compared(ours, published)}" if condition else _compared(ours, published)
        for condition, ours, published in entry.published.loops()
    )
    # Cycles per additional exponent bit: a product and everything between two products.
    yield _compared((long - short) / (WIDTH - 1), entry.published.product_cycles(WIDTH))
    yield _compared(long, entry.published.exponentiation_cycles(WIDTH))
    yield entry.published.source


def _compared(ours: float, published: int | None) -> str:
    if published is None:
        return f"{_number(ours)} / –"
    return f"{_number(ours)} / {_number(published)} = {ours / published:.2f}"


def _number(value: float) -> str:
    """Return a rounded number in groups of three digits."""
    return f"{round(value):,}".replace(",", " ")
