"""The tops that run in all lanes: attacks and exhaustive products as jobs of the run manager."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from regress.core.jobfile import Job
from regress.core.project import Test
from verif.bench.configuration.design import Design
from verif.formal.run import exhaustive_job
from verif.library.lanes.tool import SUFFIX
from verif.project.measured_design import MeasuredDesign
from verif.security import jobs as attacks

LANE_TESTS: Mapping[str, Test] = MappingProxyType({**attacks.TESTS, **exhaustive_job.TESTS})


class LaneDesign(MeasuredDesign):
    """A design in all lanes, without its bench.

    Args:
        design: the top.
    """

    verb = "simulated in lanes"

    def __init__(self, design: Design) -> None:
        super().__init__(design)
        self.name = f"{design.name}{SUFFIX}"
        self.tests = {name: test for name, test in LANE_TESTS.items() if test.top == self.name}

    def cases(self, job: Job) -> list[dict[str, Any]]:
        """See :class:`WithoutBench`."""
        module = attacks if job.test in attacks.TESTS else exhaustive_job
        return module.cases_of(job)

    def case_words(self, job: Job, source: str, case: str) -> list[str]:
        """See :class:`DesignUnderTest`; the command ``job`` runs the only case."""
        return []
