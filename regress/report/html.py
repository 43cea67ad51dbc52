"""A self-contained HTML page of a run."""

from __future__ import annotations

import shlex
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from regress.record import RunRecord, Status, tool_versions
from regress.report.tables import (
    coverage_rows,
    percent_text,
    rate_text,
    result_rows,
    summary_line,
)

HTML_FILE = "report.html"


def write_html(record: RunRecord) -> Path:
    """Write the page; failures come first."""
    environment = Environment(
        loader=PackageLoader("regress.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["rate"] = rate_text
    environment.filters["percent"] = percent_text
    order = {status: rank for rank, status in enumerate(_FAILURES_FIRST)}
    page = environment.get_template("report.html.j2").render(
        run=record,
        summary=summary_line(record),
        command=shlex.join(record.command),
        tools=tool_versions(record.simulators.values()),
        results=result_rows(record),
        coverage=coverage_rows(record),
        jobs=sorted(record.jobs, key=lambda job: order[job.status]),
        failed_builds=[build for build in record.builds if build.folder is None],
    )
    path = record.folder / HTML_FILE
    path.write_text(page, encoding="utf-8")
    return path


_FAILURES_FIRST = (
    Status.BUILD_ERROR,
    Status.FAILED,
    Status.INTERRUPTED,
    Status.SKIPPED,
    Status.PASSED,
)
