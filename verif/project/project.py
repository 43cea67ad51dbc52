"""This project as the manager of its runs sees it: the one thing of it that ``regress`` knows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from models.registry import architecture, architectures, hardware_architectures
from regress.core.errors import UsageError, not_accepted
from regress.core.jobfile import Job
from regress.core.point import IntegerAxis, MappingAxis, NamedAxis, Point, PointError
from regress.core.project import AddCommand, Build, Project, Reach, Table, Test
from regress.simulators.verilator import Verilator
from regress.waves.fst import WaveFile
from regress.waves.view import WaveView
from verif.bench.configuration.config import BenchConfig
from verif.bench.configuration.design import (
    DESIGNS,
    EXPONENTIATION,
    MAX_WIDTH,
    MULTIPLIER,
    NETLIST,
    NETLISTS,
    Design,
    DesignError,
    check_width,
    resolved_parameters,
    simulation_build,
    simulator_settings,
)
from verif.bench.configuration.drawn import (
    Configuration,
    draw_configurations,
    simpler_configurations,
)
from verif.bench.configuration.job import point_of
from verif.bench.configuration.tests_by_name import TESTS
from verif.bench.coverage.goals import bins_in_reach, goals_of, stimulus_of
from verif.bench.stress.step import steps_of
from verif.bench.waves.mismatch import IN_CORE
from verif.bench.waves.view import wave_view
from verif.faults import PROGRAM as FAULT_PROGRAM
from verif.implement.flow.trend import sections as cost_sections
from verif.implement.netlist import netlist_files
from verif.own_core.core_module import is_watched
from verif.own_core.project import TEST as BLACK_BOX_TEST
from verif.own_core.project import TESTS as BLACK_BOX_TESTS
from verif.own_core.project import TOP as BLACK_BOX
from verif.own_core.project import BlackBoxes, check_words

if TYPE_CHECKING:  # it knows projects
    from regress.run.record import RunRecord

# "faster_montgomery 32 bits at 1230 ns: x=0x1 y=0x2 m=0x7 raw: what is wrong"
WHERE = re.compile(r"\b\w+ \d+ bits(?: [^:]*?)? at \d+ ns: (?:[^:]*=[^:]*: )?")
EXPONENTIATION_PREFIX = "exp_"
WALK = "walk"


@dataclass(frozen=True)
class ArchitectureAxis(NamedAxis):
    """The architectures that have a SystemVerilog module."""

    def read(self, value: Any) -> str:
        """See :class:`regress.core.point.Axis`."""
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
            named={NETLIST: {name: number for number, name in NETLISTS.items()}},
        ),
    )
    tests: Mapping[str, Test] = MappingProxyType({**TESTS, **BLACK_BOX_TESTS})
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

    @cached_property
    def black_boxes(self) -> BlackBoxes:
        """Cores from outside."""
        return BlackBoxes(self.root / "build" / "cores")

    # Points

    def resolved(self, test: str, point: Point) -> Point:
        """See :class:`regress.core.project.Project`."""
        if self.tests[test].top == BLACK_BOX:
            self.black_boxes.core(point["architecture"])
            return point
        return _resolved(DESIGNS[self.tests[test].top], point)

    def simulators(self, test: str, point: Point) -> Sequence[str]:
        """See :class:`regress.core.project.Project`."""
        if point["parameters"].get(NETLIST):
            return (Verilator.name,)
        return super().simulators(test, point)

    def shortest(self, test: str, point: Point) -> Point:
        """See :class:`regress.core.project.Project`.

        A default may depend on another parameter, so what equals its default may still have to be
        said.
        """
        if self.tests[test].top == BLACK_BOX:
            return point
        design = DESIGNS[self.tests[test].top]
        whole = _resolved(design, point)
        least = dict(whole["parameters"])
        for name in whole["parameters"]:
            rest = {key: value for key, value in least.items() if key != name}
            try:
                if _resolved(design, point.with_value("parameters", rest)) == whole:
                    least = rest
            except PointError:
                continue
        return point.with_value("parameters", dict(sorted(least.items())))

    def draw(
        self,
        test: str,
        values: Mapping[str, Sequence[Any]],
        selected: Mapping[str, Sequence[Any]],
        count: int | None,
        seed: int,
    ) -> Sequence[Point]:
        """See :class:`regress.core.project.Project`.

        Widths are drawn between the least and the greatest that the row names.
        """
        between = range(min(values["width"]), max(values["width"]) + 1)
        wanted = selected.get("width", ())
        widths = [width for width in wanted if width in between] if wanted else list(between)
        (name,) = values["architecture"]
        if not widths:
            return []
        found = draw_configurations(DESIGNS[self.tests[test].top], name, count, seed, widths)
        return [point_of(name, each.width, dict(each.parameters)) for each in found]

    def simpler(self, test: str, point: Point) -> Iterator[Point]:
        """See :class:`regress.core.project.Project`."""
        if self.tests[test].top == BLACK_BOX:
            yield from self.black_boxes.simpler(point)
            return
        own = Configuration(
            point["architecture"], point["width"], tuple(sorted(point["parameters"].items()))
        )
        for found in simpler_configurations(DESIGNS[self.tests[test].top], own):
            yield point_of(found.architecture, found.width, dict(found.parameters))

    # Builds

    def build(
        self, top: str, point: Point, simulator: Any, hdl: Path | None, code_coverage: bool
    ) -> Build:
        """See :class:`regress.core.project.Project`; a netlist is synthesised first."""
        if top == BLACK_BOX:
            return self.black_boxes.build(point, hdl, simulator.runner)
        parameters = point["parameters"]
        files: tuple[Path, ...] = ()
        if parameters.get(NETLIST):
            if simulator.runner != Verilator.runner:
                raise PointError(f"{NETLIST}: netlists run on verilator alone", "parameters")
            files = netlist_files(
                NETLISTS[parameters[NETLIST]], DESIGNS[top], point["architecture"], point["width"],
                parameters, hdl,
            )  # fmt: skip
        made = simulation_build(
            DESIGNS[top],
            architecture(point["architecture"]),
            point["width"],
            parameters,
            hdl,
            files,
        )
        configs, arguments = simulator_settings(made, simulator.runner, code_coverage)
        return Build(
            sources=(*configs, *made.sources),
            toplevel=made.toplevel,
            defines=made.defines,
            parameters=made.parameters,
            arguments=arguments,
        )

    def environment(self, job: Job) -> Mapping[str, str]:
        """See :class:`regress.core.project.Project`."""
        # The models use numpy for bits, never its linear algebra: no threads for that.
        threads = {"OPENBLAS_NUM_THREADS": "1"}
        if self.tests[job.test].top == BLACK_BOX:
            return threads | self.black_boxes.environment(job)
        return threads

    # Verdicts

    def case_command(self, job: Job, case: str, source: str) -> Sequence[str]:
        """See :class:`regress.core.project.Project`: vectors, mutants and faults."""
        if job.launch and job.launch.program:
            if not case:
                return []
            fault = job.launch.program == FAULT_PROGRAM
            return ["faults", case, "--again"] if fault else ["mutate", "--mutant", case]
        words = ["vectors", source, "--arch", job.subject]
        if self.tests[job.test].top == BLACK_BOX:
            words = check_words(job, source)
        return [*words, *(["--only", case] if case else []), "--sim", job.simulator]

    def check_replay(self, test: str, text: str) -> None:
        """See :class:`regress.core.project.Project`."""
        if not test.endswith(WALK):
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
        if self.tests[job.test].top == BLACK_BOX:
            return self.black_boxes.goals(job)
        return goals_of(job)

    def in_reach(self, job: Job) -> Mapping[str, Iterable[str]]:
        """See :class:`regress.core.project.Project`."""
        if self.tests[job.test].top == BLACK_BOX:
            return self.black_boxes.goals(job)
        return bins_in_reach(job)

    def top_of_group(self, group: str) -> str:
        """See :class:`regress.core.project.Project`."""
        return BLACK_BOX if is_watched(group) else _design_of_group(group).name

    def reach(self, group: str, bin_name: str, points: Iterable[Point]) -> Reach:
        """See :class:`regress.core.project.Project`."""
        if is_watched(group):
            return Reach((BLACK_BOX_TEST,))
        stimulus = stimulus_of(_design_of_group(group), group, bin_name)
        if not stimulus:
            return Reach()
        solves = stimulus.operands and any(
            architecture(point["architecture"]).rare_operands(point["width"]) for point in points
        )
        return Reach(stimulus.tests, "the entry solves operands for rare cases" if solves else "")

    # Waves

    def wave_view(self, job: Job, waves: WaveFile, message: str, time_ns: float) -> WaveView | None:
        """See :class:`regress.core.project.Project`."""
        if self.tests[job.test].top == BLACK_BOX:
            return self.black_boxes.wave_view(job, waves, message, time_ns)
        return wave_view(BenchConfig.from_job(job), waves, message, time_ns)

    def kind_of_finding(self, finding: str) -> str:
        """See :class:`regress.core.project.Project`."""
        # A core differs alike, whatever it is part of; which bits do is said behind the numbers.
        return finding.rpartition(IN_CORE)[2].partition(" (")[0]

    # More commands, more to read

    def commands(self) -> Sequence[AddCommand]:
        """See :class:`regress.core.project.Project`."""
        # They need all of the manager, which needs this module first.
        from verif.project.commands import COMMANDS

        return COMMANDS

    def tables(self) -> Sequence[Table]:
        """See :class:`regress.core.project.Project`."""
        rows = [
            [
                name,
                entry.title,
                entry.module or "model only",
                f"{entry.published.clocks} ({entry.published.source})",
                entry.source,
            ]
            for name, entry in architectures().items()
        ]
        headings = ("Name", "Title", "Module", "Clocks as published", "Source")
        return [Table("Architectures", headings, rows)]

    def sections(self, record: RunRecord) -> Sequence[Table]:
        """See :class:`regress.core.project.Project`: mutants, and measurements beside this run."""
        from verif.faults.mutants.outcome import MUTANTS, tables

        own = tables(record) if MUTANTS in record.plan.options else []
        return [*own, *cost_sections(record.folder.resolve().parent)]

    def history(self, runs: Path, last: int) -> Sequence[Table]:
        """See :class:`regress.core.project.Project`."""
        return cost_sections(runs, last)


def _resolved(design: Design, point: Point) -> Point:
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


def _design_of_group(group: str) -> Design:
    return EXPONENTIATION if group.startswith(EXPONENTIATION_PREFIX) else MULTIPLIER
