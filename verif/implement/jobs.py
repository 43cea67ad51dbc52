"""Jobs that measure points, and the points that a run of such jobs measured."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Any

from models.registry import architecture
from regress.core.context import Context
from regress.core.errors import UsageError
from regress.core.jobfile import Job
from regress.core.jobrecord import JobRecord
from regress.core.metrics import Past, figures_over
from regress.core.plan import PlannedJob, planned_job
from regress.core.point import Point, PointError
from regress.core.project import Test
from regress.run.record import RunRecord
from verif.bench.configuration.design import DESIGNS, NETLIST, Design, hardware
from verif.bench.configuration.job import point_of
from verif.implement.figures import Figures, figures_of, metrics_of
from verif.implement.job import MEASURED, NAME, SETTINGS
from verif.implement.measure import DEFAULT_GIB, DEFAULT_SECONDS, Measured
from verif.implement.point import ImplementationPoint, cycles, point_id, read_points
from verif.implement.targets import target, targets

PROGRAM = "verif.implement.job"
# Suffix of the tops on which points are measured.
SUFFIX = "_implementation"
# Time of a job beside its tools: to install them, to read and to write.
SPARE_SECONDS = 1500.0
TESTS: Mapping[str, Test] = MappingProxyType(
    {
        f"{design.group_prefix}implement": Test(
            module=PROGRAM,
            name="main",
            description="area, clock and time, measured (command implement)",
            top=f"{design.name}{SUFFIX}",
            toplevel=design.top,
            simulators=tuple(targets()),
            program=PROGRAM,
        )
        for design in DESIGNS.values()
    }
)


def design_of(test: str) -> Design:
    """Return the design that a test measures."""
    return DESIGNS[TESTS[test].top.removesuffix(SUFFIX)]


def settings_of(seconds: float, gib: int, area_only: bool, energy: bool = False) -> dict[str, Any]:
    """Return how a job measures, see :class:`verif.implement.measure.MeasureJob`."""
    settings = {"seconds": seconds, "memory": gib << 30, "area_only": area_only}
    return settings | ({"energy": True} if energy else {})


def cases_of(job: Job) -> list[dict[str, Any]]:
    """Return the case of a job from a list: its point, measured with the default settings."""
    settings = settings_of(DEFAULT_SECONDS, DEFAULT_GIB, area_only=False)
    return [{NAME: id_of(job), SETTINGS: settings}]


def id_of(job: Job) -> str:
    """Return the id of the point that a job measures."""
    design, point = design_of(job.test), job.point
    made = hardware(design, architecture(job.subject), point["width"], point["parameters"])
    return point_id(design, made, job.simulator)


def planned_points(
    context: Context,
    configurations: Iterable[tuple[str, Point]],
    names: Sequence[str],
    seeds: Sequence[int],
    settings: Mapping[str, Any],
) -> list[PlannedJob]:
    """Return the jobs that measure some configurations on some targets.

    The first seed of every point comes before the second seed of any: a run that is cut short has
    then seen all points, and no two jobs wait for the same synthesis.

    Args:
        context: project and tools.
        configurations: tests and complete points, in the order in which they are to be measured.
        names: names of the targets.
        seeds: seeds of targets whose times depend on a seed; the others get the first.
        settings: see :func:`settings_of`.
    """
    configurations = list(configurations)
    timeout = 2 * settings["seconds"] + SPARE_SECONDS
    jobs = []
    for index, seed in enumerate(seeds):
        for name in names:
            if index and (settings["area_only"] or not target(name).seeded):
                continue
            for test, point in configurations:
                job = Job(test=test, point=point, simulator=name, seed=seed)
                job = replace(job, cases=({NAME: id_of(job), SETTINGS: dict(settings)},))
                jobs.append(planned_job(context, job, seed, timeout))
    return jobs


def configuration(
    context: Context, design: Design, name: str, width: int, parameters: Mapping[str, int]
) -> tuple[str, Point]:
    """Return the test and the complete point of a configuration.

    Raises:
        UsageError: the configuration is not legal.
    """
    if NETLIST in parameters:
        raise UsageError(f"--parameter {NETLIST}: implement makes netlists and accepts none")
    test = f"{design.group_prefix}implement"
    try:
        return test, context.project.resolved(test, point_of(name, width, dict(parameters)))
    except PointError as error:
        raise UsageError(str(error)) from None


def measured_points(record: RunRecord, commit: str) -> list[ImplementationPoint]:
    """Return the points that a run measured on a commit, in the order of the plan.

    Raises:
        UsageError: the run measured none.
    """
    found: dict[str, list[JobRecord]] = {}
    for job in record.jobs:
        for case in job.cases:
            if MEASURED in case.facts:
                found.setdefault(case.name, []).append(job)
    if not found:
        raise UsageError(f"{record.folder} measured no point; accepted: a run of implement")
    return [_point(name, jobs, commit) for name, jobs in found.items()]


def measured_of(job: JobRecord) -> list[Measured]:
    """Return what a job measured."""
    return [
        Measured.model_validate(case.facts[MEASURED])
        for case in job.cases
        if MEASURED in case.facts
    ]


def _point(name: str, jobs: Sequence[JobRecord], commit: str) -> ImplementationPoint:
    """Return the point that some jobs measured, with one seed each."""
    job = jobs[0].planned.job
    design, at = design_of(job.test), job.point
    made = hardware(design, architecture(job.subject), at["width"], at["parameters"])
    found = [measured for each in jobs for measured in measured_of(each)]
    figures = [figures_of(one) for one in found]
    area = next((one for one in figures if one.size is not None), figures[0])
    mhz = {seed: clock for one in figures for seed, clock in one.mhz.items()}
    timed = [one for one in figures if one.mhz]
    path = _nearest(timed, mhz)
    return ImplementationPoint(
        **{
            **area.model_dump(),
            "mhz": mhz,
            "path_end": path.path_end if path else "",
            "path_ns": path.path_ns if path else None,
            "message": "; ".join(dict.fromkeys(one.message for one in figures if one.message)),
        },
        id=name,
        parameters={key: value for key, value in made.values.items() if key != NETLIST},
        **cycles(
            made.core,
            at["width"],
            made.values["AddWidth"],
            coherent=bool(made.values.get("Coherent")),
        ),
        commit=commit,
        measured=max(one.date for one in found).date(),
        tools=found[0].tools,
    )


def _nearest(timed: Sequence[Figures], mhz: Mapping[int, float]) -> Figures | None:
    """Return the figures whose path is nearest to the median clock; None without any."""
    paths = [one for one in timed if one.path_ns]
    if not paths or not mhz:
        return None
    middle = statistics.median_low(mhz.values())
    return min(paths, key=lambda one: abs(1000 / (one.path_ns or 1) - middle))


@cache
def kept() -> Mapping[str, ImplementationPoint]:
    """Return the kept points by id."""
    return {point.id: point for point in read_points()}


def reference(job: Job) -> Past | None:
    """Return the kept figures of the point that a job measures; None if it was never measured."""
    point = kept().get(id_of(job))
    if point is None or point.size is None:
        return None
    one_by_one = [
        (seed, metrics_of(point.with_clock({seed: clock}), point.width))
        for seed, clock in point.by_seed.items()
    ]
    metrics = one_by_one or [(job.seed, metrics_of(point, point.width))]
    return Past(point.commit, figures_over(metrics))
