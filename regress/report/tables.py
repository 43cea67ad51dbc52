"""What the terminal, the HTML page and the Markdown page show, as rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from regress.cases import Case, CaseStatus, cases_text
from regress.limits import duration_text
from regress.record import BAD, Bucket, JobRecord, RunRecord, Status
from verif.design import MULTIPLIER

MAX_WIDTHS = 6
MAX_NAMES = 12


def headings(titles: str) -> list[tuple[str, bool]]:
    """The titles of a table's columns; those that end in # are of numbers."""
    return [(title.rstrip("#"), title.endswith("#")) for title in titles.split(",")]


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
        not_run: how many a limit left out.
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
    not_run: int = 0
    operations: int = 0
    clocks: int = 0
    wall_seconds: float = 0.0
    seconds: float = 0.0

    @property
    def other(self) -> int:
        """Jobs that neither passed nor failed: expected failures, skipped, not run, interrupted."""
        return self.jobs - self.passed - self.failed

    @property
    def clock_rate(self) -> float | None:
        """Simulated busy clocks a second; None if nothing was timed."""
        return self.clocks / self.wall_seconds if self.clocks and self.wall_seconds else None

    def add(self, record: JobRecord) -> None:
        """Count one more job."""
        self.jobs += 1
        self.passed += record.status is Status.PASSED
        self.failed += record.status in BAD
        self.not_run += record.status is Status.NOT_RUN
        self.seconds += record.seconds
        if record.result:
            self.operations += record.result.operations
            self.clocks += record.result.clocks
            self.wall_seconds += record.result.wall_seconds


def result_rows(record: RunRecord) -> list[ResultRow]:
    """Results by design, architecture, width and simulator."""
    rows: dict[tuple[str, str, int, str], ResultRow] = {}
    for job in record.jobs:
        point = job.planned.point
        key = (point.design, point.architecture, point.width, point.simulator)
        rows.setdefault(key, ResultRow(*key)).add(job)
    return [rows[key] for key in sorted(rows)]


@dataclass
class ArchitectureRow:
    """All jobs of one architecture on one design.

    Attributes:
        design: name of the top.
        architecture: registry name.
        widths: of its jobs, in bits.
        total: its jobs taken together; its width and simulator say nothing.
        rows: the same by width and simulator.
    """

    design: str
    architecture: str
    widths: list[int] = field(default_factory=list)
    total: ResultRow = field(default_factory=lambda: ResultRow("", "", 0, ""))
    rows: list[ResultRow] = field(default_factory=list)

    @property
    def width_text(self) -> str:
        """The widths, or the least and the greatest if they are many."""
        widths = sorted(set(self.widths))
        if len(widths) <= MAX_WIDTHS:
            return ", ".join(map(str, widths))
        return f"{widths[0]} … {widths[-1]}"


def architecture_rows(record: RunRecord) -> list[ArchitectureRow]:
    """Results by design and architecture, the ones with failures first."""
    found: dict[tuple[str, str], ArchitectureRow] = {}
    for row in result_rows(record):
        key = (row.design, row.architecture)
        entry = found.setdefault(key, ArchitectureRow(*key))
        entry.widths.append(row.width)
        entry.rows.append(row)
    for job in record.jobs:
        found[job.planned.point.design, job.planned.point.architecture].total.add(job)
    return sorted(
        found.values(), key=lambda entry: (not entry.total.failed, entry.design != MULTIPLIER.name)
    )


@dataclass(frozen=True)
class Matrix:
    """How each test did on each architecture.

    Attributes:
        architectures: the columns.
        tests: the rows: name, and one cell an architecture; None where nothing was planned.
    """

    architectures: Sequence[str]
    tests: Sequence[tuple[str, Sequence[ResultRow | None]]]


def matrix(record: RunRecord) -> Matrix:
    """Tests by architectures."""
    cells: dict[tuple[str, str], ResultRow] = {}
    for job in record.jobs:
        key = (job.planned.job.test, job.planned.job.architecture)
        cells.setdefault(key, ResultRow("", key[1], 0, "")).add(job)
    columns = sorted({architecture for _, architecture in cells})
    return Matrix(
        columns,
        [
            (test, [cells.get((test, architecture)) for architecture in columns])
            for test in sorted({test for test, _ in cells})
        ],
    )


def lost_attempts(record: RunRecord) -> list[tuple[str, int]]:
    """Why attempts were lost with what ran them, the most frequent reason first."""
    return Counter(why for job in record.jobs for why in job.lost).most_common()


def bucket_title(bucket: Bucket) -> str:
    """What a bucket's failures have in common; never empty."""
    return bucket.key or bucket.message or "no message"


def bucket_count(bucket: Bucket) -> str:
    """How many failures there are in a bucket."""
    jobs = plural(len(bucket.jobs), "job", "jobs")
    cases = plural(len(bucket.cases), "case", "cases")
    return f"{cases} of {jobs}" if cases else jobs


def bucket_note(bucket: Bucket) -> str:
    """What the repetition of a bucket's first failure says; empty if it says nothing."""
    if bucket.reproducible is None:
        return bucket.rerun.note if bucket.rerun else ""
    if bucket.reproducible:
        return "failed again in the same way with the same seed"
    again = bucket.rerun
    if bucket.case and again and again.status is Status.PASSED:
        return "passes alone: what ran before it in its job matters"
    outcome = f"{again.status.value.replace('_', ' ')} {again.message}".strip() if again else ""
    return f"not reproducible, an error of the environment: run again with the same seed: {outcome}"


def names_text(names: Sequence[str], most: int = MAX_NAMES) -> str:
    """Names separated by commas; of many the first and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def clipped(text: str, length: int) -> str:
    """A text of at most ``length`` letters."""
    return text if len(text) <= length else f"{text[: length - 1]}…"


def summary_line(record: RunRecord) -> str:
    """The whole run in one line."""
    return f"{record.verdict.upper()}: {summary_text(record)}"


def summary_text(record: RunRecord) -> str:
    """The whole run in one line, without the verdict."""
    counts = [
        f"{record.number(status)} {status.value.replace('_', ' ')}"
        for status in Status
        if record.number(status)
    ]
    parts = [
        ", ".join(counts) or "no job",
        cases_line(record),
        plural(len(record.unmet_goals), "coverage goal not met", "coverage goals not met"),
        plural(
            len(record.disagreements),
            "disagreement between simulators",
            "disagreements between simulators",
        ),
        f"{record.operations} operations checked in {duration_text(record.seconds)}",
    ]
    return "; ".join(part for part in parts if part)


def plural(number: int, one: str, many: str) -> str:
    """``3 jobs``; empty for none."""
    return f"{number} {one if number == 1 else many}" if number else ""


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
class CaseRow:
    """One case, where it ran, and what became of it.

    Attributes:
        job: the job it is part of.
        case: the case.
        bucket: number of its kind of failure in the report, 1 for the first; 0 if it has none.
    """

    job: JobRecord
    case: Case
    bucket: int = 0

    @property
    def note(self) -> str:
        """What is wrong with it, or what else there is to say."""
        if self.case.status is CaseStatus.NOT_RUN:
            # Of a job that was brought to an end it is a failure, and the job says so.
            return self.case.message or self.job.message
        return self.case.message or self.case.note


CASE_ORDER = (CaseStatus.FAILED, CaseStatus.NOT_RUN, CaseStatus.PASSED)


def case_rows(record: RunRecord) -> list[CaseRow]:
    """All cases of a run: what failed first, then what did not run, in the order of the plan."""
    buckets = {
        (found.record.planned.id, found.case.name): number
        for number, bucket in enumerate(record.buckets, start=1)
        for found in bucket.cases
    }
    rows = [
        CaseRow(job, case, buckets.get((job.planned.id, case.name), 0))
        for job in record.jobs
        for case in job.cases
    ]
    return sorted(rows, key=lambda row: CASE_ORDER.index(row.case.status))


def cases_line(record: RunRecord) -> str:
    """How many cases there are of each status; empty if there are none."""
    count = Counter(case.status for job in record.jobs for case in job.cases)
    return cases_text(count) if count else ""
