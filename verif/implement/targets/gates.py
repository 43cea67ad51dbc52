"""Technology-neutral gates: a count and a depth in seconds, for CI."""

from __future__ import annotations

import re
from pathlib import Path
from typing import ClassVar

from verif.implement.targets.base import CELLS, NETLIST, SIMULATION, Area, Target, area_of
from verif.implement.toolbox import Workshop
from verif.library.netlist.hierarchy import Hierarchy, read_cells
from verif.library.netlist.process import ToolError
from verif.library.netlist.recipe import Recipe

DEPTH_LOG = "depth.log"
FLIP_FLOP = re.compile(r"\$_(S?DFF|ALDFF|DFFSR|DLATCH|SR)")
DEPTH = re.compile(r"Longest topological path in \S+ \(length=(\d+)\)")


class Gates(Target):
    """Inverters, gates of two inputs, multiplexers of two, and flip-flops."""

    name: ClassVar[str] = "gates"
    title: ClassVar[str] = "two-input gates and multiplexers, no technology"
    stage: ClassVar[str] = ""
    simulated: ClassVar[bool] = True

    def passes(self, recipe: Recipe) -> list[str]:
        """Generic synthesis; names are given before ABC, which drops them."""
        return [
            f"synth -flatten -top {recipe.top} -run begin:fine",
            "synth -run fine:check -noabc",
            "opt -undriven -fine -mux_undef",
            "@registers",
            "autoname",
            "abc -g AND,NAND,OR,NOR,XOR,XNOR,MUX",
            "opt_clean",
            "autoname",
            f"tee -q -o {DEPTH_LOG} ltp -noff",
            f"write_verilog -noattr {NETLIST}",
        ]

    def simulation_passes(self, recipe: Recipe) -> list[str]:
        """Flip-flops keep their names. Bits of one wire must not look like a loop."""
        return [
            "rename -hide w:*_$_*",
            "splitnets",
            f"write_verilog -noattr {SIMULATION}",
        ]

    def area(self, hierarchy: Hierarchy, folder: Path, place: Workshop) -> Area:
        """Count gates and flip-flops."""
        area = area_of(read_cells(folder / CELLS), hierarchy, _cost, "gates", "ffs")
        depth = DEPTH.search((folder / DEPTH_LOG).read_text())
        if not depth:
            raise ToolError(f"yosys ltp reported no depth, see {folder / DEPTH_LOG}")
        area.depth = int(depth[1])
        return area


def _cost(kind: str) -> dict[str, float]:
    return {"ffs": 1} if FLIP_FLOP.match(kind) else {"gates": 1}
