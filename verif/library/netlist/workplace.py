"""Where Yosys works: the tools, and what one call of a tool may use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from verif.library.netlist.process import Limits, run_tool
from verif.library.netlist.toolbox import Toolbox

SCRIPT = "yosys.script"
# Imports nothing of the project: it runs in the toolbox's Python.
CHILD = Path(__file__).with_name("yosys_child.py")


@dataclass(frozen=True)
class Workplace:
    """Where a target works.

    Attributes:
        toolbox: has the tools.
        limits: of each call of a tool.
    """

    toolbox: Toolbox
    limits: Limits

    def yosys(self, passes: Sequence[str], folder: Path) -> float:
        """Run Yosys passes in a folder; returns seconds.

        Raises:
            ToolError: one of them failed.
        """
        script = folder / SCRIPT
        script.write_text("".join(f"{line}\n" for line in passes))
        command = [str(self.toolbox.python), str(CHILD), script.name]
        log = folder / "yosys.log"
        return run_tool("yosys", command, cwd=folder, log=log, limits=self.limits)
