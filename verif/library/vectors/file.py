"""Reads a user's vectors file and reports every error in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from models.architecture import Architecture
from regress.core.errors import UsageError, not_accepted
from verif.library.vectors.formats import read_entries
from verif.library.vectors.line import IllegalError, Kind, Line, LineError, Target, Vector
from verif.library.vectors.powers import Powers
from verif.library.vectors.products import Products

KINDS: tuple[Kind[Any], ...] = (Products(), Powers())
#: Fields of lines of all kinds, and those that are integers.
FIELDS = tuple(dict.fromkeys(name for kind in KINDS for name in kind.fields))
INTEGERS = ("width", "length")


class VectorReader:
    """Reads vectors and checks them against their architectures.

    Args:
        entries: the whole registry.
        selected: hardware architectures chosen on the command line; empty for all.
    """

    def __init__(self, entries: Mapping[str, Architecture], selected: Sequence[str] = ()) -> None:
        hardware = {name: entry for name, entry in entries.items() if entry.module}
        self._target = Target(
            hardware=hardware,
            models=frozenset(entries.keys() - hardware.keys()),
            selected=tuple(selected) or tuple(hardware),
        )

    def read(self, path: Path) -> list[Vector]:
        """Return all vectors of a file, in its order; one or more per line and architecture.

        Raises:
            UsageError: the file cannot be read, is empty, or has malformed lines (all are named).
        """
        parsed, problems = _parsed(path)
        names = _unique_names({number: line.name for number, (_, line) in parsed.items()})
        vectors: list[Vector] = []
        for number, (kind, line) in parsed.items():
            try:
                vectors += self._vectors(kind, number, names[number], line)
            except LineError as error:
                problems[number] = str(error)
        _raise(path, problems)
        if not parsed:
            raise UsageError(f"{path}: no vectors; expected one JSON object a line, or CSV")
        selected = self._target.selected
        vectors = [vector for vector in vectors if vector.architecture in selected]
        if not vectors:
            raise UsageError(f"{path}: no vector is for {', '.join(selected)}")
        return vectors

    def _vectors(self, kind: Kind[Any], number: int, name: str, line: Line) -> list[Vector]:
        try:
            return kind.vectors(number, name, line, self._target)
        except IllegalError as error:
            if line.architecture or not self._target.others.selected:
                raise
            try:  # the line may be for an architecture that was not selected
                kind.vectors(number, name, line, self._target.others)
            except LineError:
                raise error from None
            return []


def read_lines(path: Path) -> list[Line]:
    """Return all lines of a file, in its order, for any architecture.

    Raises:
        UsageError: the file cannot be read or has malformed lines (all are named).
    """
    parsed, problems = _parsed(path)
    _raise(path, problems)
    return [line for _, line in parsed.values()]


def only(vectors: Sequence[Vector], names: Iterable[str], path: Path) -> list[Vector]:
    """Return the vectors with these names, and the vectors that their checks need.

    Args:
        vectors: vectors of the file.
        names: names of lines, or of the operations of a line.
        path: the file, for the message.

    Raises:
        UsageError: no vector has this name.
    """
    known = list(dict.fromkeys(name for v in vectors for name in (v.title, v.name)))
    wanted = set()
    for name in names:
        if name not in known:
            raise UsageError(f"{path}: {not_accepted('vector', name, known)}")
        wanted.add(name)
    wanted |= {need for v in vectors if v.name in wanted for need in v.needs}
    return [vector for vector in vectors if {vector.title, vector.name} & wanted]


def _parsed(path: Path) -> tuple[dict[int, tuple[Kind[Any], Line]], dict[int, str]]:
    """Return the legal lines of a file and the errors of the others, by line number."""
    parsed: dict[int, tuple[Kind[Any], Line]] = {}
    problems: dict[int, str] = {}
    for number, fields in read_entries(path, FIELDS, INTEGERS):
        try:
            if isinstance(fields, LineError):
                raise fields
            kind = _kind(fields)
            parsed[number] = kind, kind.read(fields)
        except LineError as error:
            problems[number] = str(error)
    return parsed, problems


def _raise(path: Path, problems: Mapping[int, str]) -> None:
    if problems:
        found = sorted(problems.items())
        raise UsageError(*(f"{path}:{number}: {message}" for number, message in found))


def _kind(fields: Mapping[str, Any]) -> Kind[Any]:
    """Return the kind that has these operands; mixed operands count as a misnamed field."""
    for kind in KINDS:
        if any(name in fields for name in kind.model.required):
            return kind
    choices = " or ".join(", ".join(map(repr, kind.model.required)) for kind in KINDS)
    raise LineError(f"missing {choices}")


def _unique_names(given: Mapping[int, str | None]) -> dict[int, str]:
    """Return a unique name for every line, so that a user can find its outcome."""
    names = {number: name or f"line {number}" for number, name in given.items()}
    count = Counter(names.values())
    return {
        number: name if count[name] == 1 else f"{name} (line {number})"
        for number, name in names.items()
    }
