"""The theories rest on no axiom, and one that did would be noticed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from regress.core.processes import ProcessGroups
from verif.formal.theorems import coq as compiler
from verif.formal.theorems import prove
from verif.formal.theorems.configuration import THEORIES as COVERED
from verif.formal.theorems.configuration import configuration
from verif.formal.theorems.coq import (
    COMPILED,
    INSTALL,
    ORDER,
    THEORIES,
    TRANSLATED,
    Coq,
    coq_version,
)
from verif.formal.theorems.joints import Joint
from verif.formal.theorems.prove import PROVED, REJECTED, Prover
from verif.formal.theorems.statements import print_theorem

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
    "Ring": ("element_pass", "ring_product"),
    "Adder": ("kept_is_reduced", "unit_product"),
}
# All theories take minutes to compile. `make test` compiles one, and checks proofs by truth tables.
with_coq = pytest.mark.campaign
CLOSED = "Theorem t : 1 = 1. Proof. reflexivity. Qed.\nPrint Assumptions t.\n"
# Coq compiles each of these files without an error, but the theorem is not proved.
ASSUMED = {
    "axiom": "Axiom wrong : 1 = 2.\nTheorem t : 1 = 2. Proof. exact wrong. Qed.\n"
    "Print Assumptions t.\n",
    "admitted": "Theorem t : 1 = 2. Admitted.\nPrint Assumptions t.\n",
    "admitted lemma": "Lemma wrong : 1 = 2. Proof. admit. Admitted.\n"
    "Theorem t : 2 = 1. Proof. symmetry. exact wrong. Qed.\nPrint Assumptions t.\n",
    "endless recursion": "Unset Guard Checking.\n"
    "Fixpoint wrong (n : nat) : 1 = 2 := wrong n.\nSet Guard Checking.\n"
    "Theorem t : 1 = 2. Proof. exact (wrong 0). Qed.\nPrint Assumptions t.\n",
    "one of two theorems": "Axiom wrong : 1 = 2.\nTheorem t : 1 = 2. Proof. exact wrong. Qed.\n"
    "Theorem s : 1 = 1. Proof. reflexivity. Qed.\nPrint Assumptions s.\nPrint Assumptions t.\n",
    "no question": "Theorem t : 1 = 2. Admitted.\n",
}
# Words with which a theory assumes something or switches a check of the kernel off.
ASSUMES = re.compile(
    r"^\s*(?:Axiom|Conjecture|Parameter|Unset)\b|\badmit\b|\bAdmitted\b|\bbypass_check\b"
    # In a section, which is indented, these are quantified at its end.
    r"|^(?:Hypothes[ie]s|Variables?|Context)\b",
    re.MULTILINE,
)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Coq:
    """Coq with one short theory, compiled; other tests of the module have all theories."""
    if not coq_version():
        pytest.skip(INSTALL)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiler, "ORDER", ("Logic",))
        made = Coq(tmp_path_factory.mktemp("proof"), ProcessGroups(), 60)
        made.theories()
    return made


@pytest.mark.parametrize("assumed", ASSUMED)
def test_a_theorem_that_assumes_something_is_not_closed(
    assumed: str, alone: Coq, tmp_path: Path
) -> None:
    file = tmp_path / "Assumed.v"
    file.write_text(ASSUMED[assumed])
    checked = alone.check(file)
    assert checked.passed and not checked.closed, checked.output


def test_an_incomplete_proof_does_not_pass(alone: Coq, tmp_path: Path) -> None:
    file = tmp_path / "Incomplete.v"
    file.write_text(CLOSED.replace("1 = 1", "1 = 2"))
    assert not alone.check(file).passed


@pytest.mark.parametrize(
    "text, verdict", [(CLOSED, PROVED), (ASSUMED["admitted"], REJECTED)], ids=[PROVED, REJECTED]
)
def test_a_configuration_is_proved_if_its_theorem_is_closed(
    text: str, verdict: str, alone: Coq, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(prove, "print_netlist", lambda *_: "")
    monkeypatch.setattr(prove, "print_theorem", lambda *_: text)
    joint = Joint("unit_lemmas", True, "", 0.0)
    monkeypatch.setattr(prove, "prove_joint", lambda *_: joint)
    prover = Prover(tmp_path, ProcessGroups(), alone, tmp_path / "kept")
    outcome = prover.prove(configuration("fast_montgomery", 8, {}))
    assert outcome.verdict == verdict
    assert all("rests on axioms" in line for line in outcome.why)
    # A rejected proof is not kept for the next call.
    assert (tmp_path / "kept").exists() == (verdict == PROVED)


@pytest.mark.parametrize("name", COVERED)
def test_the_assumptions_of_the_final_theorem_are_asked_for(name: str) -> None:
    chosen = configuration(name, 8, {})
    text = print_theorem(chosen.theory, chosen.shape, chosen.bus)
    assert text.endswith("\nPrint Assumptions configuration_is_right.\n")
    assert not ASSUMES.search(text)


@pytest.mark.parametrize("theory", ORDER)
def test_a_theory_assumes_nothing(theory: str) -> None:
    assert not ASSUMES.search(compiler._theory(theory))


def test_an_assumption_in_a_text_is_found() -> None:
    found = {name for name, text in ASSUMED.items() if ASSUMES.search(text)}
    assert found == set(ASSUMED)
    assert not ASSUMES.search(CLOSED)


@with_coq
@pytest.mark.parametrize(
    "theory, theorem", [(theory, name) for theory, names in THEOREMS.items() for name in names]
)
def test_a_theorem_is_closed(theory: str, theorem: str, coq: Coq, tmp_path: Path) -> None:
    file = tmp_path / "Closed.v"
    file.write_text(f"From Modmul Require Import {theory}.\nPrint Assumptions {theorem}.\n")
    checked = coq.check(file)
    assert checked.passed and checked.closed, checked.output


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
