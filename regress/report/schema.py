"""The schema of run.json: ``run.schema.json``, its checker, and its page for people.

``python -m regress.report.schema`` writes ``regress/docs/run-json.md``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

SCHEMA_FILE = Path(__file__).with_name("run.schema.json")
PAGE = Path(__file__).parents[1] / "docs" / "run-json.md"


def run_schema() -> dict[str, Any]:
    """The schema of run.json."""
    return json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))


def problems(data: object) -> list[str]:
    """What is wrong with the contents of a run.json, one line each; none if it is as it must be."""
    checker = Draft202012Validator(run_schema())
    return [f"{error.json_path}: {error.message}" for error in checker.iter_errors(data)]


def page() -> str:
    """The schema as a page for people."""
    schema = run_schema()
    lines = [
        f"# {schema['title']}, schema {schema['properties']['schema']['const']}",
        "",
        "Written by `python -m regress.report.schema` from "
        f"[{SCHEMA_FILE.name}](../report/{SCHEMA_FILE.name}).",
        "",
        schema["description"],
    ]
    lines += _table(schema)
    for name, part in schema["$defs"].items():
        lines += ["", f"## {name}", "", part["description"]]
        lines += _table(part)
    return "\n".join(lines) + "\n"


def _table(part: dict[str, Any]) -> Iterator[str]:
    if "properties" in part:
        yield from ("", "| Field | Type | Meaning |", "|---|---|---|")
        for name, field in part["properties"].items():
            yield f"| `{name}` | {_type(field)} | {field.get('description', '')} |"


def _type(field: dict[str, Any]) -> str:
    """What a field holds, in a word or two."""
    if "$ref" in field:
        name = field["$ref"].rpartition("/")[2]
        return f"[{name}](#{name})"
    if "const" in field:
        return f"{field['const']}"
    if "enum" in field:
        return " ".join(f"`{value}`" for value in field["enum"])
    if "anyOf" in field:
        return " or ".join(_type(choice) for choice in field["anyOf"])
    kind = field["type"]
    if isinstance(kind, list):
        return " or ".join(kind)
    if kind == "array" and "prefixItems" not in field["items"]:
        return f"array of {_type(field['items'])}"
    if kind == "object" and isinstance(field.get("additionalProperties"), dict):
        return f"object of {_type(field['additionalProperties'])}"
    return kind


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
