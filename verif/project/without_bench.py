"""The tops that run no operation: their interface to the run manager."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from models.registry import architecture
from regress.core.jobfile import Job
from regress.core.point import Point, PointError
from regress.core.project import Build
from verif.bench.configuration.design import FRONT, NETLIST, Hardware, hardware
from verif.bench.configuration.dut import WithoutCoverage
from verif.project.loader_design import LoaderDesign


class WithoutBench(WithoutCoverage, LoaderDesign):
    """A design without its bench, for a tool other than a simulator. A build keeps its sources.

    Args:
        design: the top.

    Attributes:
        verb: participle of what the tool does, for messages.
    """

    verb: str

    def resolved(self, point: Point) -> Point:
        """See :class:`DesignUnderTest`; no netlist of another tool, and no front of a bench."""
        for name in (NETLIST, FRONT):
            if point["parameters"].get(name):
                raise PointError(f"{name}: only the design itself is {self.verb}", "parameters")
        return super().resolved(point)

    def simulators(self, test: str, point: Point) -> Sequence[str]:
        """See :class:`DesignUnderTest`; these are the tools."""
        return self.tests[test].simulators

    def made(self, point: Point, hdl: Path | None) -> Hardware:
        """Return the design at a point."""
        core = architecture(point["architecture"])
        return hardware(self._design, core, point["width"], point["parameters"], hdl)

    def build(self, point: Point, simulator: Any, hdl: Path | None, code_coverage: bool) -> Build:
        """See :class:`DesignUnderTest`."""
        made = self.made(point, hdl)
        return Build(made.sources, made.top, made.defines, made.parameters)

    def case_words(self, job: Job, source: str, case: str) -> list[str]:
        """See :class:`DesignUnderTest`."""
        words = [*self.command(job), "--arch", job.subject, "--width", str(job.point["width"])]
        shortest = self.shortest(job.point)["parameters"]
        return [*words, *(f"--parameter={name}={value}" for name, value in shortest.items())]

    @abstractmethod
    def cases(self, job: Job) -> list[dict[str, Any]]:
        """Return the cases of a job from a list."""

    @abstractmethod
    def command(self, job: Job) -> list[str]:
        """Return the words of the tool's command, without the configuration."""
