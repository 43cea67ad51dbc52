"""Ways in which a job tries faults: input of a *way*, and its result for each fault."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from regress.core.jobfile import Job
from regress.core.project import Project
from verif.faults.campaign.chain import Asked
from verif.faults.campaign.record import BROKEN, DETECTED, EQUIVALENT


class State(Enum):
    """Verdict of one job on one fault.

    UNDECIDED: the wall-clock limit or another process ended it, which on a busy machine can also
    happen to a correct design. ABSENT: the build does not contain the fault.
    """

    DETECTED = DETECTED
    EQUIVALENT = EQUIVALENT
    BROKEN = BROKEN
    MISSED = "missed"
    UNDECIDED = "undecided"
    ABSENT = "absent"


@dataclass(frozen=True)
class Tried:
    """A fault after a job.

    Attributes:
        message: why, for people.
        failures: the first failure of each kind that the job reported, in their order.
    """

    state: State
    message: str = ""
    seconds: float = 0.0
    failures: tuple[str, ...] = ()


@dataclass(frozen=True)
class Process:
    """The job of a way, and the folders that the way needs.

    Attributes:
        project: the project.
        job: the job as the list has it, without the faults.
        asked: what the job does.
        folder: folder of the job.
        build: folder with the simulation.
    """

    project: Project
    job: Job
    asked: Asked
    folder: Path
    build: Path


class InvalidDesign(Exception):
    """The job fails without a fault, so it finds none."""
