"""Reads files, and says where they are wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Generic

from pydantic import ValidationError
from typing_extensions import Self

from regress.core.errors import MissingFile, UsageError
from regress.core.formats.mistakes import Mistake, Place, mistakes
from regress.core.formats.model import Model, adapter, as_json, validated


@dataclass
class Document(Generic[Model]):
    """A YAML file that has been read; what is wrong with it is collected, one mistake a line."""

    path: Path
    value: Model
    _data: Any
    _mistakes: dict[int, str] = field(default_factory=dict)

    def line(self, *place: str | int) -> int:
        """Line of the value that ``place`` leads to."""
        return _line(self._data, place)

    def complain(self, place: Place, message: str, key: bool = False) -> None:
        """Note that the value at a place is wrong, or its key."""
        self._mistakes.setdefault(_line(self._data, place, key), message)

    def stop_if_any(self) -> None:
        """Raise :class:`UsageError` with every mistake noted so far."""
        if self._mistakes:
            found = sorted(self._mistakes.items())
            raise UsageError(*(f"{self.path}:{line}: {message}" for line, message in found))


def read_yaml(
    path: Path, model: type[Model], what: str, context: Mapping[str, Any] | None = None
) -> Document[Model]:
    """Read and check a YAML file; ``what`` it is for people, ``context`` is for its validators.

    Raises:
        UsageError: one line for each mistake, with the file and the line number.
    """
    data = _load(path)
    if data is None:
        *most, last = map(repr, adapter(model).json_schema()["required"])
        names = f"{', '.join(most)} and {last}" if most else last
        raise UsageError(f"{path}:1: {what} is empty; it needs {names}")
    try:
        return Document(path, validated(model, data, context), data)
    except ValidationError as error:
        wrong: Document[Any] = Document(path, None, data)
        for mistake in mistakes(error, model, data, what):
            wrong.complain(mistake.place, mistake.message, mistake.key)
        wrong.stop_if_any()
        raise


class Stored:
    """A format with a file of its own; ``what`` it is for people."""

    what: ClassVar[str]

    def write(self, path: Path) -> None:
        """Write it as JSON."""
        write_json(path, self)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read what :meth:`write` has written.

        Raises:
            UsageError: the file is missing, or holds something else.
        """
        return read_json(path, cls, cls.what)


def read_json(
    path: Path,
    model: type[Model],
    what: str,
    schema: int = 0,
    context: Mapping[str, Any] | None = None,
) -> Model:
    """Read and check a JSON file, as :func:`parse_json` does.

    Raises:
        UsageError: it cannot be read, or is no such file; one line for each mistake. A
            :class:`MissingFile` if there is none.
    """
    try:
        return parse_json(path.read_bytes(), model, what, str(path), schema, context)
    except FileNotFoundError:
        raise MissingFile(f"{path} is missing") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None


def parse_json(
    text: str | bytes,
    model: type[Model],
    what: str,
    origin: str,
    schema: int = 0,
    context: Mapping[str, Any] | None = None,
) -> Model:
    """Check a JSON text; ``what`` it is for people.

    ``origin``, where it comes from, stands in front of each mistake; ``schema`` is the number that
    the format must have, if it has one; ``context`` is for its validators.

    Raises:
        UsageError: one line for each mistake.
    """
    try:
        data = json.loads(text)
    except ValueError as error:
        raise UsageError(f"{origin} cannot be read: {error}") from None
    found = data.get("schema") if schema and isinstance(data, dict) else schema
    if found != schema:
        raise UsageError(
            f"{origin}: {what} is of schema {found}; accepted: {schema}; "
            "another version of regress wrote it: use that one, or run it again"
        )
    try:
        return validated(model, data, context)
    except ValidationError as error:
        wrong = mistakes(error, model, data, what)
        raise UsageError(*(f"{origin}: {_path(item)}{item.message}" for item in wrong)) from None


def write_json(path: Path, value: Any) -> None:
    """Write a format into a file of which a reader never sees half."""
    write_text(path, json.dumps(as_json(value), indent=1) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write a file of which a reader never sees half.

    Raises:
        OSError: it cannot be written.
    """
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def _path(mistake: Mistake) -> str:
    """Where it is, unless the message says so: it names the last step."""
    steps = mistake.place[:-1] if mistake.named else mistake.place
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    return f"{text[1:]}: " if text else ""


def _load(path: Path) -> Any:
    """What a YAML file holds; mappings and lists know their lines."""
    # A simulation has formats and no YAML.
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        return YAML(typ="rt").load(path.read_text(encoding="utf-8"))
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        # The second line of ruamel's text explains how to switch the check off: not our user's aim.
        problem = str(error.problem or error.context).splitlines()[0]
        raise UsageError(f"{path}:{line}: not valid YAML: {problem}") from None
    except (OSError, UnicodeDecodeError, YAMLError) as error:
        raise UsageError(f"{path}: cannot be read: {error}".splitlines()[0]) from None


def _line(data: Any, place: Sequence[str | int], key: bool = False) -> int:
    """Line of the value that ``place`` leads to from ``data``, or of its key."""
    if not hasattr(data, "lc"):  # neither a mapping nor a list
        return 1
    line = data.lc.line
    for number, step in enumerate(place, 1):
        try:
            if isinstance(step, int):
                line = data.lc.item(step)[0]
            elif key and number == len(place):
                line = data.lc.key(step)[0]
            else:
                line = data.lc.value(step)[0]
        except (KeyError, AttributeError, TypeError):  # merged keys have no position of their own
            break
        data = data[step]
    return line + 1
