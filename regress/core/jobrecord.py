"""Results of jobs, and buckets of similar failures."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from regress.core.cases import Case, CaseStatus, completed
from regress.core.context import Context
from regress.core.errors import UsageError
from regress.core.formats.files import read_json, write_json
from regress.core.formats.model import described, taken
from regress.core.jobfile import RESULT_FILE, JobResult
from regress.core.plan import CONTEXT, PlannedJob
from regress.core.runfile import (
    JOBS_FOLDER,
    STATUS_FILE,
    BucketEntry,
    FailedCase,
    Rerun,
    Seconds,
    ShrunkEntry,
    Status,
)

# Failures kept for one job; its result.json has all of them.
KEPT_FAILURES = 10


@described()
class JobRecord:
    """One job and what became of it: one process of a simulator, and those that were repeated."""

    planned: PlannedJob
    """The job as planned."""
    status: Status
    """Status at the end."""
    message: str = ""
    """One line; empty if it passed."""
    seconds: Seconds = 0.0
    """Wall-clock time of the last attempt's process."""
    folder: str = ""
    """Folder of the last attempt, relative to the run; empty if the job never started."""
    result: JobResult | None = None
    """Result that the simulation wrote; null if it cannot be read."""
    lost: tuple[str, ...] = ()
    """For each attempt before the last: how the infrastructure failed."""
    cases: tuple[Case, ...] = ()
    """Named parts of the job; empty if it has none."""
    details: str = ""
    """Last lines of the traceback of the failure; empty if it has none."""
    failed_at_ns: float | None = None
    """Simulated time of the failure as cocotb reports it; null if unknown."""
    warning: str = ""
    """First error that the design reported although the job passed; empty if it reported none."""

    def __post_init__(self) -> None:
        """Mark the cases without a result as not run."""
        names = self.planned.job.case_names
        if len(self.cases) != len(names):
            object.__setattr__(self, "cases", completed(names, self.cases))

    @property
    def failed_cases(self) -> list[Case]:
        """Failed cases in their order."""
        return [case for case in self.cases if case.status is CaseStatus.FAILED]

    @property
    def log(self) -> str:
        """Path of the log relative to the run's folder; empty if no log exists."""
        return f"{self.folder}/log.txt" if self.folder else ""

    @property
    def failure_time_ns(self) -> float | None:
        """Simulated time of the first failure; None if unknown."""
        times = self.result.failure_times if self.result else []
        return times[0] if times else self.failed_at_ns

    def slim(self) -> JobRecord:
        """Return the record without coverage and with only the first few failures."""
        if self.result is None:
            return self
        result = replace(
            self.result,
            coverage={},
            failures=self.result.failures[:KEPT_FAILURES],
            failure_times=self.result.failure_times[:KEPT_FAILURES],
        )
        return replace(self, result=result)

    def write(self, run: Path) -> None:
        """Write the record into the job's folder. A resumed run uses it to skip finished jobs.

        Raises:
            OSError: the record cannot be written.
        """
        path = run / JOBS_FOLDER / self.planned.id / STATUS_FILE
        path.parent.mkdir(parents=True, exist_ok=True)
        write_json(path, self.slim())

    @classmethod
    def read(cls, context: Context, run: Path, job: str) -> JobRecord | None:
        """Read a record from :meth:`write`, with the whole result; None if it cannot be read."""
        try:
            path = run / JOBS_FOLDER / job / STATUS_FILE
            record = read_json(path, cls, "the job", context={CONTEXT: context})
        except UsageError:
            return None
        with suppress(UsageError):
            result = JobResult.read(run / record.folder / RESULT_FILE)
            return replace(record, result=result)
        return record


@dataclass(frozen=True)
class JobCase:
    """A case and its job."""

    record: JobRecord
    case: Case

    @property
    def place(self) -> tuple[str, str]:
        """Job id and case name, which identify the case."""
        return self.record.planned.id, self.case.name

    @property
    def note(self) -> str:
        """The failure of the case, or another remark about it."""
        if self.case.status is CaseStatus.NOT_RUN:
            # The job's message states why a case did not run, unless the case does.
            return self.case.message or self.record.message
        return self.case.message or self.case.note


@dataclass
class Bucket:
    """Failures that presumably have the same cause.

    Attributes:
        also: titles of other buckets whose waves show the same difference.
        cases: the failed cases; empty if the failures belong to whole jobs.
        rerun: rerun of the first job; None if it was not run again.
        reproducible: the rerun failed in the same way; None without a rerun.
        command: reproduces the first job's failure, even in a fresh clone; uses :attr:`shrunk` if
            it exists.
        shrunk: a simpler configuration with the same failure; None if none was found.
        simplest: the job at this configuration.
    """

    key: str
    jobs: list[JobRecord]
    rerun: Rerun | None = None
    reproducible: bool | None = None
    command: str = ""
    also: list[str] = field(default_factory=list)
    cases: list[JobCase] = field(default_factory=list)
    shrunk: ShrunkEntry | None = None
    simplest: JobRecord | None = None

    @property
    def shown(self) -> JobRecord:
        """The simplest failure, which is repeated and shown in the reports."""
        return self.simplest or self.record

    @property
    def record(self) -> JobRecord:
        """Job of the first failure."""
        return self.cases[0].record if self.cases else self.jobs[0]

    @property
    def case(self) -> Case | None:
        """Case of the first failure; None if a whole job failed."""
        return self.cases[0].case if self.cases else None

    @property
    def shown_case(self) -> Case | None:
        """The same case in :attr:`shown`."""
        if not self.case or not self.simplest:
            return self.case
        again = (one for one in self.shown.failed_cases if one.name == self.case.name)
        return next(again, self.case)

    @property
    def message(self) -> str:
        """Message of the first failure."""
        return self.case.message if self.case else self.record.message

    @property
    def title(self) -> str:
        """The first failure's message without what precedes the common part; may be empty."""
        common = re.split(r"[#<]", self.key)[0].strip()
        place = self.message.find(common) if len(common) > 1 else 0
        return self.message[max(place, 0) :] or self.key

    @property
    def first(self) -> str:
        """Name of the first failure."""
        job = self.record.planned.id
        return f"{self.case.name} in {job}" if self.case else job

    @property
    def place(self) -> tuple[str, str]:
        """Identifies the first failure: job id and case name, which is empty for a whole job."""
        return self.cases[0].place if self.cases else (self.record.planned.id, "")

    @property
    def subjects(self) -> dict[str, int]:
        """Number of failed jobs of each subject."""
        return dict(Counter(record.planned.job.subject for record in self.jobs))

    @property
    def entry(self) -> BucketEntry:
        """Return the bucket's entry in run.json."""
        cases = [FailedCase(job=job, name=name) for job, name in (it.place for it in self.cases)]
        jobs = tuple(record.planned.id for record in self.jobs)
        return taken(BucketEntry, self, jobs=jobs, cases=tuple(cases))
