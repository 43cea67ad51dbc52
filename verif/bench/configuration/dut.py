"""Interface between the run manager and a design under test: one object for each top."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from models.registry import hardware_architectures
from regress.core.errors import UsageError, not_accepted
from regress.core.jobfile import Job
from regress.core.point import Point, PointError
from regress.core.project import Build, Reach, Test
from regress.waves.fst import WaveFile
from regress.waves.view import WaveView
from verif.bench.configuration.design import (
    Design,
    DesignError,
    check_width,
    resolved_parameters,
)


class DesignUnderTest(ABC):
    """The part of :class:`regress.core.project.Project` that depends on the top.

    The project forwards each call to the object of the test's top. To add a top, such as a bus
    front, add one object and the SystemVerilog. Arguments, results and errors are those of the
    project's method of the same name.

    Attributes:
        name: name of the top; :attr:`regress.core.project.Test.top` of its tests.
        tests: the tests, by the names that lists use.
    """

    name: str
    tests: Mapping[str, Test]

    @abstractmethod
    def resolved(self, point: Point) -> Point:
        """Return the point of a list with all its defaults filled in."""

    def shortest(self, point: Point) -> Point:
        """Return the same configuration without the values that equal their defaults."""
        return point

    def simulators(self, test: str, point: Point) -> Sequence[str]:
        """Return the simulators that can run a test at a point; empty means all of them."""
        return self.tests[test].simulators

    def draw(
        self,
        values: Mapping[str, Sequence[Any]],
        selected: Mapping[str, Sequence[Any]],
        count: int | None,
        seed: int,
    ) -> Sequence[Point]:
        """Return random points; the same seed gives the same points."""
        raise UsageError(f"top {self.name}: no configurations can be drawn")

    def simpler(self, point: Point) -> Iterator[Point]:
        """Yield simpler legal points, the simplest first."""
        yield from ()

    @abstractmethod
    def build(self, point: Point, simulator: Any, hdl: Path | None, code_coverage: bool) -> Build:
        """Return the build of a point."""

    def environment(self, job: Job) -> Mapping[str, str]:
        """Return the environment variables of a job's simulation."""
        return {}

    def effort(self, job: Job) -> float:
        """See :meth:`regress.core.project.Project.effort`."""
        return 0.0

    @abstractmethod
    def case_words(self, job: Job, source: str, case: str) -> list[str]:
        """Return the words of the command that runs all cases of a job, or one named case."""

    @abstractmethod
    def goals(self, job: Job) -> Mapping[str, Iterable[str]]:
        """Return the bins that jobs at a point must hit, by group."""

    def in_reach(self, job: Job) -> Mapping[str, Iterable[str]]:
        """Return the bins that jobs at a point can hit, by group."""
        return self.goals(job)

    @abstractmethod
    def owns(self, group: str) -> bool:
        """Return whether a coverage group is collected on this top."""

    @abstractmethod
    def reach(self, group: str, bin_name: str, points: Iterable[Point]) -> Reach:
        """Return how tests reach a bin of one of its groups."""

    @abstractmethod
    def wave_view(self, job: Job, waves: WaveFile, message: str, time_ns: float) -> WaveView | None:
        """Return the signals to show in a waveform and the error; None shows all signals."""


class WithoutCoverage(DesignUnderTest):
    """A design without coverage groups; waveforms show all its signals."""

    def goals(self, job: Job) -> Mapping[str, Iterable[str]]:
        """See :class:`DesignUnderTest`."""
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


def resolved_point(design: Design, point: Point) -> Point:
    """Return a point with the parameters of a design and of its core filled in.

    Raises:
        PointError: the architecture is unknown, or the width or a parameter is illegal.
    """
    name, width = point["architecture"], point["width"]
    known = hardware_architectures()
    if name not in known:
        raise PointError(not_accepted("architecture", name, known), "architecture")
    try:
        check_width(known[name], width)
    except DesignError as error:
        raise PointError(str(error), "width") from None
    try:
        values = resolved_parameters(design, known[name], width, point["parameters"])
    except DesignError as error:
        raise PointError(str(error), "parameters") from None
    return point.with_value("parameters", values)
