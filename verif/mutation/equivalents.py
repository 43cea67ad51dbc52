"""Stored proofs of equivalence: ``equivalents.yaml``.

An entry names a change by file, operator and texts, not by line: it stays valid while other lines
come and go, and is stale as soon as the changed line itself does. One of a netlist names that and
its digest instead: it holds for exactly this netlist.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import yaml

from regress.errors import UsageError
from verif.mutation.operators import Mutant
from verif.mutation.syntax import Source

EQUIVALENTS = Path(__file__).with_name("equivalents.yaml")
NETLIST_OF = "netlist of "
Key = tuple[str, str, str, str, int]


@dataclass(frozen=True)
class Equivalent:
    """A mutant that was proved to be equivalent.

    Attributes:
        file: below hdl; of a netlist ``netlist of`` its design and architecture.
        operator: that made it.
        line: text of the line; of a netlist its digest.
        change: what becomes what; of a netlist the command of Yosys.
        occurrence: of this change in equal lines of the file, from 1.
        configurations: in which it was proved: those of the list in which the line exists.
        method: how.
        command: that proves it.
        date: of the proof.
    """

    file: str
    operator: str
    line: str
    change: str
    occurrence: int
    configurations: tuple[str, ...]
    method: str
    command: str
    date: str

    @property
    def key(self) -> Key:
        """What it is found by."""
        return (self.file, self.operator, self.line, self.change, self.occurrence)


def keys(sources: Mapping[str, Source], mutants: Iterable[Mutant]) -> dict[str, Key]:
    """The key of each mutant by its id; ``mutants`` are all there are, in order."""
    seen: dict[tuple[str, str, str, str], int] = {}
    found = {}
    for mutant in mutants:
        line = sources[mutant.file].text.decode().splitlines()[mutant.line - 1].strip()
        change = (mutant.file, mutant.operator, line, mutant.change)
        seen[change] = seen.get(change, 0) + 1
        found[mutant.id] = (*change, seen[change])
    return found


def load(path: Path = EQUIVALENTS) -> dict[Key, Equivalent]:
    """The stored proofs by key.

    Raises:
        UsageError: the file is not what :func:`store` writes.
    """
    try:
        data = yaml.safe_load(path.read_text()) or []
        known = {field.name for field in fields(Equivalent)}
        entries = [
            Equivalent(**{**item, "configurations": tuple(item["configurations"])})
            for item in data
            if set(item) == known
        ]
    except (OSError, TypeError, KeyError, yaml.YAMLError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from None
    if len(entries) != len(data):
        raise UsageError(f"{path}: every entry needs exactly {', '.join(sorted(known))}")
    return {entry.key: entry for entry in entries}


def store(entries: Iterable[Equivalent], path: Path = EQUIVALENTS) -> None:
    """Write the proofs, sorted."""
    data = [
        {**asdict(entry), "configurations": list(entry.configurations)}
        for entry in sorted(entries, key=lambda entry: entry.key)
    ]
    path.write_text(yaml.safe_dump(data, sort_keys=False, width=100, allow_unicode=True))


def stale(known: Mapping[Key, Equivalent], current: Iterable[Key]) -> list[Equivalent]:
    """Entries of source whose change the design does not have any more."""
    there = set(current)
    return [
        entry
        for key, entry in known.items()
        if key not in there and not entry.file.startswith(NETLIST_OF)
    ]
