"""Runs a plan: each job starts as soon as its build is ready."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from typing import Any

from regress.core.buildrecord import BuildOutcome
from regress.core.cases import CaseStatus, count_cases
from regress.core.jobrecord import JobRecord
from regress.core.limits import Limit, duration_text, first_reason
from regress.core.plan import BuildPoint, PlannedJob
from regress.core.processes import Ended
from regress.core.runfile import Status
from regress.executors.local import Executor
from regress.run.attempts import Attempt, JobRunner
from regress.run.progress import Display
from regress.run.queue import JobQueue
from regress.run.record import RunRecord

BUILDS_FOLDER = "builds"
MAX_ATTEMPTS = 2
# Interval at which the record of an unfinished run is written.
SNAPSHOT_SECONDS = 30.0
OF_NO_USE = "all bins that it can cover are hit"
NOTHING_LEFT = "the job before has run all its cases"
# Intervals at which limits, and the cases of running jobs, are checked even if no job ends.
WAIT_SECONDS = 5.0
CASES_SECONDS = 1.0
# Time that a job has to end after it was cancelled.
END_SECONDS = 10.0


class Run:
    """One run of a plan.

    Args:
        workers: maximum number of concurrent builds on this machine; if jobs run on this machine,
            maximum number of builds and jobs together.
        snapshot: called periodically to write the record during the run.
        use: current usefulness of a job. More useful jobs start first. The run ends when all
            waiting jobs have use 0.
    """

    def __init__(
        self,
        record: RunRecord,
        builder: Callable[[BuildPoint], BuildOutcome],
        executor: Executor,
        display: Display,
        workers: int,
        limits: Sequence[Limit] = (),
        snapshot: Callable[[], None] = lambda: None,
        use: Callable[[PlannedJob], int] = lambda _: 1,
    ) -> None:
        self._record = record
        self._builder = builder
        self._executor = executor
        self._runner = JobRunner(record.project, record.folder, executor)
        self._display = display
        self._workers = workers
        self._limits = tuple(limits)
        self._snapshot = snapshot
        self._use = use
        self._done: dict[str, JobRecord] = {}
        self._started = time.monotonic()
        self._earlier_seconds = record.seconds
        self._last_snapshot = self._started
        self._patience = WAIT_SECONDS

    def execute(
        self,
        plan: Iterable[PlannedJob],
        skipped: Mapping[str, str],
        finished: Iterable[JobRecord] = (),
    ) -> None:
        """Run the plan and fill in the record. After an interrupt the record is complete so far."""
        plan = list(plan)
        runnable = [planned for planned in plan if planned.point.simulator not in skipped]
        cases = sum(len(planned.job.cases) for planned in plan if not planned.after)
        self._display.start(len({planned.point for planned in runnable}), len(plan), cases)
        self._patience = CASES_SECONDS if cases else WAIT_SECONDS
        for record in finished:
            self._finish(record)
        for planned in plan:
            if planned.point.simulator in skipped:
                reason = skipped[planned.point.simulator]
                self._finish(JobRecord(planned, Status.SKIPPED, reason))
        try:
            self._work([planned for planned in runnable if planned.id not in self._done])
        except KeyboardInterrupt:
            self._record.interrupted = True
        finally:
            self._display.stop()
        self.write_down(plan)
        self._record.finished = not self._record.interrupted

    def write_down(self, plan: Iterable[PlannedJob]) -> None:
        """Update the record with everything that has happened so far."""
        self._record.set_jobs(plan, self._done)
        self._record.seconds = self._seconds()

    def _seconds(self) -> float:
        return self._earlier_seconds + time.monotonic() - self._started

    def _work(self, plan: list[PlannedJob]) -> None:
        queue = JobQueue(plan, self._use, self._done)
        pool = ThreadPoolExecutor(self._workers)
        builds: dict[Future[BuildOutcome], BuildPoint] = {}
        jobs: dict[Future[Ended], Attempt] = {}
        retries: deque[Attempt] = deque()
        try:
            while True:
                self._check_limits(queue, retries)
                self._leave_out(queue)
                self._start(queue, retries, pool, builds, jobs)
                if not builds and not jobs:
                    for planned in queue.waiting:
                        self._finish(JobRecord(planned, Status.NOT_RUN, OF_NO_USE))
                    break
                ended, _ = wait([*builds, *jobs], self._patience, return_when=FIRST_COMPLETED)
                for future in ended:
                    if future in jobs:
                        self._job_ended(jobs.pop(future), future, queue, retries)
                    else:
                        self._built(builds.pop(future), future, queue)
                self._show_cases(jobs.values())
                if time.monotonic() - self._last_snapshot >= SNAPSHOT_SECONDS:
                    self._snapshot()
                    self._last_snapshot = time.monotonic()
        except BaseException:
            self._executor.cancel()
            pool.shutdown(wait=True, cancel_futures=True)
            # Keep the results of jobs that have ended by now.
            wait(jobs, END_SECONDS)
            for future, attempt in jobs.items():
                if future.done() and not future.cancelled():
                    self._finish(self._runner.judge(attempt, future)[0])
            raise
        finally:
            pool.shutdown()

    def _show_cases(self, running: Iterable[Attempt]) -> None:
        running = [attempt for attempt in running if attempt.planned.job.cases]
        ended = sum(
            case.status not in (CaseStatus.NOT_RUN, CaseStatus.OPEN)
            for record in self._done.values()
            for case in record.cases
        )
        if ended or running:
            done = ended + sum(count_cases(attempt.folder) for attempt in running)
            self._display.cases(done)

    def _check_limits(self, queue: JobQueue, retries: deque[Attempt]) -> None:
        for planned in queue.over_budget():
            reason = f"the entry's time budget of {duration_text(planned.budget)} used up"
            self._finish(JobRecord(planned, Status.NOT_RUN, reason))
        if not queue.waiting and not retries:
            return
        reason, fatal = first_reason(self._limits)
        if not reason:
            return
        self._record.stopped, self._record.broken = reason, fatal
        for planned in [*queue.waiting, *(attempt.planned for attempt in retries)]:
            self._finish(JobRecord(planned, Status.NOT_RUN, reason))
        queue.waiting.clear()
        retries.clear()

    def _leave_out(self, queue: JobQueue) -> None:
        """Drop jobs whose predecessors left no open cases."""
        while found := queue.take(
            lambda job: bool(job.after) and queue.ready(job) and not self._left(job)
        ):
            for planned in found:
                self._finish(JobRecord(planned, Status.NOT_RUN, NOTHING_LEFT))

    def _left(self, planned: PlannedJob) -> tuple[dict[str, Any], ...]:
        """Return the cases that the previous job left open, with the data that it stored."""
        before = self._done[planned.after]
        if not before.planned.job.cases:
            return self._left(before.planned) if before.planned.after else ()
        undecided = (CaseStatus.OPEN, CaseStatus.NOT_RUN)
        facts = {case.name: case.facts for case in before.cases if case.status in undecided}
        given = before.planned.job.cases
        return tuple({**case, **facts[case["name"]]} for case in given if case["name"] in facts)

    def _start(
        self,
        queue: JobQueue,
        retries: deque[Attempt],
        pool: ThreadPoolExecutor,
        builds: dict[Future[BuildOutcome], BuildPoint],
        jobs: dict[Future[Ended], Attempt],
    ) -> None:
        """Fill the free slots in the order of the plan."""
        local = self._executor.local
        slots = self._workers if local else max(1, self._executor.slots)
        while len(jobs) + (len(builds) if local else 0) < slots:
            if retries:
                attempt = retries.popleft()
            else:
                found = queue.next_job(build_too=local)
                if found is None:
                    break
                if isinstance(found, BuildPoint):
                    builds[pool.submit(self._build, found)] = found
                    continue
                planned, build = found
                if planned.after:
                    job = replace(planned.job, cases=self._left(planned))
                    planned = replace(planned, job=job)
                attempt = self._runner.attempt(planned, build)
            jobs[self._runner.start(attempt)] = attempt
        while not local and len(builds) < self._workers:
            point = queue.next_build()
            if point is None:
                break
            builds[pool.submit(self._build, point)] = point

    def _build(self, point: BuildPoint) -> BuildOutcome:
        try:
            return self._builder(point)
        except (OSError, ValueError) as error:
            return BuildOutcome(point, None, False, 0.0, (str(error),))

    def _built(self, point: BuildPoint, future: Future[BuildOutcome], queue: JobQueue) -> None:
        outcome = future.result()
        self._record.builds.append(outcome)
        self._display.built(outcome)
        if outcome.folder is None:
            message = f"build failed: {outcome.errors[0] if outcome.errors else 'no output'}"
            for planned in queue.take(lambda job: job.point == point):
                status = Status.NOT_RUN if planned.may_break else Status.BUILD_ERROR
                self._finish(JobRecord(planned, status, message))
        else:
            queue.builds[point] = outcome.folder

    def _job_ended(
        self, attempt: Attempt, future: Future[Ended], queue: JobQueue, retries: deque[Attempt]
    ) -> None:
        record, infrastructure = self._runner.judge(attempt, future)
        reason, fatal = first_reason(self._limits)
        if record.status is Status.FAILED and fatal:
            # A failure on a full disk does not count as a failure of the job.
            self._record.stopped, self._record.broken = reason, fatal
            self._finish(replace(record, status=Status.NOT_RUN, message=reason))
            return
        if infrastructure and len(attempt.lost) + 1 < MAX_ATTEMPTS:
            self._display.retry(record)
            lost = (*attempt.lost, record.message)
            retries.append(self._runner.attempt(attempt.planned, attempt.build, lost))
            return
        if infrastructure:
            again = f"infrastructure failure, {MAX_ATTEMPTS} attempts: {record.message}"
            record = replace(record, message=again)
        queue.spend(record)
        try:
            record.write(self._record.folder)
        except OSError as error:
            record = replace(record, message=record.message or f"not written down: {error}")
        self._finish(record)

    def _finish(self, record: JobRecord) -> None:
        self._record.count(record, self._seconds())
        self._done[record.planned.id] = record.slim()
        self._display.done(record)
