"""Copies of the design with injected faults."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path

from verif.library.edits.operators import Edit, Operator
from verif.library.edits.places import FaultError
from verif.library.edits.syntax import Source, parse


def altered_copy(hdl: Path, copy: Path, changes: Iterable[Operator]) -> Path:
    """Make a copy of the design with changes; return ``copy``.

    Args:
        hdl: folder with the design.
        copy: folder to create.
        changes: changes whose places exist in the unmodified design.

    Raises:
        FaultError: the place of a change does not exist exactly once, or two changes overlap.
    """
    texts = altered(hdl, changes)
    shutil.copytree(hdl, copy)
    for name, text in texts.items():
        (copy / name).write_text(text)
    return copy


def altered(hdl: Path, changes: Iterable[Operator]) -> Mapping[str, str]:
    """Return the new texts of the modified files, by their path below ``hdl``.

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
    """Return the text of a file after the edits.

    Raises:
        FaultError: two edits overlap, or the edits change nothing.
    """
    # Insertions at the same offset keep their order.
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    if any(first.end > second.start for first, second in pairwise(ordered)):
        raise FaultError(f"{source.name}: two changes overlap")
    text, done = b"", 0
    for edit in ordered:
        text += source.text[done : edit.start] + edit.text.encode()
        done = edit.end
    text += source.text[done:]
    if text == source.text:
        raise FaultError(f"{source.name}: the change has no effect")
    return text.decode()


def _file_of(hdl: Path, module: str) -> str:
    """Return the path below ``hdl`` of a module's file, which has the name of the module."""
    files = (hdl.rglob(f"{module}{suffix}") for suffix in (".sv", ".v"))
    found = [path.relative_to(hdl).as_posix() for some in files for path in some]
    if len(found) != 1:
        raise FaultError(f"{module}: {len(found)} files have its name below {hdl}")
    return found[0]
