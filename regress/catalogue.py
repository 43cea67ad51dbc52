"""What lists and vectors may name: tests and architectures."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import verif.testcases
from models.architecture import Architecture
from models.registry import architectures
from verif.design import ROOT


@dataclass(frozen=True)
class Catalogue:
    """The names a run may use.

    Attributes:
        tests: one-line description of each test.
        entries: registry entry of each architecture, model-only ones included.
    """

    tests: dict[str, str]
    entries: dict[str, Architecture]

    @property
    def hardware(self) -> dict[str, Architecture]:
        """The architectures that can be simulated."""
        return {name: entry for name, entry in self.entries.items() if entry.module}

    @classmethod
    def load(cls) -> Catalogue:
        """The project's own tests and registry."""
        return cls(tests=verif.testcases.available_tests(), entries=architectures())


def location_of_test(test: str) -> tuple[str, int]:
    """Where a test is written: path relative to the project, and line.

    The module is read, not imported: it belongs into a simulator.
    """
    spec = find_spec(verif.testcases.design_of(test).test_module)
    path = Path(str(spec.origin if spec else verif.testcases.__file__))
    wanted = verif.testcases.cocotb_test_name(test)
    definitions = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    lines = (
        node.lineno
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, definitions) and node.name == wanted
    )
    return str(path.relative_to(ROOT)), next(lines, 1)
