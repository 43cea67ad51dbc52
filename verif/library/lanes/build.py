"""Compiles a netlist to a shared library, cached by content."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

from verif.bench.configuration.design import ROOT
from verif.library.lanes.generate import Generator
from verif.library.netlist.cache import FolderCache
from verif.library.netlist.gates import KEY_LENGTH, NETLIST, GateNetlist, read_netlist, synthesise
from verif.library.netlist.process import Limits, ToolError, run_tool
from verif.library.netlist.recipe import Recipe, digest
from verif.library.netlist.workplace import Workplace

HERE = Path(__file__).parent
RUNTIME = (HERE / "engine.h", HERE / "runtime.c")
SOURCE, LIBRARY, OBJECT = "netlist.c", "lanes.so", "runtime.o"
FLAGS = ("-std=gnu11", "-fPIC", "-w")
# Optimisation levels. For the netlist, -O2 takes twice as long and gains little, because the code
# has no loops.
NETLIST_LEVEL, RUNTIME_LEVEL = "-O1", "-O3"
LIMITS = Limits(seconds=1800, memory=8 << 30)


class LaneBuilder:
    """Makes netlists and libraries, or finds them in the cache.

    Args:
        cache: folder shared by all runs.
        machine: value of the compiler's ``-march``; it determines the number of lanes.
    """

    def __init__(self, cache: Path, machine: str = "native") -> None:
        self._flags = (f"-march={machine}", *FLAGS)
        self._cache = FolderCache(cache)
        self._place = Workplace(LIMITS)

    @classmethod
    def of_project(cls, machine: str = "native") -> LaneBuilder:
        """Return a builder with the project's cache."""
        return cls(ROOT / "build" / "lanes", machine)

    def netlist_folder(self, recipe: Recipe) -> Path:
        """Return the folder with the netlist and its instances.

        Raises:
            ToolError: the design cannot be synthesised.
        """
        return synthesise(self._cache, self._place, recipe)

    def netlist(self, recipe: Recipe) -> GateNetlist:
        """Return the netlist of a recipe.

        Raises:
            ToolError: the design cannot be synthesised or simulated.
        """
        return read_netlist(self.netlist_folder(recipe) / NETLIST, recipe)

    def library(self, recipe: Recipe, netlist: GateNetlist) -> Path:
        """Return the shared library of a netlist.

        Raises:
            ToolError: the netlist cannot be simulated, or no compiler is available.
        """
        source = Generator(netlist).source()
        runtime, key = self._runtime()

        def make(folder: Path) -> None:
            (folder / SOURCE).write_text(source)
            _compile(folder, NETLIST_LEVEL, *self._flags, "-c", SOURCE, "-o", "netlist.o")
            _compile(folder, "-shared", "netlist.o", str(runtime), "-o", LIBRARY)

        name = f"lanes-{recipe.top}-{digest([source, key, NETLIST_LEVEL])[:KEY_LENGTH]}"
        self._cache.fill(name, LIBRARY, make)
        return self._cache.root / name / LIBRARY

    def _runtime(self) -> tuple[Path, str]:
        """Return the object file of the runtime, which all netlists share, and its key."""
        texts = [path.read_text() for path in RUNTIME]
        key = digest([*texts, self._flags, RUNTIME_LEVEL, _target(self._flags[0])])[:KEY_LENGTH]

        def make(folder: Path) -> None:
            source = str(HERE / "runtime.c")
            _compile(folder, RUNTIME_LEVEL, *self._flags, "-c", source, "-o", OBJECT)

        name = f"runtime-{key}"
        self._cache.fill(name, OBJECT, make)
        return self._cache.root / name / OBJECT, key


def compiler() -> str:
    """Return the C compiler: ``CC``, or the one of this machine.

    Raises:
        ToolError: no C compiler exists.
    """
    found = os.environ.get("CC") or shutil.which("gcc") or shutil.which("cc")
    if not found:
        raise ToolError("no C compiler found; install gcc, or set CC")
    return found


def _compile(folder: Path, *arguments: str) -> None:
    command = [compiler(), f"-I{HERE}", *arguments]
    run_tool("the C compiler", command, cwd=folder, log=folder / "compiler.log", limits=LIMITS)


def _target(flag: str) -> str:
    """Return the meaning of ``-march`` on this machine and the compiler's version, for the key."""
    command = [compiler(), flag, "-dM", "-E", "-x", "c", os.devnull]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise ToolError(f"the C compiler does not work: {error}") from None
    return hashlib.sha256(done.stdout.encode()).hexdigest()
