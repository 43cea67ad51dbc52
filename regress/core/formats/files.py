"""Reads and checks files, and reports where they are wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic

from pydantic import ValidationError
from typing_extensions import Self

from regress.core.errors import MissingFile, UsageError
from regress.core.formats.mistakes import Mistake, Place, mistakes
from regress.core.formats.model import Model, adapter, as_json, validated

if TYPE_CHECKING:
    from regress.core.formats.yaml_reader import YamlData


@dataclass
class Document(Generic[Model]):
    """A YAML file that has been read. It collects the file's mistakes, one per line."""

    path: Path
    value: Model
    _data: YamlData
    _mistakes: dict[int, str] = field(default_factory=dict)

    def line(self, *place: str | int) -> int:
        """Return the line of the value at ``place``."""
        return self._data.line(place)

    def complain(self, place: Place, message: str, key: bool = False) -> None:
        """Record a mistake in the value at ``place``, or in its key."""
        self._mistakes.setdefault(self._data.line(place, key), message)

    def stop_if_any(self) -> None:
        """Raise :class:`UsageError` with every recorded mistake, if any."""
        if self._mistakes:
            found = sorted(self._mistakes.items())
            raise UsageError(*(f"{self.path}:{line}: {message}" for line, message in found))


def read_yaml(
    path: Path, model: type[Model], what: str, context: Mapping[str, Any] | None = None
) -> Document[Model]:
    """Read and check a YAML file; ``what`` names it in messages, its validators get ``context``.

    Raises:
        UsageError: one line for each mistake, with the file and the line number.
    """
    data = _load(path)
    if data.value is None:
        *most, last = map(repr, adapter(model).json_schema()["required"])
        names = f"{', '.join(most)} and {last}" if most else last
        raise UsageError(f"{path}:1: {what} is empty; it needs {names}")
    try:
        return Document(path, validated(model, data.value, context), data)
    except ValidationError as error:
        wrong: Document[Any] = Document(path, None, data)
        for mistake in mistakes(error, model, data.value, what):
            wrong.complain(mistake.place, mistake.message, mistake.key)
        wrong.stop_if_any()
        raise


class Stored:
    """A format with a file of its own; ``what`` it is for people."""

    what: ClassVar[str]

    def write(self, path: Path) -> None:
        """Write the format as JSON."""
        write_json(path, self)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a file written by :meth:`write`.

        Raises:
            UsageError: the file is missing, or has other contents.
        """
        return read_json(path, cls, cls.what)


def read_json(
    path: Path,
    model: type[Model],
    what: str,
    schema: int = 0,
    context: Mapping[str, Any] | None = None,
) -> Model:
    """Read and check a JSON file, see :func:`parse_json`.

    Raises:
        UsageError: the file cannot be read or has other contents; one line for each mistake.
        MissingFile: the file does not exist.
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
    """Check a JSON text; ``what`` names it in messages.

    Each message starts with ``origin``, the source of the text. ``schema`` is the required version
    number of the format, if it has one. The validators get ``context``.

    Raises:
        UsageError: one line for each mistake.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{origin} cannot be read: {error}") from None
    found = data.get("schema") if schema and isinstance(data, dict) else schema
    if found != schema:
        raise UsageError(
            f"{origin}: {what} is of schema {found}; accepted: {schema}; "
            "use the version of regress that wrote it, or repeat the run"
        )
    try:
        return validated(model, data, context)
    except ValidationError as error:
        wrong = mistakes(error, model, data, what)
        raise UsageError(*(f"{origin}: {_path(item)}{item.message}" for item in wrong)) from None


def write_json(path: Path, value: Any) -> None:
    """Write a format to a file atomically: readers never see half of it."""
    write_text(path, json.dumps(as_json(value), indent=1) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write a file atomically: readers never see half of it.

    Raises:
        OSError: the file cannot be written.
    """
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def _path(mistake: Mistake) -> str:
    """Return the place of a mistake, without the last step if the message names it."""
    steps = mistake.place[:-1] if mistake.named else mistake.place
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    return f"{text[1:]}: " if text else ""


def _load(path: Path) -> YamlData:
    """Load a YAML file."""
    # Imported only here: simulations read formats but no YAML.
    from yaml import MarkedYAMLError, YAMLError

    from regress.core.formats.yaml_reader import load_yaml

    text = ""
    try:
        text = path.read_text(encoding="utf-8")
        return load_yaml(text)
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        line = min(
            line, len(text.splitlines()) or 1
        )  # an unclosed bracket ends after the last line
        problem = error.problem or error.context
        raise UsageError(f"{path}:{line}: not valid YAML: {problem}") from None
    except (OSError, UnicodeDecodeError, YAMLError, RecursionError) as error:
        raise UsageError(f"{path}: cannot be read: {error}".splitlines()[0]) from None
