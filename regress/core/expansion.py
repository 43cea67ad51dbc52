"""Expands a list into jobs, after the command line has narrowed it."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from regress.core.context import Context
from regress.core.errors import UsageError, not_accepted
from regress.core.jobfile import Job
from regress.core.lists import RegressionList, Row
from regress.core.plan import PlannedJob, planned_job
from regress.core.point import Point, PointError
from regress.core.project import Project

MIN_OPERATIONS = 5


@dataclass(frozen=True)
class Selection:
    """How the command line narrows a list. An empty field leaves the list unchanged.

    Attributes:
        values: by axis, keep only these values. If the axis is open and the list lacks one of
            them, these values replace the list's own.
        entries: by axis, keys and integers that are added to the mapping of every list entry.
        simulators: simulators that replace the list's own.
        cross_check: cross-check: run every job on two simulators with the same number of operations.
    """

    values: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    entries: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    simulators: tuple[str, ...] = ()
    seeds: int | None = None
    seed: int | None = None
    tags: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    cross_check: bool = False


def derived_seed(master: int, coordinates: Sequence[Any], index: int) -> int:
    """Compute the seed of one job, 0 ... 2**31 - 1. It does not depend on the order of jobs.

    Args:
        master: seed of the run.
        coordinates: values that distinguish the job's stimulus from that of other jobs. They
            exclude the simulator: both simulators get the same stimulus, so that their results
            can be compared.
        index: number of the seed at this point, 1 for the first.
    """
    text = json.dumps([master, list(coordinates), index])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") & 0x7FFFFFFF


def expand(context: Context, regression: RegressionList, selection: Selection) -> list[PlannedJob]:
    """Return the jobs of a list, ordered by seed number and then by list entry.

    Even a run that stops early has therefore seen the whole list. If entries of different files ask
    for the same job, the entry with more operations wins.

    Raises:
        UsageError: nothing is selected, a value is illegal, or two entries of one file ask for
            the same job.
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
                context, row, place, master, count, is_native, selection.cross_check
            ):
                if regression.code_coverage and context.simulators[simulator].measures_code:
                    planned = replace(planned, job=replace(planned.job, code_coverage=True))
                found = native if is_native else moved
                known = found.get(planned.id)
                if known is None:
                    found[planned.id] = (planned, row)
                elif not is_native or row.draw or known[1].draw:
                    continue  # a drawn job may equal a job of another entry
                elif known[1].path == row.path:
                    raise UsageError(
                        f"{row.place}: asks for job {planned.id} "
                        f"a second time; the first is in line {known[1].line}"
                    )
                elif planned.job.operations > known[0].job.operations:
                    found[planned.id] = (planned, row)
    # A job written for its point and simulator wins over one moved there by the command line.
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
    """Let jobs that run on both simulators write every operation, so that they can be compared."""
    pairs = Counter(planned.stimulus for planned in plan)
    return [
        replace(planned, job=replace(planned.job, trace=True))
        if pairs[planned.stimulus] > 1
        else planned
        for planned in plan
    ]


def _points(
    context: Context, row: Row, selection: Selection, replaced: set[str]
) -> Iterator[tuple[Point, str]]:
    """Yield the selected points and simulators of a list entry."""
    chosen, project = [], context.project
    for axis in project.axes:
        own = row.values[axis.name]
        wanted = selection.values.get(axis.name, ())
        if row.draw and axis.open:
            pass  # the entry was drawn from the selected values
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
            # A replaced value does not fit the other values of the entry: skip the point.
            continue
        for simulator in _simulators(context, row, selection, point):
            yield point, simulator


def _simulators(context: Context, row: Row, selection: Selection, point: Point) -> tuple[str, ...]:
    possible = context.project.simulators(row.test, point)
    if selection.cross_check:
        pair = context.pair
        return pair if not possible or set(pair) <= set(possible) else ()
    wanted = selection.simulators or row.simulators
    if not (selection.entries and possible):
        return wanted
    kept = tuple(name for name in wanted if name in possible)
    if selection.simulators and not kept:
        accepted = not_accepted("simulator", wanted[0], possible)
        raise UsageError(f"{row.test} at {point.text}: {accepted}")
    # The entry's own simulators may not support the added integers: use the first that does.
    return kept or tuple(possible[:1])


def _jobs(
    context: Context,
    row: Row,
    place: tuple[Point, str],
    master: int,
    seeds: int,
    native: bool,
    cross_check: bool,
) -> Iterator[PlannedJob]:
    (point, simulator), project = place, context.project
    operations = row.operations
    # On a slower simulator, run fewer operations to keep the run time roughly the same.
    moved = set(context.pair) - set(row.simulators) if cross_check else {simulator}
    slowdown = max((context.simulators[name].slowdown for name in moved), default=1)
    if slowdown > 1 and (cross_check or not native):
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
