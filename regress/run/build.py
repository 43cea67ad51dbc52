"""Builds simulations. The same content is built only once."""

from __future__ import annotations

import glob
import hashlib
import json
import re
import shutil
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import cocotb_tools.config
from filelock import FileLock, Timeout

from regress.core.buildrecord import BuildOutcome
from regress.core.hdlsources import language_of
from regress.core.plan import BuildPoint, PlannedJob
from regress.core.processes import ProcessGroups
from regress.core.project import Build, Project
from regress.run.compile import MANIFEST, CompileSpec, manifest
from regress.simulators import BuildOptions, Simulator

BUILD_TIMEOUT = 1800.0
BUILD_LOG = "build.log"
MAX_ERRORS = 3
INCLUDED = (".v", ".vh", ".sv", ".svh", ".h", ".inc", ".mem", ".hex")
# Key of the manifest: content of the files that the compiler read beside those it was given.
READ = "read"
# Options of compilers that name a folder or a file: -I../inc, -f list.f, +incdir+../inc.
OPTION = re.compile(r"-[A-Za-z]=?|\+\w+\+")
# Folder that builds share: see :meth:`regress.simulators.base.Simulator.build_environment`.
SHARED = "shared"
# From this effort on, the jobs of a build gain more from optimised code than compiling it takes.
LONG_EFFORT = 5e6
ERROR_LINE = re.compile(r"^%Error|\berror\b|syntax error|undefined reference", re.IGNORECASE)
# If a Verilator build fails on warnings alone, its only error line starts with the second text.
WARNING_LINE, ONLY_WARNINGS = "%Warning-", "%Error: Exiting due to "


class Builder:
    """Builds into a shared folder. Safe for concurrent threads and processes.

    Args:
        project: states how points are built.
        root: the shared folder.
        logs: folder of the run that receives the log of each build made for it.
        processes: C++ compilers that run at once within one build.
        long: the points whose builds are optimised, because their jobs simulate much.
    """

    def __init__(
        self,
        project: Project,
        root: Path,
        logs: Path,
        simulators: Mapping[str, Simulator],
        groups: ProcessGroups,
        processes: int,
        hdl: Path | None = None,
        long: Collection[BuildPoint] = (),
    ) -> None:
        self._project = project
        self._long = long
        self._hdl = hdl
        self._root = root
        # Also a campaign with a build folder of its own uses the objects of other builds.
        self._shared = project.root.absolute() / "build" / SHARED
        self._logs = logs
        self._simulators = simulators
        self._groups = groups
        self._processes = processes

    def build(self, point: BuildPoint) -> BuildOutcome:
        """Build ``point``, unless the build exists already.

        Raises:
            PointError: the point is not legal.
            OSError: the folder cannot be written.
        """
        start = time.monotonic()
        simulator = self._simulators[point.simulator]
        hdl = Path(point.hdl) if point.hdl else self._hdl
        design = self._project.build(point.top, point.point, simulator, hdl, point.code_coverage)
        options = BuildOptions(
            point.code_coverage, design.arguments, point.waves, quick=point not in self._long
        )
        identity = self._identity(simulator, design, options)
        key = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()
        stem = f"{point.name}-{key[:16]}"
        locks = self._root / "locks"
        locks.mkdir(parents=True, exist_ok=True)
        cached = True
        errors: tuple[str, ...] = ()
        log = self._logs / f"{point.name}.log"
        target = self._current(stem)
        if target is None and self._acquire(lock := FileLock(locks / f"{stem}.lock")):
            try:
                target = self._current(stem)
                if target is None:
                    cached = False
                    target, errors = self._compile(simulator, design, options, identity, stem, log)
            finally:
                lock.release()
        if cached and target:
            log = target / BUILD_LOG
        return BuildOutcome(
            point=point,
            folder=target,
            cached=cached,
            seconds=time.monotonic() - start,
            errors=errors,
            log=log if log.is_file() else None,
        )

    def _current(self, stem: str) -> Path | None:
        """Return the build whose compiler would read the same files again; None if none exists."""
        for folder in sorted(self._root.glob(f"{glob.escape(stem)}-*")):
            read = manifest(folder).get(READ)
            if read is not None and all(_digest(Path(name)) == read[name] for name in read):
                return folder
        return None

    def _acquire(self, lock: FileLock) -> bool:
        """Wait for other builders of the same content; return False if the run is interrupted."""
        while not self._groups.cancelled:
            try:
                lock.acquire(timeout=1)
                return True
            except Timeout:
                continue
        return False

    def _compile(
        self,
        simulator: Simulator,
        design: Build,
        options: BuildOptions,
        identity: dict[str, Any],
        stem: str,
        log: Path,
    ) -> tuple[Path | None, tuple[str, ...]]:
        """Build in a temporary folder and move it into place; return it, or the error lines."""
        started = time.time()
        log.parent.mkdir(parents=True, exist_ok=True)
        log.unlink(missing_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=f".{stem}-", dir=self._root))
        try:
            spec_file = folder / "compile.json"
            cwd = folder if simulator.own_folder else design.folder or folder
            CompileSpec(
                simulator=simulator.name,
                folder=str(folder),
                sources=[str(path) for path in design.sources],
                toplevel=design.toplevel,
                defines=dict(design.defines),
                parameters=dict(design.parameters),
                arguments=[
                    *simulator.build_arguments(options),
                    *simulator.arguments_for_files(folder),
                ],
                processes=self._processes,
                waves=simulator.writes_waves(options),
                cwd=str(cwd),
                includes=[str(path) for path in design.includes],
                timescale=list(design.timescale),
            ).write(spec_file)
            ended = self._groups.run(
                [sys.executable, "-m", simulator.compiler, str(spec_file)],
                cwd=self._project.root,
                env=simulator.build_environment(options, self._shared),
                log=log,
                timeout=BUILD_TIMEOUT,
            )
            if ended.timed_out:
                return None, (f"timed out after {BUILD_TIMEOUT:g} s",)
            if ended.cancelled:
                return None, ("interrupted",)
            pattern = simulator.executable.format(toplevel=design.toplevel)
            executable = next(folder.glob(pattern), None)
            if ended.returncode or executable is None:
                return None, _first_errors(log)
            read = _read(simulator.files_read(folder, cwd), design, folder, started)
            if not simulator.keeps_all:
                _keep_only(folder, executable)
            shutil.copy(log, folder / BUILD_LOG)
            (folder / MANIFEST).write_text(json.dumps({**identity, READ: read}, indent=1) + "\n")
            content = hashlib.sha256(json.dumps(read).encode()).hexdigest()
            target = self._root / f"{stem}-{content[:8]}"
            # It has no manifest, or states no content of a file that changed during its build.
            if target.exists():
                shutil.rmtree(target)
            folder.chmod(0o755)  # mkdtemp makes the folder private
            folder.rename(target)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return target, ()

    def _identity(
        self, simulator: Simulator, design: Build, options: BuildOptions
    ) -> dict[str, Any]:
        return {
            **simulator.identity(options),
            "cocotb": metadata.version("cocotb"),
            # The executable contains the absolute path of these libraries.
            "libraries": str(cocotb_tools.config.libs_dir),
            "timescale": list(design.timescale),
            "includes": [str(path) for path in design.includes],
            "language": language_of(design.sources),
            "toplevel": design.toplevel,
            "defines": dict(design.defines),
            "parameters": dict(design.parameters),
            "files": [
                [path.name, hashlib.sha256(path.read_bytes()).hexdigest()]
                for path in (*design.sources, *design.files, *_reachable(simulator, design))
            ],
        }


def _reachable(simulator: Simulator, design: Build) -> list[Path]:
    """Return the files beside the sources that the compiler can read.

    If a simulator states what it has read, these are only the files directly in the include
    folders: a new file there can hide another one.
    """
    named = [path for word in design.arguments if (path := _named(design, word)).exists()]
    found = [path for path in named if path.is_file()]
    places = [(folder, "*") for folder in design.includes]
    if not simulator.states_files:
        folders = [*design.includes, *filter(None, [design.folder]), *named]
        places = [(folder, "**/*") for folder in folders if folder.is_dir()]
    for folder, pattern in places:
        found += sorted(path for path in folder.glob(pattern) if path.suffix in INCLUDED)
    known = {*design.sources, *design.files}
    return [path for path in dict.fromkeys(found) if path not in known and path.is_file()]


def _named(design: Build, word: str) -> Path:
    """Return the path that an argument of a compiler may name."""
    option = OPTION.match(word)
    return (design.folder or Path()) / word[option.end() if option else 0 :]


def _read(
    paths: Iterable[Path], design: Build, folder: Path, started: float
) -> dict[str, str | None]:
    """Return the digests of the files that a compiler read beside its sources and its own files.

    A file that changed during the build has none: which content the compiler read is unknown.
    """
    known = {path.resolve() for path in (*design.sources, *design.files)}
    return {
        str(path): _digest(path) if path.stat().st_mtime < started else None
        for path in sorted(set(paths))
        if path.is_file()
        and path.resolve() not in known
        and not path.resolve().is_relative_to(folder.resolve())
    }


def _digest(path: Path) -> str:
    """Return the digest of a file's content; empty if it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def long_points(project: Project, jobs: Iterable[PlannedJob]) -> set[BuildPoint]:
    """Return the points at which jobs simulate so much that an optimised build pays."""
    effort: dict[BuildPoint, float] = defaultdict(float)
    for planned in jobs:
        effort[planned.point] += project.effort(planned.job)
    return {point for point, total in effort.items() if total >= LONG_EFFORT}


def _keep_only(folder: Path, executable: Path) -> None:
    """Delete generated sources and objects to save disk space; ccache makes a rebuild cheap."""
    for path in folder.iterdir():
        if path != executable:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def _first_errors(log: Path) -> tuple[str, ...]:
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()]
    # The runner repeats its command line, in which a file name may contain "error".
    lines = [line for line in lines if not line.startswith("Running command")]
    errors = [
        line for line in lines if ERROR_LINE.search(line) and not line.startswith(ONLY_WARNINGS)
    ] or [line for line in lines if line.startswith(WARNING_LINE)]
    return tuple((errors or lines[-MAX_ERRORS:] or ["no output"])[:MAX_ERRORS])
