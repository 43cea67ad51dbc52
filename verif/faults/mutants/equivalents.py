"""Stored proofs of equivalence: ``equivalents.yaml``, one line per proof.

An entry identifies a change by its place in the syntax tree, its operator and its texts. It stays
valid if lines move, and becomes stale if the changed text differs. ``mutate --reprove`` rewrites
the file.
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
    """A mutant that is proved equivalent.

    Attributes:
        place: name of its place.
        operator: operator that generated it.
        change: original and replacement.
        occurrence: number of this change at this place, from 1.
        configurations: configurations of the proof: those of the list in which the place exists.
        method: method of the proof.
        date: date of the proof.
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
        """Key of the entry."""
        return (self.place, self.operator, self.change, self.occurrence)

    @property
    def why(self) -> str:
        """Method and date of the proof, as text."""
        return f"{self.method} ({self.date})"


class Proofs(Format):
    """Content of the file; the proofs refer to configurations by their names in the table.

    Attributes:
        proofs: the proofs, one line each.
        configurations: table of the configurations by short name.
    """

    proofs: tuple[Equivalent, ...]
    configurations: dict[str, str]


def keys(mutants: Iterable[Mutant]) -> dict[str, Key]:
    """Return the key of each mutant by its id; ``mutants`` must be all mutants, in order."""
    seen: dict[tuple[str, str, str], int] = {}
    found = {}
    for mutant in mutants:
        change = (mutant.place, mutant.operator, mutant.change)
        seen[change] = seen.get(change, 0) + 1
        found[mutant.id] = (*change, seen[change])
    return found


def load(path: Path = EQUIVALENTS) -> dict[Key, Equivalent]:
    """Return the stored proofs by key.

    Raises:
        UsageError: the file is missing or not in the format of :func:`store`.
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
    """Return the entries whose change no longer exists in the design."""
    there = set(current)
    return [entry for key, entry in known.items() if key not in there]
