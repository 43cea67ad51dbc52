"""Shows the progress of a run."""

from __future__ import annotations

import time
from collections import Counter

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from regress.core.buildrecord import BuildOutcome
from regress.core.cases import cases_text
from regress.core.jobrecord import JobRecord
from regress.core.runfile import BAD, Status
from regress.core.terminal import plural, say

WORDS = {Status.PASSED: "PASS", Status.FAILED: "FAIL", Status.SKIPPED: "SKIP"}
# Without a terminal, print the number of cases at this interval.
CASES_SECONDS = 10.0


class Display:
    """Receives all events of a run and shows them.

    In a terminal, progress bars move and only failures get a line. Elsewhere each event gets one.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
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
            disable=not console.is_terminal,
        )
        self._builds = self._progress.add_task("builds", total=None, note="")
        self._jobs = self._progress.add_task("jobs", total=None, note="")
        self._cases = self._progress.add_task("cases", total=None, note="", visible=False)
        self._started = time.monotonic()
        self._told = (0, self._started)
        self._ended = self._failures = self._left_out = 0

    def start(self, builds: int, jobs: int, cases: int) -> None:
        """Start the display of a run with this many builds, jobs and cases."""
        self._progress.update(self._builds, total=builds)
        self._progress.update(self._jobs, total=jobs)
        self._progress.update(self._cases, total=cases, visible=cases > 0)
        numbers = (
            plural(builds, "build", "builds") or "0 builds",
            plural(jobs, "job", "jobs") or "0 jobs",
            plural(cases, "case", "cases"),
        )
        self._say(", ".join(filter(None, numbers)))
        self._progress.start()

    def cases(self, done: int) -> None:
        """Show the number of finished cases. Called often, also while jobs run."""
        self._progress.update(self._cases, completed=done)
        known, when = self._told
        if done > known and time.monotonic() - when >= CASES_SECONDS:
            self._told = (done, time.monotonic())
            self._say(f"[cases {self._count(self._cases)}]")

    def built(self, outcome: BuildOutcome) -> None:
        """Show that a build ended."""
        self._progress.update(self._builds, advance=1, note=escape(outcome.point.name))
        style = "" if outcome.folder else "bold red"
        self._say(f"[build {self._count(self._builds)}] {build_line(outcome)}", style)

    def retry(self, record: JobRecord) -> None:
        """Show that an attempt was lost with its worker and that the job is restarted."""
        self._say(f"AGAIN {record.planned.id}: {record.message}", "yellow")

    def done(self, record: JobRecord) -> None:
        """Show that a job ended."""
        if record.status is Status.NOT_RUN:  # a limit can drop hundreds of jobs at once
            self._left_out += 1
            return
        self._failures += record.status in BAD
        self._ended += bool(record.folder)
        rate = 60.0 * self._ended / max(1.0, time.monotonic() - self._started)
        failed = f" [bold red]{self._failures} failed[/]" if self._failures else ""
        self._progress.update(self._jobs, advance=1, note=f"{rate:.0f} jobs/min{failed}")
        style = "bold red" if record.status in BAD else "yellow" if record.warning else ""
        self._say(f"[{self._count(self._jobs)}] {job_line(record)}", style)

    def stop(self) -> None:
        """End the display."""
        self._progress.stop()
        if self._left_out:
            self._say(plural(self._left_out, "job not run", "jobs not run"), "yellow")

    def _count(self, task: TaskID) -> str:
        counted = self._progress.tasks[task]
        return f"{counted.completed:.0f}/{counted.total:.0f}"

    def _say(self, text: str, style: str = "") -> None:
        if style or not self._console.is_terminal:
            say(self._console, text, style)


def build_line(outcome: BuildOutcome) -> str:
    """Describe one build in one line."""
    if outcome.folder is None:
        return (
            f"FAIL {outcome.point.name}: {' | '.join(outcome.errors)} ({outcome.log or 'no log'})"
        )
    how = "cached" if outcome.cached else f"{outcome.seconds:.1f} s"
    return f"{outcome.point.name} {how}"


def job_line(record: JobRecord) -> str:
    """Describe one job in one line."""
    status = WORDS.get(record.status) or record.status.value.upper().replace("_", " ")
    words = [status, record.planned.id]
    if record.folder:
        words.append(f"{record.seconds:.1f} s")
    if record.cases:
        words.append(cases_text(Counter(case.status for case in record.cases)))
    elif record.result:
        words.append(plural(record.result.operations, "operation", "operations") or "0 operations")
    line = " ".join(words)
    said = record.message or (record.warning and f"warning: {record.warning}")
    return f"{line}: {said}" if said else line
