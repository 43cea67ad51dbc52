"""A fault in a build of its own: simulate the job, unless the build does not contain the fault."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from regress.core.jobfile import JOB_FILE
from regress.core.plan import SIMULATION
from regress.core.processes import ProcessGroups, clean_environment
from regress.core.project import Project
from regress.executors.local import job_command
from regress.run.buckets import normalised
from regress.run.judge import Evidence, Verdict, judge
from verif.faults.campaign.builds import makes_a_difference
from verif.faults.campaign.way import Process, State, Tried

LOG_FILE = "log.txt"
FOLDER = "simulation"
# After this many simulations without a verdict, the other jobs against the same list are skipped.
MOST_UNDECIDED = 2
Case = Mapping[str, Any]


def alone(
    process: Process, cases: Sequence[Case], root: AbstractContextManager[Path | None] | None = None
) -> dict[str, Tried]:
    """Simulate a job whose only case is a fault.

    Args:
        process: the job.
        cases: the fault.
        root: gives the root of another project, whose Python has the fault, too.
    """
    (case,) = cases
    asked = process.asked
    undecided = sum(of == asked.against for of, _ in case.get("undecided", ()))
    if undecided >= MOST_UNDECIDED:
        return {}
    may_lack = not root and bool(asked.top)
    if may_lack and not makes_a_difference(process.project, process.job, asked.top, process.build):
        return {case["name"]: Tried(State.ABSENT)}
    with root or nullcontext() as other:
        verdict, evidence = simulated(process, process.folder / FOLDER, other)
    if not asked.keep:
        shutil.rmtree(process.folder / FOLDER)
    return {case["name"]: judged(process.project, verdict, evidence)}


def judged(project: Project, verdict: Verdict, evidence: Evidence) -> Tried:
    """Return the verdict of a simulation on its fault."""
    ended = evidence.ended
    if ended.timed_out or verdict.infrastructure:
        state = State.UNDECIDED
    else:
        state = State.MISSED if verdict.passed else State.DETECTED
    reported = evidence.result.failures if evidence.result else []
    first: dict[str, str] = {}
    for failure in reported:
        first.setdefault(normalised(project, failure), failure)
    return Tried(state, verdict.message, ended.seconds, tuple(first.values()))


def simulated(process: Process, folder: Path, root: Path | None = None) -> tuple[Verdict, Evidence]:
    """Run a job as a simulation of its own; return the verdict and its evidence.

    Args:
        process: the job.
        folder: folder of the simulation; it is created.
        root: root of the project; None for the current folder.
    """
    folder.mkdir()
    process.job.write(folder / JOB_FILE)
    seconds = process.asked.seconds
    ended = ProcessGroups().run(
        job_command(process.asked.program or SIMULATION, folder, process.build),
        cwd=root or Path.cwd(),
        env={
            **clean_environment(Path.cwd() / "build" / "bytecode"),
            **({"PYTHONPATH": str(root)} if root else {}),
        },
        log=folder / LOG_FILE,
        timeout=seconds,
    )
    evidence = Evidence.collect(process.project, folder, ended, seconds)
    return judge(process.project, process.job, evidence), evidence
