"""The formats as pages for people: tables of their fields; and the tables of ``security.md``.

``python -m ci.pages`` writes those of ``regress`` into ``regress/docs``, and tables and pictures of
the hardening options and the watchdog into ``verif/docs/security.md``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from regress.cli.formats_command import FORMATS
from regress.core.formats.schema import schema_of
from regress.simulators import SIMULATORS
from verif.library.marked import write_table
from verif.project.hardening import PAGE as HARDENING
from verif.project.hardening import (
    Records,
    hardening_pictures,
    hardening_tables,
    watchdog_table,
)

DOCS = Path(__file__).parents[1] / "regress" / "docs"
COMMAND = "python -m ci.pages"
# Formats of files that people write: the table of each is between the marks of a page.
WRITTEN = {"list": "lists.md", "exclusions": "lists.md", "cluster": "cluster.md"}
# Files that a run writes: a page each.
NEXT = "Next: [lists and runs](lists.md), or [CI](ci.md)."
LEFT = {"run": "run-json.md", "plan": "plan-json.md", "result": "result-json.md"}


def page(title: str, model: type, command: str) -> str:
    """A page with the table of a format and of each part it is made of."""
    schema = schema_of(model, "serialization")
    lines = [f"# {title}", "", *_introduction(title, command), ""]
    lines += [_prose(schema), "", *_rows(schema)]
    for name, part in schema.get("$defs", {}).items():
        lines += ["", f"## {_name(name)}", "", _prose(part) or f"A list: {_type(part)}."]
        lines += ["", *_rows(part)] if "properties" in part else []
    return "\n".join([*lines, "", NEXT]) + "\n"


def _introduction(title: str, command: str) -> Iterator[str]:
    yield f"For the author of a script that reads `{title}`. After this page you know each field"
    yield f"and its values. `{command}` writes this page."


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


def write_pages(folder: Path = DOCS) -> None:
    """Write every table and page."""
    for name, file in WRITTEN.items():
        text = table(FORMATS[name])
        write_table(folder / file, text, f"<!-- table: {name} format -->")
    for name, file in LEFT.items():
        text = page(file.replace("-json.md", ".json"), FORMATS[name], COMMAND)
        (folder / file).write_text(text, encoding="utf-8")
    write_table(folder / "simulators.md", simulators_table(), "<!-- table: simulators -->")
    records = Records.read()
    write_table(HARDENING, watchdog_table(records), "<!-- table: watchdog -->")
    write_table(HARDENING, hardening_tables(records), "<!-- table: hardening -->")
    write_table(HARDENING, hardening_pictures(), "<!-- table: hardening pictures -->")


def simulators_table() -> str:
    """The simulators, for their page."""
    rows = ["| Name | What it does | Code coverage | Where it comes from |", "|---|---|---|---|"]
    for name, simulator in SIMULATORS.items():
        about = str(simulator.__doc__).splitlines()[0]
        measures = "yes" if simulator.measures_code else "–"
        rows.append(f"| `{name}` | {about} | {measures} | {simulator.install} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    write_pages()
