"""Results of an attack, for the console, for its page, and for the report of a run."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.table import Table

from regress.cli.options import Call
from regress.core.errors import UsageError
from regress.core.terminal import FAILED, PASSED, say
from regress.run.record import command_line


@dataclass(frozen=True)
class Outcome:
    """Results of an attack.

    Attributes:
        title: attack and configuration.
        experiments: number of operations or faults.
        figures: counts and scores by name.
        remarks: lines for people.
        failures: a line for each failed check.
        tables: tables of the console and the page.
        pictures: draws the pictures of the page, SVG by title.
    """

    title: str
    experiments: int
    figures: Mapping[str, Any]
    remarks: Sequence[str] = ()
    failures: Sequence[str] = ()
    tables: Sequence[Table] = ()
    pictures: Callable[[], Mapping[str, str]] = field(default=dict)

    @property
    def lines(self) -> list[str]:
        """Remarks, then failures."""
        return [*self.remarks, *(f"FAILED: {line}" for line in self.failures)]

    def write_page(self, path: Path, argv: Sequence[str]) -> None:
        """Write the page.

        Args:
            path: HTML file; its folder is created.
            argv: command that repeats the attack, without the program.
        """
        # Slow to load, as matplotlib is.
        from verif.security.page import write_page

        command = shlex.join(command_line(argv))
        write_page(path, self.title, command, self.lines, self.pictures(), self.tables)


def picture_name(page: str, number: int) -> str:
    """Return the name of the file with a picture.

    Args:
        page: name of the page without its suffix.
        number: of the picture on the page, from 0 on.
    """
    return f"{page}-{number}.svg"


def plain(table: Table) -> dict[str, Any]:
    """Return title, headings and rows of a table."""
    columns = [list(map(str, column.cells)) for column in table.columns]
    return {
        "title": str(table.title),
        "headings": [str(column.header) for column in table.columns],
        "rows": [list(row) for row in zip(*columns, strict=True)],
    }


def read_records(path: Path) -> dict[str, dict[str, Any]]:
    """Return recorded figures by key; none without the file.

    Raises:
        UsageError: the file cannot be read.
    """
    try:
        found = json.loads(path.read_text()) if path.is_file() else {}
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from None
    if not isinstance(found, dict):
        raise UsageError(f"{path}: cannot be read: it is no object")
    return found


def write_record(path: Path, key: str, figures: Mapping[str, Any]) -> None:
    """Record figures beside those of other keys; raises as :func:`read_records`."""
    found = {**read_records(path), key: dict(figures)}
    path.write_text(json.dumps(dict(sorted(found.items())), indent=1) + "\n")


def show(call: Call, command: str, outcome: Outcome, page: Path) -> int:
    """Print an outcome and write its files; return the exit code.

    Args:
        call: options ``--json --html --pictures``.
        command: name of the command.
        outcome: results of the attack.
        page: HTML file without ``--html``.
    """
    for table in outcome.tables:
        call.console.print(table)
    if call.json:
        call.json.write_text(json.dumps(outcome.figures, indent=1) + "\n")
    for line in outcome.lines:
        say(call.console, f"{command}: {line}")
    if call.pictures:
        call.pictures.mkdir(parents=True, exist_ok=True)
        for number, svg in enumerate(outcome.pictures().values()):
            (call.pictures / picture_name(page.stem, number)).write_text(svg, encoding="utf-8")
    page = call.html or page
    outcome.write_page(page, call.argv)
    say(call.console, f"{command}: report: {page}")
    return FAILED if outcome.failures else PASSED
