"""What an ECP5 has beside lookup tables is simulated right: memories, and multipliers."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from regress.simulators.verilator import Verilator
from verif.implement.targets import target
from verif.implement.targets.base import MODELS, SIMULATION, Area
from verif.implement.toolbox import Toolbox, Workshop, default_toolbox_folder
from verif.library.netlist.process import Limits
from verif.library.netlist.recipe import Recipe
from verif.tests.context import PROJECT

SAMPLES = Path(__file__).parent / "samples"
FOLDER = default_toolbox_folder(PROJECT.root)
WIDTHS = {"memories": 16, "multipliers": 17}
pytestmark = [
    pytest.mark.campaign,  # the nightly measures, and make test does not
    pytest.mark.slow,
    pytest.mark.simulation,
]


@pytest.fixture(scope="module")
def synthesised(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Area]]:
    """Folder and area of each sample."""
    made = {}
    for top, width in WIDTHS.items():
        folder = tmp_path_factory.mktemp(top)
        recipe = Recipe.from_files(top, "clk_i", [SAMPLES / f"{top}.sv"], {}, {"Width": width})
        place = Workshop(Limits(300, 4 << 30), Toolbox(FOLDER))
        area = target("ecp5").synthesise(recipe, folder, place)
        netlist = folder / SIMULATION
        text = netlist.read_text()
        netlist.write_text(text.replace(f"\nmodule {top} ", f"\nmodule {top}_netlist "))
        made[top] = (folder, area)
    return made


def test_memories_are_counted_by_kind(synthesised: dict[str, tuple[Path, Area]]) -> None:
    _, area = synthesised["memories"]
    assert (area.memories, area.lut_memories) == (3, 32)
    assert area.luts == area.cells["LUT4"] + 6 * 32
    (top,) = area.modules
    assert (top.memories, top.lut_memories) == (3, 32)


def test_a_multiplier_has_the_register_that_is_its_own(
    synthesised: dict[str, tuple[Path, Area]],
) -> None:
    folder, area = synthesised["multipliers"]
    assert "registers of 1 of 4 multipliers moved into them" in (folder / "yosys.log").read_text()
    assert (area.multipliers, area.ffs) == (4, 3 * 34)


@pytest.mark.parametrize(
    ("top", "old", "new", "same"),
    [
        ("memories", "", "", True),
        ("memories", "mem[WAD] <= DI;", "mem[WAD] <= DI ^ 4'b0100;", False),
        pytest.param(
            "memories", "} = out_b;", "} = out_b ^ 18'h00001;", False, marks=pytest.mark.campaign
        ),
        ("multipliers", "", "", True),
        ("multipliers", "p_q <= p;", "p_q <= p + 1;", False),
        pytest.param("multipliers", "or posedge RST0", "", False, marks=pytest.mark.campaign),
        pytest.param(
            "multipliers",
            '== "NONE") ? p : p_q;',
            '!= "NONE") ? p : p_q;',
            False,
            marks=pytest.mark.campaign,
        ),
    ],
)
def test_the_netlist_does_what_its_source_does(
    synthesised: dict[str, tuple[Path, Area]],
    tmp_path: Path,
    top: str,
    old: str,
    new: str,
    same: bool,
) -> None:
    folder, _ = synthesised[top]
    models = tmp_path / MODELS
    text = (folder / MODELS).read_text()
    assert not old or text.count(old) == 1
    models.write_text(text.replace(old, new) if old else text)
    verilator = Verilator.find()
    path = os.pathsep.join([*map(str, verilator.path), os.environ["PATH"]])
    command = [
        "verilator", "--binary", "--timing", "-Wno-fatal", "-Wno-lint",
        "-CFLAGS", "-fcoroutines -O0", "--top", f"{top}_tb", "-Mdir", str(tmp_path / "obj"),
        str(SAMPLES / f"{top}.sv"), str(SAMPLES / f"{top}_tb.sv"),
        str(folder / SIMULATION), str(models),
    ]  # fmt: skip
    environment = {**os.environ, **verilator.environment, "PATH": path}
    subprocess.run(command, env=environment, check=True, capture_output=True)
    done = subprocess.run(
        [tmp_path / "obj" / f"V{top}_tb"], check=True, capture_output=True, text=True
    )
    assert done.stdout.startswith("same\n") == same, done.stdout
