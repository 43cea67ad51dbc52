"""The plan of a run on disk: what is needed to finish, repeat or report it later."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from regress.errors import UsageError
from regress.formats import described, read_json, write_json
from regress.jobrecord import JobRecord
from regress.plan import PlannedJob
from regress.record import DONE
from regress.runfile import JOBS_FOLDER, STATUS_FILE, CaseEntry, Rerun, RunFile, Status, read_run

PLAN_FILE = "plan.json"
SCHEMA = 2


@described(kw_only=True)
class Plan:
    """What a run was asked to do."""

    schema: Literal[2] = SCHEMA
    """Version of this format."""
    name: str
    """Of the list or the vector file."""
    source: str
    """Path of that file."""
    description: str
    """One line for people."""
    command: tuple[str, ...]
    """Command line that started the run."""
    options: dict[str, Any]
    """How the command line narrowed the list."""
    seed: int
    """Master seed."""
    jobs: tuple[PlannedJob, ...]
    """In the order of the plan."""
    goals: tuple[str, ...]
    """Coverage groups that must be complete."""
    budget: float
    """Wall-clock seconds after which no other job starts; 0 for no limit."""
    until_coverage: float
    """Percentage of the goals at which no other job starts; 0 for no limit."""
    hdl: Path | None
    """Folder with the design to run on; null for the project's own."""
    waves: bool
    """Run the first failure of each bucket again with waves."""
    started: datetime
    """Local time."""
    apart: str = ""
    """Why it does not count among the runs of its list; empty if it does."""

    def write(self, run: Path) -> None:
        """Write it into the folder of the run."""
        write_json(run / PLAN_FILE, self)

    @classmethod
    def read(cls, run: Path) -> Plan:
        """The plan of a run.

        Raises:
            UsageError: there is no run, or its plan cannot be read.
        """
        path = run / PLAN_FILE
        try:
            return read_json(path, cls, "the plan", SCHEMA)
        except FileNotFoundError:
            raise UsageError(
                f"{run} is no folder of a run; accepted: a folder with {PLAN_FILE} in it"
            ) from None


def finished_jobs(run: Path, jobs: Iterable[PlannedJob]) -> list[JobRecord]:
    """The jobs of a run that were brought to an end."""
    records = (
        JobRecord.read(planned, run / JOBS_FOLDER / planned.id / STATUS_FILE, run)
        for planned in jobs
    )
    return [record for record in records if record and record.status in DONE]


def jobs_left_out(run: Path, jobs: Iterable[PlannedJob]) -> list[JobRecord]:
    """The jobs of a run that were skipped or not run, as last written down."""
    noted = earlier(run)
    entries = {job.id: job for job in (noted.jobs if noted else ())}
    return [
        JobRecord(planned, entry.status, entry.message)
        for planned in jobs
        if (entry := entries.get(planned.id)) and entry.status in (Status.SKIPPED, Status.NOT_RUN)
    ]


def earlier(run: Path) -> RunFile | None:
    """What a run has written down so far; None if that cannot be read."""
    with suppress(FileNotFoundError, UsageError):
        return read_run(run)
    return None


def earlier_reruns(run: Path) -> dict[tuple[str, str], tuple[Rerun, bool]]:
    """What came of running failures again with waves, as last written down: by job and case."""
    noted = earlier(run)
    found = {}
    for bucket in noted.buckets if noted else ():
        if bucket.rerun:
            first = bucket.cases[0] if bucket.cases else CaseEntry(job=bucket.jobs[0], name="")
            found[first.job, first.name] = (bucket.rerun, bool(bucket.reproducible))
    return found
