"""Rows that draw their configurations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from regress.core.errors import UsageError
from regress.core.expansion import Selection, expand
from regress.core.listformat import Draw
from regress.core.lists import ListEntry, load_list
from regress.core.plan import PlannedJob
from regress.tests.conftest import CONTEXT
from regress.tests.stand_in import ARCHITECTURES
from regress.tests.test_plan import changed, make_entry, make_list, narrowed, values

ALL = ("fast_montgomery", "mm42", "mwrkmm")
VALUES = values(ALL, (4, 40))
ENTRY = make_entry(3, "random", VALUES, ("icarus",), operations=9, draw=Draw(2))
LIST = """\
description: for tests
jobs:
  - test: random
    architectures: all
    widths: [4, 40]
    simulators: [icarus]
    draw: {}
"""


def jobs_of(*list_entries: ListEntry, seed: int = 1, **selection: Any) -> list[PlannedJob]:
    return expand(CONTEXT, make_list(*list_entries, seed=seed), narrowed(**selection))


def configurations(jobs: list[PlannedJob]) -> list[tuple]:
    return [(job.job.subject, job.job.point["width"], job.point.point) for job in jobs]


def test_so_many_of_each_architecture_at_widths_between_those_named() -> None:
    jobs = jobs_of(ENTRY)
    assert [job.job.subject for job in jobs] == [name for name in ALL for _ in range(2)]
    assert len({job.id for job in jobs}) == 6
    assert all(4 <= job.job.point["width"] <= 40 for job in jobs)
    assert {job.job.point["width"] for job in jobs} - {4, 40}


def test_the_seed_of_the_run_draws() -> None:
    first = configurations(jobs_of(ENTRY))
    assert configurations(jobs_of(ENTRY)) == first
    assert configurations(jobs_of(ENTRY, seed=2)) != first
    # Neither what else runs nor the test changes them: builds are shared.
    assert configurations(jobs_of(ENTRY, architectures=("mm42",))) == first[2:4]
    assert configurations(jobs_of(changed(ENTRY, test="corners"))) == first


def test_some_of_the_architectures() -> None:
    entry = changed(ENTRY, values=values(ARCHITECTURES, (4, 40)), draw=Draw(1, 4))
    names = [job.job.subject for job in jobs_of(entry)]
    assert len(set(names)) == len(names) == 4
    assert [job.job.subject for job in jobs_of(entry)] == names
    assert {job.job.subject for seed in range(9) for job in jobs_of(entry, seed=seed)} > set(names)


def test_the_command_line_narrows_widths() -> None:
    assert {job.job.point["width"] for job in jobs_of(ENTRY, widths=(17, 99))} == {17}


def test_what_is_drawn_may_be_what_another_row_asks_for() -> None:
    (drawn,) = jobs_of(changed(ENTRY, values=values(ALL[:1], (4, 40)), draw=Draw(1)))
    there = {name: (value,) for name, value in drawn.point.point.items()}
    fixed = make_entry(9, "random", there, ("icarus",))
    for list_entries in ((ENTRY, fixed), (fixed, ENTRY)):
        jobs = jobs_of(*list_entries)
        assert sum(job.id == drawn.id for job in jobs) == 1
        assert len(jobs) == 6


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("0", "draw: configurations: 0 is not accepted; accepted: 1 and more, classes"),
        ("many", "draw: configurations: 'many' is not accepted; accepted: 1 and more, classes"),
        ("{architectures: 2}", "draw: configurations: None is not accepted; accepted: 1 and"),
        ("{configurations: 2, architectures: no}", "draw: architectures: 'no' is not accepted"),
        ("{configurations: 2, width: 3}", "draw: unknown key 'width'; accepted: configurations"),
        ("2\n    parameters: {BusWidth: 8}", "accepted is either 'parameters' or 'draw'"),
    ],
)
def test_a_mistake_is_named_with_its_line(tmp_path: Path, given: str, message: str) -> None:
    path = tmp_path / "my.yaml"
    path.write_text(LIST.replace("{}", given))
    with pytest.raises(UsageError) as caught:
        load_list(CONTEXT, path)
    assert [line for line in caught.value.lines if line.startswith(f"{path}:7: {message}")]


@pytest.mark.parametrize(
    ("given", "count"), [("3", 3 * len(ARCHITECTURES)), ("{configurations: 1}", len(ARCHITECTURES))]
)
def test_a_list_draws(tmp_path: Path, given: str, count: int) -> None:
    path = tmp_path / "my.yaml"
    path.write_text(LIST.replace("{}", given))
    assert len(expand(CONTEXT, load_list(CONTEXT, path), Selection())) == count
