"""Altered copies of the design: planted bugs."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path


class EditError(ValueError):
    """An edit does not apply exactly once; the message says where."""


def altered_copy(hdl: Path, copy: Path, edits: Iterable[tuple[str, str, str]]) -> Path:
    """A copy of the design with edits made; returns ``copy``.

    Args:
        hdl: folder with the design.
        copy: folder to make.
        edits: of (file below hdl, what is there however its blanks are laid out, what comes in its
            place), each of which must apply exactly once.

    Raises:
        EditError: one does not.
    """
    shutil.copytree(hdl, copy)
    for file, old, new in edits:
        path = copy / file
        path.write_text(edited(path.read_text(), old, new, file))
    return copy


def edited(text: str, old: str, new: str, file: str) -> str:
    """``text`` with ``new`` in the place of the one ``old``.

    Raises:
        EditError: ``old`` is not there once; ``file`` is named.
    """
    found = re.findall(_pattern(old), text)
    if len(found) != 1:
        raise EditError(f"{file} has {old!r} {len(found)} times")
    return text.replace(found[0], new)


def _pattern(text: str) -> str:
    """Matches ``text`` with any blanks between its words and signs."""
    words = re.findall(r"\w+|[^\w\s]", text)
    pattern = re.escape(words[0])
    for before, word in pairwise(words):
        apart = re.match(r"\w", before[-1]) and re.match(r"\w", word[0])
        pattern += (r"\s+" if apart else r"\s*") + re.escape(word)
    return pattern
