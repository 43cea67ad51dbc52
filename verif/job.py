"""The two files through which a regression job and its simulation talk.

``regress`` writes ``job.json`` into the job's folder and starts the simulator there with
``VERIF_JOB`` naming it; the simulation writes ``result.json`` beside it, whatever happened.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

JOB_VARIABLE = "VERIF_JOB"
RESULT_FILE = "result.json"
WAVES_FILE = "waves.fst"
TRACE_FILE = "operations.jsonl"
CODE_COVERAGE_FILE = "coverage.dat"
# What the key ``cases`` was called when only vectors were such.
OLD_CASES = "vectors"


class JobError(ValueError):
    """A job or result file is missing, unreadable or inconsistent; the message says which."""


@dataclass(frozen=True)
class Job:
    """What one simulator process is asked to do.

    Attributes:
        test: name of a test in ``verif.testcases`` (see :func:`verif.testcases.available_tests`).
        architecture: registry name.
        width: operand width n in bits.
        simulator: ``verilator`` or ``icarus``.
        seed: every random choice of the simulation derives from it.
        operations: how many random operations to run; directed tests run their own number.
        parameters: SystemVerilog parameters of the build other than Width.
        cases: named parts of the job, see :mod:`regress.cases`: a dict each with its ``name``, the
            rest is the test's own. ``needs`` may name cases without which it cannot run.
        time_limit_ns: simulated time after which the test fails; 0 for none.
        waves: write :data:`WAVES_FILE`.
        trace: write :data:`TRACE_FILE`, one line an operation, to compare simulators.
        code_coverage: write :data:`CODE_COVERAGE_FILE`; the build must have been made for it.
    """

    test: str
    architecture: str
    width: int
    simulator: str
    seed: int
    operations: int = 0
    parameters: dict[str, int] = field(default_factory=dict)
    cases: tuple[dict[str, Any], ...] = ()
    time_limit_ns: float = 0.0
    waves: bool = False
    trace: bool = False
    code_coverage: bool = False

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

    def write(self, path: Path) -> None:
        """Write the job as JSON."""
        path.write_text(json.dumps(asdict(self), indent=1) + "\n")

    @classmethod
    def read(cls, path: Path) -> Job:
        """Read a job written by :meth:`write`.

        Raises:
            JobError: the file is missing, not JSON, or has other keys than a job's.
        """
        data = _read(path)
        known = {f.name for f in fields(cls)} | {OLD_CASES}
        if set(data) - known:
            raise JobError(f"{path}: unknown keys {sorted(set(data) - known)}")
        try:
            return cls.of(data)
        except TypeError as error:
            raise JobError(f"{path}: {error}") from None

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Job:
        """The job of such keys, or of those that plans had earlier.

        Raises:
            TypeError: one is missing, unknown, or of the wrong kind.
        """
        rest = {key: value for key, value in data.items() if key not in ("cases", OLD_CASES)}
        return cls(**rest, cases=tuple(data.get("cases", data.get(OLD_CASES, ()))))


@dataclass
class JobResult:
    """What one simulator process found.

    Attributes:
        operations: operations the monitor saw and the scoreboard checked.
        failures: one line each, naming the operands.
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
