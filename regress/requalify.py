"""Compares two jobs that differ in the simulator alone: they must agree operation by operation."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from regress.jobfile import RESULT_FILE, TRACE_FILE, JobError, JobResult
from regress.jobrecord import JobRecord
from regress.record import RunRecord
from regress.runfile import Disagreement as Entry
from regress.runfile import Status
from regress.simulators import SIMULATORS

MAX_QUOTED = 100
ABSENT = "nothing"


@dataclass(frozen=True)
class Disagreement:
    """The first thing on which two simulators disagree.

    Attributes:
        operation: number of the operation, 1 for the first; 0 if it is not one operation's.
        field: what differs: a field of the operation's record, ``length`` or a coverage bin.
        values: of the two simulators.
        simulators: their names, in the same order.
    """

    operation: int
    field: str
    values: tuple[str, str]
    simulators: tuple[str, str]

    @property
    def text(self) -> str:
        """The disagreement in one line."""
        where = f"operation {self.operation}: " if self.operation else ""
        (first, second), (one, two) = self.simulators, self.values
        return f"simulators disagree: {where}{self.field} is {one} on {first}, {two} on {second}"


def compare_simulators(record: RunRecord) -> tuple[list[Entry], int]:
    """Compare the jobs that ran on both simulators.

    Returns:
        (the disagreements, number of the pairs that were compared).
    """
    pairs: dict[tuple, list[JobRecord]] = {}
    for job in record.jobs:
        if job.planned.job.trace and job.status in (Status.PASSED, Status.FAILED):
            pairs.setdefault(job.planned.stimulus, []).append(job)
    found = []
    groups = [sorted(jobs, key=_simulator_order) for jobs in pairs.values()]
    twins = [(first, other) for first, *others in groups for other in others]
    for first, second in twins:
        simulators = (first.planned.job.simulator, second.planned.job.simulator)
        try:
            difference = compare_jobs(
                record.folder / first.folder, record.folder / second.folder, simulators
            )
            message = difference.text if difference else ""
        except JobError as error:
            message = f"cannot be compared: {error}"
        if message:
            found.append(Entry((first.planned.id, second.planned.id), message))
    return found, len(twins)


def _simulator_order(record: JobRecord) -> int:
    return list(SIMULATORS).index(record.planned.job.simulator)


def compare_jobs(first: Path, second: Path, simulators: tuple[str, str]) -> Disagreement | None:
    """Compare what two jobs left in their folders; None if they agree.

    Args:
        first: folder of one job.
        second: folder of the other.
        simulators: their simulators, in this order.

    Raises:
        JobError: a trace or result is missing or unreadable; the message names the file.
    """
    found = compare_traces(
        read_trace(first / TRACE_FILE), read_trace(second / TRACE_FILE), simulators
    )
    if found:
        return found
    results = (JobResult.read(first / RESULT_FILE), JobResult.read(second / RESULT_FILE))
    return compare_results(*results, simulators)


def read_trace(path: Path) -> Iterator[dict[str, Any]]:
    """The operations of a trace, one after the other.

    Raises:
        JobError: the file is missing, empty, or a line is not a JSON object.
    """
    number = 0
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                record = json.loads(line)
                if not isinstance(record, dict):
                    raise JobError(f"{path}:{number}: expected a JSON object")
                yield record
    except FileNotFoundError:
        raise JobError(f"{path} is missing") from None
    except JobError:
        raise
    except (OSError, ValueError) as error:
        raise JobError(f"{path}:{number}: cannot be read: {error}") from None
    if not number:
        raise JobError(f"{path} is empty: no operation to compare")


def compare_traces(
    first: Iterator[Mapping[str, Any]],
    second: Iterator[Mapping[str, Any]],
    simulators: tuple[str, str],
) -> Disagreement | None:
    """The first operation and field in which two traces differ; None if they are the same."""
    for number, (one, two) in enumerate(zip_longest(first, second), 1):
        if one is None or two is None:
            counts = tuple(
                f"{number - 1} operations" if record is None else f"at least {number}"
                for record in (one, two)
            )
            return Disagreement(0, "length", (counts[0], counts[1]), simulators)
        for field in [*one, *(name for name in two if name not in one)]:
            if field not in one or field not in two or one[field] != two[field]:
                values = (_shown(one, field), _shown(two, field))
                return Disagreement(number, field, values, simulators)
    return None


def compare_results(
    first: JobResult, second: JobResult, simulators: tuple[str, str]
) -> Disagreement | None:
    """The first bin or total in which two results differ; None if they are the same.

    Simulated and wall-clock time are none of it: time before and after the operations is the
    simulator's own.
    """
    for field in ("operations", "clocks"):
        one, two = getattr(first, field), getattr(second, field)
        if one != two:
            return Disagreement(0, field, (str(one), str(two)), simulators)
    for name in sorted({*first.coverage, *second.coverage}):
        if name not in first.coverage or name not in second.coverage:
            values = tuple(
                "collected" if name in result.coverage else "not collected"
                for result in (first, second)
            )
            return Disagreement(0, f"coverage {name}", (values[0], values[1]), simulators)
        one, two = first.coverage[name]["bins"], second.coverage[name]["bins"]
        for bin_name in sorted({*one, *two}):
            hits = (one.get(bin_name, 0), two.get(bin_name, 0))
            if hits[0] != hits[1]:
                field = f"coverage {name} {bin_name!r}"
                return Disagreement(0, field, (f"{hits[0]} hits", f"{hits[1]} hits"), simulators)
    return None


def _shown(record: Mapping[str, Any], field: str) -> str:
    if field not in record:
        return ABSENT
    text = str(record[field])
    return text if len(text) <= MAX_QUOTED else f"{text[: MAX_QUOTED - 1]}…"
