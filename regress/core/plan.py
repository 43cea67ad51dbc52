"""Expands a list, narrowed by the command line, into jobs."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, InstanceOf, ValidationInfo
from pydantic.json_schema import SkipJsonSchema

from regress.core.context import Context
from regress.core.errors import MissingFile, UsageError, not_accepted
from regress.core.formats.files import read_json, write_json
from regress.core.formats.model import described
from regress.core.jobfile import Job
from regress.core.lists import ExpectedFailure, RegressionList, Row
from regress.core.point import Point, PointError
from regress.core.project import Project

PLAN_FILE = "plan.json"
SCHEMA = 2
MIN_OPERATIONS = 5
CONTEXT = "context"


def _handed_in(given: Any, info: ValidationInfo) -> Any:
    """What a file does not have: the context it is read in."""
    return given or (info.context or {}).get(CONTEXT)


@described()
class BuildPoint:
    """What one build is made for; jobs with the same point share the build."""

    point: Point
    """The configuration, as shortly said as it can be."""
    simulator: str
    """What compiles it."""
    top: str = ""
    """What the tests run on."""
    code_coverage: bool = False
    """It counts lines, branches and toggles."""
    waves: bool = False
    """Built to write waves, where that is a build of its own."""
    hdl: str = ""
    """Folder of the design, whose name says which it is; empty for the run's."""
    unnamed: Annotated[str, SkipJsonSchema(), Field(exclude=True)] = field(
        default="", compare=False
    )
    """The top that names do not mention; no part of the file."""

    @property
    def name(self) -> str:
        """Unique among the builds of one set of sources; safe as a file name."""
        words = [*self.point.plain, self.simulator, *self.point.variation]
        if self.code_coverage:
            words.append("coverage")
        if self.waves:
            words.append("waves")
        if self.hdl:
            words.append(Path(self.hdl).name)
        named = self.point.plain and self.top == self.unnamed
        return "-".join(words if named else [self.top, *words])


@described()
class PlannedJob:
    """A job of the plan."""

    id: str
    """Unique in the plan; safe as a file name."""
    job: Job
    """What the simulation is asked to do."""
    timeout: float
    """Wall-clock limit in seconds."""
    index: int = 1
    """Number of the seed at its point of the matrix, 1 for the first."""
    expected: ExpectedFailure | None = None
    """The failure it must end in; null if it must pass."""
    row: str = ""
    """File and line that ask for it; empty for what no list asks for."""
    budget: float = 0.0
    """Seconds that all jobs of the row may take together; 0 for no limit."""
    after: str = ""
    """Id of the job that must have ended before; this one takes over the cases it left open."""
    may_break: bool = False
    """A build that fails is no failure of the run: the job is not run."""
    context: Annotated[
        InstanceOf[Context] | None,
        SkipJsonSchema(),
        BeforeValidator(_handed_in),
        Field(exclude=True, validate_default=True),
    ] = field(default=None, compare=False, repr=False)
    """What it was planned with; no part of the file, the reader of a plan hands it in."""

    @cached_property
    def point(self) -> BuildPoint:
        """The build it runs on."""
        assert self.context, "a job of a file that was read without a context"
        job, project = self.job, self.context.project
        return BuildPoint(
            project.shortest(job.test, job.point),
            job.simulator,
            project.tests[job.test].top,
            job.code_coverage,
            job.waves and self.context.simulators[job.simulator].waves_cost,
            job.hdl,
            project.default_top,
        )

    @property
    def program(self) -> str:
        """See :class:`regress.executors.local.Runnable`."""
        return (self.job.launch and self.job.launch.program) or "regress.run.job"

    @property
    def stimulus(self) -> tuple[Any, ...]:
        """The same for jobs that differ in nothing but the simulator."""
        job = self.job
        return (job.test, job.point, job.seed, job.operations)


@described(kw_only=True)
class Plan:
    """What a run was asked to do."""

    schema: Literal[2] = SCHEMA
    """Version of this format."""
    name: str
    """Of the list or the vector file."""
    source: str = ""
    """Path of that file."""
    description: str = ""
    """One line for people."""
    command: tuple[str, ...] = ()
    """Command line that repeats the run."""
    options: dict[str, Any] = field(default_factory=dict)
    """How the command line narrowed the list."""
    seed: int = 0
    """Master seed."""
    jobs: tuple[PlannedJob, ...] = ()
    """In the order of the plan."""
    goals: tuple[str, ...] = ()
    """Coverage groups that must be complete."""
    budget: float = 0.0
    """Wall-clock seconds after which no other job starts; 0 for no limit."""
    until_coverage: float = 0.0
    """Percentage of the goals at which no other job starts; 0 for no limit."""
    hdl: Path | None = None
    """Folder with the design to run on; null for the project's own."""
    waves: bool = True
    """Run the first failure of each bucket again with waves."""
    started: datetime = field(default_factory=lambda: datetime.now().astimezone())
    """Local time."""
    apart: str = ""
    """Why it does not count among the runs of its list: another design, by hand; empty if it
    does."""

    def write(self, run: Path) -> None:
        """Write it into the folder of the run."""
        write_json(run / PLAN_FILE, self)

    @classmethod
    def read(cls, context: Context, run: Path) -> Plan:
        """The plan of a run.

        Raises:
            UsageError: there is no run, or its plan cannot be read.
        """
        path = run / PLAN_FILE
        try:
            return read_json(path, cls, "the plan", SCHEMA, {CONTEXT: context})
        except MissingFile:
            raise UsageError(
                f"{run} is no folder of a run; accepted: a folder with {PLAN_FILE} in it"
            ) from None


@dataclass(frozen=True)
class Selection:
    """How the command line narrows a list; an empty field leaves the list as it is.

    Attributes:
        values: by axis, keep only these; if the axis is open and the list lacks one of them, run
            these instead of its own.
        entries: by axis, entries that the mapping of every row gets.
        simulators: run on these instead of the list's own.
        requalify: every job on both simulators, with the same number of operations.
    """

    values: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    entries: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
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


def expand(context: Context, regression: RegressionList, selection: Selection) -> list[PlannedJob]:
    """The jobs of a list: the first seed of every row, then the second of every row, and so on.

    A run that is cut short has then seen all of the list.

    Raises:
        UsageError: nothing is selected, a value is illegal, or two rows of one file ask for the
            same job. Of rows in different files the one with more operations has it.
    """
    master = regression.seed if selection.seed is None else selection.seed
    rows = [
        _with_entries(drawn, selection.entries)
        for row in _selected_rows(regression, selection)
        for drawn in row.drawn(context.project, master, selection.values)
    ]
    replaced = {
        axis.name
        for axis in context.project.axes
        if axis.open
        and set(selection.values.get(axis.name, ()))
        - {value for row in rows for value in row.values[axis.name]}
    }
    native: dict[str, tuple[PlannedJob, Row]] = {}
    moved: dict[str, tuple[PlannedJob, Row]] = {}
    for row in rows:
        for point, simulator in _points(context, row, selection, replaced):
            is_native = simulator in row.simulators and all(
                value in row.values[name] for name, value in point.items()
            )
            count = selection.seeds or row.seeds
            place = (point, simulator)
            for planned in _jobs(
                context, row, place, master, count, is_native, selection.requalify
            ):
                if regression.code_coverage and context.simulators[simulator].measures_code:
                    planned = replace(planned, job=replace(planned.job, code_coverage=True))
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
        raise UsageError(_nothing_selected(context.project, rows, regression.name))
    order = {row.place: number for number, row in enumerate(rows)}
    plan = sorted(
        (planned for planned, _ in jobs.values()), key=lambda job: (job.index, order[job.row])
    )
    return _traced(plan) if context.project.traces else plan


def _selected_rows(regression: RegressionList, selection: Selection) -> list[Row]:
    rows = list(regression.jobs)
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


def _with_entries(row: Row, entries: Mapping[str, Mapping[str, int]]) -> Row:
    values = {
        name: tuple({**value, **entries[name]} for value in given) if name in entries else given
        for name, given in row.values.items()
    }
    return row.at(values)


def _traced(plan: list[PlannedJob]) -> list[PlannedJob]:
    """Jobs that run on both simulators write down every operation, to be compared."""
    pairs = Counter(planned.stimulus for planned in plan)
    return [
        replace(planned, job=replace(planned.job, trace=True))
        if pairs[planned.stimulus] > 1
        else planned
        for planned in plan
    ]


def planned_job(context: Context, job: Job, index: int, timeout: float) -> PlannedJob:
    """Give a job its id, and what its process needs to know."""
    project = context.project
    if not job.launch:
        cases = job.cases or tuple(dict(case) for case in project.cases(job))
        job = replace(job, launch=project.launch(job), cases=cases)
    short = project.shortest(job.test, job.point)
    words = [job.test, *short.plain, job.simulator, f"s{index}", *short.variation]
    return PlannedJob("-".join(words), job, timeout, index, context=context)


def _points(
    context: Context, row: Row, selection: Selection, replaced: set[str]
) -> Iterator[tuple[Point, str]]:
    """The points and simulators of a row, as far as they are selected."""
    chosen, project = [], context.project
    for axis in project.axes:
        own = row.values[axis.name]
        wanted = selection.values.get(axis.name, ())
        if row.draw and axis.open:
            pass  # the selected values were drawn from
        elif axis.name in replaced:
            own = wanted
        elif wanted:
            own = tuple(value for value in own if value in wanted)
        chosen.append(own)
    names = [axis.name for axis in project.axes]
    for values in product(*chosen):
        point = Point(dict(zip(names, values, strict=True)))
        try:
            project.resolved(row.test, point)
        except PointError as error:
            if error.axis in replaced:
                raise UsageError(str(error)) from None
            # Only a value the row was not written for: what else it says does not go with it.
            continue
        for simulator in _simulators(context, row, selection, point):
            yield point, simulator


def _simulators(context: Context, row: Row, selection: Selection, point: Point) -> tuple[str, ...]:
    possible = context.project.simulators(row.test, point)
    if selection.requalify:
        pair = context.pair
        return pair if not possible or set(pair) <= set(possible) else ()
    wanted = selection.simulators or row.simulators
    if not (selection.entries and possible):
        return wanted
    kept = tuple(name for name in wanted if name in possible)
    if selection.simulators and not kept:
        accepted = not_accepted("simulator", wanted[0], possible)
        raise UsageError(f"{row.test} at {point.text}: {accepted}")
    # What the row was given may not run where the row was written for.
    return kept or tuple(possible[:1])


def _jobs(
    context: Context,
    row: Row,
    place: tuple[Point, str],
    master: int,
    seeds: int,
    native: bool,
    requalify: bool,
) -> Iterator[PlannedJob]:
    (point, simulator), project = place, context.project
    operations = row.operations
    # A row keeps roughly its run time when it is moved to a slower simulator.
    moved = set(context.pair) - set(row.simulators) if requalify else {simulator}
    slowdown = max((context.simulators[name].slowdown for name in moved), default=1)
    if slowdown > 1 and (requalify or not native):
        operations = min(operations, max(MIN_OPERATIONS, operations // slowdown))
    coordinates = [row.test, *project.shortest(row.test, point).coordinates]
    for index in range(1, seeds + 1):
        seed = derived_seed(master, coordinates, index)
        job = Job(
            test=row.test,
            point=project.resolved(row.test, point),
            simulator=simulator,
            seed=seed,
            operations=operations,
            time_limit_ns=row.time_limit * 1e9,
            drawn=row.draw is not None,
        )
        yield replace(
            planned_job(context, job, index, row.timeout),
            expected=row.expect_failure,
            row=row.place,
            budget=row.budget or 0.0,
        )


def _nothing_selected(project: Project, rows: Sequence[Row], name: str) -> str:
    said = []
    for axis in project.axes:
        if axis.default is None:
            values = sorted({value for row in rows for value in row.values[axis.name]})
            said.append(f"{axis.key} {', '.join(map(str, values))}")
    return f"nothing of list {name!r} is selected; it has {' and '.join(said) or 'other rows'}"
