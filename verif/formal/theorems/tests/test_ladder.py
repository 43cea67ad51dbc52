"""The ladder of an exponentiation is proved as it is, and rejected with a fault of its control."""

from __future__ import annotations

from pathlib import Path

import pytest

from regress.core.processes import ProcessGroups
from verif.bench.configuration.design import ROOT
from verif.formal.theorems.coq import Coq
from verif.formal.theorems.ladder import ladder, prove_ladder
from verif.formal.theorems.prove import LEMMAS_PROVED, PROVED, REJECTED, Outcome
from verif.library.edits.altered import altered_copy
from verif.library.edits.operators import Replace

# A product of S begins in a state that has none, so the state does not go on.
STARTS_S = Replace(
    module="exponentiation_control",
    signal="start_s_d",
    to="issue_d && ((state_d == PowerSquare) || (state_d == PowerEntry))",
)


def test_lemmas_are_proved_once_and_a_fault_is_rejected_with_the_lemma(tmp_path: Path) -> None:
    def proved(hdl: Path) -> Outcome:
        what = ladder("optimized_interleaved", 24, {}, hdl)
        return prove_ladder(what, tmp_path, ProcessGroups(), None, tmp_path / "kept")

    design = ROOT / "hdl"
    found = [(outcome.verdict, outcome.why, outcome.kept) for outcome in map(proved, [design] * 2)]
    assert found == [(LEMMAS_PROVED, (), False), (LEMMAS_PROVED, (), True)]
    outcome = proved(altered_copy(design, tmp_path / "hdl", [STARTS_S]))
    assert outcome.verdict == REJECTED
    assert "lemma entry_goes" in outcome.why[0], outcome.why


@pytest.mark.campaign  # the theories take most of a minute to compile
def test_the_theorem_is_closed(coq: Coq, tmp_path: Path) -> None:
    outcome = prove_ladder(ladder("mwrkmm", 24, {}), tmp_path, ProcessGroups(), coq)
    assert (outcome.verdict, outcome.why) == (PROVED, ())


def test_parameters_of_the_control_name_the_configuration() -> None:
    names = {ladder("mwr2mm", 24, {"WordWidth": word}).name for word in (8, 16)}
    assert names == {"ladder-mwr2mm-n24-word8-radix26", "ladder-mwr2mm-n24-word16-radix26"}
