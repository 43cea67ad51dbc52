"""Evaluates simple Python without running it: what a script passes to cocotb's runner.

Only constants, paths, texts, lists and mappings are evaluated. Everything else is :data:`UNKNOWN`.
Nothing is imported, no file is written, no process is started.
"""

from __future__ import annotations

import ast
import glob
import itertools
import operator
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

MOST_ROUNDS = 200
MOST_DEPTH = 12


class _Unknown:
    """A value that cannot be known without running the script."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = _Unknown()
BUILTINS: Mapping[str, Any] = {
    "str": str, "int": int, "float": float, "bool": bool, "len": len, "list": list, "dict": dict,
    "tuple": tuple, "set": set, "sorted": sorted, "range": range, "zip": zip, "min": min,
    "max": max, "sum": sum, "abs": abs, "repr": repr, "enumerate": enumerate, "Path": Path,
    "True": True, "False": False, "None": None,
}  # fmt: skip
# Functions of modules, as they are written.
FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "os.getenv": os.environ.get, "os.environ.get": os.environ.get, "os.getcwd": os.getcwd,
    "os.path.join": os.path.join, "os.path.dirname": os.path.dirname,
    "os.path.basename": os.path.basename, "os.path.abspath": os.path.abspath,
    "os.path.realpath": os.path.realpath, "os.path.normpath": os.path.normpath,
    "os.path.exists": os.path.exists, "os.path.isfile": os.path.isfile,
    "os.path.splitext": os.path.splitext, "os.listdir": os.listdir, "glob.glob": glob.glob,
    "pathlib.Path": Path, "Path.cwd": Path.cwd, "pathlib.Path.cwd": Path.cwd,
    "itertools.product": itertools.product, "os.environ.copy": lambda: {},
}  # fmt: skip
OPERATORS: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
    ast.Pow: operator.pow, ast.LShift: operator.lshift, ast.BitOr: operator.or_,
}  # fmt: skip
COMPARISONS: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Is: operator.is_, ast.IsNot: operator.is_not,
    ast.In: lambda one, many: one in many, ast.NotIn: lambda one, many: one not in many,
}  # fmt: skip
READING = frozenset({
    "absolute", "as_posix", "exists", "glob", "is_dir", "is_file", "iterdir", "joinpath",
    "relative_to", "resolve", "rglob", "with_name", "with_suffix", "with_stem", "expanduser",
})  # fmt: skip
PATH_FACTS = frozenset({"name", "parent", "parents", "stem", "suffix"})


class Returned(Exception):
    """The value of a function that was evaluated."""

    def __init__(self, value: Any) -> None:
        super().__init__("return")
        self.value = value


class Evaluator:
    """Evaluates the statements of one file.

    Args:
        file: the file.
        on_call: gets every call that is not evaluated: the name as written, the values of the
            positional and of the named arguments; returns the call's value.
    """

    def __init__(
        self, file: Path, on_call: Callable[[str, list[Any], dict[str, Any]], Any]
    ) -> None:
        self.names: dict[str, Any] = {**BUILTINS, "__file__": str(file), "__name__": file.stem}
        self._functions: dict[str, ast.FunctionDef] = {}
        self._on_call = on_call
        self._depth = 0

    def run(self, body: Iterable[ast.stmt]) -> None:
        """Evaluate statements in order."""
        for statement in body:
            self._statement(statement)

    def call(self, function: ast.FunctionDef, given: Mapping[str, Any]) -> Any:
        """Evaluate a function with named arguments; missing ones have their defaults."""
        outer = dict(self.names)
        arguments = [*function.args.posonlyargs, *function.args.args]
        defaults = function.args.defaults
        for argument in [*arguments, *function.args.kwonlyargs]:
            self.names[argument.arg] = UNKNOWN
        pairs = zip(arguments[len(arguments) - len(defaults) :], defaults, strict=True)
        for argument, default in pairs:
            self.names[argument.arg] = self.value(default)
        for argument, default in zip(
            function.args.kwonlyargs, function.args.kw_defaults, strict=True
        ):
            if default is not None:
                self.names[argument.arg] = self.value(default)
        self.names.update(given)
        self._depth += 1
        try:
            if self._depth <= MOST_DEPTH:
                self.run(function.body)
        except Returned as returned:
            return returned.value
        finally:
            self._depth -= 1
            self.names = outer
        return None

    def _statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.FunctionDef):
            self._functions[node.name] = node
        elif isinstance(node, ast.Return):
            raise Returned(self.value(node.value) if node.value else None)
        elif isinstance(node, ast.Assign):
            value = self.value(node.value)
            for target in node.targets:
                self._assign(target, value)
        elif isinstance(node, ast.AnnAssign) and node.value:
            self._assign(node.target, self.value(node.value))
        elif isinstance(node, ast.AugAssign):
            both = ast.BinOp(_loaded(node.target), node.op, node.value)
            self._assign(node.target, self.value(both))
        elif isinstance(node, ast.Expr):
            self.value(node.value)
        elif isinstance(node, ast.If):
            self._branch(node)
        elif isinstance(node, ast.For):
            self._loop(node)
        elif isinstance(node, (ast.With, ast.Try)):
            self.run(node.body)

    def _branch(self, node: ast.If) -> None:
        if "__main__" in ast.unparse(node.test):
            self.run(node.body)
            return
        test = self.value(node.test)
        if test is not UNKNOWN:
            self.run(node.body if test else node.orelse)

    def _loop(self, node: ast.For) -> None:
        values = self.value(node.iter)
        if values is UNKNOWN or not isinstance(values, Iterable):
            return
        for value in itertools.islice(values, MOST_ROUNDS):
            self._assign(node.target, value)
            self.run(node.body)

    def _assign(self, target: ast.expr, value: Any) -> None:
        if isinstance(target, ast.Name):
            self.names[target.id] = value
        elif isinstance(target, (ast.Tuple, ast.List)):
            known = isinstance(value, (tuple, list)) and len(value) == len(target.elts)
            for number, part in enumerate(target.elts):
                self._assign(part, value[number] if known else UNKNOWN)
        elif isinstance(target, ast.Subscript):
            held, key = self.value(target.value), self.value(target.slice)
            if isinstance(held, dict) and key is not UNKNOWN:
                held[key] = value

    def value(self, node: ast.expr) -> Any:
        """Return the value of an expression, or UNKNOWN."""
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            return UNKNOWN
        try:
            return method(node)
        except (TypeError, ValueError, KeyError, IndexError, AttributeError, OSError):
            return UNKNOWN
        except (ZeroDivisionError, OverflowError, NotImplementedError, RecursionError):
            return UNKNOWN

    def _constant(self, node: ast.Constant) -> Any:
        return node.value

    def _name(self, node: ast.Name) -> Any:
        return self.names.get(node.id, UNKNOWN)

    def _elements(self, nodes: Iterable[ast.expr]) -> list[Any]:
        found: list[Any] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                value = self.value(node.value)
                found += list(value) if value is not UNKNOWN else []
            else:
                found.append(self.value(node))
        return found

    def _list(self, node: ast.List) -> Any:
        return self._elements(node.elts)

    def _tuple(self, node: ast.Tuple) -> Any:
        return tuple(self._elements(node.elts))

    def _set(self, node: ast.Set) -> Any:
        return set(self._elements(node.elts))

    def _dict(self, node: ast.Dict) -> Any:
        found: dict[Any, Any] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            if key is not None:
                found[self.value(key)] = self.value(value)
            elif isinstance(more := self.value(value), dict):
                found |= more
        return found

    def _joinedstr(self, node: ast.JoinedStr) -> Any:
        parts = [self.value(part) for part in node.values]
        return UNKNOWN if UNKNOWN in parts else "".join(map(str, parts))

    def _formattedvalue(self, node: ast.FormattedValue) -> Any:
        value = self.value(node.value)
        spec = self.value(node.format_spec) if node.format_spec else ""
        return UNKNOWN if UNKNOWN in (value, spec) else format(value, spec)

    def _binop(self, node: ast.BinOp) -> Any:
        left, right = self.value(node.left), self.value(node.right)
        if left is UNKNOWN or right is UNKNOWN or type(node.op) not in OPERATORS:
            return UNKNOWN
        return OPERATORS[type(node.op)](left, right)

    def _unaryop(self, node: ast.UnaryOp) -> Any:
        value = self.value(node.operand)
        if value is UNKNOWN:
            return UNKNOWN
        return not value if isinstance(node.op, ast.Not) else -value

    def _boolop(self, node: ast.BoolOp) -> Any:
        value: Any = UNKNOWN
        for part in node.values:
            value = self.value(part)
            if value is UNKNOWN or bool(value) == isinstance(node.op, ast.Or):
                break
        return value

    def _compare(self, node: ast.Compare) -> Any:
        left, right = self.value(node.left), self.value(node.comparators[0])
        if len(node.ops) > 1 or left is UNKNOWN or right is UNKNOWN:
            return UNKNOWN
        return COMPARISONS[type(node.ops[0])](left, right)

    def _ifexp(self, node: ast.IfExp) -> Any:
        test = self.value(node.test)
        return UNKNOWN if test is UNKNOWN else self.value(node.body if test else node.orelse)

    def _subscript(self, node: ast.Subscript) -> Any:
        if ast.unparse(node.value) == "os.environ":
            return os.environ.get(self.value(node.slice), UNKNOWN)
        held = self.value(node.value)
        if isinstance(node.slice, ast.Slice):
            ends = (node.slice.lower, node.slice.upper, node.slice.step)
            return held[slice(*(self.value(end) if end else None for end in ends))]
        return held[self.value(node.slice)]

    def _attribute(self, node: ast.Attribute) -> Any:
        held = self.value(node.value)
        return getattr(held, node.attr) if isinstance(held, Path) and node.attr in PATH_FACTS \
            else UNKNOWN  # fmt: skip

    def _listcomp(self, node: ast.ListComp) -> Any:
        return [self.value(node.elt) for _ in self._rounds(node.generators)]

    _generatorexp = _listcomp

    def _dictcomp(self, node: ast.DictComp) -> Any:
        rounds = self._rounds(node.generators)
        return {self.value(node.key): self.value(node.value) for _ in rounds}

    def _rounds(self, generators: list[ast.comprehension]) -> Iterable[None]:
        first, *others = generators
        values = self.value(first.iter)
        if values is UNKNOWN:
            raise ValueError("unknown")
        for value in list(itertools.islice(values, MOST_ROUNDS)):
            self._assign(first.target, value)
            if all(self.value(test) is not UNKNOWN and self.value(test) for test in first.ifs):
                if others:
                    yield from self._rounds(others)
                else:
                    yield None

    def _call(self, node: ast.Call) -> Any:
        name = ast.unparse(node.func)
        values = self._elements(node.args)
        named = {key.arg: self.value(key.value) for key in node.keywords if key.arg}
        for key in node.keywords:
            more = self.value(key.value) if key.arg is None else None
            named.update(more if isinstance(more, dict) else {})
        if name in FUNCTIONS and not node.keywords:
            return UNKNOWN if UNKNOWN in values else FUNCTIONS[name](*values)
        if name in BUILTINS and BUILTINS[name] is self.names.get(name):
            known = UNKNOWN not in values and UNKNOWN not in named.values()
            return BUILTINS[name](*values, **named) if known else UNKNOWN
        if name in self._functions:
            function = self._functions[name]
            parameters = [argument.arg for argument in function.args.args]
            return self.call(function, {**dict(zip(parameters, values, strict=False)), **named})
        if isinstance(node.func, ast.Attribute):
            held, method = self.value(node.func.value), node.func.attr
            if isinstance(held, Path) and method in READING:
                found = getattr(held, method)(*values)
                return found if isinstance(found, (Path, bool, str)) else sorted(found)
            if type(held) in (str, list, dict, tuple, set) and not method.startswith("_"):
                return getattr(held, method)(*values, **named)
        return self._on_call(name, values, named)


def _loaded(target: ast.expr) -> ast.expr:
    """Return the expression that reads what an assignment writes."""
    return ast.parse(ast.unparse(target), mode="eval").body
