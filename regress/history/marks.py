"""What earlier runs say about a test: new failure, known, flaky, fixed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

from regress.core.jobrecord import JobRecord
from regress.core.plan import PlannedJob
from regress.core.runfile import BAD, GOOD
from regress.run.record import RunRecord

# Runs of the same sources and stimulus in which changes of a test's status are counted.
FLAKY_RUNS = 10
FLAKY_CHANGES = 2


class Mark(str, Enum):
    """What a reader should know about a test before looking at it."""

    NEW_FAILURE = "new failure"
    KNOWN = "known"
    FLAKY = "flaky"
    FIXED = "fixed"


@dataclass(frozen=True, order=True)
class Point:
    """A test as the history knows it: its jobs differ in the seed alone.

    Attributes:
        place: the whole point in one line, as shortly said as it can be.
    """

    test: str
    subject: str
    place: str
    simulator: str

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.test} {self.place} {self.simulator}"


@dataclass(frozen=True)
class Stimulus:
    """Two runs with the same one must have the same outcome.

    Attributes:
        sources: commit; None if the work tree has changes that no commit knows.
        seed: master seed.
        jobs: how many jobs of the point ended: a run that is cut short sees fewer seeds.
    """

    sources: str | None
    seed: int
    jobs: int


@dataclass(frozen=True)
class Outcome:
    """What became of a point in one run.

    Attributes:
        passed: all of its jobs that ended passed.
        bucket: normalised message of the first failure; empty if there is none.
    """

    passed: bool
    stimulus: Stimulus
    failed: int = 0
    seconds: float = 0.0
    bucket: str = ""


@dataclass(frozen=True)
class MarkedPoint:
    """A point with its mark.

    Attributes:
        past: whether it passed in earlier runs and in this one, the oldest first.
    """

    point: Point
    mark: Mark
    past: tuple[bool, ...]


def point_of(planned: PlannedJob) -> Point:
    """The point a job belongs to."""
    job, build = planned.job, planned.point
    return Point(job.test, job.subject, build.point.text, job.simulator)


def comparable_sources(commit: str) -> str | None:
    """The commit if it says what the sources were: with local changes it does not."""
    return None if commit == "unknown" or commit.endswith("-dirty") else commit


def outcomes(record: RunRecord, commit: str) -> dict[Point, Outcome]:
    """What became of the points of a run; points of which no job ended are left out."""
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
        )
    return result


def mark(now: Outcome, earlier: Sequence[Outcome], reproducible: bool = True) -> Mark | None:
    """What earlier runs say about a point; None if there is nothing to say.

    Args:
        now: in this run.
        earlier: in earlier runs, the oldest first.
        reproducible: False if a failure of this run did not fail again in the same way.
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
    """The points that have a mark, new failures first.

    In the first run of a list nothing is new.
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
