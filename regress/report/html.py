"""A self-contained HTML page of a run, which loads nothing from elsewhere."""

from __future__ import annotations

import base64
import hashlib
import re
import shlex
from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment
from markupsafe import Markup, escape

from regress.core.cases import CaseStatus
from regress.core.errors import clipped
from regress.core.formats.files import write_text
from regress.core.jobrecord import JobCase, JobRecord
from regress.core.limits import duration_text
from regress.core.point import natural
from regress.core.project import Table
from regress.core.runfile import BAD, Rerun, Status
from regress.core.templates import template_environment
from regress.core.terminal import headings, plural
from regress.history.database import HistoryView
from regress.report import coverage_tables, tables
from regress.report.plots import Plot, history_plots, run_plots
from regress.report.tables import ResultRow
from regress.run.record import RunRecord

HTML_FILE = "report.html"
# The page must stay below 5 MB in all cases. run.json contains what the page omits.
MAX_PICTURES_BYTES = 3_300_000
MAX_PICTURE_BYTES = 600_000
MAX_BUCKETS = 60
MAX_DISAGREEMENTS = 20
MAX_WARNINGS = 50
MAX_JOBS = {Status.PASSED: 2500, Status.FAILED: 600, Status.BUILD_ERROR: 300}
MAX_OTHER_JOBS = 500
MAX_CASES = {CaseStatus.FAILED: 3000, CaseStatus.NOT_RUN: 500, CaseStatus.PASSED: 2500}
# Share of a picture's width at which its failure is, as the picture states it.
MOMENT = re.compile(r'<svg[^>]* data-moment="(0?\.\d+|0|1|1\.0)"')
SVG_SAFE = " !$()*+,-./:;=?@[]^_`{|}~"
JOBS_ORDER = (
    Status.BUILD_ERROR,
    Status.FAILED,
    Status.EXPECTED_FAILURE,
    Status.INTERRUPTED,
    Status.NOT_RUN,
    Status.SKIPPED,
    Status.PASSED,
)
# With more failed jobs than this, fold the list: their kinds are listed above it.
MAX_OPEN = 30


def write_html(record: RunRecord, history: HistoryView | None = None) -> Path:
    """Write the page, failures first.

    During the run, the page omits plots and holes, because they take the most time.

    Raises:
        OSError: the page cannot be written.
    """
    history = history or HistoryView()
    environment = templates()
    environment.filters["marks_of"] = lambda bucket: tables.bucket_marks(bucket, history)
    script = environment.get_template("page.js").render()
    page = environment.get_template("report.html.j2").render(
        **_contents(record, history),
        script=Markup(script),
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )
    path = record.folder / HTML_FILE
    write_text(path, page)
    return path


def job_groups(jobs: Iterable[JobRecord]) -> list[dict[str, Any]]:
    """Group the jobs by status, failures first: number, shown jobs, why jobs did not run."""
    by_status: dict[Status, list[JobRecord]] = {}
    for job in jobs:
        by_status.setdefault(job.status, []).append(job)
    groups = []
    for status in JOBS_ORDER:
        found = by_status.get(status, [])
        shown = sorted(found[: MAX_JOBS.get(status, MAX_OTHER_JOBS)], key=_block)
        left_out = status in (Status.NOT_RUN, Status.SKIPPED)
        reasons = Counter(job.message for job in found if left_out and job.message)
        groups.append({
            "status": status.value,
            "total": len(found),
            "blocks": [(key, list(part)) for key, part in groupby(shown, _block)],
            "hidden": len(found) - len(shown),
            "reasons": [f"{count} × {why}" for why, count in reasons.most_common()],
            # Show a column of messages.
            "messages": not left_out and status is not Status.PASSED,
            "open": status in BAD and len(found) <= MAX_OPEN,
        })  # fmt: skip
    return [group for group in groups if group["total"]]


def case_groups(record: RunRecord) -> list[tuple[str, int, list[JobCase]]]:
    """Group the cases by status, failures first: number and shown cases."""
    return [
        (status.value, len(rows), rows[: MAX_CASES[status]])
        for status, found in groupby(tables.case_rows(record), lambda row: row.case.status)
        if (rows := list(found))
    ]


def _block(record: JobRecord) -> tuple[str, str]:
    return record.planned.job.subject, record.planned.job.test


def _contents(record: RunRecord, history: HistoryView) -> dict[str, Any]:
    """Return the variables of the templates. The templates call the table modules for the rows."""
    done = record.verdict != "running"
    reruns = [bucket.rerun for bucket in record.buckets[:MAX_BUCKETS]]
    for item in record.disagreements[:MAX_DISAGREEMENTS]:
        reruns.extend(item.reruns)
    return {
        "run": record,
        "done": done,
        "history": history,
        "project": record.project,
        "tables": tables,
        "covered": coverage_tables,
        "status": {status.value: record.number(status) for status in Status},
        "choices": {
            "subject": sorted({job.planned.job.subject for job in record.jobs}, key=natural),
            "test": sorted({job.planned.job.test for job in record.jobs}, key=natural),
            "status": [status.value for status in JOBS_ORDER if record.number(status)],
        },
        "buckets": record.buckets[:MAX_BUCKETS],
        "kinds_of_cases": {
            it.place: number
            for number, bucket in enumerate(record.buckets, 1)
            for it in bucket.cases
        },
        "disagreements": record.disagreements[:MAX_DISAGREEMENTS],
        "pictures": _pictures(record.folder, reruns),
        "plots": _plots(record) if done else [],
        "trends": history_plots(history.nightly_runs) if done else [],
        "mark_counts": Counter(entry.mark.value for entry in history.marks),
        "sections": [
            *([tables.metric_table(history.trends)] if history.trends else []),
            *_warnings(record),
            *record.project.sections(record),
        ],
        "job_groups": job_groups(record.jobs),
        "case_groups": case_groups(record),
        "tools": record.tools,
    }


def _warnings(record: RunRecord) -> list[Table]:
    rows = [[str(count), error] for error, count in tables.warnings(record)[:MAX_WARNINGS]]
    return [Table(tables.WARNINGS_TITLE, ("Jobs", "First error"), rows)] if rows else []


def _plots(record: RunRecord) -> list[Plot]:
    own = record.project.plots(record)
    return [*run_plots(record), *(Plot(title, svg) for title, svg in own.items())]


def _pictures(run: Path, reruns: Iterable[Rerun | None]) -> dict[str, tuple[str, str]]:
    """Return the pictures of reruns, while they fit into the page, by their path.

    Returns:
        data URL, and the share of the width at which the failure is; empty if unknown.

    A picture in a data URL can neither run a script nor change the style of the page.
    """
    found: dict[str, tuple[str, str]] = {}
    room = MAX_PICTURES_BYTES
    for rerun in reruns:
        if not rerun or not rerun.picture or rerun.picture in found:
            continue
        try:
            svg = (run / rerun.picture).read_text(encoding="utf-8")
        except (OSError, ValueError):
            continue
        address = f"data:image/svg+xml,{quote(' '.join(svg.split()), safe=SVG_SAFE)}"
        if len(address) <= min(room, MAX_PICTURE_BYTES):
            moment = MOMENT.match(svg)
            found[rerun.picture] = address, moment[1] if moment else ""
            room -= len(address)
    return found


@cache
def templates() -> Environment:
    """Return the templates of the reports with their filters."""
    environment = template_environment(
        "regress.report", lambda name: name is not None and name.endswith(".html.j2")
    )
    environment.filters.update(
        title_of=tables.bucket_title,
        count_of=tables.bucket_count,
        note_of=tables.bucket_note,
        shrunk_of=tables.shrunk_text,
        rate=tables.rate_text,
        percent=tables.percent_text,
        duration=duration_text,
        count=lambda number, one, many: plural(number, one, many) or f"no {one}",
        grouped=lambda number: f"{number:,}".replace(",", "\u202f"),
        names=tables.names_text,
        clipped=clipped,
        headings=headings,
        shell=shlex.quote,
        command_line=shlex.join,
        breakable=_breakable,
        shade=_shade,
        strip=lambda past: "".join("●" if passed else "✗" for passed in past),
    )
    return environment


def _breakable(name: str) -> Markup:
    """Let a narrow column break a name after underscores and slashes."""
    return Markup(re.sub(r"([_/])", r"\1<wbr>", str(escape(name))))


def _shade(cell: ResultRow) -> str:
    if cell.failed:
        return "fail"
    if cell.passed and cell.passed + cell.not_run == cell.jobs:
        return "pass"
    return "none" if cell.not_run == cell.jobs else "part"
