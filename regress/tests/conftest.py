"""Stand-ins for builds and simulations."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from regress.cli.composition import context_of
from regress.cli.workspace import Workspace
from regress.core.buildrecord import BuildOutcome
from regress.core.context import Context
from regress.core.loading import ROOT_VARIABLE
from regress.core.plan import BuildPoint, PlannedJob, planned_job
from regress.run.build import Builder
from regress.simulators import BOTH, SIMULATORS
from regress.tests.stand_in import StandIn, defaults, job_of

# Other people's projects: their tests run in a simulator.
collect_ignore_glob = ["strangers/*"]
PROJECT = StandIn(Path(__file__).parent / "stand_in")
CONTEXT = context_of(PROJECT)
PASSING_XML = '<testsuites><testsuite><testcase name="t"/></testsuite></testsuites>'
PASSING_RESULT: dict[str, Any] = {"operations": 5, "cycles": 500, "wall_seconds": 0.5}
PASSING_CHILD = f"""
import json, pathlib, sys
folder = pathlib.Path(sys.argv[1])
job = json.loads((folder / "job.json").read_text())
result = {PASSING_RESULT!r}
result["coverage"] = {{"table_address": {{"bins": {{"0": 1, "1": 2}}, "goal": ["0", "1"]}}}}
cases = [
    {{"name": case["name"], "status": "passed", "message": "", "note": "", "facts": {{}}}}
    for case in job["cases"]
]
(folder / "results.xml").write_text({PASSING_XML!r})
(folder / "operations.jsonl").write_text("{{}}\\n" * 5)
if cases:
    (folder / "cases.jsonl").write_text("".join(json.dumps(case) + "\\n" for case in cases))
(folder / "result.json").write_text(json.dumps(result))
"""


def child(script: str) -> Callable[[Path, Path], list[str]]:
    """A job's child process that runs ``script`` with the job's folder as its argument."""
    return lambda folder, build: [sys.executable, "-S", "-c", script, str(folder), str(build)]


class FakeBuilder:
    """Builds nothing; points whose name contains ``broken`` fail."""

    def __init__(self, root: Path, broken: str = "") -> None:
        self.root = root
        self.broken = broken
        self.points: list[BuildPoint] = []

    def build(self, point: BuildPoint) -> BuildOutcome:
        self.points.append(point)
        if self.broken and self.broken in point.name:
            return BuildOutcome(point, None, False, 0.1, ("%Error: no such wire",))
        return BuildOutcome(point, self.root, False, 0.1)


@pytest.fixture(scope="module", autouse=True)
def stand_in() -> Iterator[None]:
    """The project that a command line finds, whatever the folder of the test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(ROOT_VARIABLE, str(PROJECT.root))
        # A command that a report shows repeats the caller's.
        patch.delenv("PYTHONPATH", raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def signals_count() -> None:
    """Below nohup or in the background of a script they would be ignored, by every child, too."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture
def planned() -> PlannedJob:
    return make_job()


def make_job(simulator: str = "verilator", timeout: float = 30.0, **changes: Any) -> PlannedJob:
    fields: dict[str, Any] = {
        "test": "random",
        "architecture": "faster_montgomery",
        "width": 32,
        "simulator": simulator,
        "seed": 7,
        "operations": 5,
        **changes,
    }
    parameters = defaults(fields["test"], fields["architecture"], fields["width"])
    return planned_job(CONTEXT, job_of(**{"parameters": parameters, **fields}), 1, timeout)


def make_workspace(
    folder: Path,
    script: str = PASSING_CHILD,
    installed: Sequence[str] = BOTH,
    broken: str = "",
    context: Context = CONTEXT,
) -> Workspace:
    """A workspace whose builds are empty and whose jobs run ``script``."""
    known = {**SIMULATORS, **context.project.tools}
    return Workspace(
        context,
        builds=folder / "build",
        runs=folder / "runs",
        command=child(script),
        find=lambda names: (
            {name: known[name]("1.0", "nowhere") for name in names if name in installed},
            {
                name: str(known[name].missing(f"{name} not found"))
                for name in names
                if name not in installed
            },
        ),
        make_builder=lambda **settings: cast(Builder, FakeBuilder(folder, broken)),
    )


def write_json_lines(path: Path, *lines: dict[str, Any] | str) -> Path:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text(text + "\n")
    return path
