"""Where a test is written."""

from __future__ import annotations

import ast
from importlib.util import find_spec
from pathlib import Path

from regress.project import project

DEFINITIONS = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def location_of_test(test: str) -> tuple[str, int]:
    """Path relative to the project, and line.

    The module is read, not imported: it belongs into a simulator.
    """
    wanted = project().tests[test]
    spec = find_spec(wanted.module)
    if spec is None or spec.origin is None:
        return wanted.module, 1
    path = Path(spec.origin)
    lines = (
        node.lineno
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, DEFINITIONS) and node.name == wanted.name
    )
    root = project().root
    shown = path.relative_to(root) if path.is_relative_to(root) else path
    return str(shown), next(lines, 1)
