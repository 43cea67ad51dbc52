"""Lists: accepted keys, and one line for each mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from regress.core.errors import UsageError
from regress.core.formats.model import duration
from regress.core.lists import find_list, load_list
from regress.tests.conftest import CONTEXT, PROJECT
from regress.tests.stand_in import ARCHITECTURES

FIRST = ARCHITECTURES[0]
GOOD = """\
description: for tests
seed: 5
goals: [table_address]
jobs:
  - test: random
    architectures: all
    widths: [32, 64]
    simulators: [verilator, icarus]
    operations: 10
  - test: corners
    architectures: [faster_montgomery]
    widths: [32]
    simulators: [verilator]
    parameters: {AddressWidth: 3}
    seeds: 2
    timeout: 1.5
"""


def load(folder: Path, text: str) -> object:
    path = folder / "my.yaml"
    path.write_text(text)
    return load_list(CONTEXT, path)


def test_a_good_list(tmp_path: Path) -> None:
    (tmp_path / "my.yaml").write_text(GOOD)
    regression = load_list(CONTEXT, tmp_path / "my.yaml")
    assert (regression.name, regression.seed, regression.goals) == ("my", 5, ("table_address",))
    first, second = regression.jobs
    assert first.values["architecture"] == ARCHITECTURES
    assert (first.line, first.operations, first.seeds) == (5, 10, 1)
    assert (second.line, second.values["parameters"]) == (10, ({"AddressWidth": 3},))
    assert (second.seeds, second.timeout) == (2, 1.5)


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("test: random", "test: randon", 5, "did you mean 'random'?"),
        ("test: random", "test: randon", 5, "unknown test 'randon'; accepted: random, corners"),
        ("widths: [32, 64]", "widths: [32, 3]", 7, "width 3 of dual_radix: accepted are 4 to"),
        ("widths: [32, 64]", "widths:\n      - 32\n      - 3", 9, "width 3"),
        ("widths: [32, 64]", "widths: []", 7, "widths: must not be empty"),
        ("widths: [32, 64]", "widths: 32", 7, "widths: should be a list, found 32"),
        ("widths: [32, 64]", "widths: [32, wide]", 7, "should be a valid integer, found 'wide'"),
        ("    widths: [32, 64]", "    widht: [32]", 5, "missing 'widths'"),
        ("    widths: [32, 64]", "    widht: [32]", 7, "unknown key 'widht'"),
        ("seeds: 2", "seedz: 2", 15, "did you mean 'seeds'?"),
        ("seeds: 2", "seeds: 0", 15, "seeds: should be greater than or equal to 1, found 0"),
        ("timeout: 1.5", "timeout: 0", 16, "timeout: 0 is not a duration; accepted: "),
        ("[faster_montgomery]", "[fastr_montgomery]", 11, "did you mean 'faster_montgomery'?"),
        (
            "[faster_montgomery]",
            "[montgomery]",
            11,
            "'montgomery' is model only",
        ),
        ("[faster_montgomery]", "faster_montgomery", 11, "accepted: all"),
        ("[verilator, icarus]", "[verilator, vcs]", 8, "unknown simulator 'vcs'; accepted:"),
        (
            "{AddressWidth: 3}",
            "{AddressWidht: 3}",
            14,
            "unknown parameter 'AddressWidht' of faster_montgomery; accepted: BusWidth,",
        ),
        ("{AddressWidth: 3}", "{WordWidth: 17}", 14, "unknown parameter 'WordWidth' of faster_"),
        (
            "{AddressWidth: 3}",
            "{Netlist: ecp6}",
            14,
            "unknown netlist 'ecp6'; accepted: ecp5, gates",
        ),
        (
            "seed: 5\ngoals: [table_address]",
            "goals:\n  - a\n  - exp_a",
            4,
            "goal 'exp_a' can never",
        ),
        ("{AddressWidth: 3}", "{AddressWidth: 1}", 14, "AddressWidth = 1: accepted are 2 to"),
        ("{AddressWidth: 3}", "3", 14, "parameters: should be a mapping, found 3"),
        ("description: for tests\n", "", 1, "missing 'description'"),
        ("seed: 5", "seed: -1", 2, "seed: should be greater than or equal to 0, found -1"),
        ("seed: 5", "seed: [", 4, "not valid YAML"),
        ("seeds: 2", "test: random", 15, 'not valid YAML: found duplicate key "test"'),
    ],
)
def test_a_mistake_is_named_with_its_line(
    tmp_path: Path, old: str, new: str, line: int, message: str
) -> None:
    assert old in GOOD
    with pytest.raises(UsageError) as caught:
        load(tmp_path, GOOD.replace(old, new, 1))
    lines = [text for text in caught.value.lines if message in text]
    assert len(lines) == 1, caught.value.lines
    assert lines[0].startswith(f"{tmp_path}/my.yaml:{line}: ")
    assert "\n" not in lines[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the list is empty"),
        ("# nothing\n", "the list is empty"),
        ("just words", "the list: should be a mapping, found 'just words'"),
        ("- a\n", "the list: should be a mapping, found a list"),
        ("description: x\njobs: []\n", "jobs: must not be empty"),
        ("description: x\njobs:\n", "jobs: should be a list, found nothing"),
        ("description: x\njobs: [random]\n", "an item of 'jobs': should be a mapping"),
        ("a: \x00", "cannot be read"),
    ],
)
def test_a_list_that_is_none(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        load(tmp_path, text)
    assert len(caught.value.lines) == 1
    assert message in caught.value.lines[0]


def test_an_unknown_list_is_named() -> None:
    with pytest.raises(UsageError, match=r"unknown list 'smok'.*did you mean 'smoke'"):
        find_list(PROJECT, "smok")


def test_durations_may_have_a_unit() -> None:
    assert [duration(text) for text in (90, "90", "1.5h", "10 min", "20ms")] == [
        90, 90, 5400, 600, 0.02
    ]  # fmt: skip
    for text in ("0", "-3", "soon", "5 days", "nan"):
        with pytest.raises(
            ValueError, match="is not a duration; accepted: seconds, or a number with"
        ):
            duration(text)


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


ENTRY = """\
jobs:
  - test: random
    architectures: [fast_montgomery]
    widths: [8]
    simulators: [icarus]
"""


def test_a_list_has_what_it_includes(tmp_path: Path) -> None:
    write(tmp_path, "small.yaml", "description: small\ngoals: [status]\n" + ENTRY)
    text = "description: big\ninclude: [small.yaml]\ngoals: [table_address]\nbudget: 10m\n"
    found = load_list(CONTEXT, write(tmp_path, "big.yaml", text + ENTRY))
    assert [entry.path.name for entry in found.jobs] == ["small.yaml", "big.yaml"]
    assert found.goals == ("table_address", "status")
    assert found.budget == 600


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("include: [a.yaml]", "a.yaml:2: include: the lists include each other: a.yaml > a.yaml"),
        (
            "include: [b.yaml]",
            "b.yaml:2: include: the lists include each other: a.yaml > b.yaml > a.yaml",
        ),
        ("include: [c.yaml]", "a.yaml:2: include: unknown list 'c.yaml'; accepted: "),
        ("include: []", "a.yaml:2: include: must not be empty"),
        ("goals: [status]", "a.yaml:1: missing 'jobs' or 'include'"),
        ("budget: soon\n" + ENTRY, "a.yaml:2: budget: 'soon' is not a duration; accepted: seconds"),
        (
            ENTRY + "    tags: [Fast]\n",
            "a.yaml:7: an item of 'tags': should match pattern '^[a-z][a-z0-9_-]*$', found 'Fast'",
        ),
        (
            ENTRY + "    seeds: 3\n    budget: 5m\n",
            "a.yaml:8: accepted is either 'seeds' or 'budget'",
        ),
        (
            ENTRY + "    expect_failure: {reason: known}\n",
            "a.yaml:7: missing 'message'",
        ),
        (
            ENTRY + "    expect_failure: {reason: known, message: '('}\n",
            "a.yaml:7: message: no regular expression: missing )",
        ),
    ],
)
def test_a_mistake_in_what_goes_beyond_rows(tmp_path: Path, text: str, message: str) -> None:
    write(tmp_path, "b.yaml", "description: b\ninclude: [a.yaml]\n")
    with pytest.raises(UsageError) as caught:
        load_list(CONTEXT, write(tmp_path, "a.yaml", f"description: a\n{text}\n"))
    (line,) = caught.value.lines
    assert line.startswith(f"{tmp_path}/{message}")


def test_a_row_may_have_a_time_budget_instead_of_seeds(tmp_path: Path) -> None:
    text = "description: a\n" + ENTRY + "    budget: 90s\n    tags: [slow]\n"
    (entry,) = load_list(CONTEXT, write(tmp_path, "a.yaml", text)).jobs
    assert (entry.budget, entry.seeds, entry.tags) == (90, 1000, ("slow",))
