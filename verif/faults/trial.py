"""Trials of one fault against lists, as jobs of the manager: which job detects the fault?

The jobs that may detect it (:mod:`verif.faults.jobs`) form a chain: each job passes an undetected
fault to the next one. The jobs of a second list follow those of the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path

from regress.core.cases import CaseStatus
from regress.core.context import Context
from regress.core.errors import UsageError
from regress.core.jobrecord import JobRecord
from regress.core.plan import PlannedJob
from regress.core.runfile import Status
from regress.run.record import RunRecord
from verif.bench.stress import LONG_VARIABLE
from verif.faults import PROGRAM
from verif.faults.catalogue import Fault, faults
from verif.faults.child import (
    JOB_VARIABLE,
    KEEP_VARIABLE,
    LIST_VARIABLE,
    SECONDS_VARIABLE,
    TOP_VARIABLE,
    changed,
)
from verif.faults.jobs import HDL, jobs_for
from verif.faults.mutants.plan import linked
from verif.faults.record import DETECTED, Trial
from verif.library.edits.altered import altered_copy
from verif.library.edits.places import FaultError

# Limit for a fault with which a core never ends; the bench's limit in cycles ends it much earlier.
JOB_SECONDS = 180.0
# Limit for the rest of the process, which copies the project if the fault also changes Python.
MORE_SECONDS = 60.0


def trial_jobs(
    context: Context,
    fault: Fault,
    lists: Sequence[str],
    folder: Path,
    each: float = 0.0,
    keep: bool = False,
    shrink: bool = False,
    first: Sequence[str] = (),
) -> list[PlannedJob]:
    """Return the jobs of a fault's trials; empty if no job of the lists can detect it.

    Args:
        context: context that has the lists.
        fault: fault to detect.
        lists: names of the lists, in the order of the trials.
        folder: folder for the changed design.
        each: limit in seconds for all jobs of one trial; 0 for no limit.
        keep: True to keep the files of the simulations.
        shrink: True to shrink a stress sequence that detects the fault to the shortest one.
        first: names or patterns (with *) of jobs that are tried before others.

    Raises:
        UsageError: a list does not exist, or the fault's place is not in the design.
    """

    def place(planned: PlannedJob) -> int:
        named = (at for at, one in enumerate(first) if fnmatch(planned.id, one))
        return next(named, len(first))

    jobs, environments = [], []
    for name in lists:
        for planned in sorted(jobs_for(context, fault, name), key=place):
            entry = f"{fault.name} against {name}"
            own = replace(planned, id=f"{planned.id}-{Path(name).stem}", entry=entry, budget=each)
            jobs.append(own)
            environments.append({
                LIST_VARIABLE: name, JOB_VARIABLE: planned.id, TOP_VARIABLE: planned.point.top,
                SECONDS_VARIABLE: str(JOB_SECONDS),
                **({KEEP_VARIABLE: "1"} if keep else {}),
                **({} if shrink else {LONG_VARIABLE: "1"}),
            })  # fmt: skip
    if not jobs:
        return []
    try:
        hdl = altered_copy(HDL, folder / fault.name, fault.changes)
        for change in fault.python:
            changed(change)
    except FaultError as error:
        raise UsageError(f"fault {fault.name!r}: {error}") from None
    case = {"name": fault.name, "says": fault.says}
    chain = linked(jobs, fault.name, hdl, [case], environments, True, PROGRAM)
    return [replace(job, timeout=JOB_SECONDS + MORE_SECONDS) for job in chain]


def remake(folders: Iterable[Path]) -> None:
    """Recreate missing changed designs, to resume a run."""
    known = faults()
    for folder in folders:
        if not folder.exists():
            altered_copy(HDL, folder, known[folder.name].changes)


def trials(record: RunRecord) -> Iterator[Trial]:
    """Yield the trials of a run, without the trials that it did not finish."""
    chains: dict[tuple[str, str], list[JobRecord]] = {}
    for job in record.jobs:
        place = Path(job.planned.job.hdl).name, environment(job.planned)[LIST_VARIABLE]
        chains.setdefault(place, []).append(job)
    for (fault, name), jobs in chains.items():
        verdict = _outcome(jobs, name)
        if verdict:
            ran = [job for job in jobs if job.folder]
            points = {job.planned.point for job in ran}
            builds = [build.seconds for build in record.builds if build.point in points]
            seconds = round(sum(builds) + sum(job.seconds for job in ran), 1)
            yield Trial(fault=fault, list=name, seconds=seconds, jobs=len(ran), **verdict)


def environment(planned: PlannedJob) -> Mapping[str, str]:
    """Return the environment that identifies a job of a trial."""
    return planned.job.launch.environment if planned.job.launch else {}


def _outcome(jobs: Sequence[JobRecord], name: str) -> dict[str, str]:
    """Return the result of a list's jobs on a fault; empty if they did not run to the end."""
    for job in jobs:
        for case in job.cases:
            if case.status is CaseStatus.PASSED:
                found_by = environment(job.planned)[JOB_VARIABLE]
                return {"outcome": DETECTED, "job": found_by, "message": case.note}
    if message := _said(jobs, "build failed"):
        # Drop the folder of the temporary copy: the record names the file in the design.
        folder = jobs[0].planned.job.hdl
        return {"outcome": "broken", "message": message.replace(f"{folder}/", "")}
    if not any(job.folder for job in jobs):
        return {}  # another list detected it, or the run was interrupted
    if message := _said(jobs, "the entry's time budget"):
        return {"outcome": "not finished", "message": message}
    if any(job.status in (Status.INTERRUPTED, Status.NOT_RUN) for job in jobs):
        return {}
    lost = [job.message for job in jobs if job.folder and not _ended(job)]
    undecided = [text for job in jobs for case in job.cases
            for of, text in case.facts.get("undecided", ()) if of == name]  # fmt: skip
    if lost or undecided:
        return {"outcome": "undecided", "message": [*lost, *undecided][0]}
    # The facts accumulate: each job also has those of the jobs before it.
    without = [list(case.facts.get("without", ())) for job in jobs for case in job.cases][-1]
    if not (same := without.count(name)):
        return {"outcome": "survived"}
    message = f"{same} of {len(jobs)} jobs are on builds that do not have it"
    return {"outcome": "survived", "message": message}


def _said(jobs: Iterable[JobRecord], begin: str) -> str:
    """Return the first message of a job not run that starts with ``begin``."""
    found = (job.message for job in jobs if job.status is Status.NOT_RUN)
    return next((message for message in found if message.startswith(begin)), "")


def _ended(job: JobRecord) -> bool:
    """Return True if a job reported a result of its fault."""
    return all(case.status is not CaseStatus.NOT_RUN for case in job.cases)
