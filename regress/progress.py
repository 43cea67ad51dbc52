"""Shows a run while it goes on."""

from __future__ import annotations

import time
from collections import Counter

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from regress.build import BuildOutcome
from regress.cases import cases_text
from regress.jobrecord import JobRecord
from regress.runfile import Status

WORDS = {
    Status.PASSED: "PASS",
    Status.FAILED: "FAIL",
    Status.BUILD_ERROR: "BUILD ERROR",
    Status.EXPECTED_FAILURE: "EXPECTED FAILURE",
    Status.SKIPPED: "SKIP",
    Status.NOT_RUN: "NOT RUN",
    Status.INTERRUPTED: "INTERRUPTED",
}
STYLES = {
    Status.PASSED: "green",
    Status.FAILED: "bold red",
    Status.BUILD_ERROR: "bold red",
    Status.EXPECTED_FAILURE: "yellow",
    Status.SKIPPED: "yellow",
    Status.NOT_RUN: "yellow",
    Status.INTERRUPTED: "yellow",
}

# In plain lines the cases are told so often.
CASES_SECONDS = 10.0


class Display:
    """Told of everything that happens in a run: one line for each event."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._builds = self._jobs = 0
        self._numbers = (0, 0)
        self._left_out = 0
        self._cases = 0
        self._told = (0, time.monotonic())

    def start(self, builds: int, jobs: int, cases: int) -> None:
        """The run begins with so many builds and jobs, and so many cases of them."""
        self._numbers = (builds, jobs)
        self._cases = cases
        self._say(f"{builds} builds, {jobs} jobs{f', {cases} cases' if cases else ''}")

    def cases(self, done: int) -> None:
        """So many cases are done; told often, also while jobs run."""
        known, when = self._told
        if done > known and time.monotonic() - when >= CASES_SECONDS:
            self._told = (done, time.monotonic())
            self._say(f"[cases {done}/{self._cases}]")

    def built(self, outcome: BuildOutcome) -> None:
        """A build ended."""
        self._builds += 1
        self._say(f"[build {self._builds}/{self._numbers[0]}] {build_line(outcome)}")

    def retry(self, record: JobRecord) -> None:
        """An attempt was lost with what ran it; the job gets another."""
        self._say(retry_line(record))

    def done(self, record: JobRecord) -> None:
        """A job ended."""
        if record.status is Status.NOT_RUN:  # a limit leaves out hundreds at once
            self._left_out += 1
            return
        self._jobs += 1
        self._say(f"[{self._jobs}/{self._numbers[1]}] {job_line(record)}")

    def stop(self) -> None:
        """The run is over."""
        if self._left_out:
            self._say(f"{self._left_out} jobs not run")

    def _say(self, text: str) -> None:
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)


class LiveDisplay(Display):
    """Two bars that move, with the failures above them."""

    def __init__(self, console: Console) -> None:
        self._failures = 0
        self._ended = 0
        self._started = time.monotonic()
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[note]}"),
            console=console,
            transient=True,
        )
        self._builds = self._progress.add_task("builds", total=None, note="")
        self._jobs = self._progress.add_task("jobs", total=None, note="")
        self._cases = self._progress.add_task("cases", total=None, note="", visible=False)

    def start(self, builds: int, jobs: int, cases: int) -> None:
        """See :class:`Display`."""
        self._progress.update(self._cases, total=cases, visible=cases > 0)
        self._progress.update(self._builds, total=builds)
        self._progress.update(self._jobs, total=jobs)
        self._progress.start()

    def built(self, outcome: BuildOutcome) -> None:
        """See :class:`Display`."""
        if outcome.folder is None:
            self._print(build_line(outcome), "bold red")
        self._progress.update(self._builds, advance=1, note=escape(outcome.point.name))

    def done(self, record: JobRecord) -> None:
        """See :class:`Display`."""
        if record.status in (Status.FAILED, Status.BUILD_ERROR):
            self._failures += 1
            self._print(job_line(record), STYLES[record.status])
        self._ended += bool(record.folder)
        rate = 60.0 * self._ended / max(1.0, time.monotonic() - self._started)
        failed = f" [bold red]{self._failures} failed[/]" if self._failures else ""
        self._progress.update(self._jobs, advance=1, note=f"{rate:.0f} jobs/min{failed}")

    def cases(self, done: int) -> None:
        """See :class:`Display`."""
        self._progress.update(self._cases, completed=done)

    def retry(self, record: JobRecord) -> None:
        """See :class:`Display`."""
        self._print(retry_line(record), "yellow")

    def stop(self) -> None:
        """See :class:`Display`."""
        self._progress.stop()

    def _print(self, text: str, style: str) -> None:
        self._progress.console.print(text, style=style, markup=False, highlight=False)


def display_for(console: Console) -> Display:
    """A live display in a terminal, plain lines elsewhere."""
    return LiveDisplay(console) if console.is_terminal else Display(console)


def build_line(outcome: BuildOutcome) -> str:
    """One build in one line."""
    if outcome.folder is None:
        return (
            f"FAIL {outcome.point.name}: {' | '.join(outcome.errors)} ({outcome.log or 'no log'})"
        )
    how = "cached" if outcome.cached else f"{outcome.seconds:.1f} s"
    return f"{outcome.point.name} {how}"


def retry_line(record: JobRecord) -> str:
    """One lost attempt in one line."""
    return f"AGAIN {record.planned.id}: {record.message}"


def job_line(record: JobRecord) -> str:
    """One job in one line."""
    words = [WORDS[record.status], record.planned.id]
    if record.folder:
        words.append(f"{record.seconds:.1f} s")
    if record.cases:
        words.append(cases_text(Counter(case.status for case in record.cases)))
    elif record.result:
        words.append(f"{record.result.operations} operations")
    line = " ".join(words)
    return f"{line}: {record.message}" if record.message else line
