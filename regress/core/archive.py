"""The files in a run's folder that are needed to finish or report the run later."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Literal

from regress.core.buildrecord import BuildOutcome
from regress.core.context import Context
from regress.core.errors import UsageError
from regress.core.formats.files import read_json
from regress.core.formats.model import Positive, described
from regress.core.jobfile import Count, GroupHits
from regress.core.jobrecord import JobRecord
from regress.core.plan import CONTEXT, Plan, PlannedJob
from regress.core.runfile import (
    DONE,
    NEVER_STARTED,
    RUN_FILE,
    SCHEMA,
    BucketEntry,
    Closure,
    Disagreement,
    FailedCase,
    GoalResult,
    GrowthPoint,
    Rerun,
    Score,
    Seconds,
    Status,
)


@described(kw_only=True)
class RunFile:
    """A run of a regression list: its options, its jobs and their results.

    Paths are relative to the folder of the run unless stated otherwise. The file is written every
    half minute during the run.
    """

    schema: Literal[5] = SCHEMA
    """Version of this format; it rises when a field changes its meaning or goes."""
    plan: Plan
    """The plan without its jobs; `jobs` has them with their results."""
    status: Literal["passed", "failed", "interrupted", "running"]
    """The verdict. A run that was killed stays running."""
    seconds: Seconds
    """Wall-clock time so far, of all sessions of a resumed run together."""
    stopped: str
    """Why the run stopped before the end of the plan; empty if it did not."""
    broken: bool = False
    """The run stopped because it could not continue, for instance on a full disk. It has failed."""
    workers: Positive
    """Jobs at once."""
    tools: dict[str, str]
    """Versions of the tools; `sources` is the commit."""
    summary: dict[Status, Count]
    """Number of jobs by status."""
    builds: tuple[BuildOutcome, ...]
    """Result of each build."""
    jobs: tuple[JobRecord, ...]
    """Record of each job, in the order of the plan. Results have no coverage, and only the first
    failures."""
    coverage: dict[str, dict[str, GroupHits]]
    """Functional coverage of the jobs that passed, by subject and group."""
    goals: tuple[GoalResult, ...]
    """The list's coverage goals."""
    closure: tuple[Closure, ...]
    """With --until-coverage: jobs, operations and time until each subject has hit its goal."""
    growth: tuple[GrowthPoint, ...]
    """How coverage grew, one entry a job that passed: seconds since the start, operations checked
    so far, required bins hit so far."""
    buckets: tuple[BucketEntry, ...]
    """Buckets of failures with equal messages, the largest first."""
    code_coverage: dict[str, dict[str, Score]]
    """Coverage of the design's source, by subject and kind (line, branch, expr, toggle); empty if
    the list did not ask for it."""
    problems_of_coverage: tuple[str, ...]
    """Unreadable coverage files and stale exclusions, one line each. Any line fails the run."""
    compared: Count
    """Pairs of jobs that were compared between simulators."""
    disagreements: tuple[Disagreement, ...]
    """Pairs of jobs with different operations on both simulators."""
    worse: tuple[str, ...] = ()
    """Figures that are worse than in the last run of their point, one line each. Any line fails
    the run."""

    @property
    def never_started(self) -> list[JobRecord]:
        """Jobs whose outcome stands only in this file."""
        return [job for job in self.jobs if job.status in NEVER_STARTED]

    @property
    def reruns(self) -> dict[tuple[str, str], tuple[Rerun, bool]]:
        """Results of repeating failures with waves, by job and case."""
        found = {}
        for bucket in self.buckets:
            if bucket.rerun:
                first = bucket.cases[0] if bucket.cases else FailedCase(job=bucket.jobs[0], name="")
                found[first.job, first.name] = (bucket.rerun, bool(bucket.reproducible))
        return found


def read_run(context: Context, folder: Path) -> RunFile:
    """Read run.json in the folder of a run.

    Raises:
        UsageError: the file is missing, cannot be read, or has another schema; one line for each
            mistake.
    """
    return read_json(folder / RUN_FILE, RunFile, "the run", SCHEMA, {CONTEXT: context})


def finished_jobs(context: Context, run: Path, jobs: Iterable[PlannedJob]) -> list[JobRecord]:
    """Return the records of a run's finished jobs."""
    records = (JobRecord.read(context, run, planned.id) for planned in jobs)
    return [record for record in records if record and record.status in DONE]


def earlier(context: Context, run: Path) -> RunFile | None:
    """Return what a run has written so far; None if it cannot be read."""
    with suppress(UsageError):
        return read_run(context, run)
    return None
