"""What the terminal shows at the end of a run, and before it for ``list`` and ``--dry-run``."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from regress.catalogue import Catalogue
from regress.limits import duration_text
from regress.lists import RegressionList
from regress.plan import PlannedJob
from regress.record import RunRecord, Status
from regress.report.html import HTML_FILE
from regress.report.tables import (
    coverage_rows,
    percent_text,
    rate_text,
    result_rows,
    summary_line,
    vector_rows,
)

Cell = str | int
MAX_FAILURES = 40


def say(console: Console, line: str, style: str | None = None) -> None:
    """Print one line as it is, however long."""
    console.print(Text(line, style or ""), soft_wrap=True)


def show_run(console: Console, record: RunRecord) -> None:
    """Results, coverage, failures, where the report is."""
    _show_results(console, record)
    _show_coverage(console, record)
    _show_failures(console, record)
    _show_verdict(console, record)


def show_vectors(console: Console, record: RunRecord) -> None:
    """One line for each vector, then the failures of jobs and where the report is."""
    lines = vector_rows(record)
    for line in lines:
        where = f"{line.name} (line {line.line}) {line.architecture} {line.simulator} {line.width}"
        if line.message:
            say(console, f"FAIL {where}: {line.message}", "red")
        else:
            say(console, f"PASS {where}", "green")
    _show_failures(console, record)
    say(console, f"{sum(not line.message for line in lines)} of {len(lines)} vectors passed")
    _show_verdict(console, record)


def _show_results(console: Console, record: RunRecord) -> None:
    rows = [
        [
            row.design,
            row.architecture,
            row.width,
            row.simulator,
            row.jobs,
            row.passed,
            row.failed,
            row.other,
            row.operations,
            rate_text(row.clock_rate),
            f"{row.seconds:.1f} s",
        ]
        for row in result_rows(record)
    ]
    titles = (
        "Top,Architecture,Width#,Simulator,Jobs#,Passed#,Failed#,Other#,Operations#,Clocks/s#,Time#"
    )
    _table(console, "Results", titles, rows)


def _show_coverage(console: Console, record: RunRecord) -> None:
    coverage = [
        [
            row.architecture,
            row.group,
            row.hit if row.goal else row.bins_hit,
            row.goal or "–",
            percent_text(row.percent),
            row.missing,
        ]
        for row in coverage_rows(record)
    ]
    if coverage:
        titles = "Architecture,Group,Hit#,Goal#,Share#,Missing"
        _table(console, "Functional coverage of the jobs that passed", titles, coverage)


def _show_verdict(console: Console, record: RunRecord) -> None:
    say(console, summary_line(record), "bold green" if record.passed else "bold red")
    say(console, f"report: {record.folder / HTML_FILE}")


def _show_failures(console: Console, record: RunRecord) -> None:
    for build in record.builds:
        if build.folder is None:
            say(console, f"build {build.point.name} failed, log: {build.log or 'none'}", "red")
            for line in build.errors:
                say(console, f"  {line}")
    # Jobs without a build share its failure, shown above.
    failed = [job for job in record.problems if job.status is Status.FAILED]
    for job in failed[:MAX_FAILURES]:
        say(console, f"{job.planned.id}: {job.message}", "red")
        say(console, f"  log: {record.folder / job.log}")
    if len(failed) > MAX_FAILURES:
        say(console, f"and {len(failed) - MAX_FAILURES} more failed jobs, see the report", "red")
    for goal in record.unmet_goals:
        text = f"coverage goal {goal.group} of {goal.architecture} not met: {goal.message}"
        say(console, text, "red")


def show_plan(console: Console, plan: Sequence[PlannedJob], budget: float = 0.0) -> None:
    """The jobs of a plan and their number."""
    rows = [[job.id, job.job.seed, job.job.operations, f"{job.timeout:g} s"] for job in plan]
    _table(console, "Plan", "Job,Seed#,Operations#,Timeout#", rows)
    builds = len({job.point for job in plan})
    operations = sum(job.job.operations for job in plan)
    limit = f", time budget {duration_text(budget)}" if budget else ""
    say(console, f"{len(plan)} jobs on {builds} builds, {operations} operations asked for{limit}")


def show_catalogue(
    console: Console, lists: Sequence[tuple[RegressionList, int]], catalogue: Catalogue
) -> None:
    """The lists with their number of jobs, the architectures, the tests."""
    _table(
        console,
        "Lists",
        "Name,Jobs#,Description",
        [[regression.name, jobs, regression.description] for regression, jobs in lists],
    )
    _table(
        console,
        "Architectures",
        "Name,Title,Module,Clocks as published,Source",
        [
            [
                name,
                entry.title,
                entry.module or "model only",
                f"{entry.published.clocks} ({entry.published.source})",
                entry.source,
            ]
            for name, entry in catalogue.entries.items()
        ],
    )
    _table(console, "Tests", "Name,What it does", [list(item) for item in catalogue.tests.items()])


def _table(console: Console, title: str, titles: str, rows: Sequence[Sequence[Cell]]) -> None:
    """A table; a title ending in # is a column of numbers."""
    table = Table(title=title, title_justify="left", title_style="bold")
    for heading in titles.split(","):
        number = heading.endswith("#")
        table.add_column(heading.rstrip("#"), justify="right" if number else "left")
    for row in rows:
        table.add_row(*(Text(str(cell)) for cell in row))
    console.print(table)
