"""Coverage of jobs and runs: functional and of the code, holes, exclusions, goals."""

from regress.coverage.functional import (
    Coverage,
    GoalResult,
    Group,
    add,
    check_goals,
    goal_hits,
    merge,
)

__all__ = [
    "Coverage",
    "GoalResult",
    "Group",
    "add",
    "check_goals",
    "goal_hits",
    "merge",
]
