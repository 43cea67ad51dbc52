"""Standard cells: Yosys with a liberty file, then static timing without layout."""

from __future__ import annotations

import re
from abc import ABC
from functools import cache
from pathlib import Path
from typing import ClassVar

from verif.implement.energy.estimate import Energy, estimate
from verif.implement.energy.stimulus import Stimulus
from verif.implement.targets.base import (
    CELLS,
    INSTANCES,
    NETLIST,
    Area,
    Target,
    Timing,
    area_of,
)
from verif.implement.toolbox import LIBERTY_WHEEL, Toolbox, Workshop, is_own
from verif.library.netlist.hierarchy import CriticalPath, Hierarchy, read_cells
from verif.library.netlist.process import ToolError, run_tool
from verif.library.netlist.recipe import Recipe, digest
from verif.library.yosys import yosys_version

LIBERTY = "cells.lib"
STA_NETLIST = "sta.v"
PERIOD_NS = 1.0
LIBERTY_CELL = re.compile(
    r'\n\s*cell\s*\(\s*"?(\w+)"?\s*\)\s*\{(.*?)\n\s*area\s*:\s*([\d.]+)', re.S
)
STEP = re.compile(r"^\s*([\d.]+)\s+([\d.]+) [\^v] (\S+)/(\S+) \((\S+)\)")
ARRIVAL = re.compile(r"^\s*([\d.]+)\s+data arrival time", re.MULTILINE)
SLACK = re.compile(r"^\s*(-?[\d.]+)\s+slack \((?:MET|VIOLATED)\)", re.MULTILINE)


class StandardCells(Target, ABC):
    """A library of standard cells; each subclass names one.

    Attributes:
        member: the library: its path in the pinned wheel, or the absolute path of an own file.
        driver: cell that drives each input, for sizing.
        load_ff: load on each output, for sizing.
        aim_ps: clock period that sizing aims at.
        unused: cells that logic must not use, as ABC's patterns.
        flip_flop: what the names of flip-flops begin with.
    """

    stage: ClassVar[str] = "pre-layout"
    energies: ClassVar[bool] = True
    member: ClassVar[str]
    driver: ClassVar[str]
    load_ff: ClassVar[float]
    aim_ps: ClassVar[int]
    unused: ClassVar[tuple[str, ...]] = ()
    flip_flop: ClassVar[tuple[str, ...]]
    nand: ClassVar[str]

    def passes(self, recipe: Recipe) -> list[str]:
        """Generic synthesis, mapping to flip-flops and gates with sizing and buffers."""
        unused = " ".join(f"-dont_use {pattern}" for pattern in self.unused)
        return [
            f"synth -flatten -top {recipe.top} -run begin:fine",
            "synth -run fine:check -noabc",
            "opt -undriven -fine -mux_undef",
            f"dfflibmap -liberty {LIBERTY} {unused}",
            "@registers",
            "autoname",
            f"abc -liberty {LIBERTY} -constr sizing.constr -D {self.aim_ps} {unused}",
            "opt_clean -purge",
            "autoname",
            f"write_verilog -noattr {NETLIST}",
            "setundef -zero",
            "splitnets -ports",
            "opt_clean",
            f"write_verilog -noattr -simple-lhs -noexpr {STA_NETLIST}",
        ]

    @property
    def _constraint(self) -> str:
        return f"set_driving_cell {self.driver}\nset_load {self.load_ff:g} [all_outputs]\n"

    def synthesise(self, recipe: Recipe, folder: Path, place: Workshop) -> Area:
        """See :class:`Target`; the library must lie beside the script."""
        link = folder / LIBERTY
        link.unlink(missing_ok=True)
        link.symlink_to(place.toolbox.liberty(self.member))
        (folder / "sizing.constr").write_text(self._constraint)
        return super().synthesise(recipe, folder, place)

    def area(self, hierarchy: Hierarchy, folder: Path, place: Workshop) -> Area:
        """Area of cells alone: no wires, no clock tree, no utilisation."""
        sizes = _areas(place.toolbox.liberty(self.member))
        cells = read_cells(folder / CELLS)
        strange = sorted({kind for kind, _ in cells} - set(sizes))
        if strange:
            raise ToolError(f"cells that the library does not have: {', '.join(strange[:3])}")

        def cost(kind: str) -> dict[str, float]:
            ff = kind.startswith(self.flip_flop)
            return {"area_um2": sizes[kind], "ffs": int(ff), "gates": int(not ff)}

        area = area_of(cells, hierarchy, cost, "ffs", "gates")
        for module in area.modules:
            module.area_um2 = round(module.area_um2, 3)
        whole = sum(module.area_um2 for module in area.modules)
        area.area_um2 = round(whole, 2)
        area.kilo_gate_equivalents = round(whole / sizes[self.nand] / 1000, 3)
        return area

    def prepare(self, toolbox: Toolbox) -> None:
        """See :class:`Target`; the library and OpenSTA."""
        toolbox.liberty(self.member)
        toolbox.opensta()

    def versions(self, toolbox: Toolbox) -> dict[str, str]:
        """Yosys, OpenSTA, and the wheel with the library or the hash of an own one."""
        found = {"pyosys": yosys_version(), "opensta": toolbox.opensta_version()}
        file = Path(self.member).name
        if is_own(self.member):
            # The user may change it; :attr:`revision` is for changes of this project.
            text = toolbox.liberty(self.member).read_text()
            return {**found, "liberty": f"{file} {digest([text, self._constraint])[:12]}"}
        name, version = LIBERTY_WHEEL.split("==")
        return {**found, f"{name} (liberty)": version, "liberty": file.removesuffix(".gz")}

    def time(
        self, recipe: Recipe, synthesis: Path, folder: Path, seed: int, place: Workshop
    ) -> Timing:
        """Slowest path between registers, wires without resistance and capacitance."""
        script = folder / "sta.tcl"
        script.write_text(
            f"read_liberty {place.toolbox.liberty(self.member)}\n"
            f"read_verilog {synthesis / STA_NETLIST}\nlink_design {recipe.top}\n"
            f"create_clock -name clock -period {PERIOD_NS:g} [get_ports {recipe.clock}]\n"
            "report_checks -path_delay max -path_group clock -format full -digits 4\nexit\n"
        )
        log = folder / "sta.log"
        command = [str(place.toolbox.opensta()), "-no_splash", "-exit", str(script)]
        seconds = run_tool("opensta", command, cwd=folder, log=log, limits=place.limits)
        hierarchy = Hierarchy.read(recipe.top, synthesis / INSTANCES)
        period, path = read_report(log.read_text(), hierarchy)
        fmax = round(1000 / period, 2)
        return Timing(seed=seed, fmax_mhz=fmax, critical_path=path, seconds=seconds)

    def energy(
        self,
        recipe: Recipe,
        synthesis: Path,
        folder: Path,
        stimulus: Stimulus,
        place: Workshop,
    ) -> Energy:
        """See :class:`Target`."""
        netlist, liberty = synthesis / NETLIST, place.toolbox.liberty(self.member)
        return estimate(netlist, recipe.top, recipe.clock, liberty, stimulus, place, folder)


def read_report(text: str, hierarchy: Hierarchy) -> tuple[float, CriticalPath]:
    """Shortest period in ns and the slowest path, from the output of ``report_checks``.

    Raises:
        ToolError: the output has no path.
    """
    slack, arrival = SLACK.search(text), ARRIVAL.search(text)
    steps = [match for line in text.splitlines() if (match := STEP.match(line))]
    if not slack or not arrival or not steps:
        errors = [line for line in text.splitlines() if line.startswith("Error")]
        raise ToolError(f"opensta reports no path: {(errors or ['no error message'])[0]}")
    cells = list(dict.fromkeys((m[5], m[3].replace("\\", "")) for m in steps))
    (_, first), *middle, (_, last) = cells
    path = CriticalPath(
        start=hierarchy.register(first),
        through=hierarchy.through([("gate", name) for _, name in middle]),
        end=hierarchy.register(last),
        delay_ns=round(float(arrival[1]), 3),
    )
    return PERIOD_NS - float(slack[1]), path


@cache
def _areas(liberty: Path) -> dict[str, float]:
    """Area of each cell of a library in square micrometres."""
    return {m[1]: float(m[3]) for m in LIBERTY_CELL.finditer(liberty.read_text())}
