"""Jobs that check the user's own core: one per width and simulator."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from regress.core.context import Context
from regress.core.errors import UsageError
from regress.core.jobfile import Job
from regress.core.plan import PlannedJob, planned_job
from regress.core.point import Point
from verif.own_core.core import Core
from verif.own_core.description import CoreDescription
from verif.own_core.plan import BRIEF, claimed_behaviours, claimed_classes
from verif.own_core.project import LISTS, TEST

# Maximum simulated cycles of a case at one width; at least one operation runs.
CYCLES_PER_CASE = 1_000_000
# An exponentiation of 1024 bits takes millions of cycles.
JOB_SECONDS = {"smoke": 600.0, "deep": 3600.0}


def check_jobs(
    context: Context,
    core: Core,
    widths: Sequence[int],
    simulators: Iterable[str],
    effort: str,
    master: int,
    only: Sequence[str] = (),
    index: int = 1,
    brief: Collection[int] = (),
) -> list[PlannedJob]:
    """Return one job per width and simulator, with every class and claim as a case.

    Args:
        context: context whose project stores the core.
        core: core to check.
        widths: legal widths.
        simulators: simulators to run on.
        effort: name of a list, which sets the number of operations.
        master: master seed.
        only: classes and claims to keep; empty for all.
        index: index of the seed, if there are several.
        brief: widths at which only some cases run.

    Raises:
        UsageError: no case of ``only`` is claimed at any of the widths.
    """
    description = core.description
    name = context.project.black_boxes.keep(core)
    jobs = []
    for width in widths:
        cases = [*claimed_classes(description, width), *claimed_behaviours(description)]
        cases = [case for case in cases if not only or case in only]
        if width in brief and not only:
            cases = [case for case in cases if case in BRIEF]
        if not cases:
            continue
        point = Point({"architecture": name, "width": width, "parameters": {}})
        for simulator in simulators:
            job = Job(
                test=TEST,
                point=point,
                simulator=simulator,
                seed=master,
                operations=max(
                    1, min(LISTS[effort], CYCLES_PER_CASE // cycles_of(description, width))
                ),
                cases=tuple({"name": case} for case in cases),
            )
            jobs.append(planned_job(context, job, index, JOB_SECONDS[effort]))
    if not jobs:
        raise UsageError(f"{description.name} claims none of {', '.join(only)} at these widths")
    return jobs


def cycles_of(description: CoreDescription, width: int) -> int:
    """Estimate the cycles of an operation."""
    longest = description.longest(width)
    if longest is not None:
        return max(1, longest)
    return 4 * width if description.is_product else 3 * width * width
