"""Faults of tests: a campaign's process tries each, and the message must say what is wrong.

On Icarus where it is installed (it builds in a fraction of a second), else on Verilator.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import pytest

from models.registry import architecture
from regress.core.jobfile import RESULT_FILE
from regress.core.processes import ProcessGroups
from regress.run.build import Builder
from regress.simulators import find_simulators
from regress.tests.forked import regress
from verif.bench.configuration.design import ROOT
from verif.faults.campaign.chain import JOB_SECONDS, Asked
from verif.faults.campaign.simulate import FOLDER, alone
from verif.faults.campaign.way import Process, State
from verif.faults.jobs import plan
from verif.library.edits.altered import altered_copy
from verif.library.edits.operators import Operator
from verif.tests.context import CONTEXT, PROJECT

WAY = "verif.faults.campaign.simulate:alone"
QUICK = "quick"
SIMULATOR = "icarus" if shutil.which("iverilog") else "verilator"
# Words of a message that reports a wrong value, and a wrong status.
VALUE = re.compile(r"\bP = |not congruent|the model says|gmpy2 says|result = ")
STATUS = re.compile(r"^expected [A-Z_]+$")
AnyCase = TypeVar("AnyCase")


@dataclass(frozen=True)
class InjectedFault:
    """A fault and the message that must report it.

    Attributes:
        name: name of the test's case.
        architecture: architecture whose design gets the fault.
        changes: edits of the design that inject the fault.
        message: pattern of the failure that the test must report.
        test: test that must detect the fault.
        width: bits of the design; 0: the width of all cases.
        parameters: parameters of the design, in YAML; empty: those of all cases of the core.
    """

    name: str
    architecture: str
    changes: tuple[Operator, ...]
    message: str = ""
    test: str = "random"
    width: int = 0
    parameters: str = ""


def representatives(
    cases: Iterable[AnyCase], kind: Callable[[AnyCase], Hashable], name: Callable[[AnyCase], str]
) -> list[Any]:
    """Return the cases as parameters; ``make test`` runs the first case of each kind.

    Each case builds a faulty design. The others show the same check on another place of the design:
    the nightly runs them (marker ``campaign``).

    Args:
        cases: all cases; a tuple has the values of several arguments.
        kind: what a case shows that cases of other kinds do not.
        name: id of a case.
    """
    known: set[Hashable] = set()
    found = []
    for case in cases:
        marks = [pytest.mark.campaign] if kind(case) in known else []
        known.add(kind(case))
        values = case if isinstance(case, tuple) else (case,)
        found.append(pytest.param(*values, id=name(case), marks=marks))
    return found


def reported_by(case: InjectedFault) -> str:
    """Return what reports a fault: a value, a status, or a message of the bus."""
    if VALUE.search(case.message):
        return "value"
    return "status" if STATUS.search(case.message) else "bus"


def on_ring(case: InjectedFault) -> bool:
    """Return True if the fault's architecture is a ring of elements."""
    return architecture(case.architecture).streams is not None


def dashed(case: InjectedFault) -> str:
    """Return the name of a fault as the id of a test."""
    return case.name.replace(" ", "-")


def faulty_copy(case: InjectedFault, folder: Path) -> Path:
    """A copy of ``hdl`` with the fault."""
    return altered_copy(ROOT / "hdl", folder / "hdl", case.changes)


def tried(case: InjectedFault, name: str | Path, folder: Path) -> list[str]:
    """Run the one job of a list on the design with the fault, as the process of a campaign does.

    In this process, because a run and a process of its own for each fault take as long as the
    simulation.

    Returns:
        What the simulation reported: every failure, in a line.
    """
    (planned,) = (
        planned
        for planned in plan(CONTEXT, str(name))
        if planned.point.point["architecture"] == case.architecture
        and (planned.point.simulator == SIMULATOR or name != QUICK)
    )
    hdl, groups = faulty_copy(case, folder), ProcessGroups()
    tools, _ = find_simulators([planned.point.simulator])
    built = Builder(PROJECT, folder / "builds", folder, tools, groups, 1, hdl).build(planned.point)
    assert built.folder, built.errors
    asked = Asked(source="tests", against=str(name), way=WAY, seconds=JOB_SECONDS, keep=True)
    job = replace(planned.job, hdl=str(hdl), trace=False)
    process = Process(PROJECT, job, asked, folder, built.folder)
    fault = {"name": case.name, "says": case.name}
    assert alone(process, [fault])[case.name].state is State.DETECTED, case.name
    return json.loads((folder / FOLDER / RESULT_FILE).read_text())["failures"]


def matching(case: InjectedFault, failures: Sequence[str]) -> list[str]:
    """Return the failures with the expected message; not empty."""
    found = [failure for failure in failures if re.search(case.message, failure)]
    assert found, failures[:5]
    return found


def run_list(name: str | Path, folder: Path, *options: str) -> tuple[int, dict[str, Any]]:
    """Run a list from the command line, each job once; exit code and ``run.json``."""
    out = folder / "run"
    done = regress(ROOT, "run", str(name), "--out", str(out), "--no-waves", *options)
    assert (out / "run.json").is_file(), done.stdout + done.stderr
    return done.returncode, json.loads((out / "run.json").read_text())
