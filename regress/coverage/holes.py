"""Finds the missing bins, each with the tests that reach it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from regress.core.jobfile import Job, JobResult
from regress.core.point import Point
from regress.core.project import Project
from regress.coverage.exclusions import Exclusions
from regress.coverage.functional import Coverage, Group, add


@dataclass(frozen=True, order=True)
class Hole:
    """A required bin that was not hit.

    Attributes:
        tests: tests that reach it, the likeliest first.
        collected: True if at least one passed job has this group.
    """

    subject: str
    group: str
    bin: str
    tests: tuple[str, ...]
    note: str
    collected: bool = True

    @property
    def text(self) -> str:
        """The hole in one line."""
        how = f"reached by {', '.join(self.tests)}" if self.tests else "no known test reaches it"
        note = f"; {self.note}" if self.note else ""
        silent = "" if self.collected else "; the group was never collected"
        return f"{self.subject} {self.group} {self.bin!r}: {how}{note}{silent}"


def planned_goals(project: Project, jobs: Iterable[Job], exclusions: Exclusions) -> Coverage:
    """Return the goals of jobs before any of them has run: groups without a hit."""
    goals: Coverage = {}
    seen = set()
    for job in jobs:
        if (job.test, job.point) in seen:
            continue
        seen.add((job.test, job.point))
        bins_of = project.goals(job)
        empty = {name: {"bins": {}, "goal": list(bins)} for name, bins in bins_of.items()}
        result = exclusions.applied(job.point, JobResult(coverage=empty))
        add(goals, job.subject, result.coverage)
    return goals


def find_holes(
    project: Project, coverage: Coverage, goals: Coverage, jobs: Iterable[Job]
) -> list[Hole]:
    """Return the required bins that were not hit, sorted by subject, group and bin.

    Args:
        project: states how a bin is reached.
        coverage: coverage merged over the passed jobs.
        goals: goals of all planned jobs, see :func:`planned_goals`. If no passed job has a group,
            the whole group is a hole.
        jobs: the planned jobs.
    """
    points: dict[str, set[Point]] = defaultdict(set)
    for job in jobs:
        points[job.subject].add(job.point)
    found = []
    for name in sorted({*coverage, *goals}):
        have, wanted = coverage.get(name, {}), goals.get(name, {})
        for group in sorted({*have, *wanted}):
            collected = have.get(group, Group())
            goal = collected.goal | wanted.get(group, Group()).goal
            for bin_name in sorted(goal):
                if collected.bins.get(bin_name):
                    continue
                reach = project.reach(group, bin_name, points[name])
                hole = Hole(name, group, bin_name, reach.tests, reach.note, group in have)
                found.append(hole)
    return found
