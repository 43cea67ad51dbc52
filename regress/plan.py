"""Expands a list, narrowed by the command line, into jobs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from models.registry import architecture
from regress.errors import UsageError
from regress.lists import RegressionList, Row
from verif.design import (
    MULTIPLIER,
    Design,
    DesignError,
    check_width,
    resolved_parameters,
)
from verif.job import Job
from verif.tests import design_of

# A row written for Verilator keeps roughly its run time when it is moved to Icarus.
ICARUS_SLOWDOWN = 100
MIN_OPERATIONS = 5


@dataclass(frozen=True)
class BuildPoint:
    """What one build is made for; jobs with the same point share the build.

    Attributes:
        architecture: registry name.
        width: operand width in bits.
        simulator: ``verilator`` or ``icarus``.
        parameters: the least that determine all, sorted; see :func:`_changed`.
        design: name of the top, a key of :data:`verif.design.DESIGNS`.
        code_coverage: built to count lines, branches and toggles.
    """

    architecture: str
    width: int
    simulator: str
    parameters: tuple[tuple[str, int], ...] = ()
    design: str = MULTIPLIER.name
    code_coverage: bool = False

    @property
    def name(self) -> str:
        """Unique among the builds of one set of sources; safe as a file name."""
        words = [self.architecture, str(self.width), self.simulator, *_variation(self.parameters)]
        if self.code_coverage:
            words.append("coverage")
        return "-".join(words if self.design == MULTIPLIER.name else [self.design, *words])


@dataclass(frozen=True)
class PlannedJob:
    """A job of the plan.

    Attributes:
        id: unique in the plan; safe as a file name.
        job: what the simulation is asked to do.
        timeout: wall-clock limit in seconds.
        point: the build it runs on.
    """

    id: str
    job: Job
    timeout: float
    point: BuildPoint


@dataclass(frozen=True)
class Selection:
    """How the command line narrows a list; an empty field leaves the list as it is.

    Attributes:
        architectures: keep only these.
        widths: keep only these; if the list lacks one of them, run these instead of its own.
        simulators: run on these instead of the list's own.
        seeds: number of seeds for each point.
        seed: master seed.
    """

    architectures: tuple[str, ...] = ()
    widths: tuple[int, ...] = ()
    simulators: tuple[str, ...] = ()
    seeds: int | None = None
    seed: int | None = None


def derived_seed(master: int, coordinates: Sequence[Any], index: int) -> int:
    """The seed of one job, 0 ... 2**31 - 1, independent of the order of jobs.

    Args:
        master: seed of the run.
        coordinates: what tells the job's stimulus from another's. The simulator is none of it:
            both simulators get the same stimulus, so that their results can be compared.
        index: number of the seed at this point, 1 for the first.
    """
    text = json.dumps([master, list(coordinates), index])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") & 0x7FFFFFFF


def expand(regression: RegressionList, selection: Selection) -> list[PlannedJob]:
    """The jobs of a list.

    Raises:
        UsageError: nothing is selected, a width is illegal, or two rows ask for the same job.
    """
    master = regression.seed if selection.seed is None else selection.seed
    own_widths = {width for row in regression.rows for width in row.widths}
    replaced = bool(set(selection.widths) - own_widths)
    native: dict[str, tuple[PlannedJob, Row]] = {}
    moved: dict[str, tuple[PlannedJob, Row]] = {}
    for row in regression.rows:
        for point in _points(row, selection, replaced):
            is_native = point.width in row.widths and point.simulator in row.simulators
            for planned in _jobs(row, point, master, selection.seeds or row.seeds, is_native):
                found = native if is_native else moved
                if is_native and planned.id in native:
                    first = native[planned.id][1].line
                    raise UsageError(
                        f"{regression.path}:{row.line}: asks for job {planned.id} "
                        f"a second time; the first is in line {first}"
                    )
                found.setdefault(planned.id, (planned, row))
    # Where a replaced width or simulator meets a row written for it, that row wins.
    jobs = {**moved, **native}
    if not jobs:
        raise UsageError(_nothing_selected(regression))
    line = {job_id: row.line for job_id, (_, row) in jobs.items()}
    return sorted((planned for planned, _ in jobs.values()), key=lambda job: line[job.id])


def planned_job(job: Job, index: int, timeout: float) -> PlannedJob:
    """Give a job its id and its build."""
    design = design_of(job.test)
    changed = _changed(design, job.architecture, job.width, job.parameters.items())
    point = BuildPoint(job.architecture, job.width, job.simulator, changed, design.name)
    name = f"{job.test}-{job.architecture}-{job.width}-{job.simulator}-s{index}"
    return PlannedJob("-".join([name, *_variation(changed)]), job, timeout, point)


def _points(row: Row, selection: Selection, replaced: bool) -> Iterator[BuildPoint]:
    design = design_of(row.test)
    architectures = [
        name
        for name in row.architectures
        if not selection.architectures or name in selection.architectures
    ]
    widths: Iterable[int] = row.widths
    if replaced:
        widths = selection.widths
    elif selection.widths:
        widths = [width for width in row.widths if width in selection.widths]
    for name in architectures:
        for width in widths:
            try:
                check_width(architecture(name), width)
            except DesignError as error:
                raise UsageError(str(error)) from None
            try:
                changed = _changed(design, name, width, row.parameters)
            except DesignError:
                # Only a width the row was not written for: its core cannot be built so.
                continue
            for simulator in selection.simulators or row.simulators:
                yield BuildPoint(name, width, simulator, changed, design.name)


def _jobs(
    row: Row, point: BuildPoint, master: int, seeds: int, native: bool
) -> Iterator[PlannedJob]:
    design, entry = design_of(row.test), architecture(point.architecture)
    operations = row.operations
    if not native and point.simulator == "icarus":
        operations = min(operations, max(MIN_OPERATIONS, operations // ICARUS_SLOWDOWN))
    coordinates = [row.test, point.architecture, point.width, point.parameters]
    for index in range(1, seeds + 1):
        job = Job(
            test=row.test,
            architecture=point.architecture,
            width=point.width,
            simulator=point.simulator,
            seed=derived_seed(master, coordinates, index),
            operations=operations,
            parameters=resolved_parameters(design, entry, point.width, dict(point.parameters)),
        )
        yield planned_job(job, index, row.timeout)


def _changed(
    design: Design, name: str, width: int, parameters: Iterable[tuple[str, int]]
) -> tuple[tuple[str, int], ...]:
    """The least parameters that resolve to the same values, sorted.

    A default may depend on another parameter, so what equals its default may still have to be said.

    Raises:
        DesignError: unknown name, or values that are not legal.
    """
    entry = architecture(name)
    resolved = resolved_parameters(design, entry, width, dict(parameters))
    least = dict(resolved)
    for parameter in resolved:
        rest = {key: value for key, value in least.items() if key != parameter}
        try:
            if resolved_parameters(design, entry, width, rest) == resolved:
                least = rest
        except DesignError:
            continue
    return tuple(sorted(least.items()))


def _variation(parameters: Iterable[tuple[str, int]]) -> list[str]:
    return [f"{name}{value}" for name, value in parameters]


def _nothing_selected(regression: RegressionList) -> str:
    def shown(values: Iterable[Any]) -> str:
        return ", ".join(map(str, sorted(set(values))))

    rows = regression.rows
    return (
        f"nothing of list {regression.name!r} is selected; it has architectures "
        f"{shown(name for row in rows for name in row.architectures)} and widths "
        f"{shown(width for row in rows for width in row.widths)}"
    )
