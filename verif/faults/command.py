"""``python -m regress faults``: the catalogue of realistic faults against the lists."""

from __future__ import annotations

import argparse
import fnmatch
import json
import random
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from rich.console import Console

from regress.errors import UsageError, not_accepted
from regress.formats import Format, as_json, duration, read_json
from regress.marked import write_table
from regress.processes import ProcessGroups
from regress.terminal import FAILED, PASSED
from verif.design import ROOT
from verif.faults.catalogue import Fault, faults, groups, misplaced
from verif.faults.report import BEGIN, last, markdown, show
from verif.faults.trial import Tools, Trial, run_trial

RECORD = "faults.json"
DEFAULT_LISTS = ("smoke",)


class Record(Format):
    """The trials of a run.

    Attributes:
        command: that made the last of them.
        finished: when it ended, ISO 8601.
        trials: a fault and a list each.
    """

    command: str
    finished: str = ""
    trials: tuple[Trial, ...] = ()


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
    add("--out", type=Path, metavar="DIR", help="folder (default: a new one below runs/)")
    add("--resume", type=Path, metavar="DIR", help="go on with this run: what was not found yet")
    add("--keep", action="store_true", help="keep altered designs, builds and jobs")
    add("--show", action="store_true", help="show the catalogue and stop")
    add("--report", type=Path, metavar="DIR", help="show this run and stop")
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
    record = _read(arguments.report) if arguments.report else _run(arguments, argv, console)
    known = faults()
    trials = [trial for trial in record.trials if trial.fault in known]
    show(console, known, trials)
    if arguments.write:
        write_table(arguments.write, markdown(groups(), trials, record.command), BEGIN)
    return PASSED if all(trial.outcome == "found" for trial in last(trials).values()) else FAILED


def _run(arguments: argparse.Namespace, argv: Sequence[str], console: Console) -> Record:
    chosen = _chosen(arguments)
    if lines := misplaced(ROOT / "hdl", chosen):
        raise UsageError(*lines)
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    folder = arguments.resume or arguments.out or ROOT / "runs" / f"faults-{stamp}"
    folder = folder.absolute()
    if not arguments.resume and (folder / RECORD).exists():
        raise UsageError(f"{folder} holds a run already; --resume, or another --out")
    folder.mkdir(parents=True, exist_ok=True)
    old = _read(folder).trials if (folder / RECORD).exists() else ()
    trials = {(trial.fault, trial.list): trial for trial in old}
    command = " ".join(["python", "-m", "regress", *argv])
    tools = Tools(folder, ProcessGroups(), arguments.each, arguments.keep)
    deadline = time.monotonic() + arguments.budget if arguments.budget else None
    try:
        for number, fault in enumerate(chosen, 1):
            if deadline is not None and time.monotonic() > deadline:
                console.print("the time is over")
                break
            for name in arguments.list or DEFAULT_LISTS:
                known = trials.get((fault.name, name))
                trial = known if known and known.outcome in ("found", "survived") else None
                if trial is None:
                    trial = run_trial(fault, name, tools)
                    trials[fault.name, name] = trial
                    _write(folder, command, trials)
                    console.print(_line(trial, number, len(chosen)), soft_wrap=True, markup=False)
                if trial.outcome == "found":
                    break
    except KeyboardInterrupt:
        console.print("interrupted")
    finally:
        tools.groups.cancel()
    console.print(f"record: {folder / RECORD}", soft_wrap=True, markup=False)
    return _write(folder, command, trials)


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


def _read(folder: Path) -> Record:
    try:
        return read_json(folder / RECORD, Record, "record of faults")
    except FileNotFoundError:
        raise UsageError(f"{folder}: no {RECORD} there") from None


def _write(folder: Path, command: str, trials: Mapping[object, Trial]) -> Record:
    stamp = datetime.now().astimezone().isoformat(timespec="seconds")
    record = Record(command=command, finished=stamp, trials=tuple(trials.values()))
    (folder / RECORD).write_text(json.dumps(as_json(record), indent=1))
    return record


def _seconds(text: str) -> float:
    try:
        return duration(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
