"""Figures of mutants add up, and the page names each unresolved mutant."""

from __future__ import annotations

from pathlib import Path

import pytest

from regress.cli.options import Call
from regress.cli.workspace import Workspace
from verif.faults.campaign.record import Result, add_results, last, read_results
from verif.faults.mutants.design import KINDS
from verif.faults.mutants.source import Mutants
from verif.faults.mutants.tables import HEADINGS, cells, markdown, rows, score, verdict
from verif.tests.context import CONTEXT


def call_with(record: Path, **options: object) -> Call:
    given = {"hdl": None, "axis_architecture": [], "slice": None, "file": [], "kind": list(KINDS)}
    more = {"fault": [], "count": None, "seed": None, "alone": False, "record": record}
    return Call(workspace=Workspace.of(CONTEXT), **{**given, **more, **options})


@pytest.fixture(scope="module")
def source() -> Mutants:
    return Mutants()


@pytest.fixture(scope="module")
def found(source: Mutants, tmp_path_factory: pytest.TempPathFactory) -> list[Result]:
    call = call_with(tmp_path_factory.mktemp("record") / "record.jsonl")
    names = list(source.design(call).by_id)[:6]
    made = ["detected", "detected", "unresolved", "equivalent", "broken", "undecided"]
    return [
        Result(
            fault=name, against="mutation", outcome=outcome, seconds=0.2 * (number + 1),
            job="random-mm42-9-verilator-s1" if outcome == "detected" else "",
        )
        for number, (name, outcome) in enumerate(zip(names, made, strict=True))
    ]  # fmt: skip


def test_figures(found: list[Result]) -> None:
    assert cells(found[:5]) == ["5", "2", "1", "1", "1", "66.7 %", "0.30 s", "random 2"]
    assert len(cells(found)) == len(HEADINGS)
    assert score([]) == 1.0
    text = verdict(found, 8, {found[0].fault})
    assert "5 mutants: 2 killed, 1 equivalent, 1 broken, 1 unresolved" in text
    assert "3 not run to the end; 1 verdicts are of an earlier design" in text


def test_groups_add_up(found: list[Result]) -> None:
    *parts, whole = rows(found, lambda one: one.fault, whole=True)
    assert whole == ["all", *cells(found[:5])]
    for column in range(1, 6):
        assert sum(int(row[column]) for row in parts) == int(whole[column])


def test_the_page_names_what_is_unresolved(source: Mutants, found: list[Result]) -> None:
    known = source.design(call_with(Path())).by_id
    text = markdown(known, found, ())
    (left,) = [one.fault for one in found if one.outcome == "unresolved"]
    assert f"- `{left}`: `{known[left].change}`" in text


def test_a_verdict_holds_until_what_it_depends_on_changes(
    source: Mutants, found: list[Result], tmp_path: Path
) -> None:
    """A killed mutant depends on its file, another one on every file and job of the list."""
    call = call_with(tmp_path / "record.jsonl")
    design, killed, left = source.design(call), found[0], found[2]
    before = source.content(call, killed), source.content(call, left)
    other = next(name for name in design.texts if name != design.by_id[killed.fault].file)
    texts, whole = design.texts, design.whole
    try:
        design.__dict__["texts"] = {**texts, other: "changed"}
        design.__dict__.pop("whole")
        assert source.content(call, killed) == before[0]
        assert source.content(call, left) != before[1]
        design.__dict__["texts"] = dict.fromkeys(texts, "changed")
        assert source.content(call, killed) != before[0]
    finally:
        design.__dict__.update(texts=texts, whole=whole)


def test_what_is_unresolved_is_tried_alone(
    source: Mutants, found: list[Result], tmp_path: Path
) -> None:
    record = tmp_path / "record.jsonl"
    add_results(record, found)
    (left,) = [one.fault for one in found if one.outcome == "unresolved"]
    assert list(source.chosen(call_with(record, alone=True))) == [left]
    killed = Result(fault=left, against="unknown values", outcome="detected", job="raw-x")
    add_results(record, [killed])
    assert last(read_results(record))[left] == killed
    assert list(source.chosen(call_with(record, alone=True))) == []
