"""The tops with the loader bus: their interface to the run manager."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from models.registry import architecture
from regress.core.jobfile import Job
from regress.core.point import Point, PointError
from regress.core.project import Build, Reach
from regress.simulators.icarus import Icarus
from regress.simulators.verilator import Verilator
from regress.waves.fst import WaveFile
from regress.waves.view import WaveView
from verif.bench.configuration.config import BenchConfig
from verif.bench.configuration.design import (
    FRONT,
    NETLIST,
    NETLISTS,
    Design,
    simulation_build,
    simulator_settings,
)
from verif.bench.configuration.drawn import draw_configurations
from verif.bench.configuration.dut import DesignUnderTest, resolved_point
from verif.bench.configuration.job import point_of
from verif.bench.configuration.legal import (
    Configuration,
    least_parameters,
    simpler_configurations,
)
from verif.bench.configuration.tests_by_name import TESTS
from verif.bench.coverage.goals import bins_in_reach, goals_of, stimulus_of
from verif.bench.waves.view import wave_view
from verif.implement.netlist import netlist_files

# Parameters whose jobs run on one simulator alone. Jobs through a front fail on Verilator: the pins
# of the front are below the top there.
ONLY_ON = {NETLIST: Verilator, FRONT: Icarus}


class LoaderDesign(DesignUnderTest):
    """A multiplier or an exponentiation core with the loader bus.

    Args:
        design: the top.
    """

    def __init__(self, design: Design) -> None:
        self.name = design.name
        self.tests = {name: test for name, test in TESTS.items() if test.top == design.name}
        self._design = design
        # A plan asks for each point several times: for its seed, its id, and each of its tests.
        self._resolved: dict[Point, Point] = {}
        self._shortest: dict[Point, Point] = {}

    def resolved(self, point: Point) -> Point:
        """See :class:`DesignUnderTest`."""
        if point not in self._resolved:
            self._resolved[point] = resolved_point(self._design, point)
        return self._resolved[point]

    def shortest(self, point: Point) -> Point:
        """See :class:`DesignUnderTest`."""
        if point not in self._shortest:
            whole = self.resolved(point)
            least = least_parameters(
                self._design,
                architecture(whole["architecture"]),
                whole["width"],
                whole["parameters"],
            )
            self._shortest[point] = point.with_value("parameters", dict(least))
        return self._shortest[point]

    def effort(self, job: Job) -> float:
        """See :class:`DesignUnderTest`; a product takes about a cycle for each bit."""
        width = job.point["width"]
        products = job.operations * max(1, self._design.products_for_a_bit * width)
        return products * width * math.ceil(width / 32)

    def simulators(self, test: str, point: Point) -> Sequence[str]:
        """See :class:`DesignUnderTest` and :data:`ONLY_ON`."""
        only = tuple(on.name for name, on in ONLY_ON.items() if point["parameters"].get(name))
        return only or super().simulators(test, point)

    def draw(
        self,
        values: Mapping[str, Sequence[Any]],
        selected: Mapping[str, Sequence[Any]],
        count: int | None,
        seed: int,
    ) -> Sequence[Point]:
        """See :class:`DesignUnderTest`; widths lie between the list entry's minimum and maximum."""
        between = range(min(values["width"]), max(values["width"]) + 1)
        wanted = selected.get("width", ())
        widths = [width for width in wanted if width in between] if wanted else list(between)
        (name,) = values["architecture"]
        if not widths:
            return []
        found = draw_configurations(self._design, name, count, seed, widths)
        if count is None:  # cover every class, also the derived ones
            # Importing slang takes a tenth of a second.
            from verif.bench.configuration.explored import missing_examples

            found += missing_examples(self._design, name, found, widths)
        return [point_of(name, each.width, dict(each.parameters)) for each in found]

    def simpler(self, point: Point) -> Iterator[Point]:
        """See :class:`DesignUnderTest`."""
        own = Configuration(
            point["architecture"], point["width"], tuple(sorted(point["parameters"].items()))
        )
        for found in simpler_configurations(self._design, own):
            yield point_of(found.architecture, found.width, dict(found.parameters))

    def build(self, point: Point, simulator: Any, hdl: Path | None, code_coverage: bool) -> Build:
        """See :class:`DesignUnderTest`; a netlist is synthesised first."""
        parameters = point["parameters"]
        files: tuple[Path, ...] = ()
        for name, only in ONLY_ON.items():
            if parameters.get(name) and simulator.runner != only.runner:
                raise PointError(f"{name}: accepted only with simulator {only.name}", "parameters")
        if parameters.get(NETLIST):
            files = netlist_files(
                NETLISTS[parameters[NETLIST]], self._design, point["architecture"],
                point["width"], parameters, hdl,
            )  # fmt: skip
        core = architecture(point["architecture"])
        made = simulation_build(self._design, core, point["width"], parameters, hdl, files)
        configs, arguments = simulator_settings(made, simulator.runner, code_coverage)
        return Build(
            sources=(*configs, *made.sources),
            toplevel=made.toplevel,
            defines=made.defines,
            parameters=made.parameters,
            arguments=arguments,
        )

    def case_words(self, job: Job, source: str, case: str) -> list[str]:
        """See :class:`DesignUnderTest`; fix the width, because a single case may select another."""
        width = ["--width", str(job.point["width"])] if case else []
        return ["vectors", source, "--arch", job.subject, *width]

    def goals(self, job: Job) -> Mapping[str, Iterable[str]]:
        """See :class:`DesignUnderTest`."""
        return goals_of(job)

    def in_reach(self, job: Job) -> Mapping[str, Iterable[str]]:
        """See :class:`DesignUnderTest`."""
        return bins_in_reach(job)

    def owns(self, group: str) -> bool:
        """See :class:`DesignUnderTest`; groups of the exponentiation have a prefix."""
        return group.startswith(self._design.group_prefix)

    def reach(self, group: str, bin_name: str, points: Iterable[Point]) -> Reach:
        """See :class:`DesignUnderTest`."""
        stimulus = stimulus_of(self._design, group, bin_name)
        if not stimulus:
            return Reach()
        solves = stimulus.operands and any(
            architecture(point["architecture"]).coverage.rare_operands(point["width"])
            for point in points
        )
        return Reach(stimulus.tests, "the entry solves operands for rare cases" if solves else "")

    def wave_view(self, job: Job, waves: WaveFile, message: str, time_ns: float) -> WaveView:
        """See :class:`DesignUnderTest`."""
        return wave_view(BenchConfig.from_job(job), waves, message, time_ns)
