"""The C++ compiler of this machine."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable

from regress.simulators.base import first_line, output

MACHINE_FLAG = re.compile(r"-m[a-z0-9.+=-]+")


def compiler() -> str:
    """The C++ compiler that Verilator's makefiles call."""
    return os.environ.get("CXX", "g++").split()[0]


def compiler_version() -> str:
    """First line of what the C++ compiler says about itself."""
    return first_line([compiler(), "--version"])


def machine_flags() -> tuple[str, ...]:
    """Options of the C++ compiler for this machine's processor, none if it does not tell them.

    As -march=native, but spelled out: they are part of what a build is known by, here and in
    ccache, so that a folder shared by different machines never has a build for another one.
    """
    command = [compiler(), "-march=native", "-E", "-v", "-x", "c++", os.devnull]
    for line in output(command, "stderr").splitlines():
        flags = tuple(word for word in line.split() if MACHINE_FLAG.fullmatch(word))
        if "cc1plus" in line and any(flag.startswith(("-march=", "-mcpu=")) for flag in flags):
            return flags
    return ()


def missing_headers(names: Iterable[str]) -> list[str]:
    """Those of the C headers that the C++ compiler does not find."""
    return [name for name in names if not _compiles(f"#include <{name}>\n")]


def _compiles(source: str) -> bool:
    command = [compiler(), "-E", "-x", "c++", "-"]
    try:
        done = subprocess.run(
            command, input=source, capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
