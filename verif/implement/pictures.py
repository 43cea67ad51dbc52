"""Plots of the measurements, as SVG."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from textwrap import fill
from typing import Any

from matplotlib import colormaps
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

from models.registry import hardware_architectures
from verif.bench.configuration.design import EXPONENTIATION
from verif.implement.point import ImplementationPoint
from verif.implement.quantities import figures
from verif.implement.tables import number
from verif.library.svg import svg

SIZE = (7.2, 4.6)
MARKERS = "os^vD<>Ph*Xp"
LINES = ("-", "--", "-.", ":")
# Others' designs: papers and peers.
OTHERS = {"color": "#555555", "linestyle": "none", "markersize": 7}
OTHER_MARKERS = "+x1234|_"
LOG = ", logarithmic scale"
# Twelve distinct colours of matplotlib's pairs, the dark ones first.
COLOURS = tuple(colormaps["tab20"](index) for index in (*range(0, 20, 2), 1, 3, 5, 7))
# Modules that a bar shows by name; the rest is one part.
PARTS = 11
# Inches of a line of a legend.
LEGEND_LINE = 0.16
LEGEND_LETTERS = 26
# A picture of all architectures at one width is at the largest that this share of them has.
SHARE = 0.75
# Points of a wider width that are worth a picture of their own.
WORTH = 3


def pictures(points: Sequence[ImplementationPoint]) -> Mapping[str, str]:
    """Every plot that the points have anything for: SVG by title."""
    found: dict[str, str] = {}
    for target in sorted({point.target for point in points}):
        mine = [point for point in points if point.target == target and point.size]
        for design in sorted({point.design for point in mine}):
            some = [point for point in mine if point.design == design]
            where = f"{design}, {target}"
            _add(found, f"Area over width: {where}", over_width(some, _size, _unit(some)))
            _add(found, f"Clock over width: {where}", over_width(some, _clock, "MHz, median"))
            timed = [point for point in some if point.time_exponentiation_ms]
            for title, draw, drawn in (
                ("Area against time of one exponentiation", trade, timed),
                ("Area by module", by_module, some),
            ):
                for width in _widths(drawn):
                    at = [point for point in drawn if point.width == width]
                    _add(found, f"{title}: {width} bits, {where}", draw(at))
    return found


def over_width(
    points: Sequence[ImplementationPoint],
    value: Callable[[ImplementationPoint], float | None],
    unit: str,
) -> str:
    """A line for each architecture and its parameters over the width; empty without two widths."""
    figure = Figure(figsize=SIZE, layout="constrained")
    axes = figure.add_subplot()
    widths: set[int] = set()
    styles = series_styles(points)
    for label, some in _by_label(points).items():
        mine = {point.width: number for point in some if (number := value(point))}
        if mine:
            axes.plot(
                sorted(mine), [mine[w] for w in sorted(mine)], label=label,
                markersize=4, linewidth=1, **styles[label],
            )  # fmt: skip
            widths |= set(mine)
    if len(widths) < 2:
        return ""
    axes.set_xscale("log", base=2)
    if unit != "MHz, median":
        axes.set_yscale("log")
        _plain_numbers(axes.yaxis)
    axes.set_xticks(sorted(widths), [str(width) for width in sorted(widths)], rotation=45)
    axes.set_xlabel(f"operand width, bits{LOG}")
    axes.set_ylabel(unit + LOG * (axes.get_yscale() == "log"))
    _finish(figure)
    return svg(figure, "implement")


def trade(points: Sequence[ImplementationPoint]) -> str:
    """Area against time of one full-length exponentiation, of points of one width.

    The picture also shows figures that papers and other projects publish for the design and width.
    """
    figure = Figure(figsize=SIZE, layout="constrained")
    axes = figure.add_subplot()
    styles = series_styles(points)
    for label, some in _by_label(points).items():
        axes.plot(
            [point.time_exponentiation_ms for point in some], [point.size for point in some],
            label=label, **{**styles[label], "linestyle": "none"},
        )  # fmt: skip
    for marker, (label, ms, luts) in zip(OTHER_MARKERS, _published(points[0]), strict=False):
        axes.plot(ms, luts, label=fill(label, LEGEND_LETTERS), marker=marker, **OTHERS)
    axes.set_xscale("log")
    axes.set_yscale("log")
    _plain_numbers(axes.xaxis, axes.yaxis)
    axes.set_xlabel(f"one exponentiation of {points[0].width} bits, ms (left is faster){LOG}")
    axes.set_ylabel(f"{_unit(points)} (lower is smaller){LOG}")
    _finish(figure)
    return svg(figure, "implement")


def by_module(points: Sequence[ImplementationPoint]) -> str:
    """A bar for each architecture and its parameters, split by module, of points of one width."""
    bars = {_label(point): point for point in points}
    sums: dict[str, dict[str, float]] = {name: point.modules for name, point in bars.items()}
    total: dict[str, float] = {}
    for parts in sums.values():
        for module, size in parts.items():
            total[module] = total.get(module, 0.0) + size
    shown = sorted(total, key=lambda module: -total[module])[:PARTS]
    height = max(1.4 + 0.34 * len(bars), 0.4 + LEGEND_LINE * (len(shown) + 1))
    figure = Figure(figsize=(SIZE[0], height), layout="constrained")
    axes = figure.add_subplot()
    left = dict.fromkeys(bars, 0.0)
    for index, module in enumerate([*shown, "all others"]):
        row = [
            sums[name].get(module, 0.0)
            if module in shown
            else sum(size for key, size in sums[name].items() if key not in shown)
            for name in bars
        ]
        axes.barh(
            list(bars),
            row,
            left=list(left.values()),
            label=module,
            color=COLOURS[index],
            height=0.7,
        )
        left = {name: left[name] + size for name, size in zip(bars, row, strict=True)}
    axes.invert_yaxis()
    axes.tick_params(axis="y", labelsize=8)
    axes.xaxis.set_major_locator(MaxNLocator(6))
    axes.set_xlabel(f"{_unit(points)} at {points[0].width} bits")
    _finish(figure)
    return svg(figure, "implement")


def _label(point: ImplementationPoint) -> str:
    variant = f", {' '.join(point.variant)}" if point.variant else ""
    return fill(point.architecture + variant, LEGEND_LETTERS)


def _by_label(points: Iterable[ImplementationPoint]) -> dict[str, list[ImplementationPoint]]:
    found: dict[str, list[ImplementationPoint]] = {}
    for point in points:
        found.setdefault(_label(point), []).append(point)
    return dict(sorted(found.items()))


def _widths(points: Sequence[ImplementationPoint]) -> list[int]:
    """The largest width that most architectures have, and wider ones with enough points."""
    have: dict[int, list[str]] = {}
    for point in points:
        have.setdefault(point.width, []).append(point.architecture)
    if not have:
        return []
    most = max(len(set(names)) for names in have.values())
    common = max(width for width, names in have.items() if len(set(names)) >= SHARE * most)
    return [
        common,
        *(width for width in sorted(have) if width > common and len(have[width]) >= WORTH),
    ]


def _published(like: ImplementationPoint) -> Iterator[tuple[str, float, int]]:
    """Yield (label, ms of one exponentiation, LUTs) of papers and peers at a point's width."""
    if not like.luts:
        return
    for known in figures()["points"]:
        of, value = known["of"], known["published"]
        same = (of["design"], of["width"]) == (like.design, like.width)
        if same and {"exponentiation_ms", "luts"} <= set(value):
            yield f"paper: {known['place']}", value["exponentiation_ms"], value["luts"]
    for name, what, luts, *_, at in figures()["peers"]:
        if like.design == EXPONENTIATION.name and at and at["width"] == like.width:
            yield f"peer: {name}, {what}", at["ms"], luts


def series_styles(points: Iterable[ImplementationPoint]) -> dict[str, dict[str, Any]]:
    """Return by label: an architecture's colour, line and filled marker, the same in every picture.

    With parameters of its own it has an empty marker of another shape, and a colour that no other
    series of the picture has while there are such colours.
    """
    names, found, variants = list(hardware_architectures()), {}, Counter()
    series = _by_label(points)
    taken = {names.index(point.architecture) for point, *_ in series.values() if not point.variant}
    free = [index for index in range(len(COLOURS)) if index not in taken]
    for label, (point, *_) in series.items():
        index = shape = colour = names.index(point.architecture)
        if point.variant:
            variants[point.architecture] += 1
            shape += variants[point.architecture]
            colour = free.pop(0) if free else index
        found[label] = {
            "color": COLOURS[colour % len(COLOURS)],
            "marker": MARKERS[shape % len(MARKERS)],
            "fillstyle": "none" if point.variant else "full",
            "linestyle": LINES[shape % len(LINES)],
        }
    return found


def _size(point: ImplementationPoint) -> float | None:
    return point.size


def _clock(point: ImplementationPoint) -> float | None:
    return point.fmax_mhz.median if point.fmax_mhz else None


def _unit(points: Sequence[ImplementationPoint]) -> str:
    first = points[0]
    return "area of cells, µm²" if first.area_um2 else "LUT4" if first.luts else "gates"


def _plain_numbers(*axes: Axis) -> None:
    """Numbers as in the tables instead of 2 x 10**3, and no two that touch."""
    for axis in axes:
        low, high = axis.get_view_interval()
        steps = (1, 3) if high > 60 * low else (1, 1.5, 2, 3, 5, 7)
        axis.set_major_locator(LogLocator(subs=steps))
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(lambda value, _: number(value))


def _finish(figure: Figure) -> None:
    for axes in figure.axes:
        axes.grid(visible=True, which="major", linewidth=0.4, alpha=0.5)
        axes.spines[["top", "right"]].set_visible(False)
    if any(axes.get_legend_handles_labels()[0] for axes in figure.axes):
        figure.legend(loc="outside right upper", fontsize=7, frameon=False)


def _add(found: dict[str, str], title: str, svg: str) -> None:
    if svg:
        found[title] = svg
