"""From a plan to a finished run with its reports."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from rich.console import Console

from regress.build import Builder
from regress.errors import UsageError
from regress.plan import PlannedJob
from regress.processes import ProcessGroups
from regress.progress import display_for
from regress.record import RUN_FILE, RunRecord
from regress.report.console import say
from regress.report.html import write_html
from regress.report.junit import write_junit
from regress.run import BUILDS_FOLDER, Command, JobRunner, Run, job_command
from regress.tools import INSTALL_ICARUS, Simulator, find_simulators
from verif.design import ROOT

LATEST = "latest"


@dataclass(frozen=True)
class Workspace:
    """Where builds and runs are kept, and what runs a job.

    Attributes:
        builds: shared by all runs.
        runs: holds the runs that were given no folder of their own.
        command: child process of a job.
        find: finds the installed ones of the named simulators.
        make_builder: makes the builder of a run.
    """

    builds: Path = ROOT / "build"
    runs: Path = ROOT / "runs"
    command: Command = job_command
    find: Callable[[Sequence[str]], Mapping[str, Simulator]] = find_simulators
    make_builder: Callable[..., Builder] = Builder


@dataclass(frozen=True)
class Request:
    """What to run and how.

    Attributes:
        name: of the list or the vector file.
        source: path of that file.
        description: one line for people.
        command: command line that repeats the run.
        options: how the command line narrowed the list.
        seed: master seed.
        plan: the jobs.
        goals: coverage groups that must be complete.
        workers: jobs at once.
        out: folder of the run, None for a new one below the workspace's runs.
        explicit_simulators: the user named them, so none of them may be missing.
        hdl: folder with the design to run on, None for the project's own.
    """

    name: str
    source: str
    description: str
    command: list[str]
    options: dict[str, Any]
    seed: int
    plan: Sequence[PlannedJob]
    goals: Sequence[str]
    workers: int
    out: Path | None
    explicit_simulators: bool
    hdl: Path | None = None


def execute(request: Request, workspace: Workspace, console: Console) -> RunRecord:
    """Run a plan and write its reports.

    Raises:
        UsageError: the folder is taken or cannot be written, or a simulator is missing.
    """
    names = sorted({planned.point.simulator for planned in request.plan})
    simulators = workspace.find(names)
    skipped = _skipped(request, names, simulators)
    folder = _run_folder(request, workspace)
    for simulator in simulators.values():
        if simulator.note:
            say(console, simulator.note)
    for simulator, reason in skipped.items():
        count = sum(1 for planned in request.plan if planned.point.simulator == simulator)
        say(console, f"{reason}: {count} jobs skipped; install with: {INSTALL_ICARUS}", "yellow")
    record = RunRecord(
        name=request.name,
        source=request.source,
        description=request.description,
        command=request.command,
        options=request.options,
        seed=request.seed,
        folder=folder,
        simulators=simulators,
        started=datetime.now().astimezone(),
    )
    record.write()
    groups = ProcessGroups()
    points = {planned.point for planned in request.plan}
    builder = workspace.make_builder(
        root=workspace.builds,
        logs=folder / BUILDS_FOLDER,
        simulators=simulators,
        groups=groups,
        processes=max(1, (os.cpu_count() or 1) // min(request.workers, len(points))),
        hdl=request.hdl,
    )
    run = Run(
        record=record,
        builder=builder.build,
        runner=JobRunner(folder, groups, workspace.command),
        groups=groups,
        display=display_for(console),
        workers=request.workers,
    )
    try:
        run.execute(request.plan, skipped, request.goals)
    finally:
        record.write()
        write_junit(record)
        write_html(record)
    return record


def _skipped(
    request: Request, names: Sequence[str], simulators: Mapping[str, Simulator]
) -> dict[str, str]:
    missing = [name for name in names if name not in simulators]
    if not missing:
        return {}
    reason = "Icarus Verilog not found"
    if request.explicit_simulators or len(missing) == len(names):
        raise UsageError(f"{reason}; install with: {INSTALL_ICARUS}")
    return dict.fromkeys(missing, reason)


def _run_folder(request: Request, workspace: Workspace) -> Path:
    """Make the folder of the run.

    Raises:
        UsageError: it holds a run already, or cannot be made.
    """
    if request.out is not None:
        folder = request.out.absolute()
        if (folder / RUN_FILE).exists():
            raise UsageError(
                f"{request.out} holds a run already ({RUN_FILE}); choose another --out"
            )
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"--out {request.out}: {error.strerror}") from None
        return folder
    stamp = f"{request.name}-{datetime.now():%Y%m%d-%H%M%S}"
    for suffix in ("", *(f"-{number}" for number in range(2, 100))):
        folder = workspace.runs / f"{stamp}{suffix}"
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        except OSError as error:
            raise UsageError(f"{folder}: {error.strerror}") from None
        _point_latest_at(folder)
        return folder
    raise UsageError(f"{workspace.runs}: too many runs named {stamp}")


def _point_latest_at(folder: Path) -> None:
    link = folder.parent / LATEST
    if link.exists() and not link.is_symlink():  # somebody's own folder
        return
    temporary = folder.parent / f".{LATEST}-{os.getpid()}"
    temporary.symlink_to(folder.name)
    temporary.replace(link)
