"""Runs the jobs of a plan on an executor and puts their answers together."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError
from regress.core.processes import Ended
from regress.executors.local import Executor, WorkerLost
from verif.implement.flow.project import ImplementProject, Subject
from verif.implement.flow.record import (
    Fmax,
    ImplementRecord,
    PointRecord,
    PointStatus,
    Provenance,
)
from verif.library.netlist.recipe import Recipe

from verif.implement.flow.plan import ImplementPlan, PlannedMeasurement, PlannedPoint
from verif.implement.job import JOB_FILE, MEASURED_FILE
from verif.implement.measure import Measured
from verif.implement.targets import target

JOBS_FOLDER = "jobs"
MAX_ATTEMPTS = 2
WAIT_SECONDS = 5.0
# How often a run in which nothing ends says that it is still there.
STILL_SECONDS = 60.0


@dataclass(frozen=True)
class Attempt:
    """A job that was started."""

    planned: PlannedMeasurement
    folder: Path
    number: int
    started: float


class ImplementSession:
    """One session of a run.

    Args:
        plan: what to do.
        folder: of the run.
        project: whose points they are.
        say: called with one line per event.
        clock: gives seconds.
    """

    def __init__(
        self,
        plan: ImplementPlan,
        folder: Path,
        project: ImplementProject,
        say: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Read what earlier sessions have measured."""
        self._plan = plan
        self._folder = folder
        self._project = project
        self._say = say
        self._clock = clock
        self._started = clock()
        self._answers: dict[str, Measured] = {}
        for planned in plan.jobs:
            path = self._job_folder(planned) / MEASURED_FILE
            if path.is_file():
                self._answers[planned.id] = Measured.model_validate_json(path.read_text())

    @property
    def left(self) -> list[PlannedMeasurement]:
        """The jobs that have no answer."""
        return [planned for planned in self._plan.jobs if planned.id not in self._answers]

    def run(self, executor: Executor) -> None:
        """Run the jobs that are left; an interrupt leaves what was measured."""
        waiting = deque(self.left)
        running: dict[Future[Ended], Attempt] = {}
        last_said = self._clock()
        try:
            while waiting or running:
                while waiting and len(running) < max(1, executor.slots):
                    attempt = self._attempt(waiting.popleft(), 1)
                    running[self._start(executor, attempt)] = attempt
                ended, _ = wait(running, WAIT_SECONDS, return_when=FIRST_COMPLETED)
                for future in ended:
                    again = self._ended(running.pop(future), future)
                    if again:
                        running[self._start(executor, again)] = again
                now = self._clock()
                if ended:
                    last_said = now
                elif now - last_said >= STILL_SECONDS:
                    last_said = now
                    shown = (f"{a.planned.id} ({now - a.started:.0f} s)" for a in running.values())
                    self._say(f"at work: {', '.join(shown)}; {len(waiting)} more to do")
        except BaseException:
            executor.cancel()
            raise

    def record(self, finished: bool) -> ImplementRecord:
        """What is known so far, a record for each point."""
        points = [self._point(planned) for planned in self._plan.points]
        return ImplementRecord(
            command=self._plan.command,
            started=self._plan.started,
            seconds=round(self._clock() - self._started, 1),
            finished=finished,
            commit=self._plan.commit,
            points=points,
        )

    def _job_folder(self, planned: PlannedMeasurement) -> Path:
        return self._folder / JOBS_FOLDER / planned.id

    def _attempt(self, planned: PlannedMeasurement, number: int) -> Attempt:
        folder = self._job_folder(planned)
        index = 1
        while (folder / f"attempt-{index}").exists():
            index += 1
        return Attempt(planned, folder / f"attempt-{index}", number, self._clock())

    def _start(self, executor: Executor, attempt: Attempt) -> Future[Ended]:
        try:
            attempt.folder.mkdir(parents=True)
            text = attempt.planned.job.model_dump_json(indent=1)
            (attempt.folder / JOB_FILE).write_text(text + "\n")
            recipe = self._plan.recipe_folder(self._folder, attempt.planned.point)
            return executor.start(attempt.planned, attempt.folder, recipe)
        except OSError as error:
            failed: Future[Ended] = Future()
            failed.set_exception(error)
            return failed

    def _ended(self, attempt: Attempt, future: Future[Ended]) -> Attempt | None:
        """Take the answer of a job; returns another attempt if the infrastructure failed."""
        planned = attempt.planned
        try:
            end = future.result()
            if end.cancelled:
                return None
            problem = _problem(end, attempt, planned.timeout)
        except (OSError, WorkerLost) as error:
            if attempt.number < MAX_ATTEMPTS:
                self._say(f"again: {planned.id}: {error}")
                return self._attempt(planned, attempt.number + 1)
            problem = f"cannot run the job: {error}"
        if problem:
            found = Measured(problem=problem, date=self._plan.started)
        else:
            found = Measured.model_validate_json((attempt.folder / MEASURED_FILE).read_text())
        self._keep(planned, found)
        seconds = self._clock() - attempt.started
        self._say(
            f"[{len(self._answers)}/{len(self._plan.jobs)}] {_outcome(found)} {planned.id} "
            f"{seconds:.0f} s {_in_short(found)}".rstrip()
        )
        return None

    def _keep(self, planned: PlannedMeasurement, found: Measured) -> None:
        """Write an answer down, whole or not at all: a resumed run need not ask again."""
        self._answers[planned.id] = found
        path = self._job_folder(planned) / MEASURED_FILE
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_suffix(".new").write_text(found.model_dump_json(indent=1) + "\n")
        path.with_suffix(".new").replace(path)

    def _point(self, planned: PlannedPoint) -> PointRecord:
        jobs = [job for job in self._plan.jobs if job.point == planned.id]
        found = [self._answers[job.id] for job in jobs if job.id in self._answers]
        area = next((answer.area for answer in found if answer.area), None)
        timings = [answer.timing for answer in found if answer.timing]
        fmax = Fmax.over({timing.seed: timing.fmax_mhz for timing in timings})
        problems = list(dict.fromkeys(answer.problem for answer in found if answer.problem))
        fits = all(answer.fits for answer in found)
        given = area.model_dump(exclude={"seconds"}) if area else {}
        path = None
        if fmax:
            slower = [timing for timing in timings if timing.fmax_mhz <= fmax.median]
            path = max(slower, key=lambda timing: timing.fmax_mhz).critical_path
        return self._project.record.model_validate(
            {
                "id": planned.id,
                "design": planned.design,
                "parameters": planned.parameters,
                "target": planned.target,
                "stage": target(planned.target).stage,
                "status": _status(found, bool(fmax), planned.target, fits),
                "message": "; ".join(problems),
                "fmax_mhz": fmax,
                "critical_path": path,
                "critical_path_text": path.text if path else "",
                "provenance": self._provenance(planned, found),
                **given,
                **planned.facts,
                **self._project.measured(self._subject(planned), fmax),
            }
        )

    def _subject(self, planned: PlannedPoint) -> Subject:
        recipe = Recipe(top="", clock="", sources={})
        return Subject(planned.id, planned.design, planned.parameters, recipe, planned.facts)

    def _provenance(self, planned: PlannedPoint, found: Sequence[Measured]) -> Provenance | None:
        first = next((answer for answer in found if answer.key), None)
        if first is None:
            return None
        synthesis = first.area.seconds if first.area else 0.0
        timing = sum(answer.timing.seconds for answer in found if answer.timing)
        return Provenance(
            commit=self._plan.commit,
            sources=planned.sources,
            key=first.key,
            tools=first.tools,
            options=first.options,
            date=max(answer.date for answer in found if answer.key),
            seconds=round(synthesis + timing, 1),
        )


def _problem(end: Ended, attempt: Attempt, timeout: float) -> str:
    """Why a job has no answer, in one line; empty if it has one."""
    if end.timed_out:
        return f"the job did not come to an end in {timeout:g} s"
    path = attempt.folder / MEASURED_FILE
    if end.returncode or not path.is_file():
        return f"the job ended with exit code {end.returncode}, see {attempt.folder / 'log.txt'}"
    try:
        Measured.model_validate_json(path.read_text())
    except ValidationError as error:
        return f"{path} cannot be read: {str(error).splitlines()[0]}"
    return ""


def _status(found: Sequence[Measured], timed: bool, name: str, fits: bool) -> PointStatus:
    if not found:
        return PointStatus.NOT_RUN
    if not fits:
        return PointStatus.DOES_NOT_FIT
    if not any(answer.area for answer in found):
        return PointStatus.FAILED
    return PointStatus.DONE if timed or not target(name).stage else PointStatus.AREA_ONLY


def _outcome(found: Measured) -> str:
    if not found.problem:
        return "CACHED" if found.cached else "DONE"
    return "FAILED" if found.fits else "DOES NOT FIT"


def _in_short(found: Measured) -> str:
    if found.problem:
        return found.problem
    words = []
    if found.area:
        area = found.area
        sizes = ((area.luts, "LUT"), (area.gates, "gates"), (area.ffs, "FF"), (area.depth, "deep"))
        words += [f"{value} {unit}" for value, unit in sizes if value is not None]
    if found.timing:
        words.append(f"{found.timing.fmax_mhz:.1f} MHz")
    return ", ".join(words)
