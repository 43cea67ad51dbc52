"""Compares two jobs that differ only in the simulator: every operation must agree."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any

from regress.core.errors import UsageError, clipped
from regress.core.jobfile import RESULT_FILE, TRACE_FILE, Job, JobResult
from regress.core.runfile import Disagreement, Status
from regress.run.record import RunRecord

MAX_QUOTED = 100
# The item that differs, and its value on the first and on the second simulator.
Difference = tuple[str, str, str]


def compare_simulators(record: RunRecord) -> tuple[list[Disagreement], int]:
    """Compare the jobs that ran on both simulators; jobs that are no simulation have no trace.

    Returns:
        (the disagreements, number of compared job pairs).
    """
    order, alike, found = list(record.context.simulators), defaultdict(list), []
    traced = [job for job in record.jobs if _is_traced(job.planned.job)]
    for job in sorted(traced, key=lambda job: order.index(job.planned.job.simulator)):
        if job.status in (Status.PASSED, Status.FAILED):
            alike[job.planned.stimulus].append(job)
    twins = [(first, other) for first, *others in alike.values() for other in others]
    for first, second in twins:
        simulators = (first.planned.job.simulator, second.planned.job.simulator)
        try:
            message = compare_jobs(
                record.folder / first.folder, record.folder / second.folder, simulators
            )
        except UsageError as error:
            message = f"cannot be compared: {error}"
        if message:
            found.append(Disagreement((first.planned.id, second.planned.id), message))
    return found, len(twins)


def _is_traced(job: Job) -> bool:
    return job.trace and not (job.launch and job.launch.program)


def compare_jobs(first: Path, second: Path, simulators: tuple[str, str]) -> str:
    """Return the first disagreement between the folders of two jobs; empty if they agree.

    Raises:
        UsageError: a trace or result is missing or unreadable; the message names the file.
    """
    difference = compare_traces(read_trace(first / TRACE_FILE), read_trace(second / TRACE_FILE))
    if not difference:
        results = (JobResult.read(first / RESULT_FILE), JobResult.read(second / RESULT_FILE))
        difference = compare_results(*results)
    if not difference:
        return ""
    what, one, two = difference
    return f"simulators disagree: {what} is {one} on {simulators[0]}, {two} on {simulators[1]}"


def read_trace(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the operations of a trace in order.

    Raises:
        UsageError: the file is missing or empty, or a line is not a JSON object.
    """
    number = 0
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                record = json.loads(line)
                if not isinstance(record, dict):
                    raise UsageError(f"{path}:{number}: expected a JSON object")
                yield record
    except FileNotFoundError:
        raise UsageError(f"{path} is missing") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}:{number}: cannot be read: {error}") from None
    if not number:
        raise UsageError(f"{path} is empty: no operation to compare")


def compare_traces(
    first: Iterator[Mapping[str, Any]], second: Iterator[Mapping[str, Any]]
) -> Difference | None:
    """Return the first operation and field in which two traces differ; None if they are equal."""
    for number, (one, two) in enumerate(zip_longest(first, second), 1):
        if one is None or two is None:
            ended, longer = f"{number - 1} operations", f"at least {number}"
            return "length", ended if one is None else longer, ended if two is None else longer
        if found := _first_difference(one, two):
            return f"operation {number}: {found[0]}", *found[1:]
    return None


def compare_results(first: JobResult, second: JobResult) -> Difference | None:
    """Return the first bin or total in which two results differ; None if they are equal.

    Simulated and wall-clock times are not compared, because the time before and after the
    operations depends on the simulator.
    """
    return _first_difference(_counts(first), _counts(second))


def _counts(result: JobResult) -> dict[str, Any]:
    counts: dict[str, Any] = {"operations": result.operations, "cycles": result.cycles}
    for name, group in sorted(result.coverage.items()):
        counts[f"coverage {name}"] = "collected"
        hits = sorted(group["bins"].items())
        counts |= {f"coverage {name} {bin_name!r}": f"{n} hits" for bin_name, n in hits if n}
    return counts


def _first_difference(one: Mapping[str, Any], two: Mapping[str, Any]) -> Difference | None:
    for field in [*one, *(name for name in two if name not in one)]:
        if field not in one or field not in two or one[field] != two[field]:
            return field, _shown(one, field), _shown(two, field)
    return None


def _shown(record: Mapping[str, Any], field: str) -> str:
    return clipped(str(record[field]), MAX_QUOTED) if field in record else "nothing"
