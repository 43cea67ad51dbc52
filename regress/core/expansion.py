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
from regress.core.lists import ListEntry, RegressionList
from regress.core.plan import PlannedJob, planned_job
from regress.core.point import MappingAxis, Point, PointError
from regress.core.project import Project
from regress.core.selecting import Expression, checked

MIN_OPERATIONS = 5


@dataclass(frozen=True)
class Selection:
    """Selection of a part of a list on the command line. An empty field leaves the list unchanged.

    Attributes:
        values: by axis, keep only these values. If the axis is open and the list lacks one of
            them, these values replace the list's own.
        entries: by axis, keys and integers that are added to the mapping of every list entry.
        parameters: by axis, keys and integers of the jobs that accept them and do not set the key.
        simulators: simulators that replace the list's own.
        tests: names or patterns of the tests to keep.
        expression: see :class:`regress.core.selecting.Expression`; empty for all.
        cross_check: run every job on two simulators with the same number of operations.
    """

    values: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    entries: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    parameters: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    simulators: tuple[str, ...] = ()
    seeds: int | None = None
    seed: int | None = None
    tags: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    expression: str = ""
    cross_check: bool = False

    @property
    def sets_parameters(self) -> bool:
        """Return whether jobs may have other parameters than their entries."""
        return any((*self.entries.values(), *self.parameters.values()))

    @property
    def narrows(self) -> bool:
        """Return whether jobs of the list may be missing or have other parameters."""
        missing = (*self.values.values(), self.simulators, self.tags, self.tests, self.expression)
        return self.sets_parameters or any(missing)

    def keeps_goals(self, subject: str) -> bool:
        """Return whether the jobs can reach the goals of the list, as far as their bins exist.

        Args:
            subject: the axis of the subjects, which have goals of their own.
        """
        missing = any(values for axis, values in self.values.items() if axis != subject)
        return not (missing or self.entries or self.tags or self.tests or self.expression)


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
        UsageError: nothing is selected, a value is illegal, two entries of one file ask for the
            same job, or two jobs have the same id.
    """
    master = regression.seed if selection.seed is None else selection.seed
    list_entries = [
        _with_entries(drawn, selection.entries)
        for entry in _selected_entries(regression, selection)
        for drawn in entry.drawn(context.project, master, selection.values)
    ]
    replaced = {
        axis.name
        for axis in context.project.axes
        if axis.open
        and set(selection.values.get(axis.name, ()))
        - {value for entry in list_entries for value in entry.values[axis.name]}
    }
    owners: dict[str, Job] = {}
    native: dict[str, tuple[PlannedJob, ListEntry]] = {}
    moved: dict[str, tuple[PlannedJob, ListEntry]] = {}
    for entry in list_entries:
        for point, simulator in _points(context, entry, selection, replaced):
            is_native = simulator in entry.simulators and all(
                value in entry.values[name] for name, value in point.items()
            )
            count = selection.seeds or entry.seeds
            fitted = _fitted(context.project, entry.test, point, selection)
            place = (_with_parameters(context.project, entry.test, fitted, selection), simulator)
            for planned in _jobs(
                context, entry, place, master, count, is_native, selection.cross_check
            ):
                if regression.code_coverage and context.simulators[simulator].measures_code:
                    planned = replace(planned, job=replace(planned.job, code_coverage=True))
                _check_id(planned, owners.setdefault(planned.id, planned.job), entry)
                found = native if is_native else moved
                known = found.get(planned.id)
                if known is None:
                    found[planned.id] = (planned, entry)
                elif not is_native or entry.draw or known[1].draw or entry.pattern:
                    continue  # a drawn job may equal a job of another entry
                elif known[1].pattern:
                    found[planned.id] = (planned, entry)
                # Parameters of the command line can make two jobs of a file equal.
                elif known[1].path == entry.path and not selection.sets_parameters:
                    raise UsageError(
                        f"{entry.place}: asks for job {planned.id} "
                        f"a second time; the first is in line {known[1].line}"
                    )
                elif planned.job.operations > known[0].job.operations:
                    found[planned.id] = (planned, entry)
    # A job written for its point and simulator wins over one moved there by the command line.
    jobs = {**moved, **native}
    if not jobs:
        of_tests = _selected_entries(regression, selection)
        raise UsageError(_nothing_selected(context.project, of_tests, regression.name))
    order = {entry.place: number for number, entry in enumerate(list_entries)}
    plan = sorted(
        (planned for planned, _ in jobs.values()), key=lambda job: (job.index, order[job.entry])
    )
    return _traced(plan) if context.project.traces else plan


def _check_id(planned: PlannedJob, owner: Job, entry: ListEntry) -> None:
    """Check that a job's id belongs to it. Characters of a name that are replaced can make a clash.

    Raises:
        UsageError: the id belongs to a job of another test or point.
    """
    if (owner.test, owner.point) != (planned.job.test, planned.job.point):
        first, second = (
            f"test {job.test!r} {job.point.text}".strip() for job in (owner, planned.job)
        )
        raise UsageError(
            f"{entry.place}: {second} and {first} both have the job id {planned.id}; "
            "rename a test or parameter, or run them in two lists"
        )


def _selected_entries(regression: RegressionList, selection: Selection) -> list[ListEntry]:
    list_entries = list(regression.jobs)
    have = {tag for entry in list_entries for tag in entry.tags}
    for name in selection.tags:
        if name not in have:
            accepted = sorted(have) or ["none"]
            raise UsageError(not_accepted(f"tag of list {regression.name!r}", name, accepted))
    names = list(dict.fromkeys(entry.test for entry in list_entries))
    if selection.tests:
        what = f"test of list {regression.name!r}"
        names = [name for text in selection.tests for name in checked(what, text, names)]
    if selection.expression:
        expression = Expression(selection.expression)
        names = [name for name in names if expression.selects(name)]
        if not names:
            said = f"-k {selection.expression!r} selects no test of list {regression.name!r}"
            raise UsageError(f"{said}; accepted: parts of the names that `list` shows")
    return [
        entry
        for entry in list_entries
        if (not selection.tags or set(selection.tags) & set(entry.tags)) and entry.test in names
    ]


def _with_entries(entry: ListEntry, entries: Mapping[str, Mapping[str, int]]) -> ListEntry:
    values = {
        name: tuple({**value, **entries[name]} for value in given) if name in entries else given
        for name, given in entry.values.items()
    }
    return entry.at(values)


def _with_parameters(project: Project, test: str, point: Point, selection: Selection) -> Point:
    """Return a point with the selected parameters that it accepts and does not set itself.

    All of them are tried together first, because one parameter may need another.
    """
    for axis, given in selection.parameters.items():
        missing = {name: value for name, value in given.items() if name not in point[axis]}
        for added in (missing, *({name: value} for name, value in missing.items())):
            changed = point.with_value(axis, {**point[axis], **added})
            if not _rejection(project, test, changed):
                point = changed
    return point


def _fitted(project: Project, test: str, point: Point, selection: Selection) -> Point:
    """Return a point that is accepted with the added integers, as far as the axis allows.

    See :attr:`regress.core.point.MappingAxis.displaced`.
    """
    for axis in project.axes:
        added = selection.entries.get(axis.name, {})
        if not isinstance(axis, MappingAxis) or not added or not _rejection(project, test, point):
            continue
        gone = {key for name in added for key in axis.displaced.get(name, ())}
        rest = {key: value for key, value in point[axis.name].items() if key not in gone}
        changed = point.with_value(axis.name, rest)
        if not _rejection(project, test, changed):
            point = changed
    return point


def _rejection(project: Project, test: str, point: Point) -> str:
    try:
        project.resolved(test, point)
    except PointError as error:
        return str(error)
    return ""


def jobs_without(
    project: Project, plan: Sequence[PlannedJob], parameters: Mapping[str, Mapping[str, int]]
) -> dict[str, int]:
    """Return the number of jobs that run without a selected parameter, by ``NAME=VALUE``.

    Raises:
        UsageError: no job runs with the parameter.
    """
    counts = {}
    for axis, given in parameters.items():
        for name, value in given.items():
            reasons = [_why_without(project, planned, axis, name, value) for planned in plan]
            without = [reason for reason in reasons if reason is not None]
            if len(without) == len(plan):
                # A design without the parameter lists all its parameters; that is the longer text.
                why = min(filter(None, without), key=len, default="every entry sets another value")
                flag = project.axis(axis).flag
                raise UsageError(f"{flag} {name}={value}: no job accepts it: {why}")
            counts[f"{name}={value}"] = len(without)
    return counts


def _why_without(
    project: Project, planned: PlannedJob, axis: str, name: str, value: int
) -> str | None:
    """Return why a job has no such parameter: a rejection, or empty if its entry sets another.

    None if it has the parameter.
    """
    test, point = planned.job.test, planned.job.point
    changed = point.with_value(axis, {**point[axis], name: value})
    if reason := _rejection(project, test, changed):
        return reason
    return None if project.resolved(test, changed) == point else ""


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
    context: Context, entry: ListEntry, selection: Selection, replaced: set[str]
) -> Iterator[tuple[Point, str]]:
    """Yield the selected points and simulators of a list entry."""
    chosen, project = [], context.project
    for axis in project.axes:
        own = entry.values[axis.name]
        wanted = selection.values.get(axis.name, ())
        if entry.draw and axis.open:
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
            project.resolved(entry.test, _fitted(project, entry.test, point, selection))
        except PointError as error:
            if error.axis in replaced:
                raise UsageError(str(error)) from None
            # A replaced value does not fit the other values of the entry: skip the point.
            continue
        for simulator in _simulators(context, entry, selection, point):
            yield point, simulator


def _simulators(
    context: Context, entry: ListEntry, selection: Selection, point: Point
) -> tuple[str, ...]:
    possible = context.project.simulators(entry.test, point)
    if selection.cross_check:
        pair = context.pair
        return pair if not possible or set(pair) <= set(possible) else ()
    wanted = selection.simulators or entry.simulators
    own = context.project.tests[entry.test].simulators
    if own and not set(own) & set(wanted):  # a test of a tool, which no simulator replaces
        wanted = entry.simulators
    if entry.pattern and possible:
        return tuple(name for name in wanted if name in possible)
    if not (selection.entries and possible):
        return wanted
    kept = tuple(name for name in wanted if name in possible)
    if selection.simulators and not kept:
        accepted = not_accepted("simulator", wanted[0], possible)
        raise UsageError(f"{entry.test} at {point.text}: {accepted}")
    # The entry's own simulators may not support the added integers: use the first that does.
    return kept or tuple(possible[:1])


def _jobs(
    context: Context,
    entry: ListEntry,
    place: tuple[Point, str],
    master: int,
    seeds: int,
    native: bool,
    cross_check: bool,
) -> Iterator[PlannedJob]:
    (point, simulator), project = place, context.project
    operations = entry.operations
    # On a slower simulator, run fewer operations to keep the run time roughly the same.
    moved = set(context.pair) - set(entry.simulators) if cross_check else {simulator}
    slowdown = max((context.simulators[name].slowdown for name in moved), default=1)
    if slowdown > 1 and (cross_check or not native):
        operations = min(operations, max(MIN_OPERATIONS, operations // slowdown))
    coordinates = [entry.test, *project.shortest(entry.test, point).coordinates]
    for index in range(1, seeds + 1):
        seed = derived_seed(master, coordinates, index)
        job = Job(
            test=entry.test,
            point=project.resolved(entry.test, point),
            simulator=simulator,
            seed=seed,
            operations=operations,
            time_limit_ns=entry.time_limit * 1e9,
            drawn=entry.draw is not None,
        )
        yield replace(
            planned_job(context, job, index, entry.timeout),
            expected=entry.expect_failure,
            entry=entry.place,
            budget=entry.budget or 0.0,
        )


def _nothing_selected(project: Project, list_entries: Sequence[ListEntry], name: str) -> str:
    said = []
    for axis in project.axes:
        if axis.default is None:
            values = sorted({value for entry in list_entries for value in entry.values[axis.name]})
            said.append(f"{axis.key} {', '.join(map(str, values))}")
    known = " and ".join(said) or "other entries"
    return f"the options select no job of list {name!r}; it has {known}"
