"""Executes a plan and writes the reports of the run."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from rich.console import Console

from regress.cli.reports import compared, write_reports
from regress.cli.workspace import FoundSimulators, MakeExecutor, Workspace
from regress.core.archive import RunFile, earlier, finished_jobs
from regress.core.context import Context
from regress.core.errors import UsageError
from regress.core.jobrecord import JobRecord
from regress.core.limits import DiskSpace, Limit, time_budget
from regress.core.plan import Plan, check_jobs
from regress.core.processes import ProcessGroups
from regress.core.runfile import Status
from regress.core.terminal import FAILED, INTERRUPTED, PASSED, plural, say
from regress.coverage.exclusions import load_exclusions
from regress.coverage.store import coverage_of_run
from regress.coverage.target import CoverageTarget, Use
from regress.executors.local import Executor, LocalExecutor
from regress.history.database import HistoryError, HistoryView
from regress.run.buckets import buckets
from regress.run.build import Builder, long_points
from regress.run.cross_check import compare_simulators
from regress.run.folders import new_folder, point_latest_at
from regress.run.progress import Display
from regress.run.record import RunRecord
from regress.run.reruns import Reruns, joined, name_commands
from regress.run.runner import BUILDS_FOLDER, Run
from regress.run.shrink import Shrinker
from regress.simulators import Simulator


def execute(
    plan: Plan,
    workspace: Workspace,
    console: Console,
    *,
    workers: int,
    out: Path | None = None,
    explicit_simulators: bool = True,
    make_executor: MakeExecutor | None = None,
) -> RunRecord:
    """Run a plan and write its reports.

    Args:
        plan: the plan to run.
        workspace: where builds and runs are stored.
        console: receives the progress messages.
        workers: maximum number of concurrent builds or jobs.
        out: folder of the run; None for a new one.
        explicit_simulators: the user named the simulators, so none of them may be missing.
        make_executor: makes the executor that runs the jobs; None for this machine.

    Raises:
        UsageError: the folder already holds a run or cannot be written, a simulator is missing, or
            the plan is wrong, see :func:`regress.core.plan.check_jobs`.
    """
    if plan.hdl and not plan.apart:
        plan = replace(plan, apart=f"design of {plan.hdl}")
    check_jobs(plan.jobs)
    simulators, skipped = _simulators(plan, workspace, explicit_simulators)
    session = _Session(workspace.context, plan, Path(), simulators, skipped, workers)
    session.prepare()
    folder = session.record.folder = new_folder(plan.name, out, workspace.runs)
    plan.write(folder)
    return session.run(workspace, console, make_executor)


def resume(
    folder: Path,
    workers: int,
    workspace: Workspace,
    console: Console,
    make_executor: MakeExecutor | None = None,
) -> RunRecord:
    """Run the unfinished jobs of an interrupted or killed run.

    Raises:
        UsageError: no such run exists, all its jobs have ended, or a simulator is missing.
    """
    folder = folder.absolute()
    context = workspace.context
    plan = Plan.read(context, folder)
    done = finished_jobs(context, folder, plan.jobs)
    if len(done) == len(plan.jobs):
        raise UsageError(f"{folder}: all {len(done)} jobs have ended, nothing to resume")
    simulators, skipped = _simulators(plan, workspace, explicit=False)
    noted = earlier(context, folder)
    session = _Session(context, plan, folder, simulators, skipped, workers, noted)
    session.prepare()
    point_latest_at(folder, workspace.runs)
    say(console, f"{len(done)} of {len(plan.jobs)} jobs have ended; the other jobs run now")
    return session.run(workspace, console, make_executor, done)


def load(context: Context, folder: Path) -> RunRecord:
    """Load the record of a run as far as it got, even if its runner was killed.

    Raises:
        UsageError: no such run exists.
    """
    folder = folder.absolute()
    plan = Plan.read(context, folder)
    noted = earlier(context, folder)
    session = _Session(context, plan, folder, {}, {}, noted.workers if noted else 1, noted)
    record = session.record
    kept = noted.never_started if noted else []
    done = {job.planned.id: job for job in [*kept, *finished_jobs(context, folder, plan.jobs)]}
    session.set_target(
        without={job.planned.job.simulator for job in kept if job.status is Status.SKIPPED}
    )
    for job in done.values():
        record.count(job, record.seconds)
    record.set_jobs(plan.jobs, done)
    if noted:
        record.stopped, record.broken = noted.stopped, noted.broken
        record.builds, record.noted_tools = list(noted.builds), noted.tools
    # A job that a limit dropped counts as done. A job lost by an interrupt or a kill does not.
    record.finished = len(done) == len(plan.jobs)
    record.interrupted = not record.finished
    session.conclude(write=noted is None)
    reruns = noted.reruns if noted else {}
    for bucket in record.buckets:
        if bucket.place in reruns:
            bucket.rerun, bucket.reproducible = reruns[bucket.place]
    record.buckets = joined(record.project, record.buckets)
    return record


def exit_code(record: RunRecord) -> int:
    """Return the exit code of a command that made this run."""
    if record.interrupted:
        return INTERRUPTED
    return PASSED if record.passed else FAILED


class _Session:
    """One session of a run. A resumed run has several.

    Args:
        noted: what earlier sessions have written; None if there are none.
    """

    def __init__(
        self,
        context: Context,
        plan: Plan,
        folder: Path,
        simulators: Mapping[str, Simulator],
        skipped: Mapping[str, str],
        workers: int,
        noted: RunFile | None = None,
    ) -> None:
        self.plan = plan
        self._points = {planned.point for planned in plan.jobs}
        self.skipped = skipped
        self.record = RunRecord(
            context=context,
            plan=plan,
            folder=folder,
            simulators=simulators,
            exclusions=load_exclusions(context.project, hdl=plan.hdl),
            seconds=noted.seconds if noted else 0.0,
            workers=workers,
        )

    def prepare(self) -> None:
        """Make what can raise an error of the user, before the run has a folder.

        Raises:
            UsageError: the plan cannot have the coverage target, or a setting is wrong.
        """
        self._groups = ProcessGroups()
        self.set_target(without=self.skipped)

    def run(
        self,
        workspace: Workspace,
        console: Console,
        make_executor: MakeExecutor | None,
        done: Iterable[JobRecord] = (),
    ) -> RunRecord:
        folder, workers = self.record.folder, self.record.workers
        before, started = self.record.seconds, time.monotonic()
        disk = DiskSpace(folder)
        limits, target = self._limits(disk), self.record.target
        self._progress(console)
        self.record.write()
        groups = self._groups
        executor = (
            make_executor(groups, workers)
            if make_executor
            else LocalExecutor(self.record.context.root, groups, workers, workspace.command)
        )
        builder = workspace.make_builder(
            project=self.record.project,
            root=workspace.builds,
            logs=folder / BUILDS_FOLDER,
            simulators={
                name: simulator if executor.local else simulator.portable()
                for name, simulator in self.record.simulators.items()
            },
            groups=groups,
            processes=max(1, (os.cpu_count() or 1) // min(workers, len(self._points))),
            hdl=self.plan.hdl,
            long=long_points(self.record.project, self.plan.jobs),
        )
        run = Run(
            record=self.record,
            builder=builder.build,
            executor=executor,
            display=Display(console),
            workers=workers,
            limits=[*limits, *executor.limits],
            snapshot=lambda: self._snapshot(run),
            use=lambda planned: target.use(planned.job) if target else Use.SOME,
        )
        disk.open()
        try:
            run.execute(self.plan.jobs, self.skipped, done)
            self.conclude()
            if self.plan.waves and self.record.finished and not self.record.broken:
                self._repeat(builder, executor, console)
        except KeyboardInterrupt:
            self.record.interrupted = True
            executor.cancel()
        finally:
            # Shrinking, and running again with waves, is part of the run.
            self.record.seconds = before + time.monotonic() - started
            executor.close()
            disk.release()
            history = compared(self.record, workspace)
            self._report(console, history)
            self._remember(workspace, console, history.note)
        return self.record

    def _limits(self, disk: DiskSpace) -> list[Limit]:
        limits = [disk.limit]
        if self.plan.budget:
            limits.append(time_budget(self.plan.budget))
        if target := self.record.target:
            limits.append(Limit(lambda: target.text if target.met else ""))
        return limits

    def set_target(self, without: Collection[str]) -> None:
        """Set the coverage target, if the plan has one, without the jobs of some simulators."""
        if self.plan.until_coverage:
            jobs = [
                planned.job for planned in self.plan.jobs if planned.job.simulator not in without
            ]
            self.record.target = CoverageTarget(
                self.record.project,
                jobs,
                self.plan.goals,
                self.plan.until_coverage,
                self.record.exclusions,
            )

    def conclude(self, write: bool = True) -> None:
        """Complete the record with the results that need all jobs to have ended.

        Args:
            write: write the file of the run first, which code coverage reads. The file of a run
                that was read stays: it has the tools and the commit of this run.
        """
        record = self.record
        self._sort_failures()
        if record.finished:
            record.check_goals()
        record.disagreements, record.compared = compare_simulators(record)
        if any(planned.job.code_coverage for planned in self.plan.jobs):
            if write:
                record.write()
            found = coverage_of_run(record.context, record.folder, record.exclusions, lenient=True)
            record.code = found.merged.code
            if record.finished:
                record.check_code_goals()
            stale = found.stale_exclusions(record.exclusions)
            record.problems_of_coverage = [*found.problems, *stale]

    def _progress(self, console: Console) -> None:
        for note in dict.fromkeys(simulator.note for simulator in self.record.simulators.values()):
            if note:
                say(console, note)
        for simulator, reason in self.skipped.items():
            count = sum(planned.point.simulator == simulator for planned in self.plan.jobs)
            say(console, f"{plural(count, 'job', 'jobs')} skipped: {reason}", "yellow")

    def _repeat(self, builder: Builder, executor: Executor, console: Console) -> None:
        if self.record.buckets or self.record.disagreements:
            kinds = plural(len(self.record.buckets), "kind of failure", "kinds of failure")
            say(console, f"{kinds or 'disagreements'}, running again with waves")
        progress = partial(say, console)
        if self.plan.shrink:
            Shrinker(self.record, builder.build, executor, progress=progress).run()
        # The reports show the simplest failure: set its command, and repeat it with waves.
        name_commands(self.record.project, self.record.buckets, self.plan)
        Reruns(self.record, builder.build, executor, progress=progress).run()

    def _snapshot(self, run: Run) -> None:
        """Write the record during the run, in case the runner is killed."""
        run.write_down(self.plan.jobs)
        self._sort_failures()
        self._report(None)

    def _sort_failures(self) -> None:
        self.record.buckets = buckets(self.record.project, self.record.jobs)
        name_commands(self.record.project, self.record.buckets, self.plan)

    def _report(self, console: Console | None, history: HistoryView | None = None) -> None:
        """Write the reports. If the disk is full, the terminal must still show the results."""
        try:
            write_reports(self.record, history)
        except OSError as error:
            if console:
                say(console, f"the reports cannot be written: {error}", "bold red")
            self.record.broken = True

    def _remember(self, workspace: Workspace, console: Console, problem: str) -> None:
        """Add the run to the history if it is in the folder of runs and the history is usable."""
        if self.record.folder.parent != workspace.runs.absolute():
            return
        try:
            if not problem:
                workspace.history.add(self.record)
        except HistoryError as error:
            problem = str(error)
        if problem:
            say(console, problem, "yellow")


def _simulators(plan: Plan, workspace: Workspace, explicit: bool) -> FoundSimulators:
    """Return the installed simulators of a plan, and why the jobs of the others cannot run.

    Raises:
        UsageError: no simulator is installed, or one is missing that the user named.
    """
    simulators, missing = workspace.find({planned.point.simulator for planned in plan.jobs})
    if missing and (explicit or not simulators):
        raise UsageError(*missing.values())
    return simulators, missing
