"""The process of a job with a fault: runs its simulation, and says whether that finds the fault.

A simulation that was ended by its limit of wall-clock time, or from outside, says nothing: on a
busy machine a good one may be, too. What runs for ever is found by the bench's own limit, which
counts clocks.
"""

from __future__ import annotations

import argparse
import logging
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from regress.core.cases import Case, CaseStatus
from regress.core.jobfile import JOB_FILE, Job
from regress.core.loading import find_project
from regress.core.processes import end_with_parent
from regress.core.project import Project
from verif.bench.configuration.design import ROOT
from verif.faults import PROGRAM
from verif.faults.catalogue import Fault, PythonChange, faults
from verif.faults.mutants.builds import makes_a_difference
from verif.faults.mutants.child import LAST_VARIABLE, simulated
from verif.library.edits.altered import altered_copy
from verif.library.edits.places import FaultError

# Of a job: the list it comes from, its name there and the design it is built for, the limit of its
# simulation in seconds, and that the simulation's files stay.
LIST_VARIABLE, JOB_VARIABLE, TOP_VARIABLE = "FAULT_LIST", "FAULT_JOB", "FAULT_TOP"
SECONDS_VARIABLE, KEEP_VARIABLE = "FAULT_SECONDS", "FAULT_KEEP"
FOLDER = "simulation"
COPIED = ("hdl", "models", "verif", "regress")
# So many simulations of a list without a verdict, and the fault is left for another time.
MOST_UNDECIDED = 2


def run(project: Project, job: Job, folder: Path, build: Path) -> int:
    """Run the simulation of a job whose one case is a fault; returns 0.

    The case is passed if the test found the fault, open if it did not and another job comes after
    or nothing can be said, else failed. On a build that the fault is not in nothing is simulated.
    """
    assert job.launch is not None
    asked = job.launch.environment
    (facts,) = job.cases
    name = str(facts["name"])
    fault = faults()[name]
    undecided = facts.get("undecided", [])
    late = sum(of == asked[LIST_VARIABLE] for of, _ in undecided) >= MOST_UNDECIDED
    top = asked[TOP_VARIABLE]
    if not late and not fault.python and not makes_a_difference(project, job, top, build):
        facts = {**facts, "without": [*facts.get("without", ()), asked[LIST_VARIABLE]]}
    elif not late:
        plain = replace(job, cases=(), launch=replace(job.launch, program=""))
        with _project(fault) as root:
            seconds = float(asked[SECONDS_VARIABLE])
            verdict, ended = simulated(project, plain, folder / FOLDER, build, seconds, root)
        if KEEP_VARIABLE not in asked:
            shutil.rmtree(folder / FOLDER)
        if ended.timed_out or verdict.infrastructure:
            undecided = [*undecided, [asked[LIST_VARIABLE], verdict.message]]
            facts = {**facts, "undecided": undecided}
        elif not verdict.passed:
            Case(name, CaseStatus.PASSED, note=verdict.message, facts=facts).append(folder)
            return 0
    if LAST_VARIABLE in asked and not undecided:
        message = f"no job finds it: {facts['says']}"
        Case(name, CaseStatus.FAILED, message, facts=facts).append(folder)
    else:
        Case(name, CaseStatus.OPEN, facts=facts).append(folder)
    return 0


@contextmanager
def _project(fault: Fault) -> Iterator[Path | None]:
    """A copy of the project where the fault is in Python, too; None if it is not."""
    if not fault.python:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="fault-") as folder:
        copy = Path(folder)
        for name in COPIED[1:]:
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        altered_copy(ROOT / COPIED[0], copy / COPIED[0], fault.changes)
        shutil.copy(ROOT / "pyproject.toml", copy)
        for change in fault.python:
            (copy / change.file).write_text(changed(change))
        yield copy


def changed(change: PythonChange) -> str:
    """The text of a file after a change.

    Raises:
        FaultError: what is changed is not there exactly once.
    """
    path = ROOT / change.file
    text = path.read_text() if path.is_file() else ""
    if text.count(change.was) != 1:
        raise FaultError(f"{change.file} has {change.was!r} {text.count(change.was)} times")
    return text.replace(change.was, change.to)


def main() -> int:
    """The job's process."""
    end_with_parent()
    parser = argparse.ArgumentParser(prog=f"python -m {PROGRAM}")
    parser.add_argument("folder", type=Path, help=f"folder with {JOB_FILE}")
    parser.add_argument("--build", type=Path, required=True, help="folder with the simulation")
    arguments = parser.parse_args()
    logging.basicConfig(stream=sys.stdout, format="%(message)s", level=logging.INFO)
    folder = arguments.folder.resolve()
    return run(find_project(), Job.read(folder / JOB_FILE), folder, arguments.build.resolve())


if __name__ == "__main__":
    sys.exit(main())
