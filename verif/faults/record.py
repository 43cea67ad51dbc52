"""What became of faults: a file that is measured in pieces, over many sessions.

A trial holds as long as what its verdict depends on is what it was (:func:`holds`).
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
DECIDED = FOUND, SURVIVED = "found", "survived"
Outcome = Literal["found", "survived", "undecided", "broken", "not finished"]


class Trial(Format):
    """What a list said of a fault.

    Attributes:
        fault: its name.
        list: the list's name.
        outcome: ``undecided`` if a job was ended by its limit of wall-clock time, or from outside,
            which tells more of the machine than of the fault; ``broken`` if no build took it.
        job: that found it.
        message: what that job said, or the build.
        seconds: wall-clock time of all builds and jobs up to then.
        jobs: that were run.
        commit: that was measured; with a + if files were changed since.
        content: of what the verdict depends on, see :func:`verif.faults.jobs.content`.
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
    """The file.

    Attributes:
        trials: the last one of each fault and list.
    """

    trials: tuple[Trial, ...] = ()


def read_trials(path: Path) -> list[Trial]:
    """The trials of a file; none if it is not there yet.

    Raises:
        UsageError: it is no record.
    """
    return list(read_json(path, Record, "record of faults").trials) if path.exists() else []


def add_trial(path: Path, trial: Trial) -> None:
    """Put a trial into a file, in place of the one before; others may write it, too."""
    with FileLock(path.with_suffix(".lock")):
        trials = {(one.fault, one.list): one for one in read_trials(path)}
        trials[trial.fault, trial.list] = trial
        lines = [json.dumps(as_json(trials[key])) for key in sorted(trials)]
        path.write_text('{"trials": [\n' + ",\n".join(lines) + "\n]}\n")


def content_of(context: Context, fault: Fault, trial: Trial) -> str:
    """What a trial's content is today; empty if there is nothing to go by.

    A fault that was found is found again while it, its modules and the job are what they were: the
    rest of the design may be written anew, and tests of its own see to it that it does the same.
    What all jobs of a list let live may be seen as soon as anything in their builds changes.

    Raises:
        UsageError: no such list.
    """
    if trial.outcome == SURVIVED:
        return content(fault, jobs_for(context, fault, trial.list), whole=True)
    found = [planned for planned in plan(context, trial.list) if planned.id == trial.job]
    return content(fault, found, whole=False) if found else ""


def holds(context: Context, fault: Fault, trial: Trial) -> bool:
    """Whether a trial is decided, and still says what a new one would."""
    if trial.outcome not in DECIDED or not trial.content:
        return False
    try:
        return content_of(context, fault, trial) == trial.content
    except UsageError:  # a list that is no more
        return False


def measured_commit(folder: Path = ROOT, but: Path = RECORD) -> str:
    """The commit of a folder, with a + if anything but the record was changed since."""

    def git(*words: str) -> str:
        return output(["git", "-C", str(folder), *words]).strip()

    commit = git("rev-parse", "--short", "HEAD")
    changed = [line for line in git("status", "--porcelain", "-uno").splitlines()
               if not line.endswith(f"/{but.name}")]  # fmt: skip
    return (commit or "unknown") + ("+" if changed else "")


def last(trials: Sequence[Trial]) -> dict[str, Trial]:
    """Of each fault the trial that found it, or the last one."""
    found: dict[str, Trial] = {}
    for trial in trials:
        if trial.fault not in found or found[trial.fault].outcome != FOUND:
            found[trial.fault] = trial
    return found
