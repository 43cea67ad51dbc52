"""What was measured of each point before, and what has become worse since."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from pydantic import ConfigDict

from verif.implement.flow.record import PointRecord, Worsening
from verif.library.netlist.hierarchy import ModuleArea

HISTORY_FILE = "implement.sqlite"
VERSION = 1
BUSY_SECONDS = 10.0
# What is worse by more than this is shown.
LIMIT = 0.05
# Runs of a point that are looked through for the last one that has a figure.
LOOK_BACK = 50
# Fields of a point, of its modules, and what they count.
MEASURES = (
    ("area_um2", "area_um2", "area in um2"),
    ("luts", "luts", "LUTs"),
    ("ffs", "ffs", "flip-flops"),
    ("multipliers", "multipliers", "multipliers"),
    ("memories", "memories", "block memories"),
    ("gates", "gates", "gates"),
    ("depth", "gates", "depth"),
)
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


class KeptPoint(PointRecord):
    """A point of the history; fields of the project's own are left out."""

    model_config = ConfigDict(extra="ignore")


@dataclass(frozen=True)
class Trend:
    """A point over the runs that measured it.

    Attributes:
        id: of the point.
        started: of the last of these runs, ISO 8601.
        folder: name of the folder of that run.
        records: the oldest first.
    """

    id: str
    started: str
    folder: str
    records: Sequence[PointRecord]

    @property
    def last(self) -> PointRecord:
        """As the last run measured it."""
        return self.records[-1]

    @property
    def sizes(self) -> list[float | None]:
        """Its area, run by run."""
        return [record.size for record in self.records]

    @property
    def cycles(self) -> list[float | None]:
        """Its clock in MHz, run by run."""
        return [record.fmax_mhz.median if record.fmax_mhz else None for record in self.records]


class ImplementHistory:
    """The points measured so far.

    Args:
        path: the database; made by the first :meth:`add`.
    """

    def __init__(self, path: Path) -> None:
        """Open nothing yet."""
        self._path = path

    def add(self, folder: str, started: str, points: Sequence[PointRecord]) -> None:
        """Add the points of a run that have figures, or replace those of an earlier session.

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

    def before(self, point: str, started: str) -> list[PointRecord]:
        """A point as earlier runs measured it, the last one first.

        Raises:
            HistoryError: the database cannot be read.
        """
        with self._open() as database:
            rows = database.execute(
                "SELECT record FROM points WHERE point = ? AND started < ?"
                " ORDER BY started DESC LIMIT ?",
                (point, started, LOOK_BACK),
            ).fetchall()
        return [record for (text,) in rows if (record := _kept(text))]

    def trends(self, last: int) -> list[Trend]:
        """Every point over the last so many runs that measured it, by id; none without a database.

        Raises:
            HistoryError: the database cannot be read.
        """
        if not self._path.exists():
            return []
        with self._open() as database:
            rows = database.execute(
                "SELECT point, started, folder, record FROM points ORDER BY point, started"
            ).fetchall()
        found = []
        for name, group in groupby(rows, key=lambda row: str(row[0])):
            known = [(row, record) for row in group if (record := _kept(row[3]))]
            if known:
                (_, started, folder, _), _ = known[-1]
                records = [record for _, record in known[-last:]]
                found.append(Trend(name, str(started), str(folder), records))
        return found

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


def worsenings(now: PointRecord, earlier: Sequence[PointRecord]) -> list[Worsening]:
    """What is worse by more than :data:`LIMIT` than in the last run that measured it.

    Args:
        now: the point.
        earlier: the same point in earlier runs, the last one first. A run may lack what another
            has: one of synthesis alone has no clock. Other seeds of one netlist are no change.
    """
    found = [worse for measure in MEASURES if (worse := _grown(now, earlier, *measure))]
    before = next((record for record in earlier if record.fmax_mhz), None)
    if now.fmax_mhz and before and before.fmax_mhz and not now.same_synthesis(before):
        # The median of five seeds says little of what one of them gets: their slowest does.
        same = now.fmax_mhz.seeds == before.fmax_mhz.seeds
        fast = now.fmax_mhz.median
        fast_before = before.fmax_mhz.median if same else before.fmax_mhz.min
        if fast < fast_before * (1 - LIMIT):
            where = f"critical path {now.critical_path_text}"
            found.append(_worsening("MHz", before, fast_before, fast, where))
    return found


def _grown(
    now: PointRecord, earlier: Sequence[PointRecord], field: str, by: str, unit: str
) -> Worsening | None:
    """What has become of one measure of size."""
    if field != "area_um2" and now.area_um2 is not None:
        return None  # it has everything in it
    value = getattr(now, field)
    before = next((record for record in earlier if getattr(record, field) is not None), None)
    if value is None or before is None or value <= getattr(before, field) * (1 + LIMIT):
        return None
    where = _most_grown(now.modules, before.modules, by)
    # What was not there at all has no ratio.
    return _worsening(unit, before, getattr(before, field) or 1, value, where)


def _worsening(what: str, before: PointRecord, was: float, now: float, where: str) -> Worsening:
    commit = before.provenance.commit if before.provenance else "an unknown commit"
    return Worsening(what=what, before=was, now=now, since=commit, where=where)


def _most_grown(now: Sequence[ModuleArea], before: Sequence[ModuleArea], field: str) -> str:
    """The instance that grew most."""
    old = {module.path: getattr(module, field) for module in before}
    if not now:
        return "no module is known"
    most = max(now, key=lambda module: getattr(module, field) - old.get(module.path, 0))
    was = old.get(most.path, 0)
    where = most.path or "the top"
    return f"{where} ({most.module}) grew most, {was:g} -> {getattr(most, field):g}"


def _kept(text: str) -> PointRecord | None:
    """A record of the database; None if it was written before the format changed."""
    try:
        return KeptPoint.model_validate_json(text)
    except ValueError:
        return None
