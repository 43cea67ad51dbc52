"""Whatever silences a check or leaves a test out has its reason beside it.

``python -m ci.silencers [FOLDER]`` names what has none; ``make lint`` runs it.
"""

from __future__ import annotations

import ast
import io
import os
import re
import sys
import tokenize
from collections.abc import Callable, Iterator
from pathlib import Path

IN_PYTHON = re.compile(r"#.*?\b(noqa|type: ?ignore|pragma: no)\b[^#]*")
# Text after the directive that is not one of its codes.
REASON = re.compile(r"(?:noqa|ignore|pragma).*?\s(?:#|-)\s+\S+ \S+")
IN_HDL = re.compile(r"\b(lint_off|coverage_off|tracing_off|verilog_lint: waive)\b")
IN_SHELL = re.compile(r"#\s*shellcheck disable")
LEFT_OUT = ("skip", "skipif", "xfail", "importorskip")
IN_CODE = re.compile(rf"\b(?:pass|NotImplementedError|{'|'.join(LEFT_OUT)})\b")


def silencers(root: Path) -> Iterator[str]:
    """Place and words of everything below a folder that has no reason."""
    for name in project_files(root):
        path = root / name
        if path.suffix == ".py":
            found = _python(path.read_text(encoding="utf-8"))
        elif path.suffix in (".sv", ".svh", ".v", ".vlt", ".sh"):
            pattern = IN_SHELL if path.suffix == ".sh" else IN_HDL
            found = _lines(path.read_text(encoding="utf-8"), pattern)
        else:
            continue
        yield from (f"{name}:{line}: {what} without a reason beside it" for line, what in found)


def project_files(root: Path) -> list[str]:
    """Return the files of the project, without those that a run or a tool wrote."""
    left = {"build", "runs", "__pycache__"}
    found = []
    for folder, folders, names in os.walk(root):
        # Not even looked into: runs beside this one make and remove folders there.
        folders[:] = [name for name in folders if not name.startswith(".") and name not in left]
        place = Path(folder).relative_to(root)
        found += [str(place / name) for name in names if not name.startswith(".")]
    return sorted(found)


def _lines(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """Directives of a language whose lines are not parsed; a comment above some serves them all."""
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        found = pattern.search(line)
        if found:
            above = number - 2
            while above >= 0 and pattern.search(lines[above]):
                above -= 1
            if above < 0 or not re.match(r"\s*(//|#|\*)\s*\S+ \S+", lines[above]):
                yield number, found[0]


def _python(text: str) -> Iterator[tuple[int, str]]:
    lines = ["", *text.splitlines()]
    # Most files have no silencer: do not split and parse them.
    if IN_PYTHON.search(text):
        yield from _comments(text, lines)
    if not IN_CODE.search(text):
        return
    for node in ast.walk(ast.parse(text)):
        number = getattr(node, "lineno", 0)
        if isinstance(node, ast.Pass) and "#" not in lines[number]:
            yield number, "pass"
        elif isinstance(node, ast.Raise) and ast.unparse(node) == "raise NotImplementedError":
            yield number, "NotImplementedError"
        elif isinstance(node, ast.Call) and _leaves_out(node.func) and not _says_why(node):
            yield number, ast.unparse(node.func)
        for mark in getattr(node, "decorator_list", ()):
            if not isinstance(mark, ast.Call) and _leaves_out(mark):
                yield mark.lineno, ast.unparse(mark)


def _comments(text: str, lines: list[str]) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        number = token.start[0]
        comment = token.string if token.type == tokenize.COMMENT else ""
        explained = REASON.search(comment) or _explained(lines[number - 1])
        if IN_PYTHON.match(comment) and not explained:
            yield number, comment


def _explained(line: str) -> bool:
    return bool(re.match(r"\s*#\s*\S+ \S+", line))


def _leaves_out(function: ast.expr) -> bool:
    name = ast.unparse(function)
    return name.startswith(("pytest.", "unittest.")) and name.rpartition(".")[2] in LEFT_OUT


def _says_why(call: ast.Call) -> bool:
    """A text of several words; a name or an f-string is taken for one."""
    given = [word.value for word in call.keywords if word.arg == "reason"]
    if ast.unparse(call.func).endswith(".skip"):
        given += call.args[:1]
    return any(
        not isinstance(reason, ast.Constant) or len(str(reason.value).split()) > 2
        for reason in given
    )


def listed(check: Callable[[Path], Iterator[str]], folder: str = ".") -> int:
    """Print what a check finds in the files below a folder.

    Returns:
        the exit code: 0 for nothing, 1 for something, 2 without such a folder.
    """
    if not Path(folder).is_dir():
        print(f"{folder} is not a folder", file=sys.stderr)
        return 2
    lines = list(check(Path(folder)))
    print(*lines, sep="\n", end="\n" if lines else "")
    return int(bool(lines))


if __name__ == "__main__":
    sys.exit(listed(silencers, *sys.argv[1:]))
