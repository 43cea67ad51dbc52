"""What is reported to the user in one line instead of a traceback."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class UsageError(Exception):
    """The user's input is wrong; ``lines`` say what and where, one mistake each."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


class MissingFile(UsageError):
    """A file is not there."""


def clipped(text: str, length: int) -> str:
    """A text of at most ``length`` letters."""
    return text if len(text) <= length else f"{text[: length - 1]}…"


def not_accepted(
    what: str, value: object, accepted: Iterable[str], likely: Iterable[str] = ()
) -> str:
    """``unknown <what> '<value>'`` with the accepted values and the closest of them.

    Args:
        what: such a value is.
        value: the one that was given.
        accepted: the ones that could have been.
        likely: of these, what is meant rather than what is spelled alike.
    """
    known = list(accepted)
    close = [*likely, *difflib.get_close_matches(str(value), known, n=1)]
    hint = f"; did you mean {close[0]!r}?" if close else ""
    return f"unknown {what} {value!r}; accepted: {', '.join(known)}{hint}"
