"""The plan has no gap, each kind of gap is reported, and the page says what tree and runs say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from regress.core.errors import UsageError
from regress.core.jobfile import NOT_ENDED
from regress.run.judge import NO_OPERATION
from regress.run.record import RunRecord
from verif.bench.configuration.design import ROOT
from verif.library.marked import marked_table
from verif.testplan import command
from verif.testplan.command import LEAST_JOBS, pages, sections
from verif.testplan.detection import check_of, detections
from verif.testplan.format import PLAN, Area, Check, Feature, Testplan, read_testplan
from verif.testplan.gaps import faults_of, gaps
from verif.testplan.recorded import read_runs, what_it_runs
from verif.testplan.tree import Tree, read_tree, statements
from verif.tests.context import CONTEXT

Broken = Callable[[Testplan, Tree], tuple[Testplan, Tree]]


@pytest.fixture(scope="module")
def plan() -> Testplan:
    return read_testplan()


@pytest.fixture(scope="module")
def tree() -> Tree:
    return read_tree(CONTEXT)


def test_the_plan_has_no_gap(plan: Testplan, tree: Tree) -> None:
    assert gaps(plan, tree) == []
    assert len(tree.statements) > 40
    assert all(faults_of(plan, tree).values())


def _with(plan: Testplan, feature: Feature) -> Testplan:
    area = Area(name="injected", source="", features=(feature,))
    return plan.model_copy(update={"areas": (*plan.areas, area)})


def _without(plan: Testplan, name: str) -> Testplan:
    areas = [
        area.model_copy(update={"features": tuple(f for f in area.features if f.id != name)})
        for area in plan.areas
    ]
    return plan.model_copy(update={"areas": tuple(areas)})


def _no_check(plan: Testplan, tree: Tree) -> tuple[Testplan, Tree]:
    return _with(plan, Feature(id="injected", claim="c", stimulus=("random",))), tree


def _no_feature(plan: Testplan, tree: Tree) -> tuple[Testplan, Tree]:
    checks = {**plan.checks, "injected": Check(says="s", message="m")}
    return plan.model_copy(update={"checks": checks}), tree


def _no_rule(plan: Testplan, tree: Tree) -> tuple[Testplan, Tree]:
    return plan, replace(tree, rules=(*tree.rules, "pins.Injected"))


def _not_proved(plan: Testplan, tree: Tree) -> tuple[Testplan, Tree]:
    return plan, replace(tree, proved=tree.proved - {"unit_product"})


def _no_proof(plan: Testplan, tree: Tree) -> tuple[Testplan, Tree]:
    return _with(plan, Feature(id="injected", claim="c", proofs=("planted_proof",))), tree


def _no_fault(plan: Testplan, tree: Tree) -> tuple[Testplan, Tree]:
    topic, group = next(iter(tree.faults.items()))
    injected = group.faults[0].model_copy(update={"name": "injected", "changes": ()})
    grown = group.model_copy(update={"faults": (*group.faults, injected)})
    return plan, replace(tree, faults={**tree.faults, topic: grown})


def _no_status(plan: Testplan, tree: Tree) -> tuple[Testplan, Tree]:
    return plan, replace(tree, interface=(*tree.interface, "status.INJECTED"))


def _no_group(plan: Testplan, tree: Tree) -> tuple[Testplan, Tree]:
    return plan, replace(tree, groups=(*tree.groups, "planted_group"))


def _no_statement(plan: Testplan, tree: Tree) -> tuple[Testplan, Tree]:
    return plan, replace(tree, statements=(*tree.statements, (Path("a.md"), "- It can fly.")))


def _no_such_test(plan: Testplan, tree: Tree) -> tuple[Testplan, Tree]:
    return _with(plan, Feature(id="injected", claim="c", checks=("status",), stimulus=("x",))), tree


@pytest.mark.parametrize(
    ("broken", "gap"),
    [
        (_no_check, "feature injected: no check and no proof"),
        (_no_feature, "check injected: no feature needs it"),
        (_no_rule, "check pins.Injected: no feature needs it"),
        (_not_proved, "feature product: claims 'unit_product', which no recorded run has proved"),
        (_no_proof, "feature injected: claims the proof 'planted_proof', which does not exist"),
        (_no_fault, "fault injected: breaks no feature"),
        (_no_status, "part of the interface status.INJECTED: no feature needs it"),
        (_no_group, "coverage group planted_group: no feature needs it"),
        (_no_statement, "a.md: no feature covers the statement '- It can fly.'"),
        (_no_such_test, "feature injected: no test 'x' exists"),
    ],
)
def test_a_planted_gap_is_reported(plan: Testplan, tree: Tree, broken: Broken, gap: str) -> None:
    assert gap in gaps(*broken(plan, tree))


def test_a_removed_feature_leaves_its_faults_and_statements(plan: Testplan, tree: Tree) -> None:
    found = gaps(_without(plan, "grant"), tree)
    assert any(gap.startswith("fault acknowledge-twice-") for gap in found)
    assert any("no feature covers the statement '- A transfer is **granted**" in x for x in found)


def test_each_recorded_message_belongs_to_one_check(plan: Testplan) -> None:
    unknown = [
        f"{one.fault}: {one.message}"
        for one in detections().values()
        if one.found and not check_of(one.message, plan.checks)
    ]
    assert not unknown
    assert check_of("a message of no check", plan.checks) == ""


@pytest.mark.parametrize("message", [NOT_ENDED, NO_OPERATION])
def test_a_verdict_of_the_run_manager_belongs_to_a_check(plan: Testplan, message: str) -> None:
    assert check_of(message, plan.checks) == "ended"


def test_a_feature_name_is_used_once(tmp_path: Path) -> None:
    path = tmp_path / "plan.yaml"
    text = PLAN.read_text(encoding="utf-8").replace("- id: wait_states", "- id: grant")
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match="feature 'grant' exists already"):
        read_testplan(path)


def test_a_recorded_command_has_nothing_of_the_machine_that_ran_it() -> None:
    typed = "python -m regress run merge --jobs 2 --arch mm42 --out=/home/me/run --seeds 2"
    kept = "python -m regress run merge --arch mm42 --seeds 2"
    assert " ".join(what_it_runs(typed.split())) == kept
    for run in read_runs():
        assert run.command == " ".join(what_it_runs(run.command.split()))


def test_the_pages_are_current() -> None:
    """``python -m regress testplan --write`` writes them."""
    for page, (begin, text) in pages(CONTEXT).items():
        assert marked_table(ROOT / page, begin) == text, f"{page} is out of date"


@pytest.mark.parametrize(
    ("jobs", "finished", "apart", "shown"),
    [
        (LEAST_JOBS, True, "", 2),
        (LEAST_JOBS - 1, True, "", 0),
        (LEAST_JOBS, False, "", 0),
        (LEAST_JOBS, True, "faults", 0),
    ],
)
def test_a_finished_run_of_a_list_shows_the_plan_unless_it_has_few_jobs(
    jobs: int, finished: bool, apart: str, shown: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("recorded", "read_tree", "states", "plan_section", "effect_section"):
        monkeypatch.setattr(command, name, lambda *_: None)
    job = SimpleNamespace(planned=SimpleNamespace(job=SimpleNamespace(test="random")))
    record = SimpleNamespace(
        plan=SimpleNamespace(apart=apart), finished=finished, jobs=[job] * jobs, context=CONTEXT
    )
    assert len(sections(cast(RunRecord, record))) == shown


def test_a_link_in_a_statement_does_not_hide_it(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "## It\n\n- It can fly. [Wings](wings.md) say how.\n\nNext: [wings](wings.md).\n"
    )
    assert statements(page) == ["- It can fly. [Wings](wings.md) say how."]
