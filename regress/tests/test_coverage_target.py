"""The end of a run with --until-coverage, and the bins that are missing before it."""

from __future__ import annotations

from pathlib import Path

import pytest

from regress.core.errors import UsageError
from regress.core.jobfile import Job, JobResult
from regress.core.runfile import GrowthPoint, Score
from regress.coverage.exclusions import BinFormat, Exclusions
from regress.coverage.holes import Hole, find_holes, planned_goals
from regress.coverage.target import CoverageTarget, Use
from regress.tests.conftest import PROJECT
from regress.tests.coverage_files import hits, merge
from regress.tests.stand_in import StandIn, goals_of, job_of

NONE = Exclusions(Path("e.yaml"))


def job(architecture: str = "faster_montgomery", width: int = 16, test: str = "random") -> Job:
    return job_of(test, architecture, width, "verilator", seed=1)


def addresses(*numbers: int) -> JobResult:
    """A result that hit these table addresses of Faster Montgomery."""
    names = goals_of(job())["table_address"]
    return hits({names[number]: 1 for number in numbers}, names)


def target(percent: float = 100.0, *jobs: Job, exclusions: Exclusions = NONE) -> CoverageTarget:
    return CoverageTarget(PROJECT, jobs or [job()], ["table_address"], percent, exclusions)


def test_it_is_met_when_every_bin_was_hit() -> None:
    found = target()
    found.add("faster_montgomery", addresses(*range(15)))
    assert not found.met
    assert "faster_montgomery table_address lacks 1111" in found.text
    found.add("faster_montgomery", addresses(15))
    assert found.met
    assert found.text == "100 % of every goal after 20 operations"
    assert found.growth["faster_montgomery"] == [
        GrowthPoint(0.0, 0, 0),
        GrowthPoint(0.0, 10, 15),
        GrowthPoint(0.0, 20, 16),
    ]


def test_less_than_everything_may_be_enough() -> None:
    found = target(75.0)
    found.add("faster_montgomery", addresses(*range(11)))
    assert not found.met
    found.add("faster_montgomery", addresses(11))
    assert found.met


def test_every_planned_architecture_counts() -> None:
    found = target(100.0, job(), job("fast_montgomery"))
    found.add("faster_montgomery", addresses(*range(16)))
    assert not found.met
    assert [(name, group) for name, group, _ in found.open_goals()] == [
        ("fast_montgomery", "table_address")
    ]


def test_a_group_without_bins_must_be_collected_too() -> None:
    found = CoverageTarget(PROJECT, [job()], ["word_carry"], 100.0, NONE)
    assert not found.met
    assert "no job collected it" in found.text
    found.add("faster_montgomery", hits({}, [], "word_carry"))
    assert found.met


def test_the_goals_of_a_width_that_has_not_run_are_known() -> None:
    name, group = "optimized_interleaved", "table_transition"
    jobs = [job(name, 8), job(name, 32)]
    small, large = (goals_of(planned)[group] for planned in jobs)
    assert len(small) < len(large)
    found = CoverageTarget(PROJECT, jobs, [group], 100.0, NONE)
    found.add(name, hits(dict.fromkeys(small, 1), small, group))
    assert found.score(name) == Score(len(small), len(large))
    assert not found.met


def test_excluded_bins_need_not_be_hit() -> None:
    out = (1, BinFormat(group="table_address", bin="1111", reason="why"))
    found = target(exclusions=Exclusions(Path("e.yaml"), (out,)))
    found.add("faster_montgomery", addresses(*range(15)))
    assert found.met


def test_patterns_name_the_groups_that_an_architecture_has() -> None:
    jobs = [job(), job("unfolded_faster_montgomery")]
    found = CoverageTarget(PROJECT, jobs, ["table_address*"], 100.0, NONE)
    groups = {(name, group) for name, group, _ in found.open_goals()}
    assert ("faster_montgomery", "table_address") in groups
    assert ("unfolded_faster_montgomery", "table_address_of_iteration_0") in groups


@pytest.mark.parametrize(
    ("goals", "percent", "message"),
    [
        ([], 100.0, "the list has no coverage goal"),
        (["exp_status"], 100.0, "the list has no coverage goal"),
        (
            ["table_adress"],
            100.0,
            "'table_adress': faster_montgomery has no coverage group of this name",
        ),
    ],
)
def test_what_can_never_be_met_is_rejected(goals: list[str], percent: float, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        CoverageTarget(PROJECT, [job()], goals, percent, NONE)


def test_holes_name_the_tests_that_reach_them() -> None:
    jobs = [job("optimized_interleaved")]
    holes = find_holes(PROJECT, {}, planned_goals(PROJECT, jobs, NONE), jobs)
    by_bin = {(hole.group, hole.bin): hole for hole in holes}
    raw = by_bin["status", "RAW"]
    assert (raw.tests, raw.note, raw.collected) == (("raw",), "", False)
    address = next(hole for hole in holes if hole.group == "table_address")
    assert address.tests == ("random", "corners")
    assert address.text.endswith(
        "reached by random, corners; the entry solves operands for rare cases; "
        "the group was never collected"
    )


def test_only_what_was_not_hit_is_a_hole() -> None:
    coverage = merge([("faster_montgomery", addresses(*range(15)))])
    holes = find_holes(PROJECT, coverage, {}, [])
    assert holes == [Hole("faster_montgomery", "table_address", "1111", ("random", "corners"), "")]


def test_goals_of_the_plan_without_the_excluded_ones() -> None:
    out = (1, BinFormat(group="table_address", bin="0*", reason="why"))
    goals = planned_goals(PROJECT, [job(), job()], Exclusions(Path("e.yaml"), (out,)))
    assert len(goals["faster_montgomery"]["table_address"].goal) == 8


def test_a_job_is_of_use_while_something_in_its_reach_is_missing() -> None:
    planned = [job(), job(test="reset"), job("fast_montgomery")]
    found = target(100.0, *planned)
    # The stimulus of table addresses is operands; a reset may hit some as well.
    assert [found.use(each) for each in planned] == [Use.LIKELY, Use.SOME, Use.LIKELY]
    found.add("faster_montgomery", addresses(*range(16)))
    assert [found.use(each) for each in planned] == [Use.NONE, Use.NONE, Use.LIKELY]


def test_a_job_reaches_its_own_class_of_configuration_alone() -> None:
    jobs = [job("mm42", width) for width in (16, 17)]
    found = CoverageTarget(PROJECT, jobs, ["configuration"], 100.0, NONE)
    own = StandIn(Path()).in_reach(jobs[0])["configuration"]
    found.add("mm42", hits(dict.fromkeys(own, 1), own, group="configuration"))
    assert [found.use(each) for each in jobs] == [Use.NONE, Use.LIKELY]
    assert not found.met
