"""Goals are known without a simulation, and for each someone wrote down what reaches it."""

from __future__ import annotations

import pytest

from models.registry import hardware_architectures
from verif.coverage.goals import COVERAGE_MODELS, goals_of, stimulus_of
from verif.design import EXPONENTIATION, MULTIPLIER
from verif.job import job_of
from verif.testcases import TESTS as NAMED
from verif.testcases import design_of

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
    for stimulus in COVERAGE_MODELS[design].stimuli:
        assert stimulus.tests
        assert set(stimulus.tests) <= set(NAMED)
        assert {design_of(test) for test in stimulus.tests} == {design}


def test_a_bin_that_nobody_thought_of_has_none() -> None:
    assert stimulus_of(MULTIPLIER, "colour", "green") is None


def test_the_first_that_fits_counts() -> None:
    found = stimulus_of(MULTIPLIER, "control_state_arc", "step>idle")
    assert found is not None
    assert found.tests == ("reset",)
