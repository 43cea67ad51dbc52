"""Statements of the papers that the open flow confirms or refutes, one sentence for each."""

from __future__ import annotations

import re
from collections.abc import Iterator

from verif.bench.configuration.design import MULTIPLIER
from verif.implement.quantities import ECP5, METRICS, Measured, figures
from verif.implement.tables import number, published_points

THESIS = ("fast_montgomery", "faster_montgomery", "optimized_interleaved")
WIDTHS = (1024, 512, 256, 128, 64, 32)
# The instance of the core with its loop.
CORE = re.compile(r"u_unit\.(gen_\w+\.u_unit\.)?u_core\b")
# A size is proportional to the width if it grows by at most this factor more than the width.
PROPORTIONAL = 1.1
TIMES = {"exponentiation_ms": "ms", "loop_us": "µs", "binary_loop_us": "µs"}
SIZES = (("luts", "LUT"), ("ffs", "FF"), ("multipliers", "multipliers"), ("mhz", "MHz"))


def statements(measured: Measured) -> list[str]:
    """The sentences for which enough was measured."""
    return [
        text
        for make in (_area_time, _small, _fast_clock, _unfolding, _linear, _points)
        for text in make(measured)
    ]


def _values(measured: Measured, metric: str, width: int) -> list[float] | None:
    """The metric of the thesis's three multipliers; None unless all were measured."""
    values = [METRICS[metric](measured, name, width) for name in THESIS]
    return [value for value in values if value] if all(values) else None


def _largest(measured: Measured, metric: str) -> tuple[int, list[float]] | None:
    for width in WIDTHS:
        values = _values(measured, metric, width)
        if values:
            return width, values
    return None


def _area_time(measured: Measured) -> Iterator[str]:
    found = _largest(measured, "area_time")
    if not found:
        return
    width, (a2, a4, a6) = found
    order = a6 < a4 < a2
    verdict = "confirmed" if order else "refuted"
    yield (
        f"Area × time of A6 : A4 : A2 (optimized interleaved, faster, fast Montgomery) is "
        f"{a6 / a2:.3f} : {a4 / a2:.3f} : 1 at {width} bits, with everything around the loop; the "
        f"thesis has 0.324 : 0.401 : 1 at 1024 bits for the loop and its registers. The order "
        f"A6 < A4 < A2 is {verdict} at this width."
    )


def _small(measured: Measured) -> Iterator[str]:
    found = _largest(measured, "luts")
    if not found:
        return
    width, (a2, a4, a6) = found
    verdict = "confirmed" if a4 < a2 and a6 < a2 else "refuted"
    published = _published("luts", width)
    yield (
        f"That one carry-save adder and a table are smaller than two adders is {verdict} at "
        f"{width} bits: {number(a4)} (A4) and {number(a6)} (A6) LUT4 against {number(a2)} (A2), "
        f"{a4 / a2:.2f} and {a6 / a2:.2f} of it; the thesis has {published[1] / published[0]:.2f} "
        f"and {published[2] / published[0]:.2f} for the loop and its registers. The loader, the "
        f"checks and the adder of words are the same around each core here."
    )


def _fast_clock(measured: Measured) -> Iterator[str]:
    found = _largest(measured, "period_ns")
    if not found:
        return
    width, (a2, a4, a6) = found
    verdict = "confirmed" if a6 < a2 else "refuted"
    yield (
        f"That the optimized interleaved multiplier has the fastest clock is {verdict} at {width} "
        f"bits: {1000 / a6:.1f} MHz against {1000 / a4:.1f} (A4) and {1000 / a2:.1f} (A2). "
        f"{_limit(measured, width)}"
    )


def _linear(measured: Measured) -> Iterator[str]:
    widths = [width for width in sorted(WIDTHS) if _values(measured, "luts", width)]
    if len(widths) < 2:
        return
    low, high = widths[0], widths[-1]
    first, last = _values(measured, "luts", low), _values(measured, "luts", high)
    if first and last:
        growth = [b / a / (high / low) for a, b in zip(first, last, strict=True)]
        if high <= 256:
            verdict = "not measured"
        else:
            verdict = "refuted" if max(growth) <= PROPORTIONAL else "confirmed"
        yield (
            f"LUTs grow with the width by factors of "
            f"{', '.join(f'{value:.2f}' for value in growth)} of proportional (A2, A4, A6; "
            f"{low} to {high} bits). That slices grow faster than the width above 256 bits, as the "
            f"thesis has it, is {verdict}."
        )


def _limit(measured: Measured, width: int) -> str:
    """Return the part of the design that limits the clock, if all three agree."""
    points = [measured.find(ECP5, MULTIPLIER.name, name, width) for name in THESIS]
    ends = {point.path_end.rpartition(".")[0] for point in points if point and point.path_end}
    if len(ends) != 1:
        return "The slowest paths of the three end in different parts."
    end = ends.pop()
    where = "in the loop" if CORE.match(end) else "not in the loop"
    return f"The slowest path of all three ends in `{end}`, {where}."


def _published(metric: str, width: int) -> list[float]:
    table = next(table for table in figures()["tables"] if table["metric"] == metric)
    return table["rows"][width]


def _points(measured: Measured) -> Iterator[str]:
    """Single points of the papers that were measured with a time."""
    for entry, ours in published_points(measured):
        given = entry["published"]
        time = next((key for key in TIMES if key in given and key in ours), None)
        if not time:
            continue
        verdict = "reached" if ours[time] <= given[time] else "not reached"
        said = [
            f"{number(ours[key])} {unit} against {number(given[key])}"
            for key, unit in SIZES
            if key in given and key in ours
        ]
        said.append(f"{number(ours[time])} {TIMES[time]} against {number(given[time])}")
        yield f"{entry['place']}: {', '.join(said)}. The time is {verdict}."


def _unfolding(measured: Measured) -> Iterator[str]:
    for width in WIDTHS:
        loops = [
            METRICS["loop_ns"](measured, name, width)
            for name in ("faster_montgomery", "unfolded_faster_montgomery")
        ]
        if all(loops):
            gain = 1 - (loops[1] or 0) / (loops[0] or 1)
            verdict = "confirmed" if gain > 0 else "refuted"
            yield (
                f"That unfolding saves time is {verdict} for the pre-computed core at {width} "
                f"bits: {100 * gain:.0f} % of the loop (Gajbhiye & Joshi: 24 % of a bit's delay on "
                f"the FPGA)."
            )
            return
