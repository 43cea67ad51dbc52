"""Figures that jobs measure, such as areas and frequencies, and when one has become worse."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from regress.core.formats.model import described

# A figure that is worse than before by more than this share is a regression.
LIMIT = 0.05


@described()
class Metric:
    """A figure that a job measured."""

    value: float
    """The figure; its name has the unit."""
    better: Literal["less", "more", ""] = ""
    """Which values are better; empty if the figure is not compared with earlier runs."""
    key: str = ""
    """Identity of the measured design: figures of one key differ only by the seed."""
    parts: dict[str, float] = field(default_factory=dict)
    """Parts whose sum is the figure, by name; may be empty."""
    where: str = ""
    """Place that determines the figure, such as the end of the critical path; may be empty."""


@dataclass(frozen=True)
class Figure:
    """A metric of one point in one run, over all its seeds.

    Attributes:
        by_seed: the value of each seed; never empty.
        metric: the metric of the seed with the median value, or of the nearest one that is not
            better than the median.
    """

    metric: Metric
    by_seed: Mapping[int, float]

    @classmethod
    def over(cls, metrics: Mapping[int, Metric]) -> Figure:
        """Combine the metrics of some seeds, at least one."""
        by_seed = {seed: metric.value for seed, metric in sorted(metrics.items())}
        middle = statistics.median(by_seed.values())
        sign = -1 if next(iter(metrics.values())).better == "more" else 1
        behind = [metric for metric in metrics.values() if sign * metric.value >= sign * middle]
        return cls(min(behind, key=lambda metric: sign * metric.value), by_seed)

    @property
    def median(self) -> float:
        """The median over the seeds."""
        return statistics.median(self.by_seed.values())

    @property
    def worst(self) -> float:
        """The worst value of all seeds."""
        pick = min if self.metric.better == "more" else max
        return pick(self.by_seed.values())


@dataclass(frozen=True)
class Past:
    """The figures of a point in an earlier run.

    Attributes:
        sources: commit of that run.
    """

    sources: str
    figures: Mapping[str, Figure]


@dataclass(frozen=True)
class Worsening:
    """A figure that is worse than in the last run that measured it.

    Attributes:
        since: commit of that run.
        where: the part that grew most, or what decides the figure.
    """

    name: str
    before: float
    now: float
    since: str
    where: str

    @property
    def text(self) -> str:
        """The change in one line."""
        change = f" ({100 * (self.now / self.before - 1):+.1f} %)" if self.before else ""
        where = f": {self.where}" if self.where else ""
        return f"{self.name} {self.before:g} -> {self.now:g}{change} since {self.since[:10]}{where}"


def figures_over(metrics: Iterable[tuple[int, Mapping[str, Metric]]]) -> dict[str, Figure]:
    """Return the figures of a point, by name, from the seeds and metrics of its jobs."""
    found: dict[str, dict[int, Metric]] = {}
    for seed, some in metrics:
        for name, metric in some.items():
            found.setdefault(name, {})[seed] = metric
    return {name: Figure.over(by_seed) for name, by_seed in found.items()}


def worsenings(now: Mapping[str, Figure], earlier: Sequence[Past]) -> list[Worsening]:
    """Return the figures that are worse by more than :data:`LIMIT` than when last measured.

    Args:
        now: the figures of a point, by name.
        earlier: the same point in earlier runs, the latest first. A run may lack some figures.
    """
    found = []
    for name, figure in now.items():
        past = next((past for past in earlier if name in past.figures), None)
        if past and (worse := _worse(name, figure, past.figures[name], past.sources)):
            found.append(worse)
    return found


def _worse(name: str, now: Figure, before: Figure, since: str) -> Worsening | None:
    if not now.metric.better or (now.metric.key and now.metric.key == before.metric.key):
        return None
    # If the seeds differ, compare with the worst earlier seed: a median of five seeds predicts the
    # figure of one seed badly.
    value, was = now.median, before.median
    if now.by_seed.keys() != before.by_seed.keys():
        was = before.worst
    more = now.metric.better == "more"
    if value >= was * (1 - LIMIT) if more else value <= was * (1 + LIMIT):
        return None
    return Worsening(name, was, value, since, _most_grown(now.metric, before.metric))


def _most_grown(now: Metric, before: Metric) -> str:
    """Return the part that grew most, or what decides the figure."""
    if not now.parts:
        return now.where
    most = max(now.parts, key=lambda part: now.parts[part] - before.parts.get(part, 0))
    return f"{most} grew most, {before.parts.get(most, 0):g} -> {now.parts[most]:g}"
