"""From a plan to a finished run with its reports."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from rich.console import Console

from regress.archive import (
    Plan,
    earlier,
    earlier_reruns,
    finished_jobs,
    jobs_left_out,
)
from regress.buckets import buckets
from regress.build import Builder
from regress.coverage.exclusions import load_exclusions
from regress.coverage.functional import check_goals
from regress.coverage.store import coverage_of_run
from regress.coverage.target import CoverageTarget, Use
from regress.errors import UsageError
from regress.executor import Command, Executor, LocalExecutor
from regress.formats import taken
from regress.history.database import HISTORY_FILE, History, HistoryError, HistoryView
from regress.jobrecord import Bucket, JobRecord
from regress.limits import CoverageReached, DiskSpace, Limit, TimeBudget
from regress.plan import PlannedJob
from regress.processes import ProcessGroups
from regress.progress import Display
from regress.project import project
from regress.record import RunRecord
from regress.report import write_reports
from regress.requalify import compare_simulators
from regress.reruns import Reruns, joined, name_commands
from regress.run import BUILDS_FOLDER, Run
from regress.runfile import Status
from regress.runs import new_folder
from regress.shrink import Shrinker
from regress.simulators import Simulator, find_simulators
from regress.terminal import FAILED, INTERRUPTED, PASSED, say

FoundSimulators = tuple[dict[str, Simulator], dict[str, str]]
# What a run says of itself as its plan does.
NOTED = ("name", "source", "description", "command", "options", "seed", "started", "apart")
MakeExecutor = Callable[[ProcessGroups, int], Executor]


@dataclass(frozen=True)
class Workspace:
    """Where builds and runs are kept, and what runs a job.

    Attributes:
        builds: shared by all runs.
        runs: holds the runs that were given no folder of their own.
        command: child process of a job; None: the job's program.
    """

    builds: Path = field(default_factory=lambda: project().root / "build")
    runs: Path = field(default_factory=lambda: project().root / "runs")
    command: Command | None = None
    find: Callable[[Iterable[str]], FoundSimulators] = find_simulators
    make_builder: Callable[..., Builder] = Builder


@dataclass(frozen=True)
class Request:
    """What to run and how.

    Attributes:
        command: command line that repeats the run.
        explicit_simulators: the user named them, so none of them may be missing.
        budget: wall-clock seconds after which no other job starts; 0 for no limit.
        until_coverage: percentage of the goals at which no other job starts; 0 for no limit.
        apart: why it does not count among the runs of a list; empty if it does.
    """

    name: str
    source: str
    description: str
    command: list[str]
    options: dict[str, Any]
    seed: int
    plan: Sequence[PlannedJob]
    goals: Sequence[str]
    workers: int
    out: Path | None
    explicit_simulators: bool
    hdl: Path | None = None
    budget: float = 0.0
    until_coverage: float = 0.0
    waves: bool = True
    make_executor: MakeExecutor | None = None
    apart: str = ""


def execute(request: Request, workspace: Workspace, console: Console) -> RunRecord:
    """Run a plan and write its reports.

    Raises:
        UsageError: the folder is taken or cannot be written, or a simulator is missing.
    """
    plan = taken(
        Plan,
        request,
        jobs=tuple(request.plan),
        goals=tuple(request.goals),
        started=datetime.now().astimezone(),
        apart=request.apart or (f"design of {request.hdl}" if request.hdl else ""),
    )
    simulators, skipped = _simulators(plan, workspace, request.explicit_simulators)
    folder = new_folder(request.name, request.out, workspace.runs)
    plan.write(folder)
    session = _Session(plan, folder, simulators, skipped, request.workers, request.make_executor)
    return session.run(workspace, console, ())


def resume(
    folder: Path,
    workers: int,
    workspace: Workspace,
    console: Console,
    make_executor: MakeExecutor | None = None,
) -> RunRecord:
    """Run what an interrupted or killed run has not brought to an end.

    Raises:
        UsageError: there is no such run, nothing of it is left to do, or a simulator is missing.
    """
    folder = folder.absolute()
    plan = Plan.read(folder)
    done = finished_jobs(folder, plan.jobs)
    if len(done) == len(plan.jobs):
        raise UsageError(f"{folder}: all {len(done)} jobs have ended, nothing to resume")
    simulators, skipped = _simulators(plan, workspace, explicit=False)
    say(console, f"{len(done)} of {len(plan.jobs)} jobs have ended, going on with the others")
    session = _Session(plan, folder, simulators, skipped, workers, make_executor)
    return session.run(workspace, console, done)


def load(folder: Path) -> RunRecord:
    """The record of a run as far as it got, whatever became of its runner.

    Raises:
        UsageError: there is no such run.
    """
    folder = folder.absolute()
    plan = Plan.read(folder)
    noted = earlier(folder)
    session = _Session(plan, folder, {}, {}, noted.workers if noted else 1, None)
    record = session.record
    left_out = jobs_left_out(folder, plan.jobs)
    skipped = [job for job in left_out if job.status is Status.SKIPPED]
    done = {job.planned.id: job for job in [*left_out, *finished_jobs(folder, plan.jobs)]}
    session.set_target(without={job.planned.job.simulator for job in skipped})
    for job in done.values():
        record.count(job, record.seconds)
        if record.target:
            CoverageReached(record.target, record.exclusions).add(job)
    record.set_jobs(plan.jobs, done)
    record.stopped = noted.stopped if noted else ""
    # What a limit left out is no loss; what an interrupt or a kill left out is.
    record.finished = len(done) == len(plan.jobs)
    record.interrupted = not record.finished
    if record.finished:
        out = {job.planned.id for job in skipped}
        ran = {
            (planned.job.subject, planned.point.top)
            for planned in plan.jobs
            if planned.id not in out
        }
        record.goals = check_goals(record.coverage, list(plan.goals), ran)
    session.conclude()
    reruns = earlier_reruns(folder)
    for bucket in record.buckets:
        found = reruns.get(bucket.place)
        if found:
            bucket.rerun, bucket.reproducible = found
    record.buckets = joined(record.buckets)
    return record


def exit_code(record: RunRecord) -> int:
    """What a command ends with that made a run."""
    if record.interrupted:
        return INTERRUPTED
    return PASSED if record.passed else FAILED


def history_of(record: RunRecord, workspace: Workspace) -> HistoryView:
    """What earlier runs say about this one; a database that cannot be used is no error."""
    try:
        return History(workspace.runs / HISTORY_FILE).view(record)
    except HistoryError as error:
        return HistoryView(note=str(error))


def _buckets(plan: Plan, record: RunRecord) -> list[Bucket]:
    found = buckets(record.jobs)
    name_commands(found, str(plan.hdl) if plan.hdl else None, plan.source)
    return found


@dataclass
class _Session:
    """One sitting of a run."""

    plan: Plan
    folder: Path
    simulators: Mapping[str, Simulator]
    skipped: Mapping[str, str]
    workers: int
    make_executor: MakeExecutor | None
    record: RunRecord = field(init=False)

    def __post_init__(self) -> None:
        noted = earlier(self.folder)
        plan = {name: getattr(self.plan, name) for name in NOTED}
        self.record = RunRecord(
            **plan,
            folder=self.folder,
            simulators=self.simulators,
            exclusions=load_exclusions(hdl=self.plan.hdl),
            seconds=noted.seconds if noted else 0.0,
            workers=self.workers,
        )

    def run(self, workspace: Workspace, console: Console, done: Iterable[JobRecord]) -> RunRecord:
        disk = DiskSpace(self.folder)
        limits = self._limits(disk)
        self._tell(console)
        self.record.write()
        disk.open()
        groups = ProcessGroups()
        executor = (
            self.make_executor(groups, self.workers)
            if self.make_executor
            else LocalExecutor(groups, self.workers, workspace.command)
        )
        points = {planned.point for planned in self.plan.jobs}
        builder = workspace.make_builder(
            root=workspace.builds,
            logs=self.folder / BUILDS_FOLDER,
            simulators=self.simulators,
            groups=groups,
            processes=max(1, (os.cpu_count() or 1) // min(self.workers, len(points))),
            hdl=self.plan.hdl,
            portable=not executor.local,
        )
        run = Run(
            record=self.record,
            builder=builder.build,
            executor=executor,
            display=Display(console),
            workers=self.workers,
            limits=[*limits, *executor.limits],
            snapshot=lambda: self._snapshot(run),
            use=self._use,
        )
        try:
            run.execute(self.plan.jobs, self.skipped, self.plan.goals, done)
            self.conclude()
            if self.plan.waves and self.record.finished and not self.record.broken:
                self._repeat(builder, executor, console)
        except KeyboardInterrupt:
            self.record.interrupted = True
        finally:
            executor.close()
            disk.release()
            history = history_of(self.record, workspace)
            self._report(console, history)
            self._remember(workspace, console, history.note)
        return self.record

    def _limits(self, disk: DiskSpace) -> list[Limit]:
        limits: list[Limit] = [disk]
        if self.plan.budget:
            limits.append(TimeBudget(self.plan.budget))
        self.set_target(without=self.skipped)
        if self.record.target:
            limits.append(CoverageReached(self.record.target, self.record.exclusions))
        return limits

    def _use(self, planned: PlannedJob) -> int:
        target = self.record.target
        return target.use(planned.job) if target else Use.SOME

    def set_target(self, without: Collection[str]) -> None:
        """Judge by what the run was asked to reach, if it was, without some simulators' jobs."""
        if self.plan.until_coverage:
            jobs = [
                planned.job for planned in self.plan.jobs if planned.job.simulator not in without
            ]
            self.record.target = CoverageTarget(
                jobs, self.plan.goals, self.plan.until_coverage, self.record.exclusions
            )

    def conclude(self) -> None:
        """What can only be said when all jobs have ended."""
        record = self.record
        record.buckets = _buckets(self.plan, record)
        if record.target and not record.interrupted:
            record.goals = record.target.results()
        record.disagreements, record.compared = compare_simulators(record)
        if any(planned.job.code_coverage for planned in self.plan.jobs):
            record.write()
            found = coverage_of_run(self.folder, record.exclusions, lenient=True)
            record.code = found.merged.code
            stale = found.stale_exclusions(record.exclusions)
            record.problems_of_coverage = [*found.problems, *stale]

    def _tell(self, console: Console) -> None:
        for note in dict.fromkeys(simulator.note for simulator in self.simulators.values()):
            if note:
                say(console, note)
        for simulator, reason in self.skipped.items():
            count = sum(planned.point.simulator == simulator for planned in self.plan.jobs)
            say(console, f"{count} jobs skipped: {reason}", "yellow")

    def _repeat(self, builder: Builder, executor: Executor, console: Console) -> None:
        if self.record.buckets or self.record.disagreements:
            say(console, f"{len(self.record.buckets)} kinds of failure, running again with waves")
        Shrinker(self.record, builder.build, executor).run()
        # The simplest is what is run again, shown and reproduced.
        name_commands(self.record.buckets, str(self.plan.hdl or "") or None, self.plan.source)
        Reruns(self.record, builder.build, executor).run()

    def _snapshot(self, run: Run) -> None:
        """Write the run down while it goes on, in case that its runner is killed."""
        run.write_down(self.plan.jobs)
        self.record.buckets = _buckets(self.plan, self.record)
        self._report(None)

    def _report(self, console: Console | None, history: HistoryView | None = None) -> None:
        """Write the reports; a full disk must not hide what has been found."""
        try:
            write_reports(self.record, history)
        except OSError as error:
            if console:
                say(console, f"the reports cannot be written: {error}", "bold red")
            self.record.broken = True

    def _remember(self, workspace: Workspace, console: Console, problem: str) -> None:
        """Add the run to the history of the folder it is in, unless there is a problem with it."""
        if self.folder.parent != workspace.runs.absolute():
            return
        try:
            if not problem:
                History(workspace.runs / HISTORY_FILE).add(self.record)
        except HistoryError as error:
            problem = str(error)
        if problem:
            say(console, problem, "yellow")


def _simulators(plan: Plan, workspace: Workspace, explicit: bool) -> FoundSimulators:
    """The installed simulators of a plan, and why the others' jobs cannot run.

    Raises:
        UsageError: none is installed, or one is missing that the user asked for by name.
    """
    simulators, missing = workspace.find({planned.point.simulator for planned in plan.jobs})
    if missing and (explicit or not simulators):
        raise UsageError(*missing.values())
    return simulators, missing
