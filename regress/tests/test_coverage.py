"""Merging and goals."""

from __future__ import annotations

from regress.core.jobfile import JobResult
from regress.core.runfile import Score
from regress.coverage.functional import check_goals
from regress.tests.conftest import PROJECT
from regress.tests.coverage_files import merge


def result(bins: dict[str, int], goal: list[str], group: str = "g") -> JobResult:
    return JobResult(operations=1, coverage={group: {"bins": bins, "goal": goal}})


def test_hits_are_summed_and_goals_united() -> None:
    merged = merge(
        [
            ("a", result({"x": 1, "z": 4}, ["x", "y"])),
            ("a", result({"x": 2, "y": 0}, ["x", "w"])),
            ("b", result({"x": 1}, ["x"])),
        ]
    )
    group = merged["a"]["g"]
    assert group.bins == {"x": 3, "y": 0, "z": 4}
    assert group.goal == {"w", "x", "y"}
    assert group.missing == ["w", "y"]
    assert group.score == Score(1, 3)
    assert merged["b"]["g"].score.percent == 100.0


def test_missing_bins_are_named_while_they_are_few() -> None:
    few = merge([("a", result({}, list("abcdefgh")))])["a"]["g"]
    many = merge([("a", result({}, list("abcdefghi")))])["a"]["g"]
    assert few.missing_text == "a, b, c, d, e, f, g, h"
    assert many.missing_text == "9 bins"


def test_goals() -> None:
    merged = merge([("a", result({"x": 1}, ["x", "y"])), ("b", result({}, [])), ("c", JobResult())])
    found = check_goals(PROJECT, merged, ["g"], [(name, "multiplier") for name in "cba"])
    assert [(goal.subject, goal.met, goal.message) for goal in found] == [
        ("a", False, "1 of 2 hit, missing y"),
        ("b", True, ""),
        ("c", False, "no coverage collected"),
    ]


def test_an_architecture_of_which_no_job_passed_misses_its_goals() -> None:
    assert not check_goals(PROJECT, {}, ["g"], [("a", "multiplier")])[0].met


def test_a_goal_concerns_the_architectures_that_ran_in_its_design() -> None:
    groups = {"g": {"bins": {"x": 1}, "goal": ["x"]}, "exp_g": {"bins": {}, "goal": ["x"]}}
    merged = merge([("a", JobResult(operations=1, coverage=groups))])
    ran = [("a", "multiplier"), ("a", "exponentiation"), ("b", "multiplier")]
    found = check_goals(PROJECT, merged, ["g", "exp_g"], ran)
    assert [(goal.subject, goal.group, goal.met) for goal in found] == [
        ("a", "exp_g", False),
        ("a", "g", True),
        ("b", "g", False),
    ]
