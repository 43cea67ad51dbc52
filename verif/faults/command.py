"""``python -m regress faults``: run the catalogue of realistic faults against the lists."""

from __future__ import annotations

import argparse
import fnmatch
import os
import random
import shutil
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from regress.cli.options import Call, add_executor_options, common, executor_from, positive, seconds
from regress.cli.session import execute, load, resume
from regress.core.errors import UsageError, not_accepted
from regress.core.plan import Plan
from regress.core.project import Project
from regress.core.runfile import Status
from regress.core.terminal import FAILED, INTERRUPTED, PASSED, say
from regress.run.record import RunRecord, command_line
from verif.bench.configuration.design import ROOT
from verif.faults.catalogue import Fault, faults, groups, misplaced
from verif.faults.jobs import jobs_for, plan
from verif.faults.record import (
    DETECTED,
    RECORD,
    Trial,
    add_trial,
    content_of,
    holds,
    last,
    measured_commit,
    read_trials,
)
from verif.faults.report import BEGIN, markdown, show
from verif.faults.trial import remake, trial_jobs, trials
from verif.library.marked import write_table

DEFAULT_LISTS = ("smoke",)
DESIGNS_FOLDER, BUILDS_FOLDER, BASELINE = "designs", "simulations", "baseline"
# Option of a run: marks a run of faults; its value is the commit that the run measures.
FAULTS = "faults"
APART = "changes of the design"


def add_parser(commands: argparse._SubParsersAction, _: Project) -> argparse.ArgumentParser:
    """Add the command ``faults``; its ``run`` is :func:`run`."""
    parser = commands.add_parser("faults", help="realistic faults: which list finds them?")
    add = parser.add_argument
    add("fault", nargs="*", metavar="NAME", help="only these (patterns with * may be given)")
    add("--group", action="append", default=[], metavar="G", help="only this file's (repeatable)")
    add("--arch", action="append", default=[], metavar="A", help="only on this architecture")
    add("--list", action="append", default=[], metavar="LIST",
        help="lists in this order, until one finds it (default: smoke)")  # fmt: skip
    add("--each", type=seconds, default=0.0, metavar="TIME",
        help="begin no job of a trial after this time of its jobs")  # fmt: skip
    add("--budget", type=seconds, default=0.0, metavar="TIME", help="begin no job after this time")
    add("--seed", metavar="S", help="in an order chosen by this, for a slice in a short budget")
    add("--first", action="append", default=[], metavar="JOB",
        help="jobs of the lists that are tried before others (patterns with * may be given), "
        "after the job that detected the fault the last time")  # fmt: skip
    add("--again", action="store_true", help="measure what is known and holds still, too")
    add("--record", type=Path, metavar="FILE", default=RECORD,
        help="what is known, and where new results go (default: %(default)s)")  # fmt: skip
    add("--jobs", type=positive, default=len(os.sched_getaffinity(0)), metavar="J",
        help="builds or jobs at once (default: one for each CPU)")  # fmt: skip
    add("--out", type=Path, metavar="DIR", help="folder of the run (default: below runs/)")
    add("--resume", type=Path, metavar="RUN", help="finish a run that was interrupted")
    add("--keep", action="store_true", help="keep altered designs, builds and simulations")
    add("--shrink", action="store_true",
        help="shrink the sequences that find a fault: takes several times as long")  # fmt: skip
    add("--show", action="store_true", help="show the catalogue and stop")
    add("--report", action="store_true", help="show what is known and stop")
    add("--write", type=Path, metavar="FILE", help=f"put the tables after {BEGIN!r} in this file")
    add_executor_options(parser)
    parser.set_defaults(run=run)
    return parser


def run(call: Call) -> int:
    """Run trials, or show the catalogue or results; return FAILED if a fault was not found.

    Raises:
        UsageError: an option names something that does not exist.
    """
    chosen = _chosen(call)
    if call.show:
        for name, group in groups().items():
            shown = [fault for fault in group.faults if fault in chosen]
            if shown:
                call.console.print(f"[bold]{name}[/]: {group.says}")
            for fault in shown:
                call.console.print(f"  {fault.name}: {fault.says}", soft_wrap=True, markup=False)
        return PASSED
    interrupted = not call.report and _run(call, chosen)
    known = faults()
    recorded = [trial for trial in read_trials(call.record) if trial.fault in known]
    stale = {
        trial.fault
        for trial in last(recorded).values()
        if not holds(call.context, known[trial.fault], trial)
    }
    names = {fault.name for fault in chosen}
    show(call.console, chosen, [trial for trial in recorded if trial.fault in names], stale)
    if call.write:
        write_table(call.write, markdown(groups(), recorded, stale), BEGIN)
    if interrupted:
        return INTERRUPTED
    ends = last(recorded)
    found = all(name in ends and ends[name].outcome == DETECTED for name in names)
    return PASSED if found else FAILED


def _run(call: Call, chosen: Sequence[Fault]) -> bool:
    """Run the missing trials and add them to the record; return True if interrupted.

    Raises:
        UsageError: a fault's place is not in the design, or a job fails without its fault, too.
    """
    if lines := misplaced(ROOT / "hdl", chosen):
        raise UsageError(*lines)
    lists = call.list or DEFAULT_LISTS
    if call.resume:
        record = _resumed(call)
        found = list(trials(record))
    else:
        missing = _missing(call, chosen, lists)
        # A fault survives a list that has no job that could detect it.
        found = [
            Trial(fault=fault.name, list=name, outcome="survived")
            for fault, names in missing
            for name in names
            if not jobs_for(call.context, fault, name)
        ]
        record = _executed(call, missing)
        found += trials(record) if record else ()
    if record:
        commit = record.plan.options[FAULTS]
        before = read_trials(call.record)
        # Jobs that detected another fault at this commit already passed without a fault.
        passing = {
            trial.job
            for trial in before
            if (trial.outcome, trial.commit) == (DETECTED, commit) and commit[-1] != "+"
        }
        found, problems = _checked(found, call, record, passing)
        if not call.keep and not record.interrupted:
            for name in (DESIGNS_FOLDER, BUILDS_FOLDER):
                shutil.rmtree(record.folder / name, ignore_errors=True)
    else:
        commit, problems = measured_commit(), []
    known = faults()
    for number, trial in enumerate(found, 1):
        content = content_of(call.context, known[trial.fault], trial)
        whole = trial.model_copy(update={"commit": commit, "content": content})
        add_trial(call.record, whole)
        say(call.console, _line(whole, number, len(found)))
    say(call.console, f"record: {call.record}")
    if record:
        say(call.console, f"report: {record.folder}/report.html")
    if problems:
        raise UsageError(*problems)
    return bool(record and record.interrupted)


def _missing(
    call: Call, chosen: Sequence[Fault], lists: Sequence[str]
) -> list[tuple[Fault, list[str]]]:
    """Return the faults with the lists to try on each, until one list detects the fault."""
    known = {(trial.fault, trial.list): trial for trial in read_trials(call.record)}
    missing = []
    for fault in chosen:
        wanted = []
        for name in lists:
            trial = known.get((fault.name, name))
            if call.again or trial is None or not holds(call.context, fault, trial):
                wanted.append(name)
            elif trial.outcome == DETECTED:
                break
        if wanted:
            missing.append((fault, wanted))
    return missing


def _executed(call: Call, missing: Sequence[tuple[Fault, Sequence[str]]]) -> RunRecord | None:
    """Run the jobs of all trials; return None if there are no jobs."""
    out = call.out or call.workspace.runs / f"faults-{datetime.now():%Y%m%d-%H%M%S}"
    out = out.absolute()
    designs = out / DESIGNS_FOLDER
    if designs.exists():
        raise UsageError(f"{out} holds a run already; --resume {out}, or another --out")
    _check_first(call, missing)
    before = {name: trial.job for name, trial in last(read_trials(call.record)).items()}
    jobs = [
        job
        for fault, names in missing
        for job in trial_jobs(
            call.context,
            fault,
            names,
            designs,
            call.each,
            call.keep,
            call.shrink,
            [before.get(fault.name, ""), *call.first],
        )
    ]
    if not jobs:
        return None
    asked = Plan(
        name=FAULTS,
        description=f"{len(missing)} realistic faults",
        command=command_line(call.argv),
        options={FAULTS: measured_commit()},
        jobs=tuple(jobs),
        budget=call.budget,
        waves=False,
        apart=APART,
    )
    workspace = replace(call.workspace, builds=out / BUILDS_FOLDER)
    return execute(asked, **_machines(call, out, workspace=workspace))


def _check_first(call: Call, missing: Sequence[tuple[Fault, Sequence[str]]]) -> None:
    if not call.first:
        return
    known = {
        job.id
        for fault, lists in missing
        for name in lists
        for job in jobs_for(call.context, fault, name)
    }
    for pattern in call.first:
        if not fnmatch.filter(known, pattern):
            some = f"; one of them is {min(known)!r}" if known else ""
            raise UsageError(f"--first {pattern}: none of {len(known)} jobs is called so{some}")


def _machines(call: Call, out: Path, **others: Any) -> dict[str, Any]:
    return {**common(call), "explicit_simulators": False, "out": out, **others}


def _resumed(call: Call) -> RunRecord:
    """Run the remaining jobs of a run; a finished run is only loaded."""
    folder, now = call.resume.absolute(), measured_commit()
    asked = Plan.read(call.context, folder)
    if FAULTS not in asked.options:
        raise UsageError(f"{call.resume}: no run of faults")
    if asked.options[FAULTS] != now:
        raise UsageError(f"{call.resume} is of {asked.options[FAULTS]}, this is {now}: begin anew")
    remake(Path(hdl) for hdl in {planned.job.hdl for planned in asked.jobs})
    record = load(call.context, folder)
    if record.finished and not record.stopped:
        return record
    workspace = replace(call.workspace, builds=folder / BUILDS_FOLDER)
    return resume(folder, call.jobs, workspace, call.console, executor_from(call))


def _checked(
    found: Sequence[Trial], call: Call, record: RunRecord, passing: Collection[str] = ()
) -> tuple[list[Trial], list[str]]:
    """Run the jobs that detected a fault on the unchanged design, except jobs known to pass.

    Returns:
        (trials, messages). A trial becomes undecided if its job did not end. A trial is left out if
        its job also fails without the fault, because then the failure means nothing; ``messages``
        has a line for each of these jobs.
    """
    by_id = {
        job.id: job
        for trial in found
        if trial.outcome == DETECTED
        for job in plan(call.context, trial.list)
        if job.id == trial.job not in passing
    }
    if record.interrupted:
        return [trial for trial in found if trial.outcome != DETECTED], []
    if not by_id:
        return list(found), []
    out = record.folder / BASELINE
    shutil.rmtree(out, ignore_errors=True)
    asked = Plan(
        name=FAULTS,
        description="the same without a fault",
        jobs=tuple(by_id.values()),
        waves=False,
        apart=APART,
    )
    record = execute(asked, **_machines(call, out))
    jobs = {job.planned.id: job for job in record.jobs}
    good, problems = [], []
    for trial in found:
        job = jobs.get(trial.job)
        if not job or job.status is Status.PASSED:
            good.append(trial)
        elif job.status is Status.INTERRUPTED:
            continue  # --resume runs it
        elif job.status is not Status.FAILED or job.message.startswith("timed out"):
            message = f"{trial.job} without the fault: {job.message}"
            good.append(trial.model_copy(update={"outcome": "undecided", "message": message}))
        else:
            problems.append(f"{trial.job} fails without a fault, too: {job.message}")
    return good, problems


def _line(trial: Trial, number: int, total: int) -> str:
    by = f" by {trial.job}" if trial.job else f", {trial.jobs} jobs"
    return (
        f"[{number}/{total}] {trial.outcome}  {trial.fault}  {trial.list}{by}  "
        f"{trial.seconds:.0f} s  {trial.message}"
    )


def _chosen(call: Call) -> list[Fault]:
    known_groups = groups()
    for name in call.group:
        if name not in known_groups:
            raise UsageError(not_accepted("group of faults", name, known_groups))
    known: Mapping[str, Fault] = {
        fault.name: fault
        for name, group in known_groups.items()
        for fault in group.faults
        if not call.group or name in call.group
    }
    for pattern in call.fault:
        if not fnmatch.filter(known, pattern):
            raise UsageError(not_accepted("fault", pattern, known))
    found = [
        fault
        for name, fault in known.items()
        if not call.fault or any(fnmatch.fnmatch(name, p) for p in call.fault)
    ]
    found = [fault for fault in found if not call.arch or fault.on in call.arch]
    if not found:
        raise UsageError("no fault is selected")
    if call.seed is not None:
        random.Random(call.seed).shuffle(found)
    return found
