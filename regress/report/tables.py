"""The rows that the terminal and the HTML page show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from regress.judge import vector_problem
from regress.record import JobRecord, RunRecord, Status


@dataclass
class ResultRow:
    """The jobs of one design, architecture, width and simulator taken together.

    Attributes:
        design: name of the top.
        architecture: registry name.
        width: operand width in bits.
        simulator: ``verilator`` or ``icarus``.
        jobs: how many.
        passed: how many of them passed.
        failed: how many of them failed, a failed build included.
        operations: operations checked.
        clocks: busy clocks of these operations.
        wall_seconds: time the simulations spent on them.
        seconds: time of the jobs' processes.
    """

    design: str
    architecture: str
    width: int
    simulator: str
    jobs: int = 0
    passed: int = 0
    failed: int = 0
    operations: int = 0
    clocks: int = 0
    wall_seconds: float = 0.0
    seconds: float = 0.0

    @property
    def other(self) -> int:
        """Jobs skipped or interrupted."""
        return self.jobs - self.passed - self.failed

    @property
    def clock_rate(self) -> float | None:
        """Simulated busy clocks a second; None if nothing was timed."""
        return self.clocks / self.wall_seconds if self.clocks and self.wall_seconds else None

    def add(self, record: JobRecord) -> None:
        """Count one more job."""
        self.jobs += 1
        self.passed += record.status is Status.PASSED
        self.failed += record.status in (Status.FAILED, Status.BUILD_ERROR)
        self.seconds += record.seconds
        if record.result:
            self.operations += record.result.operations
            self.clocks += record.result.clocks
            self.wall_seconds += record.result.wall_seconds


@dataclass(frozen=True)
class CoverageRow:
    """One coverage group of one architecture; ``percent`` is None without a goal."""

    architecture: str
    group: str
    hit: int
    goal: int
    percent: float | None
    missing: str
    bins_hit: int


def result_rows(record: RunRecord) -> list[ResultRow]:
    """Results by design, architecture, width and simulator."""
    rows: dict[tuple[str, str, int, str], ResultRow] = {}
    for job in record.jobs:
        point = job.planned.point
        key = (point.design, point.architecture, point.width, point.simulator)
        rows.setdefault(key, ResultRow(*key)).add(job)
    return [rows[key] for key in sorted(rows)]


def coverage_rows(record: RunRecord) -> list[CoverageRow]:
    """Coverage by architecture and group."""
    return [
        CoverageRow(
            architecture=architecture,
            group=name,
            hit=group.hit,
            goal=len(group.goal),
            percent=group.percent,
            missing=group.missing_text,
            bins_hit=sum(1 for hits in group.bins.values() if hits),
        )
        for architecture, groups in sorted(record.coverage.items())
        for name, group in sorted(groups.items())
    ]


def summary_line(record: RunRecord) -> str:
    """The whole run in one line."""
    counts = [
        f"{record.number(status)} {status.value.replace('_', ' ')}"
        for status in Status
        if record.number(status)
    ]
    goals = f"; {len(record.unmet_goals)} coverage goals not met" if record.unmet_goals else ""
    return (
        f"{record.verdict.upper()}: {', '.join(counts) or 'no job'}{goals}; "
        f"{record.operations} operations checked in {record.seconds:.1f} s"
    )


def rate_text(rate: float | None) -> str:
    """A clock rate for people."""
    if rate is None:
        return ""
    return f"{rate / 1e6:.2f} M" if rate >= 1e5 else f"{rate / 1e3:.1f} k"


def percent_text(percent: float | None) -> str:
    """A percentage that says 100 only when nothing is missing."""
    if percent is None:
        return "–"
    return "100 %" if percent == 100.0 else f"{min(percent, 99.9):.1f} %"


@dataclass(frozen=True)
class VectorRow:
    """What became of one vector on one architecture and simulator.

    Attributes:
        line: its line in the vector file.
        name: its name.
        architecture: registry name.
        simulator: ``verilator`` or ``icarus``.
        width: operand width in bits.
        message: what is wrong; empty if it is as expected.
    """

    line: int
    name: str
    architecture: str
    simulator: str
    width: int
    message: str


def vector_rows(record: RunRecord) -> list[VectorRow]:
    """All vectors of a run, in the order of their file."""
    rows = [row for job in record.jobs for row in _vector_rows(job)]
    return sorted(rows, key=lambda row: row.line)


def _vector_rows(record: JobRecord) -> Iterator[VectorRow]:
    job = record.planned.job
    for vector in job.vectors:
        message = vector_problem(vector, record.result)
        if record.result is None and record.message:
            message = f"{message}: {record.message}"
        yield VectorRow(
            vector["line"], vector["name"], job.architecture, job.simulator, job.width, message
        )
