"""The command ``testplan``: gaps and stages of the verification plan, and its pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from regress.cli.options import Call
from regress.cli.session import load
from regress.core.archive import read_run
from regress.core.context import Context
from regress.core.project import Project, Table
from regress.core.terminal import FAILED, PASSED, say, show_table
from regress.coverage.code import CodeCoverage
from regress.run.record import RunRecord
from verif.bench.configuration.design import ROOT
from verif.library.errata import read_errata
from verif.library.marked import write_table
from verif.testplan.detection import detections
from verif.testplan.effect import effect_page, effect_section
from verif.testplan.format import Testplan, read_testplan
from verif.testplan.gaps import gaps
from verif.testplan.page import plan_page, plan_section
from verif.testplan.recorded import add_run, read_runs, recorded
from verif.testplan.signoff import read_release, signoff_page, toggle_holes
from verif.testplan.stages import STAGES, states
from verif.testplan.tree import Tree, read_tree

PLAN_PAGE, CHECKS_PAGE = Path("verif/docs/testplan.md"), Path("verif/docs/checks.md")
SIGNOFF_PAGE = Path("verif/docs/signoff.md")
# Reading the plan and all that it names takes longer than a run with fewer jobs.
LEAST_JOBS = 8


def add_testplan(commands: Any, _: Project) -> None:
    """Add the command."""
    parser = commands.add_parser("testplan", help="show gaps and stages of the verification plan")
    parser.add_argument(
        "--run",
        type=Path,
        action="append",
        default=[],
        dest="folders",
        metavar="RUN",
        help="record the results of this run for the pages (repeatable)",
    )
    parser.add_argument("--write", action="store_true", help="write the pages")
    parser.set_defaults(run=_testplan)


def _testplan(call: Call) -> int:
    plan = read_testplan()
    tree = read_tree(call.context)
    for folder in call.folders:
        _record(call.context, folder, plan, tree)
    found = states(plan, tree, detections(), read_runs())
    rows = [[one.feature.id, one.area.name, one.stage, one.missing[1]] for one in found]
    show_table(call.console, "features", "Feature,Area,Stage,Missing for the next", rows)
    count = Counter(one.stage for one in found)
    say(call.console, ", ".join(f"{count[stage]} at {stage}" for stage in STAGES))
    if call.write:
        for page, (begin, text) in pages(call.context).items():
            write_table(ROOT / page, text, begin)
            say(call.console, f"written: {page}")
    problems = gaps(plan, tree)
    for problem in problems:
        say(call.console, problem, "red")
    say(call.console, f"{len(problems)} gaps")
    return FAILED if problems else PASSED


def _record(context: Context, folder: Path, plan: Testplan, tree: Tree) -> None:
    record = load(context, folder)
    run = recorded(record, plan.checks, read_run(context, folder).tools.get("sources", ""))
    holes = toggle_holes(CodeCoverage.merged(record.code.values()), record.exclusions)
    add_run(run.model_copy(update={"toggle_holes": holes}))


def pages(context: Context) -> Mapping[Path, tuple[str, str]]:
    """Return marker and text of the generated part of each page."""
    plan, tree, runs, faults = read_testplan(), read_tree(context), read_runs(), detections()
    found = states(plan, tree, faults, runs)
    return MappingProxyType({
        PLAN_PAGE: ("<!-- table: testplan -->", plan_page(found, runs)),
        CHECKS_PAGE: ("<!-- table: checks -->", effect_page(plan, tree, faults)),
        SIGNOFF_PAGE: (
            "<!-- table: signoff -->",
            signoff_page(read_release(found), read_errata(), found, tree, faults, runs),
        ),
    })  # fmt: skip


def sections(record: RunRecord) -> Sequence[Table]:
    """Return the plan with the results of a finished run.

    Nothing if the run tests no feature, has too few jobs for a statement on the plan, or does not
    count as a run of its list: its design may have a fault.
    """
    if record.plan.apart or not record.finished or len(record.jobs) < LEAST_JOBS:
        return ()
    tests = {job.planned.job.test for job in record.jobs}
    plan = read_testplan()
    if not any(tests & set(one.stimulus) for _, one in plan.features):
        return ()
    run, tree, faults = recorded(record, plan.checks), read_tree(record.context), detections()
    found = states(plan, tree, faults, (run,))
    return (plan_section(found, run), effect_section(plan, tree, faults, run))
