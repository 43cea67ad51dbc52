"""The interface between the manager and a simulator."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from typing_extensions import Self

from regress.core.errors import UsageError
from regress.core.hdlsources import VERILOG
from regress.core.processes import clean_environment, first_line

if TYPE_CHECKING:
    from cocotb_tools.runner import Runner


@dataclass(frozen=True)
class BuildOptions:
    """Options of a build.

    Attributes:
        arguments: the project's own options of the simulator's compiler; they come last.
        quick: its jobs are short: compile it fast instead of making it simulate fast.
    """

    code_coverage: bool = False
    arguments: tuple[str, ...] = ()
    waves: bool = False
    quick: bool = False


@dataclass(frozen=True)
class RunOptions:
    """Options of a simulation run.

    Attributes:
        seed: seed of the job, 0 ... 2**31 - 1.
        build: folder of the build.
        arguments: arguments with which the build was compiled.
    """

    seed: int
    waves: Path | None = None
    code_coverage: Path | None = None
    build: Path = Path()
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True)
class Simulator:
    """An installed simulator. Class attributes are the same for every installation.

    Attributes:
        programs: programs that must be on PATH; the first one prints its version when called with
            ``version_option``.
        executable: the file or folder that a finished build has made, the only thing kept;
            ``{toplevel}`` stands for the module.
        path: folders to prepend to PATH.
        note: message for the user, shown once: which installation is used.
        waves: builds can write waves as FST.
        optional: if the simulator is missing, its jobs are skipped; otherwise the run does not
            start.
        waves_cost: a build that can write waves takes longer, so that only jobs that write waves
            get such a build.
        compiler: Python module whose process makes a build; see :mod:`regress.run.compile`.
        slowdown: how much slower it is than the fastest simulator. A list entry that is not
            written for it runs fewer operations by this factor.
        languages: the languages that it reads, the usual one first.
        foreign_arguments: options of its compiler for a design that was not written for it.
        library_suffixes: option of its compiler: suffixes of files in folders of libraries.
        runner_waves: cocotb's runner must know that a simulation writes waves.
        parameters_at_run: parameters are set when the simulation starts, not in the build.
        keeps_all: every file of a finished build is needed.
        own_folder: its compiler must run in the folder of the build.
        states_files: its compiler states which files it has read, see :meth:`files_read`.
    """

    version: str
    origin: str
    path: tuple[Path, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    note: str = ""
    waves: bool = True

    name: ClassVar[str]
    title: ClassVar[str]
    programs: ClassVar[tuple[str, ...]]
    version_option: ClassVar[str] = "-version"
    runner: ClassVar[str]
    library_suffixes: ClassVar[str] = "+libext+.v+.sv"
    executable: ClassVar[str]
    install: ClassVar[str]
    optional: ClassVar[bool] = True
    measures_code: ClassVar[bool] = False
    waves_cost: ClassVar[bool] = False
    compiler: ClassVar[str] = "regress.run.compile"
    slowdown: ClassVar[int] = 1
    languages: ClassVar[tuple[str, ...]] = (VERILOG,)
    foreign_arguments: ClassVar[tuple[str, ...]] = ()
    runner_waves: ClassVar[bool] = True
    parameters_at_run: ClassVar[bool] = False
    keeps_all: ClassVar[bool] = False
    own_folder: ClassVar[bool] = False
    states_files: ClassVar[bool] = False

    @classmethod
    def find(cls) -> Self:
        """Return the installed simulator; by default, its first program reports the version.

        Raises:
            UsageError: the simulator is not installed; one line.
        """
        if not on_path(*cls.programs):
            raise cls.missing(f"{cls.title} not found")
        path = str(shutil.which(cls.programs[0]))
        return cls(first_line([path, cls.version_option]), path)

    @classmethod
    def missing(cls, reason: str) -> UsageError:
        """Return the error that states why the simulator cannot be used and how to install it."""
        return UsageError(f"{reason}; install with: {cls.install}")

    @classmethod
    def cocotb_runner(cls) -> Runner:
        """Return cocotb's runner for this simulator."""
        # Imported only here: a simulation uses only simulator names and starts faster without this.
        from regress.simulators.cocotb_runner import runner

        return runner.get_runner(cls.runner)

    def portable(self) -> Self:
        """Return the same simulator with builds that also run on machines with other processors."""
        return self

    def library_arguments(self, folders: Sequence[Path]) -> list[str]:
        """Return the options of its compiler for folders with a file for each missing module."""
        named = [word for folder in folders for word in ("-y", str(folder))]
        return [self.library_suffixes, *named] if named else []

    def writes_waves(self, options: BuildOptions) -> bool:
        """Return whether a build can write waves."""
        return self.waves and (options.waves or not self.waves_cost)

    def build_arguments(self, options: BuildOptions) -> list[str]:
        """Return the options of its compiler."""
        return list(options.arguments)

    @classmethod
    def arguments_for_files(cls, folder: Path) -> list[str]:
        """Return the compiler's options for :meth:`files_read`; ``folder`` is that of the build."""
        return []

    @classmethod
    def files_read(cls, folder: Path, cwd: Path) -> list[Path]:
        """Return the files that the compiler has read; also generated ones, and its own.

        Args:
            folder: folder of the build.
            cwd: working directory of the compiler.
        """
        return []

    def build_environment(
        self, options: BuildOptions, shared: Path | None = None
    ) -> dict[str, str]:
        """Return the environment of a build, in which this simulator is found first.

        Args:
            options: how the simulation is built.
            shared: folder for what several builds share; None if this build shares nothing.
        """
        path = os.pathsep.join([*map(str, self.path), os.environ.get("PATH", os.defpath)])
        return clean_environment() | self.environment | {"PATH": path}

    def identity(self, options: BuildOptions) -> dict[str, Any]:
        """Return everything about the simulator that can change a build, as JSON."""
        return {
            "simulator": self.name,
            "version": self.version,
            "origin": self.origin,
            "waves": self.writes_waves(options),
            "arguments": self.build_arguments(options),
        }

    @classmethod
    def prepare(cls, runner: Runner, options: RunOptions) -> None:
        """Adapt cocotb's runner before it runs a simulation that it has not built."""

    @classmethod
    def simulator_arguments(cls, options: RunOptions) -> list[str]:
        """Return the arguments of the simulator itself, which stand before the toplevel."""
        return []

    @classmethod
    def run_arguments(cls, options: RunOptions) -> list[str]:
        """Return the arguments of a simulation."""
        return []


def on_path(*programs: str) -> bool:
    """Return whether all programs are on PATH."""
    return all(shutil.which(program) for program in programs)
