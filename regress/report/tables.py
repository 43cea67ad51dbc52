"""The rows of the tables in the terminal, the HTML page and the Markdown page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from regress.core.cases import CaseStatus, cases_text
from regress.core.jobrecord import Bucket, JobCase, JobRecord
from regress.core.limits import duration_text
from regress.core.metrics import Figure
from regress.core.point import Axis, IntegerAxis, MappingAxis, natural
from regress.core.project import Table
from regress.core.runfile import BAD, Score, Status
from regress.core.terminal import plural, sparkline
from regress.history.database import HistoryView, Trend
from regress.history.marks import outcomes, point_of
from regress.run.record import RunRecord

MAX_VALUES = 6
WARNINGS_TITLE = "Errors of the design in jobs that passed"
METRICS_TITLE = "Figures of each point over the runs"
MAX_NAMES = 12
CASE_ORDER = (CaseStatus.FAILED, CaseStatus.NOT_RUN, CaseStatus.PASSED)


@dataclass
class ResultRow:
    """All jobs of one top, point and simulator. Parameters do not make separate rows.

    Attributes:
        others: values on the other axes.
        cycles: busy cycles of these operations.
        wall_seconds: time that the simulations spent on them.
        seconds: run time of the jobs' processes.
    """

    top: str
    subject: str
    others: tuple[Any, ...]
    simulator: str
    jobs: int = 0
    passed: int = 0
    failed: int = 0
    not_run: int = 0
    expected: int = 0
    operations: int = 0
    cycles: int = 0
    wall_seconds: float = 0.0
    seconds: float = 0.0

    @property
    def other(self) -> int:
        """Jobs that neither passed nor failed: expected failures, skipped, not run, interrupted."""
        return self.jobs - self.passed - self.failed

    @property
    def pass_rate(self) -> float | None:
        """Percentage of ended jobs that passed or failed as expected; None if no job ended."""
        good = self.passed + self.expected
        return Score(good, good + self.failed).percent

    @property
    def clock_rate(self) -> float | None:
        """Simulated busy cycles per second; None if no time was measured."""
        return self.cycles / self.wall_seconds if self.cycles and self.wall_seconds else None

    def add(self, record: JobRecord) -> None:
        """Add one job to the row."""
        self.jobs += 1
        self.passed += record.status is Status.PASSED
        self.failed += record.status in BAD
        self.not_run += record.status is Status.NOT_RUN
        self.expected += record.status is Status.EXPECTED_FAILURE
        self.seconds += record.seconds
        if record.result:
            self.operations += record.result.operations
            self.cycles += record.result.cycles
            self.wall_seconds += record.result.wall_seconds


def other_axes(record: RunRecord) -> list[Axis]:
    """Return the axes with single values, except the first axis."""
    return [axis for axis in record.project.axes[1:] if not isinstance(axis, MappingAxis)]


def result_titles(record: RunRecord) -> str:
    """Return the columns of :func:`result_rows` that identify a row; see :func:`headings`."""
    others = [axis.title + "#" * isinstance(axis, IntegerAxis) for axis in other_axes(record)]
    return ",".join(["Top", record.project.subject.title, *others, "Simulator"])


def result_rows(record: RunRecord) -> list[ResultRow]:
    """Return the results by top, point and simulator."""
    rows: dict[tuple[str, str, tuple[Any, ...], str], ResultRow] = {}
    for job in record.jobs:
        build = job.planned.point
        others = tuple(build.point[axis.name] for axis in other_axes(record))
        key = (build.top, build.point.subject, others, build.simulator)
        rows.setdefault(key, ResultRow(*key)).add(job)
    return [rows[key] for key in sorted(rows, key=lambda key: [natural(part) for part in key])]


@dataclass
class SubjectRow:
    """All jobs of one subject on one top.

    Attributes:
        total: sums over these jobs; its simulator and its values on other axes are unused.
    """

    top: str
    subject: str
    total: ResultRow = field(default_factory=lambda: ResultRow("", "", (), ""))
    rows: list[ResultRow] = field(default_factory=list)

    @property
    def others_text(self) -> str:
        """Values on each other axis; only the smallest and the largest if there are many."""
        return "; ".join(map(_range_text, zip(*(row.others for row in self.rows), strict=True)))


def _range_text(values: Iterable[Any]) -> str:
    known = sorted(set(values), key=natural)
    if len(known) <= MAX_VALUES:
        return ", ".join(map(str, known))
    return f"{known[0]} … {known[-1]}"


def subject_rows(record: RunRecord) -> list[SubjectRow]:
    """Return the results by top and subject, those with failures first."""
    found: dict[tuple[str, str], SubjectRow] = {}
    for row in result_rows(record):
        found.setdefault((row.top, row.subject), SubjectRow(row.top, row.subject)).rows.append(row)
    for job in record.jobs:
        found[job.planned.point.top, job.planned.job.subject].total.add(job)
    default = record.project.default_top
    return sorted(found.values(), key=lambda entry: (not entry.total.failed, entry.top != default))


def matrix(record: RunRecord) -> tuple[list[str], list[tuple[str, list[ResultRow | None]]]]:
    """Return the results of each test on each subject.

    Returns:
        (subjects, rows). A row is a test and one cell per subject; a cell is None if no job was
        planned.
    """
    cells: dict[tuple[str, str], ResultRow] = {}
    for job in record.jobs:
        key = (job.planned.job.test, job.planned.job.subject)
        cells.setdefault(key, ResultRow("", key[1], (), "")).add(job)
    subjects = sorted({subject for _, subject in cells}, key=natural)
    tests = sorted({test for test, _ in cells}, key=natural)
    return subjects, [(test, [cells.get((test, name)) for name in subjects]) for test in tests]


def rows_by_test(
    record: RunRecord,
) -> tuple[list[str], list[tuple[str, list[ResultRow | None], ResultRow]]]:
    """Return the results of each test on each simulator, tests with failures first.

    Returns:
        (simulators, rows). A row is a test, one cell per simulator, and the sum; a cell is None if
        no job was planned.
    """
    cells: dict[tuple[str, str], ResultRow] = {}
    sums: dict[str, ResultRow] = {}
    for job in record.jobs:
        test, simulator = job.planned.job.test, job.planned.point.simulator
        cells.setdefault((test, simulator), ResultRow("", "", (), simulator)).add(job)
        sums.setdefault(test, ResultRow("", "", (), "")).add(job)
    simulators = sorted({simulator for _, simulator in cells}, key=natural)
    tests = sorted(sums, key=lambda test: (not sums[test].failed, natural(test)))
    return simulators, [
        (test, [cells.get((test, name)) for name in simulators], sums[test]) for test in tests
    ]


def shows_operations(record: RunRecord) -> bool:
    """Return whether tables have columns of operations: the project or a job counts them."""
    return record.project.counts_operations or record.operations > 0


def metric_table(trends: Sequence[Trend]) -> Table:
    """Return a row for each point with figures, and a column for each figure over the runs."""
    names = list(dict.fromkeys(name for trend in trends for run in trend.figures for name in run))
    rows = [
        [
            trend.point.name,
            str(len(trend.figures)),
            *(_over_runs(trend, name) for name in names),
            "; ".join(one.text for one in trend.worse),
        ]
        for trend in trends
    ]
    return Table(METRICS_TITLE, ("Point", "Runs", *names, "Worse than before"), rows)


def _over_runs(trend: Trend, name: str) -> str:
    values = [run[name].median if name in run else None for run in trend.figures]
    return sparkline(values) if any(value is not None for value in values) else ""


def figure_table(record: RunRecord) -> tuple[list[str], list[list[str]]]:
    """Return the titles and rows of the figures that a run measured, a row for each point."""
    found = {point: it.figures for point, it in outcomes(record, "").items() if it.figures}
    names = list(dict.fromkeys(name for figures in found.values() for name in figures))
    rows = [
        [point.name, *(figure_text(figures.get(name)) for name in names)]
        for point, figures in found.items()
    ]
    return names, rows


def figure_text(figure: Figure | None) -> str:
    """Return the median of a figure, and its range if it depends on the seed."""
    if figure is None:
        return ""
    low, high = min(figure.by_seed.values()), max(figure.by_seed.values())
    spread = f" ({_shown(low)} to {_shown(high)})" if low != high else ""
    return f"{_shown(figure.median)}{spread}"


def _shown(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def lost_attempts(record: RunRecord) -> list[tuple[str, int]]:
    """Return why attempts were lost with their worker, the most frequent reason first."""
    return Counter(why for job in record.jobs for why in job.lost).most_common()


def warnings(record: RunRecord) -> list[tuple[str, int]]:
    """Return the errors of the design that failed no job, the most frequent first."""
    return Counter(job.warning for job in record.jobs if job.warning).most_common()


def bucket_title(bucket: Bucket) -> str:
    """Return the message of a bucket's first failure, without its operands; never empty."""
    return bucket.title or "no message"


def bucket_count(bucket: Bucket) -> str:
    """Return the number of failures in a bucket."""
    jobs = plural(len(bucket.jobs), "job", "jobs")
    cases = plural(len(bucket.cases), "case", "cases")
    return f"{cases} of {jobs}" if cases else jobs


def bucket_note(bucket: Bucket) -> str:
    """Return the result of repeating a bucket's first failure; may be empty."""
    if bucket.reproducible is None:
        return bucket.rerun.note if bucket.rerun else ""
    if bucket.reproducible:
        return "failed again in the same way with the same seed"
    again = bucket.rerun
    if bucket.case and again and again.status is Status.PASSED:
        return "passes alone: what ran before it in its job matters"
    outcome = f"{again.status.value.replace('_', ' ')} {again.message}".strip() if again else ""
    return f"not reproducible, an error of the environment: run again with the same seed: {outcome}"


def bucket_marks(bucket: Bucket, history: HistoryView) -> list[str]:
    """Return what earlier runs report about the tests of a bucket."""
    points = {point_of(job.planned) for job in bucket.jobs}
    return sorted({entry.mark.value for entry in history.marks if entry.point in points})


def shrunk_text(bucket: Bucket) -> str:
    """Return the simplest configuration that shows a bucket's first failure; may be empty."""
    found = bucket.shrunk
    if not found:
        return ""
    end = "no simpler configuration fails" if found.finished else "time was up"
    tries = plural(found.tries, "try", "tries")
    return f"fails in the same way at {found.configuration} ({tries}, {end})"


def names_text(names: Sequence[str], most: int = MAX_NAMES) -> str:
    """Join names with commas; of many names, return the first ones and the number of the others."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def summary_line(record: RunRecord) -> str:
    """Return the whole run in one line."""
    return f"{record.verdict.upper()}: {summary_text(record)}"


def status_counts(record: RunRecord) -> str:
    """Return the number of jobs of each status; empty without jobs."""
    return ", ".join(
        f"{record.number(status)} {status.value.replace('_', ' ')}"
        for status in Status
        if record.number(status)
    )


def summary_text(record: RunRecord) -> str:
    """Return the whole run in one line, without the verdict."""
    counted = shows_operations(record)
    operations = plural(record.operations, "operation", "operations") or "0 operations"
    checked = f"{operations} checked in " if counted else ""
    cases = Counter(found.case.status for found in record.cases)
    parts = [
        status_counts(record) or "no job",
        cases_text(cases) if cases else "",
        plural(len(record.unmet_goals), "coverage goal not met", "coverage goals not met"),
        plural(
            len(record.disagreements),
            "disagreement between simulators",
            "disagreements between simulators",
        ),
        plural(len(record.worse), "figure worse than before", "figures worse than before"),
        f"{checked}{duration_text(record.seconds)}",
    ]
    return "; ".join(part for part in parts if part)


def rate_text(rate: float | None) -> str:
    """Format a clock rate for people."""
    if rate is None:
        return ""
    return f"{rate / 1e6:.2f} M" if rate >= 1e5 else f"{rate / 1e3:.1f} k"


def percent_text(percent: float | None) -> str:
    """Format a percentage; it shows 100 only if nothing is missing."""
    if percent is None:
        return "–"
    return "100 %" if percent == 100.0 else f"{min(percent, 99.9):.1f} %"


def case_rows(record: RunRecord) -> list[JobCase]:
    """Return all cases of a run: failed, not run, then passed; each in the order of the plan."""
    return sorted(record.cases, key=lambda row: CASE_ORDER.index(row.case.status))
