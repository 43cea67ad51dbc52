"""Faults of tests: each is a trial of a campaign, whose message must say what is wrong.

On Icarus where it is installed (it builds in a fraction of a second), else on Verilator.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console

from regress.cli.session import execute
from regress.cli.workspace import Workspace
from regress.core.jobfile import RESULT_FILE
from regress.core.plan import Plan
from verif.bench.configuration.design import ROOT
from verif.faults.campaign.chain import JOB_SECONDS, Asked, linked
from verif.faults.campaign.outcome import results
from verif.faults.campaign.record import DETECTED
from verif.faults.campaign.simulate import FOLDER
from verif.faults.jobs import plan
from verif.library.edits.altered import altered_copy
from verif.library.edits.operators import Operator
from verif.tests.context import CONTEXT

WAY = "verif.faults.campaign.simulate:alone"
QUICK = "quick"
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


def tried(case: InjectedFault, name: str | Path, folder: Path) -> list[str]:
    """Run the one job of a list on the design with the fault, as a trial of a campaign.

    Returns:
        What the simulation reported: every failure, in a line.
    """
    (planned,) = (
        planned
        for planned in plan(CONTEXT, str(name))
        if planned.point.point["architecture"] == case.architecture
        and (planned.point.simulator == SIMULATOR or name != QUICK)
    )
    asked = Asked(source="tests", against=str(name), way=WAY, job=planned.id, keep=True)
    fault = {"name": case.name, "says": case.name}
    hdl = faulty_copy(case, folder)
    jobs = linked([planned], [asked], "injected", [fault], hdl=str(hdl), timeout=JOB_SECONDS)
    workspace = replace(Workspace.of(CONTEXT), builds=folder / "builds", runs=folder)
    record = execute(
        Plan(name="injected", jobs=tuple(jobs), waves=False, apart="a copy with a fault"),
        workspace,
        Console(),
        workers=1,
        out=folder / "run",
    )
    (result,) = results(record)
    assert result.outcome == DETECTED, result
    (path,) = (folder / "run").rglob(f"{FOLDER}/{RESULT_FILE}")
    return json.loads(path.read_text())["failures"]


def matching(case: InjectedFault, failures: Sequence[str]) -> list[str]:
    """Return the failures that say what is meant; not empty."""
    found = [failure for failure in failures if re.search(case.message, failure)]
    assert found, failures[:5]
    return found


def run_list(name: str | Path, folder: Path, *options: str) -> tuple[int, dict[str, Any]]:
    """Run a list from the command line, each job once; exit code and ``run.json``."""
    out = folder / "run"
    command = [sys.executable, "-m", "regress", "run", str(name), "--out", str(out), "--no-waves"]
    command += options
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (out / "run.json").is_file(), done.stdout + done.stderr
    return done.returncode, json.loads((out / "run.json").read_text())
