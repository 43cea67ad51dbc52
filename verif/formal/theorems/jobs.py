"""Proofs of products and ladders as jobs of the run manager, and the outcomes that a run has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic import TypeAdapter

from regress.core.context import Context
from regress.core.errors import UsageError
from regress.core.jobfile import Job
from regress.core.plan import PlannedJob, planned_job
from regress.core.point import PointError
from regress.core.project import Table, Test
from regress.run.record import RunRecord
from verif.bench.configuration.design import EXPONENTIATION, MULTIPLIER, Design
from verif.bench.configuration.job import point_of
from verif.formal.theorems.configuration import Configuration, configuration
from verif.formal.theorems.ladder import Ladder, ladder
from verif.formal.theorems.prove import Outcome
from verif.formal.theorems.tools import proof_tools

PROGRAM = "verif.formal.theorems.job"
TEST = "prove"
LADDER_TEST = "prove_ladder"
# Seconds of a job: of Coq and Yices together.
TIMEOUT = 7200.0
# Key of a case, and fact of a case: the outcome.
NAME, OUTCOME = "name", "outcome"
STEPS = ("elaborate", "truth tables", "Coq")
HEADINGS = (
    "configuration", "registers", "gates", *(f"{step}, s" for step in STEPS),
    "lemmas, s", "tool", "verdict",
)  # fmt: skip


def _test(name: str, design: Design, description: str) -> Test:
    return Test(
        module=PROGRAM,
        name="main",
        description=f"{description} (command prove)",
        top=f"proved_{design.name}",
        toplevel=design.top,
        simulators=tuple(proof_tools()),
        program=PROGRAM,
    )


# Tests by name, and the test of each design.
TEST_OF: Mapping[str, str] = MappingProxyType(
    {MULTIPLIER.name: TEST, EXPONENTIATION.name: LADDER_TEST}
)
TESTS: Mapping[str, Test] = MappingProxyType(
    {
        TEST: _test(TEST, MULTIPLIER, "whole products, proved for all operands"),
        LADDER_TEST: _test(
            LADDER_TEST, EXPONENTIATION, "products of an exponentiation, proved in order"
        ),
    }
)


def provable(
    test: str, name: str, width: int, parameters: Mapping[str, int], hdl: Path | None = None
) -> Configuration | Ladder:
    """Return what a job of a test proves.

    Raises:
        UsageError: there is no theorem of it, or a width or parameter is illegal.
    """
    make = ladder if test == LADDER_TEST else configuration
    return make(name, width, parameters, hdl)


def cases_of(job: Job) -> list[dict[str, Any]]:
    """Return the case of a job: its configuration."""
    point = job.point
    made = provable(job.test, job.subject, point["width"], point["parameters"])
    return [{NAME: made.name}]


def planned(
    context: Context,
    test: str,
    names: Iterable[str],
    widths: Iterable[int],
    parameters: Mapping[str, int],
    tool: str,
) -> list[PlannedJob]:
    """Return the jobs that prove each architecture at each width, one width after the other.

    Raises:
        UsageError: an architecture has no theory, or a width or parameter is illegal.
    """
    jobs = []
    names = list(names)
    for width in widths:
        for name in names:
            provable(test, name, width, parameters)
            try:
                point = context.project.resolved(test, point_of(name, width, dict(parameters)))
            except PointError as error:
                raise UsageError(str(error)) from None
            job = Job(test=test, point=point, simulator=tool, seed=1)
            jobs.append(planned_job(context, job, 1, TIMEOUT))
    return jobs


@cache
def _adapter() -> TypeAdapter[Outcome]:
    return TypeAdapter(Outcome)


def read_outcome(facts: Mapping[str, Any]) -> Outcome:
    """Return the outcome that JSON has."""
    return _adapter().validate_python(facts)


def write_outcome(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as JSON."""
    return dict(_adapter().dump_python(outcome, mode="json"))


def outcomes(record: RunRecord) -> list[Outcome]:
    """Return the outcomes of a run, in the order of the plan."""
    return [
        read_outcome(case.facts[OUTCOME])
        for job in record.jobs
        if job.planned.job.test in TESTS
        for case in job.cases
        if OUTCOME in case.facts
    ]


def cells(outcome: Outcome) -> list[str]:
    """Return the row of an outcome under :data:`HEADINGS`."""
    found = outcome.seconds
    seconds = [f"{found[step]:.1f}" if step in found else "" for step in STEPS]
    lemmas = outcome.lemma_seconds
    seconds.append("" if lemmas is None else f"{lemmas:.1f}")
    verdict = f"{outcome.verdict} (kept)" if outcome.kept else outcome.verdict
    counts = [str(count or "") for count in (outcome.registers, outcome.gates)]
    return [outcome.name, *counts, *seconds, outcome.tool, verdict]


def sections(record: RunRecord) -> list[Table]:
    """Return the proofs of a run for its report; nothing if it has no proof."""
    found = outcomes(record)
    if not found:
        return []
    tables = [Table("Proved products", HEADINGS, [cells(outcome) for outcome in found])]
    why = [[outcome.name, line] for outcome in found for line in outcome.why]
    return [*tables, *([Table("Rejected", ("configuration", "difference"), why)] if why else [])]
