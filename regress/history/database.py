"""The database of runs: one SQLite file in the folder of the runs."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from pathlib import Path

from regress.core.errors import UsageError
from regress.core.formats.model import adapter, taken
from regress.core.metrics import Figure, Past, Worsening, worsenings
from regress.core.runfile import BAD, GOOD, Score, Status
from regress.coverage.functional import goal_hits
from regress.history.marks import MarkedPoint, Outcome, Point, marked, outcomes, point_of
from regress.run.record import RunRecord

HISTORY_FILE = "history.sqlite"
# A run by hand does not count for any list; see NightlyRun.apart.
BY_HAND = "by hand"
VERSION = 3
# Time to wait while another run writes.
BUSY_SECONDS = 10.0
# Number of earlier runs in a report.
REPORTED_RUNS = 30
# Number of earlier runs in which the last figures of a point are looked for.
COMPARED_RUNS = 50

TABLE = """
CREATE TABLE runs (
    name TEXT NOT NULL,     -- of the list
    folder TEXT NOT NULL,   -- name of the run's folder
    started TEXT NOT NULL,  -- UTC, ISO 8601
    night TEXT NOT NULL,    -- a NightlyRun as JSON
    tests TEXT NOT NULL,    -- Outcomes as JSON, apart because they are many and rarely read
    PRIMARY KEY (folder, started)
)
"""
Figures = Mapping[str, Figure]
Outcomes = tuple[tuple[Point, Outcome], ...]


class HistoryError(UsageError):
    """The database cannot be used; the message is one line and names the file."""


@dataclass(frozen=True)
class NightlyRun:
    """One run in the history.

    Attributes:
        started: start time in UTC.
        selection: how the command line narrowed the list, as JSON.
        coverage: (required bins hit, required bins) of each subject.
        apart: why it does not count as a run of its list; empty if it does.
    """

    name: str
    folder: str
    started: datetime
    sources: str
    selection: str
    seed: int
    verdict: str
    seconds: float
    operations: int
    counts: Mapping[str, int]
    buckets: int = 0
    coverage: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    apart: str = ""

    @classmethod
    def of(cls, record: RunRecord) -> NightlyRun:
        """Make the history entry of a run."""
        selection = {name: value for name, value in record.plan.options.items() if value}
        scores = {name: goal_hits({name: groups}) for name, groups in record.coverage.items()}
        return taken(
            cls,
            record,
            record.plan,
            # The folder may be given as the link to the latest run.
            folder=record.folder.resolve().name,
            started=record.plan.started.astimezone(timezone.utc),
            sources=record.tools["sources"],
            selection=json.dumps(selection, sort_keys=True),
            counts={status.value: record.number(status) for status in Status},
            buckets=len(record.buckets),
            coverage={name: (score.hit, score.total) for name, score in scores.items()},
        )

    @property
    def ended(self) -> int:
        """Number of jobs that passed or failed."""
        return self._sum(*GOOD, *BAD)

    @property
    def failed(self) -> int:
        """Number of jobs that failed."""
        return self._sum(*BAD)

    @property
    def pass_rate(self) -> float | None:
        """Percentage of ended jobs that passed; None if no job ended."""
        return Score(self.ended - self.failed, self.ended).percent

    @property
    def coverage_percent(self) -> float | None:
        """Percentage of the required bins of all subjects that were hit; None without goals."""
        hits, goals = zip(*self.coverage.values(), strict=True) if self.coverage else ((), ())
        return Score(sum(hits), sum(goals)).percent

    def _sum(self, *statuses: Status) -> int:
        return sum(self.counts.get(status.value, 0) for status in statuses)


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

    @classmethod
    def of(
        cls, point: Point, measured: Sequence[tuple[str, Figures]], reference: Past | None = None
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
        return cls(point, [figures for _, figures in measured], worsenings(now, past))


@dataclass(frozen=True)
class HistoryView:
    """Report of the history about a run.

    Attributes:
        nightly_runs: runs of the same list with the same selection, oldest first, this run last.
        trends: points with figures, over the runs that measured them.
        note: why no history is available; empty if it is.
    """

    nightly_runs: Sequence[NightlyRun] = ()
    marks: Sequence[MarkedPoint] = ()
    trends: Sequence[Trend] = ()
    note: str = ""

    @property
    def worse(self) -> list[str]:
        """The figures that are worse than in the last run of their point, a line each."""
        return [f"{trend.point.name}: {one.text}" for trend in self.trends for one in trend.worse]


class History:
    """The earlier runs.

    Args:
        path: the database; the first :meth:`add` creates it.
    """

    def __init__(self, path: Path, busy_seconds: float = BUSY_SECONDS) -> None:
        self._path = path
        self._busy_seconds = busy_seconds

    def add(self, record: RunRecord) -> None:
        """Add a run, or replace the entry of an earlier session of the same run.

        Raises:
            HistoryError: the database cannot be written.
        """
        nightly_run = NightlyRun.of(record)
        row = (
            nightly_run.name,
            nightly_run.folder,
            nightly_run.started.isoformat(),
            adapter(NightlyRun).dump_json(nightly_run),
            adapter(Outcomes).dump_json(tuple(outcomes(record, nightly_run.sources).items())),
        )
        with self._open(write=True) as database:
            database.execute("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?)", row)

    def nightly_runs(self, name: str | None = None) -> list[NightlyRun]:
        """Return the runs, oldest first.

        Raises:
            HistoryError: the database cannot be read.
        """
        with self._open() as database:
            rows = database.execute(
                "SELECT night FROM runs WHERE ?1 IS NULL OR name = ?1 ORDER BY started", (name,)
            )
            return [adapter(NightlyRun).validate_json(nightly_run) for (nightly_run,) in rows]

    def tests(
        self, nightly_runs: Sequence[NightlyRun], test: str | None = None
    ) -> dict[Point, list[tuple[NightlyRun, Outcome]]]:
        """Return the outcomes of every test in some runs, in the order of the runs.

        Raises:
            HistoryError: the database cannot be read.
        """
        found: dict[Point, list[tuple[NightlyRun, Outcome]]] = {}
        with self._open() as database:
            for nightly_run in nightly_runs:
                (row,) = database.execute(
                    "SELECT tests FROM runs WHERE folder = ? AND started = ?",
                    (nightly_run.folder, nightly_run.started.isoformat()),
                )
                for point, outcome in adapter(Outcomes).validate_json(row[0]):
                    if test in (None, point.test):
                        found.setdefault(point, []).append((nightly_run, outcome))
        return found

    def view(self, record: RunRecord) -> HistoryView:
        """Return what earlier runs report about this run, which need not be in the database.

        Raises:
            HistoryError: the database cannot be read.
        """
        this, runs = NightlyRun.of(record), self.nightly_runs(record.plan.name)
        for nightly_run in runs:
            if (nightly_run.folder, nightly_run.started) == (this.folder, this.started):
                # For the report of an old run, use the sources on which it ran.
                this = replace(this, sources=nightly_run.sources)
        earlier = [
            nightly_run
            for nightly_run in runs
            if nightly_run.started < this.started and nightly_run.apart == this.apart != BY_HAND
        ]
        past = {
            point: [outcome for _, outcome in entries]
            for point, entries in self.tests(earlier[-REPORTED_RUNS:]).items()
        }
        alike = [nightly_run for nightly_run in earlier if nightly_run.selection == this.selection]
        now = outcomes(record, this.sources)
        return HistoryView(
            nightly_runs=[*alike[1 - REPORTED_RUNS :], this],
            marks=marked(record, now, past),
            trends=self._trends(record, this, runs, now)
            if any(it.figures for it in now.values())
            else (),
        )

    def _trends(
        self,
        record: RunRecord,
        this: NightlyRun,
        runs: Sequence[NightlyRun],
        now: Mapping[Point, Outcome],
    ) -> list[Trend]:
        """Return the points of a run with figures; an altered design is compared with ours."""
        measured = {point: outcome for point, outcome in now.items() if outcome.figures}
        if not measured:
            return []
        earlier = [nightly_run for nightly_run in runs if nightly_run.started < this.started]
        ours = [nightly_run for nightly_run in earlier if nightly_run.apart in ("", this.apart)]
        past = self.tests(ours[-COMPARED_RUNS:])
        jobs = {point_of(job.planned): job.planned.job for job in record.jobs}
        return _worse_first(
            Trend.of(
                point,
                [*_figures(past.get(point, ())), (this.sources, outcome.figures)],
                record.project.reference(jobs[point]),
            )
            for point, outcome in measured.items()
        )

    def trends(self, nightly_runs: Sequence[NightlyRun]) -> list[Trend]:
        """Return the points of some runs with figures, those that became worse first.

        Raises:
            HistoryError: the database cannot be read.
        """
        found = {point: _figures(entries) for point, entries in self.tests(nightly_runs).items()}
        return _worse_first(Trend.of(point, figures) for point, figures in found.items() if figures)

    @contextmanager
    def _open(self, write: bool = False) -> Iterator[sqlite3.Connection]:
        """Open the database in a transaction; a missing database reads as empty."""
        target, uri = f"{self._path.absolute().as_uri()}?mode={'rwc' if write else 'ro'}", True
        try:
            empty = not write and (not self._path.exists() or not self._path.stat().st_size)
            if empty:
                target, uri = ":memory:", False
            with closing(
                sqlite3.connect(target, timeout=self._busy_seconds, isolation_level=None, uri=uri)
            ) as database:
                database.execute("BEGIN IMMEDIATE" if write else "BEGIN")
                self._check_version(database, create=write or empty)
                yield database
                database.execute("COMMIT")
        except (sqlite3.Error, OSError, ValueError) as error:
            raise HistoryError(
                f"{self._path} cannot be used, so there is no history: {str(error).splitlines()[0]}"
            ) from None

    def _check_version(self, database: sqlite3.Connection, create: bool) -> None:
        version = database.execute("PRAGMA user_version").fetchone()[0]
        if version == 0 and create:
            database.execute(TABLE)
            database.execute(f"PRAGMA user_version = {VERSION}")
        elif version != VERSION:
            raise HistoryError(
                f"{self._path} has version {version}, so there is no history; accepted: {VERSION}; "
                "move it away, and a new one begins"
            )


def _worse_first(trends: Iterable[Trend]) -> list[Trend]:
    return sorted(trends, key=lambda trend: not trend.worse)


def _figures(entries: Sequence[tuple[NightlyRun, Outcome]]) -> list[tuple[str, Figures]]:
    """Return the sources and the figures of the runs that measured a point, oldest first."""
    return [
        (nightly_run.sources, outcome.figures)
        for nightly_run, outcome in entries
        if outcome.figures
    ]
