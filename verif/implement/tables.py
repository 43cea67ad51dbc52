"""Tables of measured and published figures, as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from verif.bench.configuration.design import EXPONENTIATION, MULTIPLIER
from verif.implement.point import ImplementationPoint
from verif.implement.quantities import (
    ECP5,
    GATES,
    METRICS,
    NANGATE,
    Measured,
    figures,
    point_of,
    values_of,
    words_of,
)

NONE = "–"
TARGET_FIGURES = {
    "luts": "LUT",
    "ffs": "FF",
    "multipliers": "18×18",
    "mhz": "MHz",
    "exponentiation_ms": "exponentiation, ms",
    "luts_a_bit": "LUT a bit",
    "ffs_a_bit": "FF a bit",
}


def number(value: float | None) -> str:
    """Three digits or more, thousands apart; a dash for none."""
    if value is None:
        return NONE
    if abs(value) >= 100:
        return f"{value:,.0f}".replace(",", " ")
    return f"{value:.3g}"


def compared(ours: float | None, published: float | None) -> str:
    """``ours / published = ratio``; a dash for a missing value."""
    if ours is None or not published:
        return f"{number(ours)} / {number(published)}"
    return f"{number(ours)} / {number(published)} = {ours / published:.2f}"


def markdown(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table, numbers to the right."""
    lines = [headings, ["---", *("---:" for _ in headings[1:])], *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def thesis_tables(measured: Measured) -> Iterator[tuple[str, str]]:
    """Title and text of each table that has a row for each width."""
    for table in figures()["tables"]:
        metric, names = METRICS[table["metric"]], table["columns"]
        rows = []
        for width, published in table["rows"].items():
            ours = [metric(measured, name, width) for name in names]
            theirs = list(published)
            if table.get("relative"):
                ours = [value / ours[0] if value and ours[0] else None for value in ours]
                theirs = [value / published[0] for value in published]
            cells = [compared(mine, other) for mine, other in zip(ours, theirs, strict=True)]
            rows.append([f"{width} bits", *cells])
        headings = ["ours / published", *(f"`{name}`" for name in names)]
        yield f"{table['table']}: {table['title']}", markdown(headings, rows)


def unfolding_table(measured: Measured) -> tuple[str, int]:
    """Gajbhiye & Joshi's table as ratios, and the width it was made at; 0 if no one has all."""
    published = figures()["gajbhiye"]["rows"]
    width = _common_width(measured, list(published), NANGATE, ECP5)
    base = next(iter(published))
    rows = []
    for name, given in published.items():
        cells = []
        for target, column in ((NANGATE, "asic"), (ECP5, "fpga")):
            mine = measured.find(target, MULTIPLIER.name, name, width)
            first = measured.find(target, MULTIPLIER.name, base, width)
            area = mine.size / first.size if mine and first else None
            delay = None
            if mine and first and mine.fmax_mhz and first.fmax_mhz:
                delay = first.fmax_mhz.median / mine.fmax_mhz.median
            for index, ours in enumerate((area, delay)):
                theirs = given[column][index] / published[base][column][index]
                cells.append(f"{number(ours)} / {theirs:.3g}")
        rows.append([f"`{name}`", *cells])
    headings = (
        "ours / published",
        "area, cells",
        "period, cells",
        "area, FPGA",
        "period, FPGA",
    )
    return markdown(headings, rows), width


@dataclass(frozen=True)
class Target:
    """A figure that the redesign had to reach.

    Attributes:
        point: which point, for readers.
        figure: which of its figures.
        flat: the figure of the design with flat operands; None where there was none.
        limit: what it has to be.
        least: it must be this or more; else this or less.
        now: what was measured; None if nothing was.
    """

    point: str
    figure: str
    flat: float | None
    limit: float
    least: bool
    now: float | None

    @property
    def reached(self) -> bool:
        """Whether the measured value meets the required one."""
        if self.now is None:
            return False
        return self.now >= self.limit if self.least else self.now <= self.limit


def targets(measured: Measured) -> Iterator[Target]:
    """Targets of the redesign, and the present figures."""
    for entry in figures()["targets"]:
        values, words = values_of(point_of(measured, entry["of"])), words_of(entry["of"])
        if other := entry.get("over"):
            words += f" over {other['width']} bits"
            below = values_of(point_of(measured, other))
            values = {key: value / below[key] for key, value in values.items() if below.get(key)}
        for bound in ("most", "least"):
            for figure, limit in entry.get(bound, {}).items():
                flat = entry.get("flat", {}).get(figure)
                yield Target(words, figure, flat, limit, bound == "least", values.get(figure))


def target_table(measured: Measured) -> str:
    """A row for each target."""
    rows = [
        [
            target.point,
            TARGET_FIGURES[target.figure],
            number(target.flat),
            f"{'≥' if target.least else '≤'} {number(target.limit)}",
            number(target.now),
            "yes" if target.reached else NONE if target.now is None else "**no**",
        ]
        for target in targets(measured)
    ]
    return markdown(("point", "figure", "flat operands", "must", "now", "reached"), rows)


def parts_table(measured: Measured) -> str:
    """Area by module of one core, beside its area with flat operands; only measured modules."""
    parts = figures()["parts"]
    point = point_of(measured, parts["of"])
    if not point or not point.modules:
        return ""
    luts = dict(point.modules)
    rows = []
    for row in parts["rows"]:
        now = sum(luts.pop(name, 0) for name in row["now"])
        rows.append([row["part"], number(row["flat"]), number(now)])
    if luts:
        rows.append([f"others: {', '.join(sorted(luts))}", NONE, number(sum(luts.values()))])
    return markdown((f"LUT4 of {words_of(parts['of'])}", "flat operands", "now"), rows)


def published_points(measured: Measured) -> Iterator[tuple[dict[str, Any], dict[str, float]]]:
    """The single points of the papers, with the measured figures."""
    for entry in figures()["points"]:
        yield entry, values_of(point_of(measured, entry["of"]))


def point_table(measured: Measured) -> str:
    """Single points of the papers, one row each."""
    rows = []
    for entry, ours in published_points(measured):
        given = entry["published"]
        cells = [
            compared(ours.get(key), given[key]) if key in given else NONE
            for key in ("luts", "ffs", "multipliers", "mhz")
        ]
        times = [
            f"{compared(ours.get(key), given[key])} {unit}"
            for key, unit in (
                ("exponentiation_ms", "ms"),
                ("loop_us", "µs"),
                ("binary_loop_us", "µs"),
            )
            if key in given
        ]
        rows.append([entry["place"], words_of(entry["of"]), *cells, ", ".join(times) or NONE])
    headings = ("ours / published", "point", "LUT", "FF", "multipliers", "MHz", "time")
    return markdown(headings, rows)


def peer_table() -> str:
    """Area and time of other open cores on the same flow."""
    rows = [
        [name, what, *(number(value) for value in values), time]
        for name, what, *values, time, _ in figures()["peers"]
    ]
    return markdown(("core", "configuration", "LUT", "FF", "18×18", "MHz", "time"), rows)


def by_design(
    points: Iterable[ImplementationPoint], target: str
) -> Iterator[tuple[str, list[ImplementationPoint]]]:
    """Yield each design that has points on a target, and these points in the order of tables."""
    found = sorted(
        (point for point in points if point.target == target),
        key=lambda point: (point.width, point.architecture, point.id),
    )
    for design in (MULTIPLIER.name, EXPONENTIATION.name):
        if chosen := [point for point in found if point.design == design]:
            yield design, chosen


def all_points(measured: Measured) -> Iterator[tuple[str, str]]:
    """Every point of a design on a target: title and text."""
    for target in (ECP5, NANGATE, "sky130hd", GATES):
        for design, points in by_design(measured.points, target):
            headings = (
                "point", "LUT", "FF", "18×18", "block RAM", "LUT RAM", "gates", "depth", "µm²",
                "MHz (range, seeds)", "product, µs", "exponentiation, ms",
            )  # fmt: skip
            yield f"{design} on {target}", markdown(headings, map(_row, points))
    remarks = [f"- `{p.id}`: {p.message}\n" for p in measured.points if p.message]
    remarks += [f"- `{p.id}`: {p.message}\n" for p in measured.missing]
    if remarks:
        yield "What is missing, and why", "".join(sorted(remarks))


def speed(point: ImplementationPoint) -> str:
    """Median, range and number of seeds of the clock; a dash without one."""
    fmax = point.fmax_mhz
    if not fmax:
        return NONE
    return f"{fmax.median:.1f} ({fmax.min:.1f} to {fmax.max:.1f}, {len(fmax.seeds)})"


def _row(point: ImplementationPoint) -> list[str]:
    return [
        point.label,
        *map(number, (point.luts, point.ffs, point.multipliers)),
        *map(number, (point.memories, point.lut_memories, point.gates, point.depth)),
        number(point.area_um2), speed(point),
        number(point.time_product_us), number(point.time_exponentiation_ms),
    ]  # fmt: skip


def _common_width(measured: Measured, names: Sequence[str], *targets: str) -> int:
    """The largest width at which each target has each multiplier, with times if any width has."""

    def has(width: int, timed: bool) -> bool:
        points = [measured.find(t, MULTIPLIER.name, n, width) for t in targets for n in names]
        return all(point and (point.fmax_mhz or not timed) for point in points)

    widths = sorted({point.width for point in measured.points}, reverse=True)
    for timed in (True, False):
        found = next((width for width in widths if has(width, timed)), 0)
        if found:
            return found
    return 0
