"""The formats as pages for people: tables of their fields."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from regress.core.formats.schema import schema_of

NEXT = "Next: [lists and runs](lists.md), or [CI](ci.md)."


def page(title: str, model: type) -> str:
    """A page with the table of a format and of each part it is made of."""
    schema = schema_of(model, "serialization")
    lines = [
        f"# {title}",
        "",
        f"For the author of a script that reads `{title}`. After this page you know each field",
        "and its values. `python -m ci.documentation --write` writes this page.",
        "",
    ]
    lines += [_prose(schema), "", *_rows(schema)]
    for name, part in schema.get("$defs", {}).items():
        lines += ["", f"## {_name(name)}", "", _prose(part) or f"A list: {_type(part)}."]
        lines += ["", *_rows(part)] if "properties" in part else []
    return "\n".join([*lines, "", NEXT]) + "\n"


def table(model: type) -> str:
    """The fields of a format that people write, those of its parts after them."""
    schema = schema_of(model)
    lines = [*_rows(schema)]
    for name, part in schema.get("$defs", {}).items():
        if "properties" in part:
            lines += ["", f"#### {_name(name)}", "", *_rows(part)]
    return "\n".join(lines) + "\n"


def _name(definition: str) -> str:
    """A part's name for people: ``CodeFormat`` is ``code``, ``GroupHits`` ``group hits``."""
    words = [word for word in re.findall("[A-Z][a-z]*", definition) if word != "Format"]
    return " ".join(word for word in words if word != "Entry" or len(words) == 1).lower()


def _prose(part: dict[str, Any]) -> str:
    return str(part.get("description", "")).replace("``", "`")


def _rows(part: dict[str, Any]) -> Iterator[str]:
    required = part.get("required", ())
    yield from ("| Field | Value | Meaning |", "|---|---|---|")
    for name, field in part["properties"].items():
        value = _type(field)
        default = field.get("default")
        if name not in required and default not in (None, "", [], {}):
            value += (
                f", default {default:g}" if isinstance(default, float) else f", default {default}"
            )
        yield f"| `{name}` | {value} | {' '.join(_prose(field).split())} |"


def _type(field: dict[str, Any]) -> str:
    if "$ref" in field:
        name = _name(field["$ref"].rpartition("/")[2])
        return f"[{name}](#{name.replace(' ', '-')})"
    if "const" in field:
        return f"`{field['const']}`"
    if "enum" in field:
        return " ".join(f"`{value}`" for value in field["enum"])
    if "oneOf" in field:
        return " or ".join(map(_type, field["oneOf"]))
    if "anyOf" in field:
        return " or ".join(_type(choice) for choice in field["anyOf"] if choice != {"type": "null"})
    kind = field.get("x-kind", field.get("format", field.get("type", "anything")))
    if isinstance(kind, list):
        return " or ".join(kind)
    if "prefixItems" in field:
        return ", ".join(
            str(item.get("title", _type(item))).lower() for item in field["prefixItems"]
        )
    if kind == "array" and "items" in field:
        return f"array of {_type(field['items'])}"
    if kind == "object" and isinstance(field.get("additionalProperties"), dict):
        return f"object of {_type(field['additionalProperties'])}"
    return kind
