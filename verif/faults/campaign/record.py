"""Record of a campaign: JSON Lines, one result for each fault and each thing it ran against.

Many sessions fill a record piece by piece. A new result replaces the earlier one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

from filelock import FileLock

from regress.core.errors import UsageError
from regress.core.formats.files import parse_json, write_text
from regress.core.formats.model import Format
from regress.core.processes import output
from verif.bench.configuration.design import ROOT

Outcome = Literal[
    "detected", "equivalent", "no alarm", "survived", "unresolved", "alarm", "broken", "undecided",
    "not finished",
]  # fmt: skip
DETECTED, EQUIVALENT, NO_ALARM = "detected", "equivalent", "no alarm"
SURVIVED, UNRESOLVED, ALARM, BROKEN = "survived", "unresolved", "alarm", "broken"
UNDECIDED, NOT_FINISHED = "undecided", "not finished"
# Outcomes that a second run would repeat.
DECIDED = (DETECTED, EQUIVALENT, NO_ALARM, SURVIVED, UNRESOLVED, ALARM, BROKEN)
# A record keeps this much of a message.
MESSAGE_CHARACTERS = 160
# Outcomes that later runs against something else do not change.
FINAL = (DETECTED, EQUIVALENT, BROKEN)


class Result(Format):
    """Result of one fault against a list, a proof or the check of a core.

    Attributes:
        fault: name of the fault.
        against: what was to find it.
        outcome: ``equivalent``: no test can find it, by proof; ``unresolved``: it survived and
            nothing is proved; ``alarm`` and ``no alarm``: of a correct design; ``undecided``: the
            wall-clock limit or another process ended a job; ``broken``: it does not build.
        job: job that detected the fault.
        message: message of that job, of the build or of the proof.
        failures: the first failure of each kind that the job reported, in their order; empty if the
            result does not have them.
        seconds: time of all builds and jobs; processor time for a fault that shares its build.
        jobs: number of jobs that ran.
        commit: measured commit, with a + if files differ from it.
        content: hash of what the verdict depends on.
    """

    fault: str
    against: str
    outcome: Outcome
    job: str = ""
    message: str = ""
    failures: tuple[str, ...] = ()
    seconds: float = 0.0
    jobs: int = 0
    commit: str = ""
    content: str = ""


def read_results(path: Path) -> list[Result]:
    """Return the results of a file; empty if the file does not exist.

    Raises:
        UsageError: the file is not a record.
    """
    if not path.exists():
        return []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from None
    return [
        parse_json(line, Result, "the result of a fault", f"{path}:{number}")
        for number, line in enumerate(lines, 1)
    ]


def add_results(path: Path, results: Iterable[Result]) -> None:
    """Add results to a file or replace the earlier ones; other processes may write it, too."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(path.with_suffix(".lock")):
        known = {(one.fault, one.against): one for one in [*read_results(path), *results]}
        lines = [
            json.dumps(known[key].model_dump(exclude_defaults=True), ensure_ascii=False)
            for key in sorted(known)
        ]
        write_text(path, "".join(f"{line}\n" for line in lines))


def last(results: Sequence[Result]) -> dict[str, Result]:
    """Return for each fault the result that decides it for good, or the last one."""
    found: dict[str, Result] = {}
    for one in results:
        if one.fault not in found or found[one.fault].outcome not in FINAL:
            found[one.fault] = one
    return found


def measured_commit(folder: Path = ROOT, but: Path = Path()) -> str:
    """Return the commit of a folder, with a + if a file other than ``but`` differs from it."""

    def git(*words: str) -> str:
        return output(["git", "-C", str(folder), *words]).strip()

    commit = git("rev-parse", "--short", "HEAD")
    changed = [line for line in git("status", "--porcelain", "-uno").splitlines()
               if not but.name or not line.endswith(f"/{but.name}")]  # fmt: skip
    return (commit or "unknown") + ("+" if changed else "")
