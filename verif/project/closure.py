"""The command ``closure``: a page with the effort to reach every coverage goal."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

from regress.cli.options import Call
from regress.cli.session import load
from regress.core.errors import UsageError
from regress.core.formats.files import write_text
from regress.core.project import Project
from regress.core.terminal import PASSED, headings
from regress.report.coverage_tables import closure_rows, closure_titles
from regress.report.plots import closure_plot
from regress.report.tables import summary_line
from regress.run.record import RunRecord
from verif.library.marked import write_table

BEGIN = "<!-- table: closure -->"
NAMESPACES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'


def add_parser(commands: Any, _: Project) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "closure", help="write a page with the jobs and operations that reached full coverage"
    )
    parser.add_argument("run_folder", type=Path, metavar="RUN", help="with --until-coverage")
    parser.add_argument("page", type=Path, metavar="FILE", help="the plot is put beside it")
    parser.set_defaults(run=_closure)


def _closure(call: Call) -> int:
    write_closure(load(call.context, call.run_folder), call.page)
    return PASSED


def write_closure(record: RunRecord, page: Path) -> None:
    """Write the table between the markers of a page, and the plot to an SVG file next to it.

    Raises:
        UsageError: the run was not started with --until-coverage, or the page has no markers.
        OSError: the plot cannot be written.
    """
    if not record.target:
        raise UsageError(f"{record.folder}: not a run with --until-coverage")
    write_table(page, closure_table(record), BEGIN)
    plot = closure_plot(record.target)
    write_text(page.with_suffix(".svg"), plot.svg.replace("<svg ", f"<svg {NAMESPACES} ", 1))


def closure_table(record: RunRecord) -> str:
    """Return the table in Markdown, after the command, the date and the verdict."""
    plan, titles = record.plan, headings(closure_titles(record))
    rows = [
        [title for title, _ in titles],
        ["---:" if number else "---" for _, number in titles],
        *closure_rows(record),
    ]
    return "\n".join(
        [
            f"`{shlex.join(plan.command)}`, {plan.started:%Y-%m-%d}, seed {plan.seed}, "
            f"{record.workers} jobs at once. {summary_line(record)}. Stopped: {record.stopped}.",
            "",
            *(f"| {' | '.join(row)} |" for row in rows),
            "",
        ]
    )
