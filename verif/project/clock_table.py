"""Clocks of each multiplier against the figures its source publishes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from models.architecture import Architecture
from models.exponentiation_core import exponentiation

WIDTH = 1024
BEGIN = "<!-- table: clocks -->"
HEADINGS = ("Multiplier", "Loop", "Product", "Exponentiation", "Figures from")


def clock_table(entries: Iterable[Architecture], width: int = WIDTH) -> str:
    """A Markdown table, one row for each published configuration; cells are "ours / published".

    Ours are the registry's formulas, which the environment compares with every operation it sees.

    Args:
        entries: registry entries with a module.
        width: operand and exponent bits.
    """
    rows = [HEADINGS, ("---", *("---:" for _ in HEADINGS[1:-1]), "---")]
    for entry in entries:
        for point in entry.published.points():
            rows.append(tuple(_cells(entry.with_parameters(point), point, width)))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"


def _cells(entry: Architecture, point: dict[str, int], width: int) -> Iterator[str]:
    model = exponentiation(entry, width)
    # No more than its length matters, and that to one architecture only.
    modulus = (1 << width) - 1
    long, short = (model.operation_cycles(modulus, length) for length in (width, 1))
    values = ", ".join(f"{name} {value}" for name, value in point.items())
    yield f"`{entry.name}`: {entry.title}" + (f"<br>{values}" if values else "")
    yield "<br>".join(
        f"{condition}: {_compared(ours, published)}" if condition else _compared(ours, published)
        for condition, ours, published in entry.published.loops()
    )
    # What one more exponent bit costs: a product with everything that comes between two of them.
    yield _compared((long - short) / (width - 1), entry.published.product_cycles(width))
    yield _compared(long, entry.published.exponentiation_cycles(width))
    yield entry.published.source


def _compared(ours: float, published: int | None) -> str:
    if published is None:
        return f"{_number(ours)} / –"
    return f"{_number(ours)} / {_number(published)} = {ours / published:.2f}"


def _number(value: float) -> str:
    """Rounded, with thin groups of three digits."""
    return f"{round(value):,}".replace(",", " ")
