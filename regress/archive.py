"""What a run has left in its folder: what is needed to finish or report it later."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from regress.errors import UsageError
from regress.jobrecord import JobRecord
from regress.plan import PlannedJob
from regress.record import DONE
from regress.runfile import JOBS_FOLDER, STATUS_FILE, CaseEntry, Rerun, RunFile, Status, read_run


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
    with suppress(UsageError):
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
