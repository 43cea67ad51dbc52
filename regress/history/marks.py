"""Marks of tests from earlier runs: new failure, known, flaky, fixed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise

from regress.core.jobrecord import JobRecord
from regress.core.metrics import Figure, figures_over
from regress.core.plan import PlannedJob
from regress.core.runfile import BAD, GOOD
from regress.run.record import RunRecord

# Number of runs with the same sources and stimulus in which status changes are counted.
FLAKY_RUNS = 10
FLAKY_CHANGES = 2


class Mark(str, Enum):
    """Mark of a test's result, compared with earlier runs."""

    NEW_FAILURE = "new failure"
    KNOWN = "known"
    FLAKY = "flaky"
    FIXED = "fixed"


@dataclass(frozen=True, order=True)
class Point:
    """A test in the history. Its jobs differ only in the seed.

    Attributes:
        place: the whole point in one line, without default values.
    """

    test: str
    subject: str
    place: str
    simulator: str

    @property
    def name(self) -> str:
        """Name for people."""
        return f"{self.test} {self.place} {self.simulator}"


@dataclass(frozen=True)
class Stimulus:
    """Two runs with the same stimulus must have the same outcome.

    Attributes:
        sources: commit; None if the work tree has uncommitted changes.
        seed: master seed.
        jobs: number of jobs of the point that ended: a run that stops early has fewer seeds.
    """

    sources: str | None
    seed: int
    jobs: int


@dataclass(frozen=True)
class Outcome:
    """The outcome of a point in one run.

    Attributes:
        passed: all jobs of the point that ended passed.
        bucket: normalised message of the first failure; empty without failure.
        figures: what the jobs of the point that passed measured, by name.
    """

    passed: bool
    stimulus: Stimulus
    failed: int = 0
    seconds: float = 0.0
    bucket: str = ""
    figures: Mapping[str, Figure] = field(default_factory=dict)


@dataclass(frozen=True)
class MarkedPoint:
    """A point with its mark.

    Attributes:
        past: whether it passed in earlier runs and in this one, oldest first.
    """

    point: Point
    mark: Mark
    past: tuple[bool, ...]


def point_of(planned: PlannedJob) -> Point:
    """Return the point of a job."""
    job, build = planned.job, planned.point
    return Point(job.test, job.subject, build.point.text, job.simulator)


def comparable_sources(commit: str) -> str | None:
    """Return the commit if it identifies the sources; None with local changes."""
    return None if commit == "unknown" or commit.endswith("-dirty") else commit


def outcomes(record: RunRecord, commit: str) -> dict[Point, Outcome]:
    """Return the outcomes of a run's points, without points for which no job ended."""
    found: dict[Point, list[JobRecord]] = {}
    for job in record.jobs:
        if job.status in (*GOOD, *BAD):
            found.setdefault(point_of(job.planned), []).append(job)
    keys = {job.planned.id: bucket.key for bucket in record.buckets for job in bucket.jobs}
    result = {}
    for point, jobs in found.items():
        failed = [job for job in jobs if job.status in BAD]
        result[point] = Outcome(
            passed=not failed,
            stimulus=Stimulus(comparable_sources(commit), record.plan.seed, len(jobs)),
            failed=len(failed),
            seconds=sum(job.seconds for job in jobs),
            bucket=keys.get(failed[0].planned.id, "") if failed else "",
            figures=figures_over((j.planned.job.seed, j.result.metrics) for j in jobs if j.result),
        )
    return result


def mark(now: Outcome, earlier: Sequence[Outcome], reproducible: bool = True) -> Mark | None:
    """Return the mark of a point from earlier runs; None if it has none.

    Args:
        now: outcome in this run.
        earlier: outcomes in earlier runs, oldest first.
        reproducible: False if a failure of this run did not recur in its rerun.
    """
    if not reproducible:
        return Mark.FLAKY
    alike = now.stimulus.sources is not None
    same = [
        past.passed for past in earlier[-FLAKY_RUNS:] if alike and past.stimulus == now.stimulus
    ]
    same.append(now.passed)
    if sum(a != b for a, b in pairwise(same)) >= FLAKY_CHANGES:
        return Mark.FLAKY
    if now.passed:
        return Mark.FIXED if earlier and not earlier[-1].passed else None
    return Mark.NEW_FAILURE if not earlier or earlier[-1].passed else Mark.KNOWN


def marked(
    record: RunRecord, now: dict[Point, Outcome], earlier: dict[Point, list[Outcome]]
) -> list[MarkedPoint]:
    """Return the points that have a mark, new failures first.

    In the first run of a list, no failure is marked as new.
    """
    unstable = {
        point_of(bucket.jobs[0].planned)
        for bucket in record.buckets
        if bucket.reproducible is False
    }
    found = []
    for point, outcome in now.items():
        past = earlier.get(point, [])
        what = mark(outcome, past, point not in unstable)
        if what and (earlier or what is Mark.FLAKY):
            statuses = (*(entry.passed for entry in past), outcome.passed)
            found.append(MarkedPoint(point, what, statuses))
    order = list(Mark)
    return sorted(found, key=lambda entry: (order.index(entry.mark), entry.point))
