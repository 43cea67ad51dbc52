"""Mutated copies of the design: one mutant alone, or many selectable mutants in one build.

In a copy with many mutants every changed place reads ``(selected mutant == 17 ? changed :
original)``. The package :data:`PACKAGE` reads the number of the selected mutant from the
environment of the simulation; 0 selects no mutant.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from verif.faults.mutants.forks import MUTANT_VARIABLE
from verif.faults.mutants.mutants import Mutant
from verif.faults.mutants.operators import PORT, STATEMENT
from verif.library.edits.syntax import Source

PACKAGE = "mutation_pkg"
NUMBER = f'std::getenv(\\"{MUTANT_VARIABLE}\\")'
PACKAGE_TEXT = f"""package {PACKAGE};
  int active = $c32("{NUMBER} ? atoi({NUMBER}) : 0");
endpackage
"""
# Only in copies with mutants: simulate a changed place even if a linter would report it.
LINT_OFF = "".join(
    f"/* verilator lint_off {name} */"
    for name in (
        "WIDTH", "WIDTHTRUNC", "WIDTHEXPAND", "WIDTHCONCAT", "CMPCONST", "UNSIGNED", "LATCH",
        "SELRANGE", "CASEINCOMPLETE", "CASEOVERLAP", "UNOPTFLAT", "ALWCOMBORDER", "UNOPTTHREADS",
        "REALCVT", "LITENDIAN", "ASCRANGE",
    )
)  # fmt: skip


def single_copy(hdl: Path, mutant: Mutant, copy: Path) -> Path:
    """Create a copy of the design, in a new folder, with one permanent change."""
    shutil.copytree(hdl, copy)
    path = copy / mutant.file
    path.write_bytes(mutant.applied(path.read_bytes()))
    return copy


def combined_copy(
    hdl: Path, sources: Mapping[str, Source], numbered: Mapping[int, Mutant], copy: Path
) -> None:
    """Create a copy of the design with all changes, each selected by its number.

    Args:
        hdl: the design.
        sources: parsed files of the design.
        numbered: mutants by number, from 1; none of them static.
        copy: folder to create; an existing one is replaced.
    """
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(hdl, copy)
    (copy / f"{PACKAGE}.sv").write_text(PACKAGE_TEXT)
    by_file: dict[str, list[tuple[int, Mutant]]] = {}
    for number, mutant in numbered.items():
        by_file.setdefault(mutant.file, []).append((number, mutant))
    for name, source in sources.items():
        text = combined_text(source, by_file[name]) if name in by_file else source.text.decode()
        (copy / name).write_text(LINT_OFF + text)


def combined_text(source: Source, numbered: Iterable[tuple[int, Mutant]]) -> str:
    """Return the text of a file with many changes, each selected by its number."""
    places: dict[tuple[int, int, str], list[tuple[int, Mutant]]] = {}
    for number, mutant in numbered:
        places.setdefault((mutant.start, mutant.end, mutant.kind), []).append((number, mutant))
    # Sort outer places before inner ones, and a statement before an expression of the same extent.
    order = {STATEMENT: 0, PORT: 1}
    keys = sorted(places, key=lambda key: (key[0], -key[1], order.get(key[2], 2)))
    return _written(source, 0, len(source.text), keys, places)


def _written(
    source: Source,
    start: int,
    end: int,
    keys: Sequence[tuple[int, int, str]],
    places: Mapping[tuple[int, int, str], Sequence[tuple[int, Mutant]]],
) -> str:
    """Return the text from ``start`` to ``end``; ``keys`` are its places, outer ones first."""
    pieces = []
    at, index = start, 0
    while index < len(keys):
        key = keys[index]
        inner = index + 1
        while inner < len(keys) and keys[inner][0] < key[1]:
            inner += 1
        pieces.append(source.text[at : key[0]].decode())
        original = _written(source, key[0], key[1], keys[index + 1 : inner], places)
        pieces.append(_guarded(original, places[key]))
        at, index = key[1], inner
    pieces.append(source.text[at:end].decode())
    return "".join(pieces)


def _guarded(original: str, numbered: Sequence[tuple[int, Mutant]]) -> str:
    """Return the text of one place that selects the original or one of the changes."""
    kind = numbered[0][1].kind
    if kind == STATEMENT:
        numbers = " && ".join(f"({PACKAGE}::active != {number})" for number, _ in numbered)
        return f"begin if ({numbers}) {original} end"
    if kind == PORT:
        return _guarded_port(original, numbered)
    choices = "".join(
        f"({PACKAGE}::active == {number}) ? ({mutant.replacement}) : "
        for number, mutant in numbered
    )
    return f"({choices}({original}))"


def _guarded_port(original: str, numbered: Sequence[tuple[int, Mutant]]) -> str:
    name, parenthesis, rest = original.partition("(")
    value = rest.rpartition(")")[0] if parenthesis else name.strip().lstrip(".")
    choices = "".join(
        f"({PACKAGE}::active == {number}) ? {mutant.replacement.partition('(')[2][:-1]} : "
        for number, mutant in numbered
    )
    return f"{name.strip()}({choices}({value}))"
