"""What was measured of each point before, and what has become worse since."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from regress.implement.netlist import ModuleArea
from regress.implement.record import PointRecord

HISTORY_FILE = "implement.sqlite"
VERSION = 1
BUSY_SECONDS = 10.0
# What is worse by more than this is shown.
LIMIT = 0.05
TABLE = """
CREATE TABLE points (
    point TEXT NOT NULL,        -- id
    started TEXT NOT NULL,      -- of the run, ISO 8601
    folder TEXT NOT NULL,       -- name of the run's folder
    commit_ TEXT NOT NULL,
    record TEXT NOT NULL,       -- JSON, as in implement.json
    PRIMARY KEY (point, started)
) WITHOUT ROWID;
"""


class HistoryError(Exception):
    """The database cannot be used; the message is one line and says which file."""


@dataclass(frozen=True)
class Worsening:
    """A figure that is worse than in the last run of the same point.

    Attributes:
        point: its id.
        what: the figure.
        before: its value then.
        now: its value now.
        since: commit of then.
        where: the module that grew most, or the critical path.
    """

    point: str
    what: str
    before: float
    now: float
    since: str
    where: str

    @property
    def text(self) -> str:
        """In one line."""
        change = 100 * (self.now / self.before - 1)
        return (
            f"{self.point}: {self.what} {self.before:g} -> {self.now:g} ({change:+.1f} %) "
            f"since {self.since[:10]}: {self.where}"
        )


class ImplementHistory:
    """The points measured so far.

    Args:
        path: the database; made by the first :meth:`add`.
    """

    def __init__(self, path: Path) -> None:
        """Open nothing yet."""
        self._path = path

    def add(self, folder: str, started: str, points: Sequence[PointRecord]) -> None:
        """Add the points of a run that have figures, or replace those of an earlier sitting.

        Raises:
            HistoryError: the database cannot be written.
        """
        rows = [
            (point.id, started, folder, point.provenance.commit, point.model_dump_json())
            for point in points
            if point.provenance and point.size is not None
        ]
        with self._open() as database:
            database.executemany("INSERT OR REPLACE INTO points VALUES (?,?,?,?,?)", rows)

    def before(self, point: str, started: str, kind: type[PointRecord]) -> PointRecord | None:
        """A point as the last run before a time measured it; None if there was none.

        Raises:
            HistoryError: the database cannot be read.
        """
        with self._open() as database:
            row = database.execute(
                "SELECT record FROM points WHERE point = ? AND started < ?"
                " ORDER BY started DESC LIMIT 1",
                (point, started),
            ).fetchone()
        try:
            return kind.model_validate_json(row[0]) if row else None
        except ValueError:
            return None  # written before the format changed

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self._path, timeout=BUSY_SECONDS)) as database, database:
                version = database.execute("PRAGMA user_version").fetchone()[0]
                if version == 0:
                    database.execute(TABLE)
                    database.execute(f"PRAGMA user_version = {VERSION}")
                elif version != VERSION:
                    raise HistoryError(f"{self._path} has version {version}, not {VERSION}")
                yield database
        except sqlite3.Error as error:
            raise HistoryError(
                f"{self._path} cannot be used, so there is no history: {error}"
            ) from None


def worsenings(now: PointRecord, before: PointRecord) -> list[Worsening]:
    """What is worse by more than :data:`LIMIT`: area, depth, clock."""
    found = []
    commit = before.provenance.commit if before.provenance else "an unknown commit"
    size, size_before = now.size, before.size
    if size and size_before and size > size_before * (1 + LIMIT):
        unit = "um2" if now.area_um2 else "LUTs" if now.luts else "gates"
        where = _grown(now.modules, before.modules)
        found.append(Worsening(now.id, f"area in {unit}", size_before, size, commit, where))
    if now.depth and before.depth and now.depth > before.depth * (1 + LIMIT):
        where = _grown(now.modules, before.modules)
        found.append(Worsening(now.id, "depth", before.depth, now.depth, commit, where))
    if now.fmax_mhz and before.fmax_mhz:
        fast, fast_before = now.fmax_mhz.median, before.fmax_mhz.median
        if fast < fast_before * (1 - LIMIT):
            where = f"critical path {now.critical_path_text}"
            found.append(Worsening(now.id, "MHz", fast_before, fast, commit, where))
    return found


def _grown(now: Sequence[ModuleArea], before: Sequence[ModuleArea]) -> str:
    """The instance that grew most."""
    old = {module.path: module.size for module in before}
    if not now:
        return "no module is known"
    most = max(now, key=lambda module: module.size - old.get(module.path, 0.0))
    was = old.get(most.path, 0.0)
    where = most.path or "the top"
    return f"{where} ({most.module}) grew most, {was:g} -> {most.size:g}"
