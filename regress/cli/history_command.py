"""The command ``history``: shows runs and tests over time in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Any

from rich.console import Console
from rich.text import Text

from regress.cli.options import Call, positive
from regress.core.errors import UsageError, not_accepted
from regress.core.limits import duration_text
from regress.core.terminal import PASSED, Cell, say, show_table, sparkline
from regress.history.database import HISTORY_FILE, NightlyRun
from regress.history.marks import Outcome, Point, mark
from regress.report.tables import metric_table, percent_text

DEFAULT_LAST = 20
GOOD, BAD = "●", "✗"
TITLES = "Run,Started,Sources,Verdict,Jobs#,Failed#,Kinds#,Pass rate#,Coverage#,Operations#,Time#"
VERDICT_STYLES = {"passed": "green", "failed": "bold red"}


def add_parser(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser("history", help="show earlier runs and how tests did in them")
    parser.add_argument("--list", metavar="NAME", help="show only runs of this list")
    parser.add_argument(
        "--last",
        type=positive,
        default=DEFAULT_LAST,
        metavar="N",
        help=f"show the newest runs (default {DEFAULT_LAST})",
    )
    parser.add_argument("--test", metavar="T", help="show this test at all its points, run by run")
    parser.set_defaults(run=_history)


def _history(call: Call) -> int:
    runs, console = call.workspace.runs, call.console
    history = call.workspace.history
    everything = history.nightly_runs()
    if not everything:
        say(console, f"no runs in {runs / HISTORY_FILE}")
        return PASSED
    names = sorted({nightly_run.name for nightly_run in everything})
    if call.list and call.list not in names:
        raise UsageError(not_accepted("list in the history", call.list, names))
    wanted = [nightly_run for nightly_run in everything if call.list in (None, nightly_run.name)]
    nightly_runs = wanted[-call.last :]
    if call.test:
        counted = [nightly_run for nightly_run in nightly_runs if not nightly_run.apart]
        tests = history.tests(counted, call.test)
        if not tests:
            known = sorted({point.test for point in history.tests(counted)})
            raise UsageError(not_accepted("test in these runs", call.test, known))
        _show_tests(console, call.test, tests, len(counted))
    else:
        _show_nightly_runs(
            console, [nightly_run for nightly_run in nightly_runs if not nightly_run.apart]
        )
        # Runs that do not count for a list: on another design, by hand, or of vectors.
        if rows := [
            [*_cells(nightly_run), nightly_run.apart]
            for nightly_run in nightly_runs
            if nightly_run.apart
        ]:
            show_table(console, "Runs apart, counted with no list", f"{TITLES},Apart because", rows)
        if trends := history.trends(
            [nightly_run for nightly_run in nightly_runs if not nightly_run.apart]
        ):
            table = metric_table(trends)
            show_table(console, table.title, ",".join(table.headings), table.rows)
    return PASSED


def _cells(nightly_run: NightlyRun) -> list[Cell]:
    return [
        nightly_run.folder,
        f"{nightly_run.started.astimezone():%Y-%m-%d %H:%M}",
        nightly_run.sources,
        Text(nightly_run.verdict, VERDICT_STYLES.get(nightly_run.verdict, "yellow")),
        nightly_run.ended,
        Text(str(nightly_run.failed), "red" if nightly_run.failed else ""),
        nightly_run.buckets,
        percent_text(nightly_run.pass_rate),
        percent_text(nightly_run.coverage_percent),
        nightly_run.operations,
        duration_text(nightly_run.seconds),
    ]


def _show_nightly_runs(console: Console, nightly_runs: Sequence[NightlyRun]) -> None:
    show_table(
        console,
        "Runs, the newest last",
        TITLES,
        [_cells(nightly_run) for nightly_run in nightly_runs],
    )
    for name in dict.fromkeys(nightly_run.name for nightly_run in nightly_runs):
        own = [nightly_run for nightly_run in nightly_runs if nightly_run.name == name]
        good = sum(nightly_run.verdict == "passed" for nightly_run in own)
        say(console, f"{name}: {good} of {len(own)} runs passed")
        for what, values in (
            ("pass rate", [nightly_run.pass_rate for nightly_run in own]),
            ("coverage", [nightly_run.coverage_percent for nightly_run in own]),
            ("time", [nightly_run.seconds for nightly_run in own]),
        ):
            say(console, f"  {what:9} {sparkline(values)}")


def _show_tests(
    console: Console,
    test: str,
    tests: dict[Point, list[tuple[NightlyRun, Outcome]]],
    runs: int,
) -> None:
    rows: list[list[Cell]] = []
    for point, entries in sorted(tests.items()):
        outcomes = [outcome for _, outcome in entries]
        strip = Text()
        for outcome in outcomes:
            strip.append(GOOD if outcome.passed else BAD, "green" if outcome.passed else "red")
        # Only earlier runs of the same list count as earlier runs.
        own = [
            outcome for nightly_run, outcome in entries if nightly_run.name == entries[-1][0].name
        ]
        found = mark(own[-1], own[:-1])
        rows.append(
            [
                point.place,
                point.simulator,
                strip,
                percent_text(100.0 * sum(outcome.passed for outcome in outcomes) / len(outcomes)),
                duration_text(median(outcome.seconds for outcome in outcomes)),
                found.value if found else "",
                next((outcome.bucket for outcome in reversed(outcomes) if outcome.bucket), ""),
            ]
        )
    title = f"Test {test} in the last {runs} runs, the newest last"
    titles = "Point,Simulator,Outcomes,Passed#,Time#,Mark,Last failure"
    show_table(console, title, titles, rows)
