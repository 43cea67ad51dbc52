"""Runs mutants against a list, cheapest job first, until the first red."""

from __future__ import annotations

import json
import re
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from models.registry import architecture
from regress.build import Builder, BuildOutcome
from regress.jobfile import JOB_FILE
from regress.judge import Evidence, Verdict, judge
from regress.plan import BuildPoint, PlannedJob, planned_job
from regress.processes import Ended, ProcessGroups, clean_environment
from regress.simulators import Simulator
from verif.design import DESIGNS, EXPONENTIATION, MULTIPLIER, ROOT
from verif.mutation.forks import ENDED_FILE, PLAN_FILE, ForkPlan
from verif.mutation.operators import Mutant
from verif.mutation.record import CampaignRecord, MutantRecord, Outcome
from verif.mutation.schemata import combined_copy, single_copy
from verif.mutation.syntax import Source

CPU_SECONDS = 20
WALL_SECONDS = 120.0
MAX_REPAIRS = 6
ERROR_PLACE = re.compile(r"([\w/.-]+\.sv):(\d+)")
BASELINE = 0
# A mutant alone on Icarus Verilog costs seconds an operation's worth of start-up: few operations.
ALONE_OPERATIONS = {MULTIPLIER.name: 25, EXPONENTIATION.name: 3}
EVERYWHERE = ("random", "exp_random", "exp_products")


class BaselineError(Exception):
    """The design without a change fails: no verdict on a mutant would mean anything."""


class BudgetSpentError(Exception):
    """The time for the campaign is over."""


@dataclass
class Batch:
    """Mutants that are in one copy of the design, behind a select.

    Attributes:
        name: of its folders.
        hdl: the copy.
        numbered: records by number, from 1.
        jobs: what they are run against, in this order.
        applies: whether a mutant can make a difference to a job.
        repair: told the lines (file, line) a compiler complains of; makes the copy anew without the
            mutants that are there, and says which they are.
    """

    name: str
    hdl: Path
    numbered: dict[int, MutantRecord]
    jobs: Sequence[PlannedJob]
    applies: Callable[[MutantRecord, PlannedJob], bool]
    repair: Callable[[set[tuple[str, int]]], set[int]]


class Campaign:
    """Runs batches and lone mutants, and keeps the record.

    Args:
        record: filled in.
        folder: of the campaign.
        builds: shared folder of builds of the original design; those of mutants stay in ``folder``.
        simulators: installed, by name.
        groups: runs the child processes.
        processes: mutants at once.
        deadline: monotonic time at which it ends, None for no limit.
        tell: called after every stage with a line for people.
        keep: folders of mutants stay.
    """

    def __init__(
        self,
        record: CampaignRecord,
        folder: Path,
        simulators: Mapping[str, Simulator],
        groups: ProcessGroups,
        processes: int,
        deadline: float | None = None,
        tell: Callable[[str], None] = print,
        keep: bool = False,
    ) -> None:
        self._record = record
        self._folder = folder
        # Waves would have to be compiled in, and nobody looks at those of a mutant.
        self._simulators = {
            name: replace(simulator, waves=False) for name, simulator in simulators.items()
        }
        self._groups = groups
        self._processes = processes
        self._deadline = deadline
        self._tell = tell
        self._keep = keep
        self._lock = threading.Lock()
        self._begin = time.monotonic() - record.seconds

    def run_batch(self, batch: Batch) -> None:
        """Run every job of a batch against those of its mutants that live."""
        total = len(batch.jobs)
        for index, planned in enumerate(batch.jobs, 1):
            numbers = [
                n
                for n, r in batch.numbered.items()
                if r.alive and planned.id not in r.passed and batch.applies(r, planned)
            ]
            if not numbers:
                continue
            self._check_time()
            outcome = self._build_repaired(batch, planned)
            numbers = [n for n in numbers if batch.numbered[n].alive]
            if outcome.folder is None:
                raise BaselineError(f"{planned.point.name}: {'; '.join(outcome.errors)}")
            killed = self._stage(batch, planned, outcome.folder, numbers)
            self.save()
            self._tell(
                f"[{index}/{total}] {batch.name} {planned.id}: {killed} of {len(numbers)} killed, "
                f"{sum(r.alive for r in batch.numbered.values())} left, "
                f"{self._record.seconds:.0f} s"
            )
        self._survived(batch.numbered.values())

    def _survived(self, records: Iterable[MutantRecord]) -> None:
        """Everything was tried: what still lives has survived."""
        for record in records:
            if record.outcome is Outcome.NOT_RUN:
                record.outcome = Outcome.SURVIVED
        self.save()

    def _build_repaired(self, batch: Batch, planned: PlannedJob) -> BuildOutcome:
        for _ in range(MAX_REPAIRS):
            outcome = self._build(planned.point, batch.hdl)
            if outcome.folder or outcome.log is None:
                return outcome
            places = {
                (match[1], int(match[2]))
                for line in outcome.log.read_text(errors="replace").splitlines()
                if line.startswith("%Error")
                for match in [ERROR_PLACE.search(line)]
                if match
            }
            broken = batch.repair(places)
            if not broken:
                return outcome
            for number in broken:
                record = batch.numbered[number]
                record.outcome, record.message = Outcome.BROKEN, outcome.errors[0]
        return outcome

    def _build(self, point: BuildPoint, hdl: Path) -> BuildOutcome:
        builder = Builder(
            root=self._folder / "builds",
            logs=self._folder / "logs",
            simulators=self._simulators,
            groups=self._groups,
            processes=self._processes,
            hdl=hdl,
        )
        try:
            outcome = builder.build(point)
        except (OSError, ValueError) as error:
            return BuildOutcome(point, None, False, 0.0, (str(error),))
        if self._groups.cancelled:
            raise KeyboardInterrupt
        return outcome

    def _stage(self, batch: Batch, planned: PlannedJob, build: Path, numbers: Sequence[int]) -> int:
        """One job against many mutants; returns how many it killed."""
        folder = self._folder / "stages" / batch.name / planned.id
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        planned.job.write(folder / JOB_FILE)
        children = []
        for number in (BASELINE, *numbers):
            child = folder / str(number)
            child.mkdir()
            planned.job.write(child / JOB_FILE)
            children.append((number, str(child)))
        ForkPlan(tuple(children), self._processes, CPU_SECONDS, WALL_SECONDS).write(
            folder / PLAN_FILE
        )
        self._groups.run(
            [sys.executable, "-m", "verif.mutation.forks", str(folder), "--build", str(build)],
            cwd=ROOT,
            env=clean_environment(),
            log=folder / "server.txt",
            timeout=60 + WALL_SECONDS * len(children),
        )
        if self._groups.cancelled:
            raise KeyboardInterrupt
        killed = 0
        for number, name in children:
            verdict, seconds = _verdict(planned, Path(name))
            if number == BASELINE:
                if not verdict.passed:
                    raise BaselineError(f"{planned.id} fails without a mutant: {verdict.message}")
                continue
            killed += self._decide(batch.numbered[number], planned, verdict, seconds)
        if not self._keep:
            shutil.rmtree(folder)
        return killed

    def _decide(
        self, record: MutantRecord, planned: PlannedJob, verdict: Verdict, seconds: float
    ) -> bool:
        record.seconds = round(record.seconds + seconds, 4)
        if verdict.passed:
            record.passed.append(planned.id)
            return False
        record.outcome, record.test, record.message = Outcome.KILLED, planned.id, verdict.message
        return True

    def run_alone(
        self,
        record: MutantRecord,
        mutant: Mutant,
        hdl: Path,
        jobs: Iterable[PlannedJob],
    ) -> None:
        """One mutant in a build of its own, against the jobs in turn until one kills it.

        May be called from many threads, each with a mutant of its own.
        """
        folder = self._folder / "alone" / re.sub(r"\W+", "-", record.id)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        copy = single_copy(hdl, mutant, folder)
        builds: dict[BuildPoint, Path] = {}
        for planned in (planned for planned in jobs if planned.id not in record.passed):
            self._check_time()
            if planned.point not in builds:
                outcome = self._build(planned.point, copy)
                if outcome.folder is None:
                    record.outcome, record.message = Outcome.BROKEN, "; ".join(outcome.errors)
                    break
                builds[planned.point] = outcome.folder
            verdict, seconds = self.run_job(planned, builds[planned.point], folder / planned.id)
            if self._decide(record, planned, verdict, seconds):
                break
        for build in builds.values():
            shutil.rmtree(build, ignore_errors=True)
        if not self._keep:
            shutil.rmtree(folder)
        self._survived([record])

    def run_job(self, planned: PlannedJob, build: Path, folder: Path) -> tuple[Verdict, float]:
        """One job in a process of its own; the verdict and how long it took."""
        folder.mkdir(parents=True)
        planned.job.write(folder / JOB_FILE)
        ended = self._groups.run(
            [sys.executable, "-m", "regress.job", str(folder), "--build", str(build)],
            cwd=ROOT,
            env=clean_environment(),
            log=folder / "log.txt",
            timeout=WALL_SECONDS,
        )
        if self._groups.cancelled:
            raise KeyboardInterrupt
        return judge(planned.job, Evidence.collect(folder, ended, WALL_SECONDS)), ended.seconds

    def cancel(self) -> None:
        """End what other threads still run."""
        self._groups.cancel()

    def save(self) -> None:
        """Write the record as it stands."""
        with self._lock:
            self._record.seconds = round(time.monotonic() - self._begin, 1)
            self._record.write(self._folder)

    def _check_time(self) -> None:
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise BudgetSpentError


def _verdict(planned: PlannedJob, folder: Path) -> tuple[Verdict, float]:
    """What the project's own judge says of a mutant's folder, and its processor time."""
    try:
        data = json.loads((folder / ENDED_FILE).read_text())
    except (OSError, ValueError):
        return Verdict(False, "its process was never collected"), 0.0
    ended = Ended(data["returncode"], data["timed_out"], False, data["seconds"])
    evidence = Evidence.collect(folder, ended, WALL_SECONDS)
    return judge(planned.job, evidence), float(data["cpu_seconds"])


def source_batch(
    hdl: Path,
    sources: Mapping[str, Source],
    mutants: Sequence[Mutant],
    record: CampaignRecord,
    jobs: Sequence[PlannedJob],
    folder: Path,
) -> Batch:
    """The mutants of the source text that need no build of their own."""
    by_number = dict(enumerate((m for m in mutants if not m.static), 1))
    elaborated = Elaborated(sources)
    broken: set[int] = set()

    def write() -> Path:
        shutil.rmtree(folder / "hdl", ignore_errors=True)
        kept = {n: m for n, m in by_number.items() if n not in broken}
        return combined_copy(hdl, sources, kept, folder)

    def repair(places: set[tuple[str, int]]) -> set[int]:
        names = {(Path(name).name, line) for name, line in places}
        found = {
            number
            for number, mutant in by_number.items()
            if number not in broken and (Path(mutant.file).name, mutant.line) in names
        }
        broken.update(found)
        write()
        return found

    folder.mkdir(parents=True, exist_ok=True)
    return Batch(
        name="source",
        hdl=write(),
        numbered={n: record.mutants[m.id] for n, m in by_number.items()},
        jobs=jobs,
        applies=lambda found, planned: elaborated.useful(found.group, planned, jobs),
        repair=repair,
    )


class Elaborated:
    """Which files a build elaborates: those it reaches from the top by the names in them."""

    def __init__(self, sources: Mapping[str, Source]) -> None:
        """Of a design with these files, by name."""
        self._sources = sources
        self._file = {module: s.name for s in sources.values() for module in s.modules}
        self._known: dict[tuple[str, str], frozenset[str]] = {}

    def files(self, point: BuildPoint) -> frozenset[str]:
        """Names of the files."""
        module = str(architecture(point.point["architecture"]).module)
        key = (DESIGNS[point.top].top, module)
        if key not in self._known:
            self._known[key] = self._reached(*key)
        return self._known[key]

    def has(self, name: str, point: BuildPoint) -> bool:
        """Whether a build elaborates a file; packages are in all."""
        return name in self.files(point) or not self._sources[name].modules

    def useful(self, name: str, planned: PlannedJob, plan: Sequence[PlannedJob]) -> bool:
        """Whether a job may find out something about a file that the jobs before it did not.

        Every test of the first architecture of the plan that has the file, and :data:`EVERYWHERE`
        of the others.
        """
        if not self.has(name, planned.point):
            return False
        first = next(
            p for p in plan
            if p.point.top == planned.point.top and self.has(name, p.point)
        )  # fmt: skip
        same = first.point.point["architecture"] == planned.point.point["architecture"]
        return same or planned.job.test in EVERYWHERE

    def _reached(self, top: str, core: str) -> frozenset[str]:
        found: set[str] = set()
        waiting = [top, core]
        while waiting:
            name = self._file[waiting.pop()]
            if name in found:
                continue
            found.add(name)
            waiting += [other for other in self._sources[name].identifiers if other in self._file]
        return frozenset(found)


def alone_on_icarus(jobs: Iterable[PlannedJob]) -> list[PlannedJob]:
    """The jobs, moved to Icarus Verilog with few operations, each once."""
    moved = {}
    for planned in jobs:
        job = planned.job
        fewer = min(job.operations, ALONE_OPERATIONS[planned.point.top])
        other = planned_job(
            replace(job, simulator="icarus", operations=fewer, trace=False), planned.index,
            planned.timeout,
        )  # fmt: skip
        moved.setdefault(other.id, other)
    return list(moved.values())
