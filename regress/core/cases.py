"""Cases, the named parts of a job, and their results.

A test may work on a list of items that the user knows by name. It then appends one line for each
item as soon as the item is done. An interrupted, killed or timed-out job keeps these lines.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import field
from enum import Enum
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from regress.core.formats.model import adapter, as_json, described

CASES_FILE = "cases.jsonl"


class CaseStatus(str, Enum):
    """Outcome of a case; the next job of the chain gets the open cases."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_RUN = "not_run"
    OPEN = "open"


@described()
class Case:
    """One case of a job: its line in the file, and its entry in run.json."""

    name: str
    """Unique in the job."""
    status: CaseStatus
    """Status at the end."""
    message: str = ""
    """The failure in one line, without the name; empty if the case passed."""
    note: str = ""
    """Note for people."""
    facts: dict[str, Any] = field(default_factory=dict)
    """Data of the outcome for programs. A rerun with waves adds the mapping under `again` to the
    case, so that the test can find the failure sooner."""

    def append(self, folder: Path) -> None:
        """Append the case to the file in a job's folder."""
        with (folder / CASES_FILE).open("a", encoding="utf-8") as file:
            file.write(json.dumps(as_json(self), ensure_ascii=False) + "\n")


def read_cases(folder: Path) -> tuple[Case, ...]:
    """Return the cases that a job has written; ignore an incomplete line."""
    try:
        lines = (folder / CASES_FILE).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ()
    found = []
    for line in lines:
        with suppress(ValidationError):
            found.append(adapter(Case).validate_json(line))
    return tuple(found)


def count_cases(folder: Path) -> int:
    """Return how many cases a running job has decided."""
    try:
        text = (folder / CASES_FILE).read_bytes()
    except OSError:
        return 0
    return text.count(b"\n") - text.count(b'"status": "open"')


def completed(names: Iterable[str], found: Iterable[Case]) -> tuple[Case, ...]:
    """Return one case for every name: as found; failed if found more than once; else not run."""
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
    """Return the number of cases of each status as text."""
    found = [(status.value.replace("_", " "), count[status]) for status in CaseStatus]
    words = [f"{number} {name}" for name, number in found if number]
    total = sum(count.values())
    return f"{', '.join(words)} of {total} case{'s' if total > 1 else ''}"
