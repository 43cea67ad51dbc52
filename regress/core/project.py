"""What the manager asks of a project.

``pyproject.toml`` names it: ``[tool.regress] project = "package.module:NAME"``, NAME being a
subclass of :class:`Project` or an instance of one. The manager knows *axes* and *points* (a value
for each axis) and nothing of what they mean. What has an answer here need not be given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from regress.core.errors import UsageError
from regress.core.jobfile import RESULT_FILE, Job, JobResult, Launch
from regress.core.point import Axis, Point

if TYPE_CHECKING:  # what a project may add to commands and reports stands above this module
    from regress.run.record import RunRecord
    from regress.waves.fst import WaveFile
    from regress.waves.view import WaveView

PROJECT_FILE = "pyproject.toml"


@dataclass(frozen=True)
class Test:
    """A cocotb test, plain or pyuvm.

    Attributes:
        top: what it runs on, see :meth:`Project.build`.
        toplevel: module of it that is elaborated; empty if it has the same name.
        simulators: the only ones it can run on; empty for all.
        cases_move: the cases of its jobs mean the same at every point.
    """

    __test__ = False  # pytest need not collect it

    module: str
    name: str
    description: str = ""
    top: str = ""
    toplevel: str = ""
    simulators: tuple[str, ...] = ()
    cases_move: bool = False


@dataclass(frozen=True)
class Build:
    """Everything a simulator needs to compile a point.

    Attributes:
        sources: in compile order.
        files: what the arguments name, so that a change of it is a change of the build.
    """

    sources: tuple[Path, ...]
    toplevel: str
    defines: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, int] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Reach:
    """How a coverage bin is reached.

    Attributes:
        tests: tests that reach it, the likeliest first.
    """

    tests: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Table:
    """A table that a project adds to ``list``, ``history`` or the report."""

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]


#: Mounts a subcommand of a project on what :meth:`argparse.ArgumentParser.add_subparsers` returned.
#: It sets ``run`` to a function of a :class:`regress.cli.options.Call` that returns the exit code.
AddCommand = Callable[[Any, "Project"], None]


class Project:
    """A project as the manager sees it.

    Attributes:
        name: of the project.
        axes: what configurations differ in. Reports and coverage are sorted by the first.
        tests: by the names that lists use.
        counts_operations: each job must say in ``result.json`` that it checked something. Without,
            a job passes by its ``results.xml`` alone.
        traces: tests asked to write ``operations.jsonl``, a line of JSON an operation; jobs that
            differ in the simulator alone are then compared.
        command: how people call the manager, for the commands that reproduce a failure.
        lists: folder of the lists, below the root.
        clock: of the toplevel, for waveforms.
        hdl: folder of the design, below the root; ``--hdl`` names another.
        hdl_file: a file that tells a folder of the design, relative to it; empty if none does.
        exclusions: file of what coverage need not have, below the root.
        shipped: what a worker on another machine needs, below the root.
        packages: Python packages whose versions a run notes.
    """

    name: str = "project"
    axes: Sequence[Axis] = ()
    tests: Mapping[str, Test] = MappingProxyType({})
    counts_operations: bool = False
    traces: bool = False
    command: Sequence[str] = ("regress",)
    lists: str = "lists"
    clock: str = "clk"
    hdl: str = "."
    hdl_file: str = ""
    exclusions: str = "exclusions.yaml"
    shipped: Sequence[str] = (".",)
    packages: Sequence[str] = ("cocotb", "pyuvm")

    def __init__(self, root: Path) -> None:
        """``root`` has ``pyproject.toml``."""
        self.root = root

    # Points

    def resolved(self, test: str, point: Point) -> Point:
        """The whole configuration that a point of a list stands for.

        Raises:
            PointError: it is not legal for this test; the message says what is accepted.
        """
        return point

    def shortest(self, test: str, point: Point) -> Point:
        """The same configuration with as little said as possible: names are made of it."""
        return point

    def simulators(self, test: str, point: Point) -> Sequence[str]:
        """Where a test can run at a point; empty for everywhere."""
        return self.tests[test].simulators

    def draw(
        self,
        test: str,
        values: Mapping[str, Sequence[Any]],
        selected: Mapping[str, Sequence[Any]],
        count: int | None,
        seed: int,
    ) -> Sequence[Point]:
        """Points drawn by chance, the same for the same seed.

        Args:
            test: to be run there.
            values: of a row, by axis; of the first axis one alone. What they bound is the project's
                to say.
            selected: values the command line keeps, by axis; none for all.
            count: how many; None for as many as have one of every class.
            seed: of the run.
        """
        raise UsageError(f"project {self.name} draws no configurations")

    def simpler(self, test: str, point: Point) -> Iterable[Point]:
        """Simpler legal points than one, those that save most first: a failure ends at the last."""
        return ()

    # Builds and jobs

    def build(
        self, top: str, point: Point, simulator: Any, hdl: Path | None, code_coverage: bool
    ) -> Build:
        """What is compiled for a point.

        Args:
            top: of the test.
            point: see :meth:`shortest`.
            simulator: the simulator that compiles it; its ``name`` says which.
            hdl: folder of the design, None for the project's own.
            code_coverage: it is to count lines, branches and toggles.

        Raises:
            PointError: it is not legal.
        """
        raise UsageError(f"project {self.name} does not say how a point is built: method build")

    def environment(self, job: Job) -> Mapping[str, str]:
        """Environment variables of a job's simulation."""
        return {}

    def check_hdl(self, folder: Path) -> None:
        """Refuse a folder that has no design in it.

        Raises:
            UsageError: it has none.
        """
        if not folder.is_dir() or not (folder / self.hdl_file).exists():
            has = f"a folder with {self.hdl_file} in it" if self.hdl_file else "a folder"
            raise UsageError(f"'{folder}' is no design folder; accepted: {has}")

    # Verdicts

    def problem(self, job: Job, result: JobResult | None) -> str:
        """What is wrong with a job that ended well; empty if nothing is."""
        return ""

    def case_command(self, job: Job, case: str, source: str) -> Sequence[str]:
        """What runs one case of a job alone, behind :attr:`command`; empty if nothing does.

        Args:
            job: has the case.
            case: its name; empty for all of the job's.
            source: file that the run was about.
        """
        return ()

    def check_replay(self, test: str, text: str) -> None:
        """Raises a UsageError, with what is accepted, if a test cannot replay a text."""
        raise UsageError(f"--replay: test {test!r} replays nothing")

    def normalised(self, message: str) -> str:
        """A message without what differs between failures of one kind.

        Numbers and paths need not be taken out.
        """
        return message

    # Coverage

    def goals(self, job: Job) -> Mapping[str, Iterable[str]]:
        """Bins that jobs at a point must hit, by group: known before anything runs."""
        return {}

    def in_reach(self, job: Job) -> Mapping[str, Iterable[str]]:
        """Bins that jobs at a point can hit, by group; by themselves they may not hit all goals."""
        return self.goals(job)

    def top_of_group(self, group: str) -> str:
        """What tests must run on to collect a coverage group (or a pattern of groups)."""
        return self.default_top

    def reach(self, group: str, bin_name: str, points: Iterable[Point]) -> Reach:
        """How a bin is reached; ``points`` are those that were planned."""
        return Reach()

    # Waves

    def wave_view(self, job: Job, waves: WaveFile, message: str, time_ns: float) -> WaveView | None:
        """Which signals a waveform shows and what is wrong in it; None for all signals of the top.

        Args:
            job: that was run.
            waves: of it.
            message: its failure.
            time_ns: simulated time of the failure.
        """
        return None

    def kind_of_finding(self, finding: str) -> str:
        """Equal for failures that the waves show to be the same; empty if they do not tell."""
        return ""

    # More commands, more to read

    def commands(self) -> Sequence[AddCommand]:
        """Subcommands of the project's own."""
        return ()

    def tables(self) -> Sequence[Table]:
        """What the command ``list`` shows beside lists and tests."""
        return ()

    def sections(self, record: RunRecord) -> Sequence[Table]:
        """Further sections of a run's report."""
        return ()

    def history(self, runs: Path, last: int) -> Sequence[Table]:
        """What the command ``history`` shows beside the ``last`` runs in a folder of runs."""
        return ()

    # Made of the above

    def axis(self, name: str) -> Axis:
        """An axis by its name."""
        return next(axis for axis in self.axes if axis.name == name)

    @property
    def default_top(self) -> str:
        """What the first test runs on: names of builds do not mention it."""
        return next((test.top for test in self.tests.values()), "")

    def cases(self, job: Job) -> Sequence[Mapping[str, Any]]:
        """The cases of a job that a list or the command ``job`` asks for; none by default.

        Args:
            job: without cases.
        """
        return ()

    def launch(self, job: Job) -> Launch:
        """What the process of a job needs to know of the project."""
        test = self.tests[job.test]
        return Launch(
            test.module, test.name, test.toplevel or test.top, dict(self.environment(job))
        )

    def result(self, folder: Path) -> JobResult:
        """What a job's simulation has reported; one that need report nothing may have no file.

        Raises:
            UsageError: the file is missing or no result.
        """
        path = folder / RESULT_FILE
        if not (self.counts_operations or path.exists()):
            return JobResult()
        return JobResult.read(path)

    @property
    def subject(self) -> Axis:
        """The first axis; one without a name if there is none."""
        return self.axes[0] if self.axes else Axis("point")

    @property
    def list_folder(self) -> Path:
        """The lists."""
        return self.root / self.lists

    @property
    def hdl_folder(self) -> Path:
        """The design."""
        return self.root / self.hdl
