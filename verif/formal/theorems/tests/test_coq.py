"""The theories rest on no axiom, and one that did would be noticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from regress.core.processes import ProcessGroups
from verif.formal.theorems import coq as compiler
from verif.formal.theorems.coq import (
    COMPILED,
    INSTALL,
    ORDER,
    THEORIES,
    TRANSLATED,
    Coq,
    coq_version,
)

THEOREMS = {
    "Core": ("core_product", "core_idle_after_reset", "core_idle_stays", "reduced_product"),
    "Fast": ("fast_iterates",),
    "Faster": ("faster_iterates",),
    "Exists": ("machine_runs",),
    "UnfoldedCore": (
        "unfolded_product",
        "unfolded_after_reset",
        "unfolded_stays",
        "unfolded_runs",
    ),
    "UnfoldedFast": ("unfolded_fast_exact", "unfolded_faster_exact"),
    "Mm42": ("mm42_exact",),
    "InterleavedCore": (
        "interleaved_core",
        "interleaved_after_reset",
        "interleaved_stays",
        "interleaved_runs",
    ),
    "Unit": ("unit_is_right",),
    "Whole": ("bit_serial_unit", "unfolded_unit"),
    "Ladder": ("ladder",),
    "Adder": ("kept_is_reduced", "unit_product"),
}
# The theories take most of a minute to compile. `make test` checks proofs by truth tables alone.
with_coq = pytest.mark.campaign
AXIOM = "Axiom wrong : 1 = 2.\nTheorem t : 1 = 2. Proof. exact wrong. Qed.\nPrint Assumptions t.\n"


@with_coq
@pytest.mark.parametrize(
    "theory, theorem", [(theory, name) for theory, names in THEOREMS.items() for name in names]
)
def test_a_theorem_is_closed(theory: str, theorem: str, coq: Coq, tmp_path: Path) -> None:
    file = tmp_path / "Closed.v"
    file.write_text(f"From Modmul Require Import {theory}.\nPrint Assumptions {theorem}.\n")
    checked = coq.check(file)
    assert checked.passed and checked.closed, checked.output


@with_coq
def test_an_axiom_is_noticed(coq: Coq, tmp_path: Path) -> None:
    file = tmp_path / "Axiom.v"
    file.write_text(AXIOM)
    checked = coq.check(file)
    assert checked.passed and not checked.closed


@with_coq
def test_an_incomplete_proof_is_noticed(coq: Coq, tmp_path: Path) -> None:
    file = tmp_path / "Incomplete.v"
    file.write_text("Theorem t : 1 = 2. Proof. reflexivity. Qed.\n")
    assert not coq.check(file).passed


def test_no_folder_of_a_killed_job_is_left(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if not coq_version():
        pytest.skip(INSTALL)
    monkeypatch.setattr(compiler, "ORDER", ("Logic",))
    killed = tmp_path / COMPILED
    killed.mkdir()
    (killed / "Product.v").touch()
    made = Coq(tmp_path, ProcessGroups(), 60)
    assert list(made.theories()) == ["Logic"]
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == [f"theories-{made.key}"]
    assert not list(tmp_path.rglob("Product.v"))


def test_every_theory_is_compiled() -> None:
    assert {path.stem for path in THEORIES.glob("*.v")} | set(TRANSLATED) == set(ORDER)
