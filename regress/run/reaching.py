"""The command that reaches a coverage bin which a run did not hit."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace

from regress.core.plan import PlannedJob
from regress.core.project import Project
from regress.run.reruns import job_command_line


def reach_command(
    project: Project, source: str, planned: Sequence[PlannedJob], subject: str, tests: Sequence[str]
) -> str:
    """Return the command that runs the likeliest test of a bin; empty if no test reaches it.

    A list whose jobs reach the bin runs them with twice the seeds. Otherwise, the command runs one
    job of the test at a point of the run. The point comes from a test of the same top, because
    another top may reject its parameters.

    Args:
        project: whose command it is.
        source: path of the list of the run; empty if the run has no list.
        planned: all jobs of the run.
        subject: value of the bin on the first axis.
        tests: tests that reach the bin, the likeliest first.
    """
    tops = {project.tests[test].top for test in tests[:1]}
    mine = [
        job
        for job in planned
        if job.job.subject == subject and project.tests[job.job.test].top in tops
    ]
    if not tests or not mine:
        return ""
    alike = [job for job in mine if job.job.test in tests]
    if alike and source:
        axis = project.subject
        ran = [test for test in tests if any(job.job.test == test for job in alike)]
        words = ["run", source, axis.flag, subject, "--test", ",".join(ran)]
        words += ["--seeds", str(2 * max(job.index for job in alike))]
    else:
        job = replace((alike or mine)[0].job, replay="", cases=())
        if not alike:
            job = replace(job, test=tests[0])
        job = replace(job, seed=job.seed + 1)
        words = job_command_line(project, replace((alike or mine)[0], job=job))
    return shlex.join([*project.command, *words])
