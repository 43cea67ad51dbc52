"""The command ``implement``: measures what points cost, as jobs of a run."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from models.registry import hardware_architectures
from regress.cli.options import (
    Call,
    add_common,
    argument,
    common,
    entry,
    executor_from,
    several,
)
from regress.cli.session import execute, exit_code, resume
from regress.core.errors import UsageError, not_accepted
from regress.core.plan import Plan, PlannedJob
from regress.core.project import Project
from regress.core.runfile import BAD
from regress.core.terminal import PASSED, USAGE, integer, say
from regress.report.console import show_end, show_figures, show_problems
from regress.run.record import RunRecord, command_line
from verif.bench.configuration.design import DESIGNS, MULTIPLIER, ROOT
from verif.implement.jobs import configuration, measured_of, planned_points, settings_of
from verif.implement.measure import DEFAULT_GIB, DEFAULT_SECONDS
from verif.implement.report import module_table
from verif.implement.targets import target, targets
from verif.implement.toolbox import Toolbox, default_toolbox_folder
from verif.library.netlist.process import ToolError

DEFAULT_TARGETS = ("gates", "nangate45", "ecp5")
DEFAULT_WIDTHS = (32,)
MAX_SEED = 99
NAME = "implement"


def add_implement(commands: Any, project: Project) -> None:
    """Add the command ``implement``."""
    parser = commands.add_parser(
        NAME,
        help="synthesise, place, route and time designs",
        description="Synthesise, place, route and time designs; tools are installed on first use. "
        "The jobs, their figures and the reports are those of any run.",
    )
    add_points(parser)
    names = ", ".join(targets())
    parser.add_argument(
        "--target",
        type=_names("target", targets()),
        default=DEFAULT_TARGETS,
        metavar="T,…",
        help=f"{names} (default: {','.join(DEFAULT_TARGETS)})",
    )
    parser.add_argument(
        "--seeds",
        type=_seeds,
        default=(1,),
        metavar="K",
        help="router seeds for each point (default: 1; 5 for published figures); "
        "2-5 for those from 2 to 5",
    )
    parser.add_argument(
        "--synthesis-only", action="store_true", help="area alone: no place and route, no times"
    )
    parser.add_argument(
        "--energy",
        action="store_true",
        help="energy of an operation, too: toggles of the netlist times the cells' energy",
    )
    parser.add_argument(
        "--modules", action="store_true", help="show the largest instances of each point, too"
    )
    for option, unit, default, what in (
        ("--time-limit", "SECONDS", DEFAULT_SECONDS, "for one call of a tool"),
        ("--memory", "GIB", DEFAULT_GIB, "that one call of a tool may hold"),
    ):
        parser.add_argument(
            option,
            type=partial(integer, low=1),
            default=default,
            metavar=unit,
            help=f"{what} (default: {default})",
        )
    parser.add_argument("--resume", type=Path, metavar="RUN", help="finish an interrupted run")
    parser.add_argument("--dry-run", action="store_true", help="show the plan and stop")
    add_common(parser, project)
    parser.set_defaults(run=_implement)


def add_points(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose configurations."""
    parser.add_argument(
        "--design",
        type=_names("design", DESIGNS),
        default=(MULTIPLIER.name,),
        metavar="D,…",
        help=f"{', '.join(DESIGNS)} (default: {MULTIPLIER.name})",
    )
    parser.add_argument(
        "--arch",
        type=_names("architecture", hardware_architectures()),
        default=tuple(hardware_architectures()),
        metavar="A,…",
        help="architectures (default: all)",
    )
    parser.add_argument(
        "--width",
        type=several(partial(integer, low=1)),
        default=DEFAULT_WIDTHS,
        metavar="N,…",
        help=f"bits of the operands (default: {','.join(map(str, DEFAULT_WIDTHS))})",
    )
    parser.add_argument(
        "--parameter",
        type=entry,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="of the top or the core; may be repeated",
    )


def jobs_of(call: Call) -> list[PlannedJob]:
    """Return the jobs of every combination that a call chooses, small widths first.

    Raises:
        UsageError: a combination is not legal, or a target has no energy of cells.
    """
    parameters = dict(call.parameter)
    if call.energy:
        known = [name for name, kind in targets().items() if kind.energies]
        for name in call.target:
            if name not in known:
                raise UsageError(f"--energy of target {name}: accepted are {', '.join(known)}")
    configurations = [
        configuration(call.context, DESIGNS[design], name, width, parameters)
        for width in sorted(set(call.width))
        for design in call.design
        for name in call.arch
    ]
    settings = settings_of(call.time_limit, call.memory, call.synthesis_only, call.energy)
    return planned_points(call.context, configurations, call.target, call.seeds, settings)


def _implement(call: Call) -> int:
    if call.resume:
        _check_resumed(call)
        record = resume(call.resume, call.jobs, call.workspace, call.console, executor_from(call))
        return _shown(call, record)
    jobs = jobs_of(call)
    if call.dry_run:
        for planned in jobs:
            say(call.console, planned.id)
        points = {(planned.job.test, planned.job.point, planned.job.simulator) for planned in jobs}
        say(call.console, f"{len(points)} points, {len(jobs)} jobs")
        return PASSED
    # Before the folder of the run exists.
    _prepare(call)
    record = execute(
        Plan(
            name=NAME,
            description=f"area, clock and time of {', '.join(call.design)}",
            command=command_line(call.argv),
            options={
                "designs": list(call.design),
                "architectures": list(call.arch),
                "widths": sorted(set(call.width)),
                "targets": list(call.target),
            },
            jobs=tuple(jobs),
            hdl=call.hdl,
            waves=False,
        ),
        **common(call),
    )
    return _shown(call, record)


def _check_resumed(call: Call) -> None:
    """Install the tools of a run that is to be finished.

    Raises:
        UsageError: the folder holds no run of implement, or a tool cannot be installed.
    """
    plan = Plan.read(call.context, call.resume.absolute())
    if plan.name != NAME:
        raise UsageError(f"{call.resume} is not a run of {NAME}; finish it with run --resume")
    call.target = tuple(dict.fromkeys(planned.job.simulator for planned in plan.jobs))
    _prepare(call)


def _shown(call: Call, record: RunRecord) -> int:
    show_figures(call.console, record)
    if call.modules:
        for job in record.jobs:
            for found in measured_of(job):
                if found.area:
                    call.console.print(module_table(job.planned.id, found.area.modules))
    show_problems(call.console, record)
    show_end(call.console, record)
    return USAGE if _all_too_large(record) else exit_code(record)


def _all_too_large(record: RunRecord) -> bool:
    """Return whether nothing failed except designs that do not fit, which are wrong input."""
    bad = [job for job in record.jobs if job.status in BAD]
    found = [measured_of(job) for job in bad]
    too_large = all(some and not any(one.fits for one in some) for some in found)
    return bool(bad) and record.finished and too_large and not record.worse


def _prepare(call: Call) -> None:
    """Install the tools before the first job. The workers of a cluster install their own.

    Raises:
        UsageError: a tool cannot be installed.
    """
    if call.scheduler or call.cluster:
        return
    toolbox = Toolbox(default_toolbox_folder(ROOT), partial(say, call.console))
    for name in call.target:
        try:
            target(name).prepare(toolbox)
        except ToolError as problem:
            raise UsageError(f"target {name}: {problem}") from None


def _names(what: str, known: Mapping[str, object]) -> Callable[[str], tuple[str, ...]]:
    def read(text: str) -> tuple[str, ...]:
        if text == "all":
            return tuple(known)
        names: Sequence[str] = tuple(dict.fromkeys(text.split(",")))
        for name in names:
            if name not in known:
                raise UsageError(not_accepted(what, name, known))
        return tuple(names)

    return argument(read)


def _seeds(text: str) -> tuple[int, ...]:
    """Read ``5``, seeds 1 to 5, or ``2-5``, seeds 2 to 5."""
    first, dash, last = text.partition("-")
    try:
        low = integer(first, 1, MAX_SEED) if dash else 1
        return tuple(range(low, integer(last if dash else first, low, MAX_SEED) + 1))
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not accepted; accepted: 1 to {MAX_SEED}, or a range such as 2-5"
        ) from None
