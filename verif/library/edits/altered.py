"""Copies of the design with faults in them."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path

from verif.library.edits.operators import Edit, Operator
from verif.library.edits.places import FaultError
from verif.library.edits.syntax import Source, parse


def altered_copy(hdl: Path, copy: Path, changes: Iterable[Operator]) -> Path:
    """A copy of the design with changes made; returns ``copy``.

    Args:
        hdl: folder with the design.
        copy: folder to make.
        changes: all of them found in the design as it is.

    Raises:
        FaultError: the place of one is not there exactly once, or two overlap.
    """
    texts = altered(hdl, changes)
    shutil.copytree(hdl, copy)
    for name, text in texts.items():
        (copy / name).write_text(text)
    return copy


def altered(hdl: Path, changes: Iterable[Operator]) -> Mapping[str, str]:
    """New texts of the files that change, by their path below ``hdl``.

    Raises:
        FaultError: as for :func:`altered_copy`.
    """
    changes = list(changes)
    files = {change.module: _file_of(hdl, change.module) for change in changes}
    sources = parse(hdl, sorted(set(files.values())))
    edits: dict[str, list[Edit]] = {}
    for change in changes:
        name = files[change.module]
        edits.setdefault(name, []).extend(change.edits(sources[name]))
    return {name: applied(sources[name], made) for name, made in edits.items()}


def applied(source: Source, edits: Iterable[Edit]) -> str:
    """The text of a file with edits made.

    Raises:
        FaultError: two of them overlap, or they change nothing.
    """
    # Insertions at one offset keep the order in which they were given.
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    if any(first.end > second.start for first, second in pairwise(ordered)):
        raise FaultError(f"{source.name}: two changes overlap")
    text, done = b"", 0
    for edit in ordered:
        text += source.text[done : edit.start] + edit.text.encode()
        done = edit.end
    text += source.text[done:]
    if text == source.text:
        raise FaultError(f"{source.name}: the change leaves it as it is")
    return text.decode()


def _file_of(hdl: Path, module: str) -> str:
    """Path below ``hdl`` of the file with a module, which has its name."""
    files = (hdl.rglob(f"{module}{suffix}") for suffix in (".sv", ".v"))
    found = [path.relative_to(hdl).as_posix() for some in files for path in some]
    if len(found) != 1:
        raise FaultError(f"{module}: {len(found)} files have its name below {hdl}")
    return found[0]
