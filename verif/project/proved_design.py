"""The designs with a theorem: their interface to the run manager."""

from __future__ import annotations

from typing import Any

from regress.core.errors import UsageError
from regress.core.jobfile import Job
from regress.core.point import Point, PointError
from verif.bench.configuration.design import Design
from verif.formal.theorems.jobs import TEST_OF, TESTS, cases_of, provable
from verif.formal.theorems.tools import CoqTool
from verif.project.without_bench import WithoutBench


class ProvedDesign(WithoutBench):
    """A top with a theorem about its products. A build is a folder with its sources.

    Args:
        design: the top.
    """

    verb = "proved"

    def __init__(self, design: Design) -> None:
        super().__init__(design)
        self._test = TEST_OF[design.name]
        self.name = TESTS[self._test].top
        self.tests = {self._test: TESTS[self._test]}

    def resolved(self, point: Point) -> Point:
        """See :class:`DesignUnderTest`; a theorem must cover the core and the width."""
        whole = super().resolved(point)
        try:
            provable(self._test, whole["architecture"], whole["width"], whole["parameters"])
        except UsageError as error:
            raise PointError(str(error), "architecture") from None
        return whole

    def cases(self, job: Job) -> list[dict[str, Any]]:
        """See :class:`WithoutBench`."""
        return cases_of(job)

    def command(self, job: Job) -> list[str]:
        """See :class:`WithoutBench`."""
        fast = [] if job.simulator == CoqTool.name else ["--fast"]
        return ["prove", f"--design={self._design.name}", *fast]
