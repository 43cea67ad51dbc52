"""Generated parts of pages: replaces the text between two markers and keeps the rest."""

from __future__ import annotations

from pathlib import Path

from regress.core.errors import UsageError

TABLE, END = "<!-- table: ", "<!-- /table -->"


def replaced(text: str, table: str, path: Path, begin: str) -> str:
    """Return ``text`` with the table between the line ``begin`` and the next end marker.

    Raises:
        UsageError: the text does not have each marker once, in this order; the message names
            ``path``.
    """
    head, _, tail = _parts(text, path, begin)
    return f"{head}{begin}\n{table}{END}\n{tail}"


def marked_table(path: Path, begin: str) -> str:
    """Return the text between the markers of a file.

    Raises:
        UsageError: the file cannot be read, or lacks the markers.
    """
    return _parts(_read(path), path, begin)[1]


def write_table(path: Path, table: str, begin: str) -> None:
    """Write the table between the markers of a file.

    Raises:
        UsageError: the file cannot be read, or lacks the markers.
    """
    path.write_text(replaced(_read(path), table, path, begin), encoding="utf-8")


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from None


def _parts(text: str, path: Path, begin: str) -> tuple[str, str, str]:
    """Return the text before, between and after the markers."""
    head, found, rest = text.partition(f"{begin}\n")
    table, end, tail = rest.partition(f"{END}\n")
    if not (found and end) or begin in rest or text.count(TABLE) != text.count(END):
        raise UsageError(f"{path}: expected one line {begin!r} and after it one line {END!r}")
    return head, table, tail
