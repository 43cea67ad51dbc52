"""Figures of points over the runs that measured them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from regress.core.metrics import Figure, Past, Worsening, worsenings
from regress.history.marks import Point

Figures = Mapping[str, Figure]


@dataclass(frozen=True)
class Trend:
    """The figures of a point over the runs that measured it.

    Attributes:
        figures: the figures of each run by name, oldest first; never empty.
        worse: figures that are worse in the last of these runs than when they were measured before.
    """

    point: Point
    figures: Sequence[Figures]
    worse: Sequence[Worsening]


def trend(
    point: Point, measured: Sequence[tuple[str, Figures]], reference: Past | None = None
) -> Trend:
    """Return the trend of a point.

    Args:
        point: point.
        measured: sources and figures of each run, oldest first; never empty.
        reference: its figures from before all runs, if known.
    """
    *earlier, (_, now) = measured
    past = [Past(sources, figures) for sources, figures in reversed(earlier)]
    past += [reference] if reference else []
    return Trend(point, [figures for _, figures in measured], worsenings(now, past))


def worse_first(trends: Iterable[Trend]) -> list[Trend]:
    """Return trends, those that became worse first."""
    return sorted(trends, key=lambda trend: not trend.worse)
