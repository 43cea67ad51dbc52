"""The border of ``regress``, and its floors: what it may import, and which way arrows point.

Nor does anything but a simulator's own file know it by name; others name its class.

The modules of the package stand on floors that follow from their imports: one is above all that it
imports. So there is no table of floors to keep, and an arrow
that points up shows as what it is, a circle. ``python -m ci.border [FOLDER]`` names every import
that crosses the border and all of a circle; ``make lint`` runs it.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from pathlib import Path

PACKAGE = "regress"
# What the manager asks a project for, it does not import from it.
PROJECTS = ("hdl", "models", "verif")


def violations(root: Path) -> list[str]:
    """Imports that cross the border or are part of a circle, one line each.

    Args:
        root: has the package's folder.
    """
    found = []
    arrows: dict[str, dict[str, str]] = {}
    paths = {_module(path.relative_to(root)): path for path in (root / PACKAGE).rglob("*.py")}
    for module, path in sorted(paths.items()):
        # Nothing imports a __main__: it is above everything, whatever package it stands in.
        if "tests" in module.split(".") or path.stem == "__main__":
            continue
        below = arrows.setdefault(module, {})
        for line, target in _imports(path):
            place = f"{path.relative_to(root)}:{line}"
            if target.partition(".")[0] in PROJECTS:
                found.append(
                    f"{place}: {PACKAGE} imports {target}: ask regress.core.project instead"
                )
            imported = next((name for name in _prefixes(target) if name in paths), module)
            if imported != module:
                below.setdefault(imported, place)
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as error:
        # Each of them is imported by the next.
        for imported, importing in pairwise(error.args[1]):
            place = arrows[importing][imported]
            found.append(f"{place}: {importing} imports {imported}, part of a circle of imports")
    return found + list(_simulator_names(root))


def _module(path: Path) -> str:
    """Dotted name of a file."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def _prefixes(target: str) -> Iterator[str]:
    """What an import may mean, the longest first."""
    parts = target.split(".")
    return (".".join(parts[:count]) for count in range(len(parts), 0, -1))


def _simulator_names(root: Path) -> Iterator[str]:
    """Simulators that are named outside their folder, by a text that is just the name."""
    home = root / PACKAGE / "simulators"
    known = {path.stem for path in home.glob("*.py")} - {"__init__", "base"}
    for package in (PACKAGE, *PROJECTS):
        for path in sorted((root / package).rglob("*.py")):
            if "tests" in path.relative_to(root).parts or path.is_relative_to(home):
                continue
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and node.value in known:
                    place = f"{path.relative_to(root)}:{node.lineno}"
                    yield f"{place}: names simulator {node.value}: name its class instead"


def _imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and module of each import; what only type checkers see is none."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    unseen = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in unseen:
            continue
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


if __name__ == "__main__":
    lines = violations(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
    print("\n".join(lines), end="\n" if lines else "")
    sys.exit(bool(lines))
