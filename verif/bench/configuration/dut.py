"""A design under test as the run manager sees it: one object for each top that tests run on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from regress.core.errors import UsageError
from regress.core.jobfile import Job
from regress.core.point import Point
from regress.core.project import Build, Reach, Test
from regress.waves.fst import WaveFile
from regress.waves.view import WaveView


class DesignUnderTest(ABC):
    """What :class:`regress.core.project.Project` asks about one top.

    The project hands each question to the object of the test's top. A new top, such as a bus front,
    is one more object and its SystemVerilog. Arguments, results and errors are those of the
    project's method of the same name.

    Attributes:
        name: of the top; :attr:`regress.core.project.Test.top` of its tests.
        tests: by the names that lists use.
    """

    name: str
    tests: Mapping[str, Test]

    @abstractmethod
    def resolved(self, point: Point) -> Point:
        """The whole configuration that a point of a list stands for."""

    def shortest(self, point: Point) -> Point:
        """The same configuration without the values that are defaults."""
        return point

    def simulators(self, test: str, point: Point) -> Sequence[str]:
        """Where a test can run at a point; empty for everywhere."""
        return self.tests[test].simulators

    def draw(
        self,
        values: Mapping[str, Sequence[Any]],
        selected: Mapping[str, Sequence[Any]],
        count: int | None,
        seed: int,
    ) -> Sequence[Point]:
        """Points drawn at random, the same for the same seed."""
        raise UsageError(f"top {self.name}: no configurations can be drawn")

    def simpler(self, point: Point) -> Iterator[Point]:
        """Simpler legal points, those that save most first."""
        yield from ()

    @abstractmethod
    def build(self, point: Point, simulator: Any, hdl: Path | None, code_coverage: bool) -> Build:
        """What is compiled for a point."""

    def environment(self, job: Job) -> Mapping[str, str]:
        """Environment variables of a job's simulation."""
        return {}

    @abstractmethod
    def case_words(self, job: Job, source: str, case: str) -> list[str]:
        """Words of the command that runs all cases of a job, or one where a case is named."""

    @abstractmethod
    def goals(self, job: Job) -> Mapping[str, Iterable[str]]:
        """Bins that jobs at a point must hit, by group."""

    def in_reach(self, job: Job) -> Mapping[str, Iterable[str]]:
        """Bins that jobs at a point can hit, by group."""
        return self.goals(job)

    @abstractmethod
    def owns(self, group: str) -> bool:
        """Whether a coverage group is collected on this top."""

    @abstractmethod
    def reach(self, group: str, bin_name: str, points: Iterable[Point]) -> Reach:
        """How a bin of one of its groups is reached."""

    @abstractmethod
    def wave_view(self, job: Job, waves: WaveFile, message: str, time_ns: float) -> WaveView | None:
        """Which signals a waveform shows, and what is wrong in it; None for all of the top."""
