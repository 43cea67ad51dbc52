"""The coverage commands ``merge`` and ``holes``.

``holes`` returns 1 if a bin is missing or an exclusion is stale.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Any

from regress.cli.options import Call
from regress.core.terminal import FAILED, PASSED, Cell, plural, say, show_table
from regress.coverage.code import GOAL_KINDS, KINDS, CodeCoverage
from regress.coverage.exclusions import load_exclusions
from regress.coverage.functional import Coverage, goal_hits
from regress.coverage.holes import Hole, find_holes, planned_goals
from regress.coverage.store import coverage_of_run, merge_runs
from regress.run.reaching import reach_command


def add_parsers(commands: Any) -> None:
    """Add the commands to the result of :meth:`argparse.ArgumentParser.add_subparsers`."""
    merged = commands.add_parser("merge", help="merge the coverage of runs")
    merged.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="folder of a run")
    holes = commands.add_parser(
        "holes", help="show the bins that are not covered, and the tests that reach them"
    )
    holes.add_argument("run_folder", type=Path, metavar="RUN", help="folder of the run")
    holes.add_argument("--toggle", action="store_true", help="show also toggles")
    for parser, run in ((merged, _merge), (holes, _holes)):
        text = "what need not be covered (default: the project's)"
        parser.add_argument("--exclusions", type=Path, metavar="FILE", help=text)
        parser.set_defaults(run=run)


def _merge(call: Call) -> int:
    exclusions = load_exclusions(call.project, call.exclusions)
    folders = list(dict.fromkeys(call.runs))
    merged = merge_runs(call.context, folders, exclusions)
    _show_functional(call, plural(len(folders), "run", "runs"), merged.functional)
    if merged.code:
        _show_code(call, merged.code)
    return PASSED


def _show_functional(call: Call, title: str, coverage: Coverage) -> None:
    rows: list[list[Cell]] = []
    for subject, groups in sorted(coverage.items()):
        goal = goal_hits({subject: groups})
        excluded = sum(len(group.excluded - group.goal) for group in groups.values())
        counts = (len(groups), goal.total, goal.hit, excluded, goal.total - goal.hit)
        rows.append([subject, *counts])
    titles = f"{call.project.subject.name},groups#,required bins#,hit#,excluded#,missing#"
    show_table(call.console, title, titles, rows)


def _show_code(call: Call, code: dict[str, CodeCoverage]) -> None:
    total = CodeCoverage.merged(code.values())
    kinds = [kind for kind in KINDS if total.score(kind).total]
    parts = [("all", total, None), *((name, part, None) for name, part in sorted(code.items()))]
    parts += [(file, total, file) for file in total.files]
    rows = [[name, *(part.score(kind, file).text for kind in kinds)] for name, part, file in parts]
    titles = ",".join([f"{call.project.subject.name} or file", *(f"{kind}#" for kind in kinds)])
    show_table(call.console, "code", titles, rows)


def _holes(call: Call) -> int:
    exclusions = load_exclusions(call.project, call.exclusions)
    found = coverage_of_run(call.context, call.run_folder, exclusions)
    jobs = [record.planned.job for record in found.jobs]
    goals = planned_goals(call.project, jobs, exclusions)
    holes = find_holes(call.project, found.merged.functional, goals, jobs)
    planned = [record.planned for record in found.jobs]

    def command_for(hole: Hole) -> str:
        return reach_command(call.project, found.source, planned, hole.subject, hole.tests)

    collected = [hole for hole in holes if hole.collected]
    for command, alike in groupby(collected, command_for):
        for hole in alike:
            say(call.console, hole.text)
        _show_command(call, command)
    silent = [hole for hole in holes if not hole.collected]
    for (name, group), bins in groupby(silent, lambda hole: (hole.subject, hole.group)):
        first, *rest = bins
        count = plural(1 + len(rest), "bin", "bins")
        say(call.console, f"{name} {group}: no job that collects it passed, {count}")
        _show_command(call, command_for(first))
    sources, code = found.design, found.merged.total_code
    kinds = KINDS if call.toggle else found.goals or GOAL_KINDS
    points = code.holes(kinds) if code else []
    for point in points:
        text = sources.text(point)
        say(call.console, f"{point.file}:{point.line}: {point.kind} {point.name}: {text}")
    stale = found.stale_exclusions(exclusions)
    for line in stale:
        say(call.console, line)
    measured = f"{len(points)} of the code" if code else "code coverage not measured"
    functional = plural(len(holes), "functional hole", "functional holes") or "0 functional holes"
    excused = plural(len(stale), "stale exclusion", "stale exclusions") or "0 stale exclusions"
    say(call.console, f"{functional}, {measured}, {excused}")
    return FAILED if holes or points or stale else PASSED


def _show_command(call: Call, command: str) -> None:
    if command:
        say(call.console, f"  reach it: {command}")
