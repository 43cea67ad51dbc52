"""Proofs as jobs of the run manager: a prover reads the design itself, so no build exists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from regress.core.buildrecord import BuildOutcome
from regress.core.jobfile import Job, Launch
from regress.core.plan import BuildPoint, PlannedJob
from regress.core.point import Point, PointError
from regress.core.project import Build, Test
from regress.simulators import Simulator
from verif.bench.configuration.block_design import LIBRARY
from verif.bench.configuration.dut import WithoutCoverage
from verif.formal.proof import Case
from verif.library.yosys import yosys_version

TOP = TEST = "proof"
MODULE = "verif.formal.run.prover"


class ProofDesign(WithoutCoverage):
    """The properties as a top. Lists cannot name it: campaigns of faults plan its jobs."""

    name = TOP
    tests: Mapping[str, Test] = {
        TEST: Test(MODULE, TEST, "a property of the design, by a prover (command formal)", TOP)
    }

    def resolved(self, point: Point) -> Point:
        """See :class:`DesignUnderTest`; lists cannot name a proof."""
        raise PointError("test proof: accepted is the command formal", "test")

    def build(self, point: Point, simulator: Any, hdl: Path | None, code_coverage: bool) -> Build:
        """See :class:`DesignUnderTest`; see :class:`NoBuilder`."""
        raise PointError("test proof: it needs no build", "test")

    def case_words(self, job: Job, source: str, case: str) -> list[str]:
        """See :class:`DesignUnderTest`."""
        return ["formal"]


class SymbiYosys(Simulator):
    """The prover, in the place of a simulator."""

    name = "symbiyosys"
    title = "SymbiYosys"


def found_prover(_: Iterable[str]) -> tuple[dict[str, Simulator], dict[str, str]]:
    """Return the prover of the pinned packages, see :func:`regress.simulators.find_simulators`."""
    return {SymbiYosys.name: SymbiYosys(yosys_version(), "pinned package")}, {}


class NoBuilder:
    """Builds nothing, see :class:`regress.run.build.Builder`."""

    def __init__(self, root: Path, **_: Any) -> None:
        self._root = root

    def build(self, point: BuildPoint) -> BuildOutcome:
        """Return an empty folder as the build."""
        self._root.mkdir(parents=True, exist_ok=True)
        return BuildOutcome(point, self._root, True, 0.0)


def proof_job(context: Any, case: Case, seconds: float) -> PlannedJob:
    """Return the job of a case; the caller sets the program of its process."""
    values = {"architecture": case.architecture or LIBRARY, "width": case.width, "parameters": {}}
    job = Job(
        test=TEST,
        point=Point(values),
        simulator=SymbiYosys.name,
        seed=0,
        launch=Launch(MODULE, TEST, TOP),
    )
    return PlannedJob(case.name, job, seconds, context=context)
