"""Reads a user's vectors (JSON lines) and groups them into jobs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from models.architecture import Architecture
from models.registry import architectures
from regress.errors import UsageError
from regress.lists import DEFAULT_SEED, DEFAULT_TIMEOUT
from regress.plan import PlannedJob, derived_seed, planned_job
from verif.design import default_parameters
from verif.job import Job
from verif.testcases import design_of
from verif.vectors.line import Kind, LineError, Target, Vector, parse
from verif.vectors.powers import Powers
from verif.vectors.products import Products

SECONDS_PER_VECTOR = 20.0
# Far below what a slow machine does at 2048 bits: a limit, not an estimate.
SLOWEST_CLOCKS_PER_SECOND = {"verilator": 5000.0, "icarus": 500.0}


class VectorReader:
    """Checks vectors against the architectures they are meant for.

    Args:
        entries: the whole registry.
        selected: hardware architectures chosen on the command line; empty for all.
    """

    def __init__(self, entries: Mapping[str, Architecture], selected: Sequence[str] = ()) -> None:
        hardware = {name: entry for name, entry in entries.items() if entry.module}
        self._target = Target(
            hardware=hardware,
            models=frozenset(entries.keys() - hardware.keys()),
            selected=tuple(selected) or tuple(hardware),
        )
        self._products = Products()
        self._powers = Powers()

    def read(self, path: Path) -> list[Vector]:
        """All vectors of a file, in its order; one or more for each architecture of a line.

        Raises:
            UsageError: the file cannot be read, is empty, or has malformed lines (all are named).
        """
        try:
            lines = path.read_bytes().splitlines()
        except OSError as error:
            raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
        parsed: list[tuple[int, dict[str, Any]]] = []
        problems: dict[int, str] = {}
        for number, line in enumerate(lines, start=1):
            if line.strip():
                try:
                    fields = parse(line)
                    self._kind(fields).check(fields)
                    parsed.append((number, fields))
                except LineError as error:
                    problems[number] = str(error)
        names = _unique_names(parsed)
        vectors: list[Vector] = []
        for number, fields in parsed:
            try:
                vectors += self._kind(fields).vectors(number, names[number], fields, self._target)
            except LineError as error:
                problems[number] = str(error)
        if problems:
            found = sorted(problems.items())
            raise UsageError(*(f"{path}:{number}: {message}" for number, message in found))
        if not parsed:
            raise UsageError(f"{path}: no vectors; expected one JSON object a line")
        selected = self._target.selected
        vectors = [vector for vector in vectors if vector.architecture in selected]
        if not vectors:
            raise UsageError(f"{path}: no vector is for {', '.join(selected)}")
        return vectors

    def _kind(self, fields: Mapping[str, Any]) -> Kind:
        """The kind that the line has operands of; a line that mixes them misnames a field."""
        kinds: tuple[Kind, ...] = (self._products, self._powers)
        for kind in kinds:
            if any(name in fields for name in kind.required):
                return kind
        choices = " or ".join(", ".join(map(repr, kind.required)) for kind in kinds)
        raise LineError(f"missing {choices}")


def vector_jobs(vectors: Iterable[Vector], simulators: Sequence[str]) -> list[PlannedJob]:
    """One job for each test, architecture, width and simulator."""
    groups: dict[tuple[str, str, int], list[Vector]] = {}
    for vector in vectors:
        groups.setdefault((vector.test, vector.architecture, vector.width), []).append(vector)
    jobs = []
    for (test, name, width), group in groups.items():
        for simulator in simulators:
            job = Job(
                test=test,
                architecture=name,
                width=width,
                simulator=simulator,
                seed=derived_seed(DEFAULT_SEED, [test, name, width], 1),
                parameters=default_parameters(design_of(test), architectures()[name], width),
                cases=tuple(vector.as_job_vector() for vector in group),
            )
            clocks = sum(vector.clocks for vector in group)
            seconds = len(group) * SECONDS_PER_VECTOR
            seconds += clocks / SLOWEST_CLOCKS_PER_SECOND[simulator]
            jobs.append(planned_job(job, 1, max(DEFAULT_TIMEOUT, seconds)))
    return jobs


def _unique_names(parsed: Sequence[tuple[int, dict[str, Any]]]) -> dict[int, str]:
    """A name for every line, so that an outcome can be found again."""
    given = {number: fields.get("name", f"line {number}") for number, fields in parsed}
    count = Counter(given.values())
    return {
        number: name if count[name] == 1 else f"{name} (line {number})"
        for number, name in given.items()
    }
