"""The two files through which a job and its simulation talk.

The manager writes ``job.json`` into the job's folder and starts the simulator there with the
variable ``REGRESS_JOB`` naming it; the simulation may write ``result.json`` beside it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from regress.point import Point

JOB_VARIABLE = "REGRESS_JOB"
JOB_FILE = "job.json"
RESULT_FILE = "result.json"
WAVES_FILE = "waves.fst"
TRACE_FILE = "operations.jsonl"
CODE_COVERAGE_FILE = "coverage.dat"
# What the key ``cases`` was called when only vectors were such.
OLD_CASES = "vectors"


class JobError(ValueError):
    """A job or result file is missing, unreadable or inconsistent; the message says which."""


@dataclass(frozen=True)
class Launch:
    """What the process of a job needs to know of the project.

    Attributes:
        module: Python module of the test.
        test: name of the cocotb test in it.
        toplevel: module that was elaborated.
        environment: more variables of the simulation.
    """

    module: str
    test: str
    toplevel: str
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Job:
    """What one simulator process is asked to do.

    Attributes:
        test: name of a test of the project.
        point: the configuration, complete.
        simulator: name of the simulator.
        seed: every random choice of the simulation derives from it.
        operations: how many random operations to run; directed tests run their own number.
        cases: named parts of the job, see :mod:`regress.cases`: a dict each with its ``name``, the
            rest is the test's own. ``needs`` may name cases without which it cannot run.
        time_limit_ns: simulated time after which the test fails; 0 for none.
        waves: write :data:`WAVES_FILE`.
        trace: write :data:`TRACE_FILE`, one line an operation, to compare simulators.
        code_coverage: write :data:`CODE_COVERAGE_FILE`; the build must have been made for it.
        drawn: its point was drawn: it may hit any bin, but what it could hit is no goal for that.
        launch: how its process is started; a plan adds it.
    """

    test: str
    point: Point
    simulator: str
    seed: int
    operations: int = 0
    cases: tuple[dict[str, Any], ...] = ()
    time_limit_ns: float = 0.0
    waves: bool = False
    trace: bool = False
    code_coverage: bool = False
    drawn: bool = False
    launch: Launch | None = field(default=None, compare=False)

    @property
    def subject(self) -> str:
        """Value on the first axis of the project."""
        return self.point.subject

    @property
    def case_names(self) -> list[str]:
        """Names of the cases."""
        return [str(case["name"]) for case in self.cases]

    def only(self, name: str) -> Job:
        """The same job with one case, and those it needs."""
        wanted = {name}
        for case in reversed(self.cases):
            if case["name"] in wanted:
                wanted.update(case.get("needs", ()))
        return replace(self, cases=tuple(case for case in self.cases if case["name"] in wanted))

    def as_json(self) -> dict[str, Any]:
        """What :meth:`from_json` takes."""
        given = {item.name: getattr(self, item.name) for item in fields(self)}
        launch = asdict(self.launch) if self.launch else None
        point = self.point.as_json()
        return {**given, "point": point, "cases": list(self.cases), "launch": launch}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Job:
        """The job that was written down.

        What is no field is the value of an axis: so it stood there before jobs had points.

        Raises:
            KeyError, TypeError: ``data`` is not what :meth:`as_json` makes.
        """
        known = {item.name for item in fields(cls)}
        given = {name: value for name, value in data.items() if name in known}
        flat = {n: value for n, value in data.items() if n not in known and n != OLD_CASES}
        if flat and "point" in data:
            raise TypeError(f"unknown keys {sorted(flat)}")
        point = Point({**flat, **data.get("point", {})})
        cases = tuple(data.get("cases", data.get(OLD_CASES, ())))
        launch = Launch(**data["launch"]) if data.get("launch") else None
        return cls(**{**given, "point": point, "cases": cases, "launch": launch})

    def write(self, path: Path) -> None:
        """Write the job as JSON."""
        path.write_text(json.dumps(self.as_json(), indent=1) + "\n")

    @classmethod
    def read(cls, path: Path) -> Job:
        """Read a job written by :meth:`write`.

        Raises:
            JobError: the file is missing, not JSON, or not a job.
        """
        try:
            return cls.from_json(_read(path))
        except (KeyError, TypeError) as error:
            raise JobError(f"{path}: {error}") from None

    @classmethod
    def current(cls) -> tuple[Job, Path]:
        """Within a simulation: its job, and the job's folder.

        Raises:
            JobError: nobody said which job it is.
        """
        path = os.environ.get(JOB_VARIABLE)
        if not path:
            raise JobError(f"{JOB_VARIABLE} is not set: this simulation is no job of regress")
        return cls.read(Path(path)), Path(path).parent


@dataclass
class JobResult:
    """What one simulator process found.

    Attributes:
        operations: operations that were seen and checked.
        failures: one line each.
        failure_times: simulated time of each failure in ns, as many as there are failures.
        coverage: {group: {"bins": {bin: hits}, "goal": [bins that must be hit]}}.
        clocks: sum of the operations' busy clocks, as measured in the hardware.
        sim_time_ns: simulated time at the end.
        wall_seconds: time from the first to the last operation, simulator start excluded.
    """

    operations: int = 0
    failures: list[str] = field(default_factory=list)
    failure_times: list[float] = field(default_factory=list)
    coverage: dict[str, dict[str, Any]] = field(default_factory=dict)
    clocks: int = 0
    sim_time_ns: float = 0.0
    wall_seconds: float = 0.0

    def write(self, path: Path) -> None:
        """Write the result as JSON."""
        path.write_text(json.dumps(asdict(self), indent=1) + "\n")

    @classmethod
    def read(cls, path: Path) -> JobResult:
        """Read a result written by :meth:`write`.

        Raises:
            JobError: the file is missing, not JSON, or not a result.
        """
        data = _read(path)
        data.pop("outcomes", None)  # of vectors, until they became cases
        try:
            return cls(**data)
        except TypeError as error:
            raise JobError(f"{path}: {error}") from None


def _read(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text())
    except FileNotFoundError:
        raise JobError(f"{path} is missing") from None
    except (OSError, ValueError) as error:
        raise JobError(f"{path} cannot be read: {error}") from None
    if not isinstance(data, dict):
        raise JobError(f"{path}: expected a JSON object")
    return data
