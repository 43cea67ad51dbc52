"""Markdown summary of a run, for the page of a pull request or of a workflow."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from regress.core.formats.files import write_text
from regress.core.jobrecord import Bucket
from regress.core.limits import duration_text
from regress.coverage.functional import goal_hits
from regress.history.database import HistoryView
from regress.report import tables
from regress.report.coverage_tables import code_text
from regress.report.html import templates
from regress.run.record import RunRecord

MARKDOWN_FILE = "summary.md"
# GitHub shows at most 65 536 characters of a comment.
MAX_BYTES = 60_000
MAX_ROWS = 20
VERDICTS = {"passed": "✅", "failed": "❌", "interrupted": "⚠️", "running": "⏳"}
# Characters with a meaning for GitHub, including # before a number and @ before a name.
SPECIAL = re.compile(r"([\\`*\[\]<>#|~@$&])")


def write_markdown(record: RunRecord, history: HistoryView | None = None) -> Path:
    """Write the page, with as many of its parts as fit.

    Raises:
        OSError: the page cannot be written.
    """
    history = history or HistoryView()

    def notes(bucket: Bucket) -> list[str]:
        note = tables.bucket_note(bucket) if bucket.reproducible is False else ""
        return [
            *tables.bucket_marks(bucket, history),
            *filter(None, (note, tables.shrunk_text(bucket))),
        ]

    environment = templates()
    environment.filters.update(md=_escaped, code=_code)
    counts = Counter(entry.mark.value for entry in history.marks)
    parts = environment.get_template("summary.md.j2").render(
        run=record,
        icon=VERDICTS[record.verdict],
        summary=tables.summary_line(record),
        history=history,
        tables=tables,
        warnings=tables.warnings(record),
        figures=tables.figure_table(record),
        mark_counts=", ".join(f"{count} {name}" for name, count in counts.items()),
        notes=notes,
        numbers=list(_numbers(record)),
        max_rows=MAX_ROWS,
    )
    text, left_out = "", 0
    for part in parts.split("\f"):
        if len((text + part).encode()) + 200 > MAX_BYTES:
            left_out += 1
        else:
            text += f"{part.strip()}\n\n"
    text += f"{left_out} parts left out, see the report\n" if left_out else ""
    write_text(record.folder / MARKDOWN_FILE, text)
    return record.folder / MARKDOWN_FILE


def _numbers(record: RunRecord) -> Iterator[tuple[str, str]]:
    yield "jobs", tables.status_counts(record)
    if tables.shows_operations(record):
        yield "operations checked", str(record.operations)
    if record.coverage:
        yield "required bins hit", tables.percent_text(goal_hits(record.coverage).percent)
    yield "time", duration_text(record.seconds)
    yield "jobs at once", str(record.workers)
    yield "master seed", str(record.plan.seed)
    if record.goals:
        met = len(record.goals) - len(record.unmet_goals)
        yield "goals met", f"{met} of {len(record.goals)}"
    if text := code_text(record):
        yield "coverage of code", text
    if record.compared:
        yield "pairs compared between simulators", str(record.compared)
    for why, count in tables.lost_attempts(record)[:3]:
        yield "lost attempts", f"{count} × {_escaped(why)}"


def _escaped(text: str) -> str:
    """Escape a text so that Markdown shows it literally in one line, without notifying users."""
    line = " ".join("".join(c if c.isprintable() or c.isspace() else "?" for c in text).split())
    return SPECIAL.sub(lambda found: f"&#{ord(found[0])};", line)


def _code(text: str) -> str:
    """Put a text into a code span inside a table, where a pipe would end the cell."""
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    return f"{fence} {' '.join(text.split())} {fence}".replace("|", "\\|")
