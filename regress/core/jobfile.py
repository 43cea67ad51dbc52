"""The two files that a job and its simulation exchange.

The manager writes ``job.json`` into the job's folder and starts the simulator there. The variable
``REGRESS_JOB`` contains the file's path. The simulation may write ``result.json`` next to it.
"""

from __future__ import annotations

import os
from dataclasses import field, replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import NotRequired, TypedDict

from regress.core.errors import UsageError
from regress.core.formats.files import Stored
from regress.core.formats.model import CONFIG, described
from regress.core.metrics import Metric
from regress.core.point import Point

JOB_VARIABLE = "REGRESS_JOB"
JOB_FILE = "job.json"
RESULT_FILE = "result.json"
# Written by cocotb.
RESULTS_XML = "results.xml"
WAVES_FILE = "waves.fst"
TRACE_FILE = "operations.jsonl"
CODE_COVERAGE_FILE = "coverage.dat"
# Kinds of points of the code, as Verilator names them.
CODE_KINDS = ("line", "branch", "expr", "toggle")
# The test writes a result with this failure at its start, in case the simulation crashes.
NOT_ENDED = "the simulation did not reach its end"

Count = Annotated[int, Field(ge=0)]


@described()
class Launch:
    """Data of the project that the process of a job needs."""

    module: str
    """Python module of the test."""
    test: str
    """Name of the cocotb test in it; empty for every test."""
    toplevel: str
    """Module that was elaborated."""
    environment: dict[str, str] = field(default_factory=dict)
    """More variables of the simulation."""
    plain: bool = False
    """The test does not use regress: the results of cocotb decide, and the runner sets the limit
    of simulated time."""
    folder: str = ""
    """Folder of the project that the simulation sees as its working directory; files that it writes
    go to the job's folder. Empty: the job's folder alone."""
    files: tuple[str, ...] = ()
    """More files and folders of the project that are copied into the working directory."""
    path: tuple[str, ...] = ()
    """Folders of the project that are added to PYTHONPATH."""
    plusargs: tuple[str, ...] = ()
    """Plusargs of the simulation."""
    arguments: tuple[str, ...] = ()
    """More arguments of the simulator's run."""
    program: str = ""
    """Python module that is the job's process instead of a simulation, see
    regress.executors.local.job_command; the job passes by its exit code and its cases."""


@described()
class Job(Stored):
    """Task of one simulator process."""

    what = "the job"

    test: str
    """Name of a test of the project."""
    point: Point
    """The configuration, complete: a value for each axis."""
    simulator: str
    """Name of the simulator."""
    seed: Count
    """Every random choice of the simulation derives from it."""
    operations: Count = 0
    """Number of random operations; a directed test has its own number."""
    cases: tuple[dict[str, Any], ...] = ()
    """Named parts of the job: a mapping each with its `name` and keys of the test. `needs` names
    cases that it depends on."""
    replay: str = ""
    """Sequence in the format of the test that replaces the stimulus of the seed; the result of a
    failed job contains it."""
    time_limit_ns: float = 0.0
    """Simulated time after which the test fails; 0 for none."""
    waves: bool = False
    """Write `waves.fst`."""
    trace: bool = False
    """Write `operations.jsonl`, one line an operation, to compare simulators."""
    code_coverage: bool = False
    """Write `coverage.dat`; the build must count lines, branches and toggles."""
    hdl: str = ""
    """Folder of the design, absolute; empty for the design of the run."""
    drawn: bool = False
    """The point was drawn. The job may hit any bin, but its bins add no goal to the list."""
    launch: Launch | None = field(default=None, compare=False)
    """Start of the process; a plan adds it."""

    @property
    def subject(self) -> str:
        """Value on the first axis of the project."""
        return self.point.subject

    @property
    def case_names(self) -> list[str]:
        """Names of the cases."""
        return [str(case["name"]) for case in self.cases]

    def only(self, name: str) -> Job:
        """Return the same job with one case and the cases that it needs."""
        wanted = {name}
        for case in reversed(self.cases):
            if case["name"] in wanted:
                wanted.update(case.get("needs", ()))
        return replace(self, cases=tuple(case for case in self.cases if case["name"] in wanted))

    @classmethod
    def current(cls) -> tuple[Job, Path]:
        """Return the current simulation's job and the job's folder.

        Raises:
            UsageError: no job is set in the environment.
        """
        path = os.environ.get(JOB_VARIABLE)
        if not path:
            raise UsageError(f"{JOB_VARIABLE} is not set: this simulation is not a job of regress")
        return cls.read(Path(path)), Path(path).parent


class GroupHits(TypedDict):
    """One coverage group of a job."""

    __pydantic_config__ = CONFIG

    bins: dict[str, Count]
    """Hits of each bin."""
    goal: list[str]
    """Bins that must be hit."""
    excluded: NotRequired[list[str]]
    """Bins that the file of exclusions removes from the goal."""


@described(frozen=False)
class JobResult(Stored):
    """Result of one simulator process."""

    what = "the result"

    operations: Count = 0
    """Operations that the bench checked."""
    failures: list[str] = field(default_factory=list)
    """One line each."""
    failure_times: list[float] = field(default_factory=list)
    """Simulated time of each failure in ns, as many as there are failures."""
    coverage: dict[str, GroupHits] = field(default_factory=dict)
    """Groups by name."""
    cycles: Count = 0
    """Sum of the operations' busy cycles, as measured in the hardware."""
    sim_time_ns: float = 0.0
    """Simulated time at the end."""
    replay: str = ""
    """Shortest sequence with the first failure, see `replay` of a job; empty if the failure needs
    the seed."""
    wall_seconds: float = 0.0
    """Time from the first to the last operation, simulator start excluded."""
    metrics: dict[str, Metric] = field(default_factory=dict)
    """Figures by name with their unit. Each is compared with the last run of the point."""
