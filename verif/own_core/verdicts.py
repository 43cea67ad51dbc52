"""Verdicts of a run on the user's own core, by class or claim and by width."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from regress.core.cases import Case, CaseStatus
from regress.core.formats.model import as_json
from regress.core.jobrecord import JobRecord
from regress.core.project import Table
from regress.run.record import RunRecord
from verif.own_core.description import CoreDescription
from verif.own_core.plan import every_name

HELD, BROKEN, NOT_CLAIMED, NOT_RUN = "held", "broken", "not claimed", "not run"
WORDS = {CaseStatus.PASSED: HELD, CaseStatus.FAILED: BROKEN}


class Verdicts:
    """Outcome of each class and claim at each width.

    Args:
        description: description of the core.
        record: record of a run that checked the core.
    """

    def __init__(self, description: CoreDescription, record: RunRecord) -> None:
        self._description, self._record = description, record

    @cached_property
    def cells(self) -> dict[tuple[str, int], list[tuple[JobRecord, Case]]]:
        """Cases and their jobs by class or claim and width."""
        found: dict[tuple[str, int], list[tuple[JobRecord, Case]]] = {}
        for job in self._record.jobs:
            for case in job.cases:
                place = case.name, job.planned.job.point["width"]
                found.setdefault(place, []).append((job, case))
        return found

    @property
    def widths(self) -> list[int]:
        """All widths that were checked."""
        return sorted({width for _, width in self.cells})

    @property
    def broken(self) -> list[Case]:
        """All broken classes and claims, one case for each width."""
        return [case for some in self.cells.values() for _, case in some if is_broken(case)]

    @property
    def names(self) -> list[str]:
        """Classes and claims of the run."""
        only = self._record.plan.options.get("only")
        return [name for name in every_name(self._description) if not only or name in only]

    def cell(self, name: str, width: int) -> tuple[str, str]:
        """Return the verdict on a class or claim at a width, and the cycles of its operations."""
        cases = [case for _, case in self.cells.get((name, width), [])]
        if not cases:
            return NOT_CLAIMED, ""
        case = next(filter(is_broken, cases), cases[0])
        cycles = dict.fromkeys(str(number) for number in case.facts.get("cycles", ()))
        return WORDS.get(case.status, NOT_RUN), "–".join(cycles)

    def tables(self) -> Iterator[Table]:
        """Yield the tables of the report: the verdicts, and the core's description."""
        rows = [
            [name, *(" ".join(self.cell(name, width)).strip() for width in self.widths)]
            for name in self.names
        ]
        headings = ("Class or claim", *(f"{width} bits" for width in self.widths))
        yield Table("Verdicts and cycles of an operation", headings, rows)
        yield Table(
            "The core as described", ("Field", "Value"), list(_described(self._description))
        )


def _described(description: CoreDescription) -> Iterator[list[str]]:
    for key, value in as_json(description).items():
        if isinstance(value, dict):
            yield from (
                [f"{key}.{name}", str(part)]
                for name, part in value.items()
                if part not in ([], None)
            )
        elif value not in ([], None):
            yield [key, ", ".join(map(str, value)) if isinstance(value, list) else str(value)]


def is_broken(case: Case) -> bool:
    """Return True if a case failed."""
    return case.status is CaseStatus.FAILED
