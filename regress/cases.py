"""The named parts of a job, its cases: what became of each, written down while the test runs.

A test that works on a list of things a user knows by name appends a line for each as soon as it is
done, so that a job which is interrupted, killed or out of time keeps what it has finished.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

CASES_FILE = "cases.jsonl"


class CaseStatus(str, Enum):
    """What became of a case."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_RUN = "not_run"


@dataclass(frozen=True)
class Case:
    """One case of a job.

    Attributes:
        name: unique in the job.
        status: what became of it.
        message: what is wrong, in one line that does not repeat the name; empty if it passed.
        note: what else there is to say of it, for people.
        facts: the same and more, for programs.
    """

    name: str
    status: CaseStatus
    message: str = ""
    note: str = ""
    facts: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Case:
        """The case that :meth:`as_json` wrote.

        Raises:
            KeyError, TypeError, ValueError: it is none.
        """
        return cls(
            name=str(data["name"]),
            status=CaseStatus(data["status"]),
            message=str(data["message"]),
            note=str(data["note"]),
            facts=dict(data["facts"]),
        )

    def as_json(self) -> dict[str, Any]:
        """Its line in the file, and its entry in run.json."""
        return {**vars(self), "status": self.status.value}

    def append(self, folder: Path) -> None:
        """Add it to the file in a job's folder."""
        with (folder / CASES_FILE).open("a", encoding="utf-8") as file:
            file.write(json.dumps(self.as_json(), ensure_ascii=False) + "\n")


def read_cases(folder: Path) -> tuple[Case, ...]:
    """The cases that a job has written down; a line that was cut short is left out."""
    try:
        lines = (folder / CASES_FILE).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ()
    found = []
    for line in lines:
        try:
            found.append(Case.of(json.loads(line)))
        except (KeyError, TypeError, ValueError):
            continue
    return tuple(found)


def count_cases(folder: Path) -> int:
    """How many cases a job that still runs has written down."""
    try:
        return (folder / CASES_FILE).read_bytes().count(b"\n")
    except OSError:
        return 0


def completed(names: Iterable[str], found: Iterable[Case]) -> tuple[Case, ...]:
    """One case for every name: as found, failed if found more than once, else not run."""
    found = list(found)
    count = Counter(case.name for case in found)
    by_name = {case.name: case for case in found}
    cases = []
    for name in names:
        if count[name] > 1:
            message = f"{count[name]} outcomes, expected one"
            cases.append(Case(name, CaseStatus.FAILED, message))
        else:
            cases.append(by_name.get(name, Case(name, CaseStatus.NOT_RUN)))
    return tuple(cases)


def cases_text(count: Mapping[CaseStatus, int]) -> str:
    """How many cases there are of each status."""
    found = [(status.value.replace("_", " "), count[status]) for status in CaseStatus]
    words = [f"{number} {name}" for name, number in found if number]
    total = sum(count.values())
    return f"{', '.join(words)} of {total} case{'s' if total > 1 else ''}"
