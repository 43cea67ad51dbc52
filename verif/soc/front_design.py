"""The tops with a bus front: their interface to the run manager."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from models.registry import architecture
from regress.core.jobfile import Job
from regress.core.point import Point, PointError
from regress.core.project import Build
from regress.simulators.verilator import Verilator
from verif.bench.configuration.design import (
    FRONT_BUS_WIDTHS,
    VERILATOR_ARGUMENTS,
    Design,
    hardware,
)
from verif.bench.configuration.dut import WithoutCoverage, resolved_point
from verif.soc.configuration import RULES, TB, parameters_of, tests_of, top_of


class FrontDesign(WithoutCoverage):
    """A core with a bus front.

    Args:
        front: name of the bus, one of ``FRONTS``.
        design: design of the core.
    """

    def __init__(self, front: str, design: Design) -> None:
        self.name = top_of(front, design)
        self.tests = tests_of(front, design)
        self._front = front
        self._design = design

    def resolved(self, point: Point) -> Point:
        """See :class:`DesignUnderTest`."""
        resolved = resolved_point(self._design, point)
        if resolved["parameters"]["BusWidth"] not in FRONT_BUS_WIDTHS:
            accepted = f"BusWidth of a front: accepted are {', '.join(map(str, FRONT_BUS_WIDTHS))}"
            raise PointError(accepted, "parameters")
        return resolved

    def build(self, point: Point, simulator: Any, hdl: Path | None, code_coverage: bool) -> Build:
        """See :class:`DesignUnderTest`."""
        core = architecture(point["architecture"])
        made = hardware(self._design, core, point["width"], point["parameters"], hdl)
        compiled = simulator.runner == Verilator.runner
        return Build(
            sources=(
                *((TB / "fronts.vlt",) if compiled else ()),
                *made.sources,
                *sorted((*TB.glob("*.sv"), *RULES.glob("*_rules.sv"))),
            ),
            toplevel=f"{self._front}_tb",
            defines=made.defines,
            parameters=parameters_of(self._design, point, hdl),
            arguments=VERILATOR_ARGUMENTS if compiled else (),
        )

    def case_words(self, job: Job, source: str, case: str) -> list[str]:
        """See :class:`DesignUnderTest`; a front has no cases."""
        return []
