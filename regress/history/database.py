"""The database of runs: one SQLite file beside them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from regress.errors import UsageError
from regress.formats import taken
from regress.history.marks import (
    MarkedPoint,
    Outcome,
    Point,
    Stimulus,
    comparable_sources,
    marked,
    outcomes,
)
from regress.record import RunRecord, tool_versions
from regress.runfile import Status

HISTORY_FILE = "history.sqlite"
# What somebody ran by hand says nothing of a list; see Night.apart.
BY_HAND = "by hand"
VERSION = 2
# Another run may be writing.
BUSY_SECONDS = 10.0
# Runs a report looks back at.
REPORTED_RUNS = 30

TABLES = """
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,         -- of the list
    folder TEXT NOT NULL,       -- name of the run's folder
    started TEXT NOT NULL,      -- UTC, ISO 8601
    sources TEXT NOT NULL,      -- commit
    selection TEXT NOT NULL,    -- how the command line narrowed the list, JSON
    seed INTEGER NOT NULL,      -- master seed
    verdict TEXT NOT NULL,
    seconds REAL NOT NULL,      -- wall-clock time
    operations INTEGER NOT NULL,
    counts TEXT NOT NULL,       -- jobs by status, JSON
    buckets INTEGER NOT NULL,   -- kinds of failure
    apart TEXT NOT NULL DEFAULT '', -- why it does not count among the list's runs
    UNIQUE (folder, started)
);
CREATE TABLE coverage (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    subject TEXT NOT NULL,
    hit INTEGER NOT NULL,       -- goal bins hit
    goal INTEGER NOT NULL,      -- goal bins
    PRIMARY KEY (run, subject)
) WITHOUT ROWID;
CREATE TABLE tests (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    test TEXT NOT NULL,
    subject TEXT NOT NULL,
    place TEXT NOT NULL,        -- the point in one line
    simulator TEXT NOT NULL,
    passed INTEGER NOT NULL,    -- 1 if all jobs that ended passed
    jobs INTEGER NOT NULL,      -- that ended
    failed INTEGER NOT NULL,    -- of these
    seconds REAL NOT NULL,      -- of their processes
    bucket TEXT NOT NULL,       -- normalised message of the first failure
    PRIMARY KEY (run, test, place, simulator)
) WITHOUT ROWID;
CREATE INDEX runs_by_name ON runs (name, started);
"""


# Of table runs; so are the attributes of a night called.
COLUMNS = (
    "name", "folder", "started", "sources", "selection", "seed", "verdict", "seconds",
    "operations", "counts", "buckets", "apart",
)  # fmt: skip


class HistoryError(UsageError):
    """The database cannot be used; the message is one line and says which file."""


@dataclass(frozen=True)
class Night:
    """One run of the history.

    Attributes:
        started: UTC.
        selection: how the command line narrowed the list, JSON.
        coverage: (goal bins hit, goal bins) of each subject.
        apart: why it does not count among the runs of its list; empty if it does.
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
    def of(cls, record: RunRecord) -> Night:
        """A run as the history keeps it."""
        selection = {name: value for name, value in record.options.items() if value}
        coverage = {
            subject: (
                sum(group.hit for group in groups.values()),
                sum(len(group.goal) for group in groups.values()),
            )
            for subject, groups in record.coverage.items()
        }
        return taken(
            cls,
            record,
            # A run may be named by the link to the latest one.
            folder=record.folder.resolve().name,
            started=record.started.astimezone(timezone.utc),
            sources=tool_versions(())["sources"],
            selection=json.dumps(selection, sort_keys=True),
            counts={status.value: record.number(status) for status in Status},
            buckets=len(record.buckets),
            coverage=coverage,
        )

    @property
    def ended(self) -> int:
        """Jobs that passed or failed."""
        return self._sum(Status.PASSED, Status.EXPECTED_FAILURE, Status.FAILED, Status.BUILD_ERROR)

    @property
    def failed(self) -> int:
        """Jobs that failed."""
        return self._sum(Status.FAILED, Status.BUILD_ERROR)

    @property
    def pass_rate(self) -> float | None:
        """Percentage of the jobs that ended; None if none did."""
        return 100.0 * (self.ended - self.failed) / self.ended if self.ended else None

    @property
    def coverage_percent(self) -> float | None:
        """Percentage of the goal bins of all subjects; None without goals."""
        hit = sum(hit for hit, _ in self.coverage.values())
        goal = sum(goal for _, goal in self.coverage.values())
        return 100.0 * hit / goal if goal else None

    def _sum(self, *statuses: Status) -> int:
        return sum(self.counts.get(status.value, 0) for status in statuses)


@dataclass(frozen=True)
class HistoryView:
    """What the history says about a run.

    Attributes:
        nights: runs of the same list narrowed in the same way, this one last; the oldest first.
        note: why there is no history; empty if there is one.
    """

    nights: Sequence[Night] = ()
    marks: Sequence[MarkedPoint] = ()
    note: str = ""

    @property
    def mark_names(self) -> dict[Point, str]:
        """The mark of each test that has one."""
        return {entry.point: entry.mark.value for entry in self.marks}


class History:
    """The runs so far.

    Args:
        path: the database; made by the first :meth:`add`.
    """

    def __init__(self, path: Path, busy_seconds: float = BUSY_SECONDS) -> None:
        self._path = path
        self._busy_seconds = busy_seconds

    def add(self, record: RunRecord) -> None:
        """Add a run, or replace what an earlier part of the same run has added.

        Raises:
            HistoryError: the database cannot be written.
        """
        night = Night.of(record)
        with self._open(write=True) as database:
            database.execute(
                "DELETE FROM runs WHERE folder = ? AND started = ?",
                (night.folder, night.started.isoformat()),
            )
            values = vars(night) | {
                "started": night.started.isoformat(), "counts": json.dumps(night.counts)
            }  # fmt: skip
            run = database.execute(
                f"INSERT INTO runs ({', '.join(COLUMNS)}) VALUES ({','.join('?' * len(COLUMNS))})",
                [values[name] for name in COLUMNS],
            ).lastrowid
            database.executemany(
                "INSERT INTO coverage VALUES (?,?,?,?)",
                [(run, name, hit, goal) for name, (hit, goal) in night.coverage.items()],
            )
            database.executemany(
                "INSERT INTO tests VALUES (?,?,?,?,?,?,?,?,?,?)",
                [
                    (
                        run, point.test, point.subject, point.place, point.simulator,
                        entry.passed, entry.stimulus.jobs, entry.failed,
                        entry.seconds, entry.bucket,
                    )
                    for point, entry in outcomes(record, night.sources).items()
                ],
            )  # fmt: skip

    def nights(self, name: str | None = None, last: int | None = None) -> list[Night]:
        """The runs, the oldest first.

        Raises:
            HistoryError: the database cannot be read.
        """
        with self._open() as database:
            rows = database.execute(
                f"SELECT id, {', '.join(COLUMNS)} FROM runs WHERE ?1 IS NULL OR name = ?1"
                " ORDER BY started DESC LIMIT ?2",
                (name, -1 if last is None else last),
            ).fetchall()
            return [_night(database, row) for row in reversed(rows)]

    def tests(
        self, nights: Sequence[Night], test: str | None = None
    ) -> dict[Point, list[tuple[Night, Outcome]]]:
        """What became of every test in some runs, in the order of the runs.

        Raises:
            HistoryError: the database cannot be read.
        """
        found: dict[Point, list[tuple[Night, Outcome]]] = {}
        with self._open() as database:
            for night in nights:
                rows = database.execute(
                    "SELECT test, subject, place, simulator, passed,"
                    " tests.jobs, failed, tests.seconds, bucket FROM tests JOIN runs"
                    " ON runs.id = tests.run WHERE folder = ?1 AND started = ?2"
                    " AND (?3 IS NULL OR test = ?3)",
                    (night.folder, night.started.isoformat(), test),
                )
                for row in rows:
                    stimulus = Stimulus(comparable_sources(night.sources), night.seed, row[5])
                    outcome = Outcome(bool(row[4]), stimulus, row[6], row[7], row[8])
                    found.setdefault(Point(*row[:4]), []).append((night, outcome))
        return found

    def view(self, record: RunRecord, last: int = REPORTED_RUNS) -> HistoryView:
        """What the runs before this one say about it; the run itself need not be in the database.

        Raises:
            HistoryError: the database cannot be read.
        """
        this, runs = Night.of(record), self.nights(record.name)
        for night in runs:
            if (night.folder, night.started) == (this.folder, this.started):
                # The report of an old run is about the sources it ran on.
                this = replace(this, sources=night.sources)
        earlier = [
            night
            for night in runs
            if night.started < this.started and night.apart == this.apart != BY_HAND
        ]
        past = {
            point: [outcome for _, outcome in entries]
            for point, entries in self.tests(earlier[-last:]).items()
        }
        alike = [night for night in earlier if night.selection == this.selection]
        return HistoryView(
            nights=[*alike[1 - last :], this],
            marks=marked(record, outcomes(record, this.sources), past),
        )

    @contextmanager
    def _open(self, write: bool = False) -> Iterator[sqlite3.Connection]:
        """The database within a transaction; one that is not there reads as an empty one."""
        target, uri = f"{self._path.absolute().as_uri()}?mode={'rwc' if write else 'ro'}", True
        try:
            empty = not write and (not self._path.exists() or not self._path.stat().st_size)
            if empty:
                target, uri = ":memory:", False
            with closing(
                sqlite3.connect(target, timeout=self._busy_seconds, isolation_level=None, uri=uri)
            ) as database:
                database.execute("PRAGMA foreign_keys = ON")
                database.execute("BEGIN IMMEDIATE" if write else "BEGIN")
                self._check_version(database, create=write or empty)
                yield database
                database.execute("COMMIT")
        except (sqlite3.Error, OSError, ValueError) as error:
            raise HistoryError(
                f"{self._path} cannot be used, so there is no history: {error}"
            ) from None

    def _check_version(self, database: sqlite3.Connection, create: bool) -> None:
        version = database.execute("PRAGMA user_version").fetchone()[0]
        if version == 0 and create:
            for statement in TABLES.split(";"):
                database.execute(statement)
            database.execute(f"PRAGMA user_version = {VERSION}")
        elif version != VERSION:
            raise HistoryError(
                f"{self._path} has version {version}, so there is no history; accepted: {VERSION}; "
                "move it away, and a new one begins"
            )


def _night(database: sqlite3.Connection, row: Sequence[Any]) -> Night:
    run, *values = row
    given = dict(zip(COLUMNS, values, strict=True))
    coverage = database.execute("SELECT subject, hit, goal FROM coverage WHERE run = ?", (run,))
    given["started"] = datetime.fromisoformat(given["started"])
    given["counts"] = json.loads(given["counts"])
    return Night(**given, coverage={name: (hit, goal) for name, hit, goal in coverage})
