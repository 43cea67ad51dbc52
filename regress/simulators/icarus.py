"""Icarus Verilog, as found on PATH."""

from __future__ import annotations

import shutil

from typing_extensions import Self

from regress.simulators.base import RunOptions, Simulator, first_line, on_path


class Icarus(Simulator):
    """Interprets the design; four-valued."""

    name = "icarus"
    runner = "icarus"
    executable = "sim.vvp"
    install = "sudo apt-get install iverilog"
    slowdown = 100

    @classmethod
    def find(cls) -> Self:
        """See :meth:`Simulator.find`."""
        executable = shutil.which("iverilog")
        if executable is None or not on_path("vvp"):
            raise cls.missing("Icarus Verilog not found")
        return cls(first_line([executable, "-V"]), executable)

    @classmethod
    def run_arguments(cls, options: RunOptions) -> list[str]:
        """See :meth:`Simulator.run_arguments`."""
        return [f"+dumpfile_path={options.waves}"] if options.waves else []
