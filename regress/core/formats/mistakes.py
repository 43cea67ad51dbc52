"""Mistakes in files, as messages for people."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from regress.core.errors import not_accepted
from regress.core.formats.model import REJECTED, adapter

Place = tuple[str | int, ...]
# Pydantic uses different words for Python input and for JSON input.
WORDS = {"a valid (array|list|tuple)": "a list", "an object|a valid dictionary.*": "a mapping"}
FAULT = re.compile(r"\w+ (should .*)")


@dataclass(frozen=True)
class Mistake:
    """A mistake in a file.

    Attributes:
        key: the key at the place is wrong, not the value.
        named: the message names the last step of the place.
    """

    place: Place
    message: str
    key: bool = False
    named: bool = True


def mistakes(error: ValidationError, model: type, data: Any, what: str) -> Iterator[Mistake]:
    """Yield the mistakes as messages for people."""
    missing: dict[Place, list[str]] = {}
    for found in error.errors(include_url=False):
        place = _in_data(found["loc"], data)
        if found["type"] == "missing":
            missing.setdefault(place, []).append(str(found["loc"][-1]))
        elif found["type"] == "too_short" and found["input"]:
            pass  # the list is too short only because its items are wrong
        elif found["type"] in ("extra_forbidden", "unexpected_keyword_argument"):
            accepted = _schema_at(adapter(model).json_schema(), place[:-1])["properties"]
            yield Mistake(place, not_accepted("key", place[-1], accepted), key=True)
        else:
            yield Mistake(place, _message(found, place, what))
    for place, names in missing.items():
        yield Mistake(place, f"missing {', '.join(map(repr, names))}", named=False)


def _message(found: ErrorDetails, place: Place, what: str) -> str:
    kind, value, context = found["type"], found["input"], found.get("ctx", {})
    name = str(place[-1]) if place else what
    if place and isinstance(place[-1], int):
        name = f"an item of {place[-2]!r}"
    if kind == REJECTED:
        return str(context["message"])
    if kind in ("literal_error", "enum"):
        return not_accepted(name, value, re.findall(r"'([^']*)'", context["expected"]))
    if kind == "value_error":
        message = str(context["error"])
        # A message about a whole mapping needs no name in front.
        return message if isinstance(value, dict) else f"{name}: {message}"
    if kind in ("too_short", "string_too_short") and context["min_length"] == 1:
        return f"{name}: must not be empty"
    fault = FAULT.match(found["msg"])
    if not fault:
        return f"{name}: {found['msg']}"
    text = fault[1]
    for pydantic, ours in WORDS.items():
        text = re.sub(pydantic, ours, text)
    return f"{name}: {text}, found {_shown(value)}"


def _shown(value: object) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, dict | list):
        return "a mapping" if isinstance(value, dict) else "a list"
    return repr(value)


def _in_data(place: Place, data: Any) -> Place:
    """Keep only the steps that exist in the data: pydantic adds steps, for unions for instance."""
    found: list[str | int] = []
    for step in place:
        if not isinstance(data, dict | list):
            break
        try:
            data = data[step]
        except (LookupError, TypeError):
            continue
        found.append(step)
    return tuple(found)


def _schema_at(schema: dict[str, Any], place: Place) -> dict[str, Any]:
    """Return the part of a JSON schema that describes a place in the data."""

    def resolved(part: dict[str, Any]) -> dict[str, Any]:
        choices = [
            choice
            for choice in (*part.get("anyOf", ()), *part.get("oneOf", ()))
            if choice.get("type") != "null"
        ]
        if choices:  # a step into the data can only be a step into the choice that is a mapping
            return resolved(next((one for one in choices if "type" not in one), choices[0]))
        if "$ref" in part:
            return resolved(schema["$defs"][part["$ref"].rpartition("/")[2]])
        return part

    part = resolved(schema)
    for step in place:
        inner = "items" if isinstance(step, int) else "additionalProperties"
        part = resolved(part.get("properties", {}).get(step) or part[inner])
    return part
