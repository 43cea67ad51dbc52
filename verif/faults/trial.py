"""One fault against one list: which job finds it, and what does it say?

The jobs that may find it (:mod:`verif.faults.jobs`) run until one is red. A job that was ended by
its limit of wall-clock time, or from outside, says nothing: on a busy machine a good one may be,
too. What runs for ever is red by the bench's own limit, which counts clocks.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from regress.build import Builder
from regress.errors import UsageError
from regress.formats import as_json, read_json
from regress.job import JOB_FILE
from regress.judge import Evidence, Verdict, judge
from regress.plan import PlannedJob
from regress.processes import ProcessGroups, clean_environment
from regress.simulators import BOTH, find_simulators
from verif.design import ROOT
from verif.faults.altered import altered_copy
from verif.faults.catalogue import Fault, PythonChange, faults
from verif.faults.jobs import HDL, jobs_for, plan
from verif.faults.places import FaultError
from verif.faults.record import FOUND, Trial, content_of

RESULT = "trial.json"
BASELINE = "baseline"
COPIED = ("hdl", "models", "verif", "regress")
# A fault may keep a core from ever ending; the bench gives up by clocks long before this.
JOB_SECONDS = 180.0
# So many jobs without a verdict, and a trial is left for another time.
MOST_UNDECIDED = 2


@dataclass(frozen=True)
class Tools:
    """What trials share.

    Attributes:
        folder: of the run; each trial has one below it.
        groups: runs the child processes.
        seconds: of a trial, after which no further job begins; None for no limit.
        keep: what a trial made stays.
        green: jobs that pass without a fault.
        commit: of what is measured.
    """

    folder: Path
    groups: ProcessGroups
    seconds: float | None = None
    keep: bool = False
    green: set[str] = field(default_factory=set)
    commit: str = ""


def run_trial(fault: Fault, name: str, tools: Tools) -> Trial:
    """Run a list against a fault.

    Raises:
        UsageError: no such list, the fault is not in the design, or the job that found it fails
            without it, too.
        KeyboardInterrupt: the child processes were ended.
    """
    folder = tools.folder / f"{fault.name}-{Path(name).stem}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        if fault.python:
            trial = _run_in_copy(fault, name, tools, folder)
        else:
            hdl = altered_copy(HDL, folder / "hdl", fault.changes)
            trial = run_list(fault, name, hdl, folder, tools)
        if trial.outcome == FOUND:
            trial = check_baseline(trial, tools)
        return trial.model_copy(
            update={"commit": tools.commit, "content": content_of(fault, trial)}
        )
    except FaultError as error:
        raise UsageError(f"fault {fault.name!r}: {error}") from None
    finally:
        if not tools.keep:
            shutil.rmtree(folder, ignore_errors=True)


def run_list(fault: Fault, name: str, hdl: Path, folder: Path, tools: Tools) -> Trial:
    """Run the jobs of a list on an altered design until one is red."""
    begin = time.monotonic()
    simulators, builder = _builder(folder, tools.groups, hdl)
    trial = Trial(fault=fault.name, list=name, outcome="survived")
    undecided: list[str] = []

    def told(**changes: object) -> Trial:
        seconds = round(time.monotonic() - begin, 1)
        return trial.model_copy(update={**changes, "seconds": seconds})

    for number, planned in enumerate(jobs_for(fault, name), 1):
        if tools.seconds is not None and time.monotonic() - begin > tools.seconds:
            return told(outcome="not finished", message="the time was over", jobs=number - 1)
        if planned.point.simulator not in simulators:
            continue
        try:
            built = builder.build(planned.point)
        except ValueError as error:
            return told(outcome="broken", message=str(error), jobs=number)
        if tools.groups.cancelled:
            raise KeyboardInterrupt
        if built.folder is None:
            return told(outcome="broken", message="; ".join(built.errors), jobs=number)
        job = folder / "jobs" / planned.id
        verdict = run_job(planned, built.folder, job, tools.groups, JOB_SECONDS)
        if verdict.infrastructure:
            undecided.append(f"{planned.id}: {verdict.message}")
        elif not verdict.passed:
            return told(outcome=FOUND, job=planned.id, message=verdict.message, jobs=number)
        trial = trial.model_copy(update={"jobs": number})
        if len(undecided) == MOST_UNDECIDED:
            break
    return told(outcome="undecided", message=undecided[0]) if undecided else told()


def check_baseline(trial: Trial, tools: Tools) -> Trial:
    """Run the job that found a fault on the design as it is, once for each job.

    Returns the trial; undecided if that job did not end.

    Raises:
        UsageError: it fails there, too, so that its failure says nothing about the fault.
    """
    if trial.job in tools.green:
        return trial
    planned = next(job for job in plan(trial.list) if job.id == trial.job)
    folder = tools.folder / BASELINE
    _, builder = _builder(folder, tools.groups, HDL)
    built = builder.build(planned.point)
    if tools.groups.cancelled:
        raise KeyboardInterrupt
    if built.folder is None:
        raise UsageError(f"{planned.point.name}: {'; '.join(built.errors)}")
    job = folder / "jobs" / planned.id
    shutil.rmtree(job, ignore_errors=True)
    verdict = run_job(planned, built.folder, job, tools.groups, JOB_SECONDS)
    if verdict.infrastructure:
        message = f"{planned.id} without the fault: {verdict.message}"
        return trial.model_copy(update={"outcome": "undecided", "message": message})
    if not verdict.passed:
        raise UsageError(f"{planned.id} fails without a fault, too: {verdict.message}")
    tools.green.add(trial.job)
    return trial


def _builder(folder: Path, groups: ProcessGroups, hdl: Path) -> tuple[Mapping[str, Any], Builder]:
    """The simulators, without waves that nobody would look at, and what builds for them."""
    installed, _ = find_simulators(BOTH)
    simulators = {key: replace(one, waves=False) for key, one in installed.items()}
    count = len(os.sched_getaffinity(0))
    builds, logs = folder / "builds", folder / "logs"
    return simulators, Builder(builds, logs, simulators, groups, count, hdl)


def run_job(
    planned: PlannedJob, build: Path, folder: Path, groups: ProcessGroups, limit: float
) -> Verdict:
    """Run a job for so many seconds at most; ``infrastructure`` if it did not end by itself."""
    folder.mkdir(parents=True)
    planned.job.write(folder / JOB_FILE)
    ended = groups.run(
        [sys.executable, "-m", "regress.job", str(folder), "--build", str(build)],
        cwd=ROOT,
        env={**clean_environment(ROOT / "build" / "bytecode"), "PYTHONPATH": str(ROOT)},
        log=folder / "log.txt",
        timeout=limit,
    )
    if groups.cancelled:
        raise KeyboardInterrupt
    verdict = judge(planned.job, Evidence.collect(folder, ended, limit))
    return replace(verdict, infrastructure=verdict.infrastructure or ended.timed_out)


def _run_in_copy(fault: Fault, name: str, tools: Tools, folder: Path) -> Trial:
    """The same in a copy of the project, for a fault that changes Python, too."""
    copy = folder / "project"
    with _project_copy(copy, fault.python):
        altered = altered_copy(HDL, folder / "hdl", fault.changes)
        shutil.copytree(altered, copy / "hdl", dirs_exist_ok=True)
        command = [sys.executable, "-m", "verif.faults.trial", fault.name, name, str(folder)]
        ended = tools.groups.run(
            command if tools.seconds is None else [*command, str(tools.seconds)],
            cwd=copy,
            env={**clean_environment(), "PYTHONPATH": str(copy)},
            log=folder / "log.txt",
            timeout=3600.0,
        )
        if tools.groups.cancelled:
            raise KeyboardInterrupt
        if ended.returncode or not (folder / RESULT).is_file():
            text = (folder / "log.txt").read_text(errors="replace").strip()
            last = text.splitlines()[-1] if text else "no output"
            return Trial(fault=fault.name, list=name, outcome="broken", message=last)
        return read_json(folder / RESULT, Trial, "trial")


@contextmanager
def _project_copy(copy: Path, changes: tuple[PythonChange, ...]) -> Iterator[None]:
    ignored = shutil.ignore_patterns("__pycache__")
    for name in COPIED:
        shutil.copytree(ROOT / name, copy / name, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", copy)
    for change in changes:
        path = copy / change.file
        text = path.read_text() if path.is_file() else ""
        if text.count(change.was) != 1:
            raise FaultError(f"{change.file} has {change.was!r} {text.count(change.was)} times")
        path.write_text(text.replace(change.was, change.to))
    try:
        yield
    finally:
        shutil.rmtree(copy, ignore_errors=True)


def main() -> None:
    """Run one trial in this copy of the project, whose design is altered already."""

    fault, name, folder, *seconds = sys.argv[1:]
    tools = Tools(Path(folder), ProcessGroups(), float(seconds[0]) if seconds else None)
    trial = run_list(faults()[fault], name, HDL, Path(folder), tools)
    (Path(folder) / RESULT).write_text(json.dumps(as_json(trial)))


if __name__ == "__main__":
    main()
