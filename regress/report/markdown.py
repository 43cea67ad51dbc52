"""The run in Markdown, for the page of a pull request or of a workflow."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from regress.formats.files import write_text
from regress.history.database import HistoryView
from regress.history.marks import point_of
from regress.jobrecord import Bucket
from regress.limits import duration_text
from regress.record import RunRecord
from regress.report.coverage_tables import code_text, subject_coverage
from regress.report.tables import (
    bucket_count,
    bucket_note,
    bucket_title,
    clipped,
    lost_attempts,
    names_text,
    percent_text,
    shrunk_text,
    summary_line,
)
from regress.runfile import Status

MARKDOWN_FILE = "summary.md"
# GitHub shows 65 536 letters of a comment.
MAX_BYTES = 60_000
MAX_ROWS = 20
MAX_TEXT = 300
MAX_COMMAND = 600
VERDICTS = {"passed": "✅", "failed": "❌", "interrupted": "⚠️", "running": "⏳"}
# What has a meaning to GitHub, a number after # and a name after @ too.
SPECIAL = re.compile(r"([\\`*\[\]<>#|~@$&])")


def write_markdown(record: RunRecord, history: HistoryView | None = None) -> Path:
    """Write the page.

    Args:
        record: of the run.
        history: what earlier runs say about it.

    Raises:
        OSError: it cannot be written.
    """
    path = record.folder / MARKDOWN_FILE
    write_text(path, _fitting(_blocks(record, history or HistoryView())))
    return path


def _blocks(record: RunRecord, history: HistoryView) -> list[str]:
    """The parts of the page, the most important first."""
    blocks = [f"## {VERDICTS[record.verdict]} {_escaped(record.name)}: {record.verdict}"]
    blocks.append(_escaped(summary_line(record)))
    if record.stopped:
        blocks.append(f"**Stopped:** {_escaped(record.stopped)}")
    if record.buckets:
        blocks.append(_buckets(record.buckets, history))
    if record.disagreements:
        rows = [
            [_escaped(" and ".join(item.jobs)), _escaped(clipped(item.message, MAX_TEXT))]
            for item in record.disagreements
        ]
        blocks.append(_table("Simulators that disagree", ("Jobs", "First difference"), rows))
    if record.unmet_goals:
        rows = [
            [goal.subject, goal.group, _escaped(clipped(goal.message, MAX_TEXT))]
            for goal in record.unmet_goals
        ]
        blocks.append(_table("Coverage goals not met", ("Subject", "Group", "Missing"), rows))
    if record.problems_of_coverage:
        rows = [[_escaped(clipped(line, MAX_TEXT))] for line in record.problems_of_coverage]
        blocks.append(_table("Problems of coverage", ("What",), rows))
    if history.marks:
        blocks.append(_marks(history))
    if history.note:
        blocks.append(_escaped(history.note))
    blocks.append(_numbers(record))
    return blocks


def _buckets(buckets: Sequence[Bucket], history: HistoryView) -> str:
    marks = history.mark_names
    rows = []
    for bucket in buckets:
        found = {marks.get(point_of(job.planned)) for job in bucket.jobs}
        notes = sorted(name for name in found if name)
        if bucket.reproducible is False:
            notes.append(bucket_note(bucket))
        if bucket.shrunk:
            notes.append(shrunk_text(bucket))
        rows.append(
            [
                _escaped(clipped(bucket_title(bucket), MAX_TEXT)),
                bucket_count(bucket),
                names_text([f"{name} {count}" for name, count in bucket.subjects.items()]),
                _escaped(clipped(", ".join(notes), MAX_TEXT)),
                _code(bucket.command) if len(bucket.command) <= MAX_COMMAND else "see the report",
            ]
        )
    titles = ("Failure", "How many", "Where", "Notes", "Reproduce the first one")
    return _table("Failures", titles, rows)


def _marks(history: HistoryView) -> str:
    marks = history.marks
    counts = Counter(entry.mark.value for entry in marks)
    total = ", ".join(f"{count} {name}" for name, count in counts.items())
    rows = [[entry.mark.value, _escaped(entry.point.name)] for entry in marks]
    return _table(f"Tests compared with earlier runs: {total}", ("Mark", "Test"), rows)


def _numbers(record: RunRecord) -> str:
    hit = [entry for entry in subject_coverage(record) if entry.goal]
    goal = sum(entry.goal for entry in hit)
    percent = 100.0 * sum(entry.hit for entry in hit) / goal if goal else None
    rows = [
        ["jobs", ", ".join(
            f"{record.number(status)} {status.value.replace('_', ' ')}"
            for status in Status
            if record.number(status)
        )],
        ["operations checked", str(record.operations)],
        ["coverage of goal bins", percent_text(percent)],
        ["time", duration_text(record.seconds)],
        ["jobs at once", str(record.workers)],
        ["master seed", str(record.seed)],
    ]  # fmt: skip
    if record.goals:
        met = len(record.goals) - len(record.unmet_goals)
        rows.append(["goals met", f"{met} of {len(record.goals)}"])
    if text := code_text(record):
        rows.append(["coverage of code", text])
    if record.compared:
        rows.append(["pairs compared between simulators", str(record.compared)])
    rows += [["lost attempts", f"{n} × {_escaped(why)}"] for why, n in lost_attempts(record)[:3]]
    return _table("Numbers", ("What", "Value"), rows)


def _table(title: str, titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [f"### {title}", "", _row(titles), _row(["---"] * len(titles))]
    lines += [_row(row) for row in rows[:MAX_ROWS]]
    if len(rows) > MAX_ROWS:
        lines += ["", f"and {len(rows) - MAX_ROWS} more, see the report"]
    return "\n".join(lines)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    """Text that Markdown shows as it is, in one line; no name in it calls anybody."""
    line = " ".join("".join(c if c.isprintable() or c.isspace() else "?" for c in text).split())
    return SPECIAL.sub(lambda found: f"&#{ord(found[0])};", line)


def _code(text: str) -> str:
    """Text in a code span inside a table, where a pipe would end the cell."""
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    return f"{fence} {' '.join(text.split())} {fence}".replace("|", "\\|")


def _fitting(blocks: Sequence[str]) -> str:
    """As many of the parts as a page may hold."""
    text, left_out = "", 0
    for block in blocks:
        if len((text + block).encode()) + 200 > MAX_BYTES:
            left_out += 1
        else:
            text += f"{block}\n\n"
    return text + (f"{left_out} parts left out, see the report\n" if left_out else "")
