"""The ladder of an exponentiation is proved as it is, and rejected with a fault of its control."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from regress.core.processes import ProcessGroups
from verif.formal.theorems import ladder as module
from verif.formal.theorems.coq import Checked, Coq
from verif.formal.theorems.joints import Joint
from verif.formal.theorems.ladder import Ladder, ladder, prove_ladder
from verif.formal.theorems.lemmas import LADDER
from verif.formal.theorems.prove import CHECKED_LEMMAS, PROVED, REJECTED, Outcome
from verif.library.edits.altered import altered_copy
from verif.library.edits.operators import Replace

WHAT = ladder("optimized_interleaved", 24, {})


def test_lemmas_are_proved_once_and_a_fault_is_rejected_with_the_lemma(tmp_path: Path) -> None:
    def proved(what: Ladder) -> Outcome:
        return prove_ladder(what, tmp_path, ProcessGroups(), None, tmp_path / "kept")

    found = [(outcome.verdict, outcome.why, outcome.kept) for outcome in map(proved, [WHAT] * 2)]
    assert found == [(CHECKED_LEMMAS, (), False), (CHECKED_LEMMAS, (), True)]
    # The first product of S in Loop does not begin: one lemma says that it does.
    change = Replace(
        module="exponentiation_control", signal="start_s_d", to="(@) && (state_q != ExpEntry)"
    )
    wrong = replace(WHAT, hdl=altered_copy(WHAT.hdl, tmp_path / "hdl", [change]))
    outcome = proved(wrong)
    assert outcome.verdict == REJECTED
    assert "lemma entry_goes" in outcome.why[0], outcome.why


class _Coq(Coq):
    """Coq whose answer is given."""

    version = "8.16"

    def __init__(self, passed: bool, closed: bool) -> None:
        self._answer = Checked(passed, closed, "", 0.1)

    def check(self, file: Path) -> Checked:
        return self._answer

    def theories(self) -> dict[str, float]:
        return {}


@pytest.mark.parametrize(
    ("passed", "closed", "verdict"),
    [(True, True, PROVED), (True, False, REJECTED), (False, False, REJECTED)],
)
def test_a_theorem_with_axioms_is_rejected(
    passed: bool, closed: bool, verdict: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    joint = Joint(LADDER.path.stem, True, "", 2.0)
    monkeypatch.setattr(module, "prove_case", lambda *_: joint)
    outcome = prove_ladder(WHAT, tmp_path, ProcessGroups(), _Coq(passed, closed), tmp_path)
    assert outcome.verdict == verdict
    assert ("without axioms" in "".join(outcome.why)) == (verdict == REJECTED)


@pytest.mark.campaign  # the theories take most of a minute to compile
def test_the_theorem_is_closed(coq: Coq, tmp_path: Path) -> None:
    outcome = prove_ladder(ladder("mwrkmm", 24, {}), tmp_path, ProcessGroups(), coq)
    assert (outcome.verdict, outcome.why) == (PROVED, ())


def test_parameters_of_the_control_name_the_configuration() -> None:
    names = {ladder("mwr2mm", 24, {"WordWidth": word}).name for word in (8, 16)}
    assert names == {"ladder-mwr2mm-n24-word8-radix26", "ladder-mwr2mm-n24-word16-radix26"}
