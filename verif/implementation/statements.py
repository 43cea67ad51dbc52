"""What the open flow confirms of the papers and what it refutes, a sentence each."""

from __future__ import annotations

from collections.abc import Iterator

from verif.design import MULTIPLIER
from verif.implementation.tables import ECP5, METRICS, Measured, number

THESIS = ("fast_montgomery", "faster_montgomery", "optimized_interleaved")
WIDTHS = (1024, 512, 256, 128, 64, 32)


def statements(measured: Measured) -> list[str]:
    """The sentences for which enough was measured."""
    return [
        text
        for make in (_area_time, _small, _fast_clock, _unfolding, _linear)
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
    yield (
        f"That one carry-save adder and a table are smaller than two adders is {verdict} at "
        f"{width} bits: {number(a4)} (A4) and {number(a6)} (A6) LUT4 against {number(a2)} (A2). "
        f"The halves that the thesis reports are not reached, because the loader, the checks and "
        f"the word-serial adder are the same around each core."
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
        yield (
            f"LUTs grow with the width by factors of "
            f"{', '.join(f'{value:.2f}' for value in growth)} of proportional (A2, A4, A6; "
            f"{low} to {high} bits). The thesis calls the growth of slices above 256 bits "
            f"exponential{', and nothing here is' if high > 256 else ', which is not measured'}."
        )


def _limit(measured: Measured, width: int) -> str:
    """What limits the clock, if it is the same part of the design in all three."""
    points = [measured.find(ECP5, MULTIPLIER.name, name, width) for name in THESIS]
    ends = {
        point.critical_path.end.rpartition(".")[0]
        for point in points
        if point and point.critical_path
    }
    if len(ends) != 1:
        return "The slowest paths of the three end in different parts."
    return f"The slowest path of all three ends in `{ends.pop()}`, not in the loop."


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
