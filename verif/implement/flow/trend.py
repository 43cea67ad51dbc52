"""Points over the runs that measured them, for the terminal, for pages and for a run's report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from regress.core.project import Table
from regress.core.terminal import sparkline
from verif.implement.flow.history import HISTORY_FILE, HistoryError, ImplementHistory, Trend

HEADINGS = ("Point", "Runs", "Area", "MHz", "Worse than in the run before")
TITLE = "What the designs cost, over the last runs of implement"
LAST = 20


def trend_rows(found: Sequence[Trend]) -> list[list[str]]:
    """A row for each point in the order of :data:`HEADINGS`; those that became worse first."""
    worse_first = sorted(found, key=lambda trend: not trend.last.regressions)
    return [
        [
            trend.id,
            str(len(trend.records)),
            f"{sparkline(trend.sizes)} {trend.last.unit}".strip(),
            sparkline(trend.cycles) if any(trend.cycles) else "",
            "; ".join(one.text for one in trend.last.regressions),
        ]
        for trend in worse_first
    ]


def sections(runs: Path, last: int = LAST) -> list[Table]:
    """The section of a report; none if nothing was ever measured."""
    try:
        found = ImplementHistory(runs / HISTORY_FILE).trends(last)
    except HistoryError as problem:
        return [Table(TITLE, ("Problem",), [[str(problem)]])]
    return [Table(TITLE, HEADINGS, trend_rows(found))] if found else []
