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
from regress.run.record import RunRecord
from verif.bench.configuration.design import ROOT
from verif.library.marked import write_table
from verif.testplan.detection import detections
from verif.testplan.format import read_testplan
from verif.testplan.gaps import gaps
from verif.testplan.page import plan_page, plan_section
from verif.testplan.recorded import add_run, read_runs, recorded
from verif.testplan.stages import STAGES, states
from verif.testplan.tree import read_tree

PAGE, BEGIN = Path("verif/docs/testplan.md"), "<!-- table: testplan -->"


def add_testplan(commands: Any, _: Project) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "testplan", help="what the design promises, what shows it, and what is missing"
    )
    parser.add_argument(
        "--run",
        type=Path,
        action="append",
        default=[],
        dest="folders",
        metavar="RUN",
        help="record the results of this run for the pages (repeatable)",
    )
    parser.add_argument("--write", action="store_true", help=f"write {PAGE}")
    parser.set_defaults(run=_testplan)


def _testplan(call: Call) -> int:
    plan = read_testplan()
    for folder in call.folders:
        commit = read_run(call.context, folder).tools.get("sources", "")
        add_run(recorded(load(call.context, folder), plan.checks, commit))
    tree = read_tree(call.context)
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


def pages(context: Context) -> Mapping[Path, tuple[str, str]]:
    """Return marker and text of the generated part of each page."""
    plan, tree, runs = read_testplan(), read_tree(context), read_runs()
    found = states(plan, tree, detections(), runs)
    return MappingProxyType({PAGE: (BEGIN, plan_page(found, runs))})


def sections(record: RunRecord) -> Sequence[Table]:
    """Return the plan with the results of a finished run; nothing if it tests no feature."""
    tests = {job.planned.job.test for job in record.jobs}
    plan = read_testplan()
    if not record.finished or not any(tests & set(one.stimulus) for _, one in plan.features):
        return ()
    run = recorded(record, plan.checks)
    found = states(plan, read_tree(record.context), detections(), (run,))
    return (plan_section(found, run),)
