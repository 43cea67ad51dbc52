"""Runs single jobs. Each attempt has its own folder."""

from __future__ import annotations

import re
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from regress.core.cases import read_cases
from regress.core.jobfile import JOB_FILE
from regress.core.jobrecord import JobRecord
from regress.core.plan import PlannedJob
from regress.core.processes import Ended
from regress.core.project import Project
from regress.core.runfile import JOBS_FOLDER, Status
from regress.executors.local import Executor, WorkerLost
from regress.run.judge import Evidence, Verdict, judge

ATTEMPT = "attempt"


@dataclass(frozen=True)
class Attempt:
    """A job that was started.

    Attributes:
        lost: why the previous attempts do not count.
    """

    planned: PlannedJob
    folder: Path
    build: Path
    lost: tuple[str, ...] = ()


class JobRunner:
    """Runs single jobs in the folder of a run."""

    def __init__(self, project: Project, run: Path, executor: Executor) -> None:
        self._project = project
        self._run = run
        self._executor = executor

    def folder(self, planned: PlannedJob) -> Path:
        """Return the folder that holds all attempts of a job."""
        return self._run / JOBS_FOLDER / planned.id

    def start(self, attempt: Attempt) -> Future[Ended]:
        """Start an attempt; the future may raise OSError or :class:`WorkerLost`."""
        try:
            attempt.folder.mkdir(parents=True)
            attempt.planned.job.write(attempt.folder / JOB_FILE)
            return self._executor.start(attempt.planned, attempt.folder, attempt.build)
        except OSError as error:
            failed: Future[Ended] = Future()
            failed.set_exception(error)
            return failed

    def attempt(
        self, planned: PlannedJob, build: Path, lost: tuple[str, ...] = (), what: str = ATTEMPT
    ) -> Attempt:
        """Prepare the next attempt of a job. Its folder is named ``what`` and a number."""
        folder = self.folder(planned)
        names = (folder / f"{what}-{number}" for number in count(1))
        return Attempt(planned, next(name for name in names if not name.exists()), build, lost)

    def judge(self, attempt: Attempt, ended: Future[Ended]) -> tuple[JobRecord, bool]:
        """Return the result of an attempt, and whether the infrastructure caused the failure."""
        planned = attempt.planned
        name = str(attempt.folder.relative_to(self._run))
        try:
            end = ended.result()
            if end.cancelled:
                record = JobRecord(
                    planned, Status.INTERRUPTED, "interrupted", end.seconds, name,
                    lost=attempt.lost, cases=read_cases(attempt.folder),
                )  # fmt: skip
                return record, False
            evidence = Evidence.collect(self._project, attempt.folder, end, planned.timeout)
        except (OSError, WorkerLost) as error:
            message = f"cannot run the job: {error}"
            return JobRecord(planned, Status.FAILED, message, 0.0, name, lost=attempt.lost), True
        verdict = judge(self._project, planned.job, evidence)
        status, message = _as_expected(planned, verdict)
        record = JobRecord(
            planned, status, message, end.seconds, name, evidence.result, attempt.lost,
            verdict.cases, verdict.details, verdict.failed_at_ns, verdict.warning,
        )  # fmt: skip
        return record, verdict.infrastructure


def _as_expected(planned: PlannedJob, verdict: Verdict) -> tuple[Status, str]:
    """Return status and message of a job, which may be expected to fail."""
    expected, message = planned.expected, verdict.message
    if verdict.skipped:
        return Status.SKIPPED, message
    if expected is None:
        return (Status.PASSED if verdict.passed else Status.FAILED), message
    if verdict.passed:
        return Status.FAILED, f"passed, but was expected to fail: {expected.reason}"
    if re.search(expected.message, message):
        return Status.EXPECTED_FAILURE, f"{expected.reason}: {message}"
    return Status.FAILED, f"failed otherwise than expected ({expected.message!r}): {message}"
