"""Process of every job with faults: try each fault, and report what became of it.

How a fault is tried is a function of the job's source (a *way*): a simulation of its own, a fork
of one simulation, an attempt to prove the fault equivalent, a prover.
"""

from __future__ import annotations

import importlib
import logging
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from regress.core.cases import Case, CaseStatus
from regress.core.jobfile import Job
from regress.core.jobprocess import begin_job
from regress.core.loading import find_project
from regress.core.project import Project
from verif.faults.campaign.chain import PROGRAM, Asked
from verif.faults.campaign.way import InvalidDesign, Process, State, Tried


def run(project: Project, job: Job, folder: Path, build: Path) -> int:
    """Try the faults of a job; return 1 if the job fails without a fault.

    The case of a fault passes if the fault is found or proved equivalent. It stays open if another
    job follows, or if there is no verdict. Otherwise it fails.
    """
    asked = Asked.of(job)
    assert asked is not None and job.launch is not None
    plain = replace(job, cases=asked.cases, launch=replace(job.launch, program=asked.program))
    module, _, name = asked.way.partition(":")
    way = getattr(importlib.import_module(module), name)
    mine = [case for case in job.cases if not asked.files or case["file"] in asked.files]
    try:
        tried = way(Process(project, plain, asked, folder, build), mine) if mine else {}
    except InvalidDesign as error:
        for case in job.cases:
            Case(case["name"], CaseStatus.OPEN, facts=case).append(folder)
        print(f"fails without a fault: {error}")
        return 1
    for case in job.cases:
        _case(case, tried.get(case["name"], Tried(State.MISSED)), asked).append(folder)
    return 0


def _case(case: Mapping[str, Any], tried: Tried, asked: Asked) -> Case:
    name = str(case["name"])
    seconds = round(case.get("seconds", 0.0) + tried.seconds, 4)
    facts = {**case, "seconds": seconds}
    if tried.state in (State.DETECTED, State.EQUIVALENT, State.BROKEN):
        facts |= {"outcome": tried.state.value, "failures": tried.failures}
        return Case(name, CaseStatus.PASSED, note=tried.message, facts=facts)
    if tried.state is State.UNDECIDED:
        facts["undecided"] = [*case.get("undecided", ()), [asked.against, tried.message]]
    if tried.state is State.ABSENT:
        facts["without"] = [*case.get("without", ()), asked.against]
    if not asked.last or facts.get("undecided"):
        return Case(name, CaseStatus.OPEN, facts=facts)
    why = f"; {tried.message}" if tried.message else ""
    facts |= {"outcome": asked.missed, "why": tried.message}
    return Case(name, CaseStatus.FAILED, f"no job finds it: {case['says']}{why}", facts=facts)


def main() -> int:
    """Run as the job's process."""
    folder, build, job = begin_job(PROGRAM)
    logging.basicConfig(stream=sys.stdout, format="%(message)s", level=logging.INFO)
    return run(find_project(), job, folder, build)


if __name__ == "__main__":
    sys.exit(main())
