"""Reads calls of cocotb's runner, and of cocotb-test's ``run``, out of Python files."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from regress.adopt.evaluate import UNKNOWN, Evaluator
from regress.adopt.found import Finding, take_compile_arguments

# Values of one parametrized test function that become benches of their own.
MOST_COMBINATIONS = 4
SOURCES = ("sources", "verilog_sources", "vhdl_sources")


def calls_runner(tree: ast.Module) -> bool:
    """Return whether a file builds or runs a simulation with cocotb's runner or cocotb-test."""
    text = ast.unparse(tree)
    return "get_runner" in text or "cocotb_test" in text


def read_runner(path: Path, tree: ast.Module, root: Path) -> list[Finding]:
    """Return the benches that a file builds and tests."""
    reader = _Reader(path, root)
    evaluator = Evaluator(path, reader.called)
    evaluator.run(tree.body)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    for function in functions:
        before = len(reader.findings)
        combinations = list(_combinations(function, evaluator))
        for given in combinations[:MOST_COMBINATIONS]:
            reader.given = given
            evaluator.call(function, given)
        if len(combinations) > MOST_COMBINATIONS and len(reader.findings) > before:
            left = len(combinations) - MOST_COMBINATIONS
            text = f"{function.name} has {left} more combinations of parameters"
            reader.findings[-1].guesses.append(text)
    return reader.findings


def _combinations(function: ast.FunctionDef, evaluator: Evaluator) -> Iterator[dict[str, Any]]:
    """Yield the arguments with which pytest calls a function."""
    choices: list[list[dict[str, Any]]] = []
    for mark in function.decorator_list:
        if not (isinstance(mark, ast.Call) and ast.unparse(mark.func).endswith("parametrize")):
            continue
        if len(mark.args) < 2:
            continue
        names, values = evaluator.value(mark.args[0]), evaluator.value(mark.args[1])
        if names is UNKNOWN or values is UNKNOWN:
            continue
        keys = [name.strip() for name in names.split(",")] if isinstance(names, str) else names
        choices.append([
            dict(zip(keys, value if len(keys) > 1 else [value], strict=False)) for value in values
        ])  # fmt: skip
    for rows in itertools.product(*choices):
        yield {name: value for row in rows for name, value in row.items()}


class _Reader:
    """Collects the calls of one file."""

    def __init__(self, path: Path, root: Path) -> None:
        self._path, self._root = path, root
        self._origin = str(path.relative_to(root))
        self._build: dict[str, Any] = {}
        self._simulator = ""
        self.given: Mapping[str, Any] = {}
        self.findings: list[Finding] = []

    def called(self, name: str, values: Sequence[Any], named: dict[str, Any]) -> Any:
        """Take a call; its value is unknown to the evaluator."""
        last = name.rpartition(".")[2]
        if last == "get_runner":
            self._simulator = values[0] if values and isinstance(values[0], str) else ""
        elif last == "build" and ({*SOURCES, "hdl_toplevel"} & named.keys()):
            self._build = named
        elif last == "test" and ({"test_module", "hdl_toplevel"} & named.keys()):
            self._take(self._build, named)
        elif last == "run" and {"toplevel", "module"} <= named.keys():
            again = {"hdl_toplevel": named["toplevel"], "test_module": named["module"]}
            renamed = {
                "build_args": named.get("compile_args", []), "extra_env": named.get("extra_env"),
                "plusargs": named.get("plus_args", []), "test_args": named.get("sim_args", []),
            }  # fmt: skip
            self._take({**named, **renamed}, {**renamed, **again})
        return UNKNOWN

    def _take(self, build: dict[str, Any], test: dict[str, Any]) -> None:
        top = test.get("hdl_toplevel", build.get("hdl_toplevel", UNKNOWN))
        modules = test.get("test_module", UNKNOWN)
        named = [path for key in SOURCES for path in self._paths(build.get(key))]
        if not isinstance(top, str) or modules is UNKNOWN:
            return
        parameters = {**_mapping(build.get("parameters")), **_mapping(test.get("parameters"))}
        finding = Finding(
            top=top,
            modules=[modules] if isinstance(modules, str) else _texts(modules),
            sources=named,
            folder=self._folder(test),
            origin=self._origin,
            simulator=self._simulator.lower(),
            path=[self._path.parent, *self._paths(test.get("python_search"))],
            includes=self._paths(build.get("includes")),
            defines={name: str(value) for name, value in _mapping(build.get("defines")).items()},
            parameters={
                str(name): value if isinstance(value, (int, str)) else str(value)
                for name, value in parameters.items()
            },
            plusargs=[text for text in _texts(test.get("plusargs")) if text.startswith("+")],
            run_arguments=_texts(test.get("test_args")),
            environment={n: str(v) for n, v in _mapping(test.get("extra_env")).items()},
        )
        finding.modules = [name for text in finding.modules for name in text.split(",") if name]
        if isinstance(scale := build.get("timescale"), tuple):
            finding.timescale = scale
        take_compile_arguments(finding, _texts(build.get("build_args")), self._path.parent)
        if not finding.sources:
            return
        if self.given:
            values = [f"{name}{value}" for name, value in self.given.items()]
            finding.name = "-".join([top, *(_word(value) for value in values)])
        self.findings.append(finding)

    def _paths(self, value: Any) -> list[Path]:
        """Return paths, which are relative to the file, or to the folder where pytest starts."""
        if isinstance(value, (str, Path)):
            value = [value]
        if not isinstance(value, (list, tuple, set)):
            return []
        found = []
        for item in value:
            if isinstance(item, (str, Path)) and str(item):
                here, there = self._path.parent / item, self._root / item
                found.append((there if there.exists() and not here.exists() else here).resolve())
        return found

    def _folder(self, test: Mapping[str, Any]) -> Path:
        """Return the working directory that the call names; without one, the folder of the file."""
        given = test.get("test_dir")
        if isinstance(given, (str, Path)):
            folder = (self._path.parent / given).resolve()
            if folder.is_dir():
                return folder
        return self._path.parent


def _texts(value: Any) -> list[str]:
    if not isinstance(value, (list, tuple)):
        return []
    return [str(item) for item in value if item is not UNKNOWN]


def _mapping(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        return {}
    return {str(key): item for key, item in value.items() if UNKNOWN not in (key, item)}


def _word(text: str) -> str:
    return "".join(letter if letter.isalnum() or letter == "_" else "_" for letter in text)[:24]
