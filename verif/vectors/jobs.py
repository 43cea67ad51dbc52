"""Groups vectors into jobs, and writes the messages that the user reads before the jobs start."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from models.registry import architectures
from regress.core.cases import CaseStatus
from regress.core.context import Context
from regress.core.expansion import derived_seed
from regress.core.listformat import DEFAULT_SEED, DEFAULT_TIMEOUT
from regress.core.plan import PlannedJob, planned_job
from regress.run.record import RunRecord
from regress.simulators import simulator_class
from verif.bench.configuration.design import default_parameters
from verif.bench.configuration.job import job_of
from verif.bench.configuration.tests_by_name import design_of
from verif.bench.env.text import counted, grouped
from verif.library.vectors.line import Vector
from verif.library.vectors.powers import ExponentiationVector

SECONDS_PER_VECTOR = 20.0
# Limits for the fastest simulator and for any, far below the rate of a slow machine at 2048 bits.
SLOWEST_CYCLES_PER_SECOND = 5000.0
LEAST_CYCLES_PER_SECOND = 500.0
# A job's start takes a second: this much is worth one, and a file that takes longer gets many jobs,
# on all cores. The estimate is the same on every machine, and so are the jobs.
SECONDS_PER_JOB = 10.0
CYCLES_PER_SECOND = 1e6
SECONDS_PER_OPERATION = 2e-3
# A public exponent has far fewer bits than its modulus; a secret one lacks a few by chance.
SHORT = 0.5
# Widths that are named one by one; of more, the least and the greatest.
SHOWN = 8


def vector_jobs(
    context: Context, vectors: Iterable[Vector], simulators: Sequence[str]
) -> list[PlannedJob]:
    """Jobs of about equal length for each test, architecture, width and simulator."""
    groups: dict[tuple[str, str, int], list[Vector]] = {}
    for vector in vectors:
        groups.setdefault((vector.test, vector.architecture, vector.width), []).append(vector)
    jobs = []
    for (test, name, width), group in groups.items():
        for simulator in simulators:
            slowdown = simulator_class(simulator).slowdown
            for index, part in enumerate(_parts(group, slowdown), start=1):
                job = job_of(
                    test=test,
                    architecture=name,
                    width=width,
                    simulator=simulator,
                    seed=derived_seed(DEFAULT_SEED, [test, name, width], index),
                    operations=len(part),
                    parameters=default_parameters(design_of(test), architectures()[name], width),
                    cases=tuple(vector.as_case() for vector in part),
                )
                cycles = sum(vector.cycles for vector in part)
                seconds = len(part) * SECONDS_PER_VECTOR
                rate = max(SLOWEST_CYCLES_PER_SECOND / slowdown, LEAST_CYCLES_PER_SECOND)
                seconds += cycles / rate
                jobs.append(planned_job(context, job, index, max(DEFAULT_TIMEOUT, seconds)))
    return jobs


def _parts(vectors: Sequence[Vector], slowdown: int) -> Iterator[list[Vector]]:
    """The vectors of each job.

    Operations of one line stay together. Operations under one modulus stay together if possible,
    because R² is then computed once.
    """
    lines: dict[int, list[Vector]] = {}
    for vector in vectors:
        lines.setdefault(vector.line, []).append(vector)
    order: dict[int, int] = {}
    for vector in vectors:
        order.setdefault(vector.modulus, len(order))
    part: list[Vector] = []
    seconds = 0.0
    for line in sorted(lines.values(), key=lambda line: order[line[0].modulus]):
        cost = sum(v.cycles / CYCLES_PER_SECOND + SECONDS_PER_OPERATION for v in line) * slowdown
        if part and seconds + cost > SECONDS_PER_JOB:
            yield _by_modulus(part)
            part, seconds = [], 0.0
        part += line
        seconds += cost
    yield _by_modulus(part)


def _by_modulus(part: list[Vector]) -> list[Vector]:
    """Return the vectors grouped by modulus; a vector stays after those that it needs."""
    order: dict[int, int] = {}
    for vector in part:
        order.setdefault(vector.modulus, len(order))
    found = sorted(part, key=lambda vector: order[vector.modulus])
    seen: set[str] = set()
    for vector in found:
        if not seen.issuperset(vector.needs):
            return part
        seen.add(vector.name)
    return found


def size_line(
    vectors: Sequence[Vector], jobs: Sequence[PlannedJob], exact: Sequence[Vector]
) -> str:
    """Return one line with the lines, widths, builds, jobs and operations.

    Args:
        vectors: the vectors at the widths at which they run.
        jobs: the jobs of the vectors.
        exact: the same vectors, each at its own width.
    """
    widths = sorted({vector.width for vector in vectors})
    names = {vector.architecture for vector in vectors}
    builds, most = len({job.point for job in jobs}), _places(exact)
    shown = ", ".join(map(str, widths)) if len(widths) <= SHOWN else f"{widths[0]} to {widths[-1]}"
    text = (
        f"{counted(len({vector.line for vector in vectors}), 'line')} on "
        f"{counted(len(names), 'architecture')} at {counted(len(widths), 'width')} ({shown}): "
        f"{counted(builds, 'build')}, {counted(len(jobs), 'job')}, "
        f"{counted(sum(len(job.job.cases) for job in jobs), 'operation')}"
    )
    few = _places(vectors)
    return f"{text}; exact widths take {builds * most // few} builds" if most > few else text


def remarks(vectors: Sequence[Vector]) -> Iterator[str]:
    """Notes for the user before the jobs start."""
    everywhere = {vector.line for vector in vectors if vector.everywhere}
    names = {vector.architecture for vector in vectors if vector.everywhere}
    if len(names) > 1:
        lines = f"{len(everywhere)} lines name" if len(everywhere) > 1 else "one line names"
        yield (
            f"{lines} no architecture and {'run' if len(everywhere) > 1 else 'runs'} on "
            f"{len(names)} (--arch A,… selects some)"
        )
    short = [
        vector
        for vector in vectors
        if isinstance(vector, ExponentiationVector) and _is_short(vector)
    ]
    if short:
        most = max(short, key=lambda vector: vector.cycles)
        count = len({vector.line for vector in short})
        lines = f"{count} lines have" if count > 1 else "one line has"
        yield (
            f"{lines} a short exponent and no 'length', so all bits are worked off: {most.title} "
            f'takes {grouped(most.cycles)} cycles on {most.architecture}, with "length": '
            f"{most.own_length} it would take {grouped(most.cycles_with(most.own_length))}"
        )


def outcome_line(record: RunRecord) -> str:
    """Return the number of passed vectors, and of those that the hardware rejected as expected."""
    cases = [case for job in record.jobs for case in job.cases]
    passed = [case for case in cases if case.status is CaseStatus.PASSED]
    rejected = sum(bool(case.facts.get("rejected")) for case in passed)
    more = f", {rejected} of them rejected as they must be" if rejected else ""
    return f"{len(passed)} of {len(cases)} vectors passed{more}"


def _places(vectors: Iterable[Vector]) -> int:
    """Builds for one simulator."""
    return len({(vector.test, vector.architecture, vector.width) for vector in vectors})


def _is_short(vector: ExponentiationVector) -> bool:
    return (
        not (vector.limited or vector.reject) and vector.own_length <= SHORT * vector.exponent_bits
    )
