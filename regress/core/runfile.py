"""Names of a run's files, and the formats of most of their parts.

The checker, the JSON schema and the page (``regress/docs/run-json.md``) of these files are
generated from the models.
"""

from __future__ import annotations

from enum import Enum
from typing import Annotated, NamedTuple

from pydantic import Field

from regress.core.formats.model import Format, described
from regress.core.jobfile import Count

RUN_FILE = "run.json"
STATUS_FILE = "status.json"
JOBS_FOLDER = "jobs"
SCHEMA = 5

Seconds = Annotated[float, Field(ge=0)]


class Status(str, Enum):
    """Outcome of a job.

    passed; failed; build_error, its build failed; expected_failure, it failed as its list expects;
    skipped, its simulator is not installed or cocotb skipped the test; not_run, a limit was reached
    before; interrupted.
    """

    PASSED = "passed"
    FAILED = "failed"
    BUILD_ERROR = "build_error"
    EXPECTED_FAILURE = "expected_failure"
    SKIPPED = "skipped"
    NOT_RUN = "not_run"
    INTERRUPTED = "interrupted"


# A resumed run skips jobs with these statuses.
DONE = (Status.PASSED, Status.FAILED, Status.EXPECTED_FAILURE)
LEFT_OUT = (Status.SKIPPED, Status.NOT_RUN)
NEVER_STARTED = (*LEFT_OUT, Status.BUILD_ERROR)
GOOD = (Status.PASSED, Status.EXPECTED_FAILURE)
BAD = (Status.FAILED, Status.BUILD_ERROR)


@described()
class GoalResult:
    """Whether a subject has reached a goal of the list."""

    subject: str
    """Value on the project's first axis."""
    group: str
    """Name of the coverage group."""
    met: bool
    """Every required bin was hit."""
    message: str
    """Missing bins; empty if the goal is met."""


@described()
class Closure:
    """Jobs, operations and time until the last required bin of a subject was hit."""

    subject: str
    """Value on the project's first axis."""
    jobs: Count
    """Number of jobs until the last of these bins was hit."""
    operations: Count
    """Operations of these jobs."""
    seconds: Seconds
    """Sum of the wall-clock times of these jobs."""
    hit: Count
    """Required bins that were hit."""
    total: Count
    """Number of required bins."""


@described()
class Score:
    """Number of points that were hit, and of all points."""

    hit: Count
    """Points that were hit."""
    total: Count
    """Points that count."""

    @property
    def percent(self) -> float | None:
        """Share of points that were hit; None without points."""
        return 100.0 * self.hit / self.total if self.total else None

    @property
    def text(self) -> str:
        """Text for tables; it shows 100 % only if every point was hit."""
        if self.percent is None:
            return "–"
        shown = "100" if self.hit == self.total else f"{min(self.percent, 99.9):.1f}"
        return f"{shown} % ({self.hit} of {self.total})"


@described()
class Rerun:
    """Rerun of a failed job, with the same seed and with waves."""

    status: Status
    """Status at the end."""
    message: str
    """One line; empty if it passed."""
    folder: str
    """Folder of the build; empty if it failed."""
    picture: str = ""
    """SVG of the waveform around the failure; may be empty."""
    waves: str = ""
    """The FST file; may be empty."""
    finding: str = ""
    """The first difference in the waves; empty if they show none."""
    note: str = ""
    """Reason for a missing picture."""


class FailedCase(Format):
    """A case of a job that failed."""

    job: str
    """Id of the job."""
    name: str
    """Name of the case."""


class ShrunkEntry(Format):
    """The simplest configuration found that still fails in the same way."""

    job: str
    """Id of the failing job at this configuration."""
    configuration: str
    """The configuration in words."""
    message: str
    """Failure of this job."""
    folder: str
    """Folder of this job."""
    tries: Count
    """Configurations that were tried."""
    finished: bool
    """True if all simpler configurations were tried; false if the time ran out."""


class BucketEntry(Format):
    """Failures that probably have the same cause."""

    key: str
    """The message without numbers, times and operands."""
    also: tuple[str, ...]
    """Messages of other buckets with the same first difference in the waves."""
    jobs: Annotated[tuple[str, ...], Field(min_length=1)]
    """Ids of the jobs, in the order of the plan."""
    cases: tuple[FailedCase, ...] = ()
    """Cases with this failure; empty if no case has it."""
    message: str
    """Message of the first failure."""
    reproducible: bool | None
    """True if the second run failed in the same way; null without a second run."""
    command: str
    """Command that reproduces the first job's failure, also in a fresh clone."""
    shrunk: ShrunkEntry | None = None
    """A simpler configuration that fails in the same way; null if none was found."""
    rerun: Rerun | None
    """The second run of the first failure; null if it did not run again."""


@described()
class Disagreement:
    """Two jobs that differ only in the simulator, and whose operations or results differ."""

    jobs: tuple[str, str]
    """Ids of the two jobs."""
    message: str
    """The first difference."""
    reruns: tuple[Rerun, ...] = ()
    """Reruns of both jobs with waves; empty if they did not run again."""


class GrowthPoint(NamedTuple):
    """State of the coverage at the end of a job."""

    seconds: Seconds
    operations: Count
    hit: Count
