"""Workplace of Yosys: the limits of one call of a tool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from verif.library.netlist.process import Limits, run_tool
from verif.library.yosys import YOSYS

SCRIPT = "yosys.script"


@dataclass(frozen=True)
class Workplace:
    """Workplace of Yosys.

    Attributes:
        limits: limits of each call of a tool.
    """

    limits: Limits

    def yosys(self, passes: Sequence[str], folder: Path) -> float:
        """Run Yosys passes in a folder; return the seconds that they took.

        Raises:
            ToolError: a pass failed.
        """
        script = folder / SCRIPT
        script.write_text("".join(f"{line}\n" for line in passes))
        command = [*YOSYS, script.name]
        log = folder / "yosys.log"
        return run_tool("yosys", command, cwd=folder, log=log, limits=self.limits)
