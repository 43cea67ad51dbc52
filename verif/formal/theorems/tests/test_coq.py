"""The theories rest on no axiom, and one that did would be noticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from verif.formal.theorems.coq import ORDER, THEORIES, TRANSLATED, Coq

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
    "Unit": ("unit_is_right",),
    "Whole": ("bit_serial_unit", "unfolded_unit"),
    "Ladder": ("ladder",),
    "Adder": ("kept_is_reduced", "unit_product"),
}
AXIOM = "Axiom wrong : 1 = 2.\nTheorem t : 1 = 2. Proof. exact wrong. Qed.\nPrint Assumptions t.\n"


@pytest.mark.parametrize(
    "theory, theorem", [(theory, name) for theory, names in THEOREMS.items() for name in names]
)
def test_a_theorem_is_closed(theory: str, theorem: str, coq: Coq, tmp_path: Path) -> None:
    file = tmp_path / "Closed.v"
    file.write_text(f"From Modmul Require Import {theory}.\nPrint Assumptions {theorem}.\n")
    checked = coq.check(file)
    assert checked.passed and checked.closed, checked.output


def test_an_axiom_is_noticed(coq: Coq, tmp_path: Path) -> None:
    file = tmp_path / "Axiom.v"
    file.write_text(AXIOM)
    checked = coq.check(file)
    assert checked.passed and not checked.closed


def test_an_incomplete_proof_is_noticed(coq: Coq, tmp_path: Path) -> None:
    file = tmp_path / "Incomplete.v"
    file.write_text("Theorem t : 1 = 2. Proof. reflexivity. Qed.\n")
    assert not coq.check(file).passed


def test_every_theory_is_compiled() -> None:
    assert {path.stem for path in THEORIES.glob("*.v")} | set(TRANSLATED) == set(ORDER)
