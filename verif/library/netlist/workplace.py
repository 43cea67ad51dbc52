"""Workplace of Yosys: the tools, and the limits of one call of a tool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from verif.library.netlist.process import Limits, run_tool
from verif.library.netlist.toolbox import Toolbox

SCRIPT = "yosys.script"
# This file imports nothing of the project, because it runs in the toolbox's Python.
CHILD = Path(__file__).with_name("yosys_child.py")


@dataclass(frozen=True)
class Workplace:
    """Workplace of a synthesis target.

    Attributes:
        toolbox: toolbox with the tools.
        limits: limits of each call of a tool.
    """

    toolbox: Toolbox
    limits: Limits

    def yosys(self, passes: Sequence[str], folder: Path) -> float:
        """Run Yosys passes in a folder; return the seconds that they took.

        Raises:
            ToolError: a pass failed.
        """
        script = folder / SCRIPT
        script.write_text("".join(f"{line}\n" for line in passes))
        command = [str(self.toolbox.python), str(CHILD), script.name]
        log = folder / "yosys.log"
        return run_tool("yosys", command, cwd=folder, log=log, limits=self.limits)
