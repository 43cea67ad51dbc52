"""Figures add up, records and stored proofs survive being written and read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from regress.errors import UsageError
from regress.marked import write_table
from verif.design import ROOT
from verif.mutation.equivalents import (
    EQUIVALENTS,
    NETLIST_OF,
    Equivalent,
    keys,
    load,
    stale,
    store,
)
from verif.mutation.operators import Enumerations, Mutant, mutants_of
from verif.mutation.prove import Finding, Prover
from verif.mutation.record import (
    RECORD_FILE,
    CampaignRecord,
    MutantRecord,
    Outcome,
    figures,
    merged,
)
from verif.mutation.report import BEGIN, groups, markdown, operator_groups, show, verdict
from verif.mutation.session import Request, add_proof, reprove
from verif.mutation.syntax import parse

PROOF = Equivalent(
    place="a/x", operator="constant", change="1  →  2",
    configurations=("a alone (Width 9)",), method="3 of 3 registers always equal",
    date="2026-11-21",
)  # fmt: skip


@pytest.fixture
def record() -> CampaignRecord:
    whole = CampaignRecord(["python"], seed=1, started="2026-11-21T12:00:00", finished=True)
    rows = [
        ("a.sv", "constant", Outcome.KILLED, 0.2),
        ("a.sv", "state", Outcome.KILLED, 0.4),
        ("a.sv", "state", Outcome.SURVIVED, 9.0),
        ("b.sv", "state", Outcome.EQUIVALENT, 9.0),
        ("b.sv", "constant", Outcome.BROKEN, 0.0),
        ("b.sv", "constant", Outcome.NOT_RUN, 0.0),
    ]
    for number, (group, operator, outcome, seconds) in enumerate(rows):
        entry = MutantRecord(f"{group}:{number}", "source", group, operator, "1  →  2", outcome)
        entry.seconds = seconds
        entry.test = "random-mm42-9-verilator-s1" if outcome is Outcome.KILLED else ""
        whole.mutants[entry.id] = entry
    return whole


def test_figures(record: CampaignRecord) -> None:
    sums = figures(record.mutants.values())
    assert sums.mutants == 5  # the one that was not run is none of them
    assert sum(sums.by_outcome[o] for o in Outcome if o is not Outcome.NOT_RUN) == sums.mutants
    assert sums.score == pytest.approx(2 / 3)
    assert sums.median_seconds == pytest.approx(0.3)
    assert sums.killers == {"random": 2}
    assert figures([]).score == 1.0


def test_groups_add_up(record: CampaignRecord) -> None:
    whole = figures(record.mutants.values())
    *parts, (name, everything) = groups(record)
    assert name == "all"
    assert figures(everything) == whole
    for rows in (parts, operator_groups(record)):
        for outcome in Outcome:
            total = sum(figures(found).by_outcome[outcome] for _, found in rows)
            assert total == whole.by_outcome[outcome]


def test_tables_name_survivors(record: CampaignRecord, tmp_path: Path) -> None:
    console = Console(record=True, width=200, file=(tmp_path / "out").open("w"))
    show(console, record)
    text = console.export_text()
    assert "survivor  a.sv:2" in text
    assert verdict(record) in text
    assert "1 not run to the end" in text
    page = tmp_path / "page.md"
    page.write_text(f"above\n{BEGIN}\nold\n<!-- /table -->\nbelow\n")
    write_table(page, markdown(record), BEGIN)
    assert "`a.sv:2`" in page.read_text()
    assert "old" not in page.read_text()
    assert page.read_text().startswith("above\n") and page.read_text().endswith("below\n")


def test_record_is_read_back(record: CampaignRecord, tmp_path: Path) -> None:
    record.write(tmp_path)
    assert CampaignRecord.read(tmp_path) == record
    with pytest.raises(UsageError, match="cannot be read"):
        CampaignRecord.read(tmp_path / "nowhere")


def test_record_of_another_version(record: CampaignRecord, tmp_path: Path) -> None:
    """One line that says what is wrong, whatever is missing, unknown or not of its kind."""
    record.write(tmp_path)
    path = tmp_path / RECORD_FILE
    text = path.read_text()
    for wrong in (
        text.replace('"passed"', '"jobs"'),
        text.replace('"seed"', '"seeds"'),
        text.replace('"killed"', '"dead"'),
        text.replace('"id"', '"name"'),
        "[]",
    ):
        path.write_text(wrong)
        with pytest.raises(UsageError) as error:
            CampaignRecord.read(tmp_path)
        (line,) = error.value.lines
        assert str(path) in line
        assert "\n" not in line


def test_merged(record: CampaignRecord) -> None:
    other = CampaignRecord(["more"], 1, "2026-11-22")
    changed = replace(record.mutants["a.sv:2"], outcome=Outcome.KILLED)
    other.mutants[changed.id] = changed
    whole = merged([record, other])
    assert whole.count(Outcome.KILLED) == 3
    assert not whole.finished
    assert len(whole.mutants) == len(record.mutants)


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


def test_a_proof_of_a_netlist_names_it_and_goes_with_it(tmp_path: Path) -> None:
    path = tmp_path / "proofs.yaml"
    finding = Finding(True, ("a netlist",), "5 registers")
    old = ("netlist of multiplier a", "netlist_inv", "0123", "mutate -mode inv", 1)
    other = ("netlist of multiplier b", "netlist_inv", "0123", "mutate -mode inv", 1)
    new = ("netlist of multiplier a", "netlist_inv", "4567", "mutate -mode inv", 1)
    store([PROOF], path)
    for key in (old, other, new):
        add_proof(path, key, finding)
    assert set(load(path)) == {PROOF.key, other, new}
    assert stale(load(path), [PROOF.key]) == []


def test_proofs_are_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is proved again stays, what is not or is gone goes, with a line each."""

    def source(self: Prover, mutant: Mutant) -> Finding:
        return Finding(mutant.operator != "port", ("a (Width 9)",), "5 registers")

    monkeypatch.setattr(Prover, "source", source)
    path = tmp_path / "proofs.yaml"
    stored = load(EQUIVALENTS)
    ports = [key for key in stored if key[1] == "port"]
    others = [key for key in stored if key[1] != "port"]
    netlists = [key for key in others if key[0].startswith(NETLIST_OF)]
    old = {key: stored[key] for key in (ports[0], *others[:3], netlists[0])}
    store([PROOF, *old.values()], path)
    lines: list[str] = []
    request = Request(command=["mutate"], seed=1, processes=1, out=tmp_path / "out")
    reprove(request, 1.0, lines.append, path)
    kept = {key for key in old if key[0].startswith(NETLIST_OF) or key[1] != "port"}
    assert set(load(path)) == kept != set(old)
    assert lines[0] == "not in the design any more  a/x:constant  1  →  2"


def test_stored_proofs_are_not_stale() -> None:
    sources = parse(ROOT / "hdl")
    names = Enumerations(sources.values())
    mutants = [mutant for source in sources.values() for mutant in mutants_of(source, names)]
    known = load(EQUIVALENTS)
    gone = stale(known, keys(mutants).values())
    assert not gone, "prove them again or drop them: " + "; ".join(
        f"{entry.place}: {entry.operator}: {entry.change}" for entry in gone
    )
