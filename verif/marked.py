"""Generated parts of written pages: what stands between two marks is replaced, the rest is kept."""

from __future__ import annotations

from pathlib import Path

from regress.errors import UsageError

TABLE, END = "<!-- table: ", "<!-- /table -->"


def replaced(text: str, table: str, path: Path, begin: str) -> str:
    """``text`` with the table between the line ``begin`` and the end marker that follows it.

    Raises:
        UsageError: the markers are not there, once each and in this order; ``path`` is named.
    """
    head, found, rest = text.partition(f"{begin}\n")
    _, end, tail = rest.partition(f"{END}\n")
    if not (found and end) or begin in rest or text.count(TABLE) != text.count(END):
        raise UsageError(f"{path}: expected one line {begin!r} and after it one line {END!r}")
    return f"{head}{begin}\n{table}{END}\n{tail}"


def write_table(path: Path, table: str, begin: str) -> None:
    """Put the table between the markers of a file.

    Raises:
        UsageError: the file cannot be read, or lacks the markers.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from None
    path.write_text(replaced(text, table, path, begin), encoding="utf-8")
