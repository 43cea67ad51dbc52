"""What a run leaves behind: the data of ``run.json`` and of every report."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from enum import Enum
from importlib import metadata
from pathlib import Path
from typing import Any

from regress.build import BuildOutcome
from regress.coverage import Coverage, GoalResult
from regress.plan import PlannedJob
from regress.tools import Simulator
from verif.design import ROOT
from verif.job import JobResult

RUN_FILE = "run.json"
SCHEMA = 1
PACKAGES = ("cocotb", "cocotb-bus", "pyuvm", "gmpy2")


class Status(str, Enum):
    """What became of a job."""

    PASSED = "passed"
    FAILED = "failed"
    BUILD_ERROR = "build_error"
    SKIPPED = "skipped"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True)
class JobRecord:
    """One job and what became of it.

    Attributes:
        planned: the job.
        status: what became of it.
        message: one line, empty if it passed.
        seconds: wall-clock time of its process.
        folder: the job's folder, relative to the run's; empty if it never started.
        result: what the simulation reported, None if nothing readable.
    """

    planned: PlannedJob
    status: Status
    message: str = ""
    seconds: float = 0.0
    folder: str = ""
    result: JobResult | None = None

    @property
    def log(self) -> str:
        """Path of the log relative to the run's folder; empty if there is none."""
        return f"{self.folder}/log.txt" if self.folder else ""

    def as_json(self) -> dict[str, Any]:
        """The job's entry in run.json."""
        job = self.planned.job
        result = self.result or JobResult()
        return {
            "id": self.planned.id,
            "test": job.test,
            "architecture": job.architecture,
            "width": job.width,
            "simulator": job.simulator,
            "parameters": job.parameters,
            "seed": job.seed,
            "timeout": self.planned.timeout,
            "status": self.status.value,
            "message": self.message,
            "seconds": round(self.seconds, 3),
            "folder": self.folder,
            "operations": result.operations,
            "clocks": result.clocks,
            "sim_time_ns": result.sim_time_ns,
            "wall_seconds": result.wall_seconds,
            "failures": result.failures,
        }


@dataclass
class RunRecord:
    """A run, finished or not.

    Attributes:
        name: of the list or of the vector file.
        source: path of that file.
        description: one line for people.
        command: the command line that started it.
        options: how the command line narrowed the list.
        seed: master seed.
        folder: where the run is.
        simulators: the installed simulators it used.
        started: local time.
        seconds: wall-clock time so far.
        finished: False while it runs; a run that was killed stays so.
        interrupted: the user ended it.
        builds: what became of the builds.
        jobs: what became of the jobs, in the order of the plan.
        coverage: merged over the jobs that passed.
        goals: the list's goals.
    """

    name: str
    source: str
    description: str
    command: list[str]
    options: dict[str, Any]
    seed: int
    folder: Path
    simulators: Mapping[str, Simulator]
    started: datetime
    seconds: float = 0.0
    finished: bool = False
    interrupted: bool = False
    builds: list[BuildOutcome] = field(default_factory=list)
    jobs: list[JobRecord] = field(default_factory=list)
    coverage: Coverage = field(default_factory=dict)
    goals: list[GoalResult] = field(default_factory=list)

    @property
    def problems(self) -> list[JobRecord]:
        """Jobs that failed, a failed build included, in the order of the plan."""
        bad = (Status.FAILED, Status.BUILD_ERROR)
        return [record for record in self.jobs if record.status in bad]

    @property
    def unmet_goals(self) -> list[GoalResult]:
        """The goals that were not reached."""
        return [goal for goal in self.goals if not goal.met]

    @property
    def passed(self) -> bool:
        """At least one job ran, every job that could run passed and every goal is met."""
        ran = [record for record in self.jobs if record.status is not Status.SKIPPED]
        return (
            self.finished
            and bool(ran)
            and all(record.status is Status.PASSED for record in ran)
            and not self.unmet_goals
        )

    @property
    def verdict(self) -> str:
        """``passed``, ``failed``, ``interrupted`` or ``running``."""
        if self.interrupted:
            return "interrupted"
        if not self.finished:
            return "running"
        return "passed" if self.passed else "failed"

    def count(self, status: Status) -> int:
        """Number of jobs with this status."""
        return sum(1 for record in self.jobs if record.status is status)

    def as_json(self) -> dict[str, Any]:
        """The contents of run.json."""
        return {
            "schema": SCHEMA,
            "name": self.name,
            "source": self.source,
            "description": self.description,
            "command": self.command,
            "options": self.options,
            "seed": self.seed,
            "status": self.verdict,
            "started": self.started.isoformat(timespec="seconds"),
            "seconds": round(self.seconds, 3),
            "tools": tool_versions(self.simulators.values()),
            "summary": {status.value: self.count(status) for status in Status},
            "builds": [_build_json(build, self.folder) for build in self.builds],
            "jobs": [record.as_json() for record in self.jobs],
            "coverage": {
                architecture: {
                    name: {"bins": group.bins, "goal": sorted(group.goal)}
                    for name, group in groups.items()
                }
                for architecture, groups in self.coverage.items()
            },
            "goals": [asdict(goal) for goal in self.goals],
        }

    def write(self) -> None:
        """Write run.json; a reader never sees half of it."""
        target = self.folder / RUN_FILE
        temporary = target.with_suffix(".tmp")
        temporary.write_text(json.dumps(self.as_json(), indent=1) + "\n")
        temporary.replace(target)


def tool_versions(simulators: Iterable[Simulator]) -> dict[str, str]:
    """Versions of what took part in a run."""
    versions = {tool.name: f"{tool.version} ({tool.origin})" for tool in simulators}
    for package in PACKAGES:
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    versions["python"] = platform.python_version()
    versions["system"] = f"{platform.system()} {platform.machine()}, {os.cpu_count()} CPUs"
    versions["sources"] = _commit()
    return versions


def command_line(arguments: Iterable[str]) -> list[str]:
    """The command that repeats this run."""
    return [Path(sys.executable).name, "-m", "regress", *arguments]


def _commit() -> str:
    command = ["git", "-C", str(ROOT), "describe", "--always", "--dirty"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return "unknown"
    return done.stdout.strip() or "unknown"


def _build_json(build: BuildOutcome, run: Path) -> dict[str, Any]:
    log = build.log
    return {
        "name": build.point.name,
        "status": "built" if build.folder else "failed",
        "cached": build.cached,
        "seconds": round(build.seconds, 3),
        "folder": str(build.folder) if build.folder else "",
        "errors": list(build.errors),
        "log": str(log.relative_to(run) if log and log.is_relative_to(run) else log or ""),
    }
