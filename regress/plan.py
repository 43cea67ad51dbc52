"""Expands a list, narrowed by the command line, into jobs."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from models.registry import architecture
from regress.draw import drawn_rows
from regress.errors import UsageError, not_accepted
from regress.lists import ExpectedFailure, RegressionList, Row
from regress.simulators import BOTH, SIMULATORS
from verif.design import (
    MULTIPLIER,
    Design,
    DesignError,
    check_width,
    resolved_parameters,
)
from verif.job import Job
from verif.testcases import design_of

MIN_OPERATIONS = 5
# They look at state elements that Verilator does not show.
ICARUS_ONLY = ("exp_zeroise",)


@dataclass(frozen=True)
class BuildPoint:
    """What one build is made for; jobs with the same point share the build.

    Attributes:
        architecture: registry name.
        width: operand width in bits.
        simulator: a key of :data:`regress.simulators.SIMULATORS`.
        parameters: the least that determine all, sorted; see :func:`_changed`.
        design: name of the top, a key of :data:`verif.design.DESIGNS`.
        code_coverage: built to count lines, branches and toggles.
        waves: built to write waves, where that is a build of its own.
    """

    architecture: str
    width: int
    simulator: str
    parameters: tuple[tuple[str, int], ...] = ()
    design: str = MULTIPLIER.name
    code_coverage: bool = False
    waves: bool = False

    @property
    def name(self) -> str:
        """Unique among the builds of one set of sources; safe as a file name."""
        words = [self.architecture, str(self.width), self.simulator, *_variation(self.parameters)]
        if self.code_coverage:
            words.append("coverage")
        if self.waves:
            words.append("waves")
        return "-".join(words if self.design == MULTIPLIER.name else [self.design, *words])


@dataclass(frozen=True)
class PlannedJob:
    """A job of the plan.

    Attributes:
        id: unique in the plan; safe as a file name.
        job: what the simulation is asked to do.
        timeout: wall-clock limit in seconds.
        point: the build it runs on.
        index: number of the seed at its point of the matrix, 1 for the first.
        expected: the failure it must end in, None if it must pass.
        row: file and line that ask for it, empty for what no list asks for.
        budget: seconds that all jobs of the row may take together; 0 for no limit.
    """

    id: str
    job: Job
    timeout: float
    point: BuildPoint
    index: int = 1
    expected: ExpectedFailure | None = None
    row: str = ""
    budget: float = 0.0

    @property
    def stimulus(self) -> tuple[Any, ...]:
        """The same for jobs that differ in nothing but the simulator."""
        job = self.job
        parameters = tuple(sorted(job.parameters.items()))
        return (job.test, job.architecture, job.width, parameters, job.seed, job.operations)

    def as_json(self) -> dict[str, Any]:
        """What :meth:`from_json` needs."""
        return {
            "id": self.id,
            "index": self.index,
            "timeout": self.timeout,
            "expected": asdict(self.expected) if self.expected else None,
            "row": self.row,
            "budget": self.budget,
            "job": asdict(self.job),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PlannedJob:
        """The job of a plan that was written down.

        Raises:
            KeyError, TypeError, ValueError: ``data`` is not what :meth:`as_json` makes.
        """
        job = Job.of(data["job"])
        expected = ExpectedFailure(**data["expected"]) if data["expected"] else None
        planned = planned_job(job, data["index"], data["timeout"])
        return replace(
            planned, expected=expected, row=str(data["row"]), budget=float(data["budget"])
        )


@dataclass(frozen=True)
class Selection:
    """How the command line narrows a list; an empty field leaves the list as it is.

    Attributes:
        architectures: keep only these.
        widths: keep only these; if the list lacks one of them, run these instead of its own.
        simulators: run on these instead of the list's own.
        seeds: number of seeds for each point.
        seed: master seed.
        tags: keep only rows with one of these.
        tests: keep only these.
        requalify: every job on both simulators, with the same number of operations.
    """

    architectures: tuple[str, ...] = ()
    widths: tuple[int, ...] = ()
    simulators: tuple[str, ...] = ()
    seeds: int | None = None
    seed: int | None = None
    tags: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    requalify: bool = False


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
    """The jobs of a list: the first seed of every row, then the second of every row, and so on.

    A run that is cut short has then seen all of the list.

    Raises:
        UsageError: nothing is selected, a width is illegal, or two rows of one file ask for the
            same job. Of rows in different files the one with more operations has it.
    """
    master = regression.seed if selection.seed is None else selection.seed
    rows = [
        drawn
        for row in _selected_rows(regression, selection)
        for drawn in drawn_rows(row, master, selection.widths)
    ]
    own_widths = {width for row in rows for width in row.widths}
    replaced = bool(set(selection.widths) - own_widths)
    native: dict[str, tuple[PlannedJob, Row]] = {}
    moved: dict[str, tuple[PlannedJob, Row]] = {}
    for row in rows:
        for point in _points(row, selection, replaced):
            is_native = point.width in row.widths and point.simulator in row.simulators
            count = selection.seeds or row.seeds
            for planned in _jobs(row, point, master, count, is_native, selection.requalify):
                if regression.code_coverage and SIMULATORS[point.simulator].measures_code:
                    planned = with_code_coverage(planned)
                found = native if is_native else moved
                known = found.get(planned.id)
                if known is None:
                    found[planned.id] = (planned, row)
                elif not is_native or row.draw or known[1].draw:
                    continue  # what is drawn may be what another row asks for
                elif known[1].path == row.path:
                    raise UsageError(
                        f"{row.place}: asks for job {planned.id} "
                        f"a second time; the first is in line {known[1].line}"
                    )
                elif planned.job.operations > known[0].job.operations:
                    found[planned.id] = (planned, row)
    # Where a replaced width or simulator meets a row written for it, that row wins.
    jobs = {**moved, **native}
    if not jobs:
        raise UsageError(_nothing_selected(rows, regression.name))
    order = {row.place: number for number, row in enumerate(rows)}
    plan = sorted(
        (planned for planned, _ in jobs.values()), key=lambda job: (job.index, order[job.row])
    )
    return _traced(plan)


def with_code_coverage(planned: PlannedJob) -> PlannedJob:
    """The same job, counting lines, branches and toggles."""
    return replace(
        planned,
        job=replace(planned.job, code_coverage=True),
        point=replace(planned.point, code_coverage=True),
    )


def _selected_rows(regression: RegressionList, selection: Selection) -> list[Row]:
    rows = list(regression.rows)
    for what, wanted, have in (
        ("tag", selection.tags, {tag for row in rows for tag in row.tags}),
        ("test", selection.tests, {row.test for row in rows}),
    ):
        for name in wanted:
            if name not in have:
                accepted = sorted(have) or ["none"]
                raise UsageError(
                    not_accepted(f"{what} of list {regression.name!r}", name, accepted)
                )
    return [
        row
        for row in rows
        if (not selection.tags or set(selection.tags) & set(row.tags))
        and (not selection.tests or row.test in selection.tests)
    ]


def _traced(plan: list[PlannedJob]) -> list[PlannedJob]:
    """Jobs that run on both simulators write down every operation, to be compared."""
    pairs = Counter(planned.stimulus for planned in plan)
    return [
        replace(planned, job=replace(planned.job, trace=True))
        if pairs[planned.stimulus] > 1
        else planned
        for planned in plan
    ]


def planned_job(job: Job, index: int, timeout: float) -> PlannedJob:
    """Give a job its id and its build."""
    design = design_of(job.test)
    changed = _changed(design, job.architecture, job.width, job.parameters.items())
    point = BuildPoint(
        job.architecture,
        job.width,
        job.simulator,
        changed,
        design.name,
        job.code_coverage,
        needs_build_with_waves(job),
    )
    name = f"{job.test}-{job.architecture}-{job.width}-{job.simulator}-s{index}"
    return PlannedJob("-".join([name, *_variation(changed)]), job, timeout, point, index)


def needs_build_with_waves(job: Job) -> bool:
    """Whether a job needs another build than those that write no waves."""
    return job.waves and SIMULATORS[job.simulator].waves_cost


def _points(row: Row, selection: Selection, replaced: bool) -> Iterator[BuildPoint]:
    design = design_of(row.test)
    architectures = [
        name
        for name in row.architectures
        if not selection.architectures or name in selection.architectures
    ]
    widths: Iterable[int] = row.widths
    if row.draw:
        pass  # the selected widths were drawn from
    elif replaced:
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
            for simulator in _simulators(row, selection):
                yield BuildPoint(name, width, simulator, changed, design.name)


def _simulators(row: Row, selection: Selection) -> tuple[str, ...]:
    if not selection.requalify:
        return selection.simulators or row.simulators
    return BOTH if row.test not in ICARUS_ONLY else ()


def _jobs(
    row: Row, point: BuildPoint, master: int, seeds: int, native: bool, requalify: bool
) -> Iterator[PlannedJob]:
    design, entry = design_of(row.test), architecture(point.architecture)
    operations = row.operations
    # A row keeps roughly its run time when it is moved to a slower simulator.
    moved = set(BOTH) - set(row.simulators) if requalify else {point.simulator}
    slowdown = max((SIMULATORS[name].slowdown for name in moved), default=1)
    if slowdown > 1 and (requalify or not native):
        operations = min(operations, max(MIN_OPERATIONS, operations // slowdown))
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
            time_limit_ns=row.time_limit * 1e9,
        )
        yield replace(
            planned_job(job, index, row.timeout),
            expected=row.expected,
            row=row.place,
            budget=row.budget,
        )


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


def _nothing_selected(rows: Sequence[Row], name: str) -> str:
    def shown(values: Iterable[Any]) -> str:
        return ", ".join(map(str, sorted(set(values))))

    return (
        f"nothing of list {name!r} is selected; it has architectures "
        f"{shown(name for row in rows for name in row.architectures)} and widths "
        f"{shown(width for row in rows for width in row.widths)}"
    )
