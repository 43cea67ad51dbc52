"""The files people and programs exchange with us: one pydantic model each.

A model says what its file holds; validation, the place of every mistake, the JSON schema and the
page of documentation come from it.
"""

from __future__ import annotations

from regress.formats.files import Document, Stored, parse_json, read_json, read_yaml, write_json
from regress.formats.model import (
    Duration,
    Format,
    Positive,
    Text,
    among,
    as_json,
    described,
    duration,
    taken,
    validated,
)

__all__ = [
    "Document",
    "Duration",
    "Format",
    "Positive",
    "Stored",
    "Text",
    "among",
    "as_json",
    "described",
    "duration",
    "parse_json",
    "read_json",
    "read_yaml",
    "taken",
    "validated",
    "write_json",
]
