"""Runs a plan: builds, then jobs, each as soon as its build is there."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path

from regress.build import BuildOutcome, clean_environment
from regress.coverage import check_goals, merge
from regress.job import JOB_FILE
from regress.judge import Evidence, judge
from regress.plan import BuildPoint, PlannedJob
from regress.processes import ProcessGroups
from regress.progress import Display
from regress.record import JobRecord, RunRecord, Status
from verif.design import ROOT

JOBS_FOLDER = "jobs"
BUILDS_FOLDER = "builds"
STATUS_FILE = "status.json"

Command = Callable[[Path, Path], list[str]]


def job_command(folder: Path, build: Path) -> list[str]:
    """The child process of one job."""
    return [sys.executable, "-m", "regress.job", str(folder), "--build", str(build)]


class JobRunner:
    """Runs single jobs below the folder of a run.

    Args:
        run: folder of the run.
        groups: runs the child processes.
        command: makes the child's command line from the job's folder and the build's.
    """

    def __init__(self, run: Path, groups: ProcessGroups, command: Command = job_command) -> None:
        self._run = run
        self._groups = groups
        self._command = command

    def run(self, planned: PlannedJob, build: Path) -> JobRecord:
        """Run one job to its end and judge it."""
        name = f"{JOBS_FOLDER}/{planned.id}"
        folder = self._run / name
        try:
            folder.mkdir(parents=True)
            planned.job.write(folder / JOB_FILE)
            ended = self._groups.run(
                self._command(folder, build),
                cwd=ROOT,
                env=clean_environment(),
                log=folder / "log.txt",
                timeout=planned.timeout,
            )
            if ended.cancelled:
                record = JobRecord(planned, Status.INTERRUPTED, "interrupted", ended.seconds, name)
            else:
                evidence = Evidence.collect(folder, ended, planned.timeout)
                verdict = judge(planned.job, evidence)
                status = Status.PASSED if verdict.passed else Status.FAILED
                record = JobRecord(
                    planned, status, verdict.message, ended.seconds, name, evidence.result
                )
            (folder / STATUS_FILE).write_text(json.dumps(record.as_json(), indent=1) + "\n")
        except OSError as error:
            return JobRecord(planned, Status.FAILED, f"cannot run the job: {error}", folder=name)
        return record


class Run:
    """One run of a plan.

    Args:
        record: filled in while the run goes on.
        builder: makes the build of a point.
        runner: runs one job on a build.
        groups: ended when the run is interrupted.
        display: told of everything that happens.
        workers: builds or jobs at once.
    """

    def __init__(
        self,
        record: RunRecord,
        builder: Callable[[BuildPoint], BuildOutcome],
        runner: JobRunner,
        groups: ProcessGroups,
        display: Display,
        workers: int,
    ) -> None:
        self._record = record
        self._builder = builder
        self._runner = runner
        self._groups = groups
        self._display = display
        self._workers = workers
        self._done: dict[str, JobRecord] = {}

    def execute(
        self, plan: Iterable[PlannedJob], skipped: Mapping[str, str], goals: Iterable[str]
    ) -> None:
        """Run the plan and fill in the record; an interrupt leaves it complete as far as it got.

        Args:
            plan: the jobs.
            skipped: why the jobs of a simulator cannot run, by simulator.
            goals: coverage groups that must be complete.
        """
        start = time.monotonic()
        plan = list(plan)
        runnable = [planned for planned in plan if planned.point.simulator not in skipped]
        points = list(dict.fromkeys(planned.point for planned in runnable))
        self._display.start(len(points), len(plan))
        for planned in plan:
            if planned.point.simulator in skipped:
                reason = skipped[planned.point.simulator]
                self._finish(JobRecord(planned, Status.SKIPPED, reason))
        try:
            self._work(points, runnable)
        except KeyboardInterrupt:
            self._record.interrupted = True
        finally:
            self._display.stop()
        self._record.jobs = [
            self._done.get(planned.id, JobRecord(planned, Status.INTERRUPTED, "never started"))
            for planned in plan
        ]
        self._record.coverage = merge(
            (record.planned.job.architecture, record.result)
            for record in self._record.jobs
            if record.status is Status.PASSED and record.result
        )
        if not self._record.interrupted:
            ran = {(planned.point.architecture, planned.point.design) for planned in runnable}
            self._record.goals = check_goals(self._record.coverage, list(goals), ran)
        self._record.seconds = time.monotonic() - start
        self._record.finished = not self._record.interrupted

    def _work(self, points: list[BuildPoint], plan: list[PlannedJob]) -> None:
        pool = ThreadPoolExecutor(self._workers)
        jobs: set[Future[JobRecord]] = set()
        try:
            builds: dict[Future[BuildOutcome], BuildPoint] = {
                pool.submit(self._build, point): point for point in points
            }
            while builds or jobs:
                ended, _ = wait([*builds, *jobs], return_when=FIRST_COMPLETED)
                for future in ended:
                    if future in jobs:
                        jobs.discard(future)
                        self._finish(future.result())
                        continue
                    del builds[future]
                    outcome = future.result()
                    self._record.builds.append(outcome)
                    self._display.built(outcome)
                    waiting = [job for job in plan if job.point == outcome.point]
                    if outcome.folder is None:
                        self._fail_all(waiting, outcome)
                        continue
                    for planned in waiting:
                        jobs.add(pool.submit(self._runner.run, planned, outcome.folder))
        except BaseException:
            self._groups.cancel()
            pool.shutdown(wait=True, cancel_futures=True)
            for future in jobs:
                if future.done() and not future.cancelled():
                    self._finish(future.result())
            raise
        pool.shutdown()

    def _build(self, point: BuildPoint) -> BuildOutcome:
        try:
            return self._builder(point)
        except (OSError, ValueError) as error:
            return BuildOutcome(point, None, False, 0.0, (str(error),))

    def _fail_all(self, jobs: Iterable[PlannedJob], outcome: BuildOutcome) -> None:
        message = f"build failed: {outcome.errors[0] if outcome.errors else 'no output'}"
        for planned in jobs:
            self._finish(JobRecord(planned, Status.BUILD_ERROR, message))

    def _finish(self, record: JobRecord) -> None:
        self._done[record.planned.id] = record
        self._display.done(record)
