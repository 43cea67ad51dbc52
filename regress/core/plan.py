"""A plan: the jobs of a run, and the builds they need."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import field, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, InstanceOf, ValidationInfo
from pydantic.json_schema import SkipJsonSchema

from regress.core.context import Context
from regress.core.errors import MissingFile, UsageError
from regress.core.formats.files import read_json, write_json
from regress.core.formats.model import described
from regress.core.jobfile import CODE_KINDS, Job
from regress.core.listformat import ExpectedFailure
from regress.core.point import Point

PLAN_FILE = "plan.json"
SCHEMA = 3
CONTEXT = "context"
# Process of a job that is a simulation.
SIMULATION = "regress.run.job"
# Longest name of a test in the name of a folder.
MOST_NAME = 120


def _handed_in(given: Any, info: ValidationInfo) -> Any:
    """Return the context in which the file is read. The file itself does not contain it."""
    return given or (info.context or {}).get(CONTEXT)


@described()
class BuildPoint:
    """Configuration, simulator and top of one build; jobs with the same point share the build."""

    point: Point
    """The configuration in its shortest form."""
    simulator: str
    """Simulator of the build."""
    top: str = ""
    """Design under test."""
    code_coverage: bool = False
    """The build counts lines, branches and toggles."""
    waves: bool = False
    """The build can write waves, on simulators that need another build for it."""
    hdl: str = ""
    """Folder of the design, named after its variant; empty for the design of the run."""
    unnamed: Annotated[str, SkipJsonSchema(), Field(exclude=True)] = field(
        default="", compare=False
    )
    """The top that names do not mention; no part of the file."""

    @property
    def name(self) -> str:
        """Name of the build: unique for one set of sources, safe as a file name."""
        words = [*self.point.plain, self.simulator, *self.point.variation]
        if self.code_coverage:
            words.append("coverage")
        if self.waves:
            words.append("waves")
        if self.hdl:
            words.append(Path(self.hdl).name)
        named = self.point.plain and self.top == self.unnamed
        return "-".join(words if named else [self.top, *words])


@described()
class PlannedJob:
    """A job of the plan."""

    id: str
    """Unique in the plan; safe as a file name."""
    job: Job
    """The job as the simulation gets it."""
    timeout: float
    """Wall-clock limit in seconds."""
    index: int = 1
    """Number of the seed at its point of the matrix, 1 for the first."""
    expected: ExpectedFailure | None = None
    """The failure that the job must end in; null if it must pass."""
    entry: str = ""
    """File and line of the entry; empty for a job without a list."""
    budget: float = 0.0
    """Seconds that all jobs of the entry may take together; 0 for no limit."""
    after: str = ""
    """Id of an earlier job; this job takes over its unfinished cases."""
    may_break: bool = False
    """If the build fails, the run does not fail, and the job does not run."""
    context: Annotated[
        InstanceOf[Context] | None,
        SkipJsonSchema(),
        BeforeValidator(_handed_in),
        Field(exclude=True, validate_default=True),
    ] = field(default=None, compare=False, repr=False)
    """Context of the plan; not in the file: the reader of a plan adds it."""

    @cached_property
    def point(self) -> BuildPoint:
        """The build on which the job runs.

        Raises:
            UsageError: the project no longer has the test.
        """
        assert self.context, "a job of a file that was read without a context"
        job, project = self.job, self.context.project
        test = project.tests.get(job.test)
        if test is None:
            raise UsageError(f"test {job.test!r} of this run no longer exists in the project")
        return BuildPoint(
            project.shortest(job.test, job.point),
            job.simulator,
            test.top,
            job.code_coverage,
            job.waves and self.context.simulators[job.simulator].waves_cost,
            job.hdl,
            project.default_top,
        )

    @property
    def program(self) -> str:
        """See :class:`regress.executors.local.Runnable`."""
        return (self.job.launch and self.job.launch.program) or SIMULATION

    @property
    def stimulus(self) -> tuple[Any, ...]:
        """A value that is equal for jobs that differ only in the simulator."""
        job = self.job
        return (job.test, job.point, job.seed, job.operations)


@described(kw_only=True)
class Plan:
    """Jobs and options of a run."""

    schema: Literal[3] = SCHEMA
    """Version of this format."""
    name: str
    """Name of the list or of the vector file."""
    source: str = ""
    """Path of that file."""
    description: str = ""
    """One line for people."""
    command: tuple[str, ...] = ()
    """Command line that repeats the run."""
    options: dict[str, Any] = field(default_factory=dict)
    """Options of the command line that select a part of the list."""
    seed: int = 0
    """Master seed."""
    jobs: tuple[PlannedJob, ...] = ()
    """The jobs, in the order of the plan."""
    goals: tuple[str, ...] = ()
    """Coverage groups that must be complete."""
    code_goals: tuple[Literal[CODE_KINDS], ...] = ()
    """Kinds of code coverage that all jobs together must complete."""
    budget: float = 0.0
    """Wall-clock seconds after which no other job starts; 0 for no limit."""
    until_coverage: float = 0.0
    """Percentage of the goals at which no other job starts; 0 for no limit."""
    hdl: Path | None = None
    """Folder with the design to run on; null for the project's own."""
    waves: bool = True
    """Run the first failure of each bucket again with waves."""
    shrink: bool = True
    """Search for a simpler configuration with the same failure."""
    started: datetime = field(default_factory=lambda: datetime.now().astimezone())
    """Local time."""
    apart: str = ""
    """Why the run does not count among the runs of its list, for example another design; empty if
    it does."""

    def write(self, run: Path) -> None:
        """Write the plan into the folder of the run."""
        write_json(run / PLAN_FILE, self)

    @classmethod
    def read(cls, context: Context, run: Path) -> Plan:
        """Read the plan of a run.

        Raises:
            UsageError: the folder holds no run, or the plan cannot be read.
        """
        path = run / PLAN_FILE
        try:
            return read_json(path, cls, "the plan", SCHEMA, {CONTEXT: context})
        except MissingFile:
            raise UsageError(
                f"{run} is not a folder of a run; accepted: a folder with {PLAN_FILE} in it"
            ) from None


def check_jobs(jobs: Iterable[PlannedJob]) -> None:
    """Check that a plan has each job once, and the jobs whose cases other jobs take over.

    Raises:
        UsageError: two jobs have the same id, or a job's predecessor is missing.
    """
    jobs = list(jobs)
    counts = Counter(planned.id for planned in jobs)
    for planned in jobs:
        if counts[planned.id] > 1:
            raise UsageError(f"job {planned.id} is in the plan twice")
        if planned.after and planned.after not in counts:
            raise UsageError(
                f"job {planned.id} takes over the cases of job {planned.after}, "
                "which is not in the plan"
            )


def planned_job(context: Context, job: Job, index: int, timeout: float) -> PlannedJob:
    """Give a job its id and the data that its process needs."""
    project = context.project
    if not job.launch:
        cases = job.cases or tuple(dict(case) for case in project.cases(job))
        job = replace(job, launch=project.launch(job), cases=cases)
    short = project.shortest(job.test, job.point)
    words = [file_name(job.test), *short.plain, job.simulator, f"s{index}", *short.variation]
    return PlannedJob("-".join(words), job, timeout, index, context=context)


def file_name(test: str) -> str:
    """Return a test's name as a part of a file name: ``steps/n=4`` becomes ``steps.n=4``."""
    name = re.sub(r"[^\w.=+@,-]", ".", test)
    changed = name != test.replace("/", ".")
    if len(name) <= MOST_NAME and not changed:
        return name
    # Names that differ only in replaced or cut characters must stay different.
    return f"{name[:MOST_NAME]}.{hashlib.sha256(test.encode()).hexdigest()[:6]}"
