"""Plots of a run and of earlier runs, as SVG that uses the colours of the page."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import util
from io import StringIO
from typing import TYPE_CHECKING, Any

from markupsafe import escape

from regress.coverage.functional import goal_hits
from regress.coverage.target import CoverageTarget
from regress.history.database import NightlyRun
from regress.run.record import RunRecord

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH_INCHES = 4.8
HEIGHT_INCHES = 2.6
TREND_INCHES = 1.9
TALL_INCHES = 4.0
ROW_INCHES = 0.28
MAX_BARS = 16
MAX_TESTS = 7
# Runs with fewer jobs get no plots: the import of matplotlib takes longer than such a run.
LEAST_JOBS = 8
LEAST_RUNS = 3
# A curve needs at most one point per pixel.
MAX_POINTS = 400
# Placeholder for the page's text colour while matplotlib draws. No series uses it.
INK = "#010203"
# Distinguishable by colour-blind readers, on white and on black (Okabe and Ito).
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8a8a00", "#888888")
STYLE: dict[str, Any] = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9,
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "legend.frameon": False,
    "legend.fontsize": 8,
}


@dataclass(frozen=True)
class Plot:
    """A picture for the page.

    Attributes:
        svg: an ``<svg>`` element that can be inserted into the page unchanged.
    """

    title: str
    svg: str


def can_plot() -> bool:
    """Return whether matplotlib is installed, which the extra ``reports`` adds."""
    return util.find_spec("matplotlib") is not None


def run_plots(record: RunRecord) -> list[Plot]:
    """Plot the run time and the growth of coverage. A run with few jobs gets neither."""
    plots: list[Plot] = []
    if not can_plot():
        return plots
    times = _times(record)
    large = len(record.jobs) >= LEAST_JOBS
    if large and sum(map(len, times.values())) > 1:
        plots.append(_run_time(times))
    if large and len(record.growth) > 1:
        step = max(1, len(record.growth) // MAX_POINTS)
        points = [*record.growth[:-1:step], record.growth[-1]]
        hits = [point.hit for point in points]
        goal = goal_hits(record.coverage).total
        for what, unit, values in (
            ("operations", "operations", [float(point.operations) for point in points]),
            ("time", "seconds", [point.seconds for point in points]),
        ):
            plots.append(_growth(f"Required bins hit over {what}", unit, values, hits, goal))
    if record.target:
        plots.append(closure_plot(record.target))
    return plots


def closure_plot(target: CoverageTarget) -> Plot:
    """Plot the share of each subject's required bins that were hit, over its operations."""

    def draw(axes: Axes) -> None:
        for number, (name, points) in enumerate(sorted(target.growth.items())):
            total = target.score(name).total or 1
            line = "-" if number < len(COLOURS) else "--"
            axes.step(
                [point.operations for point in points],
                [100 * point.hit / total for point in points],
                where="post", label=name, linewidth=1.2, linestyle=line,
                color=COLOURS[number % len(COLOURS)],
            )  # fmt: skip
        axes.set_xlabel("operations of the subject")
        axes.set_xlim(left=0)
        axes.set_ylim(0, 103)
        axes.legend(loc="lower right", fontsize=6)

    return _plot("Required bins hit by subject, %", TALL_INCHES, draw)


def history_plots(nightly_runs: Sequence[NightlyRun]) -> list[Plot]:
    """Plot pass rate, coverage and run time of the last runs; two runs make no trend."""
    if len(nightly_runs) < LEAST_RUNS or not can_plot():
        return []
    return [
        _trend("Pass rate, %", nightly_runs, [run.pass_rate for run in nightly_runs], percent=True),
        _trend("Required bins hit, %", nightly_runs, [run.coverage_percent for run in nightly_runs],
               percent=True),
        _trend("Run time, minutes", nightly_runs, [run.seconds / 60 for run in nightly_runs]),
    ]  # fmt: skip


def _times(record: RunRecord) -> dict[str, Counter[str]]:
    """Return the seconds of the jobs' processes by subject and test, the slowest subject first."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for job in record.jobs:
        if job.seconds:
            found[job.planned.job.subject][job.planned.job.test] += job.seconds
    order = sorted(found, key=lambda name: -found[name].total())
    return {name: found[name] for name in order[:MAX_BARS]}


def _run_time(times: dict[str, Counter[str]]) -> Plot:
    totals = sum(times.values(), Counter())
    ranked = [test for test, _ in totals.most_common()]
    bars = {test: [test] for test in ranked[:MAX_TESTS]}
    if rest := ranked[MAX_TESTS:]:
        bars["other tests"] = rest
    height = max(HEIGHT_INCHES, ROW_INCHES * (len(times) + len(bars) / 4 + 2))

    def draw(axes: Axes) -> None:
        left = [0.0] * len(times)
        for (label, tests), colour in zip(bars.items(), COLOURS, strict=False):
            values = [sum(own[test] for test in tests) for own in times.values()]
            axes.barh(list(times), values, left=left, color=colour, label=label, height=0.7)
            left = [a + b for a, b in zip(left, values, strict=True)]
        axes.invert_yaxis()
        axes.set_xlabel("seconds")

    return _plot("Run time of the jobs by subject and test", height, draw)


def _growth(title: str, unit: str, values: Sequence[float], hits: Sequence[int], goal: int) -> Plot:
    def draw(axes: Axes) -> None:
        axes.step(values, hits, where="post", color=COLOURS[0], linewidth=1.5)
        axes.axhline(goal, color=COLOURS[2], linewidth=1, linestyle="--")
        axes.annotate(
            f"{goal} required", (0.01, goal), xycoords=("axes fraction", "data"),
            xytext=(0, -10), textcoords="offset points", color=COLOURS[2], fontsize=8,
        )  # fmt: skip
        axes.set_xlabel(unit)
        axes.set_ylim(0, goal * 1.06 or 1)
        axes.ticklabel_format(axis="x", scilimits=(0, 5), useMathText=True)
        axes.set_xlim(left=0)

    return _plot(title, HEIGHT_INCHES, draw)


def _trend(
    title: str,
    nightly_runs: Sequence[NightlyRun],
    values: Sequence[float | None],
    percent: bool = False,
) -> Plot:
    known = [(number, value) for number, value in enumerate(values) if value is not None]

    def draw(axes: Axes) -> None:
        if known:
            places, heights = zip(*known, strict=True)
            axes.plot(places, heights, color=COLOURS[0], linewidth=1.2, marker="o", markersize=3)
            axes.plot(places[-1], heights[-1], color=COLOURS[5], marker="o", markersize=6)
        labels = sorted({0, len(nightly_runs) // 2, len(nightly_runs) - 1})
        axes.set_xticks(labels, [f"{nightly_runs[n].started.astimezone():%d %b}" for n in labels])
        axes.set_xlim(-0.5, len(nightly_runs) - 0.5)
        if percent:
            lowest = min((value for _, value in known), default=0.0)
            axes.set_ylim(min(lowest - 2, 90), 100.5)
        else:
            axes.set_ylim(0, 1.15 * max(value for _, value in known) or 1)

    return _plot(title, TREND_INCHES, draw)


def _plot(title: str, height: float, draw: Callable[[Axes], None]) -> Plot:
    # Import matplotlib only here: it takes half a second, which other commands do not need.
    import matplotlib
    from matplotlib.figure import Figure

    # The salt makes the ids of one plot differ from those of the other plots.
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": title}):
        figure = Figure(figsize=(WIDTH_INCHES, height), layout="constrained")
        axes = figure.subplots()
        draw(axes)
        if len(axes.containers) > 1:
            figure.legend(loc="outside lower center", ncols=4)
        text = StringIO()
        figure.savefig(text, format="svg", transparent=True)
    return Plot(title, _embedded(text.getvalue(), title))


def _embedded(svg: str, title: str) -> str:
    """Turn an SVG file into an element of a page, without metadata and style, in its colour."""
    box = re.search(r'viewBox="[^"]*"', svg)
    body = svg[svg.index(">", svg.index("<svg")) + 1 :]
    for pattern in (
        r"<metadata>.*?</metadata>",
        r"<style.*?</style>",
        r"font-family: [^;\"]*;?",
        # Remove ids that nothing refers to.
        r' id="[\w.]+_\d+"',
    ):
        body = re.sub(pattern, "", body, flags=re.DOTALL)
    body = re.sub(r"\s*\n\s*", " ", body)
    label = f'role="img" aria-label="{escape(title)}"'
    return f"<svg {label} {box[0] if box else ''}>{body}".replace(INK, "currentColor")
