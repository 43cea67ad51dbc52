"""What the bursts of ``bench_clock`` cannot serve, found in the text of SystemVerilog files.

A burst makes many clock edges in zero time, one update of non-blocking assignments apart. So code
that simulates in bursts has no delays, no non-blocking assignment in a combinational process, and
no clock that a register drives. The design of this project has none of these; code that has is
foreign, and ``python -m regress check`` gives it an ordinary clock.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

# Blanks take the place of comments, strings, attributes and imports, so that lines keep their
# numbers.
NO_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\(\*(?!\s*\)).*?\*\)|\bimport\b[^;]*;', re.DOTALL
)
# A delay has a number or a name after "#", or a bracket where no list of parameters can stand.
DELAY = re.compile(
    r"(?<!#)#\s*(?:[\d.`]|[A-Za-z_]\w*)"
    r"|(?:<=|=|;|\)|\b(?:begin|else|assign|wire|logic|and|or|not|nand|nor|xor|xnor|buf))\s*#\s*\("
)
# Rise and fall have delays of their own.
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
    """What bursts of clock edges cannot serve in some files, one line each.

    Args:
        paths: of SystemVerilog files.
    """
    for path in paths:
        for line, what in _of_text(path.read_text(encoding="utf-8", errors="replace")):
            yield f"{path}:{line}: {what}"


def has_two_delays(path: Path) -> bool:
    """Whether a net or gate has one delay for its rise and another one for its fall."""
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
        # What a port brings in is the clock of the bench, or follows it in no time.
        ports = {word for port in PORT.finditer(module[0]) for word in port["rest"].split()}
        ports = {word.strip(",") for word in ports}
        found += (
            (module.start() + edge.start(), f"{edge['name']}, a clock that is no port")
            for edge in EDGE.finditer(module[0])
            if _is_register(edge["name"], module[0]) and edge["name"] not in ports
        )
    return tuple((code.count("\n", 0, at) + 1, what) for at, what in sorted(found))


def _is_register(name: str, code: str) -> bool:
    """Whether something assigns a signal with ``<=`` at the beginning of a statement."""
    assigned = rf"(?:;|\bbegin|\belse|\)|:)\s*{name}\s*(?:\[[^\]]*\]\s*)?<="
    return re.search(assigned, code) is not None


def _non_blocking(code: str) -> Iterator[int]:
    """Where the first statement in ``code`` assigns with ``<=``, blocks and branches included."""
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
