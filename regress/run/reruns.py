"""Runs failed jobs again with the same seed and with waves."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from pathlib import Path

from regress.core.buildrecord import BuildOutcome
from regress.core.cases import Case
from regress.core.jobrecord import Bucket, JobRecord
from regress.core.listformat import DEFAULT_TIME_LIMIT, DEFAULT_TIMEOUT
from regress.core.plan import BuildPoint, Plan, PlannedJob
from regress.core.processes import Ended
from regress.core.project import Project
from regress.core.runfile import Rerun, Status
from regress.executors.local import Executor
from regress.run.attempts import Attempt, JobRunner
from regress.run.buckets import normalised
from regress.run.record import RunRecord
from regress.waves.document import WaveDocument, document
from regress.waves.fst import WaveError

WAVES_FOLDER = "waves"
# Limits the number of pictures. The report states the total number of buckets.
MAX_RERUNS = 20
# A test that ended the process, or whose module could not be imported, has no waves.
NO_WAVES = ("ProcessExit:", "ModuleNotFoundError:", "ImportError:", "SyntaxError:", "NoSuchTest:")
# A simulation that writes waves is slower.
TIMEOUT_FACTOR = 5.0
# Simulated time after the first failure, because an operation is recorded after its end.
MARGIN_NS = 5000.0


class Reruns:
    """Repeats the first job of each bucket, and both jobs of each disagreement."""

    def __init__(
        self,
        record: RunRecord,
        builder: Callable[[BuildPoint], BuildOutcome],
        executor: Executor,
        draw: Callable[[Path], WaveDocument] | None = None,
        progress: Callable[[str], None] = lambda line: None,
    ) -> None:
        self._record = record
        self._builder = builder
        self._runner = JobRunner(record.project, record.folder, executor)
        self._progress = progress
        self._draw = draw or partial(document, record.project)

    def run(self) -> None:
        """Repeat all such jobs and put the outcome into the record."""
        wanted = [bucket for bucket in self._record.buckets if worth_it(bucket.record)]
        buckets = wanted[:MAX_RERUNS]
        pairs = self._record.disagreements[: MAX_RERUNS // 2]
        by_id = {record.planned.id: record for record in self._record.jobs}
        # Rerun a job or one of its cases: one job may have several kinds of failure.
        again = {bucket.place: with_waves(bucket.shown, bucket.shown_case) for bucket in buckets}
        again |= {(job, ""): with_waves(by_id[job]) for pair in pairs for job in pair.jobs}
        # A job that ran with waves does not run again: its own waves are shown.
        have = {b.place: b for b in buckets if b.record.planned.job.waves and not b.case}
        started = {key: self._start(planned) for key, planned in again.items() if key not in have}
        reruns = {key: self._end(start) for key, start in started.items()}
        for place, bucket in have.items():
            reruns[place] = drawn(self._record.folder, bucket.record, self._draw), bucket.key
        for bucket in buckets:
            bucket.rerun, key = reruns[bucket.place]
            bucket.reproducible = bucket.rerun.status is Status.FAILED and key == bucket.key
        self._record.buckets = joined(self._record.project, self._record.buckets)
        self._record.disagreements = [
            replace(pair, reruns=tuple(reruns[job, ""][0] for job in pair.jobs))
            if pair in pairs
            else pair
            for pair in self._record.disagreements
        ]

    def _start(self, planned: PlannedJob) -> tuple[Attempt, Future[Ended]] | str:
        self._progress(f"building with waves: {planned.point.name}")
        outcome = self._builder(planned.point)
        if outcome.folder is None:
            return f"build failed: {' | '.join(outcome.errors)}"
        self._progress(f"running with waves: {planned.id}")
        attempt = self._runner.attempt(planned, outcome.folder, what=WAVES_FOLDER)
        return attempt, self._runner.start(attempt)

    def _end(self, started: tuple[Attempt, Future[Ended]] | str) -> tuple[Rerun, str]:
        """Return the rerun and the key of its failure's bucket."""
        if isinstance(started, str):
            return Rerun(Status.BUILD_ERROR, started, ""), ""
        attempt, future = started
        record, _ = self._runner.judge(attempt, future)
        failed = record.failed_cases
        message = failed[-1].message if failed else record.message
        return drawn(self._record.folder, record, self._draw), normalised(
            self._record.project, message
        )


def joined(project: Project, found: Sequence[Bucket]) -> list[Bucket]:
    """Merge the buckets whose waves show the same first difference.

    One bug may cause different messages in different tests.
    """
    kept: dict[tuple[str, str], Bucket] = {}
    for number, bucket in enumerate(found):
        finding = bucket.rerun.finding if bucket.rerun and bucket.reproducible else ""
        subject = bucket.record.planned.job.subject
        what = project.kind_of_finding(normalised(project, finding))
        same = (subject, what or str(number))
        first = kept.setdefault(same, bucket)
        if first is not bucket:
            first.jobs.extend(job for job in bucket.jobs if job not in first.jobs)
            first.cases.extend(bucket.cases)
            first.also.append(bucket.title)
    return list(kept.values())


def drawn(run: Path, record: JobRecord, draw: Callable[[Path], WaveDocument]) -> Rerun:
    """Draw the picture of a job that ran with waves, and return its rerun."""
    rerun = Rerun(record.status, record.message, record.folder)
    try:
        page = draw(run / record.folder)
    except WaveError as error:
        return replace(rerun, note=str(error))

    picture, waves = (str(path.relative_to(run)) for path in (page.picture, page.waves))
    return replace(rerun, picture=picture, waves=waves, finding=page.finding)


def with_waves(record: JobRecord, case: Case | None = None) -> PlannedJob:
    """Return the failed job with waves enabled until shortly after its first failure.

    If the record has a replay of the failure, the job runs only that.
    """
    planned, failed_at = record.planned, record.failure_time_ns
    limit, replay = planned.job.time_limit_ns, replay_of(record)
    if replay:  # the replay ends by itself and fails at another time
        failed_at = None
    if failed_at is not None and failed_at > 0 and case is None:
        limit = failed_at + MARGIN_NS
    wanted = planned.job
    if case:
        more = case.facts.get("again", {})
        wanted = wanted.only(case.name)
        cases = ({**one, **more} if one["name"] == case.name else one for one in wanted.cases)
        wanted = replace(wanted, cases=tuple(cases))
    job = replace(wanted, waves=True, trace=False, time_limit_ns=limit, replay=replay)
    timeout = planned.timeout * TIMEOUT_FACTOR
    return replace(planned, job=job, timeout=timeout, expected=None, after="")


def replay_of(record: JobRecord) -> str:
    """Return the text that replays only the failure of a record; empty if unknown."""
    return record.result.replay if record.result else record.planned.job.replay


def worth_it(record: JobRecord) -> bool:
    """Return whether waves can help.

    They cannot if nothing was simulated, or if the simulation hung, never started or left none.
    """
    launch = record.planned.job.launch
    if launch and launch.program:
        return False
    hung = record.message.startswith("timed out") and record.failure_time_ns is None
    gone = record.message.startswith(NO_WAVES)
    return record.status is Status.FAILED and bool(record.folder) and not hung and not gone


def job_command_line(project: Project, planned: PlannedJob) -> list[str]:
    """Return the command line that runs one job with waves. It does not depend on the run."""
    job, point = planned.job, planned.point
    words = ["job", job.test, *point.point.plain, job.simulator]
    words += ["--seed", str(job.seed)]
    if job.replay:
        words += ["--replay", job.replay]
    elif project.counts_operations:
        words += ["--operations", str(job.operations)]
    for axis in project.axes:
        entries = point.point[axis.name]
        if isinstance(entries, dict):
            words += [f"{axis.flag}={name}={value}" for name, value in entries.items()]
    if planned.timeout != DEFAULT_TIMEOUT:
        words += ["--timeout", f"{planned.timeout:g}s"]
    if job.time_limit_ns not in (0.0, DEFAULT_TIME_LIMIT * 1e9):
        words += ["--time-limit", f"{job.time_limit_ns:.15g}ns"]
    return words


def name_commands(project: Project, buckets: Sequence[Bucket], plan: Plan) -> None:
    """Give every bucket the command that reproduces its first failure."""
    design = ["--hdl", str(plan.hdl)] if plan.hdl else []
    for bucket in buckets:
        planned, case = bucket.shown.planned, bucket.case.name if bucket.case else ""
        job = planned.job
        words = project.case_command(job, case, plan.source) if job.cases else ()
        if not words:
            job = replace(job, replay=replay_of(bucket.shown))
            words = job_command_line(project, replace(planned, job=job))
        bucket.command = _in_shell(project, [*words, *design])


def command_of(project: Project, record: JobRecord, plan: Plan) -> str:
    """Return the command that reproduces one job."""
    design = ["--hdl", str(plan.hdl)] if plan.hdl else []
    planned = record.planned
    job = replace(planned.job, replay=replay_of(record))
    return _in_shell(project, [*job_command_line(project, replace(planned, job=job)), *design])


def _in_shell(project: Project, words: Sequence[str]) -> str:
    """Return a command of the project, with the PYTHONPATH that it needs."""
    path = python_path(project.root)
    prefix = f"PYTHONPATH={shlex.quote(path)} " if path else ""
    return prefix + shlex.join([*project.command, *words])


def python_path(root: Path, value: str | None = None) -> str:
    """Return the PYTHONPATH of this process without the folders that a new process finds anyway.

    Args:
        root: folder of the project; folders below it are named relative to it.
        value: the variable; None for the one of this process.
    """
    given = os.environ.get("PYTHONPATH", "") if value is None else value
    found = []
    for name in filter(None, given.split(os.pathsep)):
        folder = Path(name).resolve()
        if folder == root.resolve() or (folder / "regress" / "run" / "reruns.py").is_file():
            continue
        below = folder.is_relative_to(root.resolve())
        found.append(str(folder.relative_to(root.resolve())) if below else str(folder))
    return os.pathsep.join(dict.fromkeys(found))
