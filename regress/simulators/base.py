"""What the manager asks of a simulator."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from typing_extensions import Self

from regress.core.errors import UsageError
from regress.core.processes import clean_environment, first_line

if TYPE_CHECKING:
    from cocotb_tools.runner import Runner


@dataclass(frozen=True)
class BuildOptions:
    """How a simulation is to be built.

    Attributes:
        arguments: the project's own options of the simulator's compiler; they come last.
    """

    code_coverage: bool = False
    arguments: tuple[str, ...] = ()
    waves: bool = False


@dataclass(frozen=True)
class RunOptions:
    """How a simulation is to be run.

    Attributes:
        seed: of the job, 0 ... 2**31 - 1.
    """

    seed: int
    waves: Path | None = None
    code_coverage: Path | None = None


@dataclass(frozen=True)
class Simulator:
    """An installed simulator; what is the same in every installation belongs to the class.

    Attributes:
        programs: must be on PATH; the first tells its version when given ``version_option``.
        executable: what a build has made when it is finished, a file or a folder, the only thing
            kept; ``{toplevel}`` stands for the module.
        path: folders to put in front of PATH.
        note: what to tell the user once about the choice.
        waves: its builds can write waves as FST.
        optional: where it is missing its jobs are skipped; else the run does not start.
        waves_cost: a build that can write waves takes longer to make, so that only a job that
            writes them gets one.
        slowdown: how much slower it is than the fastest; a row not written for it gets so many
            operations less.
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
    executable: ClassVar[str]
    install: ClassVar[str]
    optional: ClassVar[bool] = True
    measures_code: ClassVar[bool] = False
    waves_cost: ClassVar[bool] = False
    slowdown: ClassVar[int] = 1

    @classmethod
    def find(cls) -> Self:
        """The one installed here; if not said otherwise, what its first program says it is.

        Raises:
            UsageError: there is none; one line.
        """
        if not on_path(*cls.programs):
            raise cls.missing(f"{cls.title} not found")
        path = str(shutil.which(cls.programs[0]))
        return cls(first_line([path, cls.version_option]), path)

    @classmethod
    def missing(cls, reason: str) -> UsageError:
        """The error that says why it cannot be used and what installs it."""
        return UsageError(f"{reason}; install with: {cls.install}")

    @classmethod
    def cocotb_runner(cls) -> Runner:
        """cocotb's way to call it."""
        # A simulation knows simulators by their names, and starts without this.
        from regress.simulators.cocotb_runner import runner

        return runner.get_runner(cls.runner)

    def portable(self) -> Self:
        """The same with builds that run on other machines, too, whatever their processors."""
        return self

    def writes_waves(self, options: BuildOptions) -> bool:
        """Whether a build can write waves."""
        return self.waves and (options.waves or not self.waves_cost)

    def build_arguments(self, options: BuildOptions) -> list[str]:
        """Options of its compiler."""
        return list(options.arguments)

    def build_environment(self, options: BuildOptions) -> dict[str, str]:
        """Environment of a build: this simulator is the one that is found in it."""
        path = os.pathsep.join([*map(str, self.path), os.environ.get("PATH", os.defpath)])
        return clean_environment() | self.environment | {"PATH": path}

    def identity(self, options: BuildOptions) -> dict[str, Any]:
        """Everything of the simulator that can change what is built, as JSON."""
        return {
            "simulator": self.name,
            "version": self.version,
            "origin": self.origin,
            "waves": self.writes_waves(options),
            "arguments": self.build_arguments(options),
        }

    @classmethod
    def run_arguments(cls, options: RunOptions) -> list[str]:
        """Arguments of a simulation."""
        return []


def on_path(*programs: str) -> bool:
    """Whether all of the programs are found."""
    return all(shutil.which(program) for program in programs)
