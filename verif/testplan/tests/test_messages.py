"""Each failure text of the test bench belongs to exactly one check of the plan."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from verif.bench.configuration.design import BENCH
from verif.testplan.format import Check, read_testplan

FOLDERS = ("agent", "env", "sequences", "stress", "tests")
# Calls with a failure text, and which of their arguments it is.
CALLS = {
    "ValueError": 0, "BusTimeoutError": 0, "FailureAt": 0, "fail": 0, "write": 0, "_fail": 1,
    "_wrong": 1,
}  # fmt: skip
# Texts about an input of the bench: no design can cause them.
OF_AN_INPUT = (
    "does not fit into its bus words", "is not a step; accepted", "aim is .* at most",
    "has more than", "the bus has", "no standard field fits", "expected 'name = value'",
    "a signature without", "an RSA key of", "do not fit into a block", "state bits can be seen",
)  # fmt: skip
WORDS = re.compile(r"[A-Za-z]{2}|[A-Z] = ")


def filled(node: ast.AST) -> str:
    """Return a text with a sample in each placeholder."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if not isinstance(node, ast.JoinedStr):
        return ""
    parts = []
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            hexadecimal = part.format_spec and "x" in ast.unparse(part.format_spec)
            parts.append(text_of(part.value) or ("0x1" if hexadecimal else "1"))
        else:
            parts.append(filled(part))
    return "".join(parts)


def text_of(node: ast.AST) -> str:
    """Return a text, also that of a call of ``mismatch``: name, seen, judge, expected."""
    if not (isinstance(node, ast.Call) and getattr(node.func, "id", "") == "mismatch"):
        return filled(node)
    name, _, judge, _ = node.args
    return f"{filled(name) or '1'} = 0x1, {filled(judge) or '1'} 0x1"


def texts(tree: ast.Module, of_checker: bool) -> Iterator[str]:
    """Yield the failure texts of a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            place = 0 if of_checker and called == "append" else CALLS.get(called)
            if place is not None and len(node.args) > place:
                yield text_of(node.args[place])
        elif isinstance(node, ast.Return) and isinstance(node.value, ast.JoinedStr):
            yield filled(node.value) if "mismatch(" in ast.unparse(node.value) else ""
        elif of_checker and isinstance(node, ast.List):
            yield from map(text_of, node.elts)
        elif of_checker and isinstance(node, ast.ListComp):
            yield text_of(node.elt)


def found() -> list[str]:
    """Return the failure texts of the test bench, each with its file."""
    return [
        f"{path.relative_to(BENCH)}: {text}"
        for folder in FOLDERS
        for path in sorted((BENCH / folder).rglob("*.py"))
        for text in texts(ast.parse(path.read_text()), "checker" in str(path.relative_to(BENCH)))
        if WORDS.search(text)
    ]


@pytest.fixture(scope="module")
def checks() -> dict[str, Check]:
    return read_testplan().checks


@pytest.mark.parametrize("text", found())
def test_a_failure_text_belongs_to_one_check(text: str, checks: dict[str, Check]) -> None:
    if not any(re.search(pattern, text) for pattern in OF_AN_INPUT):
        message = text.partition(": ")[2]
        owners = [name for name, one in checks.items() if re.search(one.message, f": {message}")]
        assert len(owners) == 1, owners


def test_the_texts_are_found() -> None:
    text = "\n".join(found())
    for part in (
        "answered with code 1, expected 1", "P = 0x1, gmpy2 says 0x1", "combined = 0x1, expected",
        "busy or done in a reset", "illegal state change", "no exponent of Hamming weight",
    ):  # fmt: skip
        assert part in text
