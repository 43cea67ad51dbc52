"""One fault against one list: which job finds it, and what does it say?

The jobs of the list whose build has a changed module run cheapest first until one is red: those on
the fault's architecture, and of each other row of the list one on another architecture, or all if
their configurations are drawn.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from regress.build import Builder
from regress.errors import UsageError
from regress.formats import Format, as_json, read_json
from regress.job import JOB_FILE
from regress.judge import Evidence, Verdict, judge
from regress.lists import find_list, load_list
from regress.plan import PlannedJob, Selection, expand
from regress.processes import ProcessGroups, clean_environment
from regress.simulators import BOTH, find_simulators
from verif.design import ROOT
from verif.faults.altered import altered_copy
from verif.faults.catalogue import Fault, PythonChange, faults
from verif.faults.places import FaultError
from verif.mutation.design import Elaborated
from verif.mutation.syntax import parse

RESULT = "trial.json"
COPIED = ("hdl", "models", "verif", "regress")
# A fault may keep a core from ever ending; the bench gives up long before a job's own limit.
JOB_SECONDS = 180.0
# What is wrong there the tests of the bus see first.
BUS_MODULES = frozenset({"operand_loader", "multiplier", "exponentiation"})
BUS_TEST = re.compile(r"bus|bad_input|walk|zeroise")
Outcome = Literal["found", "survived", "broken", "not finished"]


class Trial(Format):
    """What a list said of a fault.

    Attributes:
        fault: its name.
        list: the list's name.
        outcome: ``broken`` if no build took it.
        job: that found it.
        message: what that job said, or the build.
        seconds: wall-clock time of all builds and jobs up to then.
        jobs: that were run.
    """

    fault: str
    list: str
    outcome: Outcome
    job: str = ""
    message: str = ""
    seconds: float = 0.0
    jobs: int = 0


@dataclass(frozen=True)
class Tools:
    """What trials share.

    Attributes:
        folder: of the run; each trial has one below it.
        groups: runs the child processes.
        seconds: of a trial, after which no further job begins; None for no limit.
        keep: what a trial made stays.
        green: jobs that pass without a fault.
    """

    folder: Path
    groups: ProcessGroups
    seconds: float | None = None
    keep: bool = False
    green: set[str] = field(default_factory=set)


def run_trial(fault: Fault, name: str, tools: Tools) -> Trial:
    """Run a list against a fault.

    Raises:
        UsageError: no such list, the fault is not in the design, or the job that found it fails
            without it, too.
        KeyboardInterrupt: the child processes were ended.
    """
    folder = tools.folder / f"{fault.name}-{name}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        if fault.python:
            trial = _run_in_copy(fault, name, tools, folder)
        else:
            hdl = altered_copy(ROOT / "hdl", folder / "hdl", fault.changes)
            trial = run_list(fault, name, hdl, folder, tools)
        if trial.outcome == "found":
            check_baseline(trial, tools)
        return trial
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
        verdict = _run_job(planned, built.folder, folder / "jobs" / planned.id, tools.groups)
        if not verdict.passed:
            return told(outcome="found", job=planned.id, message=verdict.message, jobs=number)
        trial = trial.model_copy(update={"jobs": number})
    return told()


def check_baseline(trial: Trial, tools: Tools) -> None:
    """Run the job that found a fault on the design as it is, once for each job.

    Raises:
        UsageError: it fails there, too, so that its failure says nothing about the fault.
    """
    if trial.job in tools.green:
        return
    planned = next(job for job in _plan(trial.list) if job.id == trial.job)
    folder = tools.folder / "baseline"
    _, builder = _builder(folder, tools.groups, ROOT / "hdl")
    built = builder.build(planned.point)
    if tools.groups.cancelled:
        raise KeyboardInterrupt
    if built.folder is None:
        raise UsageError(f"{planned.point.name}: {'; '.join(built.errors)}")
    job = folder / "jobs" / planned.id
    shutil.rmtree(job, ignore_errors=True)
    verdict = _run_job(planned, built.folder, job, tools.groups)
    if not verdict.passed:
        raise UsageError(f"{planned.id} fails without a fault, too: {verdict.message}")
    tools.green.add(trial.job)


def _builder(folder: Path, groups: ProcessGroups, hdl: Path) -> tuple[Mapping[str, Any], Builder]:
    """The simulators, without waves that nobody would look at, and what builds for them."""
    installed, _ = find_simulators(BOTH)
    simulators = {key: replace(one, waves=False) for key, one in installed.items()}
    count = len(os.sched_getaffinity(0))
    builds, logs = folder / "builds", folder / "logs"
    return simulators, Builder(builds, logs, simulators, groups, count, hdl)


@lru_cache
def _plan(name: str) -> tuple[PlannedJob, ...]:
    return tuple(expand(load_list(find_list(name)), Selection()))


@lru_cache
def _elaborated(hdl: Path) -> tuple[Elaborated, tuple[str, ...]]:
    """Which modules are in which build: a fault changes what they do, not which they are."""
    sources = parse(hdl)
    return Elaborated(sources), tuple(sources)


def jobs_for(fault: Fault, name: str) -> list[PlannedJob]:
    """The list's jobs that may find a fault, cheapest first, jobs of a build together.

    Raises:
        UsageError: no such list.
    """
    elaborated, names = _elaborated(ROOT / "hdl")
    changed = [n for n in names if Path(n).stem in fault.modules]
    useful = [p for p in _plan(name) if any(elaborated.has(n, p.point) for n in changed)]

    near_the_bus = fault.hides in ("host", "pins") or bool(fault.modules & BUS_MODULES)

    def cost(planned: PlannedJob) -> tuple[bool, bool, bool, int, str, int]:
        point = planned.point
        compiled = point.simulator != "icarus"
        later = near_the_bus and not BUS_TEST.search(planned.job.test)
        width, power = point.point["width"], point.top != "multiplier"
        return compiled, later, power, width, point.name, planned.index

    useful.sort(key=cost)
    mine = [planned for planned in useful if planned.point.point["architecture"] == fault.on]
    rows = {(planned.row, "") for planned in mine}
    others = {}
    for planned in reversed(useful):
        key = planned.row, planned.point.name if planned.job.drawn else ""
        if key not in rows and planned not in mine:
            others[key] = planned
    return sorted([*mine, *others.values()], key=cost)


def _run_job(planned: PlannedJob, build: Path, folder: Path, groups: ProcessGroups) -> Verdict:
    folder.mkdir(parents=True)
    planned.job.write(folder / JOB_FILE)
    limit = min(planned.timeout, JOB_SECONDS)
    ended = groups.run(
        [sys.executable, "-m", "regress.job", str(folder), "--build", str(build)],
        cwd=ROOT,
        env={**clean_environment(), "PYTHONPATH": str(ROOT)},
        log=folder / "log.txt",
        timeout=limit,
    )
    if groups.cancelled:
        raise KeyboardInterrupt
    return judge(planned.job, Evidence.collect(folder, ended, limit))


def _run_in_copy(fault: Fault, name: str, tools: Tools, folder: Path) -> Trial:
    """The same in a copy of the project, for a fault that changes Python, too."""
    copy = folder / "project"
    with _project_copy(copy, fault.python):
        altered = altered_copy(ROOT / "hdl", folder / "hdl", fault.changes)
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
    trial = run_list(faults()[fault], name, ROOT / "hdl", Path(folder), tools)
    (Path(folder) / RESULT).write_text(json.dumps(as_json(trial)))


if __name__ == "__main__":
    main()
