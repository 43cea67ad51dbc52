"""The tops whose area, clock and time are measured: their interface to the run manager."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from models.registry import architecture
from regress.core.jobfile import Job
from regress.core.point import Point, PointError
from regress.core.project import Build, Reach, Test
from regress.waves.fst import WaveFile
from regress.waves.view import WaveView
from verif.bench.configuration.design import NETLIST, Design, hardware
from verif.implement.jobs import SUFFIX, TESTS
from verif.library.netlist.configuration import needed
from verif.project.loader_design import LoaderDesign


class MeasuredDesign(LoaderDesign):
    """A design without its bench, on the synthesis targets. A build is the list of its sources.

    Args:
        design: the top.
        suffix: suffix of the top's name.
        tests: tests of all such tops.
    """

    def __init__(
        self, design: Design, suffix: str = SUFFIX, tests: Mapping[str, Test] = TESTS
    ) -> None:
        super().__init__(design)
        self.name = f"{design.name}{suffix}"
        self.tests = {name: test for name, test in tests.items() if test.top == self.name}

    def resolved(self, point: Point) -> Point:
        """See :class:`DesignUnderTest`; nothing is measured on a netlist."""
        if point["parameters"].get(NETLIST):
            raise PointError(f"{NETLIST}: only the design itself is measured", "parameters")
        return super().resolved(point)

    def simulators(self, test: str, point: Point) -> Sequence[str]:
        """See :class:`DesignUnderTest`; these are the targets."""
        return self.tests[test].simulators

    def build(self, point: Point, simulator: Any, hdl: Path | None, code_coverage: bool) -> Build:
        """See :class:`DesignUnderTest`."""
        core = architecture(point["architecture"])
        made = hardware(self._design, core, point["width"], point["parameters"], hdl)
        return Build(tuple(needed(made)), made.top, made.defines, made.parameters)

    def case_words(self, job: Job, source: str, case: str) -> list[str]:
        """See :class:`DesignUnderTest`."""
        words = ["implement", "--design", self._design.name, "--arch", job.subject]
        words += ["--width", str(job.point["width"]), "--target", job.simulator]
        words += ["--seeds", f"{job.seed}-{job.seed}"]
        shortest = self.shortest(job.point)["parameters"]
        return [*words, *(f"--parameter={name}={value}" for name, value in shortest.items())]

    def goals(self, job: Job) -> Mapping[str, Iterable[str]]:
        """See :class:`DesignUnderTest`; no operation runs."""
        return {}

    def in_reach(self, job: Job) -> Mapping[str, Iterable[str]]:
        """See :class:`DesignUnderTest`."""
        return {}

    def owns(self, group: str) -> bool:
        """See :class:`DesignUnderTest`."""
        return False

    def reach(self, group: str, bin_name: str, points: Iterable[Point]) -> Reach:
        """See :class:`DesignUnderTest`."""
        return Reach()

    def wave_view(self, job: Job, waves: WaveFile, message: str, time_ns: float) -> WaveView | None:
        """See :class:`DesignUnderTest`."""
        return None
