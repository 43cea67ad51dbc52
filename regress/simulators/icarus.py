"""Icarus Verilog, as found on PATH."""

from __future__ import annotations

from regress.simulators.base import RunOptions, Simulator


class Icarus(Simulator):
    """Interprets the design; four-valued."""

    name = "icarus"
    title = "Icarus Verilog"
    programs = ("iverilog", "vvp")
    version_option = "-V"
    runner = "icarus"
    executable = "sim.vvp"
    install = "sudo apt-get install iverilog"
    slowdown = 100
    library_suffixes = "-Y.sv"

    @classmethod
    def run_arguments(cls, options: RunOptions) -> list[str]:
        """See :meth:`Simulator.run_arguments`."""
        return [f"+dumpfile_path={options.waves}"] if options.waves else []
