"""Reads YAML 1.2 with PyYAML's parser in C: a run reads dozens of files before its first job."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from yaml import CSafeLoader, MappingNode, Node, ScalarNode, SequenceNode
from yaml.constructor import ConstructorError

DIGITS = "-+0123456789"


@dataclass(frozen=True)
class YamlData:
    """A YAML text.

    Attributes:
        value: its mappings, lists and scalars; None if the text is empty.
        root: the same as nodes, which know their lines.
    """

    value: Any
    root: Node | None

    def line(self, place: Sequence[str | int], key: bool = False) -> int:
        """Return the line, from 1, of the value at ``place``, or of its key."""
        node, line = self.root, self.root.start_mark.line if self.root else 0
        for number, step in enumerate(place, 1):
            pair = _child(node, step)
            if pair is None:
                break
            line = pair[0 if key and number == len(place) else 1].start_mark.line
            node = pair[1]
        return line + 1


def load_yaml(text: str) -> YamlData:
    """Read a text.

    Raises:
        yaml.YAMLError: it is not YAML, or a mapping has a key twice.
    """
    loader = _Loader(text)
    try:
        root = loader.get_single_node()
        # At once, with all that is inside: a node that contains itself is then an error.
        value = None if root is None else loader.construct_object(root, deep=True)
        return YamlData(value, root)
    finally:
        loader.dispose()


def _child(node: Node | None, step: str | int) -> tuple[Node, Node] | None:
    """Return the key and the value below a node; an item of a list is its own key."""
    if isinstance(node, SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step], node.value[step]
    if isinstance(node, MappingNode):
        return next((pair for pair in node.value if pair[0].value == str(step)), None)
    return None


class _Loader(CSafeLoader):
    """PyYAML resolves YAML 1.1, where ``on`` is a boolean, 010 is 8 and 1:30 is 90."""

    yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}

    def construct_mapping(self, node: MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Make a mapping; a key must not be there twice."""
        seen: set[str] = set()
        for key, _ in node.value:
            name = str(key.value)
            if name in seen:
                raise ConstructorError(None, None, f'found duplicate key "{name}"', key.start_mark)
            seen.add(name)
        return super().construct_mapping(node, deep)


def _integer(loader: CSafeLoader, node: ScalarNode) -> int:
    text = loader.construct_scalar(node)
    try:
        return int(text, 0 if text.lstrip("+-")[:2] in ("0x", "0o", "0b") else 10)
    except ValueError:  # Python limits the number of digits
        problem = f"found an integer of {len(text)} digits"
        raise ConstructorError(None, None, problem, node.start_mark) from None


for _name, _pattern, _first in (
    ("bool", "true|True|TRUE|false|False|FALSE", "tTfF"),
    (
        "int",
        r"[-+]?(0b[01](_?[01])*|0o[0-7](_?[0-7])*|0x[0-9a-fA-F](_?[0-9a-fA-F])*|[0-9](_?[0-9])*)",
        DIGITS,
    ),
    (
        "float",
        r"[-+]?([0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)([eE][-+]?[0-9]+)?"
        r"|[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)",
        f"{DIGITS}.",
    ),
    ("null", "~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("merge", "<<", "<"),
):
    _Loader.add_implicit_resolver(
        f"tag:yaml.org,2002:{_name}", re.compile(f"^(?:{_pattern})$"), list(_first)
    )
_Loader.add_constructor("tag:yaml.org,2002:int", _integer)
