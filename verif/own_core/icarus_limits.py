"""Legal code that Icarus Verilog 11 compiles without an error and simulates with unknown values.

A correct core with such code would be called broken, so Icarus must not run it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from regress.core.errors import UsageError
from regress.simulators.icarus import Icarus
from verif.own_core.core import COMMENT, Core

PACKAGE = re.compile(r"\bpackage\s+(?:automatic\s+)?\w+\s*;(.*?)\bendpackage\b", re.DOTALL)
MODULE = re.compile(r"\bmodule\s+(?:automatic\s+)?(\w+)(.*?)\bendmodule\b", re.DOTALL)
CONSTANTS = re.compile(r"\b(?:localparam|parameter)\b([^;]*);")
ASSIGNED = re.compile(r"(\w+)\s*(?:\[[^\]]*\]\s*)*=(?!=)")
ENUM = re.compile(r"\benum\b[^{;]*\{([^}]*)\}")
OUTPUT_ARRAY = re.compile(r"\boutput\b[^,;()=]*?\b(\w+)\s*\[[^\]]*\]\s*(?=[,;)\[])")
VARIABLES = re.compile(r"\b(?:logic|reg|bit|integer|int)\b([^;()]*);")
ARRAY = re.compile(r"\b(\w+)\s*(?:\[[^\]]*\]\s*)+(?=,|$)")
CONNECTION = re.compile(r"\.(\w+)\s*(\()?")
# Icarus knows a package constant in an index, as the size of a cast and as a count of repetitions.
NAME = re.compile(r"(?<![\w$.:'`])[A-Za-z_]\w*\b(?!\s*['{(])")
INDEX = re.compile(r"\[[^\[\]]*\]")


@dataclass
class Text:
    """Declarations and connections in the sources of a core.

    Attributes:
        constants: names that packages declare as constants.
        outputs: names of output ports that are unpacked arrays.
        modules: text of each module, without comments and parameter values.
    """

    constants: set[str] = field(default_factory=set)
    outputs: set[str] = field(default_factory=set)
    modules: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, paths: Iterable[Path]) -> Text:
        """Read the sources of a core."""
        found = cls()
        for path in paths:
            text = COMMENT.sub(" ", path.read_text(encoding="utf-8", errors="replace"))
            for package in PACKAGE.findall(text):
                for declared in CONSTANTS.findall(package):
                    found.constants |= set(ASSIGNED.findall(declared))
                for labels in ENUM.findall(package):
                    found.constants |= {name.split("=")[0].strip() for name in labels.split(",")}
            for name, body in MODULE.findall(text):
                found.modules[name] = body
                found.outputs |= set(OUTPUT_ARRAY.findall(body))
        return found


def lost_values(core: Core) -> list[str]:
    """Return a message for each place in the sources of all widths whose values Icarus loses."""
    text = Text.read(path for path in core.sources if path.suffix != ".vlt")
    lines = (line for name, body in text.modules.items() for line in _lost(text, name, body))
    return list(dict.fromkeys(lines))


def check_simulators(core: Core, simulators: Iterable[str]) -> None:
    """Reject Icarus for code whose values it loses.

    Raises:
        UsageError: one line for each place.
    """
    if Icarus.name in simulators and (lines := lost_values(core)):
        raise UsageError(*(f"{core.path}: {line}; --sim verilator is accepted" for line in lines))


def _lost(text: Text, name: str, body: str) -> Iterator[str]:
    own = set(ASSIGNED.findall(" ".join(CONSTANTS.findall(body))))
    arrays = {
        array for declared in VARIABLES.findall(body) for array in ARRAY.findall(declared.strip())
    }
    for port, value in _connections(body):
        if port in text.outputs and value.strip() in arrays:
            yield (
                f"Icarus 11 loses the values of unpacked output {port} in module {name}, because "
                f"{value.strip()} is a variable (a wire is accepted)"
            )
        for used in NAME.findall(INDEX.sub("", value)):
            if used in text.constants - own:
                yield (
                    f"Icarus 11 loses the package constant {used} at port {port} in module {name} "
                    f"(package::{used} is accepted)"
                )


def _connections(body: str) -> Iterator[tuple[str, str]]:
    """Yield the named port connections of a module: port and expression."""
    body = _without_parameters(body)
    for found in CONNECTION.finditer(body):
        port, opened = found.groups()
        if opened:
            yield port, body[found.end() : _closing(body, found.end())]
        else:
            yield port, port


def _without_parameters(body: str) -> str:
    """Return a text without the parts ``#(…)``."""
    kept, at = [], 0
    for found in re.finditer(r"#\s*\(", body):
        if found.start() >= at:
            kept.append(body[at : found.start()])
            at = _closing(body, found.end()) + 1
    return "".join([*kept, body[at:]])


def _closing(text: str, start: int) -> int:
    """Return the index of the parenthesis that closes the one before ``start``."""
    depth = 1
    for at in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if not depth:
            return at
    return len(text)
