"""Checks of the lint: what a tool is, and how a command of it runs."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

SCRATCH = Path("build/lint")

# Cores as others write them, in styles of their own.
FOREIGN = Path("verif/own_core/cores")

# The tools' own limits are minutes; a check that takes longer hangs.
TIMEOUT_SECONDS = 300


@dataclass(frozen=True)
class Result:
    """Outcome of one check; ``output`` has the errors."""

    name: str
    passed: bool
    output: str = ""


@dataclass(frozen=True)
class Tool:
    """A linter: its checks may run at the same time and in any order."""

    name: str
    unit: str
    checks: list[Callable[[], list[Result]]]
    skipped: str = ""


def run(
    name: str,
    command: list[str | Path],
    extra_environment: dict[str, str] | None = None,
) -> Result:
    """Run a command in the project's folder; it passes when it exits with 0."""
    try:
        process = subprocess.run(
            [str(word) for word in command],
            cwd=ROOT,
            env={**os.environ, **(extra_environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Result(name, False, f"no end after {TIMEOUT_SECONDS} s")
    except OSError as error:
        return Result(name, False, str(error))
    return Result(name, process.returncode == 0, process.stdout.strip())


def sources(folder: str) -> list[Path]:
    """SystemVerilog files below ``folder``, packages first."""
    found = sorted(path.relative_to(ROOT) for path in (ROOT / folder).rglob("*.sv"))
    found = [path for path in found if FOREIGN not in path.parents]
    return sorted(found, key=lambda path: not is_package(path))


def is_package(path: Path) -> bool:
    """Whether the file holds a package instead of a module."""
    return path.stem.endswith("_pkg")
