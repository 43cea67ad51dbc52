"""Writes run.json and the reports of a run."""

from __future__ import annotations

from regress.cli.workspace import Workspace
from regress.history.database import HistoryError, HistoryView
from regress.report.html import write_html
from regress.report.junit import write_junit
from regress.report.markdown import write_markdown
from regress.run.record import RunRecord


def write_reports(record: RunRecord, history: HistoryView | None = None) -> None:
    """Write run.json and every report of a run.

    Raises:
        OSError: a file cannot be written.
    """
    record.write()
    write_junit(record)
    write_markdown(record, history)
    write_html(record, history)


def compared(record: RunRecord, workspace: Workspace) -> HistoryView:
    """Compare the run with earlier runs, and add regressions of its figures to the record.

    An unusable database is only noted.
    """
    try:
        found = workspace.history.view(record)
        record.worse = found.worse
        return found
    except HistoryError as error:
        return HistoryView(note=str(error))
