"""The command ``implement``: what every point costs, measured and compared with the last run."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from regress.cli.options import Call, add_executor_options, executor_from
from regress.core.errors import UsageError
from regress.core.processes import ProcessGroups, first_line
from regress.core.project import AddCommand, Project
from regress.core.terminal import FAILED, INTERRUPTED, PASSED, USAGE, integer, say
from regress.executors.local import Executor, LocalExecutor
from rich.console import Console
from verif.implement.flow.history import (
    HISTORY_FILE,
    HistoryError,
    ImplementHistory,
    Trend,
    worsenings,
)
from verif.implement.flow.project import ImplementProject
from verif.implement.flow.record import IMPLEMENT_FILE, ImplementRecord, PointStatus
from verif.implement.flow.report import (
    REPORT_FILE,
    modules_table,
    points_table,
    verdict,
    write_report,
)
from verif.implement.flow.trend import LAST
from verif.library.netlist.process import ToolError
from verif.library.netlist.toolbox import Toolbox, default_toolbox_folder

from verif.implement.flow.plan import PLAN_FILE, ImplementPlan, planned, write_recipes
from verif.implement.flow.session import ImplementSession
from verif.implement.measure import DEFAULT_GIB, DEFAULT_SECONDS, MeasureJob
from verif.implement.targets import target, targets

MAX_SEED = 99


def implement_command(project: ImplementProject) -> AddCommand:
    """What adds ``implement`` to a parser's subcommands."""

    def add(commands: Any, _: Project) -> None:
        parser = commands.add_parser(
            "implement",
            help="synthesise, place, route and time designs",
            description="Synthesise, place, route and time designs; tools are installed on first "
            "use. Writes implement.json and report.html into the folder of the run.",
        )
        project.add_arguments(parser)
        names = ", ".join(targets())
        parser.add_argument(
            "--target",
            type=_targets,
            default=project.default_targets,
            metavar="T,…",
            help=f"{names} (default: {','.join(project.default_targets)})",
        )
        parser.add_argument(
            "--seeds",
            type=_seeds,
            default=(1,),
            metavar="K",
            help="router seeds for each point (default: 1; 5 for what is published); "
            "2-5 for those from 2 to 5",
        )
        parser.add_argument(
            "--synthesis-only", action="store_true", help="area alone: no place and route, no times"
        )
        parser.add_argument(
            "--modules", action="store_true", help="show the largest instances of each point, too"
        )
        parser.add_argument(
            "--time-limit",
            type=partial(integer, low=1),
            default=DEFAULT_SECONDS,
            metavar="SECONDS",
            help=f"for one call of a tool (default: {DEFAULT_SECONDS})",
        )
        parser.add_argument(
            "--memory",
            type=partial(integer, low=1),
            default=DEFAULT_GIB,
            metavar="GIB",
            help=f"that one call of a tool may hold (default: {DEFAULT_GIB})",
        )
        parser.add_argument(
            "--jobs",
            type=partial(integer, low=1),
            default=os.cpu_count() or 1,
            metavar="J",
            help="points at a time (default: one a processor)",
        )
        parser.add_argument("--out", type=Path, metavar="DIR", help="folder of the run")
        parser.add_argument("--hdl", type=Path, metavar="DIR", help="design in another folder")
        parser.add_argument("--resume", type=Path, metavar="RUN", help="finish an interrupted run")
        parser.add_argument("--dry-run", action="store_true", help="show the plan and stop")
        add_executor_options(parser)
        parser.set_defaults(run=partial(_run, project))

    return add


def _targets(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(text.split(",")))
    try:
        return tuple(target(name).name for name in names)
    except UsageError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _seeds(text: str) -> tuple[int, ...]:
    """``5``: seeds 1 to 5; ``2-5``: seeds 2 to 5."""
    first, dash, last = text.partition("-")
    try:
        low = integer(first, 1, MAX_SEED) if dash else 1
        return tuple(range(low, integer(last if dash else first, low, MAX_SEED) + 1))
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not accepted; accepted: 1 to {MAX_SEED}, or a range such as 2-5"
        ) from None


def _run(project: ImplementProject, call: Call) -> int:
    if call.resume:
        folder = call.resume.absolute()
        plan = ImplementPlan.read(folder)
    else:
        subjects = project.subjects(call, call.hdl)
        settings = MeasureJob(
            target="",
            area_only=call.synthesis_only,
            seconds=call.time_limit,
            memory=call.memory << 30,
        )
        points, jobs = planned(subjects, call.target, call.seeds, settings)
        plan = ImplementPlan(
            command=[Path(sys.executable).name, "-m", "regress", *call.argv],
            started=datetime.now().astimezone(),
            commit=commit_of(call.hdl or project.root),
            hdl=str(call.hdl.absolute()) if call.hdl else "",
            points=points,
            jobs=jobs,
        )
        if call.dry_run:
            for job in plan.jobs:
                say(call.console, job.id)
            say(call.console, f"{len(plan.points)} points, {len(plan.jobs)} jobs")
            return PASSED
        # Before there is a folder of a run that never began.
        _prepare(plan, project, call, partial(say, call.console))
        folder = _folder(call.out, call.workspace.runs)
        write_recipes(folder, subjects)
        plan.write(folder)
    session = ImplementSession(plan, folder, project, partial(say, call.console))
    if call.resume and not session.left:
        raise UsageError(f"{folder}: all {len(plan.jobs)} jobs have ended, nothing to resume")
    if call.resume:
        _prepare(plan, project, call, partial(say, call.console))
        done = len(plan.jobs) - len(session.left)
        say(call.console, f"{done} of {len(plan.jobs)} jobs have ended, going on with the others")
    executor = _executor(call)
    interrupted = False
    try:
        session.run(executor)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        executor.close()
        record = session.record(finished=not interrupted)
        found = _compare(plan, record, folder, call.workspace.runs, project, call.console)
        record.write(folder)
    write_report(folder, record, found, project.pictures(record.points))
    if call.modules:
        for point in record.points:
            if point.modules:
                call.console.print(modules_table(point))
    _show(call.console, record, folder)
    return INTERRUPTED if interrupted else _exit_code(record)


def _prepare(
    plan: ImplementPlan,
    project: ImplementProject,
    call: Call,
    note: Callable[[str], None],
) -> None:
    """Have the tools in place before the first job; the workers of a cluster see to their own.

    Raises:
        UsageError: one cannot be had.
    """
    if call.scheduler or call.cluster:
        return
    toolbox = Toolbox(default_toolbox_folder(project.root))
    if not toolbox.complete:
        note(f"installing the tools below {toolbox.root}")
    for name in dict.fromkeys(point.target for point in plan.points):
        try:
            target(name).prepare(toolbox)
        except ToolError as problem:
            raise UsageError(f"target {name}: {problem}") from None


def _executor(call: Call) -> Executor:
    groups = ProcessGroups()
    elsewhere = executor_from(call)
    if elsewhere:
        return elsewhere(groups, call.jobs)
    return LocalExecutor(call.context.root, groups, call.jobs)


def _folder(out: Path | None, runs: Path) -> Path:
    """Make the folder of the run.

    Raises:
        UsageError: it holds a run already, or cannot be made.
    """
    stamp = f"implement-{datetime.now():%Y%m%d-%H%M%S}"
    candidates = (
        [out.absolute()] if out else [runs / stamp, *(runs / f"{stamp}-{n}" for n in range(2, 99))]
    )
    for folder in candidates:
        if out and (folder / PLAN_FILE).exists():
            raise UsageError(
                f"{out} holds a run already ({PLAN_FILE}); choose another --out, or finish it "
                f"with --resume {out}"
            )
        try:
            folder.mkdir(parents=True, exist_ok=bool(out))
            return folder
        except FileExistsError:
            continue
        except OSError as error:
            raise UsageError(f"{folder}: {error.strerror}") from None
    raise UsageError(f"{runs}: too many runs named {stamp}")


def _compare(
    plan: ImplementPlan,
    record: ImplementRecord,
    folder: Path,
    runs: Path,
    project: ImplementProject,
    console: Console,
) -> list[Trend]:
    """Note in each point what is worse than in its last run; returns all of their history.

    The last run of a point that was never measured here is the published one. A run on the
    project's own design is remembered.
    """
    published = {point.id: point for point in project.published()}
    history = ImplementHistory(runs / HISTORY_FILE)
    started = plan.started.isoformat()
    ids = {point.id for point in record.points}
    try:
        runs.mkdir(parents=True, exist_ok=True)
        for point in record.points:
            earlier = history.before(point.id, started)
            if point.id in published:
                earlier.append(published[point.id])
            point.regressions = worsenings(point, earlier)
        if not plan.hdl:
            history.add(folder.name, started, record.points)
        return [trend for trend in history.trends(LAST) if trend.id in ids]
    except (HistoryError, OSError) as problem:
        say(console, str(problem), "yellow")
        return []


def _show(console: Console, record: ImplementRecord, folder: Path) -> None:
    console.print(points_table(record.points))
    for point in record.points:
        if point.message:
            say(console, f"{point.id}: {point.message}", "yellow")
    for text in record.regressions:
        say(console, f"REGRESSION {text}", "bold red")
    say(console, verdict(record), "bold red" if record.regressions else "")
    say(console, f"figures: {folder / IMPLEMENT_FILE}, report: {folder / REPORT_FILE}")


def _exit_code(record: ImplementRecord) -> int:
    """Designs that do not fit are wrong input; what else is missing, or worse, is a failure."""
    bad = [point for point in record.points if not point.measured]
    if not bad:
        return FAILED if record.regressions else PASSED
    if not record.regressions and all(point.status is PointStatus.DOES_NOT_FIT for point in bad):
        return USAGE
    return FAILED


def commit_of(folder: Path) -> str:
    """The commit of a folder, ``-dirty`` if files in it differ; ``unknown`` outside git."""
    return first_line(["git", "-C", str(folder), "describe", "--always", "--dirty", "--abbrev=12"])
