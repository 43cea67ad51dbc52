"""Exclusions of toggles and the goals of the code: each mistake in a pattern fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from regress.core.errors import UsageError
from regress.core.plan import Plan
from regress.coverage.code import BRANCH, TOGGLE, CodeCoverage, Point, Sources
from regress.coverage.exclusions import Exclusions, load_exclusions
from regress.coverage.toggles import Bit, Signals, bits_of
from regress.run.record import RunRecord
from regress.tests.conftest import CONTEXT, PROJECT
from regress.tests.coverage_files import make_design

FILE = "hdl/common/core.sv"


def load(folder: Path, signals: str, more: str = "") -> Exclusions:
    """Exclusions with one entry of toggles."""
    path = folder / "exclusions.yaml"
    entry = f"  - signals: {signals}\n    reason: no test goes there\n{more}"
    path.write_text(f"bins: []\ncode: []\ntoggles:\n{entry}")
    if not (folder / "hdl").is_dir():
        make_design(folder)
    return load_exclusions(PROJECT, path, folder / "hdl")


def coverage(**hits: int) -> CodeCoverage:
    """Coverage with rising and falling points: ``start`` and bits of ``lane[1].count``."""
    names = {
        "start_up": "start:0->1",
        "start_down": "start:1->0",
        "low_up": "gen_lane[1].count[0]:0->1",
        "low_down": "gen_lane[1].count[0]:1->0",
        "high_up": "gen_lane[1].count[1]:0->1",
        "high_down": "gen_lane[1].count[1]:1->0",
    }
    points = {name: Point(FILE, 2, 1, TOGGLE, text) for name, text in names.items()}
    return CodeCoverage({point: hits.get(name, 0) for name, point in points.items()})


def test_a_pattern_names_the_word_of_a_memory() -> None:
    names = ("gen_a[0].words[1][7]", "gen_a[0].words[2][7]", "gen_a[0].words[1][9]")
    bits = bits_of(Point(FILE, 2, 1, TOGGLE, f"{name}:0->1") for name in names)
    assert len(Signals("core:gen_a[0].words[1][8:0]").select(bits)) == 1
    assert len(Signals("core:gen_a.words[8:0]").select(bits)) == 2


def left(found: Exclusions, code: CodeCoverage, folder: Path) -> list[str]:
    found.exclude_code(code, Sources(PROJECT, folder / "hdl"))
    return [point.name for point in code.holes([TOGGLE])]


def stale(found: Exclusions, code: CodeCoverage, folder: Path) -> list[str]:
    return found.stale_code(code, Sources(PROJECT, folder / "hdl"), [TOGGLE])


def test_a_point_names_its_bit() -> None:
    point = Point("hdl/lib/word_memory.sv", 9, 1, TOGGLE, "gen_a[3].words[1][7]:1->0")
    assert Bit.of(point) == Bit("word_memory", "gen_a[3].words[1]", 7, "1->0")
    assert Bit.of(point).signal == "gen_a.words"
    assert Bit.of(Point(FILE, 9, 1, TOGGLE, "view.done:0->1")) == Bit(
        "core", "view.done", None, "0->1"
    )


@pytest.mark.parametrize(
    "pattern, expected",
    [
        ("core:start", 4),
        ("core:gen_lane.count[1]", 4),
        ("c*:gen_lane.*[1:0]", 2),
        ("core:gen_lane.count[0] 1->0", 5),
        ("core:gen_lane[1].count[1]", 4),
        ("core:gen_lane[2].count[1]", 6),
        ("core:gen_lane[1].count", 2),
        ("core:*", 0),
        ("other:start", 6),
    ],
)
def test_a_pattern_excludes_the_bits_that_it_names(
    tmp_path: Path, pattern: str, expected: int
) -> None:
    assert len(left(load(tmp_path, f'["{pattern}"]'), coverage(), tmp_path)) == expected


def test_a_pattern_without_a_hole_is_stale(tmp_path: Path) -> None:
    found = load(tmp_path, '["core:start", "core:stop"]')
    (line,) = stale(found, coverage(), tmp_path)
    assert line.endswith(
        "exclusions.yaml:4: exclusion of toggles of core:stop: no hole matches: excludes nothing"
    )
    (_, line) = stale(found, coverage(start_up=1, start_down=1), tmp_path)[::-1]
    assert "core:start: no hole matches" in line


def test_a_pattern_with_a_point_that_toggled_is_stale(tmp_path: Path) -> None:
    found = load(tmp_path, '["core:gen_lane.count"]')
    (line,) = stale(found, coverage(low_up=2), tmp_path)
    assert "1 points toggled after all, first gen_lane[1].count[0]:0->1" in line


def test_a_constant_may_rise_at_the_start_and_never_falls(tmp_path: Path) -> None:
    found = load(tmp_path, '["core:gen_lane.count"]', "    constant: true\n")
    assert not stale(found, coverage(low_up=2), tmp_path)
    (line,) = stale(found, coverage(low_up=2, low_down=1), tmp_path)
    assert "1 points toggled after all, first gen_lane[1].count[0]:1->0" in line


def test_a_run_without_the_goal_does_not_check_exclusions_of_toggles(tmp_path: Path) -> None:
    found = load(tmp_path, '["core:stop"]')
    assert not found.stale_code(coverage(), Sources(PROJECT, tmp_path / "hdl"), [BRANCH])


@pytest.mark.parametrize("pattern", ["core", "core:start[0:3]", "core:start[x]", "core:a up"])
def test_a_malformed_pattern_is_rejected(tmp_path: Path, pattern: str) -> None:
    with pytest.raises(UsageError, match=r"exclusions.yaml:4: .*signals.*(accepted|HIGH:LOW)"):
        load(tmp_path, f'["{pattern}"]')


def record(code: CodeCoverage, *goals: str) -> RunRecord:
    found = RunRecord(CONTEXT, Plan(name="coverage", code_goals=goals), Path("run"), {})
    found.code = {"a": code}
    found.check_code_goals()
    return found


def test_a_goal_of_the_code_is_missed_by_one_hole() -> None:
    full = dict.fromkeys(("start_up", "low_up", "low_down", "high_up", "high_down"), 1)
    (missed,) = record(coverage(**full), TOGGLE).unmet_goals
    assert (missed.subject, missed.group) == ("all", "code_toggle")
    assert missed.message == f"5 of 6 points hit, first hole {FILE}:2 start:1->0"
    assert not record(coverage(**full, start_down=1), TOGGLE).unmet_goals
    assert not record(coverage(**full)).goals


def test_a_goal_of_the_code_needs_points() -> None:
    (missed,) = record(coverage(), BRANCH).unmet_goals
    assert missed.message == "0 of 0 points hit"
