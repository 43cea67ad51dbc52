"""Finds SystemVerilog code that the bursts of ``bench_clock`` cannot simulate correctly.

A burst makes many clock edges in zero time, with one update of non-blocking assignments between
two edges. Code that simulates in bursts must therefore have no delays, no non-blocking assignment
in a combinational process, and no clock that a register drives. This project's design has none of
these. ``python -m regress check`` gives a user's code that has one an ordinary clock.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

# Text to replace by blanks: comments, strings, attributes and imports. Line numbers stay the same.
NO_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\(\*(?!\s*\)).*?\*\)|\bimport\b[^;]*;', re.DOTALL
)
# A delay: "#" and a number or a name, or "#" and a bracket where no parameter list is possible.
DELAY = re.compile(
    r"(?<!#)#\s*(?:[\d.`]|[A-Za-z_]\w*)"
    r"|(?:<=|=|;|\)|\b(?:begin|else|assign|wire|logic|and|or|not|nand|nor|xor|xnor|buf))\s*#\s*\("
)
# A delay with two values, one for the rise and one for the fall.
TWO_DELAYS = re.compile(
    r"\b(?:assign|wire|tri|logic|and|or|not|nand|nor|xor|xnor|buf)\b[^;#]*#\s*\([^;()]*,"
)
ASYNCHRONOUS = re.compile(
    r"\balways_(?:comb|latch)\b|\balways\s*@\s*(?:\*|\((?![^)]*edge\b)[^)]*\))"
)
EDGE = re.compile(r"\b(?:pos|neg)edge\s+\(?\s*(?P<name>\w+)")
PORT = re.compile(r"\binput\b(?P<rest>[^;)]*?)(?=\b(?:input|output|inout)\b|[;)]|$)")
MODULE = re.compile(r"\bmodule\b.*?\bendmodule\b", re.DOTALL)
TOKEN = re.compile(r"<=|==|>=|[A-Za-z_]\w*|[()\[\]{};:=]")
OPENING, CLOSING = "([{", ")]}"


def unserved(paths: Iterable[Path]) -> Iterator[str]:
    """Yield one line for each place in the files that bursts cannot simulate correctly.

    Args:
        paths: SystemVerilog files.
    """
    for path in paths:
        for line, what in _of_text(path.read_text(encoding="utf-8", errors="replace")):
            yield f"{path}:{line}: {what}"


def has_two_delays(path: Path) -> bool:
    """Return whether a net or gate has different delays for its rise and its fall."""
    return TWO_DELAYS.search(_code(path.read_text(encoding="utf-8", errors="replace"))) is not None


def _code(text: str) -> str:
    return NO_CODE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


@lru_cache(maxsize=512)
def _of_text(text: str) -> tuple[tuple[int, str], ...]:
    code = _code(text)
    found = [(match.start(), "a delay") for match in DELAY.finditer(code)]
    for process in ASYNCHRONOUS.finditer(code):
        found += (
            (process.end() + at, "a non-blocking assignment in a combinational process")
            for at in _non_blocking(code[process.end() :])
        )
    for module in MODULE.finditer(code):
        # A clock that enters by a port is the bench's clock, or follows it without delay.
        ports = {word for port in PORT.finditer(module[0]) for word in port["rest"].split()}
        ports = {word.strip(",") for word in ports}
        found += (
            (module.start() + edge.start(), f"{edge['name']}, a clock that is no port")
            for edge in EDGE.finditer(module[0])
            if _is_register(edge["name"], module[0]) and edge["name"] not in ports
        )
    return tuple((code.count("\n", 0, at) + 1, what) for at, what in sorted(found))


def _is_register(name: str, code: str) -> bool:
    """Return whether a statement assigns this signal with ``<=``."""
    assigned = rf"(?:;|\bbegin|\belse|\)|:)\s*{name}\s*(?:\[[^\]]*\]\s*)?<="
    return re.search(assigned, code) is not None


def _non_blocking(code: str) -> Iterator[int]:
    """Yield the positions of ``<=`` assignments in the first statement, blocks and branches too."""
    nested = blocks = 0
    assigned = False
    for token in TOKEN.finditer(code):
        word = token[0]
        if word in OPENING:
            nested += 1
        elif word in CLOSING:
            nested -= 1
        elif nested:
            continue
        elif word in ("begin", "case", "casez", "casex"):
            blocks, assigned = blocks + 1, False
        elif word in ("end", "endcase"):
            blocks, assigned = blocks - 1, False
        elif word == ";":
            assigned = False
        elif word == "=" or (word == "<=" and not assigned):
            if word == "<=":
                yield token.start()
            assigned = True
        if not blocks and word in (";", "end", "endcase") and not _goes_on(code[token.end() :]):
            return


def _goes_on(rest: str) -> bool:
    return re.match(r"\s*else\b", rest) is not None
