"""The sign-off page: the hand-written part is checked, holes of toggles have their reasons."""

from __future__ import annotations

from pathlib import Path

import pytest

from regress.core.errors import UsageError
from regress.coverage.code import TOGGLE, CodeCoverage, Point
from regress.coverage.exclusions import Exclusions
from regress.coverage.toggles import ToggleExclusions, ToggleFormat
from verif.library.errata import read_errata
from verif.testplan.signoff import (
    NO_REASON,
    RELEASE,
    Release,
    read_release,
    signoff_page,
    toggle_holes,
)
from verif.testplan.stages import states
from verif.testplan.tests.test_effect import DETECTED, PLAN, RUN
from verif.testplan.tree import Tree

EMPTY = {"version": "1.2.3", "changes": (), "limits": ()}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("version: ", "version: 9", "90.1.0 is not the version"),
        ("feature: zeroise", "feature: injected", "no feature 'injected' exists"),
    ],
)
def test_a_mistake_in_the_release_is_reported(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    path = tmp_path / "release.yaml"
    text = RELEASE.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    nothing = Tree({}, (), (), (), frozenset(), {}, (), ())
    with pytest.raises(UsageError, match=message):
        read_release(states(PLAN, nothing, {}, ()), path)


def test_a_toggle_hole_has_the_reason_of_its_exclusion() -> None:
    def point(name: str) -> Point:
        return Point("hdl/a.sv", 1, 1, TOGGLE, name)

    code = CodeCoverage({
        point("core.facts.steps[3]:0->1"): 0,
        point("core.facts.steps[4]:0->1"): 7,
        point("other[1]:1->0"): 0,
    })  # fmt: skip
    constant = ToggleFormat(signals=("a:*.steps",), reason="Constant.")
    exclusions = Exclusions(Path(), toggles=ToggleExclusions(((1, constant),)))
    assert toggle_holes(code, exclusions) == {"Constant.": 1, NO_REASON: 1}


def test_the_page_names_runs_limits_and_errata() -> None:
    tree = Tree({"random": ("smoke",)}, (), ("status",), ("p", "q"), frozenset("p"), {}, (), ())
    found = states(PLAN, tree, DETECTED, (RUN,))
    text = signoff_page(Release(**EMPTY), (), found, tree, DETECTED, (RUN,))
    assert "| `run smoke` | list | 2026-11-28 | abc | failed | 1 s | 1 | 1 | 10 |" in text
    assert "1 of 2 recorded" in text
    assert "- `one`: stage V1, not passed: random." in text
    assert "errata.md).\n\nNone.\n" in text
    errata = read_errata()
    text = signoff_page(Release(**EMPTY), errata, found, tree, {}, (RUN,))
    assert all(f"| {one.id} | {one.title} |" in text for one in errata)
