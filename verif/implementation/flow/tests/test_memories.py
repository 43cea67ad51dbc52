"""Memories in a netlist of an ECP5 are simulated right: those of LUTs, and blocks."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from regress.project import project
from regress.simulators.verilator import Verilator
from verif.implementation.flow.process import Limits
from verif.implementation.flow.recipe import Recipe
from verif.implementation.flow.targets import target
from verif.implementation.flow.targets.base import MODELS, SIMULATION, Area, Workplace
from verif.implementation.flow.toolbox import Toolbox, default_toolbox_folder

SAMPLES = Path(__file__).parent / "samples"
FOLDER = default_toolbox_folder(project().root)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.simulation,
    pytest.mark.tools,
]


@pytest.fixture(scope="module")
def synthesised(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Area]:
    folder = tmp_path_factory.mktemp("netlist")
    recipe = Recipe.from_files("memories", "clk_i", [SAMPLES / "memories.sv"], {}, {"Width": 16})
    place = Workplace(Toolbox(FOLDER), Limits(300, 4 << 30))
    area = target("ecp5").synthesise(recipe, folder, place)
    netlist = folder / SIMULATION
    text = netlist.read_text()
    netlist.write_text(text.replace("\nmodule memories ", "\nmodule memories_netlist "))
    return folder, area


def test_memories_are_counted_by_kind(synthesised: tuple[Path, Area]) -> None:
    _, area = synthesised
    assert (area.memories, area.lut_memories) == (3, 32)
    assert area.luts == area.cells["LUT4"] + 6 * 32
    (top,) = area.modules
    assert (top.memories, top.lut_memories) == (3, 32)


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("", "", True),
        ("mem[WAD] <= DI;", "mem[WAD] <= DI ^ 4'b0100;", False),
        ("} = out_b;", "} = out_b ^ 18'h00001;", False),
    ],
)
def test_the_netlist_does_what_its_source_does(
    synthesised: tuple[Path, Area], tmp_path: Path, old: str, new: str, same: bool
) -> None:
    folder, _ = synthesised
    models = tmp_path / MODELS
    text = (folder / MODELS).read_text()
    assert not old or text.count(old) == 1
    models.write_text(text.replace(old, new) if old else text)
    verilator = Verilator.find()
    path = os.pathsep.join([*map(str, verilator.path), os.environ["PATH"]])
    command = [
        "verilator", "--binary", "--timing", "-Wno-fatal", "-Wno-lint",
        "-CFLAGS", "-fcoroutines -O0", "--top", "memories_tb", "-Mdir", str(tmp_path / "obj"),
        str(SAMPLES / "memories.sv"), str(SAMPLES / "memories_tb.sv"),
        str(folder / SIMULATION), str(models),
    ]  # fmt: skip
    environment = {**os.environ, **verilator.environment, "PATH": path}
    subprocess.run(command, env=environment, check=True, capture_output=True)
    done = subprocess.run(
        [tmp_path / "obj" / "Vmemories_tb"], check=True, capture_output=True, text=True
    )
    assert done.stdout.startswith("same\n") == same, done.stdout
