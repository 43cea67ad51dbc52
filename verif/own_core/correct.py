"""Checks of correct cores: no verdict may be broken, for any master seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from regress.cli.session import execute
from regress.cli.workspace import Workspace
from regress.core.cases import CaseStatus
from regress.core.context import Context
from regress.core.errors import UsageError
from regress.core.jobrecord import JobRecord
from regress.core.plan import Plan, PlannedJob
from regress.core.runfile import BAD
from regress.simulators import DEFAULT
from verif.own_core.core import Core
from verif.own_core.jobs import check_jobs
from verif.own_core.plan import brief_widths, check_widths

LIST = "smoke"
VERDICTS = (CaseStatus.PASSED, CaseStatus.FAILED)


@dataclass(frozen=True)
class Checked:
    """Results of the jobs on a correct core.

    Attributes:
        cases: classes and claims that were tried, at all widths with all seeds.
        operations: operations of all jobs.
        seconds: time of all jobs.
        alarms: classes and claims that were called broken.
    """

    cases: int
    operations: int
    seconds: float
    alarms: tuple[str, ...]

    @classmethod
    def of(cls, jobs: Sequence[JobRecord]) -> Checked:
        """Return the sums over jobs."""
        return cls(
            cases=sum(case.status in VERDICTS for job in jobs for case in job.cases),
            operations=sum(job.result.operations for job in jobs if job.result),
            seconds=round(sum(job.seconds for job in jobs), 1),
            alarms=tuple(f"{j.planned.id}: {j.message}" for j in jobs if j.status in BAD),
        )


def correct_jobs(
    context: Context, core: Core, seeds: int, widths: Sequence[int] = ()
) -> list[PlannedJob]:
    """Return the jobs of a correct core at the widths of list smoke or at others, with each seed.

    Raises:
        UsageError: a width is not one of the core's.
    """
    for width in widths:
        core.check_width(width)
    widths = widths or check_widths(core.description, deep=False)
    brief = brief_widths(core.description, widths)
    return [
        job
        for seed in range(1, seeds + 1)
        for job in check_jobs(
            context, core, widths, (DEFAULT,), LIST, seed, index=seed, brief=brief
        )
    ]


def check_correct(workspace: Workspace, core: Core, out: Path) -> Checked:
    """Check a correct core with one seed, without output.

    Raises:
        UsageError: the run was interrupted.
    """
    jobs = tuple(correct_jobs(workspace.context, core, 1))
    asked = Plan(name=core.description.name, seed=1, jobs=jobs, waves=False, apart="our own core")
    record = execute(asked, workspace, Console(quiet=True), workers=1, out=out)
    if record.stopped or record.interrupted:
        raise UsageError(f"{core.description.name}: interrupted, so this check has no verdict")
    return Checked.of(record.jobs)
