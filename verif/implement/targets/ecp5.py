"""Lattice ECP5: Yosys and nextpnr, placed and routed with real pins."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from verif.implement.targets import ecp5_floorplan as floorplan
from verif.implement.targets import ecp5_reset as reset
from verif.implement.targets.base import (
    CELLS,
    INSTANCES,
    MODELS,
    NETLIST,
    SIMULATION,
    Area,
    DoesNotFit,
    Target,
    Timing,
    area_of,
)
from verif.implement.toolbox import ROUTER, Toolbox, Workshop
from verif.library.netlist.hierarchy import CriticalPath, Hierarchy, read_cells
from verif.library.netlist.process import ToolError, run_tool
from verif.library.netlist.recipe import Recipe
from verif.library.yosys import yosys_share

DESIGN = "design.json"
REPORT = "report.json"
CONSTRAINTS = "pins.lpf"
DEVICE, PACKAGE, SPEED = "LFE5U-85F", "CABGA381", 6
# Clock at which the router aims: above that of any of these designs, so that it never stops early.
AIM_MHZ = 150
# router2 makes room by detours that it never takes back. From one placement, 1024 bits, seed 1,
# router2 with its alternate weights: fast_montgomery 100 MHz, router1 125; faster_montgomery 81 and
# 120; optimized_interleaved 85 and 114.
# The weight of timing in the placer was chosen with quotient_pipelined of 1024 bits: 77 MHz at the
# default of 10, 79 to 82 at 30, 79 at 300.
NEXTPNR_OPTIONS = (
    "--85k", "--package", PACKAGE, "--speed", str(SPEED), "--freq", str(AIM_MHZ),
    "--timing-allow-fail", "--placer-heap-timingweight", "30", "--router", "router1",
)  # fmt: skip
AVAILABLE = {"luts": 83_640, "ffs": 83_640, "multipliers": len(floorplan.sites(1)), "memories": 208}
# A clock pin, and pins with wires to a connector on a board that can be bought (ULX3S).
CLOCK_PIN = "G2"
PINS = (
    "B11", "C11", "A10", "A11", "A9", "B10", "B9", "C10", "A7", "A8", "C8", "B8", "C6", "C7",
    "A6", "B6", "A4", "A5", "A2", "B1", "C4", "B4", "F4", "E3", "G3", "F3", "H4", "G5", "U18",
    "U17", "N17", "P16", "N16", "M17", "L16", "L17", "H18", "H17", "F17", "G18", "D18", "E17",
    "C18", "D17", "B15", "C15", "B17", "C17", "C16", "D16", "D14", "E14", "B13", "C13", "D13",
    "E13", "F19", "F20", "P20", "T20", "R20", "T19", "M20", "M19", "L20", "L19", "K20", "K19",
    "K18", "J20", "J19", "H20", "N19", "G20", "G19", "P19", "N20", "U19", "E20", "J16", "L18",
    "M18", "N18", "P18", "T18", "T17", "U20", "E19", "D20", "D19", "C20", "E18", "F18", "J18",
    "J17", "B2", "C2", "C1", "D2", "D1", "E2", "E1", "H3", "A16", "A14", "A12", "A17", "B16",
    "C14", "A13", "B18", "A18", "E12", "B19", "L4", "M1", "M3", "N1", "L3", "K3", "K4", "L2",
    "L1", "B3", "C3", "D3", "E4", "C5", "D5", "B5", "A3", "E5", "F5", "F2", "H5", "E16", "F16",
    "D15", "E15", "B12", "C12", "R17", "R16", "U16", "P17", "G16", "D6", "R1", "T1", "R18", "V1",
    "U1", "H16", "E8", "D8", "D7", "E7", "P4", "P3", "P1", "P2", "N2", "H2", "J1", "J3", "H1",
    "K1", "K2",
)  # fmt: skip
# A CCU2C takes both LUTs of its slice. A memory of 16 x 4 bits takes two slices, and its write port
# both LUTs of a third: six, as nextpnr counts.
LUTS = {"LUT4": 1, "CCU2C": 2, "TRELLIS_DPR16X4": 6}
FIELDS = {
    "TRELLIS_FF": "ffs",
    floorplan.KIND: "multipliers",
    "DP16KD": "memories",
    "TRELLIS_DPR16X4": "lut_memories",
}
KINDS = {"LUT4": "LUT", "CCU2C": "carry", floorplan.KIND: "multiplier", "DP16KD": "memory"}
CELL_FILES = ("common_sim.vh", "ccu2c_sim.vh")
# Cells that Yosys knows only as black boxes.
OWN_MODELS = ("ecp5_multiplier.v", "ecp5_memory.v")
IGNORED = re.compile(r"\$CCU2_COMB\d$")


class Ecp5(Target):
    """LFE5U-85F, speed grade 6, package CABGA381."""

    name: ClassVar[str] = "ecp5"
    title: ClassVar[str] = f"Lattice {DEVICE}-{SPEED}, {PACKAGE}, real pins"
    stage: ClassVar[str] = "post-route"
    seeded: ClassVar[bool] = True
    simulated: ClassVar[bool] = True
    revision: ClassVar[int] = 7

    def passes(self, recipe: Recipe) -> list[str]:
        """``synth_ecp5``; names are given before ABC, which drops them.

        Without functions of 5 to 7 inputs: where the longest path is a multiplication and its sum,
        ABC takes them for each bit, and an exponentiation of 1024 bits has 26 640 LUT4, not 17 782.
        """
        flow = f"synth_ecp5 -nowidelut -top {recipe.top} -run"
        return [
            f"{flow} begin:map_luts",
            "@run ecp5_multiplier_registers.py",
            "@registers",
            "autoname",
            f"{flow} map_luts:check",
            f"{flow} check:edif",
            f"write_json {DESIGN}",
            f"write_verilog -noattr {NETLIST}",
        ]

    def synthesise(self, recipe: Recipe, folder: Path, place: Workshop) -> Area:
        """See :class:`Target`; leaves the models of the cells beside the netlist."""
        (folder / MODELS).write_text(models())
        return super().synthesise(recipe, folder, place)

    def simulation_passes(self, recipe: Recipe) -> list[str]:
        """Flip-flops keep their names. Bits of one wire must not look like a loop."""
        return [
            "rename -hide w:* t:LUT4 t:PFUMX t:L6MUX21 t:CCU2C",
            "splitnets",
            f"write_verilog -noattr {SIMULATION}",
        ]

    def area(self, hierarchy: Hierarchy, folder: Path, place: Workshop) -> Area:
        """The number of LUTs includes those of carry chains and distributed memories."""
        cells = read_cells(folder / CELLS)
        return area_of(cells, hierarchy, cost, "luts", *FIELDS.values())

    def check_fit(self, area: Area) -> None:
        """More than the device has cannot be placed."""
        for field, have in AVAILABLE.items():
            need = getattr(area, field) or 0
            if need > have:
                raise DoesNotFit(f"needs {need} {field}, {DEVICE} has {have}")

    def prepare(self, toolbox: Toolbox) -> None:
        """See :class:`Target`; nextpnr."""
        toolbox.router()

    def versions(self, toolbox: Toolbox) -> dict[str, str]:
        """Yosys and nextpnr."""
        return {**super().versions(toolbox), ROUTER: toolbox.router_version()}

    def options(self, recipe: Recipe) -> list[str]:
        """Passes, device, goal of the router, and changes of the netlist before routing."""
        before = ("multipliers side by side", "resets over the clock network")
        return [*super().options(recipe), *NEXTPNR_OPTIONS, *before]

    def time(
        self, recipe: Recipe, synthesis: Path, folder: Path, seed: int, place: Workshop
    ) -> Timing:
        """Place and route with one seed.

        nextpnr is WebAssembly that sees the current folder alone, so the design is written there.
        """
        netlist = json.loads((synthesis / DESIGN).read_text())
        ports = netlist["modules"][recipe.top]["ports"]
        (folder / CONSTRAINTS).write_text(constraints(recipe.clock, ports))
        floorplan.place_multipliers(netlist, recipe.top)
        reset.use_clock_network(netlist, recipe.top)
        design = folder / DESIGN
        design.write_text(json.dumps(netlist))
        command = [
            str(place.toolbox.router()),
            *NEXTPNR_OPTIONS, "--seed", str(seed),
            "--json", DESIGN, "--lpf", CONSTRAINTS, "--report", REPORT, "--textcfg", "/dev/null",
        ]  # fmt: skip
        log = folder / "nextpnr.log"
        try:
            seconds = run_tool("nextpnr", command, cwd=folder, log=log, limits=place.limits)
        finally:
            design.unlink(missing_ok=True)
        try:
            report = json.loads((folder / REPORT).read_text())
        except (OSError, ValueError) as error:
            raise ToolError(f"nextpnr wrote no report: {error}") from None
        hierarchy = Hierarchy.read(recipe.top, synthesis / INSTANCES)
        return _timing(report, hierarchy, seed, seconds)


def models() -> str:
    """Yosys's simulation models in one file, and those that it does not have.

    Pads and the vendor's own names of flip-flops are no cells of these netlists.
    """
    folder = yosys_share() / "ecp5"
    text = (folder / "cells_sim.v").read_text()
    for name in CELL_FILES:
        text = text.replace(f'`include "{name}"', (yosys_share() / "lattice" / name).read_text())
    text = re.sub(r"^`include .*$", "", text, flags=re.MULTILINE)
    text = re.sub(
        r"\(\* blackbox \*\)\s*module DP16KD\b.*?\bendmodule\b", "", text, flags=re.DOTALL
    )
    # Delays of single cells, which no test simulates.
    text = re.sub(r"\bspecify\b.*?\bendspecify\b", "", text, flags=re.DOTALL)
    return text + "".join(Path(__file__).with_name(name).read_text() for name in OWN_MODELS)


def constraints(clock: str, ports: Mapping[str, Any]) -> str:
    """A pin for each bit of each port.

    Args:
        clock: the clock port.
        ports: the ports of the netlist (Yosys, ``write_json``).

    Raises:
        DoesNotFit: there are more bits than pins.
    """
    bits = []
    for name, port in ports.items():
        width = len(port["bits"])
        bits += [name] if width == 1 else [f"{name}[{i}]" for i in range(width)]
    bits.remove(clock)
    if len(bits) > len(PINS):
        raise DoesNotFit(f"needs {len(bits)} pins, {len(PINS)} of {PACKAGE} are known")
    rows = [(clock, CLOCK_PIN), *zip(bits, PINS, strict=False)]
    return "".join(
        f'LOCATE COMP "{bit}" SITE "{pin}";\nIOBUF PORT "{bit}" IO_TYPE=LVCMOS33;\n'
        for bit, pin in rows
    )


def cost(kind: str) -> dict[str, float]:
    """Area of a cell, by field of :class:`ModuleArea`."""
    found = {"luts": LUTS[kind]} if kind in LUTS else {}
    return {**found, FIELDS[kind]: 1} if kind in FIELDS else found


def _timing(report: dict[str, Any], hierarchy: Hierarchy, seed: int, seconds: float) -> Timing:
    cycles = report["fmax"]
    if len(cycles) != 1:
        raise ToolError(f"nextpnr reports {len(cycles)} cycles, not one")
    fmax = next(iter(cycles.values()))["achieved"]
    paths = [
        path["path"]
        for path in report["critical_paths"]
        if path["from"].startswith("posedge") and path["to"].startswith("posedge")
    ]
    if not paths:
        raise ToolError("nextpnr reports no path between registers")
    cells, logic, routing = [], 0.0, 0.0
    for step in paths[0]:
        if "net" in step:
            routing += step["delay"]
        else:
            logic += step["delay"]
            cells.append(step["from"]["cell"])
    first, *middle, last = cells
    kinds = [(_kind(name), IGNORED.sub("", name)) for name in middle]
    path = CriticalPath(
        start=hierarchy.register(first),
        through=hierarchy.through(kinds),
        end=hierarchy.register(last),
        delay_ns=round(logic + routing, 3),
        logic_ns=round(logic, 3),
        routing_ns=round(routing, 3),
    )
    return Timing(seed=seed, fmax_mhz=round(fmax, 2), critical_path=path, seconds=seconds)


def _kind(cell: str) -> str:
    if IGNORED.search(cell):
        return "carry"
    return next((word for kind, word in KINDS.items() if kind in cell.rsplit(".", 1)[-1]), "LUT")
