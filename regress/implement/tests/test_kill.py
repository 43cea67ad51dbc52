"""kill -9 of the runner in the middle of a real run, then ``--resume``; the tool is a stand-in."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from regress.implement.plan import PLAN_FILE
from regress.implement.record import IMPLEMENT_FILE
from regress.implement.toolbox import Toolbox
from regress.tests.test_run import gone

PACKAGE = Path(__file__).parents[2]
PROJECT = '''
from regress.implement.command import implement_command
from regress.implement.project import ImplementProject, Subject
from regress.implement.recipe import Recipe
from regress.project import Project


class Counters(ImplementProject):
    """Four widths of a counter."""

    def __init__(self, root):
        self.root = root

    def add_arguments(self, parser):
        """None."""

    def subjects(self, arguments, hdl):
        text = "module counter (input logic clk); endmodule"
        return [
            Subject(
                f"counter-{width}",
                "counter",
                {"Width": width},
                Recipe(
                    top="counter", clock="clk", sources={"counter.sv": text},
                    parameters={"Width": width},
                ),
            )
            for width in (1, 2, 3, 4)
        ]


class Sample(Project):
    name = "sample"

    def commands(self):
        return [implement_command(Counters(self.root))]
'''
# Stands for the toolbox's Python with Yosys in it. Its third call does not come to an end.
YOSYS = """#!{python} -S
import os, pathlib, time
calls = pathlib.Path({calls!r})
with calls.open("a") as file:
    file.write(pathlib.Path.cwd().name + " " + str(os.getpid()) + "\\n")
if len(calls.read_text().splitlines()) == 3:
    time.sleep(60)
pathlib.Path("instances.tsv").write_text("")
pathlib.Path("cells.tsv").write_text("$_AND_\\tx\\n")
pathlib.Path("depth.log").write_text("Longest topological path in counter (length=1):\\n")
"""


def wait_for(condition: Callable[[], bool]) -> None:
    for _ in range(1500):
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError("it did not happen")


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stranger's project with its tools in place."""
    folder = tmp_path / "sample"
    folder.mkdir()
    (folder / "sample_project.py").write_text(PROJECT)
    (folder / "pyproject.toml").write_text('[tool.regress]\nproject = "sample_project:Sample"\n')

    def install(self: Toolbox, place: Path) -> None:
        program = place / "bin" / "python"
        program.parent.mkdir(parents=True)
        program.write_text(YOSYS.format(python=sys.executable, calls=str(folder / "calls")))
        program.chmod(0o755)

    monkeypatch.setattr(Toolbox, "_install_packages", install)
    assert Toolbox(folder / ".tools").python.is_file()
    return folder


def start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    ours = ("REGRESS_ROOT", "REGRESS_TOOLS")
    environment = {name: value for name, value in os.environ.items() if name not in ours}
    return subprocess.Popen(
        [sys.executable, "-m", "regress", "implement", "--jobs", "1", *arguments],
        cwd=folder,
        env={**environment, "PYTHONPATH": str(PACKAGE.parent)},
        stdout=subprocess.PIPE,
        text=True,
    )


def calls(folder: Path) -> list[tuple[str, int]]:
    """Netlist and process of each call of the tool so far."""
    path = folder / "calls"
    lines = path.read_text().splitlines() if path.is_file() else []
    return [(line.split()[0].rpartition("-")[0], int(line.split()[1])) for line in lines]


def test_nothing_finished_is_done_again_after_the_runner_was_killed(sample: Path) -> None:
    runner = start(sample, "--out", "run")
    wait_for(lambda: len(calls(sample)) == 3)
    runner.kill()
    runner.communicate()
    assert gone(calls(sample)[2][1])
    answers = sorted((sample / "run").glob("jobs/*/measured.json"))
    assert [path.parent.name for path in answers] == ["counter-1-gates-s1", "counter-2-gates-s1"]
    assert (sample / "run" / PLAN_FILE).is_file()
    written = [path.stat().st_mtime_ns for path in answers]

    resumed = start(sample, "--resume", "run")
    said, _ = resumed.communicate(timeout=60)
    assert resumed.returncode == 0
    assert "2 of 4 jobs have ended, going on with the others" in said
    assert [path.stat().st_mtime_ns for path in answers] == written
    one, two, three, four = list(dict.fromkeys(name for name, _ in calls(sample)))
    counts = Counter(name for name, _ in calls(sample))
    assert (counts[one], counts[two], counts[three], counts[four]) == (1, 1, 2, 1)
    points = json.loads((sample / "run" / IMPLEMENT_FILE).read_text())["points"]
    assert [point["status"] for point in points] == ["done"] * 4
    assert not list((sample / "build" / "implement").glob(".*"))

    # A new run finds all of it measured.
    again = start(sample, "--out", "again")
    said, _ = again.communicate(timeout=60)
    assert said.count("CACHED") == 4
    assert len(calls(sample)) == 5
