"""The border of ``regress``, and its floors: what it may import, and which way arrows point.

``python -m ci.border [FOLDER]`` names every import that crosses them; ``make lint`` runs it.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

PACKAGE = "regress"
# What the manager asks a project for, it does not import from it.
PROJECTS = ("hdl", "models", "verif")
# Modules and packages from the bottom up: one may import from its own floor and from those below.
# The longest name that fits decides.
FLOORS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("words and files", ("errors", "terminal", "marked", "processes", "point", "jobfile", "cases",
                         "formats", "project", "runfile", "cocotb_runner", "simulators",
                         "bench",
                         "waves.view", "waves.fst")),
    ("plan and goals", ("location", "lists", "draw", "plan", "coverage", "coverage.error",
                        "coverage.functional", "coverage.code", "coverage.exclusions",
                        "coverage.holes", "coverage.target", "init")),
    ("builds and jobs", ("compile", "job", "build", "judge", "simulators.check")),
    ("records", ("jobrecord", "record")),
    ("executors", ("limits", "executor", "progress", "queue")),
    ("runs", ("buckets", "run", "archive", "waves", "requalify", "reruns", "cluster", "yosys",
              "runs", "shrink", "formats.__main__")),
    ("coverage of runs, history", ("coverage.store", "coverage.rank", "coverage.ucis",
                                   "history.marks", "history.database", "history")),
    ("reports", ("report",)),
    ("sessions", ("session",)),
    ("commands", ("coverage.commands", "history.command", "options", "cli",
                  "__main__")),
)  # fmt: skip


def violations(root: Path) -> list[str]:
    """Imports that cross the border or go up a floor, one line each.

    Args:
        root: has the package's folder.
    """
    found = []
    for path in sorted((root / PACKAGE).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        if "tests" in parts:
            continue
        name = ".".join(parts[1:]).removesuffix(".__init__")
        own = _floor(name)
        if own is None and name != "__init__":
            found.append(f"{path.relative_to(root)}:1: {name} is on no floor of ci/border.py")
        for line, target in _imports(path, root):
            place = f"{path.relative_to(root)}:{line}"
            if target.partition(".")[0] in PROJECTS:
                found.append(f"{place}: {PACKAGE} imports {target}: ask regress.project instead")
            elif own is not None and target.startswith(f"{PACKAGE}."):
                floor = _floor(target.partition(".")[2])
                if floor is not None and floor > own:
                    found.append(
                        f"{place}: {name} ({FLOORS[own][0]}) imports {target} ({FLOORS[floor][0]}),"
                        " a floor above"
                    )
    return found


def _floor(name: str) -> int | None:
    fits = [
        (len(known), number)
        for number, (_, names) in enumerate(FLOORS)
        for known in names
        if name == known or name.startswith(f"{known}.")
    ]
    return max(fits)[1] if fits else None


def _imports(path: Path, root: Path) -> Iterator[tuple[int, str]]:
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
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                is_module = (root / inner.replace(".", "/")).with_suffix(".py").exists()
                yield node.lineno, inner if is_module else node.module


if __name__ == "__main__":
    lines = violations(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
    print("\n".join(lines), end="\n" if lines else "")
    sys.exit(bool(lines))
