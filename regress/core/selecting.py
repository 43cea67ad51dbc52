"""Selects tests by pattern (``steps/*``) or by expression (``-k "steps and not n=8"``)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from regress.core.errors import UsageError, not_accepted

WORD = re.compile(r"\s*(\(|\)|[^\s()]+)")
MOST_NAMED = 12


def is_pattern(text: str) -> bool:
    """Return whether a text is a pattern and not a name."""
    return any(letter in text for letter in "*?[")


def matching(text: str, names: Iterable[str]) -> list[str]:
    """Return the names that a name or pattern selects, in their order."""
    return [name for name in names if name == text or fnmatchcase(name, text)]


def checked(what: str, text: str, names: Iterable[str]) -> list[str]:
    """Return the names that a name or pattern selects.

    Raises:
        UsageError: none; the message states what is accepted.
    """
    known = list(names)
    found = matching(text, known)
    if not found:
        shown = known if len(known) <= MOST_NAMED else [*known[:MOST_NAMED], "…"]
        raise UsageError(not_accepted(what, text, shown))
    return found


class Expression:
    """An expression of ``-k``: words with ``and``, ``or``, ``not`` and parentheses.

    A word selects the names that contain it, in upper or lower case; a pattern must match the whole
    name.

    Raises:
        UsageError: the expression is not complete.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._words = WORD.findall(text)
        self._check()

    def selects(self, name: str) -> bool:
        """Return whether a test is selected."""
        words = iter([*self._words, ""])
        return _Reader(words, name).whole()

    def _check(self) -> None:
        try:
            self.selects("")
        except ValueError as error:
            text = "accepted: words with and, or, not and parentheses"
            raise UsageError(f"-k {self._text!r}: {error}; {text}") from None


class _Reader:
    """Evaluates an expression for one name."""

    def __init__(self, words: Iterator[str], name: str) -> None:
        self._words = words
        self._name = name
        self._word = next(words)

    def whole(self) -> bool:
        value = self._any()
        if self._word:
            raise ValueError(f"unexpected {self._word!r}")
        return value

    def _any(self) -> bool:
        value = self._all()
        while self._word == "or":
            self._step()
            value = self._all() or value
        return value

    def _all(self) -> bool:
        value = self._one()
        while self._word == "and":
            self._step()
            value = self._one() and value
        return value

    def _one(self) -> bool:
        word = self._word
        if word in ("", "and", "or", ")"):
            raise ValueError(f"unexpected {word!r}" if word else "it ends too early")
        self._step()
        if word == "not":
            return not self._one()
        if word == "(":
            value = self._any()
            if self._word != ")":
                raise ValueError("')' is missing")
            self._step()
            return value
        if is_pattern(word):
            return fnmatchcase(self._name, word)
        return word.lower() in self._name.lower()

    def _step(self) -> None:
        self._word = next(self._words)
