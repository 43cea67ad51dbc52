"""Catalogue of realistic faults: each has a description in words and changes of the design.

``catalogue/`` has one YAML file per group; each file is a :class:`Group`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import unified_diff
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import Field

from models.registry import hardware_architectures
from regress.core.errors import UsageError, not_accepted
from regress.core.formats.files import read_yaml
from regress.core.formats.model import Format
from verif.library.edits.altered import altered
from verif.library.edits.operators import Change
from verif.library.edits.places import FaultError

FOLDER = Path(__file__).with_name("catalogue")
NAME = r"^[a-z0-9]+(-[a-z0-9]+)*$"
Reason = Literal["", "host", "pins", "configuration", "reference"]
# Why a good test bench may miss a fault, in words.
REASONS: Mapping[str, str] = {
    "host": "only unusual or illegal transfers show it",
    "pins": "only a check of every pin in every cycle shows it",
    "configuration": "only some widths or parameters show it",
    "reference": "the registry, a model or the bench has it, too",
    "": "only some operands, times or states show it",
}


class PythonChange(Format):
    """The same fault in Python, for a fault that design and reference share.

    Attributes:
        file: path below the project's folder.
        was: text that occurs exactly once in the file.
        to: text that replaces it.
    """

    file: str
    was: str
    to: str


class Fault(Format):
    """A realistic fault.

    Attributes:
        name: name of the fault.
        says: what is wrong, in words.
        origin: the real core, erratum or class of faults that it comes from.
        hides: why tests may miss it, a key of :data:`REASONS`.
        on: architecture on which it is tried.
        changes: changes of the design.
        python: the same fault in the Python reference.
    """

    name: str = Field(pattern=NAME)
    says: str = Field(min_length=1)
    origin: str = Field(min_length=1)
    hides: Reason = ""
    on: str
    changes: tuple[Change, ...] = Field(min_length=1)
    python: tuple[PythonChange, ...] = ()

    @property
    def modules(self) -> frozenset[str]:
        """Modules that the fault changes."""
        return frozenset(change.module for change in self.changes)


class Group(Format):
    """Faults of one kind: one file of the catalogue.

    Attributes:
        says: what the faults have in common.
        faults: the faults.
    """

    says: str
    faults: tuple[Fault, ...]


@cache
def groups(folder: Path = FOLDER) -> Mapping[str, Group]:
    """Return the groups by file name; each folder is read once.

    Raises:
        UsageError: a file is not a group, an architecture is unknown, or two faults have the same
            name.
    """
    known = hardware_architectures()
    found: dict[str, Group] = {}
    seen: dict[str, Path] = {}
    for path in sorted(folder.glob("*.yaml")):
        document = read_yaml(path, Group, "group of faults")
        for index, fault in enumerate(document.value.faults):
            place = ("faults", index)
            if fault.on not in known:
                document.complain((*place, "on"), not_accepted("architecture", fault.on, known))
            if fault.name in seen:
                where = f"there is one in {seen[fault.name].name} already"
                document.complain((*place, "name"), f"fault {fault.name!r}: {where}")
            seen[fault.name] = path
        document.stop_if_any()
        found[path.stem] = document.value
    return found


@cache
def faults(folder: Path = FOLDER) -> Mapping[str, Fault]:
    """Return all faults by name.

    Raises:
        UsageError: as for :func:`groups`.
    """
    return {fault.name: fault for group in groups(folder).values() for fault in group.faults}


def misplaced(hdl: Path, chosen: Sequence[Fault]) -> list[str]:
    """Return a message for each fault whose place does not exist in the design."""
    lines = []
    for fault in chosen:
        try:
            altered(hdl, fault.changes)
        except (FaultError, UsageError) as error:
            lines.append(f"fault {fault.name!r}: {error}")
    return lines


def changed_lines(hdl: Path, fault: Fault) -> Iterator[str]:
    """Yield the change of the design as lines of a unified diff; see :func:`misplaced`."""
    for name, text in sorted(altered(hdl, fault.changes).items()):
        before = (hdl / name).read_text(encoding="utf-8").splitlines()
        yield from unified_diff(before, text.splitlines(), name, name, lineterm="")
