"""Goals are known without a simulation, and for each someone wrote down what reaches it."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.registry import hardware_architectures
from regress.core.expansion import Selection, expand
from regress.core.lists import RegressionList, find_list, load_list
from regress.coverage.functional import Group, check_goals
from verif.bench.configuration.config import BenchConfig
from verif.bench.configuration.design import EXPONENTIATION, MULTIPLIER, Design
from verif.bench.configuration.job import job_of
from verif.bench.configuration.tests_by_name import TESTS as NAMED
from verif.bench.configuration.tests_by_name import design_of
from verif.bench.coverage.goals import COVERAGE_MODELS, bins_in_reach, goals_of, stimulus_of
from verif.tests.context import CONTEXT, PROJECT

TESTS = {MULTIPLIER: "random", EXPONENTIATION: "exp_random"}


@pytest.mark.parametrize("design", TESTS, ids=lambda design: design.name)
@pytest.mark.parametrize("architecture", hardware_architectures())
def test_every_goal_bin_has_a_stimulus(design: object, architecture: str) -> None:
    goals = goals_of(job_of(TESTS[design], architecture, 16, "verilator", seed=1))
    assert any(goals.values())
    for group, bins in goals.items():
        for name in bins:
            assert stimulus_of(design, group, name), f"{group} {name}"


@pytest.mark.parametrize("design", TESTS, ids=lambda design: design.name)
def test_stimuli_are_tests_of_the_design(design: object) -> None:
    for stimulus in COVERAGE_MODELS[type(design)].stimuli:
        assert stimulus.tests
        assert set(stimulus.tests) <= set(NAMED)
        assert {design_of(test) for test in stimulus.tests} == {design}


def test_a_bin_that_nobody_thought_of_has_none() -> None:
    assert stimulus_of(MULTIPLIER, "colour", "green") is None


@pytest.mark.parametrize(
    ("design", "list_name"),
    [(MULTIPLIER, "quick"), (MULTIPLIER, "merge"), (EXPONENTIATION, "rsa")],
    ids=["quick", "merge", "rsa"],
)
def test_a_list_can_meet_its_goals_on_netlists(design: Design, list_name: str) -> None:
    """What looks inside cannot be counted there: no bin of it is a goal, and none is in reach."""
    named = {"parameters": {"Netlist": 1}}
    job = job_of(TESTS[design], "faster_montgomery", 16, "verilator", seed=1, **named)
    left_out = COVERAGE_MODELS[type(design)](BenchConfig.from_job(job)).left_out
    assert any("table_address" in name for name in left_out)
    assert not any(goals_of(job)[name] or bins_in_reach(job)[name] for name in left_out)
    assert any(goals_of(job).values())
    collected = {
        name: Group(goal=set(bins), bins=dict.fromkeys(bins, 1))
        for name, bins in goals_of(job).items()
    }
    goals = load_list(CONTEXT, find_list(PROJECT, list_name)).goals
    found = check_goals(
        PROJECT, {"faster_montgomery": collected}, goals, [(job.subject, design.name)]
    )
    assert set(left_out) & {result.group for result in found}
    assert [result.group for result in found if not result.met] == []


def test_the_first_that_fits_counts() -> None:
    found = stimulus_of(MULTIPLIER, "control_state_arc", "step>idle")
    assert found is not None
    assert found.tests == ("reset",)


def unreached(regression: RegressionList) -> list[str]:
    """The bins of a list's own goals for which it has none of the tests that reach them.

    In its fixed rows: what is drawn at random reaches them by chance. Hosts of a front collect no
    such bins.
    """
    fixed = tuple(row for row in regression.jobs if row.draw is None)
    regression = regression.model_copy(update={"jobs": fixed})
    wanted: set[tuple[str, str, str]] = set()
    reached: set[tuple[str, str, str]] = set()
    jobs = {
        (planned.job.test, planned.job.point): planned.job
        for planned in expand(CONTEXT, regression, Selection())
        if planned.job.test in NAMED
    }
    for (test, point), job in jobs.items():
        architecture = str(point["architecture"])
        reach, goals = bins_in_reach(job), goals_of(job)
        for group in set(regression.goals) & set(goals):
            wanted |= {(architecture, group, name) for name in goals[group]}
            for name in reach[group]:
                stimulus = stimulus_of(design_of(test), group, name)
                if stimulus and test in stimulus.tests:
                    reached.add((architecture, group, name))
    return [" ".join(place) for place in sorted(wanted - reached)]


@pytest.mark.parametrize("name", ["quick", "smoke", "merge", "rsa"])
def test_a_list_has_the_tests_that_reach_its_goals(name: str) -> None:
    assert not unreached(load_list(CONTEXT, find_list(PROJECT, name)))


def test_a_list_without_one_of_them_is_found(tmp_path: Path) -> None:
    path = tmp_path / "short.yaml"
    path.write_text(
        "description: several bus words an operand, but no rewrite in part\n"
        "goals: [control_state_arc]\n"
        "jobs:\n"
        "  - {test: random, architectures: [mm42], widths: [27], simulators: [icarus],\n"
        "     operations: 2, parameters: {BusWidth: 8}}\n"
        "  - {test: reset, architectures: [mm42], widths: [27], simulators: [icarus],\n"
        "     operations: 2, parameters: {BusWidth: 8}}\n"
    )
    assert unreached(load_list(CONTEXT, path)) == ["mm42 control_state_arc idle>end"]
