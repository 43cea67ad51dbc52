"""Runs lists on altered copies of the design.

On Icarus where it is installed (it builds in a fraction of a second), else on Verilator.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verif.bench.configuration.design import ROOT
from verif.library.edits.altered import altered_copy
from verif.library.edits.operators import Operator

SIMULATOR = "icarus" if shutil.which("iverilog") else "verilator"


@dataclass(frozen=True)
class InjectedFault:
    """A fault and the message that must report it.

    Attributes:
        name: of the test's case.
        architecture: on which it is tried.
        changes: what is done to the design.
        message: pattern of the failure that must be reported.
        test: the test that should see it.
        width: bits of the design; 0: those of all cases.
        parameters: of the design, in YAML; empty: those of all cases of the architecture.
    """

    name: str
    architecture: str
    changes: tuple[Operator, ...]
    message: str = ""
    test: str = "random"
    width: int = 0
    parameters: str = ""


def faulty_copy(case: InjectedFault, folder: Path) -> Path:
    """A copy of ``hdl`` with the fault."""
    return altered_copy(ROOT / "hdl", folder / "hdl", case.changes)


def run_list(name: str | Path, folder: Path, *options: str) -> tuple[int, dict[str, Any]]:
    """Run a list from the command line, each job once; exit code and ``run.json``."""
    out = folder / "run"
    command = [sys.executable, "-m", "regress", "run", str(name), "--out", str(out), "--no-waves"]
    command += options
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (out / "run.json").is_file(), done.stdout + done.stderr
    return done.returncode, json.loads((out / "run.json").read_text())


def failures_of(job: dict[str, Any], folder: Path) -> list[str]:
    """What the simulation of a job reported, ``folder`` as for :func:`run_list`."""
    path = folder / "run" / job["folder"] / "result.json"
    return json.loads(path.read_text())["failures"]
