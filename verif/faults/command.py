"""``python -m regress faults``: the catalogue of realistic faults against the lists."""

from __future__ import annotations

import argparse
import fnmatch
import random
import shutil
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from rich.console import Console

from regress.errors import UsageError, not_accepted
from regress.formats import duration
from regress.processes import ProcessGroups
from regress.terminal import FAILED, PASSED
from verif.design import ROOT
from verif.faults.catalogue import Fault, faults, groups, misplaced
from verif.faults.record import (
    FOUND,
    RECORD,
    Trial,
    add_trial,
    holds,
    last,
    measured_commit,
    read_trials,
)
from verif.faults.report import BEGIN, markdown, show
from verif.faults.trial import BASELINE, Tools, run_trial
from verif.marked import write_table

DEFAULT_LISTS = ("smoke",)


def add_parser(commands: argparse._SubParsersAction) -> argparse.ArgumentParser:
    """Add the command ``faults``; its ``run`` is :func:`run`."""
    parser = commands.add_parser("faults", help="realistic faults: which list finds them?")
    add = parser.add_argument
    add("fault", nargs="*", metavar="NAME", help="only these (patterns with * may be given)")
    add("--group", action="append", default=[], metavar="G", help="only this file's (repeatable)")
    add("--arch", action="append", default=[], metavar="A", help="only on this architecture")
    add("--list", action="append", default=[], metavar="LIST",
        help="lists in this order, until one finds it (default: smoke)")  # fmt: skip
    add("--each", type=_seconds, metavar="TIME", help="begin no job of a trial after this time")
    add("--budget", type=_seconds, metavar="TIME", help="begin no trial after this time")
    add("--seed", metavar="S", help="in an order chosen by this, for a slice in a short budget")
    add("--again", action="store_true", help="measure what is known and holds still, too")
    add("--record", type=Path, metavar="FILE", default=RECORD,
        help="what is known, and where new results go (default: %(default)s)")  # fmt: skip
    add("--out", type=Path, metavar="DIR", help="folder (default: a new one below runs/)")
    add("--keep", action="store_true", help="keep altered designs, builds and jobs")
    add("--show", action="store_true", help="show the catalogue and stop")
    add("--report", action="store_true", help="show what is known and stop")
    add("--write", type=Path, metavar="FILE", help=f"put the tables behind {BEGIN!r} in this file")
    parser.set_defaults(
        run=lambda arguments, argv, workspace, console: run(arguments, argv, console)
    )
    return parser


def run(arguments: argparse.Namespace, argv: Sequence[str], console: Console) -> int:
    """Run trials, or show what there is; 1 if a fault was not found.

    Raises:
        UsageError: something asked for does not exist.
    """
    if arguments.show:
        for name, group in groups().items():
            console.print(f"[bold]{name}[/]: {group.says}")
            for fault in group.faults:
                console.print(f"  {fault.name}: {fault.says}", soft_wrap=True, markup=False)
        return PASSED
    chosen = _chosen(arguments)
    if not arguments.report:
        _run(arguments, chosen, console)
    known = faults()
    trials = [trial for trial in read_trials(arguments.record) if trial.fault in known]
    stale = {trial.fault for trial in last(trials).values() if not holds(known[trial.fault], trial)}
    names = {fault.name for fault in chosen}
    show(console, chosen, [trial for trial in trials if trial.fault in names], stale)
    if arguments.write:
        write_table(arguments.write, markdown(groups(), trials, stale), BEGIN)
    ends = last(trials)
    found = all(name in ends and ends[name].outcome == FOUND for name in names)
    return PASSED if found else FAILED


def _run(arguments: argparse.Namespace, chosen: Sequence[Fault], console: Console) -> None:
    """Make the trials that are missing; each is in the record when it has ended."""
    known = {(trial.fault, trial.list): trial for trial in read_trials(arguments.record)}
    if lines := misplaced(ROOT / "hdl", chosen):
        raise UsageError(*lines)
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    folder = (arguments.out or ROOT / "runs" / f"faults-{stamp}").absolute()
    folder.mkdir(parents=True, exist_ok=True)
    tools = Tools(folder, ProcessGroups(), arguments.each, arguments.keep, commit=measured_commit())
    deadline = time.monotonic() + arguments.budget if arguments.budget else None
    try:
        for number, fault in enumerate(chosen, 1):
            if deadline is not None and time.monotonic() > deadline:
                console.print("the time is over")
                break
            for name in arguments.list or DEFAULT_LISTS:
                trial = known.get((fault.name, name))
                if arguments.again or trial is None or not holds(fault, trial):
                    trial = run_trial(fault, name, tools)
                    add_trial(arguments.record, trial)
                    console.print(_line(trial, number, len(chosen)), soft_wrap=True, markup=False)
                if trial.outcome == FOUND:
                    break
    except KeyboardInterrupt:
        console.print("interrupted")
    finally:
        tools.groups.cancel()
        if not arguments.keep:
            shutil.rmtree(folder / BASELINE, ignore_errors=True)
            if not any(folder.iterdir()):
                folder.rmdir()
    console.print(f"record: {arguments.record}", soft_wrap=True, markup=False)


def _line(trial: Trial, number: int, total: int) -> str:
    by = f" by {trial.job}" if trial.job else f", {trial.jobs} jobs"
    return (
        f"[{number}/{total}] {trial.outcome}  {trial.fault}  {trial.list}{by}  "
        f"{trial.seconds:.0f} s  {trial.message}"
    )


def _chosen(arguments: argparse.Namespace) -> list[Fault]:
    known_groups = groups()
    for name in arguments.group:
        if name not in known_groups:
            raise UsageError(not_accepted("group of faults", name, known_groups))
    known: Mapping[str, Fault] = {
        fault.name: fault
        for name, group in known_groups.items()
        for fault in group.faults
        if not arguments.group or name in arguments.group
    }
    for pattern in arguments.fault:
        if not fnmatch.filter(known, pattern):
            raise UsageError(not_accepted("fault", pattern, known))
    found = [
        fault
        for name, fault in known.items()
        if not arguments.fault or any(fnmatch.fnmatch(name, p) for p in arguments.fault)
    ]
    found = [fault for fault in found if not arguments.arch or fault.on in arguments.arch]
    if not found:
        raise UsageError("no fault is selected")
    if arguments.seed is not None:
        random.Random(arguments.seed).shuffle(found)
    return found


def _seconds(text: str) -> float:
    try:
        return duration(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
