"""Reads YAML files whose mistakes are reported with file, line and the accepted values."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jsonschema import ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from regress.errors import UsageError, not_accepted


def read_yaml(path: Path, what: str, needed: str) -> Any:
    """Contents of a file; mappings and lists know their lines.

    Args:
        path: the file.
        what: what the file is, for the message about an empty one.
        needed: what an empty file lacks, likewise.

    Raises:
        UsageError: no such file, not YAML, or empty.
    """
    try:
        data = YAML(typ="rt").load(path.read_text(encoding="utf-8"))
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        # The second line of ruamel's text explains how to switch the check off: not our user's aim.
        problem = str(error.problem or error.context).splitlines()[0]
        raise UsageError(f"{path}:{line}: not valid YAML: {problem}") from None
    except (OSError, UnicodeDecodeError, YAMLError) as error:
        raise UsageError(f"{path}: cannot be read: {error}".splitlines()[0]) from None
    if data is None:
        raise UsageError(f"{path}:1: {what} is empty; it needs {needed}")
    return data


def item_line(sequence: Any, index: int) -> int:
    """Line of an item of a list that was read by :func:`read_yaml`."""
    return sequence.lc.item(index)[0] + 1


def line_of(node: Any, path: Sequence[str | int]) -> int:
    """Line of the value that ``path`` leads to from ``node``."""
    line = node.lc.line
    for step in path:
        try:
            line = node.lc.value(step)[0] if isinstance(step, str) else node.lc.item(step)[0]
        except (KeyError, AttributeError, TypeError):  # merged keys carry no position of their own
            break
        node = node[step]
    return line + 1


class Problems:
    """Collects mistakes, one for each line of the file.

    Args:
        path: the file.
        what: what the file is, for mistakes of the whole.
    """

    def __init__(self, path: Path, what: str = "the list") -> None:
        self._path = path
        self._what = what
        self._by_line: dict[int, str] = {}

    def add(self, line: int, message: str) -> None:
        """Note a mistake, unless its line has one already."""
        self._by_line.setdefault(line, message)

    def add_schema_error(self, data: Any, error: ValidationError) -> None:
        """Note what a schema found wrong with ``data``, in words for people."""
        path = list(error.absolute_path)
        place = str(path[-1]) if path else self._what
        if path and isinstance(path[-1], int):
            place = f"an item of {path[-2]!r}"
        # Only a mapping read by ruamel knows its lines.
        line = line_of(data, path) if hasattr(data, "lc") else 1
        limit = error.validator_value
        if error.validator == "additionalProperties":
            for key in error.instance:
                if key not in error.schema["properties"]:
                    key_line = error.instance.lc.key(key)[0] + 1
                    self.add(key_line, not_accepted("key", key, error.schema["properties"]))
        elif error.validator == "enum":
            what = {"simulators": "simulator"}
            name = next((step for step in reversed(path) if isinstance(step, str)), place)
            self.add(line, not_accepted(what.get(name, name), error.instance, limit))
        elif error.validator == "required":
            missing = [key for key in limit if key not in error.instance]
            self.add(line, f"missing {', '.join(map(repr, missing))}")
        elif error.validator == "type":
            self.add(line, f"{place}: expected {_kind(limit)}, found {_shown(error.instance)}")
        elif error.validator == "anyOf":  # of ours they all say which key must be there
            choices = [repr(key) for choice in limit for key in choice["required"]]
            self.add(line, f"missing {' or '.join(choices)}")
        elif error.validator in ("minItems", "minLength"):
            self.add(line, f"{place}: must not be empty")
        elif error.validator in ("minimum", "exclusiveMinimum"):
            bound = "at least" if error.validator == "minimum" else "more than"
            self.add(line, f"{place}: {error.instance} is too small; accepted: {bound} {limit}")
        else:
            self.add(line, f"{place}: {error.message}")

    def stop_if_any(self) -> None:
        """Raise :class:`UsageError` with every mistake noted so far."""
        if self._by_line:
            found = sorted(self._by_line.items())
            raise UsageError(*(f"{self._path}:{line}: {message}" for line, message in found))


def _kind(json_type: str | list[str]) -> str:
    if isinstance(json_type, list):
        return " or ".join(map(_kind, json_type))
    return {"array": "a list", "object": "a mapping", "integer": "an integer"}.get(
        json_type, f"a {json_type}"
    )


def _shown(value: object) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, (dict, list)):
        return _kind("object" if isinstance(value, dict) else "array")
    return repr(value)
