"""The formats: messages about wrong files, and pages that follow the models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Literal

import pytest
from pydantic import Field, model_validator

from regress.cli.command_line import main
from regress.cli.formats_command import FORMATS
from regress.core.errors import UsageError
from regress.core.formats.files import Document, parse_json, read_yaml
from regress.core.formats.model import Duration, Format, Text, among, as_json, described, validated
from regress.core.formats.yaml_reader import load_yaml


@described()
class Part:
    """A part."""

    colour: Literal["red", "green"]
    """Of the part."""
    size: Annotated[int, Field(gt=0, le=9)] = 1
    """In units."""

    @model_validator(mode="after")
    def _not_large_and_green(self) -> Part:
        if self.colour == "green" and self.size > 5:
            raise ValueError("a green part is at most 5 large")
        return self


class Whole(Format):
    """A file."""

    name: Text
    """Its name."""
    wait: Duration = 2.5
    """Before it is used."""
    owner: Annotated[str, among("person", "people")] | None = None
    """Whose it is."""
    parts: tuple[Part, ...] = ()
    """What it is made of."""
    by_name: dict[str, Part] = Field(default_factory=dict)
    """More of them."""


GOOD = """\
name: box
wait: 10m
parts:
  - colour: red
  - colour: green
    size: 5
by_name:
  lid: {colour: red}
"""


def read(folder: Path, text: str) -> Document[Whole]:
    (folder / "a.yaml").write_text(text)
    return read_yaml(folder / "a.yaml", Whole, "the box", {"people": ["anna", "bert"]})


def test_a_good_file_and_its_lines(tmp_path: Path) -> None:
    found = read(tmp_path, GOOD)
    assert (found.value.wait, found.value.parts[1].size) == (600, 5)
    assert (found.line("parts", 1), found.line("parts", 1, "size"), found.line()) == (5, 6, 1)
    assert validated(Whole, as_json(found.value)) == found.value


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("name: box\n", "", "1: missing 'name'"),
        ("name: box", "name: ''", "1: name: must not be empty"),
        ("name: box", "name: 5", "1: name: should be a valid string, found 5"),
        ("wait: 10m", "wait: soon", "2: wait: 'soon' is not a duration; accepted: seconds, or"),
        ("wait: 10m", "wiat: 10m", "2: unknown key 'wiat'; accepted: name, wait, owner, parts, by"),
        ("wait: 10m", "owner: ann", "2: unknown person 'ann'; accepted: anna, bert; did you mean"),
        ("size: 5", "size: 0", "6: size: should be greater than 0, found 0"),
        ("size: 5", "size: 10", "6: size: should be less than or equal to 9, found 10"),
        ("size: 5", "size: '5'", "6: size: should be a valid integer, found '5'"),
        ("size: 5", "size: true", "6: size: should be a valid integer, found True"),
        ("size: 5", "sizes: 5", "6: unknown key 'sizes'; accepted: colour, size; did you mean"),
        ("size: 5", "size: 6", "5: a green part is at most 5 large"),
        ("- colour: red", "- colour: rde", "4: unknown colour 'rde'; accepted: red, green; did"),
        ("{colour: red}", "{colour: rde}", "8: unknown colour 'rde'"),
        ("{colour: red}", "{color: red}", "8: unknown key 'color'; accepted: colour, size"),
        ("  lid: {colour: red}", "  - 1", "8: by_name: should be a mapping, found a list"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_its_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in GOOD
    with pytest.raises(UsageError) as caught:
        read(tmp_path, GOOD.replace(old, new, 1))
    assert caught.value.lines[0].startswith(f"{tmp_path}/a.yaml:{said}")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("parts: 1_", "1: parts: should be a list, found '1_'"),
        ("parts: 0b_", "1: parts: should be a list, found '0b_'"),
        ("parts: &a [*a]", "1: not valid YAML: found unconstructable recursive node"),
        ("name: a\nby_name: &a {b: *a}", "2: not valid YAML: found unconstructable recursive"),
        (f"name: a\nwait: {'9' * 5000}", "2: not valid YAML: found an integer of 5000 digits"),
        (f"wait: {'9' * 400}", "1: wait: 9999"),
        (f"parts: {'[' * 900}{']' * 900}", " cannot be read: maximum recursion depth exceeded"),
    ],
)  # fmt: skip
def test_yaml_that_no_format_can_have_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        read(tmp_path, text)
    assert caught.value.lines[0].startswith(f"{tmp_path}/a.yaml:{said}")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"name": "a", "parts": [{"colour": 1}]}', "x: parts[0]: unknown colour 1; accepted: red"),
        ('{"name": "a", "nam": 1}', "x: unknown key 'nam'; accepted: name"),
        ('{"name": ', "x cannot be read: Expecting value"),
        ('{"name": "a", "by_name": {"b": {}}}', "x: by_name.b: missing 'colour'"),
        ("[1]", "x: the box: should be a mapping, found a list"),
        ("[" * 100000, "x cannot be read: maximum recursion depth exceeded"),
    ],
)
def test_a_mistake_in_json_is_named_with_its_place(text: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_json(text, Whole, "the box", "x")
    assert caught.value.lines[0].startswith(said)


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_a_schema_that_says_what_its_fields_mean(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["formats", name]) == 0
    schema = json.loads(capsys.readouterr().out)
    for part in (schema, *schema.get("$defs", {}).values()):
        assert part.get("description") or "prefixItems" in part, part
        for field, what in part.get("properties", {}).items():
            assert what.get("description"), field


def test_an_unknown_format_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["formats", "lists"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "'lists'" in line
    assert "list" in line


def test_yaml_is_read_as_version_1_2() -> None:
    text = "a: on\nb: 0_12\nc: 0x1F\nd: 1:30\ne: 2026-11-28\nf: 1e3\ng:\nh: [yes, true, -1, .5]\n"
    assert load_yaml(text).value == {
        "a": "on", "b": 12, "c": 31, "d": "1:30", "e": "2026-11-28", "f": 1000.0, "g": None,
        "h": ["yes", True, -1, 0.5],
    }  # fmt: skip
