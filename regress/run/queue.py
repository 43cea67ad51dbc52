"""Which job starts next."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from regress.core.jobrecord import JobRecord
from regress.core.plan import BuildPoint, PlannedJob


class JobQueue:
    """Jobs that wait, and which of them may start next.

    Args:
        use: what a job is good for: those of greater use come first, those of none never.
        ended: the jobs that have ended, by their ids, for those that come after one of them.
    """

    def __init__(
        self,
        jobs: Iterable[PlannedJob],
        use: Callable[[PlannedJob], int] = lambda _: 1,
        ended: Mapping[str, JobRecord] = MappingProxyType({}),
    ) -> None:
        self._use = use
        self._ended = ended
        self.waiting: deque[PlannedJob] = deque(jobs)
        self.builds: dict[BuildPoint, Path | None] = {}  # None while it is being built
        self._spent: Counter[str] = Counter()

    def spend(self, record: JobRecord) -> None:
        """Count the time of a job of its row."""
        self._spent[record.planned.row] += record.seconds

    def over_budget(self) -> list[PlannedJob]:
        """Take out the jobs whose row has used up its time."""
        return self.take(lambda job: 0 < job.budget <= self._spent[job.row])

    def next_job(self, build_too: bool) -> tuple[PlannedJob, Path] | BuildPoint | None:
        """Take what comes first in the order of the plan: a job, or the build it waits for.

        Args:
            build_too: builds and jobs have the same places; else only a job is looked for.
        """
        for number, job in self._useful():
            if job.point not in self.builds and build_too:
                self.builds[job.point] = None
                return job.point
            build = self.builds.get(job.point)
            if build is not None:
                del self.waiting[number]
                return job, build
        return None

    def ready(self, job: PlannedJob) -> bool:
        """Whether it is known what the jobs before it leave to it.

        One that was not run for want of its build leaves what it is given, which may come later.
        """
        while job.after:
            if job.after not in self._ended:
                return False
            job = self._ended[job.after].planned
            if job.job.cases:
                break
        return True

    def _useful(self) -> list[tuple[int, PlannedJob]]:
        """The jobs that are of any use and their places, of the greatest first."""
        uses = {
            number: self._use(job) for number, job in enumerate(self.waiting) if self.ready(job)
        }
        order = sorted((number for number, use in uses.items() if use), key=lambda n: -uses[n])
        return [(number, self.waiting[number]) for number in order]

    def next_build(self) -> BuildPoint | None:
        """Take the first build that nobody has started."""
        for _, job in self._useful():
            if job.point not in self.builds:
                self.builds[job.point] = None
                return job.point
        return None

    def take(self, wanted: Callable[[PlannedJob], bool]) -> list[PlannedJob]:
        """Take out some jobs."""
        found = [job for job in self.waiting if wanted(job)]
        if found:
            gone = {job.id for job in found}
            self.waiting = deque(job for job in self.waiting if job.id not in gone)
        return found
