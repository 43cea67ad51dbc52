"""Errors that the user sees as one line instead of a traceback."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class UsageError(Exception):
    """The user's input is wrong; ``lines`` state what and where, one mistake per line."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


class MissingFile(UsageError):
    """A file does not exist."""


def clipped(text: str, length: int) -> str:
    """Shorten a text to at most ``length`` characters."""
    return text if len(text) <= length else f"{text[: length - 1]}…"


def not_accepted(
    what: str, value: object, accepted: Iterable[str], likely: Iterable[str] = ()
) -> str:
    """Return ``unknown <what> '<value>'`` with the accepted values and the most similar one.

    Args:
        what: kind of the value.
        value: the given value.
        accepted: the accepted values.
        likely: accepted values with the intended meaning, suggested before similar spellings.
    """
    known = list(accepted)
    close = [*likely, *difflib.get_close_matches(str(value), known, n=1)]
    hint = f"; did you mean {close[0]!r}?" if close else ""
    return f"unknown {what} {value!r}; accepted: {', '.join(known)}{hint}"
