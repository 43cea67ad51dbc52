"""Stored proofs of equivalence: ``equivalents.yaml``, a line each.

An entry names a change by its place in the syntax tree, operator and texts: it stays valid while
lines come and go, and is stale as soon as what is changed is another. ``mutate --reprove`` makes
the file again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import yaml

from regress.core.errors import UsageError
from regress.core.formats.files import read_yaml
from regress.core.formats.model import Format, Text, as_json
from verif.faults.mutants.mutants import Mutant

EQUIVALENTS = Path(__file__).with_name("equivalents.yaml")
HEAD = """\
# Mutants that are proved equivalent: written by python -m regress mutate --prove, all proved again
# by --reprove. Places are those of the syntax tree; configurations are in the table at the end.
"""
Key = tuple[str, str, str, int]


class Equivalent(Format):
    """A mutant that was proved to be equivalent.

    Attributes:
        place: name of its place.
        operator: that made it.
        change: what becomes what.
        occurrence: of this change at this place, from 1.
        configurations: in which it was proved: those of the list in which the place exists.
        method: how.
        date: of the proof.
    """

    place: Text
    operator: Text
    change: Text
    occurrence: int = 1
    configurations: tuple[str, ...]
    method: Text
    date: Text

    @property
    def key(self) -> Key:
        """What it is found by."""
        return (self.place, self.operator, self.change, self.occurrence)

    @property
    def why(self) -> str:
        """How and when it was proved, for people."""
        return f"{self.method} ({self.date})"


class Proofs(Format):
    """The file: the proofs, whose configurations are names of the table.

    Attributes:
        proofs: each a line.
        configurations: what their short names stand for.
    """

    proofs: tuple[Equivalent, ...]
    configurations: dict[str, str]


def keys(mutants: Iterable[Mutant]) -> dict[str, Key]:
    """The key of each mutant by its id; ``mutants`` are all there are, in order."""
    seen: dict[tuple[str, str, str], int] = {}
    found = {}
    for mutant in mutants:
        change = (mutant.place, mutant.operator, mutant.change)
        seen[change] = seen.get(change, 0) + 1
        found[mutant.id] = (*change, seen[change])
    return found


def load(path: Path = EQUIVALENTS) -> dict[Key, Equivalent]:
    """The stored proofs by key.

    Raises:
        UsageError: the file is not what :func:`store` writes.
    """
    if not path.is_file():
        raise UsageError(f"{path}: cannot be read: there is no such file")
    document = read_yaml(path, Proofs, "file of proofs")
    table = document.value.configurations
    entries = []
    for index, entry in enumerate(document.value.proofs):
        for name in entry.configurations:
            if name not in table:
                place = ("proofs", index, "configurations")
                document.complain(place, f"configuration {name!r} is not in the table")
        full = tuple(table.get(name, name) for name in entry.configurations)
        entries.append(entry.model_copy(update={"configurations": full}))
    document.stop_if_any()
    return {entry.key: entry for entry in entries}


def store(entries: Iterable[Equivalent], path: Path = EQUIVALENTS) -> None:
    """Write the proofs, sorted."""
    ordered = sorted(entries, key=lambda entry: entry.key)
    used = sorted({name for entry in ordered for name in entry.configurations})
    short = {name: f"c{number}" for number, name in enumerate(used, 1)}
    lines = [HEAD, "proofs:\n" if ordered else "proofs: []\n"]
    for entry in ordered:
        data = as_json(entry)
        data["configurations"] = [short[name] for name in entry.configurations]
        if entry.occurrence == 1:
            del data["occurrence"]
        lines.append(f"- {_in_one_line(data)}\n")
    table = {short[name]: name for name in used}
    lines.append("configurations:\n" if table else "configurations: {}\n")
    lines += [f"  {name}: {_in_one_line(text)}\n" for name, text in table.items()]
    path.write_text("".join(lines))


def _in_one_line(data: object) -> str:
    text = yaml.safe_dump(
        data, default_flow_style=True, sort_keys=False, width=10**6, allow_unicode=True
    )
    return text.removesuffix("\n...\n").strip()


def stale(known: Mapping[Key, Equivalent], current: Iterable[Key]) -> list[Equivalent]:
    """Entries whose change the design does not have any more."""
    there = set(current)
    return [entry for key, entry in known.items() if key not in there]
