"""The bins that are missing, each with the tests that reach it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from models.registry import architecture
from regress.coverage.exclusions import Exclusions
from regress.coverage.functional import Coverage, Group, design_of_group
from verif.coverage.goals import goals_of, stimulus_of
from verif.job import Job, JobResult


@dataclass(frozen=True, order=True)
class Hole:
    """A goal bin that was not hit.

    Attributes:
        architecture: registry name.
        group: coverage group.
        bin: name of the bin.
        tests: tests that reach it, the likeliest first.
        solvable: operand values reach it, and the entry solves for rare ones: test ``corners``.
        collected: some job that passed has this group.
    """

    architecture: str
    group: str
    bin: str
    tests: tuple[str, ...]
    solvable: bool
    collected: bool = True

    @property
    def text(self) -> str:
        """The hole in one line."""
        how = f"reached by {', '.join(self.tests)}" if self.tests else "no known test reaches it"
        solved = "; the entry solves operands for rare cases" if self.solvable else ""
        silent = "" if self.collected else "; the group was never collected"
        return f"{self.architecture} {self.group} {self.bin!r}: {how}{solved}{silent}"


def planned_goals(jobs: Iterable[Job], exclusions: Exclusions) -> Coverage:
    """The goals of jobs before any of them ran: groups without a hit.

    Args:
        jobs: what is planned; jobs that differ in the seed alone have the same goals.
        exclusions: bins that are no goal.
    """
    goals: Coverage = {}
    seen = set()
    for job in jobs:
        point = (job.test, job.architecture, job.width, tuple(sorted(job.parameters.items())))
        if point in seen:
            continue
        seen.add(point)
        empty = {name: {"bins": {}, "goal": list(bins)} for name, bins in goals_of(job).items()}
        result = exclusions.applied(job.architecture, job.width, JobResult(coverage=empty))
        groups = goals.setdefault(job.architecture, {})
        for name, group in result.coverage.items():
            groups.setdefault(name, Group()).add(group)
    return goals


def find_holes(
    coverage: Coverage, goals: Coverage, widths: Mapping[str, Iterable[int]]
) -> list[Hole]:
    """The goal bins that were not hit, by architecture, group and bin.

    Args:
        coverage: merged over the jobs that passed.
        goals: of all jobs planned, see :func:`planned_goals`: a group of which no job passed is a
            hole as a whole.
        widths: operand widths planned for each architecture.
    """
    found = []
    for name in sorted({*coverage, *goals}):
        have, wanted = coverage.get(name, {}), goals.get(name, {})
        solves = any(architecture(name).rare_operands(width) for width in widths.get(name, ()))
        for group in sorted({*have, *wanted}):
            collected = have.get(group, Group())
            goal = collected.goal | wanted.get(group, Group()).goal
            for bin_name in sorted(goal):
                if collected.bins.get(bin_name):
                    continue
                stimulus = stimulus_of(design_of_group(group), group, bin_name)
                found.append(
                    Hole(
                        architecture=name,
                        group=group,
                        bin=bin_name,
                        tests=stimulus.tests if stimulus else (),
                        solvable=bool(stimulus and stimulus.operands and solves),
                        collected=group in have,
                    )
                )
    return found
