"""Selects the job that starts next."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from regress.core.jobrecord import JobRecord
from regress.core.plan import BuildPoint, PlannedJob


class JobQueue:
    """The waiting jobs, and which of them may start next.

    Args:
        use: the usefulness of a job: more useful jobs start first, jobs of use 0 never start.
        ended: ended jobs by id, for the jobs that must run after one of them.
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
        self.builds: dict[BuildPoint, Path | None] = {}  # None until the build has ended
        self._spent: Counter[str] = Counter()

    def spend(self, record: JobRecord) -> None:
        """Add the run time of a job to the time of its list entry."""
        self._spent[record.planned.entry] += record.seconds

    def over_budget(self) -> list[PlannedJob]:
        """Remove and return the jobs whose list entry has used up its time budget."""
        return self.take(lambda job: 0 < job.budget <= self._spent[job.entry])

    def next_job(self, build_too: bool) -> tuple[PlannedJob, Path] | BuildPoint | None:
        """Take the first job that can start, or the build for which the first job waits.

        Args:
            build_too: builds and jobs share the same slots; if False, take only a job.
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
        """Return whether the cases that the earlier jobs leave to this job are known.

        An earlier job that was not built passes on the cases it receives. These may come later.
        """
        while job.after:
            if job.after not in self._ended:
                return False
            job = self._ended[job.after].planned
            if job.job.cases:
                break
        return True

    def _useful(self) -> list[tuple[int, PlannedJob]]:
        """Return the useful jobs with their positions in the queue, the most useful first."""
        uses = {
            number: self._use(job) for number, job in enumerate(self.waiting) if self.ready(job)
        }
        order = sorted((number for number, use in uses.items() if use), key=lambda n: -uses[n])
        return [(number, self.waiting[number]) for number in order]

    def next_build(self) -> BuildPoint | None:
        """Take the first build that has not been started."""
        for _, job in self._useful():
            if job.point not in self.builds:
                self.builds[job.point] = None
                return job.point
        return None

    def take(self, wanted: Callable[[PlannedJob], bool]) -> list[PlannedJob]:
        """Remove and return the matching jobs."""
        found = [job for job in self.waiting if wanted(job)]
        if found:
            gone = {job.id for job in found}
            self.waiting = deque(job for job in self.waiting if job.id not in gone)
        return found
