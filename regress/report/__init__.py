"""Reports of a run: terminal, JUnit XML, HTML, Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regress.history.database import HistoryView
    from regress.record import RunRecord


def write_reports(record: RunRecord, history: HistoryView | None = None) -> None:
    """Write every report of a run.

    Raises:
        OSError: one of them cannot be written.
    """
    # Some parts of the reports are asked for by what stands below the others.
    from regress.report.html import write_html
    from regress.report.junit import write_junit
    from regress.report.markdown import write_markdown

    record.write()
    write_junit(record)
    write_markdown(record, history)
    write_html(record, history)
