"""Finds the Python files of a project that hold cocotb tests."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

MARKERS = re.compile(r"\b(cocotb|pyuvm)\b")
PYTHON_2 = re.compile(r"^\s*print\s+[\"'\w]|except \w+, \w+:|^\s*yield\s+\w+Edge\(", re.MULTILINE)


@dataclass(frozen=True)
class TestModule:
    """A Python file with tests.

    Attributes:
        signals: names that its functions read or write on the design.
    """

    __test__ = False  # pytest must not collect this class

    path: Path
    tree: ast.Module
    has_tests: bool
    signals: frozenset[str]


def read_modules(files: Iterable[Path], root: Path) -> tuple[list[TestModule], list[str]]:
    """Return the files that use cocotb, and a line for each of them that cannot be read."""
    found: list[TestModule] = []
    problems: list[str] = []
    for path in files:
        if path.suffix != ".py":
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        if not MARKERS.search(text):
            continue
        shown = path.relative_to(root)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # escapes in the user's texts
                tree = ast.parse(text)
        except (SyntaxError, ValueError) as error:
            line = getattr(error, "lineno", None) or 1
            why = "Python 2" if PYTHON_2.search(text) else getattr(error, "msg", str(error))
            problems.append(f"{shown}:{line}: left out: {why}")
            continue
        found.append(TestModule(path, tree, _has_tests(tree), frozenset(_signals(tree))))
    return found, problems


def _has_tests(tree: ast.Module) -> bool:
    """Return whether a module declares tests: by a decorator, or by a factory."""
    marks = _names_of_test(tree)
    for node in ast.walk(tree):
        if isinstance(node, (ast.AsyncFunctionDef, ast.FunctionDef, ast.ClassDef)):
            for mark in node.decorator_list:
                called = mark.func if isinstance(mark, ast.Call) else mark
                if ast.unparse(called) in marks:
                    return True
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("TestFactory"):
            return True
    return False


def _names_of_test(tree: ast.Module) -> set[str]:
    """Return how a module can write ``cocotb.test``, ``cocotb.parametrize`` and ``pyuvm.test``."""
    names = {"cocotb.test", "pyuvm.test", "cocotb.parametrize"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name in ("cocotb", "pyuvm") and alias.asname:
                    names |= {f"{alias.asname}.test", f"{alias.asname}.parametrize"}
        elif isinstance(node, ast.ImportFrom) and node.module in ("cocotb", "pyuvm"):
            for alias in node.names:
                if alias.name in ("test", "parametrize"):
                    names.add(alias.asname or alias.name)
    return names


def _signals(tree: ast.Module) -> set[str]:
    """Return the attributes of ``dut``, of ``self.dut`` and of ``cocotb.top``."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, (ast.Name, ast.Attribute)):
            held = ast.unparse(node.value).rpartition(".")[2]
            if held in ("dut", "top", "DUT", "_dut"):
                found.add(node.attr)
    return found
