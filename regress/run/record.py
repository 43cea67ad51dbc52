"""The record of a run: the data of ``run.json`` and of every report."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import metadata
from pathlib import Path

from regress.core.archive import RunFile
from regress.core.buildrecord import BuildOutcome
from regress.core.cases import CaseStatus
from regress.core.context import Context
from regress.core.formats.files import write_json
from regress.core.formats.model import taken
from regress.core.jobrecord import Bucket, JobCase, JobRecord
from regress.core.plan import Plan, PlannedJob
from regress.core.processes import first_line
from regress.core.project import Project
from regress.core.runfile import (
    BAD,
    GOOD,
    LEFT_OUT,
    RUN_FILE,
    Disagreement,
    GoalResult,
    GrowthPoint,
    Status,
)
from regress.coverage.code import KINDS, CodeCoverage
from regress.coverage.exclusions import Exclusions
from regress.coverage.functional import Coverage, add, check_goals, goal_hits
from regress.coverage.target import CoverageTarget
from regress.simulators import Simulator

# Subject of the goals of the code: its points are shared by all subjects.
ALL = "all"


@dataclass
class RunRecord:
    """A run, finished or not.

    Attributes:
        finished: False during the run; stays False if the run is killed.
        stopped: why no more jobs were started before the end of the plan; may be empty.
        broken: the run stopped because it could not continue. It has failed.
        noted_tools: versions that the file of the run states; empty during the run.
        code: code coverage by subject; empty unless the list asks for it.
        worse: figures that are worse than in the last run of their point, a line each.
        problems_of_coverage: coverage files that could not be read, and stale exclusions.
    """

    context: Context
    plan: Plan
    folder: Path
    simulators: Mapping[str, Simulator]
    exclusions: Exclusions = field(default_factory=lambda: Exclusions(Path()))
    seconds: float = 0.0
    finished: bool = False
    interrupted: bool = False
    stopped: str = ""
    broken: bool = False
    workers: int = 1
    noted_tools: Mapping[str, str] = field(default_factory=dict)
    builds: list[BuildOutcome] = field(default_factory=list)
    jobs: list[JobRecord] = field(default_factory=list)
    coverage: Coverage = field(default_factory=dict)
    goals: list[GoalResult] = field(default_factory=list)
    growth: list[GrowthPoint] = field(default_factory=list)
    code: dict[str, CodeCoverage] = field(default_factory=dict)
    target: CoverageTarget | None = None
    problems_of_coverage: list[str] = field(default_factory=list)
    buckets: list[Bucket] = field(default_factory=list)
    disagreements: list[Disagreement] = field(default_factory=list)
    compared: int = 0
    worse: list[str] = field(default_factory=list)

    @property
    def project(self) -> Project:
        """The project whose tests ran."""
        return self.context.project

    @property
    def tools(self) -> dict[str, str]:
        """Versions of the tools, and the commit of the sources."""
        return dict(self.noted_tools) or tool_versions(self.project, self.simulators.values())

    @property
    def problems(self) -> list[JobRecord]:
        """Failed jobs, including failed builds, in the order of the plan."""
        return [record for record in self.jobs if record.status in BAD]

    @property
    def cases(self) -> list[JobCase]:
        """Every case, once. If several jobs of a chain ran a case, this is its last outcome."""
        first: dict[str, str] = {}
        found: dict[tuple[str, str], JobCase] = {}
        for job in self.jobs:
            planned = job.planned
            chain = first[planned.id] = first.get(planned.after, planned.id)
            for case in job.cases:
                if case.status is CaseStatus.OPEN:
                    case = replace(case, status=CaseStatus.NOT_RUN)
                found[chain, case.name] = JobCase(job, case)
        return list(found.values())

    @property
    def operations(self) -> int:
        """Number of checked operations."""
        return sum(record.result.operations for record in self.jobs if record.result)

    @property
    def unmet_goals(self) -> list[GoalResult]:
        """Goals that were not reached."""
        return [goal for goal in self.goals if not goal.met]

    @property
    def passed(self) -> bool:
        """At least one job ran, every job that could run passed, and every goal is met.

        A disagreement of simulators, a coverage problem or a worse figure also fails the run.

        A job that failed as expected counts as passed. A job that a limit dropped did not run.
        """
        ran = [record for record in self.jobs if record.status not in LEFT_OUT]
        return (
            self.finished
            and not self.broken
            and bool(ran)
            and all(record.status in GOOD for record in ran)
            and not self.unmet_goals
            and not self.disagreements
            and not self.problems_of_coverage
            and not self.worse
        )

    @property
    def verdict(self) -> str:
        """``passed``, ``failed``, ``interrupted`` or ``running``."""
        if self.interrupted:
            return "interrupted"
        if not self.finished:
            return "running"
        return "passed" if self.passed else "failed"

    def number(self, status: Status) -> int:
        """Return the number of jobs with this status."""
        return sum(1 for record in self.jobs if record.status is status)

    def count(self, record: JobRecord, seconds: float) -> None:
        """Add the coverage of a job, if it passed."""
        if record.status is not Status.PASSED or not record.result:
            return
        job = record.planned.job
        result = self.exclusions.applied(job.point, record.result)
        add(self.coverage, job.subject, result.coverage)
        if self.target:
            self.target.add(job.subject, result, record.seconds)
        operations = self.growth[-1].operations if self.growth else 0
        total, hit = operations + record.result.operations, goal_hits(self.coverage).hit
        self.growth.append(GrowthPoint(round(seconds, 1), total, hit))

    def set_jobs(self, plan: Iterable[PlannedJob], done: Mapping[str, JobRecord]) -> None:
        """Set the jobs of a plan from ``done``, by id; jobs missing there count as interrupted."""
        self.jobs = [
            done[planned.id].slim()
            if planned.id in done
            else JobRecord(planned, Status.INTERRUPTED, "never started")
            for planned in plan
        ]

    def check_goals(self) -> None:
        """Compare the coverage of the jobs that ran with the goals of the plan."""
        ran = {
            (record.planned.job.subject, record.planned.point.top)
            for record in self.jobs
            if record.status is not Status.SKIPPED
        }
        self.goals = (
            self.target.results()
            if self.target
            else check_goals(self.project, self.coverage, self.plan.goals, ran)
        )

    def check_code_goals(self) -> None:
        """Compare the code coverage of all jobs with the goals of the plan."""
        code = CodeCoverage.merged(self.code.values())
        for kind in self.plan.code_goals:
            score, holes = code.score(kind), code.holes([kind])
            message = f"{score.hit} of {score.total} points hit" if holes or not score.total else ""
            if holes:
                message += f", first hole {holes[0].file}:{holes[0].line} {holes[0].name}"
            self.goals.append(GoalResult(ALL, f"code_{kind}", not message, message))

    @property
    def file(self) -> RunFile:
        """Return the contents of run.json."""
        return taken(
            RunFile,
            self,
            plan=replace(self.plan, jobs=()),
            status=self.verdict,
            seconds=round(self.seconds, 3),
            summary={status: self.number(status) for status in Status},
            coverage={
                subject: {name: group.as_dict() for name, group in groups.items()}
                for subject, groups in self.coverage.items()
            },
            closure=tuple(self.target.closures()) if self.target else (),
            buckets=tuple(bucket.entry for bucket in self.buckets),
            code_coverage={
                name: {kind: code.score(kind) for kind in KINDS} for name, code in self.code.items()
            },
        )

    def write(self) -> None:
        """Write run.json."""
        write_json(self.folder / RUN_FILE, self.file)


@cache  # a run is written several times, and a search takes milliseconds
def _package_version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def tool_versions(project: Project, simulators: Iterable[Simulator]) -> dict[str, str]:
    """Return the versions of the tools that a run uses."""
    versions = {tool.name: f"{tool.version} ({tool.origin})" for tool in simulators}
    found = {package: _package_version(package) for package in project.packages}
    versions |= {package: version for package, version in found.items() if version}
    versions["python"] = platform.python_version()
    versions["system"] = f"{platform.system()} {platform.machine()}, {os.cpu_count()} CPUs"
    root = str(project.root)
    versions["sources"] = first_line(["git", "-C", root, "describe", "--always", "--dirty"])
    return versions


def command_line(arguments: Iterable[str]) -> tuple[str, ...]:
    """Return the command that repeats this run."""
    return (Path(sys.executable).name, "-m", "regress", *arguments)
