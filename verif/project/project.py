"""Interface of this project to the run manager ``regress``, which sees nothing else of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from models.registry import architectures, hardware_architectures
from regress.core.errors import UsageError
from regress.core.jobfile import Job
from regress.core.metrics import Past
from regress.core.point import IntegerAxis, MappingAxis, NamedAxis, Point, PointError
from regress.core.project import AddCommand, Build, Project, Reach, Table, Test
from regress.waves.fst import WaveFile
from regress.waves.view import WaveView
from verif.bench.agent.step import steps_of
from verif.bench.configuration.block_design import BLOCKS, LIBRARY, BlockDesign
from verif.bench.configuration.design import (
    DESIGNS,
    FRONT,
    FRONTS,
    MAX_WIDTH,
    NETLIST,
    NETLISTS,
)
from verif.bench.configuration.dut import DesignUnderTest
from verif.bench.configuration.tests_by_name import TESTS
from verif.bench.waves.mismatch import IN_CORE
from verif.faults.campaign.chain import Asked
from verif.formal.design import ProofDesign
from verif.formal.theorems import jobs as products
from verif.formal.theorems.tools import proof_tools
from verif.implement import report as costs
from verif.implement.jobs import TESTS as MEASUREMENTS
from verif.implement.jobs import reference
from verif.implement.target_tool import target_tools
from verif.library.lanes.tool import LaneTool
from verif.library.vectors.museum import MUSEUM, MUSEUM_TESTS, museum_cases
from verif.own_core.project import PROBE, BlackBoxes
from verif.own_core.project import TEST as CHECK
from verif.own_core.project import TESTS as BLACK_BOX_TESTS
from verif.project.lane_design import LANE_TESTS, LaneDesign
from verif.project.loader_design import LoaderDesign
from verif.project.measured_design import MeasuredDesign
from verif.project.proved_design import ProvedDesign
from verif.project.without_bench import WithoutBench
from verif.security import jobs as attacks
from verif.soc.front_design import FrontDesign

if TYPE_CHECKING:  # the run manager imports projects
    from regress.run.record import RunRecord

# "faster_montgomery 32 bits at 1230 ns: x=0x1 y=0x2 m=0x7 raw: what is wrong"
WHERE = re.compile(r"\b\w+ \d+ bits(?: [^:]*?)? at \d+ ns: (?:[^:]*=[^:]*: )?")
STRESS = "stress"
BLOCK_TESTS = {name: test for block in BLOCKS for name, test in BlockDesign(block).tests.items()}
FRONT_DESIGNS = [
    FrontDesign(front, design) for front in FRONTS.values() for design in DESIGNS.values()
]
FRONT_TESTS = {name: test for design in FRONT_DESIGNS for name, test in design.tests.items()}


@dataclass(frozen=True)
class ArchitectureAxis(NamedAxis):
    """The architectures with a SystemVerilog module, and one more value for library blocks."""

    def read(self, value: Any) -> str:
        """See :class:`regress.core.point.Axis`."""
        if value == LIBRARY:
            return value
        known = hardware_architectures()
        if value not in known and value in architectures():
            raise PointError(f"architecture {value!r} is model only; accepted: {', '.join(known)}")
        return super().read(value)


class MultiplierProject(Project):
    """Multipliers and the exponentiation core: an architecture, a width, its parameters."""

    name = "modmul-verification"
    axes = (
        ArchitectureAxis(
            "architecture",
            plural="architectures",
            option="arch",
            help="architecture, see list",
            letters="A",
            names=hardware_architectures,
        ),
        IntegerAxis(
            "width",
            plural="widths",
            help="operand width in bits",
            unit="bits",
            low=min(entry.min_width for entry in hardware_architectures().values()),
            high=MAX_WIDTH,
        ),
        MappingAxis(
            "parameters",
            option="parameter",
            help="of the design's top or of the core",
            named={
                of: {name: number for number, name in known.items()}
                for of, known in ((NETLIST, NETLISTS), (FRONT, FRONTS))
            },
            # A front has a bus of its own.
            displaced={FRONT: ("BusWidth", "AddressWidth")},
        ),
    )
    tests: Mapping[str, Test] = MappingProxyType(
        {
            **TESTS,
            **BLACK_BOX_TESTS,
            **BLOCK_TESTS,
            **FRONT_TESTS,
            **MEASUREMENTS,
            **LANE_TESTS,
            **products.TESTS,
            **ProofDesign.tests,
        }
    )
    counts_operations = True
    traces = True
    command = (".venv/bin/python", "-m", "regress")
    lists = "verif/lists"
    hdl = "hdl"
    hdl_file = "multiplier.sv"
    exclusions = "verif/bench/coverage/exclusions.yaml"
    shipped = ("hdl", "models", "regress", "verif", "pyproject.toml")
    packages = (
        "cocotb",
        "cocotb-bus",
        "cryptography",
        "gmpy2",
        "pydantic",
        "numpy",
        "python-flint",
        "pyuvm",
    )

    tools = MappingProxyType({**target_tools(), **proof_tools(), LaneTool.name: LaneTool})

    @cached_property
    def black_boxes(self) -> BlackBoxes:
        """Cores of users."""
        return BlackBoxes(self.root / "build" / "cores")

    @cached_property
    def designs(self) -> Mapping[str, DesignUnderTest]:
        """Every top that tests run on, by name.

        A coverage group belongs to the first top that owns it, so the longest prefix comes first.
        """
        own = sorted(DESIGNS.values(), key=lambda design: -len(design.group_prefix))
        tops: tuple[DesignUnderTest, ...] = (
            self.black_boxes,
            *map(LoaderDesign, own),
            *map(MeasuredDesign, own),
            *map(LaneDesign, own),
            *map(BlockDesign, BLOCKS),
            *FRONT_DESIGNS,
            ProofDesign(),
            *map(ProvedDesign, own),
        )
        return {top.name: top for top in tops}

    def _design(self, test: str) -> DesignUnderTest:
        return self.designs[self.tests[test].top]

    # Points

    def resolved(self, test: str, point: Point) -> Point:
        """See :class:`regress.core.project.Project`."""
        return self._design(test).resolved(point)

    def simulators(self, test: str, point: Point) -> Sequence[str]:
        """See :class:`regress.core.project.Project`."""
        return self._design(test).simulators(test, point)

    def shortest(self, test: str, point: Point) -> Point:
        """See :class:`regress.core.project.Project`."""
        return self._design(test).shortest(point)

    def draw(
        self,
        test: str,
        values: Mapping[str, Sequence[Any]],
        selected: Mapping[str, Sequence[Any]],
        count: int | None,
        seed: int,
    ) -> Sequence[Point]:
        """See :class:`regress.core.project.Project`."""
        return self._design(test).draw(values, selected, count, seed)

    def simpler(self, test: str, point: Point) -> Iterator[Point]:
        """See :class:`regress.core.project.Project`."""
        return self._design(test).simpler(point)

    # Builds

    def build(
        self, top: str, point: Point, simulator: Any, hdl: Path | None, code_coverage: bool
    ) -> Build:
        """See :class:`regress.core.project.Project`."""
        return self.designs[top].build(point, simulator, hdl, code_coverage)

    def cases(self, job: Job) -> Sequence[Mapping[str, Any]]:
        """See :class:`regress.core.project.Project`; museum exhibits, or one point."""
        design = self._design(job.test)
        if isinstance(design, WithoutBench):
            return design.cases(job)
        test = MUSEUM_TESTS.get(job.test)
        return museum_cases(test, job.subject, job.point["width"]) if test else ()

    def environment(self, job: Job) -> Mapping[str, str]:
        """See :class:`regress.core.project.Project`."""
        # Limit OpenBLAS to one thread, because the models do not use numpy's linear algebra.
        return {"OPENBLAS_NUM_THREADS": "1", **self._design(job.test).environment(job)}

    def effort(self, job: Job) -> float:
        """See :class:`regress.core.project.Project`."""
        return self._design(job.test).effort(job)

    # Verdicts

    def case_command(self, job: Job, case: str, source: str) -> Sequence[str]:
        """See :class:`regress.core.project.Project`; cases are vectors and faults."""
        design = self._design(job.test)
        if isinstance(design, WithoutBench):
            return design.case_words(job, source, case)
        if asked := Asked.of(job):
            return ["faults", "--source", asked.source, case, "--again"] if case else []
        if job.test in MUSEUM_TESTS:
            source = str(MUSEUM.relative_to(self.root))
        words = design.case_words(job, source, case)
        case = "" if job.test == PROBE else case  # no case of a probe can run alone
        return [*words, *(["--only", case] if case else []), "--sim", job.simulator]

    def check_replay(self, test: str, text: str) -> None:
        """See :class:`regress.core.project.Project`."""
        if not test.endswith(STRESS):
            super().check_replay(test, text)
        try:
            steps_of(text)
        except ValueError as error:
            raise UsageError(f"--replay: {error}") from None

    def normalised(self, message: str) -> str:
        """See :class:`regress.core.project.Project`."""
        names = "|".join(sorted(map(re.escape, architectures()), key=len, reverse=True))
        return re.sub(rf"\b(?:{names})\b", "<architecture>", WHERE.sub("", message))

    # Coverage

    def goals(self, job: Job) -> Mapping[str, Iterable[str]]:
        """See :class:`regress.core.project.Project`."""
        return self._design(job.test).goals(job)

    def in_reach(self, job: Job) -> Mapping[str, Iterable[str]]:
        """See :class:`regress.core.project.Project`."""
        return self._design(job.test).in_reach(job)

    def top_of_group(self, group: str) -> str:
        """See :class:`regress.core.project.Project`."""
        return self._owner(group).name

    def reach(self, group: str, bin_name: str, points: Iterable[Point]) -> Reach:
        """See :class:`regress.core.project.Project`."""
        return self._owner(group).reach(group, bin_name, points)

    def _owner(self, group: str) -> DesignUnderTest:
        return next(top for top in self.designs.values() if top.owns(group))

    # Metrics

    def reference(self, job: Job) -> Past | None:
        """See :class:`regress.core.project.Project`; these are the figures of the results page."""
        return reference(job) if job.test in MEASUREMENTS else None

    # Waves

    def wave_view(self, job: Job, waves: WaveFile, message: str, time_ns: float) -> WaveView | None:
        """See :class:`regress.core.project.Project`."""
        return self._design(job.test).wave_view(job, waves, message, time_ns)

    def kind_of_finding(self, finding: str) -> str:
        """See :class:`regress.core.project.Project`."""
        # The kind is the difference in the core, wherever the core is, without the differing bits,
        # which are in brackets.
        return finding.rpartition(IN_CORE)[2].partition(" (")[0]

    # Additional commands and report sections

    def commands(self) -> Sequence[AddCommand]:
        """See :class:`regress.core.project.Project`."""
        # Import here to avoid a cycle: the commands import the run manager, which imports this.
        from verif.project.commands import COMMANDS

        return COMMANDS

    def tables(self) -> Sequence[Table]:
        """See :class:`regress.core.project.Project`."""
        rows = [
            [
                name,
                entry.title,
                entry.module or "model only",
                f"{entry.published.formula} ({entry.published.source})",
                entry.source,
            ]
            for name, entry in architectures().items()
        ]
        headings = ("Name", "Title", "Module", "Cycles as published", "Source")
        return [Table("Architectures", headings, rows)]

    def sections(self, record: RunRecord) -> Sequence[Table]:
        """See :class:`regress.core.project.Project`; mutants, cores, areas, attacks, proofs."""
        from verif.faults.mutants.source import NAME, tables
        from verif.testplan.command import sections

        own = tables(record) if record.plan.name == NAME else [*sections(record)]
        jobs = record.plan.jobs
        if jobs and jobs[0].job.test == CHECK:
            from verif.own_core.verdicts import Verdicts

            own = [*Verdicts(self.black_boxes.description(jobs[0].job), record).tables()]
        measured = [*costs.sections(record), *products.sections(record)]
        return [*own, *measured, *attacks.sections(record)]

    def plots(self, record: RunRecord) -> Mapping[str, str]:
        """See :class:`regress.core.project.Project`."""
        return {**costs.plots(record), **attacks.plots(record)}
