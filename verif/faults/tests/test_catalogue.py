"""The catalogue: complete, in the design, and run against lists."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from regress.cli import main
from regress.errors import UsageError
from verif.design import ROOT
from verif.faults.altered import altered
from verif.faults.catalogue import REASONS, Fault, faults, groups
from verif.faults.report import BEGIN, markdown, summary
from verif.faults.trial import Trial
from verif.tests.sabotage import SIMULATOR

CATALOGUE = faults()


@pytest.mark.parametrize("fault", CATALOGUE.values(), ids=lambda fault: fault.name)
def test_every_fault_is_at_its_place(fault: Fault) -> None:
    assert altered(ROOT / "hdl", fault.changes)
    for change in fault.python:
        assert (ROOT / change.file).read_text().count(change.was) == 1, change


def test_the_catalogue_is_large_and_has_every_reason_to_live() -> None:
    assert len(CATALOGUE) >= 60
    reasons = Counter(fault.hides for fault in CATALOGUE.values())
    assert set(reasons) == set(REASONS)
    assert min(reasons.values()) >= 8


def test_a_mistake_in_a_group_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(
        "says: A\nfaults:\n"
        "  - name: one\n    says: one\n    origin: none\n    on: mm43\n"
        "    changes: [{do: remove, module: mm42, signal: s}]\n"
        "  - name: one\n    says: one\n    origin: none\n    on: mm42\n"
        "    changes: [{do: remove, module: mm42, signal: s}]\n"
    )
    with pytest.raises(UsageError) as error:
        groups(tmp_path)
    first, second = error.value.lines
    assert first.endswith("a.yaml:6: unknown architecture 'mm43'; accepted: "
                          + first.partition("accepted: ")[2])  # fmt: skip
    assert second.endswith("a.yaml:8: fault 'one': there is one in a.yaml already")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["no-such-fault"], "unknown fault 'no-such-fault'"),
        (["--group", "pin"], "unknown group of faults 'pin'; accepted: arithmetic"),
        (["--group", "pins", "--arch", "mwrkmm"], "no fault is selected"),
        (["--report", "/nowhere"], "/nowhere: no faults.json there"),
    ],
)
def test_wrong_input_is_told_in_one_line(
    options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["faults", *options]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def small_list(folder: Path, test: str) -> Path:
    path = folder / f"{test}.yaml"
    path.write_text(
        f"description: one job\njobs:\n  - {{test: {test}, architectures: all, widths: [16], "
        f"simulators: [{SIMULATOR}], operations: 20}}\n"
    )
    return path


def trials(folder: Path) -> list[dict[str, str]]:
    return json.loads((folder / "faults.json").read_text())["trials"]


@pytest.mark.simulation
def test_a_fault_is_found_or_not_and_a_run_goes_on(tmp_path: Path) -> None:
    # A difference of one is no difference to a test of the range of operands.
    names = ["printed-table-row", "length-survives-zeroise"]
    blind, seeing = small_list(tmp_path, "exp_bad_input"), small_list(tmp_path, "random")
    out = tmp_path / "run"
    options = ["--out", str(out), "--list", str(seeing)]
    assert main(["faults", *names, *options]) == 1
    first, second = trials(out)
    assert (first["outcome"], second["outcome"]) == ("found", "survived")
    assert "random-faster_montgomery-16" in first["job"]
    assert "not congruent" in first["message"]
    assert second["jobs"] == 0  # nothing of a multiplier's build has the module
    # Only what was not found is tried again, against the list that was not.
    options = ["--resume", str(out), "--list", str(seeing), "--list", str(blind)]
    main(["faults", *names, *options])
    assert len(trials(out)) == 3


@pytest.mark.simulation
def test_a_fault_that_python_shares_is_tried_in_a_copy(tmp_path: Path) -> None:
    out = tmp_path / "run"
    options = ["--out", str(out), "--list", str(small_list(tmp_path, "bad_input"))]
    assert main(["faults", "status-codes-swapped", *options]) == 0
    (trial,) = trials(out)
    assert "by the written interface" in trial["message"]


def test_the_page_has_every_fault_and_says_what_lives() -> None:
    names = list(CATALOGUE)
    found = [Trial(fault=n, list="smoke", outcome="found", job="j", jobs=3) for n in names[2:]]
    lives = Trial(fault=names[0], list="smoke", outcome="survived", jobs=9)
    later = Trial(fault=names[1], list="nightly", outcome="found", job="k")
    again = [lives.model_copy(update={"fault": names[1]}), later]
    text = markdown(groups(), [lives, *again, *found], "the command")
    assert summary([lives, *again, *found]) in text
    assert f"{len(names) - 1} of {len(names)} faults found" in text
    assert text.count("**survived** (smoke)") == 1
    for name in names:
        assert f"| `{name}`: " in text
    assert BEGIN in (ROOT / "verif" / "docs" / "faults.md").read_text()
