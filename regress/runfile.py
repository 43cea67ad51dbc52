"""What a run leaves behind for others: ``run.json``, and ``status.json`` of each job.

The models are the description of these files: their checker, their JSON schema and their page
(``regress/docs/run-json.md``) come from them.
"""

from __future__ import annotations

from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from regress.cases import Case
from regress.formats import Format, Positive, described, read_json
from regress.jobfile import Count, GroupHits
from regress.point import Point

RUN_FILE = "run.json"
STATUS_FILE = "status.json"
JOBS_FOLDER = "jobs"
SCHEMA = 3

Seconds = Annotated[float, Field(ge=0)]


class Status(str, Enum):
    """What became of a job.

    passed; failed; build_error, it has no build; expected_failure, it failed as its list says;
    skipped, its simulator is not installed; not_run, a limit was reached before; interrupted.
    """

    PASSED = "passed"
    FAILED = "failed"
    BUILD_ERROR = "build_error"
    EXPECTED_FAILURE = "expected_failure"
    SKIPPED = "skipped"
    NOT_RUN = "not_run"
    INTERRUPTED = "interrupted"


class BuildEntry(Format):
    """One build; jobs share it."""

    name: str
    """Point, simulator and what else tells it from other builds."""
    status: Literal["built", "failed"]
    """Whether there is a simulation."""
    cached: bool
    """It was there already."""
    seconds: Seconds
    """Wall-clock time."""
    folder: str
    """Absolute path of the simulation; empty if it failed."""
    errors: tuple[str, ...]
    """First error lines of the tool."""
    log: str
    """The tool's output; may be empty."""


class JobEntry(Format):
    """One job: one process of a simulator, and those that had to be repeated."""

    id: str
    """Unique in the run; name of the job's folder below jobs/."""
    test: str
    """Name of the test."""
    point: Point
    """A value for each axis of the project."""
    simulator: str
    """What it ran on."""
    seed: Count
    """Every random choice of the job derives from it."""
    timeout: Annotated[float, Field(gt=0)]
    """Wall-clock limit in seconds."""
    status: Status
    """What became of it."""
    message: str
    """One line; empty if it passed."""
    attempts: Count
    """How often it was started."""
    lost: tuple[str, ...]
    """Why each attempt but the last does not count: the infrastructure failed, not the test."""
    seconds: Seconds
    """Wall-clock time of the last attempt's process."""
    folder: str
    """Folder of the last attempt; empty if it never started."""
    operations: Count
    """Operations seen and checked."""
    clocks: Count
    """Busy clocks of these operations, as measured in the hardware."""
    sim_time_ns: Seconds
    """Simulated time at the end."""
    wall_seconds: Seconds
    """Time from the first to the last operation, without the simulator's start."""
    failures: tuple[str, ...]
    """One line each."""
    failure_times: tuple[float, ...]
    """Simulated time of each failure in ns."""
    cases: tuple[Case, ...] = ()
    """The named parts of the job, if it has such."""


@described()
class GoalResult:
    """Whether a subject has reached a goal of the list."""

    subject: str
    """Value on the project's first axis."""
    group: str
    """Name of the coverage group."""
    met: bool
    """Every goal bin was hit."""
    message: str
    """What is missing; empty if met."""


@described()
class Closure:
    """What it took to hit all the goal bins of a subject that were hit."""

    subject: str
    """Value on the project's first axis."""
    jobs: Count
    """In all, so many of them."""
    operations: Count
    """In these jobs."""
    seconds: Seconds
    """Wall-clock time of these jobs, together."""
    hit: Count
    """Goal bins that were hit."""
    total: Count
    """Goal bins there are."""


class ScoreEntry(Format):
    """How many of some points were hit."""

    hit: Count
    """Points that were hit."""
    total: Count
    """Points that count."""


@described()
class Rerun:
    """A failed job run once more, with the same seed and with waves."""

    status: Status
    """What became of it."""
    message: str
    """One line; empty if it passed."""
    folder: str
    """Its folder; empty if it could not be built."""
    picture: str = ""
    """SVG of the waveform around the failure; may be empty."""
    waves: str = ""
    """The FST file; may be empty."""
    save_file: str = ""
    """What GTKWave opens; may be empty."""
    finding: str = ""
    """The first thing in the waves that is wrong; empty if they do not tell."""
    note: str = ""
    """Why there is no picture."""


class CaseEntry(Format):
    """A case of a job."""

    job: str
    """Id of the job."""
    name: str
    """Of the case."""


class ShrunkEntry(Format):
    """The simplest configuration found that still fails in the same way."""

    job: str
    """Id of the job there."""
    configuration: str
    """In words."""
    message: str
    """Its failure."""
    folder: str
    """Of the job."""
    tries: Count
    """Configurations that were tried."""
    finished: bool
    """Nothing simpler was left to try; else time was up."""


class BucketEntry(Format):
    """Failures that look like one and the same bug."""

    key: str
    """The message without numbers, times and operands."""
    also: tuple[str, ...]
    """Normalised messages of other kinds whose waves show the same."""
    jobs: Annotated[tuple[str, ...], Field(min_length=1)]
    """Ids of the jobs, in the order of the plan."""
    cases: tuple[CaseEntry, ...] = ()
    """Their cases that failed so; empty if the jobs have none or failed otherwise."""
    message: str
    """Of the first failure."""
    reproducible: bool | None
    """The second run failed in the same way; null if there was none."""
    command: str
    """Reproduces the first job's failure, also in a fresh clone."""
    shrunk: ShrunkEntry | None = None
    """A simpler configuration that fails in the same way; null if none was found."""
    rerun: Rerun | None
    """The second run of the first failure; null if there was none."""


@described()
class Disagreement:
    """Two jobs that differ in the simulator alone and did not do the same."""

    jobs: tuple[str, str]
    """Their ids."""
    message: str
    """The first difference."""
    reruns: tuple[Rerun, ...] = ()
    """Of both, with waves; empty if they were not run again."""


class GrowthPoint(NamedTuple):
    """How far coverage was when a job had ended."""

    seconds: Seconds
    operations: Count
    hit: Count


@described(kw_only=True)
class RunFile:
    """A run of a regression list: what was asked for, what became of it.

    Paths are relative to the folder of the run unless they say otherwise. The file is written every
    half minute while the run goes on.
    """

    schema: Literal[3] = SCHEMA
    """Version of this format; it rises when a field changes its meaning or goes."""
    name: str
    """Name of the list or of the vector file."""
    source: str
    """Path of that file; empty for jobs that no list asked for."""
    description: str
    """One line for people."""
    command: tuple[str, ...]
    """Command line that started the run."""
    options: dict[str, Any]
    """How the command line narrowed the list."""
    seed: Count
    """Master seed; the seed of every job derives from it."""
    apart: str = ""
    """Why it does not count among the runs of its list: another design, by hand; empty if it
    does."""
    status: Literal["passed", "failed", "interrupted", "running"]
    """The verdict. A run that was killed stays running."""
    started: datetime
    """Local time with its offset from UTC, ISO 8601."""
    seconds: Seconds
    """Wall-clock time so far, of all sittings of a resumed run together."""
    stopped: str
    """Why no more jobs were started before the end of the plan; empty if that did not happen."""
    workers: Positive
    """Jobs at once."""
    tools: dict[str, str]
    """Version of everything that took part; `sources` is the commit."""
    summary: dict[Status, Count]
    """Number of jobs by status."""
    builds: tuple[BuildEntry, ...]
    """What became of each build."""
    jobs: tuple[JobEntry, ...]
    """What became of each job, in the order of the plan."""
    coverage: dict[str, dict[str, GroupHits]]
    """Functional coverage of the jobs that passed, by subject and group."""
    goals: tuple[GoalResult, ...]
    """The list's coverage goals."""
    closure: tuple[Closure, ...]
    """With --until-coverage, what it took each subject to hit all the goal bins that it hit."""
    growth: tuple[GrowthPoint, ...]
    """How coverage grew, one entry a job that passed: seconds since the start, operations checked
    so far, goal bins hit so far."""
    buckets: tuple[BucketEntry, ...]
    """The failures, sorted by what they look like; the largest first."""
    code_coverage: dict[str, dict[str, ScoreEntry]]
    """Coverage of the design's source, by subject and kind (line, branch, expr, toggle); empty if
    the list did not ask for it."""
    problems_of_coverage: tuple[str, ...]
    """Files of coverage that could not be read, exclusions that are stale, one line each; the run
    has failed if there are any."""
    compared: Count
    """Pairs of jobs that were compared between simulators."""
    disagreements: tuple[Disagreement, ...]
    """Pairs of jobs that did not do the same on both simulators."""


def read_run(folder: Path) -> RunFile:
    """What a run has written down.

    Raises:
        UsageError: there is no file, it cannot be read, or is of another schema; one line for each
            mistake.
    """
    return read_json(folder / RUN_FILE, RunFile, "the run", SCHEMA)


def read_job(path: Path) -> JobEntry:
    """What a run has written down about a job that has ended.

    Raises:
        UsageError: there is no file or it cannot be read; one line for each mistake.
    """
    return read_json(path, JobEntry, "the job")
