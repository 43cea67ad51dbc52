"""Section of the results page on energy: measured operations, and a scaled RSA signature."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from models.registry import architecture
from verif.bench.configuration.design import EXPONENTIATION, hardware
from verif.implement.point import ImplementationPoint, cycles
from verif.implement.quantities import Measured
from verif.implement.tables import NONE, by_design, markdown, number

METHOD = """\
`regress implement --energy` simulates the mapped netlist with zero delay. 64 random operations run
beside each other, and every answer is compared with the model. The energy of a cell has three
parts. The first is toggles of each output times its `internal_power` table: mean over edges and
conditions, middle slew, load of the driven pins. The second is half C V² of the driven pins a
toggle. The third is the clock pin of each flip-flop in each cycle. Cycles count from the start
command to the end of busy, without transfers of operands and results. Each operation has a new
modulus and computes its constants (M′, R²) where the design does so. Leakage is that of the
library's cells (`cell_leakage_power`), at the clock of the point.

Limits: pre-layout, typical corner, nominal voltage. Wires and clock tree are missing: a chip needs
more. Zero delay has no glitches: long adders and multipliers need more. Memories are flip-flops
without clock gates, whose clock pins take most of the energy: RAM macros and clock gates need
less. Use the figures to compare designs, not to budget a chip."""
# Bits of the signature that is scaled, and widths that a line through measurements needs.
SCALED_TO, SCALED_WIDTHS = 2048, 3
SCALED = "mwrkmm"
HEADINGS = (
    "point", "cycles", "pJ an operation", "of it clock pins", "pJ a cycle", "leakage, µW",
    "leakage, pJ an operation",
)  # fmt: skip


def energy_section(measured: Measured) -> list[str]:
    """Return the lines after the heading of the section."""
    points = [point for point in measured.points if point.energy_pj is not None]
    if not points:
        return ["No energy was measured.", ""]
    lines = [METHOD, ""]
    for target in sorted({point.target for point in points}):
        for design, chosen in by_design(points, target):
            lines += [f"{design} on {target}", "", markdown(HEADINGS, map(_row, chosen))]
        lines += _signature(target, points)
    return lines


def _row(point: ImplementationPoint) -> list[str]:
    energy, count = point.energy_pj or 0.0, point.energy_cycles or 1
    clock = 100 * (point.clock_pj or 0.0) / energy if energy else 0.0
    leakage = _leakage_pj(point.leakage_uw or 0.0, count, point)
    return [
        point.label, number(count), number(energy), f"{clock:.0f} %", number(energy / count),
        number(point.leakage_uw), NONE if leakage is None else number(leakage),
    ]  # fmt: skip


def _leakage_pj(microwatts: float, count: float, point: ImplementationPoint) -> float | None:
    """Return the leakage during some cycles at the clock of a point: µW times µs are pJ."""
    return microwatts * count / point.fmax_mhz.median if point.fmax_mhz else None


def _signature(target: str, points: Sequence[ImplementationPoint]) -> Iterator[str]:
    """Yield the energy of an RSA signature by the line through the measured widths."""
    known = sorted(
        (
            p
            for p in points
            if (p.target, p.design, p.architecture) == (target, EXPONENTIATION.name, SCALED)
            and not p.variant
        ),
        key=lambda p: p.width,
    )
    if len(known) < SCALED_WIDTHS:
        return
    widths = [p.width for p in known]
    dynamic = _line(widths, [(p.energy_pj or 0.0) / (p.energy_cycles or 1) for p in known])
    leaking = _line(widths, [p.leakage_uw or 0.0 for p in known])
    yield (
        f"RSA-{SCALED_TO} signature on {target}: **scaled, not measured**. The widest simulated "
        f"netlist has {widths[-1]} bits."
    )
    yield (
        f"Rule: pJ a cycle of `{SCALED}` with default parameters, whose elements grow with the "
        f"width, are a straight line through {', '.join(map(str, widths))} bits."
    )
    yield (
        f"It is {dynamic[0]:.4g} pJ + {dynamic[1]:.4g} pJ a bit; the points lie off it by up to "
        f"{_off(dynamic, known):.1f} %. Cycles are those of the registry's formula,"
    )
    yield "with a full-length exponent and R² computed on chip. CRT: two exponentiations of half"
    yield "the width, without the software's share (reductions, recombination, check)."
    yield f"Leakage scales alike, at the clock of {widths[-1]} bits."
    yield ""
    rows = []
    for words, width, times in (
        (f"RSA-{SCALED_TO} with CRT", SCALED_TO // 2, 2),
        (f"RSA-{SCALED_TO} without CRT", SCALED_TO, 1),
    ):
        made = hardware(EXPONENTIATION, architecture(SCALED), width, {})
        formula = cycles(made.core, width, made.values["AddWidth"])["cycles_exponentiation"]
        each = dynamic[0] + dynamic[1] * width
        leakage = _leakage_pj(leaking[0] + leaking[1] * width, formula * times, known[-1])
        rows.append(
            [
                words,
                f"{times} × {number(formula)}",
                number(each),
                number(times * formula * each / 1e9),
                NONE if leakage is None else number(leakage / 1e9),
            ]
        )
    headings = ("scaled, not measured", "cycles", "pJ a cycle", "mJ", "leakage, mJ")
    yield markdown(headings, rows)


def _line(widths: Sequence[int], values: Sequence[float]) -> tuple[float, float]:
    """Return the line through points: value at 0 and slope, by least squares."""
    slope, base = np.polyfit(widths, values, 1)
    return float(base), float(slope)


def _off(line: tuple[float, float], known: Sequence[ImplementationPoint]) -> float:
    """Return the largest distance of a measured point from the line, in percent."""
    found = []
    for point in known:
        own = (point.energy_pj or 0.0) / (point.energy_cycles or 1)
        found.append(100 * abs((line[0] + line[1] * point.width) / own - 1))
    return max(found)
