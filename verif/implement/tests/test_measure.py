"""What was measured is kept by content."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest

from verif.implement import measure
from verif.implement.measure import MeasureJob, Measurer
from verif.implement.targets.base import Area, DoesNotFit, Target, Timing
from verif.implement.toolbox import Toolbox, Workshop
from verif.library.netlist.hierarchy import CriticalPath, Hierarchy
from verif.library.netlist.process import ToolError
from verif.library.netlist.recipe import Recipe

JOB = MeasureJob(target="fake", seconds=1, memory=1)


class Fake(Target):
    """A target without tools."""

    name: ClassVar[str] = "fake"
    title: ClassVar[str] = ""
    stage: ClassVar[str] = "pre-layout"
    luts = 10
    fails = ""

    def __init__(self) -> None:
        self.did: list[str] = []

    def passes(self, recipe: Recipe) -> list[str]:
        return ["synth"]

    def versions(self, toolbox: Toolbox) -> dict[str, str]:
        return {"fake": "1"}

    def area(self, hierarchy: Hierarchy, folder: Path, place: Workshop) -> Area:
        raise NotImplementedError("synthesise, which asks for it, is a stand-in here")

    def check_fit(self, area: Area) -> None:
        if self.luts > 100:
            raise DoesNotFit(f"needs {self.luts} luts, it has 100")

    def synthesise(self, recipe: Recipe, folder: Path, place: Workshop) -> Area:
        self.did.append("synthesis")
        if self.fails:
            (folder / "fake.log").write_text("it hurts")
            raise ToolError(self.fails)
        return Area(luts=self.luts, cells={}, modules=[])

    def time(
        self, recipe: Recipe, synthesis: Path, folder: Path, seed: int, place: Workshop
    ) -> Timing:
        self.did.append(f"seed {seed}")
        path = CriticalPath(start="a", through=[], end="b", delay_ns=1)
        return Timing(seed=seed, fmax_mhz=1000, critical_path=path)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Fake:
    made = Fake()
    monkeypatch.setattr(measure, "target", lambda name: made)
    return made


def recipe(text: str = "module t; endmodule", **parameters: int) -> Recipe:
    return Recipe(top="t", clock="clk_i", sources={"t.sv": text}, parameters=parameters)


def test_the_same_content_is_measured_once(fake: Fake, tmp_path: Path) -> None:
    measurer = Measurer(tmp_path, Toolbox(tmp_path / "tools"))
    first, second = measurer.measure(JOB, recipe()), measurer.measure(JOB, recipe())
    assert fake.did == ["synthesis", "seed 1"]
    assert (first.cached, second.cached) == (False, True)
    assert first.area == second.area
    assert first.timing == second.timing


def test_another_seed_needs_no_synthesis(fake: Fake, tmp_path: Path) -> None:
    measurer = Measurer(tmp_path, Toolbox(tmp_path / "tools"))
    measurer.measure(JOB, recipe())
    measurer.measure(JOB.model_copy(update={"seed": 2}), recipe())
    assert fake.did == ["synthesis", "seed 1", "seed 2"]


@pytest.mark.parametrize("other", [recipe("module t; wire a; endmodule"), recipe(Width=4)])
def test_other_content_is_measured(fake: Fake, tmp_path: Path, other: Recipe) -> None:
    measurer = Measurer(tmp_path, Toolbox(tmp_path / "tools"))
    assert measurer.measure(JOB, recipe()).key != measurer.measure(JOB, other).key
    assert fake.did.count("synthesis") == 2


def test_synthesis_alone_has_no_time(fake: Fake, tmp_path: Path) -> None:
    measurer = Measurer(tmp_path, Toolbox(tmp_path / "tools"))
    found = measurer.measure(JOB.model_copy(update={"area_only": True}), recipe())
    assert (found.timing, found.problem, fake.did) == (None, "", ["synthesis"])


def test_what_does_not_fit_is_not_placed(fake: Fake, tmp_path: Path) -> None:
    fake.luts = 101
    found = Measurer(tmp_path, Toolbox(tmp_path / "tools")).measure(JOB, recipe())
    assert (found.problem, found.fits, fake.did) == (
        "needs 101 luts, it has 100",
        False,
        ["synthesis"],
    )
    assert found.area and found.area.luts == 101


def test_a_failure_is_an_answer_and_is_not_kept(fake: Fake, tmp_path: Path) -> None:
    measurer = Measurer(tmp_path, Toolbox(tmp_path / "tools"))
    fake.fails = "yosys crashed"
    found = measurer.measure(JOB, recipe())
    assert (found.problem, found.area) == ("yosys crashed", None)
    assert [log.read_text() for log in tmp_path.glob("failed/*/fake.log")] == ["it hurts"]
    fake.fails = ""
    assert measurer.measure(JOB, recipe()).area
