"""The units whose products are proved: their interface to the run manager."""

from __future__ import annotations

from typing import Any

from regress.core.errors import UsageError
from regress.core.jobfile import Job
from regress.core.point import Point, PointError
from verif.bench.configuration.design import MULTIPLIER
from verif.formal.theorems.configuration import configuration
from verif.formal.theorems.jobs import TESTS, TOP, cases_of
from verif.formal.theorems.tools import CoqTool
from verif.project.without_bench import WithoutBench


class ProvedDesign(WithoutBench):
    """The multiplier with a core that has a theory. A build is a folder with its sources."""

    verb = "proved"

    def __init__(self) -> None:
        super().__init__(MULTIPLIER)
        self.name = TOP
        self.tests = TESTS

    def resolved(self, point: Point) -> Point:
        """See :class:`DesignUnderTest`; the core must have a theory that covers the width."""
        whole = super().resolved(point)
        try:
            configuration(whole["architecture"], whole["width"], whole["parameters"])
        except UsageError as error:
            raise PointError(str(error), "architecture") from None
        return whole

    def cases(self, job: Job) -> list[dict[str, Any]]:
        """See :class:`WithoutBench`."""
        return cases_of(job)

    def command(self, job: Job) -> list[str]:
        """See :class:`WithoutBench`."""
        return ["prove", *([] if job.simulator == CoqTool.name else ["--fast"])]
