"""Coverage of jobs and runs: functional and of the code, holes, exclusions, goals."""

from regress.coverage.functional import (
    Coverage,
    GoalResult,
    Group,
    check_goals,
    design_of_group,
    merge,
)

__all__ = ["Coverage", "GoalResult", "Group", "check_goals", "design_of_group", "merge"]
