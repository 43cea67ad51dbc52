"""Icarus Verilog, as found on PATH."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from typing_extensions import Self

from regress.simulators.base import RunOptions, Simulator, first_line, on_path, output


class Icarus(Simulator):
    """Interprets the design; four-valued."""

    name = "icarus"
    runner = "icarus"
    install = "sudo apt-get install iverilog"
    slowdown = 100

    @classmethod
    def find(cls) -> Self:
        """See :meth:`Simulator.find`."""
        executable = shutil.which("iverilog")
        if executable is None or not on_path("vvp"):
            raise cls.missing("Icarus Verilog not found")
        return cls(first_line([executable, "-V"]), executable)

    def executable(self, toplevel: str) -> str:
        """See :meth:`Simulator.executable`."""
        return "sim.vvp"

    @classmethod
    def run_arguments(cls, options: RunOptions) -> list[str]:
        """See :meth:`Simulator.run_arguments`."""
        return [f"+dumpfile_path={options.waves}"] if options.waves else []

    @classmethod
    def cannot_run(cls, build: Path) -> str:
        """See :meth:`Simulator.cannot_run`: its programs run on the version that made them only."""
        wanted = re.search(rb':ivl_version "([^ "]*)', (build / "sim.vvp").read_bytes()[:200])
        # Icarus 11 says it on the one stream, others on the other.
        said = "".join(output(["vvp", "-V"], stream) for stream in ("stderr", "stdout"))
        found = re.search(r"version (\S+)", said)
        if not found:
            return "Icarus Verilog (vvp) is not installed"
        if wanted and wanted[1].decode() != found[1]:
            return f"it has Icarus Verilog {found[1]}, wanted is {wanted[1].decode()}"
        return ""
