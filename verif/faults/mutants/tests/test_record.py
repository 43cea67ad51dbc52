"""Figures add up; stored proofs survive being written and read, and are made again."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from regress.core.cases import Case, CaseStatus
from regress.core.errors import UsageError
from regress.core.jobrecord import JobRecord
from regress.core.plan import Plan
from regress.core.runfile import Status
from regress.run.record import RunRecord
from verif.bench.configuration.design import ROOT
from verif.faults.mutants.design import Design
from verif.faults.mutants.equivalents import EQUIVALENTS, Equivalent, keys, load, stale, store
from verif.faults.mutants.mutants import Mutant
from verif.faults.mutants.outcome import (
    BEGIN,
    Figures,
    Mutated,
    Outcome,
    markdown,
    merged,
    mutants,
    rows,
    show,
    verdict,
)
from verif.faults.mutants.plan import alone
from verif.faults.mutants.prove import Finding, Prover
from verif.faults.mutants.reprove import drop_stale, prove_all, reprove
from verif.library.marked import write_table
from verif.tests.context import CONTEXT

PROOF = Equivalent(
    place="a/x", operator="constant", change="1  →  2",
    configurations=("a alone (Width 9)",), method="3 of 3 registers always equal",
    date="2026-11-21",
)  # fmt: skip


@pytest.fixture
def found() -> list[Mutated]:
    made = [
        ("a.sv", "constant", Outcome.KILLED, 0.2),
        ("a.sv", "state", Outcome.KILLED, 0.4),
        ("a.sv", "state", Outcome.SURVIVED, 9.0),
        ("b.sv", "state", Outcome.EQUIVALENT, 9.0),
        ("b.sv", "constant", Outcome.BROKEN, 0.0),
        ("b.sv", "constant", Outcome.NOT_RUN, 0.0),
    ]
    return [
        Mutated(
            f"{file}:{number}", file, operator, "1  →  2", outcome, seconds=seconds,
            test="random" if outcome is Outcome.KILLED else "",
        )
        for number, (file, operator, outcome, seconds) in enumerate(made)
    ]  # fmt: skip


def test_figures(found: list[Mutated]) -> None:
    sums = Figures.of(found)
    assert sums.mutants == 5  # the one that was not run is none of them
    assert sum(sums.by_outcome.values()) == sums.mutants
    assert sums.score == pytest.approx(2 / 3)
    assert sums.median_seconds == pytest.approx(0.3)
    assert sums.killers == {"random": 2}
    assert Figures.of([]).score == 1.0


def test_groups_add_up(found: list[Mutated]) -> None:
    *parts, whole = rows(found, lambda m: m.file, True)
    assert whole == ["all", *Figures.of(found).cells]
    for some in (parts, rows(found, lambda m: m.operator, False)):
        for column in range(1, 6):
            assert sum(int(row[column]) for row in some) == int(whole[column])


def _record(folder: Path, *cases: tuple[str, CaseStatus], **options: Any) -> RunRecord:
    """A run of one job with these mutants."""
    design = Design(CONTEXT, ROOT / "hdl", ("fast_montgomery",))
    (planned, *_) = alone(
        design.hdl, design.mutants[:1], lambda m: design.slow()[:1], folder / "designs"
    )
    facts = {"file": "a.sv", "operator": "state", "change": "1  →  2", "found_by": "random"}
    object.__setattr__(planned.job, "cases", tuple({"name": n, **facts} for n, _ in cases))
    done = tuple(Case(name, status, facts=facts) for name, status in cases)
    plan = Plan(
        name="mutants", command=("python",), options={"mutants": 1, **options},
        started=datetime(2026, 11, 22).astimezone(),
    )  # fmt: skip
    record = RunRecord(CONTEXT, plan, folder, {}, finished=True)
    record.jobs = [JobRecord(planned, Status.PASSED, cases=done)]
    return record


def test_what_one_configuration_rejects_is_broken(tmp_path: Path) -> None:
    """It had gone on to the builds of the others, survived there, and counted as a survivor."""
    record = _record(tmp_path, ("a", CaseStatus.FAILED))
    assert mutants(record)["a"].outcome is Outcome.SURVIVED
    other = replace(record.jobs[0].planned, id="other", after=record.jobs[0].planned.id)
    rejected = JobRecord(other, Status.NOT_RUN, message="build failed: 2 drivers of digit")
    record.jobs = [record.jobs[0], rejected]
    assert mutants(record)["a"].outcome is Outcome.BROKEN
    assert "2 drivers" in mutants(record)["a"].message


def test_tables_name_survivors(found: list[Mutated], tmp_path: Path) -> None:
    console = Console(record=True, width=200, file=(tmp_path / "out").open("w"))
    show(console, found)
    text = console.export_text()
    assert "survivor  a.sv:2" in text
    assert verdict(found) in text
    assert "1 not run to the end" in text
    page = tmp_path / "page.md"
    page.write_text(f"above\n{BEGIN}\nold\n<!-- /table -->\nbelow\n")
    record = _record(tmp_path, ("a", CaseStatus.PASSED))
    write_table(page, markdown([record], found), BEGIN)
    assert "`a.sv:2`" in page.read_text()
    assert "old" not in page.read_text()
    assert page.read_text().startswith("above\n") and page.read_text().endswith("below\n")


def test_cases_are_outcomes(tmp_path: Path) -> None:
    known = {"name": "d", "why": "the same netlist", "file": "d.sv", "operator": "x", "change": "y"}
    cases = [("a", CaseStatus.PASSED), ("b", CaseStatus.FAILED), ("c", CaseStatus.OPEN)]
    record = _record(tmp_path, *cases, equivalent=[known])
    assert {name: one.outcome.value for name, one in mutants(record).items()} == {
        "a": "killed", "b": "survived", "c": "not_run", "d": "equivalent",
    }  # fmt: skip
    later = _record(tmp_path / "2", ("b", CaseStatus.PASSED), ("a", CaseStatus.NOT_RUN))
    both = merged([record, later])
    assert both["b"].outcome is Outcome.KILLED, "of two runs the later one counts"
    assert both["a"].outcome is Outcome.KILLED, "unless it did not run it"
    fewer = _record(
        tmp_path / "3",
        ("a", CaseStatus.FAILED),
        ("d", CaseStatus.FAILED),
        ("b", CaseStatus.NOT_RUN),
    )
    both = merged([record, fewer])
    assert both["b"].outcome is Outcome.SURVIVED
    assert both["a"].outcome is Outcome.KILLED, "nor found it with the tests that it had"
    assert both["d"].outcome is Outcome.EQUIVALENT


def test_proofs_are_read_back(tmp_path: Path) -> None:
    path = tmp_path / "proofs.yaml"
    store([PROOF], path)
    assert load(path) == {PROOF.key: PROOF}
    path.write_text(path.read_text().replace("operator", "operrator"))
    with pytest.raises(UsageError, match=r"proofs.yaml:4: .*operrator"):
        load(path)
    store([PROOF], path)
    path.write_text(path.read_text().replace("  c1: ", "  c2: "))
    with pytest.raises(UsageError, match=r"proofs.yaml:4: configuration 'c1' is not in the table"):
        load(path)


def test_a_proof_of_what_is_gone_is_stale() -> None:
    assert stale({PROOF.key: PROOF}, [PROOF.key]) == []
    assert stale({PROOF.key: PROOF}, []) == [PROOF]


def test_proofs_are_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is proved again stays, what is not or is gone goes, with a line each."""

    def source(self: Prover, mutant: Mutant) -> Finding:
        return Finding(mutant.operator != "port", ("a (Width 9)",), "5 registers")

    monkeypatch.setattr(Prover, "source", source)
    path = tmp_path / "proofs.yaml"
    stored = load(EQUIVALENTS)
    ports = [key for key in stored if key[1] == "port"]
    others = [key for key in stored if key[1] != "port"]
    old = {key: stored[key] for key in (ports[0], *others[:3])}
    store([PROOF, *old.values()], path)
    lines: list[str] = []
    (tmp_path / "out").mkdir()
    reprove(Design(CONTEXT, ROOT / "hdl"), tmp_path / "out", 1.0, 1, lines.append, path)
    assert set(load(path)) == set(others[:3])
    assert lines[0] == "not in the design any more  a/x:constant  1  →  2"


def test_an_interrupted_search_for_proofs_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    design, path = Design(CONTEXT, ROOT / "hdl"), tmp_path / "proofs.yaml"
    mutants = design.all_mutants[:3]
    tried: list[str] = []

    def source(prover: Prover, mutant: Mutant) -> Finding:
        tried.append(mutant.id)
        if len(tried) == 2:
            raise KeyboardInterrupt
        return Finding(True, ("one",), "the same netlist")

    monkeypatch.setattr(Prover, "source", source)
    store([], path)
    lines: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        prove_all(mutants, design, tmp_path, 1.0, 1, lines.append, path)
    found = prove_all(mutants, design, tmp_path, 1.0, 1, lines.append, path)
    assert all(found[mutant.id].proved for mutant in mutants)
    # The third may have begun before the interrupt.
    assert [tried.count(mutant.id) for mutant in mutants[:2]] == [1, 2]


def test_stale_proofs_are_dropped(tmp_path: Path) -> None:
    path = tmp_path / "proofs.yaml"
    kept = next(iter(load(EQUIVALENTS).values()))
    store([PROOF, kept], path)
    assert drop_stale(CONTEXT, path) == 1
    assert list(load(path)) == [kept.key]


def test_stored_proofs_are_not_stale() -> None:
    known = load(EQUIVALENTS)
    gone = stale(known, keys(Design(CONTEXT, ROOT / "hdl").all_mutants).values())
    assert not gone, "python -m regress mutate --drop-stale drops them: " + "; ".join(
        f"{entry.place}: {entry.operator}: {entry.change}" for entry in gone
    )
