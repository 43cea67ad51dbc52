"""Shared by all command lines: option types, console, tables and exit codes."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from rich.console import Console
from rich.table import Table
from rich.text import Text

from regress.core.errors import UsageError

PASSED, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130
PLAIN_COLUMNS = 140
Cell = str | int | Text
BARS = "▁▂▃▄▅▆▇█"


class Parser(argparse.ArgumentParser):
    """Reports errors in one line."""

    def error(self, message: str) -> NoReturn:
        """Raise ``UsageError`` instead of printing the usage."""
        raise UsageError(f"{message} (see {self.prog} --help)")


def integer(text: str, low: int, high: int | None = None) -> int:
    """Read an integer from ``low`` to ``high``, both included; without ``high`` no maximum.

    Raises:
        argparse.ArgumentTypeError: the text is not such an integer; the message states the range.
    """
    accepted = f"an integer from {low}" if high is None else f"{low} to {high}"
    try:
        value = int(text)
    except ValueError:
        value = low - 1
    if value < low or (high is not None and value > high):
        raise argparse.ArgumentTypeError(f"{text!r} is not accepted; accepted: {accepted}")
    return value


def plain_console() -> Console:
    """Return a console on stdout that is wide enough for tables if stdout is not a terminal."""
    console = Console(highlight=False)
    # Without a terminal, rich assumes 80 columns and breaks table cells.
    return console if console.is_terminal else Console(highlight=False, width=PLAIN_COLUMNS)


def run_command(program: str, work: Callable[[], int]) -> int:
    """Do the work; print errors on stderr, each line after the program's name.

    CI systems end a job with SIGTERM. It acts like Ctrl-C, so that ``work`` can leave a readable
    run.

    Returns:
        the result of ``work``; 2 for wrong input, 1 for a file that cannot be read or written, 130
        after an interrupt.
    """
    previous = signal.signal(signal.SIGTERM, _interrupt)
    try:
        return work()
    except UsageError as error:
        for line in error.lines:
            print(f"{program}: {line}", file=sys.stderr)
        return USAGE
    except OSError as error:
        print(f"{program}: {error}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print(f"{program}: interrupted", file=sys.stderr)
        return INTERRUPTED
    finally:
        signal.signal(signal.SIGTERM, previous)


def _interrupt(number: int, frame: object) -> NoReturn:
    raise KeyboardInterrupt


def sparkline(values: Sequence[float | None]) -> str:
    """Draw one character per value, scaled from minimum to maximum; a dot for a missing value."""
    known = [value for value in values if value is not None]
    if not known:
        return "·" * len(values)
    low, high = min(known), max(known)
    span = high - low
    bars = "".join(
        "·"
        if value is None
        else BARS[round((value - low) / span * (len(BARS) - 1)) if span else len(BARS) - 1]
        for value in values
    )
    return f"{bars} {low:.4g} … {high:.4g}" if span else f"{bars} {low:.4g}"


def plural(number: int, one: str, many: str) -> str:
    """Return a number with its noun, for instance ``3 jobs``; empty for 0."""
    return f"{number} {one if number == 1 else many}" if number else ""


def say(console: Console, line: str, style: str | None = None) -> None:
    """Print one line unchanged, also if it is long."""
    console.print(Text(line, style or ""), soft_wrap=True)


def headings(titles: str) -> list[tuple[str, bool]]:
    """Return the column titles of a table; a trailing # marks a column of numbers."""
    return [(title.rstrip("#"), title.endswith("#")) for title in titles.split(",")]


def show_table(console: Console, title: str, titles: str, rows: Sequence[Sequence[Cell]]) -> None:
    """Print a table; for the titles see :func:`headings`."""
    table = Table(title=title, title_justify="left", title_style="bold")
    for heading, number in headings(titles):
        table.add_column(heading, justify="right" if number else "left")
    for row in rows:
        table.add_row(*(cell if isinstance(cell, Text) else Text(str(cell)) for cell in row))
    console.print(table)
