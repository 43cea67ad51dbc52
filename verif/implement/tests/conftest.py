"""A stranger's project with ``implement``, whose tool is a stand-in."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from verif.bench.configuration.design import ROOT
from verif.library.netlist.toolbox import Toolbox

PROJECT = '''
from regress.core.project import Project
from verif.implement.flow.command import implement_command
from verif.implement.flow.project import ImplementProject, Subject
from verif.library.netlist.recipe import Recipe
from verif.implement.flow.trend import sections


class Counters(ImplementProject):
    """Four widths of a counter."""

    def __init__(self, root):
        self.root = root

    def add_arguments(self, parser):
        """None."""

    def subjects(self, arguments, hdl):
        text = (self.root / "counter.sv").read_text()
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

    def history(self, runs, last):
        return sections(runs, last)
'''
# Stands for the toolbox's Python with Yosys in it. Its third call does not come to an end.
YOSYS = """#!{python} -S
import os, pathlib, time
calls = pathlib.Path({calls!r})
with calls.open("a") as file:
    file.write(pathlib.Path.cwd().name + " " + str(os.getpid()) + "\\n")
if len(calls.read_text().splitlines()) == 3:
    time.sleep(60)
pathlib.Path("instances.tsv").write_text("u_adder\\tadder\\n")
# One gate for each letter of the source.
gates = len(pathlib.Path("counter.sv").read_text())
kind = "LUT4" if "synth_ecp5" in pathlib.Path("yosys.script").read_text() else "$_AND_"
pathlib.Path("cells.tsv").write_text((kind + "\\tu_adder.x\\n") * gates)
pathlib.Path("netlist.v").touch()
pathlib.Path("depth.log").write_text("Longest topological path in counter (length=1):\\n")
"""


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stranger's project with its tools in place."""
    folder = tmp_path / "sample"
    folder.mkdir()
    (folder / "counter.sv").write_text("module counter (input logic clk); endmodule".ljust(100))
    (folder / "sample_project.py").write_text(PROJECT)
    (folder / "pyproject.toml").write_text('[tool.regress]\nproject = "sample_project:Sample"\n')

    def install(self: Toolbox, place: Path) -> None:
        program = place / "bin" / "python"
        program.parent.mkdir(parents=True)
        program.write_text(YOSYS.format(python=sys.executable, calls=str(folder / "calls")))
        program.chmod(0o755)
        share = place / "lib" / "python3" / "site-packages" / "pyosys" / "share"
        for name in ("ecp5/cells_sim.v", "lattice/common_sim.vh", "lattice/ccu2c_sim.vh"):
            (share / name).parent.mkdir(parents=True, exist_ok=True)
            (share / name).touch()

    monkeypatch.setattr(Toolbox, "_install_packages", install)
    assert Toolbox(folder / ".tools").python.is_file()
    return folder


def regress(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """The manager in a stranger's folder."""
    ours = ("REGRESS_ROOT", "REGRESS_TOOLS")
    environment = {name: value for name, value in os.environ.items() if name not in ours}
    return subprocess.Popen(
        [sys.executable, "-m", "regress", *arguments],
        cwd=folder,
        env={**environment, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
