"""The pages of the formats follow the models."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import yaml
from pydantic import Field

from ci.documentation import blocks
from ci.pages import table
from regress.core.formats.model import Duration, Format


class Part(Format):
    """A part."""

    colour: Literal["red", "green"]
    """Of the part."""


class Whole(Format):
    """A file."""

    wait: Duration = 2.5
    """Before it is used."""
    by_name: dict[str, Part] = Field(default_factory=dict)
    """More of them."""


def test_a_table_has_every_field_of_every_part() -> None:
    assert "| `wait` | duration, default 2.5 | Before it is used. |\n" in table(Whole)
    assert "| `by_name` | object of [part](#part) | More of them. |\n" in table(Whole)
    assert "| `colour` | `red` `green` | Of the part. |\n" in table(Whole)


def test_the_examples_of_the_ci_page_are_short_and_readable() -> None:
    found = {block.value: block.text for block in blocks(Path("regress/docs/ci.md"))}
    for name in ("github.yml", "gitlab.yml", "Jenkinsfile"):
        assert len(found[name].splitlines()) <= 10, name
        assert "make regress LIST=merge" in found[name]
    for name in ("github.yml", "gitlab.yml"):
        assert yaml.safe_load(found[name])
