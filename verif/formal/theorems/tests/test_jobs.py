"""Proofs as jobs: sections of the report, and the recorded table of the page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from regress.cli import command_line as cli
from regress.core.lists import find_list, load_list
from verif.formal.theorems.configuration import THEORIES
from verif.formal.theorems.job import outcome_of
from verif.formal.theorems.jobs import HEADINGS, TEST, cells, planned, read_outcome, write_outcome
from verif.formal.theorems.prove import CHECKED, PROVED, REJECTED, Outcome
from verif.formal.theorems.recorded import (
    PAGE,
    add_recorded,
    page_tables,
    read_recorded,
)
from verif.formal.theorems.tools import CoqTool
from verif.implement.point import read_points
from verif.library.marked import marked_table
from verif.tests.context import CONTEXT, PROJECT

SECONDS = {"elaborate": 1.0, "truth tables": 0.1, "Coq": 9.0, "unit_lemmas": 11.0}
OUTCOME = Outcome(
    "mm42-n8", PROVED, (), 27, 326, SECONDS, tool="Coq 8.16", architecture="mm42", width=8,
    theories={"Fast": 1.0},
)  # fmt: skip


def test_an_outcome_is_stored_and_read() -> None:
    assert read_outcome(write_outcome(OUTCOME)) == OUTCOME
    assert len(cells(OUTCOME)) == len(HEADINGS)


def test_a_rejected_configuration_fails_its_case() -> None:
    assert outcome_of(OUTCOME).status.value == "passed"
    case = outcome_of(replace(OUTCOME, verdict=REJECTED, why=("RegS 4: differs",)))
    assert (case.status.value, case.message) == ("failed", "RegS 4: differs")


def test_the_nightly_list_proves_every_width_of_the_results_page() -> None:
    widths = {p.width for p in read_points() if p.architecture in THEORIES and not p.variant}
    nightly = load_list(CONTEXT, find_list(PROJECT, "nightly"))
    (entry,) = [entry for entry in nightly.jobs if entry.test == TEST]
    assert set(entry.values["width"]) >= widths
    assert set(entry.values["architecture"]) == set(THEORIES)


def test_jobs_have_one_case_with_the_name_of_the_configuration() -> None:
    (job,) = planned(CONTEXT, TEST, ["mm42"], [9], {"AddWidth": 8}, CoqTool.name)
    assert job.id == "prove-mm42-9-coq-s1-AddWidth8"
    assert [case["name"] for case in job.job.cases] == ["mm42-n9-word8-segment64-j1"]


def test_a_kept_proof_does_not_replace_its_recorded_seconds(tmp_path: Path) -> None:
    file = tmp_path / "recorded.jsonl"
    add_recorded([OUTCOME], "a" * 10, file)
    (found,) = add_recorded([replace(OUTCOME, kept=True, seconds={})], "b" * 10, file)
    assert (found.commit, found.seconds) == ("a" * 10, SECONDS)
    assert read_recorded(file) == [found]


def test_the_page_shows_what_is_recorded() -> None:
    for mark, table in page_tables(read_recorded()).items():
        assert marked_table(PAGE, mark) == table


def test_a_run_that_proved_nothing_cannot_be_recorded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    words = ["prove", "--arch", "fast_montgomery", "--width", "5", "--fast", "--out", str(out)]
    assert cli.main(words) == 0
    assert CHECKED in (out / "report.html").read_text()
    assert cli.main(["prove", "--record", str(out)]) == 2
    assert "has no proof; accepted: a run of prove with Coq" in capsys.readouterr().err
