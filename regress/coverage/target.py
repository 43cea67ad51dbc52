"""Determines when a run has covered enough."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum

from regress.core.errors import UsageError
from regress.core.jobfile import Job, JobResult
from regress.core.project import Project
from regress.core.runfile import Closure, GoalResult, GrowthPoint, Score
from regress.coverage.exclusions import Exclusions
from regress.coverage.functional import Group, goal_groups, goal_hits
from regress.coverage.holes import planned_goals


class Use(IntEnum):
    """Usefulness of a job for the missing bins."""

    NONE = 0  # everything it can reach was hit
    SOME = 1
    LIKELY = 2  # its test is known to reach some of the missing bins


class CoverageTarget:
    """The coverage goals of all planned jobs. It receives the jobs as they pass.

    Args:
        goals: names of groups or patterns, see :func:`regress.coverage.functional.goal_groups`.
        percent: share of each goal's bins to reach, more than 0, at most 100.

    Raises:
        UsageError: no goals, or a goal that no planned job of a subject can meet.

    Attributes:
        growth: growth of coverage by subject; starts at (0, 0) and gets one point per job.
    """

    def __init__(
        self,
        project: Project,
        jobs: Iterable[Job],
        goals: Sequence[str],
        percent: float,
        exclusions: Exclusions,
    ) -> None:
        self._project = project
        jobs = list(jobs)
        self._percent = percent
        self._goals: dict[tuple[str, str], Group] = {}
        planned = planned_goals(project, jobs, exclusions)
        tests = project.tests
        for subject, top in sorted({(job.subject, tests[job.test].top) for job in jobs}):
            groups = planned[subject]
            for goal in goals:
                if project.top_of_group(goal) != top:
                    continue
                for name in goal_groups(project, goal, groups):
                    if name not in groups:
                        raise UsageError(
                            f"goal {name!r}: {subject} has no coverage group of this name"
                        )
                    self._goals[subject, name] = groups[name]
        if not self._goals:
            raise UsageError("--until-coverage: the list has no coverage goal")
        self._reach: dict[tuple, dict[str, set[str]]] = {}
        # Caches by subject, valid until a job of the subject passes: job usefulness and open goals.
        self._uses: dict[str, dict[tuple, Use]] = {}
        self._open: dict[str, list[tuple[str, str, Group]]] = {}
        self.operations = 0
        self._silent = set(self._goals)
        self._operations = {subject: 0 for subject, _ in self._goals}
        self.growth = {name: [GrowthPoint(0.0, 0, 0)] for name in self._operations}

    def add(self, subject: str, result: JobResult, seconds: float = 0.0) -> None:
        """Add the hits of a passed job that ran for ``seconds``."""
        self.operations += result.operations
        self._uses.pop(subject, None)
        self._open.pop(subject, None)
        if subject not in self._operations:
            return
        self._operations[subject] += result.operations
        for name, group in result.coverage.items():
            if (subject, name) in self._goals:
                self._silent.discard((subject, name))
                self._goals[subject, name].add({"bins": group["bins"], "goal": ()})
        before = self.growth[subject][-1].seconds
        point = GrowthPoint(before + seconds, self._operations[subject], self.score(subject).hit)
        self.growth[subject].append(point)

    def use(self, job: Job) -> Use:
        """Return how useful a job is for the open goals."""
        key = (job.test, job.point)
        uses = self._uses.setdefault(job.subject, {})
        if key not in uses:
            if key not in self._reach:
                in_reach = self._project.in_reach(job)
                self._reach[key] = {name: set(bins) for name, bins in in_reach.items()}
            uses[key] = self._use(job, self._reach[key])
        return uses[key]

    def _use(self, job: Job, reach: Mapping[str, set[str]]) -> Use:
        found = Use.NONE
        for subject, name, group in self._open_of(job.subject):
            if name not in reach:
                continue
            if (subject, name) in self._silent:
                found = max(found, Use.SOME)
            for bin_name in reach[name].intersection(group.missing):
                tests = self._project.reach(name, bin_name, ()).tests
                if not tests or job.test in tests:
                    return Use.LIKELY
                found = Use.SOME
        return found

    def closures(self) -> list[Closure]:
        """Return when each subject hit the last of its required bins."""
        found = []
        for name, points in self.growth.items():
            last = next(n for n, point in enumerate(points) if point.hit == points[-1].hit)
            at, total = points[last], self.score(name).total
            found.append(Closure(name, last, at.operations, at.seconds, at.hit, total))
        return found

    def score(self, subject: str) -> Score:
        """Return the score of a subject's required bins."""
        own = {name: group for (of, name), group in self._goals.items() if of == subject}
        return goal_hits({subject: own})

    def open_goals(self) -> list[tuple[str, str, Group]]:
        """Return (subject, group name, group) of each open goal.

        A goal whose group no job has collected is open, even if it has no bins.
        """
        return [goal for subject in self._operations for goal in self._open_of(subject)]

    def _open_of(self, subject: str) -> list[tuple[str, str, Group]]:
        if subject not in self._open:
            mine = ((of, name, group) for (of, name), group in self._goals.items() if of == subject)
            self._open[subject] = [
                (of, name, group)
                for of, name, group in mine
                if (of, name) in self._silent
                or 100 * group.score.hit < self._percent * len(group.goal)
            ]
        return self._open[subject]

    def results(self) -> list[GoalResult]:
        """Return every goal with its status."""
        still = {(subject, name) for subject, name, _ in self.open_goals()}
        return [
            GoalResult(subject, name, (subject, name) not in still,
                       group.shortfall if (subject, name) in still else "")
            for (subject, name), group in self._goals.items()
        ]  # fmt: skip

    @property
    def met(self) -> bool:
        """Every goal of every planned subject is met."""
        return not self.open_goals()

    @property
    def text(self) -> str:
        """The state of the goals in one line."""
        still = self.open_goals()
        if not still:
            return f"{self._percent:g} % of every goal after {self.operations} operations"
        subject, name, group = still[0]
        more = f" and {len(still) - 1} more" if len(still) > 1 else ""
        return (
            f"{len(self._goals) - len(still)} of {len(self._goals)} goals met after "
            f"{self.operations} operations; {subject} {name} lacks {group.missing_text}{more}"
        )
