"""The effect of checks on recorded faults, and the plan and the checks in the report of a run."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from regress.core.runfile import Score
from verif.testplan.detection import Detection, check_of
from verif.testplan.effect import effect_section, effects
from verif.testplan.format import Area, Check, Feature, Testplan, read_testplan
from verif.testplan.page import plan_page, plan_section
from verif.testplan.recorded import RecordedRun, TestCount
from verif.testplan.stages import State, states
from verif.testplan.tree import Tree

PLAN = Testplan(
    checks={
        "value": Check(says="values", message="gmpy2 says"),
        "time": Check(says="cycles", message="busy for"),
    },
    areas=(
        Area(
            name="area",
            source="",
            features=(
                Feature(
                    id="one", claim="It works.", stimulus=("random",), checks=("value",),
                    coverage=("status",), faults=("wrong-*",),
                ),
                Feature(id="two", claim="It ends.", stimulus=("stress",), checks=("time",)),
            ),
        ),
    ),
)  # fmt: skip
RUN = RecordedRun(
    name="smoke", command="run smoke", date="2026-11-28", commit="abc", whole=True,
    verdict="failed", seconds=1, operations=10,
    tests={"random": TestCount(passed=1, failed=1)},
    coverage={"status": Score(9, 10)}, failures={"value": 1},
)  # fmt: skip


def _fault(*modules: str) -> SimpleNamespace:
    return SimpleNamespace(modules=frozenset(modules))


@pytest.fixture
def tree() -> Tree:
    faults = {"wrong-a": _fault("adder"), "wrong-b": _fault("adder", "core"), "late": _fault("x")}
    group = SimpleNamespace(faults=[SimpleNamespace(name=n, **vars(f)) for n, f in faults.items()])
    return Tree(
        lists={"random": ("smoke",)}, rules=("pins.Busy",), groups=("status",), proofs=(),
        proved=frozenset(), faults={"topic": group}, interface=(), statements=(),
    )  # fmt: skip


DETECTED = {
    "wrong-a": Detection("wrong-a", True, "smoke", "random-1", "P = 1, gmpy2 says 2"),
    "wrong-b": Detection("wrong-b", True, "smoke", "random-1", "P = 1, gmpy2 says 2 (and 3 more)"),
    "gone": Detection("gone", True, "smoke", "random-1", "busy for 3 cycles"),
}


def test_a_check_has_its_faults_and_modules(tree: Tree) -> None:
    found = effects(PLAN, tree, DETECTED)
    assert found["value"].first == ("wrong-a", "wrong-b")
    assert found["value"].alone == ("wrong-a",)
    assert found["value"].modules == ("adder", "core")
    assert not found["time"].first  # its fault left the catalogue
    assert not found["pins.Busy"].first


def test_every_failure_of_a_job_counts(tree: Tree) -> None:
    both = ("P = 1, gmpy2 says 2", "busy for 3 cycles, the formula", "P = 1, gmpy2 says 4", "crash")
    late = Detection("late", True, "smoke", "random-2", "busy for 4 cycles (and 1 more)", both[1:2])
    faults = {**DETECTED, "wrong-b": DETECTED["wrong-b"]._replace(failures=both), "late": late}
    found = effects(PLAN, tree, faults)
    assert found["value"].sampled == ("wrong-a", "wrong-b")
    assert found["value"].alone == ("wrong-a",)
    assert found["time"].first == ("late",)
    assert found["time"].sampled == ("wrong-b", "late")
    assert found["time"].modules == ("adder", "core", "x")
    assert found["another message"].sampled == ("wrong-b",)
    # Without the other failures of its job, a fault is no part of the sample.
    assert effects(PLAN, tree, DETECTED)["value"].sampled == ("wrong-a",)


def test_the_report_shows_failed_checks_first(tree: Tree) -> None:
    rows = effect_section(PLAN, tree, DETECTED, RUN).rows
    assert list(rows[0]) == ["value", "values", "1", "2", "1", "1"]


def test_the_report_shows_the_plan_with_the_results_of_the_run(tree: Tree) -> None:
    section = plan_section(states(PLAN, tree, DETECTED, (RUN,)), RUN)
    assert "1 of 2 features" in section.title
    tested, rest = section.rows
    assert "✗ 1 failed, 1 passed" in tested
    assert "✗ 9 of 10" in tested
    assert "value 1" in tested
    assert rest[:2] == ["not tested", "two"]


def _stage(tree: Tree, run: RecordedRun, faults: dict[str, Detection] = DETECTED) -> State:
    return states(PLAN, tree, faults, (run,))[0]


def test_stages_follow_from_runs_and_faults(tree: Tree) -> None:
    passed = {"random": TestCount(passed=2)}
    good = RUN.model_copy(update={"tests": passed})
    full = good.model_copy(update={"coverage": {"status": Score(10, 10)}})
    assert _stage(tree, RUN).missing == ("V2", "not passed: random")
    assert _stage(tree, good).missing == ("V3", "coverage 9 of 10 bins")
    assert _stage(tree, full).stage == "V3"
    survived = {**DETECTED, "wrong-a": DETECTED["wrong-a"]._replace(found=False)}
    assert _stage(tree, full, survived).missing == ("V3", "not detected: wrong-a")
    part = full.model_copy(update={"whole": False})
    assert _stage(tree, part).missing == ("V3", "only a part of a list ran: random")
    assert _stage(tree, full.model_copy(update={"tests": {}})).stage == "V1"


def test_a_feature_that_no_list_tests_has_no_stage(tree: Tree) -> None:
    found = states(PLAN, tree, DETECTED, (RUN,))
    assert found[1].stage == "V0"
    assert "no list runs a test of it" in plan_page(found, (RUN,))
    assert "*nothing*" in plan_page(found, (RUN,))


def test_a_rule_of_the_pins_is_a_check_by_its_name() -> None:
    message = "mm42 8 bits: pins in cycle 9: busy_o = 1, expected 0: Busy wants busy (and 3 more)"
    assert check_of(message, read_testplan().checks) == "pins.Busy"
