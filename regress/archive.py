"""The plan of a run on disk: what is needed to finish, repeat or report it later."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from regress.errors import UsageError
from regress.plan import PlannedJob
from regress.record import DONE, RUN_FILE, STATUS_FILE, JobRecord, Rerun, Status, write_json
from regress.run import JOBS_FOLDER

Value = TypeVar("Value", int, float, str)
PLAN_FILE = "plan.json"
SCHEMA = 1


@dataclass(frozen=True)
class Plan:
    """What a run was asked to do.

    Attributes:
        name: of the list or the vector file.
        source: path of that file.
        description: one line for people.
        command: command line that started the run.
        options: how the command line narrowed the list.
        seed: master seed.
        jobs: in the order of the plan.
        goals: coverage groups that must be complete.
        budget: wall-clock seconds after which no other job starts; 0 for no limit.
        until_coverage: percentage of the goals at which no other job starts; 0 for no limit.
        hdl: folder with the design to run on, None for the project's own.
        waves: run the first failure of each bucket again with waves.
        started: local time.
        apart: see :class:`regress.record.RunRecord`.
    """

    name: str
    source: str
    description: str
    command: list[str]
    options: dict[str, Any]
    seed: int
    jobs: Sequence[PlannedJob]
    goals: Sequence[str]
    budget: float
    until_coverage: float
    hdl: Path | None
    waves: bool
    started: datetime
    apart: str = ""

    def write(self, run: Path) -> None:
        """Write it into the folder of the run."""
        fields = {
            **vars(self),
            "schema": SCHEMA,
            "jobs": [job.as_json() for job in self.jobs],
            "goals": list(self.goals),
            "hdl": str(self.hdl) if self.hdl else None,
            "started": self.started.isoformat(),
        }
        write_json(run / PLAN_FILE, fields)

    @classmethod
    def read(cls, run: Path) -> Plan:
        """The plan of a run.

        Raises:
            UsageError: there is no run, or its plan cannot be read.
        """
        path = run / PLAN_FILE
        try:
            data = json.loads(path.read_text())
            schema = data.pop("schema")
            if schema != SCHEMA:
                raise UsageError(f"{path}: schema {schema}; accepted: {SCHEMA}")
            data["jobs"] = [PlannedJob.from_json(job) for job in data["jobs"]]
            data["hdl"] = Path(data["hdl"]) if data["hdl"] else None
            data["started"] = datetime.fromisoformat(data["started"])
            return cls(**data)
        except FileNotFoundError:
            raise UsageError(
                f"{run} is no folder of a run; accepted: a folder with {PLAN_FILE} in it"
            ) from None
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise UsageError(f"{path}: cannot be read: {error}") from None


def finished_jobs(run: Path, jobs: Iterable[PlannedJob]) -> list[JobRecord]:
    """The jobs of a run that were brought to an end."""
    records = (
        JobRecord.read(planned, run / JOBS_FOLDER / planned.id / STATUS_FILE, run)
        for planned in jobs
    )
    return [record for record in records if record and record.status in DONE]


def skipped_jobs(run: Path, jobs: Iterable[PlannedJob]) -> list[JobRecord]:
    """The jobs of a run whose simulator was missing, as last written down."""
    try:
        noted = json.loads((run / RUN_FILE).read_text())["jobs"]
        reasons = {
            job["id"]: str(job["message"]) for job in noted if job["status"] == Status.SKIPPED.value
        }
    except (OSError, ValueError, KeyError, TypeError):
        return []
    return [
        JobRecord(planned, Status.SKIPPED, reasons[planned.id])
        for planned in jobs
        if planned.id in reasons
    ]


def earlier_seconds(run: Path) -> float:
    """Wall-clock time of a run so far, as last written down; 0 if that cannot be read."""
    return _noted(run, "seconds", 0.0)


def earlier_workers(run: Path) -> int:
    """How many jobs a run had at once, as last written down; 1 if that cannot be read."""
    return _noted(run, "workers", 1)


def earlier_reason(run: Path) -> str:
    """Why a run started no more jobs before the end of its plan, as last written down."""
    return _noted(run, "stopped", "")


def _noted(run: Path, field: str, default: Value) -> Value:
    """A field of the run's record, made of the default's kind; the default if there is none."""
    try:
        return type(default)(json.loads((run / RUN_FILE).read_text())[field])
    except (OSError, ValueError, KeyError, TypeError):
        return default


def earlier_reruns(run: Path) -> dict[tuple[str, str], tuple[Rerun, bool]]:
    """What came of running failures again with waves, as last written down: by job and case."""
    try:
        buckets = json.loads((run / RUN_FILE).read_text())["buckets"]
        return {
            _place(bucket): (
                Rerun(**{**bucket["rerun"], "status": Status(bucket["rerun"]["status"])}),
                bool(bucket["reproducible"]),
            )
            for bucket in buckets
            if bucket["rerun"]
        }
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        return {}


def _place(bucket: Mapping[str, Any]) -> tuple[str, str]:
    """See :attr:`regress.record.Bucket.place`; buckets of earlier runs have no cases."""
    cases = bucket.get("cases")
    return (cases[0]["job"], cases[0]["name"]) if cases else (bucket["jobs"][0], "")
