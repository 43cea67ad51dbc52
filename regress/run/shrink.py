"""Searches for the simplest configuration that still shows a failure.

The project proposes simpler points, the largest saving first. The first candidate that fails in the
same bucket is simplified again, until no simpler point fails or time is up. Hypothesis cannot do
this: it cannot start from a failure found elsewhere, and each try here needs a build.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from regress.core.buildrecord import BuildOutcome
from regress.core.context import Context
from regress.core.formats.model import taken
from regress.core.jobrecord import Bucket, JobRecord
from regress.core.plan import BuildPoint, PlannedJob, planned_job
from regress.core.runfile import ShrunkEntry, Status
from regress.executors.local import Executor
from regress.run.attempts import Attempt, JobRunner
from regress.run.buckets import normalised
from regress.run.record import RunRecord
from regress.run.reruns import worth_it

SHRINK_FOLDER = "shrink"
# Time limit for one bucket, and for all buckets.
SECONDS, ALL_SECONDS = 90.0, 300.0
# A simpler configuration needs no more time than this, even if the list entry allows more.
TIMEOUT = 60.0

Simpler = Callable[[PlannedJob], Iterable[tuple[PlannedJob, str]]]


def simpler_jobs(context: Context, planned: PlannedJob) -> Iterable[tuple[PlannedJob, str]]:
    """Yield the job at simpler points with a text for each point, the largest saving first."""
    test, project = planned.job.test, context.project
    for point in project.simpler(test, planned.point.point):
        whole = project.resolved(test, point)
        simpler = replace(planned.job, point=whole, trace=False, launch=None)
        again = planned_job(context, simpler, planned.index, min(planned.timeout, TIMEOUT))
        yield replace(again, entry=planned.entry), project.shortest(test, point).text


class Shrinker:
    """Simplifies the first failure of each bucket.

    Args:
        simpler: yields simpler jobs than the given one; default: :func:`simpler_jobs`.
        progress: receives a line about each failure and each simpler form of it.
    """

    def __init__(
        self,
        record: RunRecord,
        builder: Callable[[BuildPoint], BuildOutcome],
        executor: Executor,
        simpler: Simpler | None = None,
        clock: Callable[[], float] = time.monotonic,
        progress: Callable[[str], None] = lambda line: None,
    ) -> None:
        self._record = record
        self._builder = builder
        self._runner = JobRunner(record.project, record.folder, executor)
        self._simpler = simpler or partial(simpler_jobs, record.context)
        self._clock = clock
        self._progress = progress
        self._tries = 0

    def run(self) -> None:
        """Simplify as many failures as the time allows."""
        end = self._clock() + ALL_SECONDS
        for bucket in self._record.buckets:
            # A job that was asked for with waves is the one to look at, not a simpler one.
            asked = bucket.record.planned.job.waves
            if not asked and worth_it(bucket.record) and self._can_move(bucket):
                self._shrink(bucket, min(end, self._clock() + SECONDS))

    def _shrink(self, bucket: Bucket, end: float) -> None:
        planned, first, simplest = bucket.record.planned, self._tries, ""
        finished = False
        self._progress(f"shrinking {planned.id}, {SECONDS:.0f} s at most")
        if bucket.case:
            planned = replace(planned, job=planned.job.only(bucket.case.name))
        while not finished and self._clock() < end:
            for candidate, text in self._simpler(planned):
                if self._clock() >= end:
                    break
                self._tries += 1
                record = self._try(bucket, candidate)
                if record and normalised(self._record.project, _message(record)) == bucket.key:
                    planned, bucket.simplest, simplest = candidate, record, text
                    self._progress(f"  also fails at {text} ({self._tries - first} tried)")
                    break
            else:
                finished = True
        if bucket.simplest:
            bucket.shrunk = taken(
                ShrunkEntry, bucket.simplest, job=planned.id, configuration=simplest,
                tries=self._tries - first, finished=finished,
            )  # fmt: skip

    def _try(self, bucket: Bucket, planned: PlannedJob) -> JobRecord | None:
        """Return the failure at a candidate; None if it passed or was not built."""
        outcome = self._builder(planned.point)
        if outcome.folder is None:
            return None
        folder = self._runner.folder(bucket.record.planned) / f"{SHRINK_FOLDER}-{self._tries}"
        attempt = Attempt(planned, folder, outcome.folder)
        record, _ = self._runner.judge(attempt, self._runner.start(attempt))
        return record if record.status is Status.FAILED else None

    def _can_move(self, bucket: Bucket) -> bool:
        """Return whether the failed job or case has the same meaning at another point."""
        job, tests = bucket.record.planned.job, self._record.project.tests
        return not job.cases or (bucket.case is not None and tests[job.test].cases_move)


def _message(record: JobRecord) -> str:
    failed = record.failed_cases
    return failed[0].message if failed else record.message
