"""The interface between the manager and a project.

``pyproject.toml`` names the project: ``[tool.regress] project = "package.module:NAME"``. NAME is a
subclass of :class:`Project` or an instance of one. The manager handles *axes* and *points* (a point
has one value for each axis). It does not know what they mean. A project overrides only the members
whose default here does not fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from regress.core.errors import UsageError
from regress.core.jobfile import RESULT_FILE, Job, JobResult, Launch
from regress.core.metrics import Past
from regress.core.point import Axis, Point

if TYPE_CHECKING:  # for type checking only: these modules belong to higher layers
    from regress.run.record import RunRecord
    from regress.waves.fst import WaveFile
    from regress.waves.view import WaveView

PROJECT_FILE = "pyproject.toml"
# Unit and precision of sources that state none.
TIMESCALE = ("1ns", "1ps")


@dataclass(frozen=True)
class Test:
    """A cocotb test, plain or pyuvm.

    Attributes:
        top: the design unit under test, see :meth:`Project.build`.
        toplevel: module to elaborate; empty if it has the name of ``top``.
        simulators: the only simulators that can run the test; empty for all.
        cases_move: the cases of the test's jobs have the same meaning at every point.
        place: file and line, ``tests/test_fifo.py:12``; empty if unknown.
        program: Python module that is the job's process instead of a simulation; see
            :class:`regress.core.jobfile.Launch`.
    """

    __test__ = False  # pytest must not collect this class

    module: str
    name: str
    description: str = ""
    top: str = ""
    toplevel: str = ""
    simulators: tuple[str, ...] = ()
    cases_move: bool = False
    place: str = ""
    program: str = ""


@dataclass(frozen=True)
class Build:
    """Everything a simulator needs to compile a point.

    Attributes:
        sources: source files in compile order.
        parameters: parameters or generics; a text is passed as it is, with its own quotes.
        files: files that the arguments name. A change of their content causes a new build.
        includes: folders of include files; a change of a file in them causes a new build.
        timescale: unit and precision where the sources state none.
        folder: working directory of the compiler, for relative paths in the sources; None for the
            folder of the build.
    """

    sources: tuple[Path, ...]
    toplevel: str
    defines: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, int | str] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    includes: tuple[Path, ...] = ()
    timescale: tuple[str, str] = TIMESCALE
    folder: Path | None = None


@dataclass(frozen=True)
class Reach:
    """Tests that reach a coverage bin.

    Attributes:
        tests: tests that reach the bin, the likeliest first.
    """

    tests: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Table:
    """A table that a project adds to ``list``, ``history`` or the report."""

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]


#: Mounts a project's subcommand on the object that :meth:`argparse.ArgumentParser.add_subparsers`
#: returns. It sets ``run`` to a function that takes a :class:`regress.cli.options.Call` and returns
#: the exit code.
AddCommand = Callable[[Any, "Project"], None]


class Project:
    """A project as the manager sees it.

    Attributes:
        name: name of the project.
        axes: the axes of the configurations. Reports and coverage are sorted by the first axis.
        tests: tests by the names that lists use.
        counts_operations: each job must report in ``result.json`` that it checked something. If
            False, ``results.xml`` alone decides whether a job passes.
        errors_fail: an error that the design reports (``$error``, an assertion of severity error)
            fails the job. If False, the job and the report have a warning.
        traces: tests write ``operations.jsonl`` on request, one line of JSON for each operation.
            The manager compares these files for jobs that differ only in the simulator.
        command: command that starts the manager. Reports use it in the commands that reproduce a
            failure.
        lists: folder of the lists, relative to the root.
        clock: clock signal of the toplevel, for waveforms.
        hdl: folder of the design, relative to the root; ``--hdl`` selects another folder.
        hdl_file: file that every folder of the design contains, relative to that folder; empty if
            no file identifies such a folder.
        exclusions: file of coverage exclusions, relative to the root.
        shipped: files and folders that a worker on another machine needs, relative to the root.
        packages: Python packages whose versions a run records.
        tools: further classes like :class:`regress.simulators.base.Simulator`, by name, such as
            synthesis targets. Lists use them like simulators.
    """

    name: str = "project"
    axes: Sequence[Axis] = ()
    tests: Mapping[str, Test] = MappingProxyType({})
    counts_operations: bool = False
    errors_fail: bool = False
    traces: bool = False
    command: Sequence[str] = ("regress",)
    lists: str = "lists"
    clock: str = "clk"
    hdl: str = "."
    hdl_file: str = ""
    exclusions: str = "exclusions.yaml"
    shipped: Sequence[str] = (".",)
    packages: Sequence[str] = ("cocotb", "pyuvm")
    tools: Mapping[str, type[Any]] = MappingProxyType({})

    def __init__(self, root: Path) -> None:
        """Use the project in the folder ``root``, which contains ``pyproject.toml``."""
        self.root = root

    # Points

    def resolved(self, test: str, point: Point) -> Point:
        """Complete a point of a list to a whole configuration.

        Raises:
            PointError: the point is not legal for this test; the message states what is accepted.
        """
        return point

    def shortest(self, test: str, point: Point) -> Point:
        """Return the same configuration without its default values. Names are made from it."""
        return point

    def simulators(self, test: str, point: Point) -> Sequence[str]:
        """Return the simulators that can run a test at a point; empty for all."""
        return self.tests[test].simulators

    def draw(
        self,
        test: str,
        values: Mapping[str, Sequence[Any]],
        selected: Mapping[str, Sequence[Any]],
        count: int | None,
        seed: int,
    ) -> Sequence[Point]:
        """Draw random points. The same seed gives the same points.

        Args:
            test: test that runs at the points.
            values: values of the list entry, by axis; exactly one value for the first axis. The
                project decides what each value limits.
            selected: values that the command line keeps, by axis; empty for all.
            count: number of points; None for as many as it takes to have one of every class.
            seed: seed of the run.
        """
        raise UsageError(f"project {self.name} draws no configurations")

    def simpler(self, test: str, point: Point) -> Iterable[Point]:
        """Return legal points that are simpler than ``point``, the largest saving first."""
        return ()

    # Builds and jobs

    def build(
        self, top: str, point: Point, simulator: Any, hdl: Path | None, code_coverage: bool
    ) -> Build:
        """Return what the simulator compiles for a point.

        Args:
            top: top of the test.
            point: see :meth:`shortest`.
            simulator: the simulator that compiles the design; see its ``name``.
            hdl: folder of the design; None for the project's own.
            code_coverage: the build counts lines, branches and toggles.

        Raises:
            PointError: the point is not legal.
        """
        raise UsageError(
            f"project {self.name} has no method build, which states how a point is built"
        )

    def environment(self, job: Job) -> Mapping[str, str]:
        """Return the environment variables of a job's simulation."""
        return {}

    def effort(self, job: Job) -> float:
        """Estimate how much a job simulates: clock cycles, times words of 32 bits of a wide design.

        A build whose jobs simulate little is compiled fast instead of optimised; 0 counts as
        little.
        """
        return 0.0

    def check_hdl(self, folder: Path) -> None:
        """Reject a folder that contains no design.

        Raises:
            UsageError: the folder contains no design.
        """
        if not folder.is_dir() or not (folder / self.hdl_file).exists():
            has = f"a folder with {self.hdl_file} in it" if self.hdl_file else "a folder"
            raise UsageError(f"'{folder}' is not a design folder; accepted: {has}")

    # Verdicts

    def problem(self, job: Job, result: JobResult | None) -> str:
        """Return the problem of a job that ended normally; empty if it has none."""
        return ""

    def case_command(self, job: Job, case: str, source: str) -> Sequence[str]:
        """Return the words that, after :attr:`command`, run one case of a job alone; may be empty.

        Args:
            job: job that has the case.
            case: name of the case; empty for all cases of the job.
            source: path of the list or vector file of the run.
        """
        return ()

    def check_replay(self, test: str, text: str) -> None:
        """Raise a UsageError that states what is accepted if a test cannot replay ``text``."""
        raise UsageError(f"--replay: test {test!r} cannot replay a sequence")

    def normalised(self, message: str) -> str:
        """Return a message without the parts that differ between failures of one kind.

        The caller removes numbers and paths.
        """
        return message

    # Coverage

    def goals(self, job: Job) -> Mapping[str, Iterable[str]]:
        """Return the bins that the jobs at a point must hit, by group, before any job runs."""
        return {}

    def in_reach(self, job: Job) -> Mapping[str, Iterable[str]]:
        """Return the bins that jobs at a point can hit, by group. Some goals may be missing."""
        return self.goals(job)

    def top_of_group(self, group: str) -> str:
        """Return the top on which tests collect a coverage group (or a pattern of groups)."""
        return self.default_top

    def reach(self, group: str, bin_name: str, points: Iterable[Point]) -> Reach:
        """Return how tests reach a bin; ``points`` are the planned points."""
        return Reach()

    # Metrics

    def reference(self, job: Job) -> Past | None:
        """Return the figures of a job's point from before the first run in this workspace."""
        return None

    # Waves

    def wave_view(self, job: Job, waves: WaveFile, message: str, time_ns: float) -> WaveView | None:
        """Return the signals a waveform shows and the error in it; None for all signals of the top.

        Args:
            job: the job that was run.
            waves: its waves.
            message: its failure message.
            time_ns: simulated time of the failure.
        """
        return None

    def kind_of_finding(self, finding: str) -> str:
        """Return the same text for failures whose waves show the same error; may be empty."""
        return ""

    # Additional commands and tables

    def plots(self, record: RunRecord) -> Mapping[str, str]:
        """Return additional plots for the report of a run that has ended: SVG by title."""
        return {}

    def commands(self) -> Sequence[AddCommand]:
        """Return the project's own subcommands."""
        return ()

    def tables(self) -> Sequence[Table]:
        """Return the tables that the command ``list`` adds to lists and tests."""
        return ()

    def sections(self, record: RunRecord) -> Sequence[Table]:
        """Return additional sections for the report of a run."""
        return ()

    # Derived from the members above

    def axis(self, name: str) -> Axis:
        """Return the axis with this name."""
        return next(axis for axis in self.axes if axis.name == name)

    @property
    def default_top(self) -> str:
        """Return the top of the first test. Names of builds omit this top."""
        return next((test.top for test in self.tests.values()), "")

    def cases(self, job: Job) -> Sequence[Mapping[str, Any]]:
        """Return the cases of a job from a list or from the command ``job``; none by default.

        Args:
            job: the job, still without cases.
        """
        return ()

    def launch(self, job: Job) -> Launch:
        """Return what the job's process needs to know about the project."""
        test = self.tests[job.test]
        return Launch(
            test.module,
            test.name,
            test.toplevel or test.top,
            dict(self.environment(job)),
            program=test.program,
            plain=not self.counts_operations,
        )

    def result(self, folder: Path) -> JobResult:
        """Read the result that a job's simulation has reported.

        The file is optional if the project does not count operations.

        Raises:
            UsageError: the file is missing or is not a result.
        """
        path = folder / RESULT_FILE
        if not (self.counts_operations or path.exists()):
            return JobResult()
        return JobResult.read(path)

    @property
    def subject(self) -> Axis:
        """The first axis; an unnamed placeholder if the project has no axes."""
        return self.axes[0] if self.axes else Axis("point")

    @property
    def list_folder(self) -> Path:
        """Folder of the lists."""
        return self.root / self.lists

    @property
    def hdl_folder(self) -> Path:
        """Folder of the design."""
        return self.root / self.hdl
