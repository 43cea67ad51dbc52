"""Terminal output at the end of a run, and for ``list`` and ``--dry-run``."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console

from regress.core.cases import CaseStatus
from regress.core.jobrecord import Bucket
from regress.core.limits import duration_text
from regress.core.lists import RegressionList
from regress.core.plan import PlannedJob
from regress.core.project import Project
from regress.core.runfile import Rerun, Status
from regress.core.terminal import plural, say, show_table
from regress.report import coverage_tables, tables
from regress.report.html import HTML_FILE
from regress.run.record import RunRecord

MAX_BUCKETS = 15
MAX_GOALS = 20
MAX_ALSO = 4
MAX_CASES = 300
# Word and colour for the status of a case.
CASE_WORDS = {
    CaseStatus.PASSED: ("PASS", "green"),
    CaseStatus.FAILED: ("FAIL", "red"),
    CaseStatus.NOT_RUN: ("NOT RUN", "yellow"),
}


def show_run(console: Console, record: RunRecord) -> None:
    """Print results, incomplete coverage, failures by kind, and the path of the report."""
    _show_results(console, record)
    show_figures(console, record)
    _show_coverage(console, record)
    show_problems(console, record)
    show_end(console, record)


def show_cases(console: Console, record: RunRecord, outcome: str = "") -> None:
    """Print one line for each case, failures last, then failures by kind and the report's path.

    With more than MAX_CASES cases, print only the failed ones; the report has more. ``outcome`` is
    the project's summary of all cases.
    """
    rows = tables.case_rows(record)
    for row in sorted(rows, key=lambda row: -tables.CASE_ORDER.index(row.case.status)):
        status = row.case.status
        if status is not CaseStatus.FAILED and len(rows) > MAX_CASES:
            continue
        note = f": {row.note}" if row.note else ""
        word, style = CASE_WORDS[status]
        job = row.record.planned.job
        place = " ".join([*job.point.plain, job.simulator])
        say(console, f"{word} {row.case.name} {place}{note}", style)
    show_problems(console, record)
    if outcome:
        say(console, outcome)
    show_end(console, record)


def _show_results(console: Console, record: RunRecord) -> None:
    counts = tables.shows_operations(record)
    rows = [
        [
            row.top,
            row.subject,
            *row.others,
            row.simulator,
            row.jobs,
            row.passed,
            row.failed,
            row.other,
            *([row.operations, tables.rate_text(row.clock_rate)] if counts else []),
            f"{row.seconds:.1f} s",
        ]
        for row in tables.result_rows(record)
    ]
    operations = ",Operations#,Cycles/s#" if counts else ""
    titles = f"{tables.result_titles(record)},Jobs#,Passed#,Failed#,Other#{operations},Time#"
    show_table(console, "Results", titles, rows)


def show_figures(console: Console, record: RunRecord) -> None:
    """Print what the jobs measured; nothing if they measured nothing."""
    names, rows = tables.figure_table(record)
    if rows:
        show_table(console, "Figures", ",".join(["Point", *(f"{name}#" for name in names)]), rows)


def _show_coverage(console: Console, record: RunRecord) -> None:
    subjects = coverage_tables.subject_coverage(record)
    incomplete = [
        [entry.subject, name, group.score.hit, len(group.goal), share, group.missing_text]
        for entry in subjects
        for name, group in entry.incomplete.items()
        if (share := tables.percent_text(group.score.percent))
    ]
    # Do not show coverage after a failure: it would push the reason of the failure off the screen.
    if incomplete and not record.buckets:
        titles = f"{record.project.subject.title},Group,Hit#,Required#,Share#,Missing"
        show_table(console, "Incomplete coverage of the jobs that passed", titles, incomplete)
    complete = sum(len(entry.complete) for entry in subjects)
    if complete or incomplete:
        of = f" of {complete + len(incomplete)}" if incomplete else ""
        say(console, f"functional coverage: {complete}{of} groups complete")
    if text := coverage_tables.code_text(record):
        say(console, f"code coverage: {text}")
    if record.target:
        titles, rows = coverage_tables.closure_titles(record), coverage_tables.closure_rows(record)
        show_table(console, "Until the last required bin was hit", titles, rows)


def show_problems(console: Console, record: RunRecord, *, cases: bool = True) -> None:
    """Print failed builds, failures by kind, missed goals, and other problems.

    With ``cases`` False, omit the failures of cases: the caller shows them in another way.
    """
    for build in record.builds:
        if build.folder is None:
            say(console, f"build {build.point.name} failed, log: {build.log or 'none'}", "red")
            for line in build.errors:
                say(console, f"  {line}")
    found = [bucket for bucket in record.buckets if cases or not bucket.case]
    for bucket in _first(console, found, MAX_BUCKETS, "kinds of failure"):
        _show_bucket(console, record, bucket)
    for item in _first(console, record.disagreements, MAX_BUCKETS, "disagreements"):
        say(console, f"simulators disagree: {' and '.join(item.jobs)}: {item.message}", "red")
        for rerun in item.reruns:
            show_waves(console, record, rerun)
    for goal in _first(console, record.unmet_goals, MAX_GOALS, "goals not met"):
        text = f"coverage goal {goal.group} of {goal.subject} not met: {goal.message}"
        say(console, text, "red")
    for line in _first(console, record.worse, MAX_GOALS, "figures that are worse"):
        say(console, f"REGRESSION {line}", "bold red")
    for line in _first(console, record.problems_of_coverage, MAX_GOALS, "problems of coverage"):
        say(console, f"coverage: {line}", "red")
    for reason, count in tables.lost_attempts(record):
        times = plural(count, "attempt", "attempts")
        say(
            console,
            f"{times} lost with their worker or process; their jobs were restarted: {reason}",
            "yellow",
        )
    for error, count in _first(console, tables.warnings(record), MAX_GOALS, "errors"):
        jobs = plural(count, "job", "jobs")
        say(console, f"{jobs} passed although the design reported: {error}", "yellow")
    if record.stopped:
        left = plural(record.number(Status.NOT_RUN), "job not run", "jobs not run")
        say(console, f"stopped: {record.stopped}{f', {left}' if left else ''}", "yellow")


def _first(console: Console, items: Sequence[Any], most: int, what: str) -> Iterator[Any]:
    """Yield the first items, then print how many more exist."""
    yield from items[:most]
    if len(items) > most:
        say(console, f"and {len(items) - most} more {what}, see the report", "red")


def _show_bucket(console: Console, record: RunRecord, bucket: Bucket) -> None:
    first = bucket.record
    where = ", ".join(f"{name} {count}" for name, count in bucket.subjects.items())
    title = tables.bucket_title(bucket)
    say(console, f"{tables.bucket_count(bucket)} ({where}): {title}", "bold red")
    say(
        console,
        f"  first: {bucket.first}{'' if title == bucket.message else f': {bucket.message}'}",
    )
    if first.log:
        say(console, f"  log: {record.folder / first.log}")
    if bucket.reproducible is False:
        say(console, f"  {tables.bucket_note(bucket)}", "yellow")
    if bucket.shrunk:
        say(console, f"  {tables.shrunk_text(bucket)}")
    for key in bucket.also[:MAX_ALSO]:
        say(console, f"  same first difference in the waves: {key}")
    if bucket.rerun:
        show_waves(console, record, bucket.rerun)
    if bucket.command:
        say(console, f"  reproduce: {bucket.command}")


def show_waves(console: Console, record: RunRecord, rerun: Rerun) -> None:
    """Print the finding of a rerun's waves, and the path of their picture."""
    if rerun.finding:
        say(console, f"  the waves say: {rerun.finding}")
    if rerun.picture:
        say(console, f"  waveform: {record.folder / rerun.picture}")
    if rerun.waves:
        say(console, f"  waves: {record.folder / rerun.waves}")
    elif rerun.note:
        say(console, f"  no waveform: {rerun.note}")


def show_end(console: Console, record: RunRecord) -> None:
    """Print the run in one line, and the path of its report."""
    style = {"passed": "bold green", "interrupted": "bold yellow"}.get(record.verdict, "bold red")
    say(console, tables.summary_line(record), style)
    for line in next_commands(record):
        say(console, line)
    say(console, f"report: {record.folder / HTML_FILE}")


def next_commands(record: RunRecord) -> Iterator[str]:
    """Yield the commands that go on from a run that was interrupted or that failed."""
    if record.verdict == "interrupted" and not record.finished:
        words = [*record.project.command, "run", "--resume", str(record.folder)]
        yield f"go on with: {shlex.join(words)}"
    failed = next((b.record for b in record.buckets if not b.record.planned.job.waves), None)
    if failed and failed.folder:
        folder = (record.folder / failed.folder).parent
        yield f"look at it: {shlex.join([*record.project.command, 'debug', str(folder)])}"


def show_plan(console: Console, plan: Sequence[PlannedJob], budget: float = 0.0) -> None:
    """Print the jobs of a plan and their number."""
    counted = any(job.context and job.context.project.counts_operations for job in plan)
    rows = [
        [job.id, job.job.seed, *([job.job.operations] if counted else []), f"{job.timeout:g} s"]
        for job in plan
    ]
    operations = "Operations#," if counted else ""
    show_table(console, "Plan", f"Job,Seed#,{operations}Timeout#", rows)
    builds = len({job.point for job in plan})
    limit = f", time budget {duration_text(budget)}" if budget else ""
    total = sum(job.job.operations for job in plan)
    operations = plural(total, "operation", "operations") or "0 operations"
    asked = f", {operations} asked for" if counted else ""
    what = f"{plural(len(plan), 'job', 'jobs')} on {plural(builds, 'build', 'builds')}"
    say(console, f"{what}{asked}{limit}")


def show_catalogue(
    console: Console, project: Project, lists: Sequence[tuple[RegressionList, int]]
) -> None:
    """Print the lists with their number of jobs, the project's tables, and the tests.

    A + after the number stands for jobs of drawn classes, which are known when the list runs.
    """
    draws = {
        regression.name: any(entry.draws_classes for entry in regression.jobs)
        for regression, _ in lists
    }
    rows = [
        [regression.name, f"{jobs} +" if draws[regression.name] else jobs, regression.description]
        for regression, jobs in lists
    ]
    show_table(console, "Lists", "Name,Jobs#,Description", rows)
    if any(draws.values()):
        say(console, "+: and jobs for each class of configuration, drawn when the list runs")
    for table in project.tables():
        show_table(console, table.title, ",".join(table.headings), table.rows)
    tests = [[name, test.description] for name, test in project.tests.items()]
    show_table(console, "Tests", "Name,What it does", tests)
