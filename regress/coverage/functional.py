"""Merges the coverage of jobs and compares it with the goals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from regress.core.project import Project
from regress.core.runfile import GoalResult, Score

MAX_NAMED = 8


@dataclass
class Group:
    """One coverage group of one subject.

    Attributes:
        bins: hits of each bin.
        excluded: bins that were removed from the goal of some job. A bin still counts if another
            job, for instance at another width, keeps it in its goal.
    """

    bins: dict[str, int] = field(default_factory=dict)
    goal: set[str] = field(default_factory=set)
    excluded: set[str] = field(default_factory=set)

    def add(self, group: Mapping[str, Any]) -> None:
        """Add one job's hits, in the form of :meth:`as_dict`."""
        for name, hits in group["bins"].items():
            self.bins[name] = self.bins.get(name, 0) + hits
        self.goal.update(group["goal"])
        self.excluded.update(group.get("excluded", ()))

    def as_dict(self) -> dict[str, Any]:
        """Return ``{"bins": {name: hits}, "goal": [names], "excluded": [names]}``."""
        return {
            "bins": self.bins,
            "goal": sorted(self.goal),
            "excluded": sorted(self.excluded - self.goal),
        }

    @property
    def score(self) -> Score:
        """Number of required bins that were hit, and number of required bins."""
        return Score(sum(1 for name in self.goal if self.bins.get(name)), len(self.goal))

    @property
    def missing(self) -> list[str]:
        """Required bins that were not hit, sorted."""
        return sorted(name for name in self.goal if not self.bins.get(name))

    @property
    def missing_text(self) -> str:
        """The missing bins by name, or their number if there are many; for a missed goal."""
        missing = self.missing
        if len(missing) > MAX_NAMED:
            return f"{len(missing)} bins"
        return ", ".join(missing) or "everything: no job collected it"

    @property
    def shortfall(self) -> str:
        """Number of hit bins of the goal, and the names of the missing ones."""
        return f"{self.score.hit} of {len(self.goal)} hit, missing {self.missing_text}"


Coverage = dict[str, dict[str, Group]]


def add(coverage: Coverage, subject: str, groups: Mapping[str, Mapping[str, Any]]) -> None:
    """Add a subject's hits by group, each in the form of :meth:`Group.as_dict`."""
    known = coverage.setdefault(subject, {})
    for name, group in groups.items():
        known.setdefault(name, Group()).add(group)


def goal_hits(coverage: Coverage) -> Score:
    """Return the score of the required bins of all groups and subjects together."""
    scores = [group.score for named in coverage.values() for group in named.values()]
    return Score(sum(score.hit for score in scores), sum(score.total for score in scores))


def goal_groups(project: Project, goal: str, groups: Iterable[str]) -> list[str]:
    """Return the groups that a goal of a list names.

    Args:
        project: states which top collects a group.
        goal: name of a group, or a pattern with ``*``, ``?`` or ``[…]`` for the groups of a top
            that only some subjects have.
        groups: the groups that a subject has.
    """
    if not set("*?[") & set(goal):
        return [goal]
    top_of = project.top_of_group
    top = top_of(goal)
    return sorted(name for name in groups if top_of(name) == top and fnmatchcase(name, goal))


def check_goals(
    project: Project, coverage: Coverage, goals: Sequence[str], ran: Iterable[tuple[str, str]]
) -> list[GoalResult]:
    """Compare the coverage of the jobs that ran with the goals.

    A goal is missed if its group was never collected. A goal is met if its group has no required
    bins, for instance because the subject has no table.

    Args:
        project: states which top collects a group.
        coverage: coverage merged over the passed jobs.
        goals: names of groups or patterns, see :func:`goal_groups`.
        ran: (subject, top) of the jobs; a goal applies to the subjects that ran on its top.
    """
    results = []
    for subject, top in sorted(set(ran)):
        groups = coverage.get(subject, {})
        silent = not any(project.top_of_group(name) == top for name in groups)
        for goal in goals:
            if project.top_of_group(goal) != top:
                continue
            for name in [goal] if silent else goal_groups(project, goal, groups):
                group = groups.get(name)
                if group is None:
                    message = "no coverage collected"
                elif group.missing:
                    message = group.shortfall
                else:
                    message = ""
                results.append(GoalResult(subject, name, not message, message))
    return results
