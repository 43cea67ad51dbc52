"""The tops whose area, clock and time are measured: their interface to the run manager."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from regress.core.jobfile import Job
from regress.core.point import Point
from regress.core.project import Build
from verif.bench.configuration.design import Design
from verif.implement.jobs import SUFFIX, TESTS, cases_of
from verif.library.netlist.configuration import needed
from verif.project.without_bench import WithoutBench


class MeasuredDesign(WithoutBench):
    """A design on the synthesis targets. A build is the list of the sources that it needs.

    Args:
        design: the top.
    """

    verb = "measured"

    def __init__(self, design: Design) -> None:
        super().__init__(design)
        self.name = f"{design.name}{SUFFIX}"
        self.tests = {name: test for name, test in TESTS.items() if test.top == self.name}

    def build(self, point: Point, simulator: Any, hdl: Path | None, code_coverage: bool) -> Build:
        """See :class:`DesignUnderTest`."""
        made = self.made(point, hdl)
        return Build(tuple(needed(made)), made.top, made.defines, made.parameters)

    def cases(self, job: Job) -> list[dict[str, Any]]:
        """See :class:`WithoutBench`."""
        return cases_of(job)

    def command(self, job: Job) -> list[str]:
        """See :class:`WithoutBench`."""
        words = ["implement", "--design", self._design.name, "--target", job.simulator]
        return [*words, "--seeds", f"{job.seed}-{job.seed}"]
