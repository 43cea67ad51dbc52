"""Process of a job with a fault: run the simulation and report whether it detects the fault.

A simulation that the wall-clock limit or another process ended gives no verdict, because on a busy
machine this can also happen to a correct design. The bench has its own limit in cycles, which
detects a design that runs forever.
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

# Environment of a job: its list, its name in the list, its top, the simulation's limit in seconds,
# and whether the simulation's files are kept.
LIST_VARIABLE, JOB_VARIABLE, TOP_VARIABLE = "FAULT_LIST", "FAULT_JOB", "FAULT_TOP"
SECONDS_VARIABLE, KEEP_VARIABLE = "FAULT_SECONDS", "FAULT_KEEP"
FOLDER = "simulation"
COPIED = ("hdl", "models", "verif", "regress")
# After this many simulations of a list without a verdict, the list's other jobs are skipped.
MOST_UNDECIDED = 2


def run(project: Project, job: Job, folder: Path, build: Path) -> int:
    """Run the simulation of a job whose only case is a fault; return 0.

    The case passes if the test detects the fault. It stays open if the test does not detect it and
    another job follows, or if there is no verdict. Otherwise it fails. A build that does not
    contain the fault is not simulated.
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
    """Yield a copy of the project if the fault also changes Python; otherwise None."""
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
    """Return the text of a file after a change.

    Raises:
        FaultError: the text to replace does not occur exactly once.
    """
    path = ROOT / change.file
    text = path.read_text() if path.is_file() else ""
    if text.count(change.was) != 1:
        raise FaultError(f"{change.file} has {change.was!r} {text.count(change.was)} times")
    return text.replace(change.was, change.to)


def main() -> int:
    """Run as the job's process."""
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
