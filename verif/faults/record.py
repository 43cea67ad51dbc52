"""Record of the trials: a file that many sessions fill piece by piece.

A trial stays valid until something changes that its verdict depends on (:func:`holds`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from filelock import FileLock

from regress.core.context import Context
from regress.core.errors import UsageError
from regress.core.formats.files import read_json
from regress.core.formats.model import Format, as_json
from regress.core.processes import output
from verif.bench.configuration.design import ROOT
from verif.faults.catalogue import Fault
from verif.faults.jobs import content, jobs_for, plan

RECORD = Path(__file__).with_name("trials.json")
DECIDED = DETECTED, SURVIVED = "detected", "survived"
Outcome = Literal["detected", "survived", "undecided", "broken", "not finished"]


class Trial(Format):
    """Result of one list on one fault.

    Attributes:
        fault: name of the fault.
        list: name of the list.
        outcome: ``undecided`` if the wall-clock limit or another process ended a job, which does
            not depend on the fault; ``broken`` if the changed design does not build.
        job: job that detected the fault.
        message: message of that job, or of the build.
        seconds: wall-clock time of all builds and jobs of the trial.
        jobs: number of jobs that ran.
        commit: measured commit, with a + if files differ from it.
        content: hash of what the verdict depends on, see :func:`verif.faults.jobs.content`.
    """

    fault: str
    list: str
    outcome: Outcome
    job: str = ""
    message: str = ""
    seconds: float = 0.0
    jobs: int = 0
    commit: str = ""
    content: str = ""


class Record(Format):
    """Content of the file.

    Attributes:
        trials: the last trial of each fault and list.
    """

    trials: tuple[Trial, ...] = ()


def read_trials(path: Path) -> list[Trial]:
    """Return the trials of a file; empty if the file does not exist.

    Raises:
        UsageError: the file is not a record.
    """
    return list(read_json(path, Record, "record of faults").trials) if path.exists() else []


def add_trial(path: Path, trial: Trial) -> None:
    """Add a trial to a file or replace the earlier one; other processes may write the file, too."""
    with FileLock(path.with_suffix(".lock")):
        trials = {(one.fault, one.list): one for one in read_trials(path)}
        trials[trial.fault, trial.list] = trial
        lines = [json.dumps(as_json(trials[key])) for key in sorted(trials)]
        path.write_text('{"trials": [\n' + ",\n".join(lines) + "\n]}\n")


def content_of(context: Context, fault: Fault, trial: Trial) -> str:
    """Return the hash of a trial for the present design; empty if the job does not exist.

    A detected fault stays detected as long as the fault, its modules and the job do not change;
    other tests check that the rest of the design still behaves the same. A fault that survived a
    list may be detected as soon as anything in the builds changes.

    Raises:
        UsageError: the list does not exist.
    """
    if trial.outcome == SURVIVED:
        return content(fault, jobs_for(context, fault, trial.list), whole=True)
    found = [planned for planned in plan(context, trial.list) if planned.id == trial.job]
    return content(fault, found, whole=False) if found else ""


def holds(context: Context, fault: Fault, trial: Trial) -> bool:
    """Return True if a trial is decided and a new one would give the same result."""
    if trial.outcome not in DECIDED or not trial.content:
        return False
    try:
        return content_of(context, fault, trial) == trial.content
    except UsageError:  # the list no longer exists
        return False


def measured_commit(folder: Path = ROOT, but: Path = RECORD) -> str:
    """Return the commit of a folder, with a + if a file other than the record differs from it."""

    def git(*words: str) -> str:
        return output(["git", "-C", str(folder), *words]).strip()

    commit = git("rev-parse", "--short", "HEAD")
    changed = [line for line in git("status", "--porcelain", "-uno").splitlines()
               if not line.endswith(f"/{but.name}")]  # fmt: skip
    return (commit or "unknown") + ("+" if changed else "")


def last(trials: Sequence[Trial]) -> dict[str, Trial]:
    """Return for each fault the trial that detected it, or the last trial."""
    found: dict[str, Trial] = {}
    for trial in trials:
        if trial.fault not in found or found[trial.fault].outcome != DETECTED:
            found[trial.fault] = trial
    return found
