"""Jobs of a campaign, in chains: each job passes the faults that it did not find to the next."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from regress.core.formats.model import as_json, described, validated
from regress.core.jobfile import Job
from regress.core.plan import PlannedJob
from verif.faults.campaign.record import SURVIVED

PROGRAM = "verif.faults.campaign.child"
VARIABLE = "FAULT_CAMPAIGN"
# Limit in seconds for a fault with which a core never ends; the bench's limit in cycles ends it
# much earlier.
JOB_SECONDS = 180.0


@described()
class Asked:
    """Task of a job's process: the way to try its faults, and its limits."""

    source: str
    """Name of the source of the faults."""
    against: str
    """List, proof or check to which the job belongs."""
    way: str
    """Function that tries the faults: ``package.module:function``."""
    job: str = ""
    """Name of the job there."""
    top: str = ""
    """Top of the build, if the build may lack the fault."""
    files: tuple[str, ...] = ()
    """Files whose faults the job may find; empty for all faults."""
    seconds: float = JOB_SECONDS
    """Limit of one simulation, or of one attempt of a proof."""
    keep: bool = False
    """Keep the folders of the simulations."""
    last: bool = False
    """No other job follows."""
    missed: str = SURVIVED
    """Outcome of what this job, as the last one, does not find."""
    design: str = ""
    """Folder of the original design; empty for the project's own."""
    program: str = ""
    """Process of the job itself; empty for a simulation."""
    cases: tuple[dict[str, Any], ...] = ()
    """Cases of the job itself."""
    environment: dict[str, str] = field(default_factory=dict)
    """More variables of the simulation."""

    @classmethod
    def of(cls, job: Job) -> Asked | None:
        """Return the task of a job; None for a job without faults."""
        text = job.launch.environment.get(VARIABLE) if job.launch else None
        return validated(cls, json.loads(text)) if text else None


def linked(
    jobs: Sequence[PlannedJob],
    asked: Sequence[Asked],
    name: str,
    cases: Sequence[Mapping[str, object]],
    *,
    hdl: str = "",
    may_break: bool = True,
    timeout: float,
) -> list[PlannedJob]:
    """Return jobs that run one after the other; the first one has the faults as its cases.

    Args:
        jobs: jobs of a list.
        asked: task of each job.
        name: name of the chain, appended to the ids.
        cases: the faults; each job passes the ones it did not find to the next job.
        hdl: folder of the changed design; empty if the jobs name it themselves.
        may_break: True if a failing build is not a failure of the run.
        timeout: limit of each job in seconds.
    """
    found: list[PlannedJob] = []
    for number, (planned, what) in enumerate(zip(jobs, asked, strict=True), 1):
        launch = planned.job.launch
        assert launch is not None
        what = replace(
            what,
            last=number == len(jobs),
            program=launch.program,
            cases=tuple(dict(case) for case in planned.job.cases),
        )
        environment = {
            **launch.environment,
            **what.environment,
            VARIABLE: json.dumps(as_json(what)),
        }
        job = replace(
            planned.job,
            hdl=hdl or planned.job.hdl,
            trace=False,
            cases=() if found else tuple(dict(case) for case in cases),
            launch=replace(launch, program=PROGRAM, environment=environment),
        )
        found.append(
            replace(
                planned,
                id=f"{planned.id}-{name}",
                job=job,
                timeout=timeout,
                after=found[-1].id if found else "",
                may_break=may_break,
            )
        )
    return found
