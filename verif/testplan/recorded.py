"""Results of runs for the plan: a short record of each run, kept in ``runs.json``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from pydantic import Field

from regress.core.formats.files import read_json, write_json
from regress.core.formats.model import Format
from regress.core.runfile import BAD, GOOD, Score
from regress.coverage.code import KINDS, CodeCoverage
from regress.run.record import RunRecord
from verif.testplan.detection import check_of
from verif.testplan.format import Check

RUNS = Path(__file__).with_name("runs.json")
# Options of the machine on which a run was recorded. They do not change what it checks.
HERE = ("--out", "--jobs")


class TestCount(Format):
    """Jobs of one test in a run.

    Attributes:
        passed: jobs that passed.
        failed: jobs that failed, also at their build.
        left_out: jobs that did not run to their end.
    """

    __test__ = False  # pytest must not collect this class

    passed: int = 0
    failed: int = 0
    left_out: int = 0


class RecordedRun(Format):
    """Data of a run that the plan needs.

    Attributes:
        name: name of the list.
        command: command that started the run.
        date: day on which it started.
        commit: commit of the sources.
        whole: the run has every job of its list; False if options selected some of them.
        verdict: verdict of the run.
        seconds: wall-clock time.
        operations: number of checked operations.
        tests: jobs by test.
        coverage: required bins that were hit, of all subjects, by coverage group.
        code: code coverage after exclusions, by kind.
        failures: failed jobs by the check that failed first.
        toggle_holes: toggle points that were not hit, by reason.
    """

    name: str
    command: str
    date: str
    commit: str
    whole: bool
    verdict: str
    seconds: float
    operations: int
    tests: Mapping[str, TestCount]
    coverage: Mapping[str, Score] = Field(default_factory=dict)
    code: Mapping[str, Score] = Field(default_factory=dict)
    failures: Mapping[str, int] = Field(default_factory=dict)
    toggle_holes: Mapping[str, int] = Field(default_factory=dict)


class Record(Format):
    """Content of ``runs.json``: the last recorded run of each list."""

    runs: tuple[RecordedRun, ...] = ()


def read_runs(path: Path = RUNS) -> tuple[RecordedRun, ...]:
    """Return the recorded runs; empty without a file.

    Raises:
        UsageError: the file is not a record.
    """
    return read_json(path, Record, "record of runs").runs if path.exists() else ()


def add_run(run: RecordedRun) -> None:
    """Record a run instead of the earlier run of the same list."""
    runs = {one.name: one for one in (*read_runs(), run)}
    write_json(RUNS, Record(runs=tuple(runs[name] for name in sorted(runs))))


def what_it_runs(command: Iterable[str]) -> Iterator[str]:
    """Yield the words of a command without the options of :data:`HERE`."""
    words = iter(command)
    for word in words:
        option, _, value = word.partition("=")
        if option not in HERE:
            yield word
        elif not value:
            next(words, None)


def recorded(record: RunRecord, checks: Mapping[str, Check], commit: str = "") -> RecordedRun:
    """Return the data of a run that the plan needs; ``commit`` is the commit of its sources."""
    tests: dict[str, Counter[str]] = {}
    failures: Counter[str] = Counter()
    for job in record.jobs:
        kind = "passed" if job.status in GOOD else "failed" if job.status in BAD else "left_out"
        tests.setdefault(job.planned.job.test, Counter())[kind] += 1
        if kind == "failed":
            failures[check_of(job.message, checks) or "another failure"] += 1
    code = CodeCoverage.merged(record.code.values())
    return RecordedRun(
        name=record.plan.name,
        command=" ".join(what_it_runs(record.plan.command)),
        date=f"{record.plan.started:%Y-%m-%d}",
        commit=commit,
        whole=not any(_values(record.plan.options)),
        verdict=record.verdict,
        seconds=round(record.seconds),
        operations=record.operations,
        tests={name: TestCount(**count) for name, count in sorted(tests.items())},
        coverage=_coverage(record),
        code={kind: code.score(kind) for kind in KINDS} if record.code else {},
        failures=dict(failures),
    )


def _values(options: object) -> Iterator[object]:
    """Yield the values of nested options; empty ones if an option selects nothing."""
    if isinstance(options, Mapping):
        for part in options.values():
            yield from _values(part)
    else:
        yield options


def _coverage(record: RunRecord) -> dict[str, Score]:
    found: dict[str, list[Score]] = {}
    for groups in record.coverage.values():
        for name, group in groups.items():
            if group.goal:
                found.setdefault(name, []).append(group.score)
    return {name: added(scores) for name, scores in sorted(found.items())}


def added(scores: Iterable[Score]) -> Score:
    """Return the sum of scores."""
    every = list(scores)
    return Score(sum(one.hit for one in every), sum(one.total for one in every))


def jobs_of(test: str, runs: Sequence[RecordedRun]) -> TestCount | None:
    """Return the jobs of a test in all runs together; None if no run has one."""
    found = [run.tests[test] for run in runs if test in run.tests]
    if not found:
        return None
    return TestCount(
        passed=sum(one.passed for one in found),
        failed=sum(one.failed for one in found),
        left_out=sum(one.left_out for one in found),
    )


def coverage_of(group: str, runs: Sequence[RecordedRun]) -> Score | None:
    """Return the coverage of a group in the run that covers most of it; None if no run has it."""
    found = [run.coverage[group] for run in runs if group in run.coverage]
    return max(found, key=lambda score: score.hit / score.total, default=None)
