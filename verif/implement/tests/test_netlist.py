"""A fault that only the netlist has fails its list."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from models.registry import architecture
from regress.cli.command_line import main
from verif.bench.configuration.design import (
    DESIGNS,
    MULTIPLIER,
    ROOT,
    Design,
    DesignError,
    hardware,
    resolved_parameters,
)
from verif.implement.targets.base import SIMULATION, accept_parameters
from verif.library.netlist.configuration import recipe_of
from verif.project import loader_design

# What a flip-flop of the sum takes: the operator is at a place, whatever the netlist around it.
PLACE = "gen_faster_montgomery.u_core.u_iterations.s_q_reg_3"


def planted(text: str) -> str:
    """The netlist with the input of one flip-flop inverted."""
    begin = text.index(PLACE)
    end = text.index(");", begin)
    cell = text[begin:end]
    assert cell.count(".DI(") == 1
    return text[:begin] + cell.replace(".DI(", ".DI(!") + text[end:]


def test_a_netlist_is_a_parameter_of_a_configuration() -> None:
    entry = architecture("mm42")
    assert resolved_parameters(MULTIPLIER, entry, 8, {"Netlist": 1})["Netlist"] == 1
    assert "Netlist" not in resolved_parameters(MULTIPLIER, entry, 8, {"Netlist": 0})
    with pytest.raises(DesignError, match=r"Netlist = 3: accepted are 0 .*, 1 \(ecp5\), 2 \(gates"):
        resolved_parameters(MULTIPLIER, entry, 8, {"Netlist": 3})


@pytest.mark.campaign  # test_cells.py compares netlist and source
@pytest.mark.simulation
@pytest.mark.slow
def test_a_bug_in_the_netlist_alone_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    original = loader_design.netlist_files

    def broken(*arguments: object) -> tuple[Path, ...]:
        netlist, *models = original(*arguments)
        path = tmp_path / SIMULATION
        path.write_text(planted(netlist.read_text()))
        return (path, *models)

    monkeypatch.setattr(loader_design, "netlist_files", broken)
    argv = ["run", "netlist", "--arch", "faster_montgomery", "--test", "random", "--no-waves"]
    assert main([*argv, "--jobs", "1", "--out", str(tmp_path / "run")]) == 1
    assert "S + C is not congruent to the product" in capsys.readouterr().out


@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
def test_a_netlist_accepts_every_parameter_of_its_module(design: Design, tmp_path: Path) -> None:
    recipe = recipe_of(hardware(design, architecture("mm42"), 8, {}))
    netlist = tmp_path / SIMULATION
    netlist.write_text(f"\nmodule {recipe.top}(clk_i);\nendmodule\n")
    accept_parameters(netlist, recipe)
    accepted = set(re.findall(r"parameter (\w+) = \d+", netlist.read_text()))
    source = (ROOT / "hdl").rglob(f"{recipe.top}.sv")
    declared = set(re.findall(r"^  parameter int (\w+)", next(source).read_text(), re.M))
    assert {"Core", "WordWidth", "Units"} <= declared == accepted
