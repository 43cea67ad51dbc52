"""Which cases of a family of faults ``make test`` runs, and which the nightly alone."""

from __future__ import annotations

from verif.bench.configuration.design import ROOT
from verif.tests.injected import representatives

CAMPAIGN = "campaign"


def test_the_first_of_each_kind_stays() -> None:
    found = representatives(["a1", "b1", "a2", "b2", "c1"], lambda c: c[0], str)
    nightly = [str(p.id) for p in found if any(m.name == CAMPAIGN for m in p.marks)]
    assert [p.values for p in found] == [("a1",), ("b1",), ("a2",), ("b2",), ("c1",)]
    assert nightly == ["a2", "b2"]


def test_a_tuple_is_several_arguments() -> None:
    (found,) = representatives([(1, 2)], lambda c: c, str)
    assert found.values == (1, 2)


def test_what_make_test_leaves_out_the_nightly_runs() -> None:
    assert f'-m "not {CAMPAIGN}"' in (ROOT / "Makefile").read_text()
    (line,) = [
        line for line in (ROOT / "ci" / "nightly.sh").read_text().splitlines()
        if f"-m {CAMPAIGN}" in line
    ]  # fmt: skip
    assert line.startswith("step ")
