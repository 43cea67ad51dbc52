"""Builds simulations, once for each content."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import cocotb_tools.config
from filelock import FileLock, Timeout

from models.registry import architecture
from regress.compile import MANIFEST, TIMESCALE, CompileSpec
from regress.plan import BuildPoint
from regress.processes import ProcessGroups
from regress.tools import Simulator, compiler_version, machine_flags
from verif.design import DESIGNS, ROOT, SimulationBuild, simulation_build

BUILD_TIMEOUT = 1800.0
BUILD_LOG = "build.log"
MAX_ERRORS = 3
VERILATOR_ARGUMENTS = (
    # The bench's clock makes the edges of many clocks in one time slot.
    "--converge-limit",
    "1000",
    "--timing",
    "-CFLAGS",
    "-fcoroutines",
    "-O3",
    "--x-assign",
    "fast",
    # cocotb's runner makes every signal public, which halves the speed; the later option wins,
    # and the configuration file makes just the test bench's ports public.
    "--no-public-flat-rw",
    # Registers of all operands together are wide at the largest width.
    "--replication-limit",
    "131072",
)
# Toggles of signals over 256 bits are not counted (--coverage-max-width): measure at small widths.
# A vector whose toggles are counted is not split into its bits, so that a chain through them looks
# like a loop.
COVERAGE_ARGUMENTS = ("--coverage-line", "--coverage-toggle", "-Wno-UNOPTFLAT")
COVERAGE_CONFIG = ROOT / "verif" / "tb" / "code_coverage.vlt"
# Variables of Verilator's makefile. What runs once or writes waves is not optimised: that halves
# the time to build. Nor is, very much, a build that counts what code it runs.
OPTIMISED = ("OPT_FAST=-O3", "OPT_GLOBAL=-O3")
COVERAGE_OPTIMISED = ("OPT_FAST=-O1", "OPT_GLOBAL=-O3")
# Costs a job without waves nothing. All constants together are the widest signal.
WAVE_ARGUMENTS = ("--trace-fst", "--trace-structs", "--trace-max-width", "131072")
ERROR_LINE = re.compile(r"^%Error|\berror\b|syntax error|undefined reference", re.IGNORECASE)


@dataclass(frozen=True)
class BuildOutcome:
    """What became of one build.

    Attributes:
        point: what was built.
        folder: where the simulation is, None if it failed.
        cached: it was there already.
        seconds: wall-clock time.
        errors: first error lines of the tool.
        log: the tool's output, None for a cached build without one.
    """

    point: BuildPoint
    folder: Path | None
    cached: bool
    seconds: float
    errors: tuple[str, ...] = ()
    log: Path | None = None


class Builder:
    """Builds into a shared folder; safe for many threads and processes at once.

    Args:
        root: the shared folder.
        logs: folder of the run that receives the log of each build made for it.
        simulators: the installed simulators by name.
        groups: runs the child processes.
        processes: C++ compilers to run at once within one build.
        hdl: folder with the design, None for the project's own.
        portable: the simulations run on other machines' processors as well.
    """

    def __init__(
        self,
        root: Path,
        logs: Path,
        simulators: Mapping[str, Simulator],
        groups: ProcessGroups,
        processes: int,
        hdl: Path | None = None,
        portable: bool = False,
    ) -> None:
        self._hdl = hdl
        self._root = root
        self._logs = logs
        self._simulators = simulators
        self._groups = groups
        self._processes = processes
        self._compiler = compiler_version()
        self._machine = () if portable else machine_flags()

    def build(self, point: BuildPoint) -> BuildOutcome:
        """Build ``point``, or find it built.

        Raises:
            DesignError: illegal width or parameter.
            OSError: the folder cannot be written.
        """
        start = time.monotonic()
        design = simulation_build(
            DESIGNS[point.design],
            architecture(point.architecture),
            point.width,
            dict(point.parameters),
            self._hdl,
        )
        identity = self._identity(point, design)
        key = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()
        target = self._root / f"{point.name}-{key[:16]}"
        locks = self._root / "locks"
        locks.mkdir(parents=True, exist_ok=True)
        cached = True
        errors: tuple[str, ...] = ()
        log = target / BUILD_LOG
        if not _complete(target) and self._acquire(lock := FileLock(locks / f"{target.name}.lock")):
            try:
                if not _complete(target):
                    cached = False
                    log = self._logs / f"{point.name}.log"
                    errors = self._compile(point, design, identity, target, log)
            finally:
                lock.release()
        return BuildOutcome(
            point=point,
            folder=target if _complete(target) else None,
            cached=cached,
            seconds=time.monotonic() - start,
            errors=errors,
            log=log if log.is_file() else None,
        )

    def _acquire(self, lock: FileLock) -> bool:
        """Wait for another builder of the same thing; False if the run is interrupted."""
        while not self._groups.cancelled:
            try:
                lock.acquire(timeout=1)
                return True
            except Timeout:
                continue
        return False

    def _compile(
        self,
        point: BuildPoint,
        design: SimulationBuild,
        identity: dict[str, Any],
        target: Path,
        log: Path,
    ) -> tuple[str, ...]:
        """Build in a temporary folder and move it into place; returns error lines."""
        log.parent.mkdir(parents=True, exist_ok=True)
        log.unlink(missing_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=self._root))
        try:
            spec_file = folder / "compile.json"
            self._spec(point, design, folder).write(spec_file)
            ended = self._groups.run(
                [sys.executable, "-m", "regress.compile", str(spec_file)],
                cwd=ROOT,
                env=self._environment(point),
                log=log,
                timeout=BUILD_TIMEOUT,
            )
            if ended.timed_out:
                return (f"timed out after {BUILD_TIMEOUT:g} s",)
            if ended.cancelled:
                return ("interrupted",)
            executable = folder / ("sim.vvp" if point.simulator == "icarus" else design.toplevel)
            if ended.returncode or not executable.is_file():
                return _first_errors(log)
            _keep_only(folder, executable)
            shutil.copy(log, folder / BUILD_LOG)
            (folder / MANIFEST).write_text(json.dumps(identity, indent=1) + "\n")
            if target.exists():  # left without a manifest by someone who cleaned up by hand
                shutil.rmtree(target)
            folder.chmod(0o755)  # temporary folders are private
            folder.rename(target)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return ()

    def _spec(self, point: BuildPoint, design: SimulationBuild, folder: Path) -> CompileSpec:
        return CompileSpec(
            simulator=point.simulator,
            folder=str(folder),
            sources=[*map(str, _verilator_configs(point, design)), *map(str, design.sources)],
            toplevel=design.toplevel,
            defines=design.defines,
            parameters=design.parameters,
            arguments=self._arguments(point),
            processes=self._processes,
            waves=self._simulators[point.simulator].waves,
        )

    def _arguments(self, point: BuildPoint) -> list[str]:
        if point.simulator != "verilator":
            return []
        machine = ["-CFLAGS", " ".join(self._machine)] if self._machine else []
        coverage = COVERAGE_ARGUMENTS if point.code_coverage else ()
        waves = WAVE_ARGUMENTS if self._simulators[point.simulator].waves else ()
        return [*VERILATOR_ARGUMENTS, *waves, *machine, *coverage]

    def _make_variables(self, point: BuildPoint) -> tuple[str, ...]:
        if point.simulator != "verilator":
            return ()
        return COVERAGE_OPTIMISED if point.code_coverage else OPTIMISED

    def _environment(self, point: BuildPoint) -> dict[str, str]:
        environment = simulator_environment(self._simulators[point.simulator])
        words = (*environment.get("MAKEFLAGS", "").split(), *self._make_variables(point))
        return environment | {"MAKEFLAGS": " ".join(words)}

    def _identity(self, point: BuildPoint, design: SimulationBuild) -> dict[str, Any]:
        """Everything that can change what is built."""
        tool = self._simulators[point.simulator]
        files = [*design.sources, *_verilator_configs(point, design)]
        return {
            "simulator": point.simulator,
            "version": tool.version,
            "origin": tool.origin,
            "compiler": self._compiler if point.simulator == "verilator" else "",
            "cxxflags": os.environ.get("CXXFLAGS", ""),
            "cocotb": metadata.version("cocotb"),
            # Linked into the executable by its absolute path.
            "libraries": str(cocotb_tools.config.libs_dir),
            "arguments": self._arguments(point),
            "make": self._make_variables(point),
            "timescale": TIMESCALE,
            "waves": tool.waves,
            "toplevel": design.toplevel,
            "defines": design.defines,
            "parameters": design.parameters,
            "files": [[path.name, hashlib.sha256(path.read_bytes()).hexdigest()] for path in files],
        }


def simulator_environment(simulator: Simulator) -> dict[str, str]:
    """Environment of a child process in which ``simulator`` is the one that is found."""
    path = os.pathsep.join([*map(str, simulator.path), os.environ.get("PATH", os.defpath)])
    return clean_environment() | simulator.environment | {"PATH": path}


def clean_environment() -> dict[str, str]:
    """This process's environment without what would change a simulation behind our back.

    cocotb's runner lets the environment win over its own arguments.
    """
    switches = {"WAVES", "GUI", "PYTEST_CURRENT_TEST", "SIM_CMD_PREFIX", "SIM_CMD_SUFFIX"}
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in switches and (not name.startswith("COCOTB_") or name == "COCOTB_LOG_LEVEL")
    }
    # Sets iterate in the same order in every process; logs survive a kill.
    return kept | {"PYTHONHASHSEED": "0", "PYTHONUNBUFFERED": "1"}


def _verilator_configs(point: BuildPoint, design: SimulationBuild) -> list[Path]:
    if point.simulator != "verilator":
        return []
    return [design.verilator_config, *([COVERAGE_CONFIG] if point.code_coverage else [])]


def _complete(folder: Path) -> bool:
    return (folder / MANIFEST).is_file()


def _keep_only(folder: Path, executable: Path) -> None:
    """Drop generated sources and objects: ccache makes a rebuild cheap, disk space is not."""
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path != executable:
            path.unlink()


def _first_errors(log: Path) -> tuple[str, ...]:
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()]
    # The runner repeats its command line, which may name a file "error".
    lines = [line for line in lines if not line.startswith("Running command")]
    errors = [line for line in lines if ERROR_LINE.search(line)]
    return tuple((errors or lines[-MAX_ERRORS:] or ["no output"])[:MAX_ERRORS])
